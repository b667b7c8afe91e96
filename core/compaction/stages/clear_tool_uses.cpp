// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/live_stage.h"
#include "core/compaction/stages/kinds.h"
#include "core/tokens/estimate.h"

#include <algorithm>
#include <unordered_map>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

/// The call's arguments are already `{}`, so clearing them changes nothing.
bool hasNoArguments(const Block &call) { return call.body.lengths.codePoints <= 2; }

void applyClearToolUses(StageRun &run)
{
    Draft &draft = run.draft();
    struct Result {
        size_t element = 0;
        std::optional<size_t> call; ///< the nearest earlier call with its id, as ids may repeat
    };
    std::unordered_map<StringId, size_t> calls;
    std::vector<Result> results;
    for (size_t i = 0; i < draft.elements().size(); ++i) {
        const Block &block = draft.blockOf(i);
        if (draft.elements()[i].isGone)
            continue;
        if (block.kind == BlockKind::ToolCall)
            calls[block.callId] = i;
        else if (block.kind == BlockKind::ToolResult)
            results.push_back({ i, calls.contains(block.callId) ? std::optional(calls[block.callId]) : std::nullopt });
    }
    const Measure measure = run.keep().measure;
    const bool countsResults = measure.unit == Measure::Unit::Results;
    const uint64_t keep = countsResults ? static_cast<uint64_t>(measure.value) : 0;
    const size_t cut = countsResults ? draft.messages().size() : run.cutoff();
    const size_t end = cut < draft.messages().size() ? draft.messages()[cut].first : draft.elements().size();
    const double atLeast = run.number("at-least");
    const std::string placeholder = run.text("placeholder");
    double cleared = 0;
    for (size_t k = 0; k + keep < results.size() && results[k].element < end; ++k) {
        const auto [element, call] = results[k];
        const Block block = draft.blockOf(element);
        const bool isMeant = !block.is(BlockFlag::Stub) && !draft.elements()[element].isPinned && call
            && !run.listsTool("exclude", draft.blockOf(*call));
        if (!isMeant)
            continue;
        const double before = draft.tokens(draft.elements()[element].block);
        run.shorten(element, placeholder, Fate::Cleared,
            countsResults ? "older than the last " + groupedNumber(keep) + " tool results" : "before the keep window");
        cleared += before - draft.tokens(draft.elements()[element].block);
        const Draft::Element &callElement = draft.elements()[*call];
        if (run.isOn("inputs") && !callElement.isPinned && !callElement.isGone && !hasNoArguments(draft.blockOf(*call)))
            run.shorten(*call, "{}", Fate::Cleared, "arguments of a cleared call");
        if (atLeast > 0 && cleared >= atLeast)
            break;
    }
}

/// Replaces a body by a text.
std::shared_ptr<const BlockChange> clearedChange(std::string text)
{
    auto change = std::make_shared<BlockChange>();
    change->fate = Fate::Cleared;
    change->lengths = textLengths(text);
    change->thousandthTokens = milliTokens(text);
    change->body = std::move(text);
    return change;
}

class LiveClearing final : public LiveSelection {
public:
    LiveClearing(const StageParameters &parameters, BlockPool &pool)
        : LiveSelection(parameters, pool)
        , m_clearsInputs(parameters.isOn("inputs"))
        , m_atLeast(parameters.number("at-least"))
    {
        m_result = clearedChange(parameters.text("placeholder"));
        m_arguments = clearedChange("{}");
    }

private:
    struct Result {
        size_t place = 0;
        std::optional<size_t> call;
    };

    [[nodiscard]] size_t placeOf(size_t candidate) const override { return m_results[candidate].place; }
    void forget() override
    {
        for (const auto &[call, result] : m_resultOf)
            lookAt(call);
        m_results.clear();
        m_calls.clear();
        m_resultOf.clear();
    }

    void push(const LiveArray &in, size_t place) override
    {
        const Block &block = in.blockAt(place);
        if (block.kind == BlockKind::ToolCall)
            m_calls[block.callId] = place;
        if (block.kind != BlockKind::ToolResult)
            return;
        Result result { place, {} };
        if (const auto call = m_calls.find(block.callId); call != m_calls.end()) {
            result.call = call->second;
            m_resultOf[call->second] = place;
        }
        m_results.push_back(result);
    }

