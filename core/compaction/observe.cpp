// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/observe.h"

#include "core/compaction/texts.h"
#include "core/compaction/validity.h"
#include "core/diff/word_diff.h"
#include "core/json/json_probe.h"
#include "core/session/spilled_output.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace core {

namespace {

constexpr size_t kNone = SIZE_MAX;
/// Texts with this many equal bytes at the beginning or end may be one text that was changed.
constexpr size_t kTelling = 24;
/// Texts of so many bytes are not equal by chance, as placeholders are.
constexpr uint64_t kUnlikely = 200;

/// Whether block ids of both sessions mean the same blocks as far as those are recorded: it is one session, or
/// compactions made them of one.
bool sharesPool(const Session &a, const Session &b)
{
    return &a == &b
        || (!a.sources.empty() && !b.sources.empty() && a.sources.front() == b.sources.front() && a.traits == b.traits);
}

/// Of sessions that share a pool: whether a block that has one id in both is one block. Two compactions give the same
/// ids to what they make; its text lies in an arena of each.
bool isSameBlock(const Session &a, const Session &b, BlockId id)
{
    const Body &one = a.block(id).body;
    const Body &other = b.block(id).body;
    if (&a == &b)
        return true;
    if (one.source != other.source || one.offset != other.offset || one.size != other.size)
        return false;
    return !one.source.isValid() || a.sources[one.source.index()] == b.sources[other.source.index()];
}

/// Whether at least half of the letters and digits of `text` are in words that `old` has too, in the same order.
bool keepsWordsOf(WordDiffer &words, std::string_view old, std::string_view text)
{
    std::vector<ByteSpan> oldSpans;
    std::vector<ByteSpan> newSpans;
    words.compare(old, 0, oldSpans, text, 0, newSpans);
    const auto letters = [&](size_t begin, size_t end) {
        return std::ranges::count_if(text.substr(begin, end - begin), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
        });
    };
    auto added = std::ptrdiff_t(0);
    for (const ByteSpan &span : newSpans)
        added += letters(span.begin, span.end);
    return added * 2 <= letters(0, text.size());
}

class Observation final {
public:
    /// What records behind the line `lastLine` hold was written later: no earlier text became it.
    Observation(const Transcript &before, const Transcript &after, uint64_t lastLine)
        : m_before(before)
        , m_after(after)
        , m_lastLine(lastLine)
        , m_partner(after.blocks().size(), kNone)
        , m_isTaken(before.blocks().size(), false)
    {
    }

    void run(Compaction &compaction)
    {
        alignIdentical();
        // First what can be meant in one way only: it tells where the rest belongs.
        alignEqual(kUnlikely, Ids::Count, Copies::AsMany);
        alignEqual(kUnlikely, Ids::Ignored, Copies::AsMany);
        alignCalls(Copies::AsMany);
        alignEqual(0, Ids::Ignored, Copies::AsMany);
        alignCalls(Copies::Any);
        alignEqual(kUnlikely, Ids::Count, Copies::Any);
        alignEqual(kUnlikely, Ids::Ignored, Copies::Any);
        alignEqual(0, Ids::Ignored, Copies::Any);
        alignAlike();
        alignPointers();
        alignGaps();
        for (size_t i = 0; i < m_partner.size(); ++i)
            compaction.origins.push_back(m_partner[i] == kNone ? BlockId() : m_before.blocks()[m_partner[i]]);
        describe(compaction);
    }

private:
    [[nodiscard]] const Block &before(size_t i) const { return m_before.block(m_before.blocks()[i]); }
    [[nodiscard]] const Block &after(size_t i) const { return m_after.block(m_after.blocks()[i]); }
    [[nodiscard]] std::string textBefore(size_t i) const { return m_before.session()->text(before(i).body); }
    [[nodiscard]] std::string textAfter(size_t i) const { return m_after.session()->text(after(i).body); }

    void pair(size_t beforeIndex, size_t afterIndex)
    {
        m_partner[afterIndex] = beforeIndex;
        m_isTaken[beforeIndex] = true;
    }

    void alignIdentical()
    {
        if (!sharesPool(*m_before.session(), *m_after.session()))
            return;
        std::unordered_map<BlockId, size_t> places;
        for (size_t i = 0; i < m_before.blocks().size(); ++i)
            places.try_emplace(m_before.blocks()[i], i);
        for (size_t i = 0; i < m_after.blocks().size(); ++i) {
            const auto place = places.find(m_after.blocks()[i]);
            const bool isThere = place != places.end() && !m_isTaken[place->second];
            if (isThere && isSameBlock(*m_before.session(), *m_after.session(), m_after.blocks()[i]))
                pair(place->second, i);
        }
    }

