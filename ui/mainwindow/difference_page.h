// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_view.h"
#include "ui/hub/view_state.h"
#include "ui/tuning/session/comparison_view.h"
#include "ui/widgets/elided_label.h"

#include <QWidget>

class QToolButton;

namespace ui {

/// What two runs make of the array at the chosen call, slot by slot: one in the column before, the other in the column
/// after, with what lies between them as `observe` finds it. The arrays are no part of the session, so the page has
/// hubs of its own; a block of the session that is chosen here is the current one of the window, too. It follows the
/// chosen call, and closes when another session comes.
class DifferencePage final : public QWidget {
    Q_OBJECT

public:
    explicit DifferencePage(ViewState &state, QWidget *parent = nullptr);
    ~DifferencePage() override;

    void compare(ComparedArray before, ComparedArray after);
    [[nodiscard]] ArrayView &array() const { return *m_array; }
    [[nodiscard]] const ArrayPicture &picture() const { return m_own.picture(); }
    [[nodiscard]] QString title() const { return m_title->text(); }
    void setHeadRoom(int width) { m_headRoom->setFixedSize(width, 1); }
    /// For pictures and tests: returns when both arrays are there.
    void waitForArrays();

Q_SIGNALS:
    void closeRequested();
    void arraysChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    /// The arrays, each as a session's that ends with it.
    struct Arrays {
        AfterFile before;
        AfterFile after;
    };

    void make();
    void take(Arrays arrays);
    void follow();
    void chooseInWindow();
    void applyTheme();

    ViewState &m_state; ///< of the window
    Workspace m_workspace;
    ViewState m_own { m_workspace };
    QWidget *m_headRoom;
    ElidedLabel *m_title;
    QToolButton *m_back;
    ArrayView *m_array;
    ComparedArray m_before;
    ComparedArray m_after;
    core::Position m_position; ///< that the arrays are of
    core::SessionPtr m_session;
    Job<Arrays> m_job;
};

} // namespace ui
