// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/edits/edit_outcome.h"
#include "core/edits/file_bodies.h"
#include "core/edits/tool_changes.h"
#include "core/session/session.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// Where a change of a file comes from.
enum class EditOrigin : uint8_t {
    Tool,
    Shell,      ///< a command that writes, edits in place or removes
    ShellPatch, ///< `apply_patch` run by a shell
    Outside,    ///< nothing in the log made it: a later view or record shows other text than the log left there
};

/// Whether a rebuilt body is what the harness recorded beside the context.
enum class Agreement : uint8_t {
    NotRecorded, ///< or what is recorded cannot be compared with what is known
    Agrees,
    Differs, ///< the log does not account for the recorded text: the change outside the log before it tells
};

/// One change of one file.
struct Edit {
    EditOrigin origin = EditOrigin::Tool;
    ChangeKind kind = ChangeKind::Rewrite;
    EditOutcome outcome = EditOutcome::Landed;
    Agreement agreement = Agreement::NotRecorded;
    bool isFromRecord = false; ///< the bodies rest on what the harness recorded beside the context
    bool isAfterSeen = false;  ///< `after` is not what the call tells, but what the file was next seen to hold
    bool isCountKnown = false; ///< of `added` and `removed`; else they are at least that many
    ThreadIndex thread;
    CallIndex call;   ///< the model call that wrote it; invalid for changes outside the log
    BlockId use;      ///< the tool call; of a change outside the log the block that last showed or made what was there
    BlockId result;   ///< its answer, invalid where there is none; the block that shows that the file had changed
    std::string path; ///< below the working folder relative to it, else absolute
    std::string movedTo;
    std::string copiedFrom;
    std::string command; ///< the program of a shell that made it: `black`, `git checkout`
    FileBody before;
    FileBody after;                          ///< of a change that did not land equal to `before`
    FileBody movedOver = FileBody::absent(); ///< what stood where it was moved to
    uint64_t added = 0;                      ///< lines
    uint64_t removed = 0;                    ///< lines
    std::vector<BlockId> basis; ///< of a patch: the blocks whose text its old lines are, as the body was rebuilt
};

/// All changes of files in a session.
struct Edits {
    SessionPtr session;
    std::vector<Edit> edits; ///< in the order in which they happened; the place of an edit here is its number

    /// Of an edit the one before and behind it on the same file, where they are; changes that did not land left out.
    [[nodiscard]] const Edit *previous(size_t edit) const;
    [[nodiscard]] const Edit *next(size_t edit) const;
};

/// Finds the edits of a session, main thread and subagents together in the order of time (independent runs, each for
/// itself), and rebuilds what each file held before and after. A body rests on what the context showed: reads,
/// commands that print a file, writes, edits on what was there. What was never shown is a gap. Where a harness records
/// the whole file or the lines around a change beside the context, the rebuilt body is compared with it
/// (`Edit::agreement`), and goes on from the record. A failed or interrupted edit changes nothing. What a command made
/// of a file without saying is unknown until the file is next seen as a whole; that is then the body after it.
/// Where a command names files by wildcards, those that match and that the agent changed have an edit each whose
/// outcome is Untold; of others that match nothing is known any more.
///
/// One pass over the blocks; costs O(tool calls and results + edits × size of their file). The bodies share their text
/// (see known_text.h). Nothing if cancelled.
[[nodiscard]] std::optional<Edits> findEdits(const SessionPtr &session, Progress *progress = nullptr);

} // namespace core
