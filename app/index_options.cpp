// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/index_options.h"

#include "app/session_options.h"
#include "core/base/readable_folder.h"

namespace app {

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
    auto index
        = folders.empty() && isKept ? core::SessionIndex::open(core::indexFolder()) : core::SessionIndex::inMemory();
    if (!index)
        return index;
    if (const auto updated = index->update(*places, prices, { threadCount(), nullptr, {} }); !updated)
        return std::unexpected(updated.error());
    return index;
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
