// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/json_records.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>

namespace core {

namespace {

using simdjson::ondemand::json_type;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr uint64_t kReportEvery = 256U << 10U;
/// How often a damaged line is read at most, in all, to find a whole record in it.
constexpr size_t kMaxPasses = 50;
/// How many ways of beginning a record are remembered.
constexpr size_t kMaxHeads = 8;

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0'; }

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// The parser's word for what is wrong, as a clause.
std::string reasonOf(simdjson::error_code code)
{
    switch (code) {
    case simdjson::DEPTH_ERROR:
        return "it is nested deeper than 1,024 levels";
    case simdjson::UTF8_ERROR:
        return "it holds bytes that are not UTF-8";
    case simdjson::UNCLOSED_STRING:
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
        return "it is cut off in the middle";
    case simdjson::UNESCAPED_CHARS:
        return "it holds raw control characters";
    case simdjson::INCORRECT_TYPE:
        return "it is no JSON object";
    case simdjson::CAPACITY:
        return "it is larger than 4 GB";
    case simdjson::MEMALLOC:
        return "there is not enough memory for it";
    case simdjson::EMPTY:
        return "it is empty";
    default:
        return "it is no valid JSON";
    }
}

/// Reads records out of lines; keeps the parser and the diagnostics.
class RecordReader final {
public:
    RecordReader(SessionBuilder &builder, SourceId source, const RecordVisitor &visit)
        : m_builder(builder)
        , m_source(source)
        , m_bytes(builder.sourceBytes(source))
        , m_visit(visit)
    {
    }

    void readLine(std::string_view line, uint64_t number, bool isLast)
    {
        std::string_view rest = trimmed(line);
        bool noted = false;
        for (bool isFirst = true; !rest.empty(); isFirst = false) {
            // Behind the first record of a line where it ends is looked up: its line may hold very many.
            const std::string_view first = isFirst ? rest.substr(0, rest.size() - gluedBehind(rest).size())
                                                   : rest.substr(0, endOfJsonValue(rest, 0).value_or(rest.size()));
            const auto error = tryRecord(first, m_source, number);
            if (error == simdjson::SUCCESS) {
                rememberHead(rest);
                const std::string_view following
                    = first.size() < rest.size() || !m_sawTheEnd ? behindFirst(rest) : std::string_view();
                if (!following.empty() && !noted) {
                    m_builder.note(number, "Several records stand on this line; all were read.");
                    noted = true;
                }
                rest = following;
                continue;
            }
            rest = recover(rest, number, error, isLast, noted);
        }
    }

private:
    /// Visits the record at the start of `text`; a glued one behind it does no harm.
    simdjson::error_code tryRecord(std::string_view text, SourceId source, uint64_t line)
    {
        const std::string_view all = m_builder.sourceBytes(source);
        const Record record { source, static_cast<uint64_t>(text.data() - all.data()), line, text };
        try {
            auto document = m_parser.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
            simdjson::ondemand::object object = document.get_object();
            m_visit(object, record);
            m_sawTheEnd = document.at_end();
            return simdjson::SUCCESS;
        } catch (const simdjson::simdjson_error &error) {
            return error.error() == simdjson::SUCCESS ? simdjson::TAPE_ERROR : error.error();
        }
    }

    /// What stands behind the first value of a line; nothing if that value does not end.
    static std::string_view behindFirst(std::string_view text)
    {
        const auto end = endOfJsonValue(text, 0);
        return end ? trimmed(text.substr(*end)) : std::string_view();
    }

    /// The same, looking closely only where `}{"` stands: inside a string the quote would be escaped, so that hardly
    /// any line but a glued one has it, and one fast search tells.
    static std::string_view gluedBehind(std::string_view text)
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

    /// Gets what can be got out of a piece that failed; returns what is still to be read.
    std::string_view recover(
        std::string_view piece, uint64_t line, simdjson::error_code error, bool isLast, bool &noted)
    {
        const auto end = endOfJsonValue(piece, 0);
        const std::string_view first = end && piece.front() == '{' ? piece.substr(0, *end) : std::string_view();
        const bool hasMore = !first.empty() && first.size() < piece.size();
        if (hasMore && (tryRecord(first, m_source, line) == simdjson::SUCCESS || tryRepaired(first, line, error))) {
            if (!noted)
                m_builder.note(line, "Several records stand on this line; all were read.");
            noted = true;
            return trimmed(piece.substr(first.size()));
        }
        // A stump with the next record glued to it. The stump ends inside a string or between brackets, so where its
        // value seems to end says nothing (what is inside and outside of strings is swapped behind it).
        if (const size_t next = findGluedRecord(piece); next != std::string_view::npos) {
            reportSkipped(piece.substr(0, next), line, simdjson::INCOMPLETE_ARRAY_OR_OBJECT, false);
            return piece.substr(next);
        }
        if (hasMore) {
            reportSkipped(first, line, error, false);
            return trimmed(piece.substr(first.size()));
        }
        if (!tryRepaired(piece, line, error))
            reportSkipped(piece, line, error, isLast);
        return {};
    }