    size_t meantCount(const LiveArray &in) override
    {
        const Measure &keep = parameters().keep().measure;
        size_t count = m_results.size();
        if (keep.unit == Measure::Unit::Results)
            count -= std::min(count, static_cast<size_t>(keep.value));
        else
            count = static_cast<size_t>(
                std::ranges::lower_bound(m_results, windowOf(in), {}, &Result::place) - m_results.begin());
        double cleared = 0;
        for (size_t i = 0; m_atLeast > 0 && i < count; ++i) {
            if (!clears(in, m_results[i]))
                continue;
            const Block &block = in.blockAt(m_results[i].place);
            cleared += pool().tokens(in.at(m_results[i].place).block) - pool().weightOf(block, *m_result);
            if (cleared >= m_atLeast)
                return i + 1;
        }
        return count;
    }

    [[nodiscard]] bool clears(const LiveArray &in, const Result &result) const
    {
        return result.call && !in.blockAt(result.place).is(BlockFlag::Stub) && !in.at(result.place).isPinned
            && !parameters().listsTool("exclude", in.blockAt(*result.call));
    }

    std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) override
    {
        if (in.blockAt(place).kind == BlockKind::ToolCall)
            return m_clearsInputs ? changeOfCall(in, place) : nullptr;
        const auto found = std::ranges::lower_bound(m_results, place, {}, &Result::place);
        if (found == m_results.end() || found->place != place)
            return nullptr;
        if (m_clearsInputs && found->call)
            lookAt(*found->call);
        const auto candidate = meantAt(place);
        return candidate && clears(in, *found) ? m_result : nullptr;
    }

    std::shared_ptr<const BlockChange> changeOfCall(const LiveArray &in, size_t place)
    {
        const auto result = m_resultOf.find(place);
        if (result == m_resultOf.end() || in.blockAt(place).is(BlockFlag::Stub) || hasNoArguments(in.blockAt(place)))
            return nullptr;
        const auto candidate = meantAt(result->second);
        if (!candidate || !clears(in, m_results[*candidate]))
            return nullptr;
        return m_arguments;
    }

    bool m_clearsInputs;
    double m_atLeast;
    std::shared_ptr<const BlockChange> m_result;    ///< the change of every cleared result
    std::shared_ptr<const BlockChange> m_arguments; ///< the change of its call's arguments
    std::vector<Result> m_results;
    std::unordered_map<StringId, size_t> m_calls;
    std::unordered_map<size_t, size_t> m_resultOf; ///< places of results, by the place of the call
};

/// Without arguments to clear and a minimum to reach, results are cleared independently.
std::optional<ResultRule> clearingRule(const StageParameters &stage)
{
    if (stage.isOn("inputs") || stage.number("at-least") > 0)
        return std::nullopt;
    return ResultRule { [stage, cleared = clearedChange(stage.text("placeholder"))](
                            const BlockPool &pool, BlockId id, BlockId call) -> std::shared_ptr<const BlockChange> {
        const Block &block = pool.block(id);
        const bool isMeant = block.kind == BlockKind::ToolResult && call.isValid() && !block.is(BlockFlag::Stub)
            && !stage.listsTool("exclude", pool.block(call));
        return isMeant ? cleared : nullptr;
    } };
}

} // namespace

StageKind clearToolUses()
{
    return { .id = "clear-tool-uses",
        .title = "Clear old tool uses",
        .sentence = "Replaces all but the newest tool results with a placeholder.",
        .parameters = {
            { "at-least", Type::Count, "Clears the oldest results until this much is removed; 0: clears all",
                0.0, 0, 1e7, "tokens" },
            { "exclude", Type::Names, "Skips results of these tools", std::vector<std::string>() },
            { "inputs", Type::Switch, "Also clears the arguments of the calls", false },
            { "placeholder", Type::Text, "Replaces each cleared result", std::string("[cleared]") },
        },
        .apply = applyClearToolUses,
        .live = [](const StageParameters &parameters, BlockPool &pool, bool) -> std::unique_ptr<LiveStage> {
            return std::make_unique<LiveClearing>(parameters, pool);
        },
        .resultRule = clearingRule };
}

} // namespace core::stages
