// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/counted_tokens.h"

#include "core/tokens/array_weights.h"
#include "core/tokens/calibration.h"
#include "core/tokens/estimate.h"
#include "core/tokens/hidden_thinking.h"
#include "core/tokens/model_family.h"
#include "core/tokens/token_kinds.h"

#include <algorithm>

namespace core {

namespace {

/// The published encoding that all models of a session share; nullopt if there is none.
std::optional<Encoding> commonEncoding(const Session &session)
{
    const auto encoding = encodingOf(session.model);
    for (const Thread &thread : session.threads) {
        for (const Call &call : thread.calls) {
            const std::string_view model = session.string(call.model);
            if (!model.empty() && encodingOf(model) != encoding)
                return std::nullopt;
        }
    }
    return encoding;
}

bool hasUsage(const Session &session)
{
    return std::ranges::any_of(session.threads, [](const Thread &thread) {
        return std::ranges::any_of(thread.calls, [](const Call &call) { return call.usage.has_value(); });
    });
}

BlockTokensPtr exactTable(const Session &session, const ExactTokens &counts)
{
    auto table = std::make_shared<BlockTokens>();
    table->isCounted = true;
    table->basis = Basis::Exact;
    BlockEstimator estimator(session);
    const auto thinking = hiddenThinking(session, counts);
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        const BlockId id(i);
        const Block &block = session.blocks[i];
        const ExactCount count = counts.of(id);
        const auto hidden = thinking.find(id);
        const bool isWhole = count.isWhole && hidden == thinking.end();
        const double tokens = hidden != thinking.end() ? hidden->second
            : count.isWhole                            ? static_cast<double>(count.tokens)
                                                       : estimator.tokensOf(block);
        table->isExact.push_back(isWhole);
        table->tokens.push_back(static_cast<float>(tokens));
        if (block.kind == BlockKind::Thinking && tokens > 0) // the provider leaves it out of later turns
            table->thinking.push_back({ id, static_cast<float>(tokens), 0 });
        if (!isWhole)
            table->basis = Basis::Estimated;
    }
    weighAtEnd(session, *table);
    return table;
}

} // namespace

BlockTokensPtr countedTokens(const Session &session, unsigned threads, Progress *progress)
{
    return countTokens(session, threads, progress).table;
}

TokenCount countTokens(const Session &session, unsigned threads, Progress *progress, const TokenCount &before)
{
    TokenCount count { nullptr, nullptr, session.model, 0 };
    const auto encoding = commonEncoding(session);
    if (encoding || hasUsage(session)) {
        const size_t same = before.exact ? before.exact->blockCount() : 0;
        count.exact = exactTokens(
            session, ranksOf(encoding.value_or(Encoding::O200kBase)), threads, progress, before.exact.get(), same);
        if (!count.exact)
            return count;
        count.countedCount = count.exact->countedBodies();
        if (encoding)
            count.table = exactTable(session, *count.exact);
        else if (const auto calibration = calibrate(session, *count.exact))
            count.table = calibration->tokens;
    }
    if (!count.table) {
        // An estimate depends on the block and the session's model alone.
        const bool isKnown = before.table && before.table->basis == Basis::Estimated && before.table->isCounted
            && before.table->thinking.empty() && before.table->isExact.empty() && before.model == session.model;
        const BlockTokens nothing;
        const BlockTokens &known = isKnown ? *before.table : nothing;
        count.table = estimateFurther(session, known, threads, progress);
        count.countedCount += session.blocks.size() - known.tokens.size();
    }
    if (isCancelled(progress))
        count.table = nullptr;
    return count;
}

} // namespace core
