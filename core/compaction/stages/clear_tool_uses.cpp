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

/// The text that replaces a result; nullopt if it shows a preview and is not shorter.
std::optional<std::string> placeholderOf(const StageParameters &stage, const BlockPool &pool, BlockId id)
{
    std::string pattern = stage.text("placeholder");
    if (pattern.find('{') == std::string::npos)
        return pattern;
    const std::string whole = pool.text(id);
    const LengthUnit unit = stage.unit();
    const uint64_t part = stage.count("preview");
    const bool isShort = lengthIn(textLengths(whole), unit) <= 2 * part;
    const std::string preview
        = isShort ? whole : headOf(whole, part, unit) + stage.text("preview-cut") + tailOf(whole, part, unit);
    const size_t lines
        = splitLines(whole, unit == LengthUnit::CodePoints ? LineRule::Python : LineRule::JavaScript).size();
    std::string text = filled(pattern,
        { { "lines", std::to_string(lines) }, { "preview", preview }, { "call", pool.string(pool.block(id).callId) },
            { "tool", pool.string(pool.block(id).name) } });
    if (pattern.find("{preview}") != std::string::npos && text.size() >= whole.size())
        return std::nullopt;
    return text;
}

/// The rules that look at the sizes of the results: which of the newest stay, and whether clearing the others is worth
/// it.
class ClearingLimits final {
public:
    explicit ClearingLimits(const StageParameters &stage)
        : m_counter(stage.policy(), stage.session())
        , m_protect(stage.number("protect"))
        , m_worth(stage.number("worth"))
        , m_countsKept(stage.text("protect-from") == "end")
    {
    }

    [[nodiscard]] bool isSet() const { return m_protect > 0 || m_worth > 0; }
    [[nodiscard]] double tokensOf(const BlockPool &pool, BlockId result) const
    {
        return m_counter.factsOf(pool, Role::Tool, std::span(&result, 1)).tokens;
    }

