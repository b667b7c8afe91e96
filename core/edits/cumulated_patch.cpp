// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/cumulated_patch.h"

#include "core/diff/unified_patch.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace core {

namespace {

/// The first and the last body of a file.
struct Life {
    std::string path;
    FileBody before;
    FileBody after;
};

/// In the order of the first edits.
std::vector<Life> livesOf(const Edits &edits)
{
    std::vector<Life> lives;
    std::unordered_map<std::string, size_t> places;
    const auto lifeOf = [&](const std::string &path, const FileBody &before) -> Life & {
        const auto [place, isNew] = places.try_emplace(path, lives.size());
        if (isNew)
            lives.push_back({ path, before, before });
        return lives[place->second];
    };
    for (const Edit &edit : edits.edits) {
        if (edit.outcome != EditOutcome::Landed && edit.outcome != EditOutcome::Untold)
            continue;
        // A file that only others changed is none of the agent's.
        if (edit.origin == EditOrigin::Outside && !places.contains(edit.path))
            continue;
        Life &life = lifeOf(edit.path, edit.before);
        life.after = edit.movedTo.empty() ? edit.after : FileBody::absent();
        if (!edit.movedTo.empty())
            lifeOf(edit.movedTo, FileBody::absent()).after = edit.after;
    }
    return lives;
}

std::optional<std::string> textOf(const FileBody &body)
{
    return body.isAbsent ? std::nullopt : std::optional(body.text.flat());
}

} // namespace

Result<CumulatedPatch> cumulatedPatch(const Edits &edits)
{
    CumulatedPatch patch;
    for (const Life &life : livesOf(edits)) {
        const bool isElsewhere
            = life.path.starts_with('/') || life.path.starts_with('~') || life.path.starts_with("..");
        if (isElsewhere || !life.before.isKnown() || !life.after.isKnown()) {
            patch.leftOut.push_back(life.path);
            continue;
        }
        const auto before = textOf(life.before);
        const auto after = textOf(life.after);
        const auto made = unifiedPatch(life.path, before, after);
        if (!made)
            return std::unexpected(made.error());
        if (made->empty())
            continue;
        patch.text += *made;
        patch.files.push_back(life.path);
    }
    return patch;
}

} // namespace core
