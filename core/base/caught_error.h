// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

namespace core {

/// The exception that is being handled as an error of kind Internal. Call it in a `catch (...)` block only.
[[nodiscard]] Error caughtError();

} // namespace core
