// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/search/block_lives.h"

#include "core/base/format.h"
#include "core/base/parallel.h"
#include "core/context/context_spans.h"
#include "core/evidence/message_state.h"
#include "core/session/user_message.h"

#include <algorithm>

namespace core {

namespace {

/// Adds one span of the thread; spans come in order.
void extend(BlockLife &life, const ContextSpan &span, uint32_t callCount)
{
    if (span.from == span.to)
        return; // removed before any call sent it
    life.hasGaps = life.hasGaps || life.first != BlockLife::kNever;
    life.first = std::min(life.first, span.from);
    life.isAtEnd = span.to > callCount;
    if (span.from < callCount) {
        life.wasSent = true;
        life.last = std::min(span.to, callCount) - 1;
    }
}

/// A silent clearing may have removed the block from these arrays.
void doubt(BlockLife &life, const UnsureSpan &span, uint32_t callCount)
{
    const uint32_t last = life.isAtEnd ? callCount : life.last;
    if (life.first == BlockLife::kNever || (!life.wasSent && !life.isAtEnd) || span.from > last)
        return;
    life.hasDoubts = true;
    if (span.to > last)
        life.unknownFrom = std::max(span.from, life.first);
}

} // namespace

BlockLivesPtr blockLives(
    const SessionPtr &session, const BlockTokensPtr &tokens, unsigned threads, const Progress *progress)
{
    auto result = std::make_shared<BlockLives>();
    result->lives.resize(session->blocks.size());
    result->tokens = tokens;
    for (size_t i = 0; i < session->blocks.size(); ++i) {
        if (const MessageId message = session->blocks[i].message; message.isValid())
            result->lives[i].thread = session->message(message).thread;
    }
    std::vector<ContextSpans> spans(session->threads.size());
    parallelFor(spans.size(), threads, [&](unsigned, size_t thread) {
        if (isCancelled(progress))
            return;
        const ArraySumsPtr sums = tokens != nullptr ? arraySums(*session, ThreadIndex(thread), *tokens) : nullptr;
        spans[thread] = recordedSpans(session, ThreadIndex(thread), sums.get());
    });
    if (isCancelled(progress))
        return nullptr;
    for (size_t i = 0; i < spans.size(); ++i) {
        const ThreadIndex thread(i);
        for (const ContextSpan &span : spans[i].spans) {
            BlockLife &life = result->lives[span.block.index()];
            if (!life.thread.isValid())
                life.thread = thread;
            if (life.thread == thread)
                extend(life, span, spans[i].callCount);
        }
        for (const UnsureSpan &span : spans[i].unsure) {
            BlockLife &life = result->lives[span.block.index()];
            if (life.thread == thread)
                doubt(life, span, spans[i].callCount);
        }
    }
    for (BlockLife &life : result->lives) {
        if (!life.thread.isValid() || !life.wasSent || life.isAtEnd)
            continue;
        const std::vector<ContextRewrite> &rewrites = spans[life.thread.index()].rewrites;
        const auto next = std::ranges::lower_bound(rewrites, life.last + 1, {}, &ContextRewrite::firstCall);
        life.isSummarised
            = next != rewrites.end() && next->firstCall == life.last + 1 && next->kind == CompactionKind::Summary;
    }
    return result;
}

std::string callsText(const BlockLife &life)
{
    if (life.first == BlockLife::kNever)
        return "no call";
    if (!life.wasSent)
        return "the end";
    const bool endsUnknown = life.unknownFrom != BlockLife::kNever;
    const std::string gaps = std::string(life.hasGaps ? ", with gaps" : "")
        + (endsUnknown           ? formatted(", unknown from call {}", life.unknownFrom)
                : life.hasDoubts ? ", some of them unknown"
                                 : "");
    if (life.isAtEnd)
        return formatted("call {} to the end{}", life.first, gaps);
    if (life.first == life.last)
        return formatted("call {}{}", life.first, gaps);
    return formatted("calls {} to {}{}", life.first, life.last, gaps);
}

std::string stateText(const Block &block, const BlockLife &life)
{
    const bool isTyped = isUserMessage(block);
    const std::string_view subject = isTyped ? "the message itself was " : ""; // a summary may quote it
    const std::string state = life.unknownFrom != BlockLife::kNever
        ? formatted("unknown from call {}: a silent clearing may have removed it", life.unknownFrom)
        : life.isAtEnd      ? "in context at the end"
        : life.isSummarised ? formatted("{}last sent at call {}, then a summary replaced it", subject, life.last)
        : life.wasSent      ? formatted("{}last sent at call {}", subject, life.last)
                            : "never sent";
    return isTyped ? "typed, " + state : state;
}

std::string stateText(const Block &block, const BlockLife &life, const ContextSpans &spans, const Trace &message)
{
    if (life.isAtEnd || !life.wasSent || life.unknownFrom != BlockLife::kNever)
        return stateText(block, life);
    const MessageState state = messageStateAt(spans, message, spans.callCount);
    const bool isNowhere = state == MessageState::Gone || state == MessageState::Replaced;
    const auto last = isNowhere ? lastSentOf(spans, message) : std::nullopt;
    return formatted("typed, {}; the message itself was last sent at call {}{}",
        isNowhere ? "its words are in context nowhere" : messageStateText(spans, message, spans.callCount), life.last,
        last && last->call > life.last ? formatted(", its words or a part of them at call {}", last->call) : "");
}

} // namespace core
