// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/panel.h"

#include <vector>

/// All panels, in the order of their tabs and pictures. To add a panel, write a file with a Panel and a function
/// `PanelKind NAME()`, and name that function here.
#define PALIMPSEST_PANELS(PANEL)                                                                                       \
    PANEL(outlinePanel)                                                                                                \
    PANEL(findingsPanel)                                                                                               \
    PANEL(messagePanel)                                                                                                \
    PANEL(searchPanel)                                                                                                 \
    PANEL(weightPanel)                                                                                                 \
    PANEL(callsPanel)                                                                                                  \
    PANEL(compactionsPanel)                                                                                            \
    PANEL(typedPanel)                                                                                                  \
    PANEL(bookmarksPanel)                                                                                              \
    PANEL(policyPanel)                                                                                                 \
    PANEL(rewritesPanel)

namespace ui {

#define PALIMPSEST_DECLARE_PANEL(name) [[nodiscard]] PanelKind name();
PALIMPSEST_PANELS(PALIMPSEST_DECLARE_PANEL)
#undef PALIMPSEST_DECLARE_PANEL

/// The rows of the table above.
[[nodiscard]] const std::vector<PanelKind> &panelKinds();

} // namespace ui
