// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// The document `palimpsest.formats/1`: id, title and notes of every format that can be read, and whether its reader
/// was tried on recorded sessions.
[[nodiscard]] nlohmann::ordered_json formatsJson();

/// The same for people, two lines for each.
[[nodiscard]] std::string drawFormats();

} // namespace core
