// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace core {

/// The documents of the program: policies, ledgers, reports. Members stay in their order. Sessions are read by other
/// means.
using Json = nlohmann::ordered_json;

// What reads and writes documents is compiled once, here.

/// Discarded (`is_discarded()`) if the text is not JSON.
[[nodiscard]] Json parseJson(std::string_view text, bool allowsComments = false);

[[nodiscard]] bool isJson(std::string_view text);

/// Over lines, indented by so many blanks, or in one line with -1. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string jsonText(const Json &json, int indent = 2);

} // namespace core
