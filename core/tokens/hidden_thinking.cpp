// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/hidden_thinking.h"

#include "core/tokens/model_family.h"
#include "core/tokens/weights.h"

#include <algorithm>

namespace core {

namespace {

/// The reasoning tokens of a response. `visible` are the tokens of its other blocks, `assumed` those of its encrypted
/// bodies by their length.
std::optional<double> reasoningTokens(const Session &session, const Call &call, double visible, double assumed)
{
    if (call.usage && call.usage->reasoning)
        return static_cast<double>(*call.usage->reasoning);
    if (tokenizerFamily(session.modelOf(call)) != TokenizerFamily::OpenAi)
        return std::nullopt;
    if (!call.usage || call.usage->output == 0)
        return assumed;
    return std::clamp(static_cast<double>(call.usage->output) - visible, 0.0, assumed);
}

} // namespace

std::unordered_map<BlockId, double> hiddenThinking(const Session &session, const ExactTokens &counts)
{
    std::unordered_map<BlockId, double> tokens;
    for (const Thread &thread : session.threads) {
        for (const Call &call : thread.calls) {
            std::vector<BlockId> thinking;
            double encrypted = 0; // bytes
            double assumed = 0;
            double visible = 0;
            for (uint32_t i = call.output.begin; i < call.output.end; ++i) {
                const Block &block = session.block(BlockId(i));
                if (block.kind != BlockKind::Thinking) {
                    visible += static_cast<double>(counts.of(BlockId(i)).tokens);
                    continue;
                }
                thinking.emplace_back(i);
                if (block.is(BlockFlag::Encrypted)) {
                    encrypted += static_cast<double>(block.body.size);
                    assumed += assumedTokens(block, 1).value_or(0);
                }
            }
            const std::optional<double> reasoning = reasoningTokens(session, call, visible, assumed);
            if (encrypted == 0 || !reasoning)
                continue;
            for (const BlockId id : thinking) {
                const Block &block = session.block(id);
                tokens[id] = block.is(BlockFlag::Encrypted)
                    ? *reasoning * static_cast<double>(block.body.size) / encrypted
                    : 0;
            }
        }
    }
    return tokens;
}

} // namespace core
