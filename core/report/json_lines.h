// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace core {

/// Calls `take` with the document of each line that is not empty and with its place, `file:line`. Stops at the first
/// error. Where members are missing or have a wrong type, `take` may let the library throw: the error names the line.
[[nodiscard]] Result<void> eachJsonLine(std::string_view lines, const std::string &file,
    const std::function<Result<void>(const nlohmann::ordered_json &line, const std::string &where)> &take);

/// Fails unless `line` is a document of this schema.
[[nodiscard]] Result<void> checkSchema(
    const nlohmann::ordered_json &line, std::string_view schema, const std::string &where);

} // namespace core
