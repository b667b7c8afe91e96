// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/recorded_cache.h"
#include "core/money/cost.h"

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace core {

/// Predicted hit or miss against recorded hit or miss, for one pair of causes.
struct CacheTally {
    CacheCause predicted = CacheCause::None; ///< None: a hit was predicted
    CacheCause found = CacheCause::None;     ///< None: a hit was recorded
    size_t right = 0;                        ///< the read was predicted within a twentieth of the prompt
    size_t wrong = 0;
    uint64_t written = 0; ///< tokens that these calls wrote to the cache, recorded
};

/// What the cache model says of one file.
struct CacheFile {
    std::string file;
    std::string format;
    std::string rule; ///< of the provider, in words; empty where there is no model of this cache
    bool hasFigures = false;
    size_t calls = 0; ///< that record cache figures, without those of files before
    size_t right = 0;
    size_t firstCalls = 0; ///< those with nothing before them in the log: what they read others left
    size_t rightFirst = 0;
    size_t copies = 0; ///< calls that a file before had: a resumed session holds the one it goes on from
    SessionCost cost;  ///< of the whole file, copies included
};

/// The confusion table of the cache model over any number of sessions. A response counts once, in the first file that
/// holds it.
class CacheReport final {
public:
    void add(std::string file, const Session &session, const RecordedCache &cache, const Prices &prices);

    [[nodiscard]] const std::vector<CacheFile> &files() const { return m_files; }
    /// By predicted, then found cause.
    [[nodiscard]] std::vector<CacheTally> table() const;
    [[nodiscard]] CacheFile totals() const; ///< counts and costs only

private:
    std::vector<CacheFile> m_files;
    std::vector<CacheTally> m_table;
    std::set<std::string> m_responses;
};

/// A line a file, the confusion table below them, and the sum.
[[nodiscard]] std::string drawCache(const CacheReport &report);

} // namespace core
