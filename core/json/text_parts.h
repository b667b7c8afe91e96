// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace core {

/// The text of an element of a content list, between its quotes: a string, or the `text` of an object whose type is
/// `text`, `input_text` or `output_text`, or that has no type. nullopt for anything else.
[[nodiscard]] std::optional<std::string_view> jsonTextPart(std::string_view element);

/// The texts of a content list, a JSON array, in order. Skips elements that are not text. Reads only as far as it
/// is asked.
class JsonTextParts final {
public:
    explicit JsonTextParts(std::string_view list)
        : m_list(list)
    {
    }

    [[nodiscard]] std::optional<std::string_view> next();

private:
    std::string_view m_list;
    size_t m_at = 1; ///< behind the bracket
};

/// Whether the array has at least two elements, all of them texts.
[[nodiscard]] bool isListOfTexts(std::string_view list);

} // namespace core
