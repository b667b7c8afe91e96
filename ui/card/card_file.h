// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/report/card.h"
#include "core/report/set_card.h"
#include "ui/look/theme.h"

#include <QString>

namespace ui {

/// Writes a card in the format of the path's extension: `.png` (`scale` pixels for each of its 1600 × 1000), `.svg` or
/// `.pdf`. Fails with Usage and lists the extensions. Needs a QGuiApplication for its fonts.
[[nodiscard]] core::Result<void> writeCard(
    const core::Card &card, Appearance appearance, const QString &path, double scale = 1);
/// The same for the card of many sessions.
[[nodiscard]] core::Result<void> writeCard(
    const core::SetCard &card, Appearance appearance, const QString &path, double scale = 1);

} // namespace ui
