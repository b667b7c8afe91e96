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

/// A hunk as a harness recorded it; lines with their sign, without their line ends.
struct RecordedHunk {
    uint64_t beforeLine = 0; ///< 1-based
    uint64_t afterLine = 0;
    std::vector<std::string> lines;
};

/// What a harness recorded of a change beside the context.
struct RecordedChange {
    std::string_view source;             ///< what the record is called there: `originalFile`, `unified_diff`
    std::optional<std::string> original; ///< the whole file before
    std::optional<std::string> after;    ///< the whole file after
    bool isNewFile = false;
    std::vector<RecordedHunk> hunks;
};

/// Finds what harnesses record beside the context of a session: Claude Code's `toolUseResult` (`originalFile`,
/// `structuredPatch`; of notebooks `original_file`, `updated_file`), Codex's `patch_apply_end` events, the `diff`
/// artifact of Open SWE's and Deep Agents' tools, pi's `details.diff`. Making one costs a search for Codex's events
/// over the sources of its format.
class RecordedChanges final {
public:
    explicit RecordedChanges(const Session &session);

    /// What is recorded with the answer `result`, or under its call's id, of the file `path`. Costs O(record).
    [[nodiscard]] std::optional<RecordedChange> find(const Block &result, std::string_view path) const;

    /// Codex recorded that a patch was not applied; its answer may not say so.
    [[nodiscard]] bool tellsFailure(const Block &result) const;

private:
    [[nodiscard]] std::optional<RecordedChange> ofEvent(const Block &result, std::string_view path) const;

    const Session &m_session;
    std::map<std::string, std::string_view, std::less<>> m_patchEvents; ///< `changes` by call id
    std::set<std::string, std::less<>> m_failedPatches;                 ///< call ids
};

/// The hunks of a unified diff.
[[nodiscard]] std::vector<RecordedHunk> parseUnifiedDiff(std::string_view diff);

} // namespace core
