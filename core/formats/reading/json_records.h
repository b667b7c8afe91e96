// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"
#include "core/session/builder.h"

#include <functional>
#include <optional>
#include <simdjson.h>

namespace core {

/// One record of a line format and its place. `bytes` is the record without surrounding blanks.
struct Record {
    SourceId source;
    uint64_t offset = 0;
    uint64_t line = 0; ///< 1-based
    std::string_view bytes;
};

/// Limit for examining a record that begins in the head of a file.
inline constexpr size_t kMaxSearched = 64U << 20U;

/// Reads one record. After it has thrown `simdjson::simdjson_error`, it may be called again with repaired bytes, so it
/// must not change anything before it has read everything it needs. The object is a simdjson On-Demand object: read
/// fields in order, each once.
using RecordVisitor = std::function<void(simdjson::ondemand::object &object, const Record &record)>;

/// Reads the records of a complete JSONL source in one pass, parsing each in place. Handles the damage of real files:
/// several records on one line, truncated records (possibly with the next record on the same line), runs of NUL bytes,
/// invalid UTF-8, raw control characters, a byte order mark, CRLF, `{}`. Repairs become notes with their line,
/// unreadable records become warnings; everything else is read. Returns false if the job was cancelled. For growing
/// sources use `RecordFeed`.
bool forEachRecord(SessionBuilder &builder, SourceId source, const ReadContext &context, const RecordVisitor &visit);

/// Reads a source that is one JSON document. Repairs damage if possible: bytes as above; a truncated document is closed
/// after its last complete value, with a diagnostic that names the line. `visit` gets the document and the source of
/// its bytes (a repaired copy is a separate source). It may be called again after it has thrown, so it must first
/// discard collected results and must not add to the builder's pool. Fails if nothing could be read.
Result<void> readDocument(SessionBuilder &builder, SourceId source,
    const std::function<void(simdjson::ondemand::document &document, SourceId holder)> &visit);

/// The first member with this name, or nullopt. Throws for broken JSON: after such an error simdjson gives up the whole
/// document, and using the object crashes.
[[nodiscard]] std::optional<simdjson::ondemand::value> memberOf(
    simdjson::ondemand::object &object, std::string_view key);

/// The raw bytes of a string value between its quotes.
[[nodiscard]] std::string_view rawString(simdjson::ondemand::value value);
/// The raw JSON of a value, trimmed. Consumes the value.
[[nodiscard]] std::string_view rawJson(simdjson::ondemand::value value);
/// The decoded string; nullopt if the value is not a string.
[[nodiscard]] std::optional<std::string> stringOf(simdjson::ondemand::value value);
/// Interns a name given as raw string content.
StringId internString(SessionBuilder &builder, std::string_view raw);
/// An unsigned integer; nullopt for negative numbers and those beyond 1e15.
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

/// Converts seconds or milliseconds since 1970 (numbers above 1e11 are milliseconds) to milliseconds; nullopt for
/// negative numbers and numbers that cannot be times.
[[nodiscard]] std::optional<Timestamp> timeOfNumber(double number);

/// Offset behind the JSON value at `begin` (after blanks); nullopt if it does not end.
[[nodiscard]] std::optional<size_t> endOfJsonValue(std::string_view text, size_t begin);

/// A truncated JSON document, closed behind its last complete array element or object member.
struct ClosedDocument {
    std::string text;
    uint64_t keptBytes = 0; ///< bytes of the original that it contains
};
[[nodiscard]] std::optional<ClosedDocument> closeTruncatedJson(std::string_view text);

} // namespace core
