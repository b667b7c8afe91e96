// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/sessions/sessions_model.h"

#include <QScrollArea>

#include <optional>

class QPushButton;
class QVBoxLayout;

namespace ui {

/// What the list knows of the chosen session: its curve, what stands out, where a search found something, its last
/// message, and others of its project.
class SessionPreview final : public QScrollArea {
    Q_OBJECT

public:
    explicit SessionPreview(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Shows the session of a row, or nothing for -1.
    void show(const SessionsModel &model, int row);

Q_SIGNALS:
    void openRequested(const QString &file, uint thread);
    /// Opens the session with this block chosen, and with the filter line that finds it.
    void blockRequested(const QString &file, uint block, const QString &line);
    /// The sessions of this project.
    void tuneRequested(const QString &workingFolder);
    void chosen(const QString &file, uint thread);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    class Curve;
    /// What the parts were made from.
    struct Shown {
        core::SessionEntry entry;
        size_t subagents = 0;
        size_t forks = 0;
        size_t sessions = 0;     ///< in the list
        LibrarySearchPtr search; ///< nullptr without hits
        friend bool operator==(const Shown &, const Shown &) = default;
    };

    void clear();
    QWidget *addText(const QString &text, const QFont &font, const QColor &ink, int gap);
    void addLink(const QString &text, const std::function<void()> &act, const QString &tip = {});
    void fitLink(QPushButton &link) const;
    void addHits(const core::SessionHits &hits);
    void addFindings(const core::SessionEntry &entry);
    void addOthers(const SessionsModel &model, const core::ListedSession &session);

    Theme m_theme = Theme::make(Appearance::Light);
    QWidget *m_body;
    QVBoxLayout *m_column;
    std::optional<Shown> m_shown;
};

} // namespace ui
