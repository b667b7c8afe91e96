// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"
#include "core/session/builder.h"

#include <functional>
#include <optional>
#include <simdjson.h>

namespace core {

/// One record of a line format and its place. `bytes` is the record without the blanks around it.
struct Record {
    SourceId source;
    uint64_t offset = 0;
    uint64_t line = 0; ///< 1-based
    std::string_view bytes;
};

/// A record that begins in the head of a file is looked at as far as this.
inline constexpr size_t kMaxSearched = 64U << 20U;

/// Reads one record. It may be called again with repaired bytes after it has thrown `simdjson::simdjson_error`, so it
/// changes nothing until it has read all that it needs. The object is an On-Demand one: fields in order, each once.
using RecordVisitor = std::function<void(simdjson::ondemand::object &object, const Record &record)>;

/// Walks the records of a whole JSONL source: one pass over the lines, each parsed in place. Copes with what real files
/// hold: records glued together on one line, records cut in the middle (and the next one glued to the stump), runs of
/// NUL bytes, bytes that are not UTF-8, raw control characters, a byte order mark, CRLF, `{}`. What was repaired
/// becomes a note with its line, what cannot be read a warning; nothing else is lost. Returns false if the job was
/// cancelled. For a source that grows: `RecordFeed`.
bool forEachRecord(SessionBuilder &builder, SourceId source, const ReadContext &context, const RecordVisitor &visit);

/// Reads a source that is one JSON document. Damage is repaired where it can be: bytes as above; a document that is
/// cut off is closed after its last whole value, with a diagnostic that names the line. `visit` gets the document and
/// the source that holds its bytes (a repaired copy is a source of its own); it may be called again after it has
/// thrown, so it begins with forgetting what it had collected and adds nothing to the builder's pool. An error means
/// that nothing could be read.
Result<void> readDocument(SessionBuilder &builder, SourceId source,
    const std::function<void(simdjson::ondemand::document &document, SourceId holder)> &visit);

/// The first member of this name, or nothing. Throws for broken JSON: simdjson gives the whole document up at such an
/// error, and using the object afterwards crashes.
[[nodiscard]] std::optional<simdjson::ondemand::value> memberOf(
    simdjson::ondemand::object &object, std::string_view key);

/// The raw bytes of a string value between its quotes.
[[nodiscard]] std::string_view rawString(simdjson::ondemand::value value);
/// The whole raw JSON of a value, blanks at its ends removed. Consumes the value.
[[nodiscard]] std::string_view rawJson(simdjson::ondemand::value value);
/// The decoded string, or nothing if the value is not a string.
[[nodiscard]] std::optional<std::string> stringOf(simdjson::ondemand::value value);
/// The name that a raw string (between its quotes) stands for.
StringId internString(SessionBuilder &builder, std::string_view raw);
/// The number as an unsigned integer; nothing for negative numbers and those beyond 64 bits.
[[nodiscard]] std::optional<uint64_t> unsignedOf(simdjson::ondemand::value value);
[[nodiscard]] bool isTrue(simdjson::ondemand::value value);
[[nodiscard]] inline bool isString(simdjson::ondemand::value value)
{
    return value.type() == simdjson::ondemand::json_type::string;
}
[[nodiscard]] inline bool isObject(simdjson::ondemand::value value)
{
    return value.type() == simdjson::ondemand::json_type::object;
}

/// Seconds or milliseconds since 1970 (numbers above 1e11 are milliseconds) as milliseconds; nothing for negative
/// numbers and those that are no time.
[[nodiscard]] std::optional<Timestamp> timeOfNumber(double number);

/// Offset behind the JSON value that starts at `begin` (blanks skipped), or nothing if it does not end.
[[nodiscard]] std::optional<size_t> endOfJsonValue(std::string_view text, size_t begin);

/// A cut-off JSON document closed behind its last complete array element or object member.
struct ClosedDocument {
    std::string text;
    uint64_t keptBytes = 0; ///< how much of the original it holds
};
[[nodiscard]] std::optional<ClosedDocument> closeTruncatedJson(std::string_view text);

} // namespace core