    /// Where in a damaged line a whole record begins that is followed by nothing or by another one, or npos.
    [[nodiscard]] size_t findGluedRecord(std::string_view piece) const
    {
        // Looking whether a record is whole costs its length; a line made for it could ask for the square of its own.
        size_t budget = kMaxPasses * piece.size();
        const auto isWhole = [&](size_t at) {
            const auto end = endOfJsonValue(piece, at);
            budget -= std::min(budget, end.value_or(piece.size()) - at);
            const std::string_view behind = end ? trimmed(piece.substr(*end)) : std::string_view();
            return end && (behind.empty() || behind.front() == '{');
        };
        // First what begins as whole records of this file do, wherever it stands.
        size_t earliest = std::string_view::npos;
        for (const std::string &head : m_heads) {
            const bool nests = head == "{\"type\""; // so do the blocks inside of records begin
            for (size_t at = piece.find(head, 1); at < earliest && budget > 0; at = piece.find(head, at + 1)) {
                if (!(nests && isNested(piece, at)) && isWhole(at))
                    earliest = at;
            }
        }
        if (earliest != std::string_view::npos)
            return earliest;
        // Then any object that looks like one.
        for (size_t at = piece.find("{\"", 1); at != std::string_view::npos && budget > 0;
            at = piece.find("{\"", at + 1)) {
            if (!isNested(piece, at) && looksLikeRecord(piece.substr(at)) && isWhole(at))
                return at;
        }
        return std::string_view::npos;
    }

    /// An object behind `:`, `,` or `[` is a value of the damaged record, not a record of its own.
    static bool isNested(std::string_view piece, size_t at)
    {
        while (at > 0 && isBlank(piece[at - 1]))
            --at;
        return at > 0 && (piece[at - 1] == ':' || piece[at - 1] == ',' || piece[at - 1] == '[');
    }

    static bool looksLikeRecord(std::string_view text)
    {
        const std::string_view head = text.substr(0, 4096);
        return head.find("\"type\":") != std::string_view::npos || head.find("\"uuid\":") != std::string_view::npos
            || head.find("\"timestamp\":") != std::string_view::npos;
    }

    /// Keeps how whole records begin: `{"parentUuid"`. Files have one to five such heads.
    void rememberHead(std::string_view record)
    {
        constexpr size_t kMaxHead = 40;
        if (m_heads.size() >= kMaxHeads || !record.starts_with("{\""))
            return;
        const size_t quote = record.substr(0, kMaxHead).find('"', 2);
        if (quote == std::string_view::npos)
            return;
        const std::string_view head = record.substr(0, quote + 1);
        if (std::ranges::find(m_heads, head) == m_heads.end())
            m_heads.emplace_back(head);
    }

    /// Visits a repaired copy of the piece, if there was something to repair and it can be read then.
    bool tryRepaired(std::string_view piece, uint64_t line, simdjson::error_code error)
    {
        if (error == simdjson::DEPTH_ERROR || error == simdjson::INCORRECT_TYPE)
            return false;
        std::string repaired = repairJsonText(piece);
        if (repaired == piece)
            return false;
        const SourceId holder = m_builder.addSource(
            Source::own(std::move(repaired), m_builder.session().sources[m_source.index()]->name()));
        if (tryRecord(trimmed(m_builder.sourceBytes(holder)), holder, line) != simdjson::SUCCESS)
            return false;
        m_builder.note(line,
            isValidUtf8(piece) ? "The record held NUL or control characters; they were repaired."
                               : "The record held bytes that are not UTF-8; they are shown as U+FFFD.");
        return true;
    }

    void reportSkipped(std::string_view piece, uint64_t line, simdjson::error_code error, bool isLast)
    {
        const bool isCut = error == simdjson::UNCLOSED_STRING || error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT
            || error == simdjson::TAPE_ERROR;
        if (isLast && isCut) {
            m_builder.warn(line,
                "The last record is cut off (a session that is still being written, or a crash): "
                    + groupedNumber(piece.size()) + " bytes were skipped.");
            return;
        }
        m_builder.warn(
            line, "This record was skipped (" + groupedNumber(piece.size()) + " bytes): " + reasonOf(error) + ".");
    }

