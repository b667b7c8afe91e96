// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace core {

/// Counts what a shape could not hold unchanged, by kind.
class ShapeNotes final {
public:
    enum class Kind : uint8_t {
        BadBytes,
        FreeArguments,
        Opaque,
        DocumentAsText,
        MediaMoved,
        Order,
        Failures,
        NoSignature,
        LateSystem,
        Tools,
        Prelude,
        StrangeIds,
        LooseParts,
    };

    void count(Kind kind) { ++m_counts[kind]; }

    /// One sentence for each kind that was counted.
    [[nodiscard]] std::vector<std::string> sentences() const;

private:
    std::map<Kind, size_t> m_counts;
};

} // namespace core
