// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_column.h"
#include "ui/look/slot_colour.h"

#include <vector>

namespace ui {

/// A part of what an array is made of: all texts of one material or role in its slots, or a part of the sum beside
/// them.
struct CompositionPart {
    ArrayItem::Kind kind = ArrayItem::Kind::Slot;    ///< Slot: texts of `material`
    core::Material material = core::Material::Prose; ///< by role: see `materialOfRole`
    double weight = 0;                               ///< negative: subtracted from the total
    int percent = 0;                                 ///< of the total; those of all parts add up to 100

    [[nodiscard]] bool isMaterial() const { return kind == ArrayItem::Kind::Slot; }
};

/// The parts of a column: prelude, materials (or roles, if the slots have their colours), unlogged, remainder, and what
/// is subtracted. They add up to the column's whole weight. Parts of weight 0 are left out. O(blocks).
[[nodiscard]] std::vector<CompositionPart> compositionOf(
    const ArrayColumn &column, const core::Weights &weights, ColourBy colourBy = ColourBy::Material);

/// Where a part is drawn, in pixels.
struct CompositionPiece {
    size_t part = 0;
    double left = 0;
    double right = 0;

    [[nodiscard]] double width() const { return right - left; }
};

/// The pieces of a bar from `left` to `right`, all to one scale. Subtracted parts come last, after a gap: they are
/// outside the sum.
[[nodiscard]] std::vector<CompositionPiece> compositionPieces(
    const std::vector<CompositionPart> &parts, double left, double right);

/// The slots with a text of this material, or of the role that it stands for, ascending.
[[nodiscard]] std::vector<core::SlotIndex> slotsWith(
    const core::Transcript &transcript, core::Material material, ColourBy colourBy = ColourBy::Material);

} // namespace ui
