// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/evidence/trace.h"
#include "core/session/session.h"
#include "core/tokens/weights.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace core {

/// The calls of a block's thread that contained the block.
struct BlockLife {
    static constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

    ThreadIndex thread;            ///< that of its message; for other blocks the first thread that has it
    uint32_t first = kNever;       ///< the first array with the block; the number of calls is the array at the end
    uint32_t last = 0;             ///< the last call that contained the block, if `wasSent`
    bool wasSent = false;          ///< a call contained it
    bool isAtEnd = false;          ///< the array after the last record has it
    bool hasGaps = false;          ///< some arrays in between do not have it
    bool hasDoubts = false;        ///< a silent clearing may have removed it from some of the arrays
    uint32_t unknownFrom = kNever; ///< the same, from this array to the last one with the block
    bool isSummarised = false;     ///< a summary replaced it after `last`, which may quote it
};

/// The lives of all blocks of a session.
struct BlockLives {
    std::vector<BlockLife> lives; ///< by BlockId
    BlockTokensPtr tokens;        ///< with which they were found

    [[nodiscard]] const BlockLife &of(BlockId id) const { return lives[id.index()]; }
};
using BlockLivesPtr = std::shared_ptr<const BlockLives>;

/// Costs O(blocks + changes of all arrays) for each thread, and reads no text. nullptr if cancelled. `tokens` tell
/// where a silent clearing may have removed a block; without them the lives are those of the log.
[[nodiscard]] BlockLivesPtr blockLives(
    const SessionPtr &session, const BlockTokensPtr &tokens, unsigned threads, const Progress *progress);

/// `calls 12 to 126`, `call 12`, `call 12 to the end`, `the end`, `no call`, `call 12 to the end, unknown from call 18`
[[nodiscard]] std::string callsText(const BlockLife &life);
/// `typed, the message itself was last sent at call 126`, `last sent at call 49, then a summary replaced it`, `in
/// context at the end`, `never sent`, `unknown from call 18: a silent clearing may have removed it`
[[nodiscard]] std::string stateText(const Block &block, const BlockLife &life);

/// The same of a typed message that is traced: whether its words are in context, too: `typed, its words are in context
/// nowhere; the message itself was last sent at call 49, its words or a part of them at call 126`
[[nodiscard]] std::string stateText(
    const Block &block, const BlockLife &life, const ContextSpans &spans, const Trace &message);

} // namespace core
