// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_marks.h"
#include "core/cache/cache_model.h"

namespace core {

/// One request of a replayed thread: the array that a policy sent, in numbers.
struct WireCall {
    double tokens = 0;   ///< of the whole prompt
    uint32_t blocks = 0; ///< of the array
    double prelude = 0;  ///< tokens of system prompt and tools, with which the prompt begins
    double unchanged
        = 0; ///< tokens of the beginning that are as in the request before, system prompt and tools included
    CacheCause change = CacheCause::None;  ///< why that is not all of the request before
    std::optional<Timestamp> sent;         ///< nothing: no time passed
    std::optional<Timestamp> responding;   ///< when its response began; `sent` if not told
    uint32_t model = 0;                    ///< equal numbers are the same model
    uint32_t options = 0;                  ///< see CacheCall
    Timestamp lifetime = 0;                ///< of what it writes; 0: as long as is usual
    std::optional<CacheMark> stableAnswer; ///< for MarkPlacement::StableAssistant: the end of the message that it marks
};

/// The cache under a replayed thread whose harness places its marks in one way. Each request goes on from the one
/// before it; a request costs what CacheModel::add costs.
class WireCache final {
public:
    WireCache(CacheRules rules, MarkPlacement placement)
        : m_model(rules)
        , m_placement(placement)
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
    MarkPlacement m_placement;
    CacheMark m_end; ///< of the request before
};

} // namespace core
