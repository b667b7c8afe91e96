// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/doubtful_prompts.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr size_t kReturnsWithin = 3; ///< calls
constexpr double kSmallestFall = 2000;
constexpr double kBack = 0.7;      ///< share of the fall
constexpr double kExplained = 0.5; ///< of the fall: growth of the array that lengths do not weigh well enough
constexpr double kBytesPerToken = 3.45;
constexpr double kMediaTokens = 1500;

/// Rough tokens of arrays, as prefix sums over the pool.
class RoughSizes final {
public:
    explicit RoughSizes(const Session &session)
        : m_sums(session.blocks.size() + 1, 0.0)
    {
        for (size_t i = 0; i < session.blocks.size(); ++i)
            m_sums[i + 1] = m_sums[i] + sizeOf(session.blocks[i]);
    }

    [[nodiscard]] double of(const BlockRanges &array) const
    {
        double sum = 0;
        array.forEachRange([&](BlockRange range) { sum += m_sums[range.end] - m_sums[range.begin]; });
        return sum;
    }

private:
    static double sizeOf(const Block &block)
    {
        if (block.is(BlockFlag::Encrypted))
            return 0;
        if (block.kind == BlockKind::Image || block.body.coding == Coding::Base64)
            return kMediaTokens;
        return static_cast<double>(block.lengths.bytes) / kBytesPerToken;
    }

    std::vector<double> m_sums; ///< over the blocks before each one
};

struct Sent {
    Call *call = nullptr;
    double prompt = 0;
    double array = 0;
};

/// Growth of the recorded prompt minus growth of the array.
double excessOf(const Sent &before, const Sent &after)
{
    return (after.prompt - before.prompt) - (after.array - before.array);
}

/// How many of the calls from `at` on are in doubt; `at - 1` is the last one that is not.
size_t doubtfulFrom(const std::vector<Sent> &sent, size_t at)
{
    const Sent &before = sent[at - 1];
    const double fall = -excessOf(before, sent[at]);
    if (sent[at].call->model != before.call->model) // it counts the same texts differently
        return 0;
    if (before.prompt - sent[at].prompt < kSmallestFall || fall < kSmallestFall)
        return 0;
    for (size_t i = at + 1; i <= std::min(at + kReturnsWithin, sent.size() - 1); ++i) {
        const bool isBack = -excessOf(before, sent[i]) < (1 - kBack) * fall;
        if (isBack && std::abs(sent[i].array - before.array) < kExplained * fall)
            return i - at;
    }
    return 0;
}

void markDoubtful(std::vector<Sent> &sent)
{
    for (size_t i = 1; i < sent.size(); ++i) {
        for (size_t left = doubtfulFrom(sent, i); left > 0; --left)
            sent[i++].call->isDoubtful = true;
    }
    sent.clear();
}

/// Whether a recorded compaction wrote the array anew before this call.
bool beginsAnew(const Thread &thread, size_t call)
{
    return std::ranges::any_of(thread.compactions, [&](const RecordedCompaction &each) {
        return (each.kind == CompactionKind::Summary || each.kind == CompactionKind::Replacement) && each.call.isValid()
            && each.call.index() + 1 == call;
    });
}

} // namespace

void markDoubtfulPrompts(Session &session)
{
    std::optional<RoughSizes> sizes;
    for (Thread &thread : session.threads) {
        std::vector<Sent> sent;
        for (Call &call : thread.calls) {
            call.isDoubtful = false;
            if (beginsAnew(thread, static_cast<size_t>(&call - thread.calls.data())))
                markDoubtful(sent);
            if (!call.prompt())
                continue;
            if (!sizes)
                sizes.emplace(session);
            sent.push_back({ &call, *call.prompt(), sizes->of(call.input) });
        }
        markDoubtful(sent);
    }
}

} // namespace core
