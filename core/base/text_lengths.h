// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text.h"

#include <span>

namespace core {

/// The counting and searching functions for one instruction set of the processor. All sets give the same results;
/// `textLengths` and its like (text.h) use the fastest.
struct TextCounters {
    const char *name;
    TextLengths (*text)(std::string_view utf8);
    TextLengths (*jsonString)(std::string_view raw);
    TextLengths (*jsonValue)(std::string_view raw);
    size_t (*pair)(std::string_view text, char first, char second);
    LineLook (*line)(std::string_view text, size_t begin);
};

/// The sets that this processor supports, the fastest last.
[[nodiscard]] std::span<const TextCounters> textCounters();

} // namespace core
