// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_layout.h"

#include "ui/text/cells.h"

#include <algorithm>

namespace ui {

namespace {

/// A long word may wrap after these characters.
constexpr std::string_view kJoints = "/\\,;:)]}>=&|?";
/// How far a line is searched for its indent.
constexpr size_t kMostIndentBytes = 80;

/// Only characters from U+0020 to U+007E: as many cells as bytes.
bool isPlain(std::string_view text)
{
    unsigned char highest = 0;
    for (const char c : text)
        highest = std::max(highest, static_cast<unsigned char>(c - ' '));
    return highest <= '~' - ' ';
}

bool isBlank(const TextPiece &piece)
{
    return piece.kind == TextPiece::Kind::Tab || (piece.kind == TextPiece::Kind::Run && piece.shown == ' ');
}

TextPiece::Kind kindOf(Cluster::Kind kind)
{
    switch (kind) {
    case Cluster::Kind::Letter:
    case Cluster::Kind::Blank:
        return TextPiece::Kind::Run;
    case Cluster::Kind::Joined:
        return TextPiece::Kind::Joined;
    case Cluster::Kind::Shaped:
        return TextPiece::Kind::Shaped;
    case Cluster::Kind::Mark:
        return TextPiece::Kind::Mark;
    case Cluster::Kind::Tab:
        return TextPiece::Kind::Tab;
    }
    return TextPiece::Kind::Run;
}

} // namespace

size_t cellCount(std::string_view text)
{
    size_t cells = 0;
    for (size_t i = 0; i < text.size();) {
        const Cluster cluster = clusterAt(text, i, text.size());
        cells += cluster.cells;
        i += cluster.size;
    }
    return cells;
}

/// Goes over a row one cluster, hidden range or fold at a time.
class TextLayout::Walker final {
public:
    Walker(const TextLayout &layout, size_t offset, size_t column, size_t end)
        : m_layout(layout)
        , m_text(layout.m_content->document->bytes())
        , m_skip(layout.skipFrom(offset))
        , m_offset(offset)
        , m_column(column)
        , m_end(end)
    {
    }
    Walker(const TextLayout &layout, Checkpoint start, size_t end)
        : Walker(layout, start.offset, start.column, end)
    {
    }

    [[nodiscard]] bool atEnd() const { return m_offset >= m_end; }
    [[nodiscard]] size_t offset() const { return m_offset; }
    [[nodiscard]] size_t column() const { return m_column; }

