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

/// The difference between the arrays of two runs at the chosen call, slot by slot: one run in the column before, the
/// other in the column after, compared by `observe`. The arrays are not part of the session, so the page has its own
/// hubs. A chosen session block also becomes the window's current block. The page follows the chosen call and closes
/// when the session changes.
class DifferencePage final : public QWidget {
    Q_OBJECT

public:
    explicit DifferencePage(ViewState &state, QWidget *parent = nullptr);
    ~DifferencePage() override;

    void compare(ComparedArray before, ComparedArray after);
    [[nodiscard]] ArrayView &array() const { return *m_array; }
    [[nodiscard]] const ArrayPicture &picture() const { return m_own.picture(); }
    [[nodiscard]] QString title() const { return m_title->text(); }
    /// For pictures and tests: waits for both arrays.
    void waitForArrays();

Q_SIGNALS:
    void closeRequested();
    void arraysChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    /// Both arrays, each as the final array of a session.
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
    ElidedLabel *m_title;
    QToolButton *m_back;
    ArrayView *m_array;
    ComparedArray m_before;
    ComparedArray m_after;
    core::Position m_position; ///< of the shown arrays
    core::SessionPtr m_session;
    Job<Arrays> m_job;
};

} // namespace ui
