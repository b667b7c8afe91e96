// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/slot_colour.h"

#include <algorithm>

namespace ui {

core::Material materialOfRole(const core::Transcript &transcript, const core::Slot &slot)
{
    switch (slot.role) {
    case core::Role::System:
        return core::Material::System;
    case core::Role::User:
        return transcript.block(transcript.blocksOf(slot).front()).kind == core::BlockKind::ToolResult
            ? core::Material::Bulk
            : core::Material::Summary;
    case core::Role::Assistant:
        return core::Material::ToolRequest;
    case core::Role::Tool:
        return core::Material::Bulk;
    }
    return core::Material::Prose;
}

namespace {

/// `share` from 0 to 1.
QColor mixed(const QColor &from, const QColor &to, double share)
{
    const auto mix = [&](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return { mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()) };
}

} // namespace

QColor slotColour(const Theme &theme, ColourBy colourBy, const core::Transcript &transcript, const core::Slot &slot,
    size_t messageCount)
{
    switch (colourBy) {
    case ColourBy::Material:
        return theme.of(core::materialOf(transcript, slot));
    case ColourBy::Role:
        return theme.of(materialOfRole(transcript, slot));
    case ColourBy::Age: {
        // The oldest slots are palest.
        const double newest = std::max<double>(1.0, static_cast<double>(messageCount) - 1);
        return mixed(theme.of(core::Material::Prose), theme.of(core::Material::Image),
            static_cast<double>(slot.id.value()) / newest);
    }
    }
    return theme.of(core::Material::Prose);
}

} // namespace ui
