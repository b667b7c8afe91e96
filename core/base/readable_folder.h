// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

namespace core {

/// Succeeds for a folder whose files can be listed; else an error that says why it is not.
[[nodiscard]] Result<void> readableFolder(const std::string &folder);

} // namespace core
