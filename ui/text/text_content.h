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

/// A range that can be folded. Folded, it is replaced by its label in a frame.
struct TextFold {
    size_t begin = 0;
    size_t end = 0;
    std::string label; ///< `12 lines`
    bool startsFolded = false;
    /// The range consists of whole lines; folded, it is a band across the surface.
    bool isBand = false;
};

/// Our own text beside the first row of a line: the key of a field.
struct TextLabel {
    size_t line = 0;
    std::string text;
};

/// A row of our own before a line. It has no bytes.
struct TextInsertion {
    enum class Kind : uint8_t {
        Heading, ///< a heading
        Filler,  ///< in a side-by-side diff: a row without a line on this side
        Rule,    ///< a thin line between two parts
    };
    size_t line = 0;
    Kind kind = Kind::Heading;
    std::string text; ///< for a heading
};

/// The language of the text from this line on, by the name of a definition, else by a file name. No language if both
/// are empty.
struct TextLanguage {
    size_t line = 0;
    std::string definition;
    std::string fileName;
};

/// The sign of a diff line in the gutter; shows the difference without colour.
enum class LineSign : uint8_t { None, Removed, Added };

/// Contents of the gutter.
enum class Numbering : uint8_t {
    None,
    Lines, ///< 1, 2, 3…
    Own,   ///< `TextContent::numbers`
};

/// A document with its hidden, styled, folded and labelled ranges. Immutable, Qt-free, built on any thread. All lists
/// are sorted by the start of their ranges; hidden ranges do not overlap.
struct TextContent {
    TextDocumentPtr document = std::make_shared<const TextDocument>();
    std::vector<TextSpan> hidden; ///< not drawn, but copied; inside a line: escape sequences, line numbers of a tool
    std::vector<TextStyleSpan> styles;
    std::vector<TextFold> folds; ///< may be nested, never partly overlap
    std::vector<TextLabel> labels;
    std::vector<TextInsertion> insertions;
    std::vector<TextLanguage> languages;
    Numbering numbering = Numbering::None;
    std::vector<uint32_t> numbers;      ///< by line, for Numbering::Own; 0 for a line without one
    std::vector<uint32_t> otherNumbers; ///< a second number column, left of the first; empty for none
    std::vector<LineSign> signs;        ///< by line; empty: no column of signs
    /// Line feeds that are not part of the text, but separate lines of two texts: drawn, not copied.
    std::vector<TextSpan> separators;
    uint32_t tabWidth = 4;
};

using TextContentPtr = std::shared_ptr<const TextContent>;

} // namespace ui