    /// Whether the ids of calls are part of what is equal.
    enum class Ids : uint8_t { Count, Ignored };

    static Hash keyOf(const Session &session, const Block &block, Ids ids)
    {
        const Hash kind { static_cast<uint64_t>(block.kind), block.body.lengths.codePoints };
        const Hash key = combine(combine(kind, hashOf(session.string(block.name))), hashOf(session.text(block.body)));
        return ids == Ids::Count ? combine(key, hashOf(session.string(block.callId))) : key;
    }

    /// Equal texts of which side holds how many. Of those that one side holds more often, only the neighbours tell
    /// which is which.
    enum class Copies : uint8_t { AsMany, Any };

    [[nodiscard]] bool mayBeEqual(size_t i, uint64_t least) const
    {
        return m_partner[i] == kNone && after(i).body.lengths.bytes >= least && !isWrittenLater(i);
    }

    /// Equal texts of `least` bytes or more. As many on both sides keep their order; of others each goes to the free
    /// one nearest to where its aligned neighbours would have it, and where there is none between these, to the first.
    void alignEqual(uint64_t least, Ids ids, Copies copies)
    {
        // Only lengths that both sides hold are worth reading.
        std::unordered_map<uint64_t, size_t> lengths;
        for (size_t i = 0; i < m_after.blocks().size(); ++i) {
            if (mayBeEqual(i, least))
                ++lengths[after(i).body.lengths.bytes];
        }
        std::unordered_map<Hash, std::set<size_t>> free;
        for (size_t i = 0; i < m_before.blocks().size(); ++i) {
            if (!m_isTaken[i] && lengths.contains(before(i).body.lengths.bytes))
                free[keyOf(*m_before.session(), before(i), ids)].insert(i);
        }
        std::vector<std::pair<size_t, Hash>> wanted;
        std::unordered_map<Hash, size_t> counts;
        for (size_t i = 0; i < m_after.blocks().size() && !free.empty(); ++i) {
            if (!mayBeEqual(i, least))
                continue;
            wanted.emplace_back(i, keyOf(*m_after.session(), after(i), ids));
            ++counts[wanted.back().second];
        }
        pairEqual(copies, wanted, free, counts);
    }

    /// Pairs the blocks of the `after` array in `wanted` with places that are `free` under the same key. `counts` are
    /// the numbers of `wanted` by key.
    template <typename Key>
    void pairEqual(Copies copies, const std::vector<std::pair<size_t, Key>> &wanted,
        std::unordered_map<Key, std::set<size_t>> &free, std::unordered_map<Key, size_t> &counts)
    {
        Neighbours neighbours(*this);
        for (const auto &[i, key] : wanted) {
            const auto found = free.find(key);
            if (found == free.end() || found->second.empty())
                continue;
            std::set<size_t> &places = found->second;
            if (copies == Copies::AsMany && places.size() != counts[key])
                continue;
            const size_t place = copies == Copies::AsMany ? *places.begin() : neighbours.nearest(i, places);
            pair(place, i);
            places.erase(place);
            if (copies == Copies::AsMany)
                --counts[key];
        }
    }

    /// What is aligned on both sides of each block of the `after` array.
    class Neighbours final {
    public:
        explicit Neighbours(const Observation &observation)
            : m_partner(observation.m_partner)
            , m_behind(m_partner.size(), kNone)
        {
            for (size_t i = m_partner.size(); i-- > 1;)
                m_behind[i - 1] = m_partner[i] != kNone ? i : m_behind[i];
        }

        /// Of free places, not none, the one where block `i` of the `after` array would stand. Asked for one block
        /// after the other.
        [[nodiscard]] size_t nearest(size_t i, const std::set<size_t> &places)
        {
            for (; m_seen < i; ++m_seen) {
                if (m_partner[m_seen] != kNone)
                    m_front = m_seen + 1;
            }
            const size_t low = m_front > 0 ? m_partner[m_front - 1] + 1 : 0;
            const size_t behind = m_behind[i];
            const size_t high = behind != kNone ? m_partner[behind] : kNone;
            size_t best = kNone;
            size_t least = kNone;
            const auto look = [&](size_t expected) {
                const auto next = places.lower_bound(expected);
                if (next != places.end() && *next >= low && *next < high && *next - expected < least) {
                    best = *next;
                    least = *next - expected;
                }
                if (next == places.begin())
                    return;
                const size_t place = *std::prev(next);
                if (place >= low && place < high && expected - place < least) {
                    best = place;
                    least = expected - place;
                }
            };
            look(low + (i - m_front));
            if (high != kNone && high >= low + (behind - i))
                look(high - (behind - i));
            return best != kNone ? best : *places.begin();
        }

