// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/ansi.h"
#include "ui/text/text_document.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ui {

/// A range that can be folded. A folded range is replaced by its label in a frame.
struct TextFold {
    size_t begin = 0;
    size_t end = 0;
    std::string label; ///< `12 lines`
    bool startsFolded = false;
    /// It begins and ends with lines; folded, it is a band over the surface's width.
    bool isBand = false;
};

/// Words of ours beside the first row of a line: the key of a field.
struct TextLabel {
    size_t line = 0;
    std::string text;
};

/// A row of ours before a line: it has no bytes.
struct TextInsertion {
    enum class Kind : uint8_t {
        Heading, ///< words on a ground
        Filler,  ///< side-by-side diff: no line of this side
        Rule,    ///< a hairline between two parts
    };
    size_t line = 0;
    Kind kind = Kind::Heading;
    std::string text; ///< of a heading
};

/// From this line on the text is in this language: by the name of a definition, else by the name of a file.
/// Both empty: no language.
struct TextLanguage {
    size_t line = 0;
    std::string definition;
    std::string fileName;
};

/// The sign of a diff line, in the gutter, so that it does not depend on colour.
enum class LineSign : uint8_t { None, Removed, Added };

/// Contents of the gutter.
enum class Numbering : uint8_t {
    None,
    Lines, ///< 1, 2, 3…
    Own,   ///< `TextContent::numbers`
};

/// A document and its hidden, styled, folded and labelled ranges. Immutable, Qt-free, made on any thread. All lists are
/// sorted by the beginning of their ranges; hidden ranges do not overlap.
struct TextContent {
    TextDocumentPtr document = std::make_shared<const TextDocument>();
    std::vector<TextSpan> hidden; ///< not drawn, but copied; within a line: escape sequences, line numbers of a tool
    std::vector<TextStyleSpan> styles;
    std::vector<TextFold> folds; ///< nested, never crossing
    std::vector<TextLabel> labels;
    std::vector<TextInsertion> insertions;
    std::vector<TextLanguage> languages;
    Numbering numbering = Numbering::None;
    std::vector<uint32_t> numbers;      ///< by line, for Numbering::Own; 0 for a line without one
    std::vector<uint32_t> otherNumbers; ///< a second column of them, left of the first; empty for none
    std::vector<LineSign> signs;        ///< by line; empty for no column of signs
    /// Line feeds that are not of the text but keep lines of two texts apart: drawn, not copied.
    std::vector<TextSpan> separators;
    uint32_t tabWidth = 4;
};

using TextContentPtr = std::shared_ptr<const TextContent>;

} // namespace ui
