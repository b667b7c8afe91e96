// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/search.h"
#include "ui/look/theme.h"

#include <span>

class QPainter;
class QRect;

namespace ui {

/// Draws the line of a hit with the painter's font and colour, so that its match is seen. `marks`: the places in its
/// text that get a ground.
void paintSnippet(QPainter &painter, const QRect &place, const core::HitSnippet &snippet,
    std::span<const core::TextPlace> marks, const Theme &theme);

} // namespace ui