    private:
        const std::vector<size_t> &m_partner; ///< grows while one is looked for
        std::vector<size_t> m_behind;         ///< the next that was aligned
        size_t m_seen = 0;
        size_t m_front = 0; ///< behind the last one aligned of those seen
    };

    /// What is left of a tool's traffic is known by the id of the call. Some programs use one id for several calls:
    /// then the neighbours tell which is which.
    void alignCalls(Copies copies)
    {
        const auto keyIn = [](const Session &session, const Block &block) {
            return std::string(1, static_cast<char>('0' + static_cast<int>(block.kind)))
                + std::string(session.string(block.callId));
        };
        std::unordered_map<std::string, std::set<size_t>> free;
        for (size_t i = 0; i < m_before.blocks().size(); ++i) {
            if (!m_isTaken[i] && before(i).callId.isValid())
                free[keyIn(*m_before.session(), before(i))].insert(i);
        }
        std::vector<std::pair<size_t, std::string>> wanted;
        std::unordered_map<std::string, size_t> counts;
        for (size_t i = 0; i < m_after.blocks().size(); ++i) {
            if (m_partner[i] != kNone || !after(i).callId.isValid() || isWrittenLater(i))
                continue;
            wanted.emplace_back(i, keyIn(*m_after.session(), after(i)));
            ++counts[wanted.back().second];
        }
        pairEqual(copies, wanted, free, counts);
    }

    [[nodiscard]] bool isWrittenLater(size_t i) const { return after(i).recordLine > m_lastLine; }

    /// A new summary is not what became of a message; an old one may have been changed.
    static bool isSummary(const Block &block) { return block.is(BlockFlag::Summary) && !block.callId.isValid(); }

    /// Between aligned neighbours: texts that begin or end alike.
    void alignAlike()
    {
        size_t low = 0; // first block before that may still be meant
        for (size_t i = 0; i < m_after.blocks().size(); ++i) {
            if (m_partner[i] != kNone) {
                low = std::max(low, m_partner[i] + 1);
                continue;
            }
            size_t high = m_before.blocks().size();
            for (size_t next = i + 1; next < m_after.blocks().size(); ++next) {
                if (m_partner[next] != kNone && m_partner[next] >= low) {
                    high = m_partner[next];
                    break;
                }
            }
            if (isWrittenLater(i))
                continue;
            const std::string text = textAfter(i);
            for (size_t k = low; k < high; ++k) {
                if (!m_isTaken[k] && isSummary(before(k)) == isSummary(after(i))
                    && isChanged(before(k), k, after(i), text)) {
                    pair(k, i);
                    low = k + 1;
                    break;
                }
            }
        }
    }

    /// A text that says where the whole can be had stands for one that is missing: what is evicted goes from the front,
    /// so of several it is the last.
    void alignPointers()
    {
        size_t high = m_before.blocks().size();
        for (size_t i = m_after.blocks().size(); i-- > 0;) {
            if (m_partner[i] != kNone) {
                high = std::min(high, m_partner[i]);
                continue;
            }
            if (isSummary(after(i)) || isWrittenLater(i) || !pointsElsewhere(textAfter(i)))
                continue;
            size_t low = 0;
            for (size_t front = i; front-- > 0 && low == 0;)
                low = m_partner[front] != kNone ? m_partner[front] + 1 : 0;
            for (size_t k = high; k-- > low;) {
                if (m_isTaken[k] || !isSameKind(k, i))
                    continue;
                pair(k, i);
                high = k;
                break;
            }
        }
    }

    [[nodiscard]] bool isSameKind(size_t was, size_t is) const
    {
        return before(was).kind == after(is).kind && isSummary(before(was)) == isSummary(after(is))
            && m_before.session()->message(before(was).message).role
            == m_after.session()->message(after(is).message).role;
    }

