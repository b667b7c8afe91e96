// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/ids.h"
#include "core/base/text.h"

#include <cstdint>

namespace core {

/// How the bytes of a body encode its text.
enum class Coding : uint8_t {
    Empty,      ///< no bytes: the empty text
    Plain,      ///< the text itself, UTF-8
    JsonString, ///< the raw content of a JSON string
    JsonValue,  ///< a JSON value; its text is the canonical form with `, ` and `: `
    TextParts,  ///< a JSON array of parts; its text is that of the text parts, joined by line feeds
    Base64,     ///< the raw content of a JSON string with base64; not text
};

/// The place of a block's text: a range of a source, decoded on demand. The lengths are those of the text, counted
/// while loading; base64 counts bytes (as sent) and no characters.
struct Body {
    SourceId source;
    Coding coding = Coding::Empty;
    uint64_t offset = 0; ///< of an empty body its place in the source; 0 if it has none
    uint64_t size = 0;   ///< encoded bytes in the source
    TextLengths lengths;
};

} // namespace core