    SessionBuilder &m_builder;
    SourceId m_source;
    std::string_view m_bytes;
    const RecordVisitor &m_visit;
    simdjson::ondemand::parser m_parser;
    std::vector<std::string> m_heads;
    bool m_sawTheEnd = true; ///< the last record read reached to the end of its text
};

int digits(std::string_view text, size_t from, size_t count)
{
    int value = 0;
    if (from + count > text.size())
        return -1;
    const auto [end, error] = std::from_chars(text.data() + from, text.data() + from + count, value);
    return error == std::errc() && end == text.data() + from + count ? value : -1;
}

} // namespace

bool forEachRecord(SessionBuilder &builder, SourceId source, const ReadContext &context, const RecordVisitor &visit,
    const std::function<void(double)> &afterSome)
{
    const std::string_view bytes = builder.sourceBytes(source);
    RecordReader reader(builder, source, visit);
    size_t begin = bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    uint64_t number = 1;
    uint64_t reportAt = kReportEvery;
    while (begin < bytes.size()) {
        const auto *hit = static_cast<const char *>(std::memchr(bytes.data() + begin, '\n', bytes.size() - begin));
        const size_t end = hit != nullptr ? static_cast<size_t>(hit - bytes.data()) : bytes.size();
        reader.readLine(bytes.substr(begin, end - begin), number, end == bytes.size() || end + 1 == bytes.size());
        begin = end + 1;
        ++number;
        if (begin >= reportAt) {
            if (context.isCancelled())
                return false;
            reportAt = begin + kReportEvery;
            const double share = static_cast<double>(begin) / static_cast<double>(bytes.size());
            context.setFraction(share);
            if (afterSome)
                afterSome(share);
        }
    }
    return !context.isCancelled();
}

Result<void> readDocument(SessionBuilder &builder, SourceId source,
    const std::function<void(simdjson::ondemand::document &document, SourceId holder)> &visit)
{
    simdjson::ondemand::parser parser;
    const std::string name = builder.session().sources[source.index()]->name();
    const auto attempt = [&](SourceId holder) {
        std::string_view text = builder.sourceBytes(holder);
        if (text.starts_with(kByteOrderMark))
            text.remove_prefix(kByteOrderMark.size());
        text = trimmed(text);
        try {
            auto document = parser.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
            simdjson::ondemand::document &reference = document.value();
            visit(reference, holder);
            return simdjson::error_code::SUCCESS;
        } catch (const simdjson::simdjson_error &error) {
            return error.error();
        }
    };
    auto error = attempt(source);
    if (error == simdjson::SUCCESS)
        return {};
    const std::string_view original = builder.sourceBytes(source);
    std::string repaired = repairJsonText(original);
    const bool wasDirty = repaired != original;
    SourceId holder = source;
    if (wasDirty) {
        holder = builder.addSource(Source::own(std::move(repaired), name));
        if (attempt(holder) == simdjson::SUCCESS) {
            builder.note(0, "The file held bytes that are not UTF-8 or control characters; they were repaired.");
            return {};
        }
    }
    if (auto closed = closeTruncatedJson(builder.sourceBytes(holder))) {
        const std::string_view text = builder.sourceBytes(holder);
        const uint64_t line = lineOfOffset(text, text.size());
        const uint64_t keptLine = lineOfOffset(text, closed->keptBytes);
        const uint64_t lost = text.size() - closed->keptBytes;
        const SourceId closedHolder = builder.addSource(Source::own(std::move(closed->text), name));
        error = attempt(closedHolder);
        if (error == simdjson::SUCCESS) {
            builder.warn(line,
                "The file ends in the middle of a value: everything up to line " + groupedNumber(keptLine)
                    + " was read, the last " + groupedNumber(lost) + " bytes were not.");
            return {};
        }
    }
    return failure(ErrorKind::Malformed, "The file could not be read as JSON: " + reasonOf(error) + ".", name);
}

std::string_view rawString(simdjson::ondemand::value value)
{
    std::string_view token = value.raw_json_token();
    while (!token.empty() && token.back() != '"')
        token.remove_suffix(1);
    if (token.size() < 2 || token.front() != '"')
        throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
    return token.substr(1, token.size() - 2);
}

std::string_view rawJson(simdjson::ondemand::value value)
{
    std::string_view raw = value.raw_json();
    return trimmed(raw);
}

std::optional<std::string> stringOf(simdjson::ondemand::value value)
{
    if (value.type() != json_type::string)
        return std::nullopt;
    return decodeJsonString(rawString(value));
}

StringId internString(SessionBuilder &builder, std::string_view raw)
{
    return raw.contains('\\') ? builder.intern(decodeJsonString(raw)) : builder.intern(raw);
}

std::optional<uint64_t> unsignedOf(simdjson::ondemand::value value)
{
    if (value.type() != json_type::number)
        return std::nullopt;
    uint64_t number = 0;
    if (value.get_uint64().get(number) == simdjson::SUCCESS)
        return number;
    double real = 0;
    if (value.get_double().get(real) == simdjson::SUCCESS && real >= 0)
        return static_cast<uint64_t>(real);
    return std::nullopt;
}

bool isTrue(simdjson::ondemand::value value)
{
    bool flag = false;
    return value.type() == json_type::boolean && value.get_bool().get(flag) == simdjson::SUCCESS && flag;
}

std::optional<Timestamp> parseTime(std::string_view iso)
{
    const int year = digits(iso, 0, 4);
    const int month = digits(iso, 5, 2);
    const int day = digits(iso, 8, 2);
    const int hour = digits(iso, 11, 2);
    const int minute = digits(iso, 14, 2);
    const int second = digits(iso, 17, 2);
    if (year < 0 || month < 1 || day < 1 || hour < 0 || minute < 0 || second < 0)
        return std::nullopt;
    const std::chrono::year_month_day date { std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
        std::chrono::day(static_cast<unsigned>(day)) };
    if (!date.ok())
        return std::nullopt;
    int64_t milliseconds
        = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::sys_days(date).time_since_epoch()).count();
    milliseconds += ((hour * 60LL + minute) * 60 + second) * 1000;
    size_t i = 19;
    if (i < iso.size() && iso[i] == '.') {
        ++i;
        int64_t scale = 100;
        for (; i < iso.size() && iso[i] >= '0' && iso[i] <= '9'; ++i, scale /= 10)
            milliseconds += (iso[i] - '0') * scale;
    }
    if (i + 5 < iso.size() && (iso[i] == '+' || iso[i] == '-')) {
        const int hours = digits(iso, i + 1, 2);
        const int minutes = digits(iso, i + 4, 2);
        if (hours >= 0 && minutes >= 0)
            milliseconds -= (iso[i] == '+' ? 1 : -1) * (hours * 60LL + minutes) * 60'000;
    }
    return milliseconds;
}

