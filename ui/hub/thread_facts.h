// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/uses.h"
#include "ui/hub/background_pool.h"
#include "ui/hub/traces.h"

#include <QObject>

namespace ui {

class Workspace;

using UsesPtr = std::shared_ptr<const core::Uses>;

/// Facts of the shown thread that require reading its texts, computed once in the background when the session has been
/// loaded; and the traces, which depend on them.
class ThreadFacts final : public QObject {
    Q_OBJECT

public:
    explicit ThreadFacts(Workspace &workspace);
    ~ThreadFacts() override;

    /// nullptr until found, and while they are those of the session before it grew.
    [[nodiscard]] UsesPtr uses() const { return isOutgrown(m_usesOf) ? nullptr : m_uses; }
    [[nodiscard]] TraceGroundPtr traceGround() const { return isOutgrown(m_groundOf) ? nullptr : m_traces.ground(); }
    /// The same, but not nullptr while it belongs to the session before it grew.
    [[nodiscard]] const TraceGroundPtr &lastTraceGround() const { return m_traces.ground(); }
    [[nodiscard]] Traces &traces() { return m_traces; }
    /// For pictures and benchmarks: waits for all facts.
    void waitForFacts();

Q_SIGNALS:
    void usesChanged();
    void traceGroundChanged();

private:
    [[nodiscard]] bool isOutgrown(const core::SessionPtr &of) const;
    void forget();
    void find();

    Workspace &m_workspace;
    core::SessionPtr m_usesOf;   ///< the session of the uses
    core::SessionPtr m_groundOf; ///< the session of the traces' ground
    core::ThreadIndex m_thread;
    UsesPtr m_uses;
    Traces m_traces;
    BackgroundPool m_pool;
    Job<UsesPtr> m_findUses { &m_pool };
    Job<TraceGroundPtr> m_traceUserMessages { &m_pool };
};

} // namespace ui
