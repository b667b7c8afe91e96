// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/array_reading.h"
#include "ui/look/theme.h"

#include <QPointF>

#include <optional>
#include <vector>

class QPainter;

namespace ui {

class ViewState;

/// The cache read of one column of the array, by slot and as text.
class ColumnCache final {
public:
    enum class Part : uint8_t { Read, InPart, New };

    ColumnCache(core::ArrayReading reading, const core::Transcript &array);

    [[nodiscard]] const core::ArrayReading &reading() const { return m_reading; }
    [[nodiscard]] Part partOf(core::SlotIndex slot) const;
    /// Share of a slot that was read from the cache.
    [[nodiscard]] double readShareOf(core::SlotIndex slot) const;
    [[nodiscard]] bool isMarked(core::SlotIndex slot) const;
    /// Slots with a breakpoint, ascending.
    [[nodiscard]] const std::vector<core::SlotIndex> &marked() const { return m_marked; }
    /// True if less was read than the previous call left in the cache.
    [[nodiscard]] bool isBroken() const { return core::breaksCache(m_reading.cause); }

    /// The cache read of the whole column: `cache read 97.2 %`, `cache read 12.0 %: broken, compaction`.
    [[nodiscard]] QString words() const;
    /// The cache read of one slot: `read from the cache, cache mark`.
    [[nodiscard]] QString wordsOf(core::SlotIndex slot) const;

private:
    core::ArrayReading m_reading;
    std::vector<core::SlotIndex> m_marked; ///< ascending
};

/// The cache read of the `before` array, as recorded by its call; nullopt if unknown or without a model of this cache.
[[nodiscard]] std::optional<ColumnCache> cacheOfBefore(const ViewState &state);
/// The cache read of the `after` array: as recorded by the call after a compaction, or under a policy.
[[nodiscard]] std::optional<ColumnCache> cacheOfAfter(const ViewState &state);

/// Paints a breakpoint: a small wedge on the edge of a slot, pointing at its end.
void paintBreakpoint(QPainter &painter, const Theme &theme, QPointF tip);

} // namespace ui