    TextPiece next()
    {
        TextPiece piece;
        piece.begin = m_offset;
        piece.column = m_column;
        const bool hasSkip = m_skip != m_layout.m_skips.end();
        if (hasSkip && m_skip->begin <= m_offset) {
            piece.end = m_skip->end;
            piece.cells = m_skip->cells;
            piece.kind = m_skip->fold == kAll ? TextPiece::Kind::Hidden : TextPiece::Kind::Fold;
            piece.index = m_skip->fold;
            ++m_skip;
        } else {
            const Cluster cluster = clusterAt(m_text, m_offset, hasSkip ? std::min(m_end, m_skip->begin) : m_end);
            piece.end = m_offset + cluster.size;
            piece.kind = kindOf(cluster.kind);
            piece.shown = cluster.shown;
            piece.cells = cluster.cells;
            if (cluster.kind == Cluster::Kind::Tab) {
                const size_t width = std::max<size_t>(1, m_layout.m_content->tabWidth);
                piece.cells = width - m_column % width;
            }
        }
        m_offset = piece.end;
        m_column += piece.cells;
        return piece;
    }

private:
    const TextLayout &m_layout;
    std::string_view m_text;
    Skips m_skip;
    size_t m_offset;
    size_t m_column;
    size_t m_end;
};

TextLayout::TextLayout(TextContentPtr content, const std::vector<bool> &folded, Options options)
    : m_content(std::move(content))
    , m_options(options)
{
    collectSkips(folded);
    if (m_options.wrapColumns == 0 && !m_joinsLines && m_content->insertions.empty())
        layOutLines();
    else
        layOutRows();
}

void TextLayout::collectSkips(const std::vector<bool> &folded)
{
    const TextDocument &document = *m_content->document;
    std::vector<Skip> folds;
    for (size_t i = 0; i < m_content->folds.size(); ++i) {
        const TextFold &fold = m_content->folds[i];
        const bool isInside = !folds.empty() && fold.begin < folds.back().end;
        if (i >= folded.size() || !folded[i] || isInside || fold.begin >= fold.end)
            continue;
        folds.push_back({ fold.begin, fold.end, cellCount(fold.label) + 2, i });
        m_joinsLines = m_joinsLines || document.lineOf(fold.begin) != document.lineOf(fold.end);
    }
    auto fold = folds.cbegin();
    for (const TextSpan &hidden : m_content->hidden) {
        while (fold != folds.cend() && fold->end <= hidden.begin)
            m_skips.push_back(*fold++);
        const bool isFolded = fold != folds.cend() && fold->begin < hidden.end;
        if (!isFolded && hidden.begin < hidden.end)
            m_skips.push_back({ hidden.begin, hidden.end, 0, kAll });
    }
    m_skips.insert(m_skips.end(), fold, folds.cend());
}

void TextLayout::layOutLines()
{
    const TextDocument &document = *m_content->document;
    const std::vector<size_t> &starts = document.lineStarts();
    size_t count = 0;
    for (; count < starts.size() && (count == 0 || starts[count] < m_options.byteLimit); ++count)
        measureLine(starts[count], document.lineEnd(count));
    m_rows = std::span(starts).first(count);
    m_end = count < starts.size() ? starts[count] : document.size();
    m_isComplete = m_isComplete && count == starts.size();
}

void TextLayout::layOutRows()
{
    const TextDocument &document = *m_content->document;
    const std::vector<TextInsertion> &insertions = m_content->insertions;
    size_t insertion = 0;
    const auto insertBefore = [&](size_t line, size_t offset) {
        for (; insertion < insertions.size() && insertions[insertion].line <= line; ++insertion) {
            m_insertedRows.emplace_back(m_ownRows.size(), insertion);
            m_ownRows.push_back(offset);
        }
    };
    m_end = document.size();
    for (size_t line = 0; line < document.lineCount();) {
        const size_t begin = document.lineStart(line);
        if (begin >= m_options.byteLimit && line > 0) {
            m_end = begin;
            m_isComplete = false;
            break;
        }
        insertBefore(line, begin);
        const size_t end = endOfLine(line);
        if (m_options.wrapColumns > 0) {
            wrapLine(begin, end);
        } else {
            m_ownRows.push_back(begin);
            measureLine(begin, end);
        }
        if (!m_isComplete)
            break;
        line = end == document.lineEnd(line) ? line + 1 : document.lineOf(end) + 1;
        // Insertions before a folded line are folded with it.
        while (insertion < insertions.size() && insertions[insertion].line < std::min(line, document.lineCount()))
            ++insertion;
    }
    if (m_isComplete)
        insertBefore(kAll, document.size());
    if (m_options.wrapColumns > 0)
        m_columnCount = m_options.wrapColumns;
    m_rows = m_ownRows;
}

void TextLayout::wrapLine(size_t begin, size_t end)
{
    for (size_t at = begin;;) {
        if (at >= m_options.byteLimit && at > begin) {
            m_end = at;
            m_isComplete = false;
            return;
        }
        m_ownRows.push_back(at);
        const size_t indent = at == begin ? 0 : indentOf(m_content->document->lineOf(at));
        const size_t columns = m_options.wrapColumns - indent;
        const std::optional<size_t> plain = plainBreak(at, end, columns);
        at = plain ? *plain : walkedBreak(at, end, indent);
        if (at >= end)
            return;
    }
}

size_t TextLayout::indentOf(size_t line) const
{
    const size_t most = m_options.wrapColumns / 2;
    const std::string_view text = m_content->document->line(line).substr(0, kMostIndentBytes);
    const size_t start = m_content->document->lineStart(line);
    if (hasSkip(start, start + text.size()))
        return 0;
    size_t cells = 0;
    size_t i = 0;
    for (; i < text.size() && (text[i] == ' ' || text[i] == '\t'); ++i)
        cells += text[i] == ' ' ? 1 : m_content->tabWidth - cells % m_content->tabWidth;
    const std::string_view rest = text.substr(i);
    const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (rest.starts_with("- ") || rest.starts_with("* ") || rest.starts_with("> "))
        cells += 2;
    else if (digits > 0 && digits < 4 && rest.substr(digits).starts_with(". "))
        cells += digits + 2;
    return cells <= most ? cells : 0;
}

std::optional<size_t> TextLayout::plainBreak(size_t begin, size_t end, size_t columns) const
{
    const std::string_view text = m_content->document->bytes();
    const size_t looked = std::min(end, begin + columns + 1);
    if (hasSkip(begin, looked + 1) || !isPlain(text.substr(begin, looked - begin)))
        return std::nullopt;
    if (end - begin <= columns)
        return end;
    // The next character may be a mark that combines with the last one.
    if (looked < end && static_cast<unsigned char>(text[looked]) >= 0x80)
        return std::nullopt;
    if (text[begin + columns] == ' ')
        return begin + columns + 1; // one blank may hang over the edge
    const std::string_view row = text.substr(begin, columns);
    const size_t blank = row.rfind(' ');
    if (blank != std::string_view::npos && blank + 1 > columns / 2)
        return begin + blank + 1;
    const size_t joint = row.find_last_of(kJoints);
    if (joint != std::string_view::npos && joint + 1 > columns / 2)
        return begin + joint + 1;
    return blank != std::string_view::npos ? begin + blank + 1 : begin + columns;
}

size_t TextLayout::walkedBreak(size_t begin, size_t end, size_t indent) const
{
    const size_t half = indent + (m_options.wrapColumns - indent) / 2;
    size_t blank = begin;
    size_t joint = begin;
    size_t blankColumn = 0;
    size_t jointColumn = 0;
    for (Walker walker(*this, begin, indent, end); !walker.atEnd();) {
        const TextPiece piece = walker.next();
        const size_t after = piece.column + piece.cells;
        const bool isBroad = piece.kind == TextPiece::Kind::Joined && piece.cells > 1;
        if (after > m_options.wrapColumns && piece.begin > begin) {
            if (isBlank(piece))
                return piece.end;
            if (isBroad)
                return piece.begin; // scripts without blanks break anywhere
            if (blankColumn > half)
                return blank;
            if (jointColumn > half)
                return joint;
            return blank > begin ? blank : piece.begin;
        }
        if (isBlank(piece) || isBroad) {
            blank = piece.end;
            blankColumn = after;
        } else if (piece.kind == TextPiece::Kind::Run && piece.shown < 0x80
            && kJoints.find(static_cast<char>(piece.shown)) != std::string_view::npos) {
            joint = piece.end;
            jointColumn = after;
        }
    }
    return end;
}

void TextLayout::measureLine(size_t begin, size_t end)
{
    const std::string_view text = m_content->document->bytes();
    const bool isLong = end - begin > kCheckpointStride;
    size_t offset = begin;
    size_t column = 0;
    while (offset < end) {
        if (offset >= m_options.byteLimit && offset > begin) {
            m_isComplete = false;
            break;
        }
        size_t step = std::min(end, offset + kCheckpointStride);
        if (!hasSkip(offset, step) && isPlain(text.substr(offset, step - offset))) {
            if (step < end && static_cast<unsigned char>(text[step]) >= 0x80)
                --step; // its last character may have marks
            column += step - offset;
            offset = step;
        } else {
            Walker walker(*this, offset, column, end);
            while (walker.offset() < step)
                walker.next();
            offset = walker.offset();
            column = walker.column();
        }
        if (isLong && offset < end)
            m_checkpoints.push_back({ offset, column });
    }
    m_columnCount = std::max(m_columnCount, column);
}

TextLayout::Skips TextLayout::skipFrom(size_t offset) const
{
    return std::ranges::upper_bound(m_skips, offset, {}, &Skip::end);
}

bool TextLayout::hasSkip(size_t begin, size_t end) const
{
    if (m_skips.empty())
        return false;
    const auto skip = skipFrom(begin);
    return skip != m_skips.end() && skip->begin < end;
}

size_t TextLayout::endOfLine(size_t line) const
{
    const TextDocument &document = *m_content->document;
    size_t end = document.lineEnd(line);
    while (m_joinsLines && end < document.size()) {
        const auto skip = skipFrom(end);
        if (skip == m_skips.end() || skip->begin > end)
            break;
        end = document.lineEnd(document.lineOf(skip->end));
    }
    return end;
}

TextRow TextLayout::row(size_t row) const
{
    const TextDocument &document = *m_content->document;
    TextRow result;
    result.begin = m_rows[row];
    result.line = document.lineOf(result.begin);
    result.next = row + 1 < m_rows.size() ? m_rows[row + 1] : m_end;
    result.end = result.next;
    if (const auto inserted = std::ranges::lower_bound(m_insertedRows, row, {}, &std::pair<size_t, size_t>::first);
        inserted != m_insertedRows.end() && inserted->first == row) {
        result.insertion = inserted->second;
        result.next = result.end = result.begin;
        return result;
    }
    const auto isSkipped = [&](size_t offset) { return hasSkip(offset, offset + 1); };
    result.startsLine = result.begin == document.lineStart(result.line)
        && (result.begin == 0 || !m_joinsLines || !isSkipped(result.begin - 1));
    const bool endsWithFeed = result.next > result.begin && document.bytes()[result.next - 1] == '\n'
        && (!m_joinsLines || !isSkipped(result.next - 1));
    if (endsWithFeed)
        --result.end;
    result.endsLine = endsWithFeed || result.next == document.size();
    if (!result.startsLine && m_options.wrapColumns > 0)
        result.indent = indentOf(result.line);
    return result;
}

size_t TextLayout::rowOf(size_t offset) const
{
    auto row = static_cast<size_t>(std::ranges::upper_bound(m_rows, offset) - m_rows.begin());
    row = row > 0 ? row - 1 : 0;
    const auto isInserted
        = [&] { return std::ranges::binary_search(m_insertedRows, row, {}, &std::pair<size_t, size_t>::first); };
    while (row > 0 && isInserted())
        --row; // only behind the last line
    return row;
}

TextLayout::Checkpoint TextLayout::startFor(const TextRow &row, size_t offset, size_t column) const
{
    // In one row the columns grow with the offsets.
    const auto end = std::ranges::lower_bound(m_checkpoints, row.end, {}, &Checkpoint::offset);
    auto found = std::ranges::upper_bound(m_checkpoints.begin(), end, row.begin, {}, &Checkpoint::offset);
    found = std::partition_point(found, end,
        [&](const Checkpoint &checkpoint) { return checkpoint.offset <= offset && checkpoint.column <= column; });
    if (found == m_checkpoints.begin() || std::prev(found)->offset <= row.begin)
        return { row.begin, row.indent };
    return *std::prev(found);
}

size_t TextLayout::pieces(size_t row, size_t firstColumn, size_t lastColumn, std::vector<TextPiece> &pieces) const
{
    const TextRow at = this->row(row);
    const size_t first = pieces.size();
    size_t looked = 0;
    for (Walker walker(*this, startFor(at, kAll, firstColumn), at.end); !walker.atEnd();) {
        const TextPiece piece = walker.next();
        ++looked;
        if (piece.column >= lastColumn && piece.cells > 0)
            break;
        if (piece.column + piece.cells <= firstColumn && (piece.cells > 0 || piece.column < firstColumn))
            continue;
        if (pieces.size() > first) {
            TextPiece &last = pieces.back();
            const bool grows = last.kind == piece.kind && last.end == piece.begin
                && (piece.kind == TextPiece::Kind::Run || piece.kind == TextPiece::Kind::Shaped);
            // Right-to-left words read in order only if they are drawn together.
            const bool bridges = piece.kind == TextPiece::Kind::Shaped && pieces.size() > first + 1
                && last.kind == TextPiece::Kind::Run && last.cells == 1 && last.shown == ' '
                && pieces[pieces.size() - 2].kind == TextPiece::Kind::Shaped
                && pieces[pieces.size() - 2].end == last.begin;
            if (bridges)
                pieces.pop_back();
            if (grows || bridges) {
                pieces.back().cells = piece.column + piece.cells - pieces.back().column;
                pieces.back().end = piece.end;
                continue;
            }
        }
        pieces.push_back(piece);
    }
    return looked;
}

size_t TextLayout::columnOf(size_t row, size_t offset) const
{
    const TextRow at = this->row(row);
    Walker walker(*this, startFor(at, offset, kAll), at.end);
    while (!walker.atEnd()) {
        const size_t column = walker.column();
        if (walker.next().end > offset)
            return column;
    }
    return walker.column();
}

size_t TextLayout::offsetAt(size_t row, double column) const
{
    const TextRow at = this->row(row);
    const auto whole = static_cast<size_t>(std::max(0.0, column));
    size_t boundary = at.begin;
    size_t boundaryColumn = at.indent;
    Walker walker(*this, startFor(at, kAll, whole), at.end);
    if (walker.offset() > at.begin) {
        boundary = walker.offset();
        boundaryColumn = walker.column();
    }
    while (!walker.atEnd()) {
        const TextPiece piece = walker.next();
        if (piece.cells == 0)
            continue;
        const auto begin = static_cast<double>(piece.column);
        if (column < begin + static_cast<double>(piece.cells) / 2)
            return boundaryColumn == piece.column ? boundary : piece.begin;
        boundary = piece.end;
        boundaryColumn = piece.column + piece.cells;
    }
    // Behind the last character: on a wrapped row before its last one, so that the caret stays on the row.
    if (at.endsLine || at.end == at.begin)
        return at.end;
    return boundaryBefore(at.end);
}

std::optional<TextPiece> TextLayout::pieceAt(size_t row, double column) const
{
    if (column < 0)
        return std::nullopt;
    const auto whole = static_cast<size_t>(column);
    std::vector<TextPiece> found;
    pieces(row, whole, whole + 1, found);
    for (const TextPiece &piece : found) {
        if (piece.cells > 0)
            return piece;
    }
    return std::nullopt;
}

size_t TextLayout::boundaryAfter(size_t offset) const
{
    if (offset >= m_content->document->size())
        return m_content->document->size();
    const TextRow at = row(rowOf(offset));
    if (offset >= at.end)
        return std::max(at.next, offset);
    Walker walker(*this, offset, 0, at.end);
    while (!walker.atEnd()) {
        const TextPiece piece = walker.next();
        if (piece.cells == 0)
            continue;
        // Behind the last character of a wrapped row the next row begins, whatever is hidden between.
        return at.endsLine || hasCells(piece.end, at.end) ? piece.end : at.end;
    }
    return at.endsLine ? at.next : at.end; // only hidden text was left
}

bool TextLayout::hasCells(size_t begin, size_t end) const
{
    Walker walker(*this, begin, 0, end);
    while (!walker.atEnd()) {
        if (walker.next().cells > 0)
            return true;
    }
    return false;
}

size_t TextLayout::boundaryBefore(size_t offset) const
{
    size_t index = rowOf(offset);
    TextRow at = row(index);
    if (offset <= at.begin) {
        do {
            if (index == 0)
                return 0;
            at = row(--index);
        } while (at.insertion);
        if (at.endsLine)
            return at.end;
        offset = at.end;
    }
    Walker walker(*this, startFor(at, offset - 1, kAll), at.end);
    size_t boundary = walker.offset();
    size_t columnBegin = walker.offset(); // the first offset at the walker's column
    while (!walker.atEnd()) {
        const TextPiece piece = walker.next();
        if (piece.begin >= offset)
            break;
        if (piece.cells > 0) {
            boundary = columnBegin;
            columnBegin = piece.end;
        }
        if (piece.end >= offset)
            break;
    }
    return boundary;
}

} // namespace ui
