// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/format.h"

namespace core {

std::string vformatted(std::string_view format, std::format_args arguments) { return std::vformat(format, arguments); }

} // namespace core
