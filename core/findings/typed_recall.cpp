// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/typed_recall.h"

#include "core/evidence/message_state.h"
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

bool isNoLongerThere(MessageState state)
{
    return state == MessageState::Partial || state == MessageState::Replaced || state == MessageState::Gone;
}

/// Words that rejected or interrupted the agent, or were typed while it worked; not the arguments of a command.
bool isCorrection(const Session &session, const Block &block)
{
    constexpr std::string_view kCommand = "<command-";
    return block.is(BlockFlag::TypedPart) && !session.textHead(block.body, kCommand.size()).starts_with(kCommand);
}

} // namespace

TypedRecall messagesToRecall(const SessionPtr &session)
{
    const ContextSpans spans = recordedSpans(session, ThreadIndex(0U));
    const auto traces = tracedUserMessages(spans);
    TypedRecall recall;
    const bool isKnown = endsCompacted(session->threads.front());
    recall.cause = isKnown ? RecallCause::Lost : RecallCause::MayBeLost;
    for (const Trace &trace : traces.value_or(std::vector<Trace>())) {
        const MessageState state = messageStateAt(spans, trace, spans.callCount);
        if (state == MessageState::TakenBack || state == MessageState::NotYet || (isKnown && !isNoLongerThere(state)))
            continue;
        const bool comesFirst
            = !constraintsIn(trace.text).empty() || isCorrection(*session, session->block(trace.block));
        std::erase_if(recall.messages, [&](const RecallMessage &each) { return each.text == trace.text; });
        recall.messages.push_back({ trace.text, comesFirst });
    }
    return recall;
}

} // namespace core
