// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_marks.h"
#include "core/cache/cache_model.h"

#include <vector>

namespace core {

/// One request of a replayed thread: the array that a policy sent, in numbers.
struct WireCall {
    double tokens = 0;    ///< the whole prompt
    uint32_t blocks = 0;  ///< size of the array
    double prelude = 0;   ///< tokens of system prompt and tools at the start of the prompt; 0 without a mark there
    double unchanged = 0; ///< tokens of the prefix that equals the previous request, system prompt and tools included
    CacheCause change = CacheCause::None;  ///< why `unchanged` is less than the whole previous request
    std::optional<Timestamp> sent;         ///< nullopt: as if no time had passed
    std::optional<Timestamp> responding;   ///< start of its response; nullopt: `sent`
    uint32_t model = 0;                    ///< equal numbers mean the same model
    uint32_t options = 0;                  ///< see CacheCall
    Timestamp lifetime = 0;                ///< of its writes; 0: the default
    std::optional<CacheMark> stableAnswer; ///< for MarkPlacement::StableAssistant: the end of the message with the mark
};

/// The cache of a replayed thread for some placements of marks. Each request continues the request before it, and costs
/// what CacheModel::add costs.
class WireCache final {
public:
    /// At most two placements, the one that stands in front first; with LastUsers one.
    WireCache(CacheRules rules, std::vector<MarkPlacement> placements)
        : m_model(rules)
        , m_placements(std::move(placements))
    {
    }

    CacheReading add(const WireCall &call);
    void clear()
    {
        m_model.clear();
        m_end = {};
    }

private:
    CacheModel m_model;
    std::vector<MarkPlacement> m_placements;
    CacheMark m_end; ///< of the previous request
};

} // namespace core
