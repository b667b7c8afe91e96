// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "ui/look/theme.h"

#include <QPointF>

class QPainter;

namespace ui {

/// The mark for what became of a slot, around `at`, 9 pixels wide. A slot that was kept, summarised or added has none.
void paintFateMark(QPainter &painter, const Theme &theme, core::Fate fate, QPointF at);

} // namespace ui
