// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A recorded hunk. Lines have their sign and no line ends.
struct RecordedHunk {
    uint64_t beforeLine = 0; ///< 1-based
    uint64_t afterLine = 0;
    std::vector<std::string> lines;
};

/// A harness's record of a change, beside the context.
struct RecordedChange {
    std::string_view source;             ///< its name in the record: `originalFile`, `unified_diff`
    std::optional<std::string> original; ///< the whole file before the change, if recorded
    std::optional<std::string> after;    ///< the whole file after the change, if recorded
    bool isNewFile = false;
    std::vector<RecordedHunk> hunks;
};

/// Finds changes that harnesses record beside the context: Claude Code's `toolUseResult` (`originalFile`,
/// `structuredPatch`; for notebooks `original_file`, `updated_file`), Codex's `patch_apply_end` events, the `diff`
/// artifact of Open SWE's and Deep Agents' tools, pi's `details.diff`. For Codex sessions the constructor searches the
/// sources for events.
class RecordedChanges final {
public:
    explicit RecordedChanges(const Session &session);

    /// The record about the file `path` with the tool result `result`, or with its call's id. Costs O(record).
    [[nodiscard]] std::optional<RecordedChange> find(const Block &result, std::string_view path) const;

    /// Whether Codex recorded that the patch was not applied. The tool result may not say so.
    [[nodiscard]] bool tellsFailure(const Block &result) const;

private:
    [[nodiscard]] std::optional<RecordedChange> ofEvent(const Block &result, std::string_view path) const;

    const Session &m_session;
    std::map<std::string, std::string_view, std::less<>> m_patchEvents; ///< `changes`, by call id
    std::set<std::string, std::less<>> m_failedPatches;                 ///< by call id
};

/// The hunks of a unified diff.
[[nodiscard]] std::vector<RecordedHunk> parseUnifiedDiff(std::string_view diff);

} // namespace core
