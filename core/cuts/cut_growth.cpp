// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cuts/cut_growth.h"

#include "core/cuts/cut_tables.h"

namespace core {

namespace {

std::vector<uint32_t> grownUntil(const CutTables &tables)
{
    const auto count = static_cast<uint32_t>(tables.steps.size());
    const ReplayGround &ground = *tables.ground;
    std::vector<uint32_t> until(count, count);
    // At the end of a turn thinking loses weight, in the array or not.
    const auto turnOf = [&](const CutStep &step) { return tables.epochOf(step).places.lastUserText(step.places); };
    for (uint32_t i = count; i-- > 0;) {
        if (i + 1 == count)
            continue;
        const CutStep &next = tables.steps[i + 1];
        // The recorded and the counterfactual part have separate sums; the step behind the last call belongs to
        // neither.
        const bool isOther = next.epoch != tables.steps[i].epoch || next.kept < tables.steps[i].places
            || i + 1 == ground.log.firstCounterfactual || i + 1 == ground.callCount()
            || ground.unsentOf[i + 1] != ground.unsentOf[i] || turnOf(next) != turnOf(tables.steps[i]);
        until[i] = isOther ? i + 1 : until[i + 1];
    }
    return until;
}

/// An array without messages, to evaluate a trigger without measures of messages.
class NoMessages final : public MessageArray {
public:
    [[nodiscard]] size_t messageCount() const override { return 0; }
    [[nodiscard]] MessageFacts factsOf(size_t) const override { return {}; }
    [[nodiscard]] double tokensFrom(size_t) const override { return 0; }
    [[nodiscard]] double totalTokens() const override { return 0; }
    [[nodiscard]] size_t resultCount() const override { return 0; }
    [[nodiscard]] size_t turnCount() const override { return 0; }
    void forEachBlock(size_t, const std::function<void(const Block &)> &) const override { }
};

} // namespace

CutGrowth cutGrowth(const CutTables &tables)
{
    const ReplayGround &ground = *tables.ground;
    CutGrowth growth;
    growth.grownUntil = grownUntil(tables);
    growth.promptSums.push_back(0);
    std::vector<double> least;
    std::vector<double> inTotal;
    std::vector<double> messages;
    std::vector<double> results;
    std::vector<double> turns;
    std::vector<double> known;
    for (size_t i = 0; i < tables.steps.size(); ++i) {
        const CutStep &step = tables.steps[i];
        const CutEpoch &epoch = tables.epochOf(step);
        const double prompt = epoch.tokens[step.places] + ground.besides[i];
        known.push_back(i > 0 ? growth.prompts.back() + tables.known->beside(i) : 0);
        growth.prompts.push_back(prompt);
        growth.promptSums.push_back(growth.promptSums.back() + prompt);
        growth.blocks.push_back(epoch.counts[step.places]);
        least.push_back(-prompt);
        const MessageSums &sums = epoch.sums.front();
        const MessageFacts &tail = tables.tails[step.firstTail];
        const size_t whole = std::max<size_t>(step.messages, 1) - 1;
        inTotal.push_back(sums.inTotal[whole] + tail.inTotal + countedBeside(ground, *tables.policy, i));
        messages.push_back(step.messages);
        results.push_back(sums.results[whole] + tail.results);
        turns.push_back(sums.turns[whole] + (tail.isTyped ? 1 : 0));
    }
    growth.most = RangeMaxima(growth.prompts);
    growth.least = RangeMaxima(std::move(least));
    growth.inTotal = RangeMaxima(std::move(inTotal));
    growth.messages = RangeMaxima(std::move(messages));
    growth.results = RangeMaxima(std::move(results));
    growth.turns = RangeMaxima(std::move(turns));
    growth.known = RangeMaxima(std::move(known));
    return growth;
}

GrowthWatch::GrowthWatch(const Trigger &trigger, const Policy &policy, double windowTokens)
    : m_joining(trigger.joining)
    , m_counter(policy.counter)
{
    for (const TriggerReading &reading : verdictOf(trigger, NoMessages(), policy, windowTokens, 0).readings) {
        Part part { reading.unit, {}, trigger.comparator };
        if (reading.hasThreshold)
            part.threshold = reading.threshold;
        m_parts.push_back(part);
    }
}

bool GrowthWatch::looksAtTokens() const
{
    return std::ranges::all_of(m_parts, [](const Part &part) {
        return part.unit == Measure::Unit::Tokens || part.unit == Measure::Unit::WindowFraction;
    });
}

size_t GrowthWatch::firstReached(
    const Part &part, const CutGrowth &growth, const GrowthOffsets &offsets, size_t from) const
{
    const auto firstOf = [&](const RangeMaxima &values, double offset) {
        return values.first(from, [&](double value) { return part.accepts(offset + value); });
    };
    switch (part.unit) {
    case Measure::Unit::Messages:
        return firstOf(growth.messages, offsets.messages);
    case Measure::Unit::Results:
        return firstOf(growth.results, offsets.results);
    case Measure::Unit::Turns:
        return firstOf(growth.turns, offsets.turns);
    case Measure::Unit::WindowFraction:
    case Measure::Unit::Tokens:
        break;
    }
    const auto byArray = [&](double value) {
        return part.accepts(
            std::max(0.0, MessageCounter::totalOf(m_counter, offsets.inTotal + value) - offsets.unsent));
    };
    const auto byUsage = [&](double value) { return part.accepts(KnownUsage::of(offsets.prompt + value)); };
    switch (m_counter.usage) {
    case Counter::Usage::None:
        return growth.inTotal.first(from, byArray);
    case Counter::Usage::Beside:
        return growth.inTotal.firstOfEither(from, byArray, growth.known, byUsage);
    case Counter::Usage::WithLater:
    case Counter::Usage::WithoutWrites:
    case Counter::Usage::Call:
    case Counter::Usage::Prompt:
        break;
    }
    return growth.known.first(from, byUsage); // the first step is never looked for
}

size_t GrowthWatch::firstReached(const CutGrowth &growth, const GrowthOffsets &offsets, size_t from, size_t end) const
{
    if (m_parts.empty())
        return from; // it always fires
    if (m_joining == Trigger::Joining::Any) {
        for (const Part &part : m_parts)
            end = std::min(end, firstReached(part, growth, offsets, from));
        return end;
    }
    for (size_t agreed = 0; agreed < m_parts.size() && from < end;) {
        agreed = 0;
        for (const Part &part : m_parts) {
            const size_t next = firstReached(part, growth, offsets, from);
            agreed += next == from ? 1 : 0;
            from = next;
        }
    }
    return std::min(from, end);
}

} // namespace core
