// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/json_records.h"

#include <string>
#include <vector>

namespace core {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Characters that may surround a record: JSON blanks, and NUL bytes from a file that was cut while it grew.
[[nodiscard]] constexpr bool isRecordBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Offset of the next line feed from `begin` on, or the size of the text.
[[nodiscard]] size_t endOfLine(std::string_view bytes, size_t begin);

/// The parser's error as a clause.
[[nodiscard]] std::string reasonOf(simdjson::error_code code);

/// The rest of a line if another record follows the first value, else empty. First searches for `}{"`, which is fast
/// and excludes nearly all other lines: inside a string the quote would be escaped.
[[nodiscard]] std::string_view gluedBehind(std::string_view text);

/// The distinct beginnings of records: `{"parentUuid"`. Files have one to five.
class RecordHeads final {
public:
    /// Stores the beginning of this record. True if it is new.
    bool add(std::string_view record);
    [[nodiscard]] const std::vector<std::string> &all() const { return m_heads; }

private:
    std::vector<std::string> m_heads;
};

/// Reads records from intact and damaged lines; owns the parser and the diagnostics.
class RecordReader final {
public:
    /// The visitor must outlive the reader.
    RecordReader(SessionBuilder &builder, SourceId source, const RecordVisitor &visit)
        : m_builder(builder)
        , m_source(source)
        , m_visit(visit)
    {
    }

    void readLine(std::string_view line, uint64_t number);
    /// Call this after the last line of a source that may still grow: a record truncated there gets another diagnostic
    /// than one in the middle.
    void endsWithLine(uint64_t line);

    /// Stores the beginning of a record that another reader has read. Damaged lines are searched for such beginnings.
    void rememberHead(std::string_view record) { m_heads.add(record); }

private:
    simdjson::error_code tryRecord(std::string_view text, SourceId source, uint64_t line);
    std::string_view recover(std::string_view piece, uint64_t line, simdjson::error_code error, bool &noted);
    [[nodiscard]] size_t findGluedRecord(std::string_view piece);
    bool tryRepaired(std::string_view piece, uint64_t line, simdjson::error_code error);
    void reportSkipped(std::string_view piece, uint64_t line, simdjson::error_code error);

    /// The damaged end of a line, and its diagnostic.
    struct CutOff {
        size_t diagnostic = 0;
        uint64_t line = 0;
        uint64_t bytes = 0;
        simdjson::error_code error = simdjson::SUCCESS;
    };

    SessionBuilder &m_builder;
    SourceId m_source;
    const RecordVisitor &m_visit;
    simdjson::ondemand::parser m_parser;
    RecordHeads m_heads;
    std::optional<CutOff> m_cutOff;        ///< of the last damaged line
    size_t m_searchBudget = 0;             ///< bytes that searches in this line may still read
    std::vector<const char *> m_nextHeads; ///< by head: where it comes next in this line
    bool m_sawTheEnd = true;               ///< the last record reached to the end of its text
};

} // namespace core
