// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "core/tokens/array_sums.h"
#include "ui/hub/job.h"

#include <QObject>

#include <memory>
#include <vector>

namespace ui {

class Workspace;

/// Counts the calls of a thread that sent each block; in a job, once for a thread.
class BlockCalls final : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    struct Count {
        uint32_t sent = 0;
        uint32_t unsure = 0; ///< further calls; a silent clearing may have removed the block
    };

    /// Counts for the thread of a block, unless already done.
    void count(const Workspace &workspace, core::BlockId block);
    /// Zeros until counted.
    [[nodiscard]] Count of(const core::SessionPtr &session, core::BlockId block) const;
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }

Q_SIGNALS:
    void counted();

private:
    std::vector<Count> m_calls; ///< by block
    std::weak_ptr<const core::Session> m_session;
    std::weak_ptr<const core::ArraySums> m_sums; ///< of the thread
    Job<std::vector<Count>> m_job;
};

} // namespace ui
