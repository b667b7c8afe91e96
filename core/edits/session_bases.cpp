// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/session_bases.h"

#include <algorithm>

namespace core {

namespace {

/// Fills in the bases of one thread.
void addBases(const Edits &edits, ThreadIndex thread, const Uses &uses, const ContextSpans &spans, BasisContext context,
    std::vector<EditBasis> &bases)
{
    std::vector<EditBasis> found = editBases(edits, thread, uses, spans, context);
    for (size_t i = 0; i < found.size(); ++i) {
        if (edits.edits[i].thread == thread)
            bases[i] = std::move(found[i]);
    }
}

} // namespace

std::optional<EditUses> usesOfEdits(const Edits &edits, EditUses known, Progress *progress)
{
    const Session &session = *edits.session;
    known.resize(session.threads.size());
    for (size_t i = 0; i < session.threads.size(); ++i) {
        const ThreadIndex thread(i);
        if (known[i] || std::ranges::none_of(edits.edits, [&](const Edit &edit) { return edit.thread == thread; }))
            continue;
        auto uses = findUses(session, thread, {}, progress);
        if (!uses)
            return std::nullopt;
        known[i] = std::make_shared<const Uses>(std::move(*uses));
    }
    return known;
}

std::vector<EditBasis> recordedBases(const Edits &edits, const EditUses &uses, const SessionSums &sums)
{
    std::vector<EditBasis> bases(edits.edits.size());
    for (size_t i = 0; i < uses.size(); ++i) {
        if (uses[i])
            addBases(edits, ThreadIndex(i), *uses[i], recordedSpans(edits.session, ThreadIndex(i), sums[i].get()),
                BasisContext::Recorded, bases);
    }
    return bases;
}

std::optional<std::vector<EditBasis>> basesUnder(const Edits &edits, const EditUses &uses, const PolicyPtr &policy,
    const BlockTokensPtr &tokens, const SessionSums &sums, const ReplayOptions &options)
{
    std::vector<EditBasis> bases(edits.edits.size());
    for (size_t i = 0; i < uses.size(); ++i) {
        if (!uses[i])
            continue;
        const ReplayPtr replayed
            = replay(replayGround(edits.session, ThreadIndex(i), tokens, sums[i]), policy, options);
        if (!replayed)
            return std::nullopt;
        addBases(edits, ThreadIndex(i), *uses[i], replayed->spans, BasisContext::Simulated, bases);
    }
    return bases;
}

} // namespace core
