// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/answer_tokens.h"

namespace core {

double answerWeight(const Session &session, const Call &call, const BlockTokens &tokens)
{
    double weight = 0;
    for (uint32_t i = call.output.begin; i < call.output.end; ++i) {
        const BlockKind kind = session.block(BlockId(i)).kind;
        if (kind == BlockKind::Text || kind == BlockKind::ToolCall)
            weight += tokens.of(BlockId(i));
    }
    return weight;
}

double answerTokens(const Session &session, const Call &call, const BlockTokens &tokens)
{
    constexpr double kLeastShare = 0.1;
    const double weight = answerWeight(session, call, tokens);
    const double counted = call.usage ? static_cast<double>(call.usage->output) : 0;
    return counted < kLeastShare * weight ? weight : counted;
}

} // namespace core
