// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/ids.h"
#include "core/base/text.h"

#include <cstdint>

namespace core {

/// How the bytes of a body stand for its text.
enum class Coding : uint8_t {
    Empty,      ///< no bytes: an empty text
    Plain,      ///< the text itself, UTF-8
    JsonString, ///< what lies between the quotes of a JSON string
    JsonValue,  ///< a JSON value; its text is the value written with `, ` and `: `
    Base64,     ///< what lies between the quotes of a JSON string that holds base64; not text
};

/// Where the text of a block is: a range of a source, decoded only when it is read.
/// The lengths are those of the text, counted while loading; base64 has bytes (as sent) and no characters.
struct Body {
    SourceId source;
    Coding coding = Coding::Empty;
    uint64_t offset = 0; ///< of an empty body: where it stands in the source, 0 if nowhere
    uint64_t size = 0;   ///< raw bytes in the source
    TextLengths lengths;
};

} // namespace core
