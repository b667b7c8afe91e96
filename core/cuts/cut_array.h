// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/message_array.h"
#include "core/cuts/cut_tables.h"

#include <algorithm>

namespace core {

/// Describes an array without storing its blocks: by the log and, for each stage, its cut. A stage changes only
/// messages before its cut.
class CutArray final : public MessageArray {
public:
    explicit CutArray(const CutTables &tables)
        : m_tables(tables)
    {
    }

    void show(const CutStep &step)
    {
        m_step = &step;
        m_epoch = &m_tables.epochOf(step);
    }

    size_t begin = 0;                      ///< first message that was not evicted
    bool hasSummary = false;               ///< a summary replaces the messages before `begin`
    std::array<size_t, kMostCuts> cuts {}; ///< by stage: the stage changes messages before its cut

    [[nodiscard]] size_t end() const { return m_step->messages; }
    [[nodiscard]] size_t front() const { return hasSummary ? 1 : 0; }
    /// Converts an index into this array to the log's message.
    [[nodiscard]] size_t messageAt(size_t index) const { return begin + index - front(); }
    /// The place of a message's first block; the end for the message behind the last.
    [[nodiscard]] uint32_t placeOf(size_t message) const
    {
        return message >= m_step->messages ? m_step->places : m_epoch->messageFirst[message];
    }

    [[nodiscard]] size_t messageCount() const override { return end() - begin + front(); }

    [[nodiscard]] MessageFacts factsOf(size_t index) const override
    {
        if (hasSummary && index == 0)
            return m_tables.summaryFacts;
        const size_t message = messageAt(index);
        return message + 1 == end() ? tail() : m_epoch->sums[setAt(message)].facts[message];
    }

    [[nodiscard]] double tokensFrom(size_t index) const override
    {
        if (index >= messageCount())
            return 0;
        const bool isAll = hasSummary && index == 0;
        const size_t from = isAll ? begin : messageAt(index);
        if (!isAll && from >= std::ranges::max(cuts)) { // no stage changes messages from here on
            const std::vector<double> &sums = m_epoch->sums.front().tokens;
            return sums[end() - 1] - sums[from] + m_tables.tails[m_step->firstTail].tokens;
        }
        const double rest = from < end() ? sum<double>(&MessageSums::tokens, from, end() - 1) + tail().tokens : 0;
        return rest + (isAll ? m_tables.summaryFacts.tokens : 0);
    }

    [[nodiscard]] std::optional<size_t> lastWithTokens(double target, bool isEnough) const override
    {
        // The answer is nearly always in the unchanged part, where the prefix sums can be searched.
        const size_t from = std::max(begin, std::ranges::max(cuts));
        if (from < end()) {
            const std::vector<double> &sums = m_epoch->sums.front().tokens;
            const double all = sums[end() - 1];
            const double tail = m_tables.tails[m_step->firstTail].tokens;
            const auto reaches = [&](double before) {
                const double sum = all - before + tail;
                return isEnough ? sum >= target : sum > target;
            };
            const auto first = sums.begin() + static_cast<ptrdiff_t>(from);
            const auto last = sums.begin() + static_cast<ptrdiff_t>(end());
            const auto fewer = std::partition_point(first, last, reaches);
            if (fewer != first)
                return static_cast<size_t>(fewer - sums.begin()) - 1 - begin + front();
        }
        return MessageArray::lastWithTokens(target, isEnough);
    }

    /// The raw sum behind `totalTokens`.
    [[nodiscard]] double inTotal() const
    {
        const double front = hasSummary ? m_tables.summaryFacts.inTotal : 0;
        return begin < end() ? front + sum<double>(&MessageSums::inTotal, begin, end() - 1) + tail().inTotal : front;
    }

    [[nodiscard]] double totalTokens() const override
    {
        return MessageCounter::totalOf(m_tables.policy->counter, inTotal());
    }

    [[nodiscard]] size_t resultCount() const override
    {
        return begin < end() ? sum<uint32_t>(&MessageSums::results, begin, end() - 1) + tail().results : 0;
    }

    [[nodiscard]] size_t turnCount() const override
    {
        return begin < end() ? sum<uint32_t>(&MessageSums::turns, begin, end() - 1) + (tail().isTyped ? 1 : 0) : 0;
    }

    void forEachBlock(size_t index, const std::function<void(const Block &)> &visit) const override
    {
        if (hasSummary && index == 0)
            return visit(m_tables.session->block(m_tables.summaryBlock));
        const size_t message = messageAt(index);
        for (uint32_t place = placeOf(message); place < placeOf(message + 1); ++place) {
            if (const BlockId id = blockAt(place, message); id.isValid())
                visit(m_tables.session->block(id));
        }
    }

    /// The block at a place of a message; invalid if a stage removed it.
    [[nodiscard]] BlockId blockAt(uint32_t place, size_t message) const
    {
        const int8_t by = m_epoch->changedBy[place];
        return by >= 0 && message < cuts[static_cast<size_t>(by)] ? m_epoch->changed[place] : m_epoch->base[place];
    }

    /// The message after the first `count` results. Requires one result in each message.
    [[nodiscard]] size_t behindResults(size_t count) const
    {
        if (count == 0)
            return begin;
        const auto &results = m_epoch->sums.front().results;
        const auto wanted = results[begin] + static_cast<uint32_t>(count);
        const auto last = results.begin() + static_cast<ptrdiff_t>(end());
        const auto found = std::lower_bound(results.begin() + static_cast<ptrdiff_t>(begin), last, wanted);
        return static_cast<size_t>(found - results.begin());
    }

private:
    /// The stages that change a message, as bits.
    [[nodiscard]] size_t setAt(size_t message) const
    {
        size_t set = 0;
        for (size_t k = 0; k < m_tables.stages.size(); ++k)
            set |= static_cast<size_t>(cuts[k] > message) << k;
        return set;
    }

    /// The last message, which may still grow.
    [[nodiscard]] const MessageFacts &tail() const { return m_tables.tails[m_step->firstTail + setAt(end() - 1)]; }

    /// Sums a member over messages, each as changed by its stages.
    template <typename T>
    [[nodiscard]] T sum(const std::vector<T> MessageSums::*member, size_t from, size_t to) const
    {
        T total = 0;
        while (from < to) {
            size_t next = to;
            for (size_t k = 0; k < m_tables.stages.size(); ++k) {
                if (cuts[k] > from)
                    next = std::min(next, cuts[k]);
            }
            const std::vector<T> &sums = m_epoch->sums[setAt(from)].*member;
            total += sums[next] - sums[from];
            from = next;
        }
        return total;
    }

    const CutTables &m_tables;
    const CutStep *m_step = nullptr;
    const CutEpoch *m_epoch = nullptr;
};

} // namespace core
