// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/index/index_writer.h"

#include <atomic>
#include <unordered_map>

namespace core {

/// What the index knows of a file.
struct KnownFile {
    int64_t id = 0;
    uint64_t size = 0;
    int64_t changed = 0;
    std::string tail;
    bool isHead = false; ///< only both ends have been read
    bool isSeen = false;
};

/// By path.
[[nodiscard]] std::unordered_map<std::string, KnownFile> knownFiles(const IndexDatabase &database);

struct ChangedFile {
    const SessionFile *file = nullptr;
    const KnownFile *before = nullptr; ///< nullptr for a new file
};

/// Reads new and changed files into the list: first small new files, and both ends of large ones; then the rest.
class FileReading final {
public:
    FileReading(FileWriter &writer, IndexBatches &batches, const Prices &prices, bool isPricedAlike,
        const UpdateOptions &options)
        : m_writer(writer)
        , m_batches(batches)
        , m_prices(prices)
        , m_isPricedAlike(isPricedAlike)
        , m_options(options)
    {
    }

    /// `changed`: newest first. The files and the writer must outlive the batches.
    void run(const std::vector<ChangedFile> &changed, IndexUpdate &done);

private:
    template <typename Read>
    void forEach(const std::vector<ChangedFile> &files, const Read &read);
    void readHead(const SessionFile &file);
    void readWhole(const ChangedFile &changed);

    FileWriter &m_writer;
    IndexBatches &m_batches;
    const Prices &m_prices;
    bool m_isPricedAlike;
    const UpdateOptions &m_options;
    size_t m_count = 0;
    std::atomic<size_t> m_ready { 0 };
    std::atomic<uint64_t> m_bytes { 0 };
    std::atomic<size_t> m_heads { 0 };
    std::atomic<uint64_t> m_headBytes { 0 };
};

} // namespace core
