// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/json_records.h"

#include "core/formats/reading/record_reader.h"
#include "core/json/json_probe.h"

namespace core {

namespace {

using simdjson::ondemand::json_type;

} // namespace

std::string reasonOf(simdjson::error_code code)
{
    switch (code) {
    case simdjson::DEPTH_ERROR:
        return "it is nested deeper than 1,024 levels";
    case simdjson::UTF8_ERROR:
        return "it contains bytes that are not UTF-8";
    case simdjson::UNCLOSED_STRING:
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
        return "it is cut off in the middle";
    case simdjson::UNESCAPED_CHARS:
        return "it contains raw control characters";
    case simdjson::INCORRECT_TYPE:
        return "it is not a JSON object";
    case simdjson::CAPACITY:
        return "it is larger than 4 GB";
    case simdjson::MEMALLOC:
        return "there is not enough memory for it";
    case simdjson::EMPTY:
        return "it is empty";
    default:
        return "it is not valid JSON";
    }
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isRecordBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isRecordBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

Result<void> readDocument(SessionBuilder &builder, SourceId source,
    const std::function<void(simdjson::ondemand::document &document, SourceId holder)> &visit)
{
    simdjson::ondemand::parser parser;
    const std::string name = builder.session().sources[source.index()]->name();
    const auto attempt = [&](SourceId holder) {
        const SourcePtr held = builder.session().sources[holder.index()];
        std::string_view text = held->bytes();
        SourceHold hold(*held);
        hold.hold(text);
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
            builder.note(0, "The file held control characters, or bytes that are not UTF-8; Palimpsest repaired them.");
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

std::optional<simdjson::ondemand::value> memberOf(simdjson::ondemand::object &object, std::string_view key)
{
    simdjson::ondemand::value value;
    const auto error = object.find_field_unordered(key).get(value);
    if (error == simdjson::NO_SUCH_FIELD)
        return std::nullopt;
    if (error != simdjson::SUCCESS)
        throw simdjson::simdjson_error(error);
    return value;
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
    const bool isNumber = value.type() == json_type::number;
    return isNumber ? jsonUnsigned(trimmed(value.raw_json_token())) : std::nullopt;
}

bool isTrue(simdjson::ondemand::value value)
{
    bool flag = false;
    return value.type() == json_type::boolean && value.get_bool().get(flag) == simdjson::SUCCESS && flag;
}

std::optional<Timestamp> timeOfNumber(double number)
{
    constexpr double kFirstMilliseconds = 1e11;
    constexpr double kLatest = 1e15; // in 31,000 years
    if (!(number > 0 && number <= kLatest))
        return std::nullopt;
    return static_cast<Timestamp>(number > kFirstMilliseconds ? number : number * 1000);
}

std::optional<size_t> endOfJsonValue(std::string_view text, size_t begin)
{
    size_t i = begin;
    while (i < text.size() && isRecordBlank(text[i]))
        ++i;
    if (i == text.size())
        return std::nullopt;
    int64_t depth = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"') {
            const auto end = skipJsonString(text, i);
            if (!end)
                return std::nullopt;
            i = *end;
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
        if (depth == 0 && (i == text.size() || isRecordBlank(text[i]) || text[i] == ',' || text[i] == '{'))
            return i; // a bare number, true, false or null
    }
    return std::nullopt;
}

std::optional<ClosedDocument> closeTruncatedJson(std::string_view text)
{
    // The open brackets; and for the deepest place at which a value of an array or object was just completed: the
    // length of the text up to there, and the brackets open there.
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
            const auto end = skipJsonString(text, i);
            if (!end)
                break;
            size_t next = *end;
            while (next < text.size() && isRecordBlank(text[next]))
                ++next;
            const bool isKey = next < text.size() && text[next] == ':';
            const bool isUnknown = next >= text.size(); // key or value: unknown
            afterKey = isKey || isUnknown;
            if (!isKey && !isUnknown)
                completed(*end);
            i = *end;
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