    /// Where as many blocks of the same kinds are missing between aligned neighbours as are new there, they were
    /// changed beyond recognition: a clip to a few characters, a placeholder for a text without an id.
    void alignGaps()
    {
        const auto blocksAfter = m_after.blocks().size();
        size_t low = 0;
        for (size_t i = 0; i < blocksAfter;) {
            if (m_partner[i] != kNone) {
                low = m_partner[i] + 1;
                ++i;
                continue;
            }
            size_t end = i;
            while (end < blocksAfter && m_partner[end] == kNone)
                ++end;
            const size_t high = end < blocksAfter ? m_partner[end] : m_before.blocks().size();
            std::vector<size_t> missing;
            for (size_t k = low; k < high; ++k) {
                if (!m_isTaken[k])
                    missing.push_back(k);
            }
            bool isOneToOne = missing.size() == end - i;
            for (size_t k = 0; k < missing.size() && isOneToOne; ++k)
                isOneToOne = isSameKind(missing[k], i + k) && !isWrittenLater(i + k);
            for (size_t k = 0; k < missing.size() && isOneToOne; ++k)
                pair(missing[k], i + k);
            i = end;
        }
    }

    [[nodiscard]] bool isChanged(const Block &was, size_t index, const Block &is, std::string_view text) const
    {
        const bool becameText
            = is.kind == BlockKind::Text && (was.kind == BlockKind::Image || was.kind == BlockKind::Document);
        if (becameText)
            return text.size() < 200;
        if (was.kind != is.kind || text.empty())
            return false;
        const std::string old = m_before.session()->textHead(was.body, 4096);
        const size_t shorter = std::min(old.size(), text.size());
        const auto [a, b] = std::ranges::mismatch(old, text);
        const auto common = static_cast<size_t>(a - old.begin());
        const bool isMostlyCommon = shorter > 0 && common * 2 >= shorter;
        if (isSummary(is)) // each new one opens with the same phrases: changed is one that was clipped
            return isMostlyCommon && is.body.lengths.bytes <= was.body.lengths.bytes;
        if (isMostlyCommon)
            return true;
        const std::string whole = old.size() < 4096 ? old : textBefore(index);
        if (common >= kTelling)
            return keepsWordsOf(m_words, whole, text);
        size_t end = 0;
        while (
            end < std::min(whole.size(), text.size()) && whole[whole.size() - 1 - end] == text[text.size() - 1 - end])
            ++end;
        return end >= kTelling && keepsWordsOf(m_words, whole, text);
    }

    [[nodiscard]] Fate fateOf(const Block &was, const Block &is, std::string_view text) const
    {
        if (is.is(BlockFlag::Stub))
            return Fate::Cleared;
        if (pointsElsewhere(text))
            return Fate::Offloaded;
        const std::string head = m_before.session()->textHead(was.body, kTelling);
        const bool beginsAlike
            = !head.empty() && text.starts_with(std::string_view(head).substr(0, std::min(head.size(), text.size())));
        const Fate shortened = shortenedTo(was.body.lengths, is.body.lengths);
        return beginsAlike || shortened == Fate::Replaced ? shortened : Fate::Cleared;
    }

    /// Members of the arguments that differ, as rewrites of their own.
    bool describeArguments(Rewrite common, size_t was, size_t is, Compaction &compaction) const
    {
        const std::string oldText = textBefore(was);
        const std::string newText = textAfter(is);
        const JsonMembers oldMembers(oldText);
        const JsonMembers newMembers(newText);
        if (!oldMembers.isWhole() || !newMembers.isWhole() || newMembers.all().empty())
            return false;
        bool found = false;
        for (const JsonMembers::Member &member : oldMembers.all()) {
            const std::string_view now = newMembers.raw(member.key);
            if (now == member.value)
                continue;
            common.pointer = "/" + std::string(member.key);
            common.before = isJsonString(member.value) ? jsonStringLengths(jsonString(member.value))
                                                       : jsonValueLengths(member.value);
            common.after = now.empty() ? TextLengths {}
                : isJsonString(now)    ? jsonStringLengths(jsonString(now))
                                       : jsonValueLengths(now);
            common.fate = now.empty() ? Fate::Dropped : shortenedTo(common.before, common.after);
            compaction.rewrites.push_back(common);
            found = true;
        }
        return found;
    }

