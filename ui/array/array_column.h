// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/session/slot_label.h"
#include "core/session/transcript.h"
#include "core/tokens/array_sums.h"
#include "ui/array/column_layout.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace ui {

/// How the array is laid out.
enum class ArrayMode {
    Slots,        ///< heights by weight
    Bars,         ///< one line each, length by weight, in array order
    BarsHeaviest, ///< one line each, the heaviest first
};

/// One item of a column: a slot, or a part of the sum beside the slots.
struct ArrayItem {
    enum class Kind : uint8_t { Prelude, Slot, Unlogged, NotSent, Remainder };
    Kind kind = Kind::Slot;
    core::SlotIndex slot; ///< valid for slots
    double weight = 0;    ///< its size, which the layout takes
    bool isLess = false;  ///< it is subtracted from the total

    [[nodiscard]] double signedWeight() const { return isLess ? -weight : weight; }
};

/// One column of the array: its items and their positions. Qt-free; labels are computed on demand.
class ArrayColumn final {
public:
    ArrayColumn() = default;
    ArrayColumn(const core::Transcript &transcript, const core::Weights &weights, const core::ArraySum &sum,
        std::optional<core::BlockRange> prelude, ArrayMode mode);

    [[nodiscard]] const core::Transcript &transcript() const { return *m_transcript; }
    [[nodiscard]] const std::vector<ArrayItem> &items() const { return m_items; }
    [[nodiscard]] const std::vector<double> &weights() const { return m_weights; }
    [[nodiscard]] double heaviest() const { return m_heaviest; }
    /// What the items add up to: the total of the array.
    [[nodiscard]] double wholeWeight() const { return m_wholeWeight; }
    [[nodiscard]] size_t itemOf(core::SlotIndex slot) const;
    /// The first block of the slot when the column was made, even if the picture has changed since.
    [[nodiscard]] core::BlockId firstBlockOf(core::SlotIndex slot) const { return m_firstBlocks[slot.index()]; }

    /// Lays the items out; in the bar modes every item is one line.
    void lay(double line, double gap, double scale);
    [[nodiscard]] const ColumnLayout &layout() const { return m_layout; }

    [[nodiscard]] const core::SlotLabel &label(core::SlotIndex slot) const;
    [[nodiscard]] core::Material material(core::SlotIndex slot) const;

private:
    const core::Transcript *m_transcript = nullptr; ///< owned by the picture that the column was made for
    std::vector<ArrayItem> m_items;
    std::vector<double> m_weights;
    std::vector<uint32_t> m_itemOfSlot;
    std::vector<core::BlockId> m_firstBlocks; ///< by slot
    double m_heaviest = 0;
    double m_wholeWeight = 0;
    ArrayMode m_mode = ArrayMode::Slots;
    ColumnLayout m_layout;
    mutable std::unordered_map<uint32_t, core::SlotLabel> m_labels;
    mutable std::vector<int8_t> m_materials; ///< by slot; -1: not computed yet
};

/// The fate of a slot of the `before` array.
struct SlotFate {
    core::Fate kind = core::Fate::Dropped;
    core::SlotIndex target; ///< in the `after` array; invalid if dropped
};

/// The fate of every slot of `before`: kept if its messages are in `after`, shortened if they weigh less there,
/// summarised if they are gone and `after` begins with a summary, else dropped.
[[nodiscard]] std::vector<SlotFate> fatesOf(
    const core::Transcript &before, const core::Transcript &after, const core::Weights &weights);
/// The same from a simulated or observed compaction, which knows the fates.
[[nodiscard]] std::vector<SlotFate> fatesOf(const core::Compaction &compaction);

} // namespace ui
