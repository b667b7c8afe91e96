// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

#include <map>
#include <optional>

namespace core::stages {

/// Puts the media of an evicted part into files, as Deep Agents does before it archives and summarises: one file for
/// equal bytes, named by the first 16 hexadecimal digits of their SHA-256, and in the archive a reference to it. Only
/// what stands in the array as base64 is meant; addresses stay. Reads every image that it is asked for.
class MediaFiles final {
public:
    explicit MediaFiles(StageRun &run)
        : m_run(run)
        , m_name(run.text("media"))
    {
    }

    /// What stands for the element in the archive; nothing if it stays.
    [[nodiscard]] std::optional<std::string> referenceTo(const Draft::Element &element);
    /// The files become artifacts of the run.
    void keep();

private:
    struct File {
        std::string bytes;
        std::vector<BlockId> blocks; ///< of the array before
    };

    StageRun &m_run;
    std::string m_name;
    std::map<std::string, File> m_files; ///< by name
};

} // namespace core::stages