    /// How many of the first `end` results are cleared. `tokensAt`: of a result that the stage may clear, else 0.
    template <typename TokensAt>
    [[nodiscard]] size_t countOf(size_t all, size_t end, TokensAt tokensAt) const
    {
        size_t count = end;
        double sum = 0;
        for (size_t i = m_countsKept ? all : end; m_protect > 0 && i > 0; --i) {
            sum += tokensAt(i - 1);
            count = sum > m_protect ? std::min(end, i) : 0;
            if (count > 0)
                break;
        }
        sum = 0;
        for (size_t i = 0; m_worth > 0 && i < count; ++i)
            sum += tokensAt(i);
        return m_worth > 0 && sum < m_worth ? 0 : count;
    }

private:
    MessageCounter m_counter;
    double m_protect;
    double m_worth;
    bool m_countsKept;
};

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
    const auto isMeant = [&](const Result &result) {
        return !draft.blockOf(result.element).is(BlockFlag::Stub) && !draft.elements()[result.element].isPinned
            && result.call && !run.listsTool("exclude", draft.blockOf(*result.call));
    };
    size_t count = 0;
    while (count + keep < results.size() && results[count].element < end)
        ++count;
    if (const ClearingLimits limits(run); limits.isSet())
        count = limits.countOf(results.size(), count, [&](size_t i) {
            const BlockId block = draft.elements()[results[i].element].block;
            return isMeant(results[i]) ? limits.tokensOf(draft.pool(), block) : 0;
        });
    double cleared = 0;
    for (size_t k = 0; k < count; ++k) {
        if (!isMeant(results[k]))
            continue;
        const auto [element, call] = results[k];
        const BlockId block = draft.elements()[element].block;
        auto text = placeholderOf(run, draft.pool(), block);
        if (!text)
            continue;
        const double before = draft.tokens(block);
        run.shorten(element, std::move(*text), Fate::Cleared,
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
        , m_limits(parameters)
    {
        if (const std::string text = parameters.text("placeholder"); text.find('{') == std::string::npos)
            m_result = clearedChange(text);
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
        if (m_limits.isSet())
            count = m_limits.countOf(m_results.size(), count, [&](size_t i) {
                const BlockId block = in.at(m_results[i].place).block;
                return clears(in, m_results[i]) ? m_limits.tokensOf(pool(), block) : 0;
            });
        double cleared = 0;
        for (size_t i = 0; m_atLeast > 0 && i < count; ++i) {
            if (!clears(in, m_results[i]))
                continue;
            const BlockId id = in.at(m_results[i].place).block;
            if (const auto change = changeOfResult(id))
                cleared += pool().tokens(id) - pool().weightOf(pool().block(id), *change);
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
        return candidate && clears(in, *found) ? changeOfResult(in.at(place).block) : nullptr;
    }

    [[nodiscard]] std::shared_ptr<const BlockChange> changeOfResult(BlockId id)
    {
        if (m_result)
            return m_result;
        auto text = placeholderOf(parameters(), pool(), id);
        return text ? clearedChange(std::move(*text)) : nullptr;
    }

    std::shared_ptr<const BlockChange> changeOfCall(const LiveArray &in, size_t place)
    {
        const auto result = m_resultOf.find(place);
        if (result == m_resultOf.end() || in.blockAt(place).is(BlockFlag::Stub) || hasNoArguments(in.blockAt(place)))
            return nullptr;
        const auto candidate = meantAt(result->second);
        const bool isCleared = candidate && clears(in, m_results[*candidate])
            && changeOfResult(in.at(m_results[*candidate].place).block) != nullptr;
        return isCleared ? m_arguments : nullptr;
    }

    bool m_clearsInputs;
    double m_atLeast;
    ClearingLimits m_limits;
    std::shared_ptr<const BlockChange> m_result;    ///< of every result; nullptr if each has a text of its own
    std::shared_ptr<const BlockChange> m_arguments; ///< the change of its call's arguments
    std::vector<Result> m_results;
    std::unordered_map<StringId, size_t> m_calls;
    std::unordered_map<size_t, size_t> m_resultOf; ///< places of results, by the place of the call
};

/// Without arguments to clear and a minimum to reach, results are cleared independently.
std::optional<ResultRule> clearingRule(const StageParameters &stage)
{
    const std::string text = stage.text("placeholder");
    if (stage.isOn("inputs") || stage.number("at-least") > 0 || ClearingLimits(stage).isSet()
        || text.find('{') != std::string::npos)
        return std::nullopt;
    return ResultRule { [stage, cleared = clearedChange(text)](
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
            { "protect", Type::Count, "Of the results that it may clear, keeps the newest up to this size; 0: keeps none",
                0.0, 0, 1e7, "tokens" },
            { "protect-from", Type::Choice,
                "Where protect begins to count: at the end of the array, or at the keep window", std::string("end"), 0,
                0, {}, { "end", "keep" } },
            { "worth", Type::Count, "Clears nothing if the results to clear have less than this", 0.0, 0, 1e7,
                "tokens" },
            { "exclude", Type::Names, "Skips results of these tools", std::vector<std::string>() },
            { "inputs", Type::Switch, "Also clears the arguments of the calls", false },
            { "placeholder", Type::Text,
                "Replaces each cleared result; {lines} is its number of lines, {preview} a part of it, {call} the id of "
                "its call, {tool} the tool",
                std::string("[cleared]") },
            { "preview", Type::Count, "How much of the beginning and of the end {preview} shows", 250.0, 0, 1e7,
                "characters" },
            { "preview-cut", Type::Text, "Stands between the beginning and the end in {preview}", std::string("\n…\n") },
        },
        .apply = applyClearToolUses,
        .live = [](const StageParameters &parameters, BlockPool &pool, bool) -> std::unique_ptr<LiveStage> {
            return std::make_unique<LiveClearing>(parameters, pool);
        },
        .resultRule = clearingRule };
}

} // namespace core::stages
