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

/// The read of a provider's cache for one column of the array, by slot and in words.
class ColumnCache final {
public:
    enum class Part : uint8_t { Read, InPart, New };

    ColumnCache(core::ArrayReading reading, const core::Transcript &array);

    [[nodiscard]] const core::ArrayReading &reading() const { return m_reading; }
    [[nodiscard]] Part partOf(core::SlotIndex slot) const;
    /// How much of a slot was read from the cache.
    [[nodiscard]] double readShareOf(core::SlotIndex slot) const;
    [[nodiscard]] bool isMarked(core::SlotIndex slot) const;
    /// Slots with a breakpoint, ascending.
    [[nodiscard]] const std::vector<core::SlotIndex> &marked() const { return m_marked; }
    /// Less was read than the call before left in the cache.
    [[nodiscard]] bool isBroken() const { return core::breaksCache(m_reading.cause); }

    /// Of the whole column: `cache read 97.2 %`, `cache read 12.0 %: broken, compaction`.
    [[nodiscard]] QString words() const;
    /// Of one slot: `read from the cache, cache breakpoint`.
    [[nodiscard]] QString wordsOf(core::SlotIndex slot) const;

private:
    core::ArrayReading m_reading;
    std::vector<core::SlotIndex> m_marked; ///< ascending
};

/// The cache read of the array before, as its call was recorded; nothing if that is unknown, or without a model of this
/// cache.
[[nodiscard]] std::optional<ColumnCache> cacheOfBefore(const ViewState &state);
/// Of the array beside it: as recorded with the call behind a compaction, or as a policy would have it.
[[nodiscard]] std::optional<ColumnCache> cacheOfAfter(const ViewState &state);

/// The sign of a breakpoint: a small wedge on the edge of a slot, that points at its end.
void paintBreakpoint(QPainter &painter, const Theme &theme, QPointF tip);

} // namespace ui