    void describe(Compaction &compaction) const
    {
        BlockId summary;
        for (size_t i = 0; i < m_partner.size(); ++i) {
            if (m_partner[i] == kNone && after(i).is(BlockFlag::Summary) && !summary.isValid())
                summary = m_after.blocks()[i];
        }
        std::unordered_map<size_t, size_t> afterOf;
        for (size_t i = 0; i < m_partner.size(); ++i) {
            if (m_partner[i] != kNone)
                afterOf[m_partner[i]] = i;
        }
        for (size_t i = 0; i < m_before.blocks().size(); ++i) {
            Rewrite rewrite;
            rewrite.block = m_before.blocks()[i];
            rewrite.before = before(i).body.lengths;
            const auto found = afterOf.find(i);
            if (found == afterOf.end()) {
                rewrite.fate = summary.isValid() ? Fate::Summarised : Fate::Dropped;
                rewrite.made = summary;
                rewrite.before = before(i).lengths;
                rewrite.why = summary.isValid() ? "replaced by the summary" : "not in the new array";
                compaction.rewrites.push_back(std::move(rewrite));
                continue;
            }
            const BlockId same = m_before.blocks()[i];
            if (same == m_after.blocks()[found->second] && sharesPool(*m_before.session(), *m_after.session())
                && isSameBlock(*m_before.session(), *m_after.session(), same))
                continue;
            const std::string text = textAfter(found->second);
            if (before(i).kind == after(found->second).kind && text == textBefore(i))
                continue;
            rewrite.made = m_after.blocks()[found->second];
            rewrite.after = after(found->second).body.lengths;
            rewrite.why = "observed";
            if (before(i).kind == BlockKind::ToolCall && describeArguments(rewrite, i, found->second, compaction))
                continue;
            rewrite.fate = fateOf(before(i), after(found->second), text);
            compaction.rewrites.push_back(std::move(rewrite));
        }
        for (size_t i = 0; i < m_partner.size(); ++i) {
            if (m_partner[i] != kNone)
                continue;
            Rewrite rewrite;
            rewrite.fate = Fate::Added;
            rewrite.made = m_after.blocks()[i];
            rewrite.after = after(i).lengths;
            rewrite.why = after(i).is(BlockFlag::Summary) ? "the summary" : "not in the old array";
            compaction.rewrites.push_back(std::move(rewrite));
        }
    }

    const Transcript &m_before;
    const Transcript &m_after;
    uint64_t m_lastLine;
    mutable WordDiffer m_words;    ///< one budget for all comparisons
    std::vector<size_t> m_partner; ///< by block of the `after` array: its place in the `before` array
    std::vector<bool> m_isTaken;   ///< by block of the `before` array
};

Compaction observed(
    const Transcript &before, const Transcript &after, const BlockTokensPtr &afterTokens, uint64_t lastLine)
{
    Compaction compaction;
    compaction.before = before;
    compaction.after = after;
    compaction.afterTokens = afterTokens;
    if (!before.session() || !after.session())
        return compaction;
    Observation(before, after, lastLine).run(compaction);
    settleFates(compaction);
    compaction.cutoff = SlotIndex(before.slotCount());
    for (size_t i = before.slotCount(); i > 0 && compaction.fates[i - 1] == Fate::Kept; --i)
        compaction.cutoff = SlotIndex(i - 1);
    compaction.hasFired = !compaction.rewrites.empty();
    compaction.verdict = "observed";
    compaction.validity = newViolations(compaction);
    return compaction;
}

} // namespace

Compaction observe(const Transcript &before, const Transcript &after, const BlockTokensPtr &afterTokens)
{
    return observed(before, after, afterTokens, UINT64_MAX);
}

RecordedSizes recordedSizes(const Session &session, ThreadIndex thread, size_t number, const ArraySums &sums)
{
    const Thread &owner = session.thread(thread);
    const RecordedCompaction &compaction = owner.compactions[number];
    RecordedSizes sizes;
    sizes.compaction = &compaction;
    const bool hasUsage = std::ranges::any_of(owner.calls, [](const Call &call) { return call.usage.has_value(); });
    if (compaction.call.isValid() && hasUsage)
        sizes.sumBefore = sums.at({ thread, compaction.call });
    const bool putsNothingBack
        = compaction.kind == CompactionKind::Clearing || compaction.kind == CompactionKind::Rollback;
    if (putsNothingBack) {
        sizes.sumAfter = sizes.sumBefore;
        return sizes;
    }
    const size_t next = compaction.call.isValid() ? compaction.call.index() + 1 : 0;
    const bool isLast = number + 1 == owner.compactions.size() || owner.compactions[number + 1].call != compaction.call;
    if (isLast && next < owner.calls.size() && owner.calls[next].usage)
        sizes.sumAfter = sums.at({ thread, CallIndex(next) });
    sizes.isAfterSent = sizes.sumAfter && owner.calls[next].input == compaction.after;
    return sizes;
}

Compaction observeRecorded(const SessionPtr &session, ThreadIndex thread, size_t number, const BlockTokensPtr &tokens)
{
    const RecordedCompaction &recorded = session->thread(thread).compactions[number];
    const uint64_t lastLine = session->traits->splice.isEventLog ? recorded.line : UINT64_MAX;
    return observed(Transcript(session, recorded.before), Transcript(session, recorded.after), tokens, lastLine);
}

} // namespace core
