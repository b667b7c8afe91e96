// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/message_array.h"
#include "core/compaction/stages/eviction.h"
#include "core/compaction/stages/kinds.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

/// The agent's call of the tool at the end of the array; only results may follow it.
struct Request {
    size_t messages = 0; ///< messages up to the call, which the tool considers
    StringId call;
};

/// Whether the message consists of results and their parts only.
bool isAnswer(const Draft &draft, const Draft::Message &message)
{
    return message.role != Role::Assistant && std::ranges::all_of(draft.elementsOf(message), [&](const auto &element) {
        return draft.block(element.block).callId.isValid();
    });
}

std::optional<Request> requestAtEnd(const StageRun &run)
{
    const Draft &draft = run.draft();
    const std::string tool = run.text("tool");
    size_t count = draft.messages().size();
    while (count > 0 && isAnswer(draft, draft.messages()[count - 1]))
        --count;
    if (count == 0 || count == draft.messages().size())
        return std::nullopt; // it has no result yet
    for (const Draft::Element &element : draft.elementsOf(draft.messages()[count - 1])) {
        const Block &block = draft.block(element.block);
        if (!element.isGone && block.kind == BlockKind::ToolCall && draft.string(block.name) == tool)
            return Request { count, block.callId };
    }
    return std::nullopt;
}

/// The array up to the request, without what came with the result.
class ArrayUpTo final : public MessageArray {
public:
    ArrayUpTo(const MessageArray &whole, size_t count)
        : m_whole(whole)
        , m_count(count)
    {
    }

    [[nodiscard]] size_t messageCount() const override { return m_count; }
    [[nodiscard]] MessageFacts factsOf(size_t message) const override { return m_whole.factsOf(message); }
    [[nodiscard]] double tokensFrom(size_t message) const override
    {
        return m_whole.tokensFrom(message) - m_whole.tokensFrom(m_count);
    }
    [[nodiscard]] double totalTokens() const override { return tokensFrom(0); }
    [[nodiscard]] size_t resultCount() const override { return countOf(&MessageFacts::results); }
    [[nodiscard]] size_t turnCount() const override { return countOf(&MessageFacts::isTyped); }
    void forEachBlock(size_t message, const std::function<void(const Block &)> &visit) const override
    {
        m_whole.forEachBlock(message, visit);
    }

private:
    template <typename Member>
    [[nodiscard]] size_t countOf(Member member) const
    {
        size_t count = 0;
        for (size_t i = 0; i < m_count; ++i)
            count += static_cast<size_t>(factsOf(i).*member);
        return count;
    }

    const MessageArray &m_whole;
    size_t m_count;
};

/// Whether the tool agrees, which it does from a share of the policy's trigger on. It uses the provider's reported
/// tokens, and refuses if none are known.
bool isEligible(const StageRun &run, const MessageArray &array)
{
    const Trigger &trigger = run.policy().trigger;
    const StageContext &context = run.context();
    const auto isReached = [&](const Measure &measure) {
        if (measure.unit == Measure::Unit::Messages || measure.unit == Measure::Unit::Results
            || measure.unit == Measure::Unit::Turns) {
            const auto count = measure.unit == Measure::Unit::Messages ? array.messageCount()
                : measure.unit == Measure::Unit::Results               ? array.resultCount()
                                                                       : array.turnCount();
            return static_cast<double>(count) >= std::max(1.0, std::floor(measure.value * run.number("share")));
        }
        const bool isKnown = measure.unit != Measure::Unit::WindowFraction || context.windowTokens > 0;
        const double whole = measure.thresholdIn(context.windowTokens);
        return isKnown && context.recordedTokens >= std::max(1.0, std::floor(whole * run.number("share")));
    };
    return trigger.joining == Trigger::Joining::All ? std::ranges::all_of(trigger.measures, isReached)
                                                    : std::ranges::any_of(trigger.measures, isReached);
}

/// Replaces the tool's recorded result by `text`.
void answer(StageRun &run, StringId call, const std::string &text)
{
    Draft &draft = run.draft();
    for (size_t i = draft.elements().size(); i > 0; --i) {
        const Draft::Element &element = draft.elements()[i - 1];
        const Block &block = draft.block(element.block);
        if (block.kind != BlockKind::ToolResult || block.callId != call)
            continue;
        if (!element.isGone && !element.isPinned && draft.text(element.block) != text)
            run.shorten(i - 1, text, Fate::Shortened, "the tool's answer under this policy");
        return;
    }
}

/// Without a call of the tool the session asks for nothing.
bool isIdleAsked(const StageParameters &stage)
{
    const Session &session = stage.session();
    const std::string tool = stage.text("tool");
    return std::ranges::none_of(session.blocks,
        [&](const Block &block) { return block.kind == BlockKind::ToolCall && session.string(block.name) == tool; });
}

void applySummariseAsked(StageRun &run)
{
    const auto request = requestAtEnd(run);
    if (!request)
        return;
    size_t cut = 0;
    {
        const DraftArray whole(run.draft(), run.policy());
        const ArrayUpTo array(whole, request->messages);
        if (isEligible(run, array))
            cut = cutoffOf(array, run.keep(), run.context().windowTokens);
    }
    const auto summarise = std::ranges::find_if(run.policy().stages, [](const StageSpec &spec) {
        const StageKind *kind = stageKind(spec.stage);
        return kind != nullptr && kind->summarises;
    });
    if (summarise == run.policy().stages.end())
        cut = 0; // nothing determines the cut
    answer(run, request->call,
        cut > 0 ? filled(run.text("answer"), { { "n", std::to_string(cut) } }) : run.text("refusal"));
    if (cut == 0)
        return;
    StageRun as(run.draft(), *summarise, *stageKind(summarise->stage), run.index(), run.context());
    if (evictBefore(as, cut))
        run.noteFired();
}

} // namespace

StageKind summariseWhenAsked()
{
    return { .id = "summarise-when-asked",
        .title = "Summarise when asked",
        .sentence
        = "Summarises when the agent calls a tool for it. If the array is still small, the tool refuses.",
        .parameters = {
            { "tool", Type::Text, "The tool that the agent calls to summarise", std::string("compact_conversation") },
            { "share", Type::Number,
                "The tool summarises only if the array has reached this share of the policy's trigger", 0.5, 0, 1 },
            { "answer", Type::Text, "Answer of the tool; {n} is the number of summarised messages",
                std::string("{n} messages were summarised.") },
            { "refusal", Type::Text, "Answer if the tool refuses", std::string("There is nothing to summarise yet.") },
        },
        .apply = applySummariseAsked,
        .isIdle = isIdleAsked,
        .readsPolicyTrigger = true };
}

} // namespace core::stages
