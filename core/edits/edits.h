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

/// The origin of a file change.
enum class EditOrigin : uint8_t {
    Tool,
    Shell,      ///< a command that writes, edits in place or removes
    ShellPatch, ///< `apply_patch` run by a shell
    Outside,    ///< not in the log: a later view or record shows other text than the log left in the file
};

/// Whether a rebuilt body equals what the harness recorded beside the context.
enum class Agreement : uint8_t {
    NotRecorded, ///< nothing is recorded, or nothing known to compare it with
    Agrees,
    Differs, ///< the log does not explain the recorded text; a change with EditOrigin::Outside precedes the edit
};

/// One change of one file.
struct Edit {
    EditOrigin origin = EditOrigin::Tool;
    ChangeKind kind = ChangeKind::Rewrite;
    EditOutcome outcome = EditOutcome::Landed;
    Agreement agreement = Agreement::NotRecorded;
    bool isFromRecord = false; ///< the bodies come from what the harness recorded beside the context
    bool isAfterSeen = false;  ///< `after` comes from the next view of the file, as the call does not show it
    bool isCountKnown = false; ///< `added` and `removed` are exact; else lower bounds
    ThreadIndex thread;
    CallIndex call;   ///< the model call that wrote it; invalid for changes outside of the log
    BlockId use;      ///< the tool call; for changes outside of the log the block that last showed or made the previous
                      ///< text
    BlockId result;   ///< its tool result, or invalid; for changes outside of the log the block that shows the new text
    std::string path; ///< relative if below the working folder, else absolute
    std::string movedTo;
    std::string copiedFrom;
    std::string command; ///< the shell program that made it: `black`, `git checkout`
    FileBody before;
    FileBody after;                          ///< equal to `before` if the change did not land
    FileBody movedOver = FileBody::absent(); ///< the file at the target that a move replaced
    uint64_t added = 0;                      ///< lines
    uint64_t removed = 0;                    ///< lines
    std::vector<BlockId> basis;              ///< for a patch: the blocks that its old lines come from
};

/// All file changes of a session.
struct Edits {
    SessionPtr session;
    std::vector<Edit> edits; ///< in chronological order; the index is the number of the edit

    /// The landed edit before or after this one on the same file, or nullptr.
    [[nodiscard]] const Edit *previous(size_t edit) const;
    [[nodiscard]] const Edit *next(size_t edit) const;
};

/// Finds the edits of a session and rebuilds each file before and after them. Main thread and subagents are ordered by
/// time together; each independent run is handled separately. A body is built from what the context showed: reads,
/// commands that print a file, writes, and edits of known text. Text that was never shown is a gap. Some harnesses
/// store the file, or the lines around a change, outside the context. The rebuilt body is compared with this copy
/// (`Edit::agreement`), then continues with the copy. Failed and interrupted edits change nothing. After a command with
/// an unknown effect the body is unknown until the next complete view of the file. This view is then the body after the
/// command. If a command names files by wildcards, each matching file that the agent changed gets an edit with outcome
/// Untold; other matching files become unknown.
///
/// One pass over the blocks: O(tool calls and results + edits × size of their file). The bodies share their text (see
/// known_text.h). nullopt if cancelled.
[[nodiscard]] std::optional<Edits> findEdits(const SessionPtr &session, Progress *progress = nullptr);

/// What the tool call of an edit asked for in its file. Costs O(arguments).
[[nodiscard]] std::vector<FileChange> askedChanges(const Session &session, const Edit &edit);

} // namespace core
