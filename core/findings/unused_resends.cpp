// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"
#include "core/weight/resent_unused.h"

#include <algorithm>
#include <set>

namespace core {

namespace {

constexpr double kUnusedShare = 0.005;  ///< of all tokens that the session sent
constexpr double kLeastUnused = 20'000; ///< tokens × calls
constexpr double kLeastOfBlock = 1'000; ///< tokens × calls of a block; smaller ones are not named

/// All blocks of the thread as one array.
Transcript wholeLog(const FindingGround &ground)
{
    std::vector<BlockId> log = ground.uses.log;
    std::ranges::sort(log);
    BlockRanges ranges;
    for (const BlockId id : log)
        ranges.append({ id.value(), id.value() + 1 });
    return { ground.whole.session, ranges };
}

/// The first call that no longer needed the block.
uint32_t firstUnused(const FindingGround &ground, BlockId block, const LastUse &last)
{
    if (last.isUsed())
        return last.call.isValid() ? last.call.value() + 1 : 0;
    const std::vector<ContextSpan> sent = ground.sentSpans(block);
    // The call that a text was sent for first was meant to read it.
    return sent.empty() ? 0 : sent.front().from + 1;
}

void findUnusedResends(const FindingGround &ground, std::vector<Finding> &findings)
{
    const Session &session = ground.session();
    const std::vector<LastUse> last = lastUses(session, ground.uses);
    const WeightGroups groups = weightGroups(wholeLog(ground), ground.threadIndex, GroupBy::File,
        Weights(ground.whole.tokens, WeightUnit::Tokens), HotZones());
    for (const WeightGroup &group : groups.groups) {
        Finding made;
        std::vector<std::pair<double, BlockId>> heaviest;
        uint32_t heaviestCalls = 0;
        double most = 0;
        bool isUsed = false;
        for (const BlockId id : groups.blocksOf(group)) {
            const Block &block = session.block(id);
            if (block.kind != BlockKind::ToolResult && block.kind != BlockKind::ToolCall)
                continue;
            const size_t before = made.spans.size();
            double tokens = 0;
            uint32_t calls = 0;
            for (const ContextSpan &span : ground.sentSpans(id, firstUnused(ground, id, last[id.index()]))) {
                made.spans.push_back(span);
                tokens += ground.tokensOf(span);
                calls += span.to - span.from;
            }
            if (tokens < kLeastOfBlock) {
                made.spans.resize(before);
                continue;
            }
            heaviest.emplace_back(tokens, id);
            if (tokens > most) {
                most = tokens;
                heaviestCalls = calls;
            }
            isUsed = isUsed || last[id.index()].isUsed();
        }
        if (heaviest.empty())
            continue;
        ground.weigh(made);
        if (made.tokens->value < std::max(kLeastUnused, kUnusedShare * ground.whole.sent))
            continue;
        std::ranges::stable_sort(heaviest, std::ranges::greater(), [](const auto &each) { return each.first; });
        made.rank = FindingRank::Costs;
        made.sureness = Sureness::Estimated;
        const bool isOne = heaviest.size() == 1;
        const std::string times = counted(heaviestCalls, "time");
        made.what = isOne
            ? group.name + (isUsed ? " was sent " : " was sent again ") + times
            : counted(heaviest.size(), "text") + " from " + group.name + " were sent again, the heaviest " + times;
        made.what += isUsed ? isOne ? " after its last known use" : ", after their last known use"
            : isOne         ? ", and nothing later quotes or repeats it"
                            : ", and nothing later quotes or repeats them";
        std::set<MessageId> linked;
        for (const auto &[tokens, id] : heaviest) {
            if (linked.insert(session.block(id).message).second)
                made.link(FindingLink::Target::Block, id.value());
        }
        const uint32_t from = firstUnused(ground, heaviest.front().second, last[heaviest.front().second.index()]);
        made.help = "clear old results; in this session, from call " + std::to_string(from) + " on";
        findings.push_back(std::move(made));
    }
}

} // namespace

const FindingKind kUnusedResends { "unused-resends", "texts that were sent again after their last use",
    "unused resend*", findUnusedResends, 5 };

} // namespace core
