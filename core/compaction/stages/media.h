// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"

#include <map>
#include <optional>

namespace core::stages {

/// Moves the media of an evicted part into files, as Deep Agents does before it archives and summarises. One file per
/// distinct content, named by the first 16 hexadecimal digits of its SHA-256, and a reference in the archive. Only
/// base64 media are moved; URLs stay. Reads every image that `referenceTo` is called for.
class MediaFiles final {
public:
    explicit MediaFiles(StageRun &run)
        : m_run(run)
        , m_name(run.text("media"))
    {
    }

    /// The reference that replaces the element in the archive; nullopt if the element stays.
    [[nodiscard]] std::optional<std::string> referenceTo(const Draft::Element &element);
    /// Adds the files as artifacts of the run.
    void keep();

private:
    struct File {
        std::string bytes;
        std::vector<BlockId> blocks; ///< of the `before` array
    };

    StageRun &m_run;
    std::string m_name;
    std::map<std::string, File> m_files; ///< by name
};

} // namespace core::stages
