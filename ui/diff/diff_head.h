// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/diff/diff_content.h"
#include "ui/look/theme.h"

#include <QWidget>

#include <array>

class QLabel;
class QToolButton;

namespace ui {

class SegmentedControl;

/// The row above a comparison: the titles of both texts, the status, and buttons for differences and modes. If room is
/// short, the title of the new text takes precedence over the status.
class DiffHead final : public QWidget {
    Q_OBJECT

public:
    static constexpr int kHeight = 32;

    struct State {
        DiffMode mode = DiffMode::SideBySide;
        int newTextAt = 0; ///< left edge of the new text, if side by side
        QString status;    ///< empty if a sentence replaces the diff
        QString shortStatus;
        bool hasDifferences = false;
        bool hasModes = true; ///< false where there is nothing to put side by side
    };

    explicit DiffHead(QWidget *parent);

    void setTitles(std::array<QString, 2> titles);
    /// The one of several files that is in sight; it stands before the titles. Empty for a single file.
    void setFile(const QString &file);
    [[nodiscard]] const QString &file() const { return m_file; }
    void setChosenMode(DiffMode mode);
    /// Shows the state and lays the row out.
    void setState(State state);
    void setTheme(const Theme &theme);

Q_SIGNALS:
    /// 1 for down, -1 for up.
    void stepRequested(int direction);
    void modeChosen(ui::DiffMode mode);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QToolButton *makeButton(const QString &name, Qt::ArrowType arrow, const QString &tip, int direction);
    void layOut();
    [[nodiscard]] std::array<QRect, 2> titleRects() const;

    Theme m_theme = Theme::make(Appearance::Light);
    std::array<QString, 2> m_titles;
    QString m_file;
    State m_state;
    QLabel *m_status;
    QToolButton *m_previous;
    QToolButton *m_next;
    SegmentedControl *m_modes;
};

} // namespace ui
