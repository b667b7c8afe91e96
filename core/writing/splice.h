// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace core {

/// A new text for a block. For a tool call the text is its arguments as JSON (any text, if the file holds the arguments
/// as a string).
struct BlockReplacement {
    BlockId block;
    std::string text;
};

/// A new message in front of an existing one, or behind the last one of the array.
struct MessageInsertion {
    MessageId before;       ///< the message before which it is inserted; if `isBehind`, after which
    Role role = Role::User; ///< User, Assistant or System; User in formats without system messages
    std::string text;
    bool isSummary = false; ///< marked as a compaction's summary, if the format can express that
    bool isBehind = false;  ///< behind the message, which is the last one of the array and stays
};

/// The edits of a session file, in terms of the session's blocks and messages.
struct SpliceEdits {
    /// The array that the edits refer to. If it is the array of a call, it becomes the final array of its thread:
    /// everything later is removed from the file. nullopt: the final array of the thread of the first edit.
    std::optional<Position> at;
    std::vector<BlockReplacement> replacements;
    std::vector<BlockId> droppedBlocks;
    std::vector<MessageId> droppedMessages;   ///< removed with all their blocks
    std::vector<MessageInsertion> insertions; ///< several in front of one message keep their order

    [[nodiscard]] bool isEmpty() const
    {
        return endsWithThread() && replacements.empty() && droppedBlocks.empty() && droppedMessages.empty()
            && insertions.empty();
    }
    /// True if the new file keeps everything up to the end of the thread.
    [[nodiscard]] bool endsWithThread() const { return !at || at->isEnd(); }
};

/// `length` bytes at `at` of the new file replace `originalSize` bytes at `originalOffset` of the old one.
struct InverseSplice {
    uint64_t at = 0;
    uint64_t length = 0;
    uint64_t originalOffset = 0;
    uint64_t originalSize = 0;
    friend bool operator==(const InverseSplice &, const InverseSplice &) = default;
};

/// An edit that was left out because the file cannot hold it.
struct SpliceProblem {
    BlockId block;     ///< invalid if it concerns a whole message
    MessageId message; ///< the block's message, or the message that was dropped or inserted before
    std::string sentence;
};

/// An edited session file, and how to undo the edits.
struct Spliced {
    std::string bytes;
    std::vector<InverseSplice> inverse;  ///< sorted by `at`, not overlapping; all other bytes are those of the old file
    std::vector<SpliceProblem> problems; ///< edits that were left out
    std::vector<std::string> notes;      ///< other facts about the new file
};

/// Writes the session's file with `edits`; every byte outside of the changed values is kept. Without edits the file is
/// unchanged. Texts keep their coding; a result that is a list of parts becomes a string. A dropped block removes the
/// largest JSON value that holds nothing else of the session. A dropped message removes its record; in Claude Code its
/// child records get its parent. LangChain stores a tool call twice in a message; both copies change.
///
/// A recording of requests repeats its messages, so the array is one request: the last one of the thread, or that of
/// the call. The new file holds this request only, changed. If Codex replaced its history, the edits go to
/// the new history.
///
/// In Gemini CLI's log, later records replace earlier ones. So a changed file holds the records of the array alone.
///
/// If the session is to end at a call (`SpliceEdits::at`), everything that entered the thread later is removed
/// (splice_cut.h). In a file of records these are all later records, except those of other threads.
///
/// The result is verified by reading it: the final arrays of all threads must be as expected. Fails with Internal and a
/// sentence if they are not, for whatever reason; also fails if the file has changed on disk. Costs reading the file
/// once or twice. For a compressed file, source and result are the unpacked content.
[[nodiscard]] Result<Spliced> spliceSession(const Session &session, const SpliceEdits &edits);

/// Restores the bytes before the splices. `originals` are the removed bytes of each splice, in order.
[[nodiscard]] Result<std::string> unsplice(
    std::string_view bytes, std::span<const InverseSplice> inverse, std::span<const std::string_view> originals);

} // namespace core
