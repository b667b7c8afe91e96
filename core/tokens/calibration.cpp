// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/calibration.h"

#include "core/tokens/array_weights.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

constexpr size_t kFewestGrowths = 19; ///< from 20 calls
constexpr double kBand = 0.9;
constexpr uint32_t kNoStretch = 0xffffffffU;

size_t recordedCalls(const Thread &thread)
{
    return static_cast<size_t>(
        std::ranges::count_if(thread.calls, [](const Call &call) { return call.prompt().has_value(); }));
}

/// A call without a model name used the session's model.
RatePrior priorIn(const Session &session, StringId model, const PriorOf &priorOf)
{
    const std::string_view name = session.string(model);
    return priorOf(name.empty() ? std::string_view(session.model) : name);
}

class Calibrator final {
public:
    Calibrator(const Session &session, const ExactTokens &counts, const PriorOf &priorOf)
        : m_session(session)
        , m_priorOf(priorOf)
        , m_amounts(session, counts)
    {
        for (size_t i = 0; i < session.threads.size(); ++i)
            m_growths.push_back(promptGrowths(session, ThreadIndex(i), m_amounts));
    }

    std::optional<Calibration> run()
    {
        fitModels();
        size_t fitted = 0;
        for (const auto &[model, rates] : m_models)
            fitted += rates.growths;
        if (fitted < kFewestGrowths)
            return std::nullopt;
        Calibration calibration;
        for (size_t i = 0; i < m_growths.size(); ++i)
            addStretches(calibration.stretches, ThreadIndex(i));
        const ThreadIndex measured = mostRecordedThread(m_session);
        calibration.error = fitFirstHalf(m_session, measured, m_growths[measured.index()], m_priorOf).band;
        calibration.tokens = table(calibration);
        return calibration;
    }

private:
    [[nodiscard]] StringId modelOf(ThreadIndex thread, const PromptGrowth &growth) const
    {
        return m_session.thread(thread).calls[growth.after.index()].model;
    }
    [[nodiscard]] RatePrior priorOf(StringId model) const { return priorIn(m_session, model, m_priorOf); }

    void fitModels()
    {
        std::unordered_map<StringId, std::vector<PromptGrowth>> growths;
        for (size_t i = 0; i < m_growths.size(); ++i) {
            for (const PromptGrowth &growth : m_growths[i])
                growths[modelOf(ThreadIndex(i), growth)].push_back(growth);
        }
        for (const auto &[model, ofModel] : growths)
            m_models.emplace(model, fitRates(ofModel, priorOf(model)));
    }

    [[nodiscard]] KindValues ratesOf(StringId model) const
    {
        const auto found = m_models.find(model);
        return found != m_models.end() ? found->second.rates : priorOf(model).rates;
    }

    void addStretches(std::vector<CalibratedStretch> &stretches, ThreadIndex thread) const
    {
        const std::span<const PromptGrowth> growths(m_growths[thread.index()]);
        for (size_t begin = 0; begin < growths.size();) {
            // A growth that starts anew leads to the first call of a stretch.
            size_t end = begin + 1;
            while (end < growths.size() && !growths[end].startsAnew)
                ++end;
            const PromptGrowth &first = growths[begin];
            const StringId model = modelOf(thread, first);
            stretches.push_back({ thread, first.startsAnew ? first.after : first.before, growths[end - 1].after, model,
                fitRates(growths.subspan(begin, end - begin), RatePrior::around(ratesOf(model))) });
            begin = end;
        }
    }

    /// By block: the stretch in which it entered.
    [[nodiscard]] std::vector<uint32_t> stretchesOf(const std::vector<CalibratedStretch> &stretches) const
    {
        std::vector<uint32_t> stretchOf(m_session.blocks.size(), kNoStretch);
        for (size_t i = 0; i < stretches.size(); ++i)
            markEntered(stretchOf, stretches[i], static_cast<uint32_t>(i));
        return stretchOf;
    }

    [[nodiscard]] BlockTokensPtr table(const Calibration &calibration) const
    {
        std::vector<KindValues> usual; // for blocks that no call with usage sent
        for (const Thread &thread : m_session.threads)
            usual.push_back(ratesOf(thread.calls.empty() ? StringId() : thread.calls.back().model));
        auto table = std::make_shared<BlockTokens>();
        table->basis = Basis::Calibrated;
        table->error = calibration.error;
        table->isCounted = true;
        table->tokens.reserve(m_session.blocks.size());
        const std::vector<uint32_t> stretchOf = stretchesOf(calibration.stretches);
        for (size_t i = 0; i < m_session.blocks.size(); ++i) {
            const BlockId id(i);
            const size_t thread = m_session.message(m_session.block(id).message).thread.index();
            const KindValues &rates
                = stretchOf[i] == kNoStretch ? usual[thread] : calibration.stretches[stretchOf[i]].fitted.rates;
            const auto weight
                = [&](TokenAmounts::Turn turn) { return static_cast<float>(tokensOf(m_amounts.of(id, turn), rates)); };
            table->tokens.push_back(weight(TokenAmounts::Turn::Open));
            if (m_session.block(id).kind == BlockKind::Thinking)
                table->thinking.push_back({ id, table->tokens.back(), weight(TokenAmounts::Turn::Past) });
        }
        weighAtEnd(m_session, *table);
        return table;
    }

    /// Assigns to a stretch the blocks that its calls sent or wrote first.
    void markEntered(std::vector<uint32_t> &stretchOf, const CalibratedStretch &stretch, uint32_t index) const
    {
        const auto mark = [&](BlockRange range) {
            // Arrays mostly repeat the one before: known blocks are at the front of their ranges.
            for (uint32_t end = range.end; end > range.begin && stretchOf[end - 1] == kNoStretch; --end)
                stretchOf[end - 1] = index;
        };
        const Thread &thread = m_session.thread(stretch.thread);
        for (size_t i = stretch.first.index(); i <= stretch.last.index(); ++i) {
            thread.calls[i].input.forEachRange(mark);
            mark(thread.calls[i].output);
        }
    }

    const Session &m_session;
    const PriorOf &m_priorOf;
    TokenAmounts m_amounts;
    std::vector<std::vector<PromptGrowth>> m_growths; ///< by thread
    std::unordered_map<StringId, FittedRates> m_models;
};

} // namespace

ThreadIndex mostRecordedThread(const Session &session)
{
    const auto most = std::ranges::max_element(session.threads, {}, recordedCalls);
    return ThreadIndex(static_cast<size_t>(most - session.threads.begin()));
}

FirstHalf fitFirstHalf(
    const Session &session, ThreadIndex thread, std::span<const PromptGrowth> growths, const PriorOf &priorOf)
{
    FirstHalf half;
    const size_t calls = growths.size() + 1;
    half.growths = std::max<size_t>(calls / 2, 1) - 1;
    if (half.growths == 0)
        return half;
    const auto first = growths.first(half.growths);
    const StringId model = session.thread(thread).calls[first.front().before.index()].model;
    half.fitted = fitRates(first, priorIn(session, model, priorOf));
    half.band = errorQuantile(predictPrompts(first, half.fitted.rates, Restart::WhereNotRecorded), kBand);
    return half;
}

std::optional<Calibration> calibrate(const Session &session, const ExactTokens &counts, const PriorOf &priorOf)
{
    return Calibrator(session, counts, priorOf).run();
}

} // namespace core
