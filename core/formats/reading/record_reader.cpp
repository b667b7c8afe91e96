// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/record_reader.h"

#include <algorithm>
#include <cstring>

namespace core {

namespace {

/// The searches for whole records in a damaged line read at most this many times its length.
constexpr size_t kMaxPasses = 50;
/// Where an object that is not one of the known records must say that it is one.
constexpr size_t kMostLooked = 4096;
/// Beginnings of records that are remembered.
constexpr size_t kMaxHeads = 8;

/// The text behind the first value of a line; empty if the value does not end.
std::string_view behindFirst(std::string_view text)
{
    const auto end = endOfJsonValue(text, 0);
    return end ? trimmed(text.substr(*end)) : std::string_view();
}

/// Whether an object follows `:`, `,` or `[`, so that it is a value of the damaged record rather than a record.
bool isNested(std::string_view piece, size_t at)
{
    while (at > 0 && isRecordBlank(piece[at - 1]))
        --at;
    return at > 0 && (piece[at - 1] == ':' || piece[at - 1] == ',' || piece[at - 1] == '[');
}

std::string skipped(uint64_t bytes, simdjson::error_code error)
{
    return "This record was skipped (" + groupedNumber(bytes) + " bytes): " + reasonOf(error) + ".";
}

bool looksLikeRecord(std::string_view text)
{
    const std::string_view head = text.substr(0, kMostLooked);
    return head.find("\"type\":") != std::string_view::npos || head.find("\"uuid\":") != std::string_view::npos
        || head.find("\"timestamp\":") != std::string_view::npos;
}

} // namespace

size_t endOfLine(std::string_view bytes, size_t begin)
{
    const auto *hit = static_cast<const char *>(std::memchr(bytes.data() + begin, '\n', bytes.size() - begin));
    return hit != nullptr ? static_cast<size_t>(hit - bytes.data()) : bytes.size();
}

std::string_view gluedBehind(std::string_view text)
{
    size_t i = 0;
    while (i < text.size()) {
        const size_t pair = findPair(text.substr(i), '}', '{');
        if (pair == std::string_view::npos)
            return {};
        i += pair + 2;
        if (i < text.size() && text[i] == '"')
            return behindFirst(text);
    }
    return {};
}

bool RecordHeads::add(std::string_view record)
{
    constexpr size_t kMaxHead = 40;
    if (m_heads.size() >= kMaxHeads || !record.starts_with("{\""))
        return false;
    const size_t quote = record.substr(0, kMaxHead).find('"', 2);
    if (quote == std::string_view::npos)
        return false;
    const std::string_view head = record.substr(0, quote + 1);
    if (std::ranges::find(m_heads, head) != m_heads.end())
        return false;
    m_heads.emplace_back(head);
    return true;
}

void RecordReader::readLine(std::string_view line, uint64_t number)
{
    std::string_view rest = trimmed(line);
    bool noted = false;
    // Each attempt to find a record costs its length. Without a budget a crafted line would cost the square of its own.
    m_searchBudget = kMaxPasses * rest.size();
    m_nextHeads.clear();
    for (bool isFirst = true; !rest.empty(); isFirst = false) {
        // From the second record on, find its end first, as a line may hold very many records.
        const std::string_view first = isFirst ? rest.substr(0, rest.size() - gluedBehind(rest).size())
                                               : rest.substr(0, endOfJsonValue(rest, 0).value_or(rest.size()));
        const auto error = tryRecord(first, m_source, number);
        if (error == simdjson::SUCCESS) {
            m_heads.add(rest);
            const std::string_view following
                = first.size() < rest.size() || !m_sawTheEnd ? behindFirst(rest) : std::string_view();
            if (!following.empty() && !noted) {
                m_builder.note(number, "This line contains several records; all were read.");
                noted = true;
            }
            rest = following;
            continue;
        }
        rest = recover(rest, number, error, noted);
    }
}

/// Visits the record at the start of `text`; another record behind it is allowed.
simdjson::error_code RecordReader::tryRecord(std::string_view text, SourceId source, uint64_t line)
{
    const std::string_view all = m_builder.sourceBytes(source);
    const Record record { source, static_cast<uint64_t>(text.data() - all.data()), line, text };
    try {
        auto document = m_parser.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
        simdjson::ondemand::object object = document.get_object();
        m_visit(object, record);
        if (!document.value().is_alive()) // it ended within a value whose error was passed over
            return simdjson::TAPE_ERROR;
        m_sawTheEnd = document.at_end();
        return simdjson::SUCCESS;
    } catch (const simdjson::simdjson_error &error) {
        return error.error() == simdjson::SUCCESS ? simdjson::TAPE_ERROR : error.error();
    }
}

/// Reads what is readable of a failed piece; returns the rest.
std::string_view RecordReader::recover(std::string_view piece, uint64_t line, simdjson::error_code error, bool &noted)
{
    const auto end = endOfJsonValue(piece, 0);
    const std::string_view first = end && piece.front() == '{' ? piece.substr(0, *end) : std::string_view();
    const bool hasMore = !first.empty() && first.size() < piece.size();
    if (hasMore && (tryRecord(first, m_source, line) == simdjson::SUCCESS || tryRepaired(first, line, error))) {
        if (!noted)
            m_builder.note(line, "This line contains several records; all were read.");
        noted = true;
        return trimmed(piece.substr(first.size()));
    }
    // A truncated record followed by the next one on the same line. It ends inside a string or between brackets, so the
    // apparent end of its value is wrong.
    if (const size_t next = findGluedRecord(piece); next != std::string_view::npos) {
        reportSkipped(piece.substr(0, next), line, simdjson::INCOMPLETE_ARRAY_OR_OBJECT);
        return piece.substr(next);
    }
    if (hasMore) {
        reportSkipped(first, line, error);
        return trimmed(piece.substr(first.size()));
    }
    if (!tryRepaired(piece, line, error)) {
        endsWithLine(0);
        const bool isCut = error == simdjson::UNCLOSED_STRING || error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT
            || error == simdjson::TAPE_ERROR;
        if (isCut)
            m_cutOff = { m_builder.session().diagnostics.size(), line, piece.size(), error };
        reportSkipped(piece, line, error);
    }
    return {};
}

/// Offset in a damaged line of a whole record that is followed by nothing or by another record, or npos.
size_t RecordReader::findGluedRecord(std::string_view piece)
{
    const auto spend = [&](size_t bytes) { m_searchBudget -= std::min(m_searchBudget, bytes); };
    const auto isWhole = [&](size_t at) {
        const auto end = endOfJsonValue(piece, at);
        spend(end.value_or(piece.size()) - at);
        const std::string_view behind = end ? trimmed(piece.substr(*end)) : std::string_view();
        return end && (behind.empty() || behind.front() == '{');
    };
    const auto isRecordHere = [&](size_t at) {
        spend(std::min(kMostLooked, piece.size() - at));
        return looksLikeRecord(piece.substr(at)) && isWhole(at);
    };
    const auto next = [&](std::string_view head, size_t at) {
        const size_t found = piece.find(head, at + 1);
        spend(std::min(found, piece.size()) - at);
        return found;
    };
    // First search for the known beginnings of records.
    size_t earliest = std::string_view::npos;
    m_nextHeads.resize(m_heads.all().size(), nullptr);
    for (size_t i = 0; i < m_heads.all().size(); ++i) {
        const std::string &head = m_heads.all()[i];
        const bool nests = head == "{\"type\""; // blocks inside of records have this beginning, too
        // What an earlier search of this line found further on is not searched again.
        if (m_nextHeads[i] == nullptr || m_nextHeads[i] <= piece.data())
            m_nextHeads[i] = piece.data() + std::min(piece.find(head, 1), piece.size());
        for (auto at = static_cast<size_t>(m_nextHeads[i] - piece.data());
            at < std::min(earliest, piece.size()) && m_searchBudget > 0; at = next(head, at)) {
            if (!(nests && isNested(piece, at)) && isWhole(at))
                earliest = at;
        }
    }
    if (earliest != std::string_view::npos)
        return earliest;
    // Then try any object that looks like a record.
    for (size_t at = next("{\"", 0); at != std::string_view::npos && m_searchBudget > 0; at = next("{\"", at)) {
        if (!isNested(piece, at) && isRecordHere(at))
            return at;
    }
    return std::string_view::npos;
}

/// Visits a repaired copy of the piece, if there was something to repair and it can be read then.
bool RecordReader::tryRepaired(std::string_view piece, uint64_t line, simdjson::error_code error)
{
    if (error == simdjson::DEPTH_ERROR || error == simdjson::INCORRECT_TYPE)
        return false;
    std::string repaired = repairJsonText(piece);
    if (repaired == piece)
        return false;
    const SourceId holder
        = m_builder.addSource(Source::own(std::move(repaired), m_builder.session().sources[m_source.index()]->name()));
    if (tryRecord(trimmed(m_builder.sourceBytes(holder)), holder, line) != simdjson::SUCCESS)
        return false;
    m_builder.note(line,
        isValidUtf8(piece) ? "The record held NUL or control characters; they were repaired."
                           : "The record held bytes that are not UTF-8; they are shown as U+FFFD.");
    return true;
}

void RecordReader::reportSkipped(std::string_view piece, uint64_t line, simdjson::error_code error)
{
    m_builder.warn(line, skipped(piece.size(), error));
}

void RecordReader::endsWithLine(uint64_t line)
{
    if (!m_cutOff)
        return;
    m_builder.session().diagnostics[m_cutOff->diagnostic].reason = m_cutOff->line == line
        ? "The last record is cut off (a session that is still being written, or a crash): "
            + groupedNumber(m_cutOff->bytes) + " bytes were skipped."
        : skipped(m_cutOff->bytes, m_cutOff->error);
}

} // namespace core
