// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/composition.h"

#include "core/base/rounded_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {

using core::Material;

namespace {

constexpr double kGapBeforeLess = 5; ///< pixels

constexpr std::array<Material, core::kMaterialCount> kMaterialOrder { Material::System, Material::Prose,
    Material::ToolRequest, Material::Bulk, Material::Arguments, Material::Thinking, Material::Image,
    Material::Summary };

Material groupOf(const core::Transcript &transcript, const core::Slot &slot, core::BlockId block, ColourBy colourBy)
{
    return colourBy == ColourBy::Role ? materialOfRole(transcript, slot)
                                      : core::materialOf(*transcript.session(), transcript.block(block));
}

} // namespace

std::vector<CompositionPart> compositionOf(const ArrayColumn &column, const core::Weights &weights, ColourBy colourBy)
{
    std::array<double, core::kMaterialCount> materials {};
    std::vector<CompositionPart> parts;
    const auto addBeside = [&](auto isWanted) {
        for (const ArrayItem &item : column.items()) {
            if (item.kind != ArrayItem::Kind::Slot && item.weight > 0 && isWanted(item))
                parts.push_back({ item.kind, Material::Prose, item.signedWeight() });
        }
    };
    addBeside([](const ArrayItem &item) { return item.kind == ArrayItem::Kind::Prelude; });
    const core::Transcript &transcript = column.transcript();
    for (const core::Slot &slot : transcript.slots()) {
        for (const core::BlockId id : transcript.blocksOf(slot))
            materials[static_cast<size_t>(groupOf(transcript, slot, id, colourBy))]
                += weights.of(*transcript.session(), id);
    }
    for (const Material material : kMaterialOrder) {
        if (const double weight = materials[static_cast<size_t>(material)]; weight > 0)
            parts.push_back({ ArrayItem::Kind::Slot, material, weight });
    }
    addBeside([](const ArrayItem &item) { return item.kind == ArrayItem::Kind::Unlogged; });
    addBeside([](const ArrayItem &item) { return item.kind == ArrayItem::Kind::Remainder && !item.isLess; });
    addBeside([](const ArrayItem &item) { return item.isLess; });
    if (column.wholeWeight() <= 0)
        return parts;
    std::vector<double> percents;
    for (const CompositionPart &part : parts)
        percents.push_back(part.weight * 100 / column.wholeWeight());
    const std::vector<long long> rounded = core::roundedParts(percents, 100);
    for (size_t i = 0; i < parts.size(); ++i)
        parts[i].percent = static_cast<int>(rounded[i]);
    return parts;
}

std::vector<CompositionPiece> compositionPieces(const std::vector<CompositionPart> &parts, double left, double right)
{
    double whole = 0;
    for (const CompositionPart &part : parts)
        whole += std::abs(part.weight);
    const auto less = std::ranges::find_if(parts, [](const CompositionPart &part) { return part.weight < 0; });
    const double gap = less == parts.end() || less == parts.begin() ? 0 : kGapBeforeLess;
    const double scale = whole > 0 ? std::max(0.0, right - left - gap) / whole : 0;
    std::vector<CompositionPiece> pieces;
    double at = left;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (gap > 0 && i == static_cast<size_t>(less - parts.begin()))
            at += gap;
        const double next = at + std::abs(parts[i].weight) * scale;
        pieces.push_back({ i, at, next });
        at = next;
    }
    return pieces;
}

std::vector<core::SlotIndex> slotsWith(const core::Transcript &transcript, Material material, ColourBy colourBy)
{
    std::vector<core::SlotIndex> found;
    for (size_t i = 0; i < transcript.slotCount(); ++i) {
        const core::Slot &slot = transcript.slots()[i];
        const auto isOf = [&](core::BlockId id) { return groupOf(transcript, slot, id, colourBy) == material; };
        if (std::ranges::any_of(transcript.blocksOf(slot), isOf))
            found.emplace_back(i);
    }
    return found;
}

} // namespace ui
