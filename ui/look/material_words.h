// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/slot_label.h"

#include <QString>

namespace ui {

/// `files and output`
[[nodiscard]] QString materialName(core::Material material);
/// `File bodies, logs and the output of commands.`
[[nodiscard]] QString materialMeaning(core::Material material);

} // namespace ui
