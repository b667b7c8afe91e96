// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/body.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// `[begin, end)` in the bytes of a text.
struct TextPlace {
    size_t begin = 0;
    size_t end = 0;
    friend bool operator==(const TextPlace &, const TextPlace &) = default;
};

/// A text to find. The case of ASCII, Latin, Greek and Cyrillic letters does not matter.
class Needle final {
public:
    /// `text` must not be empty.
    explicit Needle(std::string_view text);

    /// The text as given.
    [[nodiscard]] const std::string &text() const { return m_text; }
    /// The first occurrence at or after `from`.
    [[nodiscard]] std::optional<TextPlace> find(std::string_view text, size_t from = 0) const;

    /// Whether the text of a body may contain the needle, judged by its undecoded bytes. nullopt: certainly not. Else
    /// decode `raw` up to the returned offset first: the first occurrence often ends before it.
    [[nodiscard]] std::optional<size_t> mayEndAt(std::string_view raw, Coding coding) const;

private:
    /// Finds ASCII with a table of steps (Horspool); the steps are the same for both cases.
    struct Ascii {
        std::string lowered;
        std::array<uint32_t, 256> steps {};

        explicit Ascii(std::string_view text);
        [[nodiscard]] size_t find(std::string_view text, size_t from) const;
    };

    std::string m_text;
    std::optional<Ascii> m_ascii;          ///< if the whole text is ASCII
    std::u32string m_folded;               ///< else
    std::array<bool, 256> m_beginnings {}; ///< of m_folded: the bytes with which it may begin
    /// The longest parts of the needle that JSON never escapes: in a string, and in a value. Inside a JSON value the
    /// blanks of the text and of the bytes differ.
    std::optional<Ascii> m_inString;
    std::optional<Ascii> m_inValue;
};

/// Maps capitals to small letters: ASCII, Latin-1, Latin Extended-A, Greek, Cyrillic. Other code points stay.
[[nodiscard]] char32_t foldedCase(char32_t codePoint);

} // namespace core
