// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_column.h"
#include "ui/array/column_cache.h"
#include "ui/array/composition.h"
#include "ui/array/slot_marks.h"
#include "ui/hub/view_state.h"

#include <QCoreApplication>

#include <optional>
#include <string>
#include <vector>

namespace ui {

enum class ArraySide { Before, After };

/// The data that an array view draws: a column for the array at the chosen call, one for the array after it (if there
/// is one), the fates that connect them, hot slots, cache reads and overrides. Reads the hubs on request. Knows no
/// pixels except for the layout of its columns.
class ArrayContent final {
    Q_DECLARE_TR_FUNCTIONS(ui::ArrayView)

public:
    explicit ArrayContent(ViewState &state)
        : m_state(state)
    {
    }

    [[nodiscard]] ViewState &state() const { return m_state; }
    [[nodiscard]] const Theme &theme() const { return m_state.theme(); }
    [[nodiscard]] ArrayMode mode() const { return m_mode; }
    void setMode(ArrayMode mode) { m_mode = mode; }

    /// Reads the picture without cache reads; the content is empty without a session.
    void readPicture();
    void readCache();
    /// Reads the hot slots of the picture alone.
    void countHot();
    /// Finds the call or the results that belong to the hovered block.
    void findPartners();
    void layOut(double line, double gap, double scale);

    [[nodiscard]] bool hasAfter() const { return m_after.has_value(); }
    /// Whether both arrays have the same slots: the compaction changes nothing.
    [[nodiscard]] bool isUnchanged() const
    {
        return hasAfter() && m_state.picture().made() && m_state.picture().made()->changesNothing();
    }
    [[nodiscard]] const ArrayColumn &before() const { return m_before; }
    [[nodiscard]] const ArrayColumn &after() const { return *m_after; }
    [[nodiscard]] const ArrayColumn &column(ArraySide side) const
    {
        return side == ArraySide::Before ? m_before : *m_after;
    }
    [[nodiscard]] const std::optional<ColumnCache> &cacheOf(ArraySide side) const
    {
        return side == ArraySide::Before ? m_cacheBefore : m_cacheAfter;
    }
    [[nodiscard]] const std::vector<CompositionPart> &compositionOf(ArraySide side) const
    {
        return side == ArraySide::Before ? m_compositionBefore : m_compositionAfter;
    }
    /// By slot of the `before` array; empty without an `after` array.
    [[nodiscard]] const std::vector<SlotFate> &fates() const { return m_fates; }
    /// The slot of the `before` array that `slotAfter` comes from, the first of several; invalid if it was added.
    [[nodiscard]] core::SlotIndex originOf(core::SlotIndex slotAfter) const;
    /// Prefix sums of the slot weights of the `before` array; n + 1 entries.
    [[nodiscard]] const std::vector<double> &beforeSums() const { return m_beforeSums; }
    /// Weight of all slots of the `after` array.
    [[nodiscard]] double slotsAfter() const { return m_slotsAfter; }

    /// nullptr if the slot is not hot.
    [[nodiscard]] const core::HotBlock *hotOf(core::SlotIndex slot) const;
    [[nodiscard]] bool hasHot(size_t firstItem, size_t lastItem) const;
    [[nodiscard]] bool isPartner(core::BlockId block) const;
    /// The heaviest block of a slot; invalid for other items.
    [[nodiscard]] core::BlockId blockOf(ArraySide side, const ArrayItem &item) const;
    /// A slot of the `after` array has the colour of its origin.
    [[nodiscard]] QColor colourOf(ArraySide side, const ArrayItem &item) const;
    /// The weight of a slot as text; exact if each of its blocks is.
    [[nodiscard]] std::string slotWeight(ArraySide side, const ArrayItem &item) const;
    /// Overrides of a slot; of the `after` array only texts by hand.
    [[nodiscard]] SlotOverride overrideOf(ArraySide side, core::SlotIndex slot) const;
    /// Whether a message of the slot has a bookmark.
    [[nodiscard]] bool isBookmarked(ArraySide side, core::SlotIndex slot) const
    {
        return bookmarkOf(side, slot).isValid();
    }
    /// `bookmark: NOTE` of such a slot.
    [[nodiscard]] QString bookmarkWords(ArraySide side, core::SlotIndex slot) const;
    /// True if a provider would refuse the slot; always false for the `before` array.
    [[nodiscard]] bool isViolated(ArraySide side, core::SlotIndex slot) const;
    [[nodiscard]] QString violationsOf(core::SlotIndex slotAfter) const;
    /// `shortened from 14,521`; empty for a slot that was kept.
    [[nodiscard]] QString changeOf(core::SlotIndex slotAfter) const;
    /// The cache read of a slot as text; empty if unknown.
    [[nodiscard]] QString cacheWordsOf(ArraySide side, core::SlotIndex slot) const;

private:
    /// The first block of the slot whose message has a bookmark; invalid if none has.
    [[nodiscard]] core::BlockId bookmarkOf(ArraySide side, core::SlotIndex slot) const;
    [[nodiscard]] QString summaryWords(core::SlotIndex slotAfter) const;
    void readAfter(std::optional<core::BlockRange> prelude);

    ViewState &m_state;
    ArrayMode m_mode = ArrayMode::Slots;
    ArrayColumn m_before;
    std::optional<ArrayColumn> m_after;
    std::vector<SlotFate> m_fates;
    std::vector<uint32_t> m_beforeOf; ///< by slot after: its origin, or -1
    std::vector<double> m_beforeSums;
    double m_slotsAfter = 0;
    std::optional<ColumnCache> m_cacheBefore;
    std::optional<ColumnCache> m_cacheAfter;
    std::vector<CompositionPart> m_compositionBefore;
    std::vector<CompositionPart> m_compositionAfter;
    /// By item: the number of hot items before it. Empty if the items are in array order.
    std::vector<uint32_t> m_hotSums;
    std::vector<core::BlockId> m_partners; ///< the call or results that belong to the hovered block
};

} // namespace ui
