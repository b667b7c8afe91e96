// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/trace.h"
#include "core/replay/uses.h"
#include "ui/base/job.h"

#include <QObject>

namespace ui {

class Workspace;

/// What texts are traced on.
struct TraceGround {
    core::ContextSpans spans;
    std::vector<core::UnloggedStretch> unlogged;
    core::BlockTokensPtr tokens;
    std::vector<core::Trace> userMessages;
};
using TraceGroundPtr = std::shared_ptr<const TraceGround>;
using UsesPtr = std::shared_ptr<const core::Uses>;

/// Facts of the shown thread that cost a reading of its texts: found once in the background, when the session is
/// loaded.
class ThreadFacts final : public QObject {
    Q_OBJECT

public:
    explicit ThreadFacts(Workspace &workspace);
    ~ThreadFacts() override;

    /// nullptr until they are found.
    [[nodiscard]] const UsesPtr &uses() const { return m_uses; }
    [[nodiscard]] const TraceGroundPtr &traceGround() const { return m_traceGround; }

Q_SIGNALS:
    void usesChanged();
    void traceGroundChanged();

private:
    void forget();
    void find();

    Workspace &m_workspace;
    UsesPtr m_uses;
    TraceGroundPtr m_traceGround;
    Job<UsesPtr> m_findUses;
    Job<TraceGroundPtr> m_traceUserMessages;
};

} // namespace ui