std::optional<size_t> endOfJsonValue(std::string_view text, size_t begin)
{
    size_t i = begin;
    while (i < text.size() && isBlank(text[i]))
        ++i;
    if (i == text.size())
        return std::nullopt;
    int64_t depth = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"') {
            ++i;
            while (i < text.size() && text[i] != '"')
                i += text[i] == '\\' ? 2 : 1;
            if (i >= text.size())
                return std::nullopt;
            ++i;
            if (depth == 0)
                return i;
            continue;
        }
        if (c == '{' || c == '[')
            ++depth;
        else if (c == '}' || c == ']')
            --depth;
        ++i;
        if (depth <= 0 && (c == '}' || c == ']'))
            return i;
        if (depth == 0 && (i == text.size() || isBlank(text[i]) || text[i] == ',' || text[i] == '{'))
            return i; // a bare number, true, false or null
    }
    return std::nullopt;
}

std::optional<ClosedDocument> closeTruncatedJson(std::string_view text)
{
    // The open brackets, and for the deepest place at which a value of an array or object had just been completed:
    // how much text that was and which brackets were open.
    std::string open;
    std::string openAtCut;
    size_t cut = 0;
    bool afterKey = false;
    const auto completed = [&](size_t end) {
        if (!afterKey && !open.empty()) {
            cut = end;
            openAtCut = open;
        }
    };
    size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"') {
            size_t end = i + 1;
            while (end < text.size() && text[end] != '"')
                end += text[end] == '\\' ? 2 : 1;
            if (end >= text.size())
                break;
            ++end;
            size_t next = end;
            while (next < text.size() && isBlank(text[next]))
                ++next;
            const bool isKey = next < text.size() && text[next] == ':';
            const bool isUnknown = next >= text.size(); // key or value: cannot be told any more
            afterKey = isKey || isUnknown;
            if (!isKey && !isUnknown)
                completed(end);
            i = end;
            continue;
        }
        if (c == '{' || c == '[') {
            open += c;
            afterKey = false;
        } else if (c == '}' || c == ']') {
            if (open.empty())
                return std::nullopt;
            open.pop_back();
            afterKey = false;
            completed(i + 1);
        } else if (c == ':') {
            afterKey = false;
        } else if (c == ',') {
            // A bare number, true, false or null ends here at the latest.
            if (cut < i && i > 0) {
                cut = i;
                openAtCut = open;
            }
            afterKey = false;
        }
        ++i;
    }
    if (open.empty() || openAtCut.empty())
        return std::nullopt;
    ClosedDocument closed;
    closed.keptBytes = cut;
    closed.text = std::string(text.substr(0, cut));
    for (auto bracket = openAtCut.rbegin(); bracket != openAtCut.rend(); ++bracket)
        closed.text += *bracket == '{' ? '}' : ']';
    return closed;
}

} // namespace core
