// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/index_options.h"

#include "app/session_options.h"
#include "core/base/readable_folder.h"

namespace app {

namespace {

core::Result<core::SessionIndex> updated(
    core::Result<core::SessionIndex> index, const core::SessionPlaces &places, const core::Prices &prices)
{
    if (!index)
        return index;
    if (const auto done = index->update(places, prices, { threadCount(), nullptr, {} }); !done)
        return std::unexpected(done.error());
    return index;
}

} // namespace

core::Result<core::SessionPlaces> placesOf(std::span<const std::string> folders)
{
    if (folders.empty())
        return core::SessionPlaces::known();
    core::SessionPlaces places;
    for (const std::string &folder : folders) {
        if (const auto readable = core::readableFolder(folder); !readable)
            return std::unexpected(readable.error());
        places.folders.emplace_back(folder);
    }
    return places;
}

core::Result<core::SessionIndex> updatedIndex(
    std::span<const std::string> folders, const core::Prices &prices, bool isKept)
{
    const auto places = placesOf(folders);
    if (!places)
        return std::unexpected(places.error());
    if (folders.empty() && isKept) {
        auto kept = updated(core::SessionIndex::open(core::indexFolder()), *places, prices);
        if (kept)
            return kept;
        note(kept.error().sentence() + " This run reads all sessions.");
    }
    return updated(core::SessionIndex::inMemory(), *places, prices);
}

void noteDamage(const core::SessionIndex &index)
{
    if (index.database().isDamaged())
        note("The index of sessions is damaged: sessions may be missing here. Start the command again to rebuild it.");
}

core::Result<std::string> latestSession(const std::string &project)
{
    auto index = core::SessionIndex::open(core::indexFolder());
    if (!index)
        index = core::SessionIndex::inMemory();
    if (!index)
        return std::unexpected(index.error());
    return index->latest(core::SessionPlaces::known(), project);
}

} // namespace app
