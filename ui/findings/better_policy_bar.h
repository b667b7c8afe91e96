// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/better_policy.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace ui {

/// On request looks for a policy that does better on the other sessions in the session's folder, and says what it
/// found: first the answer, the rest on demand. One button starts and stops; another applies what was found.
class BetterPolicyBar final : public QWidget {
    Q_OBJECT

public:
    explicit BetterPolicyBar(ViewState &state, QWidget *parent = nullptr);
    ~BetterPolicyBar() override;

    [[nodiscard]] QToolButton *button() const { return m_start; }
    /// For pictures and tests: waits until the search is done.
    void wait() { m_find.wait(); }

private:
    using BetterPolicyPtr = std::shared_ptr<const core::BetterPolicy>;

    void forget();
    void startOrStop();
    void start();
    void setFound(BetterPolicyPtr found);
    void refresh();
    void take();
    void applyTheme();

    ViewState &m_state;
    QToolButton *m_start; ///< the panel places it
    QLabel *m_words;
    QToolButton *m_more; ///< shows the sentences behind the answer
    QToolButton *m_take;
    BetterPolicyPtr m_found;
    size_t m_run = 0; ///< number of starts, to ignore what earlier ones tell
    size_t m_done = 0;
    QThreadPool m_pool; ///< separate, so that other jobs do not wait for reading files
    Job<BetterPolicyPtr> m_find { &m_pool };
};

} // namespace ui
