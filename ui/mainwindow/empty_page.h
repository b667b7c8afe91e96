// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace ui {

/// The page of a window without sessions: a place to drop a file, the bundled sample, and recent files.
class EmptyPage final : public QWidget {
    Q_OBJECT

public:
    explicit EmptyPage(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Updates the recent files.
    void refresh();

Q_SIGNALS:
    void openRequested();
    void folderRequested();
    void sampleRequested();
    void tourRequested();
    void fileChosen(const QString &path);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Theme m_theme = Theme::make(Appearance::Light);
    QVBoxLayout *m_recent;
};

} // namespace ui
