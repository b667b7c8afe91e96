// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text.h"

#include <span>

namespace core {

/// One way of counting and searching texts, made for some set of the processor's instructions. All of them give the
/// same answers; `textLengths` and its like (text.h) use the fastest one.
struct TextCounters {
    const char *name;
    TextLengths (*text)(std::string_view utf8);
    TextLengths (*jsonString)(std::string_view raw);
    TextLengths (*jsonValue)(std::string_view raw);
    size_t (*pair)(std::string_view text, char first, char second);
    LineLook (*line)(std::string_view text, size_t begin);
};

/// Those that this processor can run, the fastest one last.
[[nodiscard]] std::span<const TextCounters> textCounters();

} // namespace core
