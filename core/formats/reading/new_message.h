// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json_probe.h"
#include "core/session/splice_shape.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace core {

// Helpers for the `SpliceShape::message` functions of the formats.

/// `text` as a JSON string with its quotes, as `escapedJson` writes it.
[[nodiscard]] std::string newJsonString(std::string_view text);

/// `,"key":value` for each of these members that the example has.
[[nodiscard]] std::string copiedMembers(const JsonMembers &example, std::initializer_list<std::string_view> keys);

/// The format's word for a role; `user` for a tool.
[[nodiscard]] std::string_view roleWord(Role role, std::string_view assistant, std::string_view system);

} // namespace core
