// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"
#include "core/weight/text_twins.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

constexpr double kLeastRepeated = 20'000; ///< tokens × calls of the additional copies
constexpr uint64_t kSmallest = 1'000;     ///< bytes of a text

/// The calls that sent `copy` and at least one of the blocks whose spans are `others`.
void appendShared(std::vector<ContextSpan> &shared, const std::vector<ContextSpan> &copy,
    const std::vector<std::pair<uint32_t, uint32_t>> &others)
{
    for (const ContextSpan &span : copy) {
        uint32_t at = span.from;
        for (const auto &[from, to] : others) {
            const uint32_t begin = std::max(at, from);
            const uint32_t end = std::min(span.to, to);
            if (begin >= end)
                continue;
            shared.push_back({ span.block, begin, end });
            at = end;
        }
    }
}

/// Sorted and merged.
void add(std::vector<std::pair<uint32_t, uint32_t>> &calls, const std::vector<ContextSpan> &spans)
{
    for (const ContextSpan &span : spans)
        calls.emplace_back(span.from, span.to);
    std::ranges::sort(calls);
    std::vector<std::pair<uint32_t, uint32_t>> merged;
    for (const auto &each : calls) {
        if (!merged.empty() && each.first <= merged.back().second)
            merged.back().second = std::max(merged.back().second, each.second);
        else
            merged.push_back(each);
    }
    calls = std::move(merged);
}

void findRepeatedTexts(const FindingGround &ground, std::vector<Finding> &findings)
{
    const Session &session = ground.session();
    std::vector<BlockId> log;
    TextTwins twins(session);
    for (const BlockId id : ground.uses.log) {
        const Block &block = session.block(id);
        const bool isText = block.kind == BlockKind::Text || block.kind == BlockKind::ToolResult;
        if (!isText || block.lengths.bytes < kSmallest)
            continue;
        twins.ask(block);
        log.push_back(id);
    }
    twins.find(log);
    std::map<uint32_t, std::vector<BlockId>> copies;
    for (const BlockId id : log) {
        if (!twins.placesOf(id).empty())
            copies[twins.textOf(id)].push_back(id);
    }
    for (const auto &[text, blocks] : copies) {
        Finding made;
        std::vector<std::pair<uint32_t, uint32_t>> earlier;
        for (const BlockId id : blocks) {
            const std::vector<ContextSpan> sent = ground.sentSpans(id);
            appendShared(made.spans, sent, earlier);
            add(earlier, sent);
        }
        if (made.spans.empty())
            continue;
        ground.weigh(made);
        if (made.tokens->value < kLeastRepeated)
            continue;
        uint32_t calls = 0;
        std::vector<std::pair<uint32_t, uint32_t>> shared;
        add(shared, made.spans);
        for (const auto &[from, to] : shared)
            calls += to - from;
        made.rank = FindingRank::Costs;
        made.sureness = Sureness::Computed;
        made.what = counted(calls, "call") + " contained the same text from " + ground.nameOf(blocks.front())
            + " more than once";
        for (const BlockId id : blocks)
            made.link(FindingLink::Target::Block, id.value());
        made.where = groupedNumber(blocks.size()) + " copies";
        made.help = "keep one copy";
        findings.push_back(std::move(made));
    }
}

} // namespace

const FindingKind kRepeatedTexts { "repeated-texts", "texts that were in context twice or more", "text* sent twice",
    findRepeatedTexts, 5 };

} // namespace core
