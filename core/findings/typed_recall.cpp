// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/typed_recall.h"

#include "core/evidence/message_state.h"
#include "core/evidence/shown_text.h"
#include "core/json/json_probe.h"
#include "core/session/constraints.h"
#include "core/session/user_message.h"

#include <algorithm>

namespace core {

namespace {

/// Whether the last thing that happened is a compaction with a summary.
bool endsCompacted(const Thread &thread)
{
    if (thread.compactions.empty())
        return false;
    const RecordedCompaction &last = thread.compactions.back();
    const size_t before = last.call.isValid() ? last.call.index() + 1 : 0;
    return before == thread.calls.size()
        && (last.kind == CompactionKind::Summary || last.kind == CompactionKind::Replacement);
}

/// Words that rejected or interrupted the agent, or were typed while it worked; not the arguments of a command.
bool isCorrection(const Session &session, const Block &block)
{
    constexpr std::string_view kCommand = "<command-";
    return block.is(BlockFlag::TypedPart) && !session.textHead(block.body, kCommand.size()).starts_with(kCommand);
}

struct TypedMessage {
    BlockId block;
    std::string text;
    uint32_t from = 0;      ///< the call that it entered with
    bool isPending = false; ///< it is still to be sent
};

/// Whether a rewind removed the block whose last span this is.
bool isTakenBack(const ContextSpans &spans, const ContextSpan &last)
{
    const auto rewrites = std::ranges::equal_range(spans.rewrites, last.to, {}, &ContextRewrite::firstCall);
    return last.to <= spans.callCount && !rewrites.empty()
        && std::ranges::all_of(
            rewrites, [](const ContextRewrite &each) { return each.kind == CompactionKind::Rollback; });
}

bool isOfPrompt(const Session &session, const Block &block, std::string_view promptId)
{
    return !promptId.empty() && decodeJsonString(JsonMembers(session.record(block)).string("promptId")) == promptId;
}

/// All typed messages. What other texts hold of them is not looked at: that is most of the work of a trace.
std::vector<TypedMessage> typedSoFar(const ContextSpans &spans, std::string_view promptId)
{
    const Session &session = *spans.session;
    std::vector<TypedMessage> typed;
    for (size_t i = 0; i < spans.spans.size(); ++i) {
        const ContextSpan &first = spans.spans[i];
        while (i + 1 < spans.spans.size() && spans.spans[i + 1].block == first.block)
            ++i;
        const Block &block = session.block(first.block);
        if (isUserMessage(block) && !isTakenBack(spans, spans.spans[i]))
            typed.push_back({ first.block, std::string(withoutBlanks(typedText(block, shownText(session, block).text))),
                first.from, first.from >= spans.callCount && isOfPrompt(session, block, promptId) });
    }
    std::ranges::stable_sort(typed, {}, &TypedMessage::from);
    return typed;
}

/// Those that the array at the end does not hold word for word.
std::vector<TypedMessage> typedAndLost(const ContextSpans &spans)
{
    std::vector<TypedMessage> lost;
    for (const Trace &trace : tracedUserMessages(spans).value_or(std::vector<Trace>())) {
        const MessageState state = messageStateAt(spans, trace, spans.callCount);
        if (state == MessageState::Partial || state == MessageState::Replaced || state == MessageState::Gone)
            lost.push_back({ trace.block, trace.text, trace.lanes.front().from, false });
    }
    return lost;
}

} // namespace

TypedRecall messagesToRecall(const SessionPtr &session, std::string_view promptId)
{
    const ContextSpans spans = recordedSpans(session, ThreadIndex(0U));
    const bool isKnown = endsCompacted(session->threads.front());
    TypedRecall recall;
    recall.cause = isKnown ? RecallCause::Lost : RecallCause::MayBeLost;
    for (TypedMessage &typed : isKnown ? typedAndLost(spans) : typedSoFar(spans, promptId)) {
        const bool comesFirst
            = !constraintsIn(typed.text).empty() || isCorrection(*session, session->block(typed.block));
        std::erase_if(recall.messages, [&](const RecallMessage &each) { return each.text == typed.text; });
        if (!typed.text.empty() && !typed.isPending)
            recall.messages.push_back({ std::move(typed.text), comesFirst });
    }
    return recall;
}

} // namespace core
