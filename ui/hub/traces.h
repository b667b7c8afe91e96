// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "core/replay/replay.h"
#include "core/tokens/weights.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <span>
#include <vector>

namespace ui {

class Workspace;

/// The inputs of traces.
struct TraceGround {
    core::ContextSpans spans;
    std::vector<core::UnloggedStretch> unlogged;
    core::BlockTokensPtr tokens;
    std::vector<core::Trace> userMessages;
};
using TraceGroundPtr = std::shared_ptr<const TraceGround>;

/// A traced text or block.
struct Traced {
    std::string text;                        ///< empty for a block
    core::BlockId block;                     ///< invalid for a text
    QString name;                            ///< its first words
    std::shared_ptr<const core::Trace> life; ///< nullptr until computed
    QString verdict;                         ///< of `life`, in sentences
    /// The trace in the arrays of the plan's policy; nullptr as recorded, and until it is first computed.
    std::shared_ptr<const core::Trace> policyLife;
    QString policyVerdict;
};

/// The traces of a window, in the order in which they were added. Each is computed in its own job, and again when
/// thread or session change; under a policy also in the arrays of its replay, and again with every replay.
class Traces final : public QObject {
    Q_OBJECT

public:
    explicit Traces(Workspace &workspace);
    ~Traces() override;

    [[nodiscard]] size_t count() const { return m_traced.size(); }
    [[nodiscard]] const Traced &at(size_t index) const { return m_traced[index]->traced; }
    /// The trace that was added or pointed at last.
    [[nodiscard]] std::optional<size_t> current() const { return m_current; }
    void setCurrent(std::optional<size_t> index);

    /// Makes the trace current. An existing trace is not added twice.
    void traceText(const std::string &text);
    void traceBlock(core::BlockId block);
    void remove(size_t index);
    /// Removes the current trace, or the newest; false if there is none.
    bool removeOne();
    void clear();

    [[nodiscard]] const TraceGroundPtr &ground() const { return m_ground; }
    /// Starts all waiting traces. nullptr: all traces become unknown until the next ground.
    void setGround(TraceGroundPtr ground);
    /// The replay behind policy traces; nullptr as recorded.
    [[nodiscard]] const core::ReplayPtr &replay() const { return m_replay; }

Q_SIGNALS:
    void changed(); ///< the list, the result of a trace, or the current one

private:
    struct Found {
        std::shared_ptr<const core::Trace> life;
        QString verdict;
    };
    struct Entry {
        Traced traced;
        Job<Found> job;
        Job<Found> policyJob;
    };
    [[nodiscard]] static Found find(const core::ContextSpans &spans, std::span<const core::UnloggedStretch> unlogged,
        const core::BlockTokens &tokens, const Traced &traced, core::Progress &progress);

    void onSessionChanged(bool isNew);
    void add(Traced traced);
    void start(Entry &entry);
    void startPolicy(Entry &entry);
    void takeReplay();

    Workspace &m_workspace;
    TraceGroundPtr m_ground;
    core::ReplayPtr m_replay;
    std::vector<std::unique_ptr<Entry>> m_traced;
    std::optional<size_t> m_current;
};

} // namespace ui
