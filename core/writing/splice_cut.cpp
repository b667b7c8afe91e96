// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/splice_cut.h"

#include "core/base/counted.h"
#include "core/writing/splice_writer.h"

#include <algorithm>

namespace core {

namespace {

bool isInFile(const Block &block) { return block.body.source == kFile && block.recordSize > 0; }

/// By block: existed when the call was made, or belongs to no array.
class Kept final {
public:
    explicit Kept(const Session &session)
        : m_is(session.blocks.size(), false)
    {
    }

    void add(BlockRange range) { std::fill(m_is.begin() + range.begin, m_is.begin() + range.end, true); }
    void add(const BlockRanges &ranges)
    {
        ranges.forEachRange([&](BlockRange range) { add(range); });
    }

    [[nodiscard]] bool operator[](size_t block) const { return m_is[block]; }

private:
    std::vector<bool> m_is;
};

Kept keptAt(const Session &session, Position position)
{
    Kept kept(session);
    const Thread &thread = session.thread(position.thread);
    for (size_t i = 0; i <= position.call.index(); ++i) {
        kept.add(thread.calls[i].input);
        if (i < position.call.index())
            kept.add(thread.calls[i].output);
    }
    for (const Thread &each : session.threads) {
        if (each.prelude)
            kept.add(*each.prelude);
        for (const Call &call : each.calls) {
            if (call.prelude)
                kept.add(*call.prelude);
        }
    }
    return kept;
}

} // namespace

std::vector<uint64_t> cutPlaces(const Session &session, Position position)
{
    std::vector<uint64_t> places;
    const Call &call = session.thread(position.thread).calls[position.call.index()];
    std::optional<uint64_t> response;
    for (uint32_t i = call.output.begin; i < call.output.end; ++i) {
        const Block &block = session.blocks[i];
        if (isInFile(block))
            response = std::min(response.value_or(block.recordOffset), block.recordOffset);
    }
    if (response)
        places.push_back(*response);
    std::optional<uint64_t> behind;
    call.input.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        if (isInFile(block))
            behind = std::max(behind.value_or(0), block.recordOffset + block.recordSize);
    });
    if (behind && behind != response)
        places.push_back(*behind);
    return places;
}

SpliceCut cutAt(const Session &session, Position position, uint64_t from)
{
    SpliceCut cut;
    cut.from = from;
    const Kept kept = keptAt(session, position);
    std::vector<bool> leaves(session.blocks.size(), false);
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        const Block &block = session.blocks[i];
        leaves[i] = !kept[i] && isInFile(block) && block.recordOffset >= from
            && session.message(block.message).thread == position.thread;
    }
    // Repeat for subagents of subagents until nothing changes.
    std::vector<bool> isGone(session.threads.size(), false);
    for (bool hasMore = true; hasMore;) {
        hasMore = false;
        for (size_t i = 0; i < session.threads.size(); ++i) {
            const BlockId parent = session.threads[i].parentCall;
            if (isGone[i] || ThreadIndex(i) == position.thread || !parent.isValid() || !leaves[parent.index()])
                continue;
            isGone[i] = true;
            hasMore = true;
            cut.threads.emplace_back(i);
            for (size_t k = 0; k < session.blocks.size(); ++k) {
                if (session.message(session.blocks[k].message).thread == ThreadIndex(i))
                    leaves[k] = true;
            }
        }
    }
    std::ranges::sort(cut.threads);
    for (size_t i = 0; i < session.messages.size(); ++i) {
        const Message &message = session.messages[i];
        uint32_t leaving = 0;
        for (uint32_t k = 0; k < message.count; ++k)
            leaving += leaves[message.first.index() + k] ? 1 : 0;
        if (leaving == 0)
            continue;
        if (leaving == message.count) {
            cut.messages.emplace_back(i);
            continue;
        }
        for (uint32_t k = 0; k < message.count; ++k) {
            if (leaves[message.first.index() + k])
                cut.blocks.emplace_back(message.first.index() + k);
        }
    }
    if (!cut.threads.empty()) {
        const size_t count = cut.threads.size();
        cut.notes.push_back(counted(count, "subagent")
            + (count == 1 ? " was left out: a later call started it." : " were left out: later calls started them."));
    }
    return cut;
}

} // namespace core
