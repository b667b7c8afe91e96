// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/memory_folder.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace testing {

using Lines = std::vector<std::string>;

/// A folder of files, removed at the end.
class Folder final {
public:
    [[nodiscard]] std::filesystem::path path() const { return m_folder.path().toStdString(); }
    std::filesystem::path write(const std::string &name, std::string_view bytes) const
    {
        const std::filesystem::path file = path() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }
    [[nodiscard]] core::MemoryFolderPtr read() const
    {
        const auto files = core::memoryFiles(path());
        return files ? std::make_shared<core::MemoryFolder>(path(), *files) : nullptr;
    }

    /// A file about each animal, and some about none.
    void writeAnimals() const
    {
        for (const std::string animal : { "heron", "otter", "badger", "lynx", "newt", "wolf", "ibex", "hare", "mole" })
            write(animal + ".md", "# About the " + animal + "\n\nWhere it lives.\n");
    }

private:
    QTemporaryDir m_folder;
};

/// The paths of tags.
inline Lines pathsOf(Lines tags)
{
    for (std::string &each : tags)
        each.resize(std::min(each.find(": "), each.size()));
    return tags;
}

} // namespace testing
