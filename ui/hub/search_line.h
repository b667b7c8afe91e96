// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QLineEdit>
#include <QStringList>

class QCompleter;
class QStringListModel;

namespace ui {

/// The filter line: completes keys and their values, and remembers the lines that found something.
class SearchLine final : public QLineEdit {
    Q_OBJECT

public:
    explicit SearchLine(QWidget *parent = nullptr);

    /// The values of `tool:`.
    void setTools(const QStringList &names) { m_tools = names; }
    /// Keeps the line for the next sessions.
    void remember();
    [[nodiscard]] static bool hasHistory();
    /// Shows the remembered lines, newest first; nothing if there are none.
    void showHistory();
    void setTheme(const Theme &theme, bool isMistaken);

    /// What may replace the word that ends at `cursor`: `ro` → `role:`, `role:t` → `role:tool`.
    [[nodiscard]] static QStringList completions(const QString &line, int cursor, const QStringList &tools);

Q_SIGNALS:
    void stepped(int rows);       ///< Up, Down, Page Up, Page Down
    void chosen(bool isBackward); ///< Enter, Shift+Enter

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void complete();
    void insert(const QString &completion);

    QStringListModel *m_words;
    QCompleter *m_completer;
    QStringList m_tools;
    bool m_isHistory = false; ///< the list shows whole lines
};

} // namespace ui
