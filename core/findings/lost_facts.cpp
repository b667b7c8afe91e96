// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/evidence/shown_text.h"
#include "core/findings/compaction_loss.h"
#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"

#include <algorithm>

namespace core {

namespace {

constexpr size_t kNamed = 3; ///< facts that the finding names

std::vector<BlockId> summariesIn(const Session &session, const BlockRanges &array)
{
    std::vector<BlockId> found;
    array.forEach([&](BlockId id) {
        if (session.block(id).is(BlockFlag::Summary))
            found.push_back(id);
    });
    return found;
}

/// The array in which a compaction left the thread: the one that the next call sent.
const BlockRanges &arrayAfter(const Thread &thread, const RecordedCompaction &compaction)
{
    const size_t next = compaction.call.isValid() ? compaction.call.index() + 1 : 0;
    return next < thread.calls.size() ? thread.calls[next].input : compaction.after;
}

/// The facts of a summary that the array after the next one does not hold.
void compare(const FindingGround &ground, size_t older, size_t newer, std::vector<Finding> &findings)
{
    const Session &session = ground.session();
    const Thread &thread = ground.thread();
    const BlockRanges &after = arrayAfter(thread, thread.compactions[newer]);
    const std::vector<BlockId> old = summariesIn(session, thread.compactions[older].after);
    const std::vector<BlockId> kept = summariesIn(session, after);
    if (old.empty() || std::ranges::all_of(old, [&](BlockId id) { return std::ranges::contains(kept, id); }))
        return;
    FactFinder finder;
    after.forEach([&](BlockId id) { finder.read(shownText(session, session.block(id)).text); });
    std::vector<CheckedFact> facts = checkedFacts(session, old, finder);
    std::erase_if(facts, [](const CheckedFact &each) { return each.fact.kind >= FactKind::Error; });
    const size_t all = facts.size();
    std::vector<std::string> lost;
    for (const CheckedFact &each : facts) {
        if (!each.isHeld)
            lost.push_back(each.fact.text);
    }
    if (lost.empty())
        return;
    Finding &made = findings.emplace_back();
    made.rank = FindingRank::Lost;
    made.count = lost.size();
    const std::string number = std::to_string(newer + 1);
    made.what = "Compaction " + number + " lost " + groupedNumber(lost.size()) + " of " + counted(all, "fact")
        + " of the old summary";
    made.link(FindingLink::Target::Compaction, static_cast<uint32_t>(newer + 1));
    made.link(FindingLink::Target::Block, old.front().value());
    for (size_t i = 0; i < std::min(lost.size(), kNamed); ++i)
        made.where += (i == 0 ? "" : ", ") + lost[i];
    if (lost.size() > kNamed)
        made.where += ", …";
    made.help = "keep the old summary beside the new one";
}

void findLostFacts(const FindingGround &ground, std::vector<Finding> &findings)
{
    const std::vector<RecordedCompaction> &compactions = ground.thread().compactions;
    std::optional<size_t> before;
    for (size_t i = 0; i < compactions.size(); ++i) {
        const CompactionKind kind = compactions[i].kind;
        if (kind == CompactionKind::Rollback)
            before = std::nullopt; // the rewind may have taken the summary back
        if (kind != CompactionKind::Summary && kind != CompactionKind::Replacement)
            continue;
        if (before)
            compare(ground, *before, i, findings);
        before = i;
    }
}

} // namespace

const FindingKind kLostFacts { "lost-facts", "facts of a summary that the next summary lost", "fact* lost",
    findLostFacts };

} // namespace core
