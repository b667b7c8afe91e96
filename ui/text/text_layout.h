// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/text_content.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ui {

/// One visual row: a line, a part of a wrapped line, or a row of our own.
struct TextRow {
    size_t line = 0; ///< the line of its first byte
    size_t begin = 0;
    size_t end = 0;    ///< without the line feed
    size_t next = 0;   ///< including the line feed: start of the next row
    size_t indent = 0; ///< cells of indentation of a continuation row
    bool startsLine = false;
    bool endsLine = false;
    std::optional<size_t> insertion; ///< index into TextContent::insertions, for a row without bytes
};

/// A part of a row that is drawn at once.
struct TextPiece {
    enum class Kind : uint8_t {
        Run,    ///< characters of one cell each
        Joined, ///< one cluster of several code points or cells
        Shaped, ///< clusters of a script with joined letters
        Mark,   ///< one character, drawn as `shown`
        Tab,
        Hidden, ///< takes no cells
        Fold,   ///< a folded range: `index` into TextContent::folds
    };
    size_t begin = 0;
    size_t end = 0;
    size_t column = 0;
    size_t cells = 0;
    Kind kind = Kind::Run;
    char32_t shown = 0;
    size_t index = 0;
};

/// Positions of the characters of a text: rows of a grid of equal cells. Qt-free, immutable, built on any thread.
///
/// Every byte belongs to exactly one row. Without wrapping and folds, rows are lines and nothing is copied. Building
/// costs one pass over the bytes. Getting the pieces of a row costs the characters asked for, even in long rows, which
/// have checkpoints.
class TextLayout final {
public:
    static constexpr size_t kAll = std::numeric_limits<size_t>::max();
    /// Bytes between two checkpoints of a long row, at most.
    static constexpr size_t kCheckpointStride = 4096;

    struct Options {
        size_t wrapColumns = 0;  ///< 0: no wrapping
        size_t byteLimit = kAll; ///< lay out only rows that start before this offset
    };

    /// `folded` tells which folds of the content are folded; missing entries count as false.
    TextLayout(TextContentPtr content, const std::vector<bool> &folded, Options options);
    TextLayout(const TextLayout &) = delete;
    TextLayout &operator=(const TextLayout &) = delete;

    [[nodiscard]] const TextContentPtr &content() const { return m_content; }
    [[nodiscard]] const Options &options() const { return m_options; }
    /// False if `byteLimit` left rows out.
    [[nodiscard]] bool isComplete() const { return m_isComplete; }
    [[nodiscard]] size_t rowCount() const { return m_rows.size(); }
    /// Width of the widest row in cells.
    [[nodiscard]] size_t columnCount() const { return m_columnCount; }

    [[nodiscard]] TextRow row(size_t row) const;
    /// The row of the byte at `offset`; never an inserted row. The end of the text is on the last row.
    [[nodiscard]] size_t rowOf(size_t offset) const;

    /// Appends the pieces of a row in columns [first, last). Returns the number of characters read: at most the columns
    /// asked for plus the distance of two checkpoints.
    size_t pieces(size_t row, size_t firstColumn, size_t lastColumn, std::vector<TextPiece> &pieces) const;
    /// The column at which the character at `offset` starts; the row's width at its end.
    [[nodiscard]] size_t columnOf(size_t row, size_t offset) const;
    /// The character boundary nearest to `column`, at most the row's end. If several are at the same column, the first.
    [[nodiscard]] size_t offsetAt(size_t row, double column) const;
    /// The piece that covers a column; nullopt if there is none.
    [[nodiscard]] std::optional<TextPiece> pieceAt(size_t row, double column) const;

    /// The character boundary after `offset`, past hidden and folded ranges; at the end of the text, the end.
    [[nodiscard]] size_t boundaryAfter(size_t offset) const;
    [[nodiscard]] size_t boundaryBefore(size_t offset) const;

private:
    /// A hidden or folded range: its bytes are not drawn.
    struct Skip {
        size_t begin = 0;
        size_t end = 0;
        size_t cells = 0;
        size_t fold = kAll;
    };
    struct Checkpoint {
        size_t offset = 0;
        size_t column = 0;
    };
    class Walker;

    using Skips = std::vector<Skip>::const_iterator;

    void collectSkips(const std::vector<bool> &folded);
    void layOutLines();
    void layOutRows();
    void wrapLine(size_t begin, size_t end);
    void measureLine(size_t begin, size_t end);
    [[nodiscard]] std::optional<size_t> plainBreak(size_t begin, size_t end, size_t columns) const;
    /// The end of a row that begins at a column other than 0; tab widths depend on that column.
    [[nodiscard]] size_t walkedBreak(size_t begin, size_t end, size_t indent) const;
    /// Indentation in cells of a line's continuation rows: its leading blanks and list marker.
    [[nodiscard]] size_t indentOf(size_t line) const;
    /// The first skip that ends behind `offset`.
    [[nodiscard]] Skips skipFrom(size_t offset) const;
    [[nodiscard]] bool hasSkip(size_t begin, size_t end) const;
    /// Whether anything is drawn between two offsets of a row.
    [[nodiscard]] bool hasCells(size_t begin, size_t end) const;
    /// The end of a line, ignoring folded line feeds.
    [[nodiscard]] size_t endOfLine(size_t line) const;
    /// The checkpoint to start from to reach `offset` or `column` of a row.
    [[nodiscard]] Checkpoint startFor(const TextRow &row, size_t offset, size_t column) const;

    TextContentPtr m_content;
    Options m_options;
    std::vector<Skip> m_skips;
    std::vector<size_t> m_ownRows;
    std::span<const size_t> m_rows;                        ///< start of each row: own data, or the document's lines
    std::vector<std::pair<size_t, size_t>> m_insertedRows; ///< row, index of the insertion
    std::vector<Checkpoint> m_checkpoints;                 ///< only inside lines longer than a stride
    size_t m_columnCount = 0;
    size_t m_end = 0;          ///< end of the last row
    bool m_joinsLines = false; ///< some line feed is folded
    bool m_isComplete = true;
};

using TextLayoutPtr = std::shared_ptr<const TextLayout>;

/// Width of a text in cells.
[[nodiscard]] size_t cellCount(std::string_view text);

} // namespace ui
