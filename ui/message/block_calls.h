// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "ui/hub/job.h"

#include <QObject>

#include <memory>
#include <vector>

namespace ui {

/// Counts the calls of a thread that sent each block; in a job, once for a thread.
class BlockCalls final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Counts for the thread of a block, unless already done.
    void count(const core::SessionPtr &session, core::BlockId block);
    /// 0 until counted.
    [[nodiscard]] uint32_t of(const core::SessionPtr &session, core::BlockId block) const;
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }

Q_SIGNALS:
    void counted();

private:
    std::vector<uint32_t> m_calls; ///< by block
    std::weak_ptr<const core::Session> m_session;
    core::ThreadIndex m_thread;
    Job<std::vector<uint32_t>> m_job;
};

} // namespace ui
