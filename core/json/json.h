// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace core {

/// JSON of the program's own documents: policies, ledgers, reports. Members keep their order. Sessions are read with
/// JsonMembers and JsonTree instead.
using Json = nlohmann::ordered_json;

// These wrappers compile nlohmann's parser and writer once.

/// Discarded (`is_discarded()`) if the text is not JSON.
[[nodiscard]] Json parseJson(std::string_view text, bool allowsComments = false);

[[nodiscard]] bool isJson(std::string_view text);

/// Several lines with `indent` spaces a level, or one line if `indent` is -1. Invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string jsonText(const Json &json, int indent = 2);

} // namespace core
