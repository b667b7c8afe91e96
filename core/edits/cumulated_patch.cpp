// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/cumulated_patch.h"

#include "core/diff/unified_patch.h"

#include <optional>
#include <unordered_map>

namespace core {

namespace {

bool isBelowFolder(const std::string &path)
{
    return !path.starts_with('/') && !path.starts_with('~') && !path.starts_with("..");
}

std::optional<std::string> textOf(const FileBody &body)
{
    return body.isAbsent ? std::nullopt : std::optional(body.text.flat());
}

} // namespace

std::vector<FileLife> fileLives(const Edits &edits)
{
    std::vector<FileLife> lives;
    std::unordered_map<std::string, size_t> places;
    const auto lifeOf = [&](const std::string &path, const FileBody &before) -> FileLife & {
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
        for (const FileLife &each : fileLives(edit))
            lifeOf(each.path, each.before).after = each.after;
    }
    return lives;
}

std::vector<FileLife> fileLives(const Edit &edit)
{
    if (edit.movedTo.empty())
        return { { edit.path, edit.before, edit.after } };
    return { { edit.path, edit.before, FileBody::absent() }, { edit.movedTo, edit.movedOver, edit.after } };
}

Result<CumulatedPatch> patchOf(std::span<const FileLife> lives)
{
    CumulatedPatch patch;
    for (const FileLife &life : lives) {
        if (!isBelowFolder(life.path) || !life.before.isKnown() || !life.after.isKnown()) {
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

Result<CumulatedPatch> cumulatedPatch(const Edits &edits) { return patchOf(fileLives(edits)); }

} // namespace core
