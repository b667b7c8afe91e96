// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace core {

/// A block that gets another text. Of a tool call the text is its arguments as JSON (where the file holds them as a
/// string, any text will do).
struct BlockReplacement {
    BlockId block;
    std::string text;
};

/// A message that the session did not have, before one that it has.
struct MessageInsertion {
    MessageId before;
    Role role = Role::User; ///< User, Assistant or System; where the format has no system messages, a user's
    std::string text;
    bool isSummary = false; ///< written as a compaction's own, where the format can say so
};

/// What is to become of a session file, said of the blocks and messages of its session.
struct SpliceEdits {
    /// The array that the edits concern. That of a call becomes the one at the end of its thread: what came later
    /// leaves the file. Nothing: the end of the thread of the first edit.
    std::optional<Position> at;
    std::vector<BlockReplacement> replacements;
    std::vector<BlockId> droppedBlocks;
    std::vector<MessageId> droppedMessages;   ///< with all their blocks
    std::vector<MessageInsertion> insertions; ///< several before one message stand in the order given

    [[nodiscard]] bool isEmpty() const
    {
        return endsWithThread() && replacements.empty() && droppedBlocks.empty() && droppedMessages.empty()
            && insertions.empty();
    }
    /// Nothing is cut off.
    [[nodiscard]] bool endsWithThread() const { return !at || at->isEnd(); }
};

/// `length` bytes at `at` of the new file stand for `originalSize` bytes at `originalOffset` of the old one.
struct InverseSplice {
    uint64_t at = 0;
    uint64_t length = 0;
    uint64_t originalOffset = 0;
    uint64_t originalSize = 0;
    friend bool operator==(const InverseSplice &, const InverseSplice &) = default;
};

/// An edit that the file cannot hold and that was therefore left out.
struct SpliceProblem {
    BlockId block;     ///< invalid if it concerns a message as a whole
    MessageId message; ///< the message of the block, or the one dropped or inserted before
    std::string sentence;
};

/// A session file with changes, and how to take them back.
struct Spliced {
    std::string bytes;
    std::vector<InverseSplice> inverse;  ///< by `at`, not overlapping; the bytes between them are those of the old file
    std::vector<SpliceProblem> problems; ///< edits that were left out
    std::vector<std::string> notes;      ///< what else is to be known about the new file
};

/// Writes the session's file with `edits`: every byte outside of the changed values is kept. Without edits the bytes
/// are those of the file. Texts keep their coding; a result that is a list of parts becomes a string. A dropped block
/// takes the largest JSON value along that holds nothing else of the session; a dropped message its record, and in
/// Claude Code the records that hang on it hang on its parent then. Copies of a tool call beside the call (LangChain)
/// change with it.
///
/// In a recording of requests, which repeats its messages, one request is the array, the last one of the thread or that
/// of the call: the new file holds this request alone, changed. Of a history that Codex replaced, the new history is
/// changed.
///
/// Of a session that is to end at a call (`SpliceEdits::at`) everything leaves that came into the thread later
/// (splice_cut.h); in a file of records all that stands behind, but for what belongs to other threads.
///
/// The result was read again, and the arrays at the end of all threads are what they should be; if they are not, for
/// whatever reason, this is an error of kind Internal with a sentence. Other errors: the file has changed on disk.
/// Costs reading the file once or twice. The source of a compressed file is its unpacked content, and so is the result.
[[nodiscard]] Result<Spliced> spliceSession(const Session &session, const SpliceEdits &edits);

/// The bytes before the splices: `original` gives the removed bytes of each, in order.
[[nodiscard]] Result<std::string> unsplice(
    std::string_view bytes, std::span<const InverseSplice> inverse, std::span<const std::string_view> originals);

} // namespace core
