// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/summary/note_stream.h"

#include "core/json/json.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr size_t kMostEvent = size_t { 8 } << 20U; ///< bytes of one event
constexpr size_t kMostNote = size_t { 4 } << 20U;  ///< bytes of a note

/// A member at a path of names; null if there is none.
const Json &at(const Json &data, std::initializer_list<const char *> path)
{
    static const Json none;
    const Json *value = &data;
    for (const char *name : path) {
        if (!value->is_object() || !value->contains(name))
            return none;
        value = &(*value)[name];
    }
    return *value;
}

std::string textAt(const Json &data, std::initializer_list<const char *> path)
{
    const Json &value = at(data, path);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<uint64_t> countAt(const Json &data, std::initializer_list<const char *> path)
{
    const Json &value = at(data, path);
    return value.is_number_unsigned() ? std::optional(value.get<uint64_t>()) : std::nullopt;
}

uint64_t without(uint64_t whole, uint64_t part) { return whole > part ? whole - part : 0; }

/// OpenAI and Google count what the cache served as part of the prompt.
Usage usageOf(uint64_t prompt, uint64_t cached, uint64_t output, std::optional<uint64_t> reasoning)
{
    return { without(prompt, cached), std::min(cached, prompt), 0, output, reasoning };
}

const Json &first(const Json &list)
{
    static const Json none;
    return list.is_array() && !list.empty() ? list.front() : none;
}

/// How each API says that it stopped. What is not listed is another reason.
struct StopWord {
    std::string_view word;
    NoteStop stop = NoteStop::Other;
};
constexpr auto kStopWords = std::to_array<StopWord>({
    { "end_turn", NoteStop::Complete },
    { "stop_sequence", NoteStop::Complete },
    { "stop", NoteStop::Complete },
    { "completed", NoteStop::Complete },
    { "STOP", NoteStop::Complete },
    { "max_tokens", NoteStop::Length },
    { "model_context_window_exceeded", NoteStop::Length },
    { "length", NoteStop::Length },
    { "max_output_tokens", NoteStop::Length },
    { "MAX_TOKENS", NoteStop::Length },
    { "refusal", NoteStop::Refused },
    { "content_filter", NoteStop::Refused },
    { "SAFETY", NoteStop::Refused },
    { "PROHIBITED_CONTENT", NoteStop::Refused },
    { "BLOCKLIST", NoteStop::Refused },
    { "RECITATION", NoteStop::Refused },
});

} // namespace

std::vector<EventLines::Event> EventLines::feed(std::string_view bytes)
{
    std::vector<Event> events;
    for (const char c : bytes) {
        const bool isSecondHalf = m_skipsFeed && c == '\n';
        m_skipsFeed = c == '\r';
        if (isSecondHalf)
            continue;
        if (c == '\n' || c == '\r')
            endLine(events);
        else
            m_line += c;
    }
    return events;
}

void EventLines::endLine(std::vector<Event> &events)
{
    const std::string line = std::exchange(m_line, {});
    if (line.empty()) {
        Event event = std::exchange(m_event, {});
        if (std::exchange(m_hasData, false))
            events.push_back(std::move(event));
        return;
    }
    const size_t colon = line.find(':');
    const std::string_view field = std::string_view(line).substr(0, colon);
    std::string_view value = colon == std::string::npos ? std::string_view() : std::string_view(line).substr(colon + 1);
    if (value.starts_with(' '))
        value.remove_prefix(1);
    if (field == "event") {
        m_event.name = value;
    } else if (field == "data") {
        if (m_hasData)
            m_event.data += '\n';
        m_event.data += value;
        m_hasData = true;
    }
}

std::string NoteStream::feed(std::string_view bytes)
{
    const size_t before = m_text.size();
    for (const EventLines::Event &event : m_lines.feed(bytes)) {
        if (!m_error && !m_isClosed)
            read(event);
    }
    if (!m_error && (m_lines.pending() > kMostEvent || m_text.size() > kMostNote))
        fail(ErrorKind::Malformed,
            "The answer is longer than 4 MiB, or one event of it is longer than 8 MiB. The request was stopped.");
    return m_text.substr(before);
}

void NoteStream::read(const EventLines::Event &event)
{
    if (event.data == "[DONE]") {
        m_isClosed = true;
        return;
    }
    const Json data = parseJson(event.data);
    if (!data.is_object()) {
        fail(ErrorKind::Malformed,
            "The stream of the answer is malformed: an event holds no JSON object: “" + snippet(event.data, 60) + "”.");
        return;
    }
    m_hasEvents = true;
    if (const Json &error = at(data, { "error" }); error.is_object() || error.is_string()) {
        const std::string words = error.is_string() ? error.get<std::string>() : textAt(error, { "message" });
        fail(
            ErrorKind::NotReadable, "The server reports an error: " + (words.empty() ? std::string("unnamed") : words));
        return;
    }
    switch (m_api) {
    case SummaryApi::Anthropic:
        return readAnthropic(data);
    case SummaryApi::OpenAiChat:
        return readChat(data);
    case SummaryApi::OpenAiResponses:
        return readResponses(data);
    case SummaryApi::Gemini:
        return readGemini(data);
    }
}

void NoteStream::readAnthropic(const Json &data)
{
    const std::string type = textAt(data, { "type" });
    const auto takeUsage = [&](const Json &usage) {
        if (!usage.is_object())
            return;
        Usage known = m_usage.value_or(Usage());
        known.input = countAt(usage, { "input_tokens" }).value_or(known.input);
        known.cacheRead = countAt(usage, { "cache_read_input_tokens" }).value_or(known.cacheRead);
        known.cacheWrite = countAt(usage, { "cache_creation_input_tokens" }).value_or(known.cacheWrite);
        known.output = countAt(usage, { "output_tokens" }).value_or(known.output);
        m_usage = known;
    };
    if (type == "message_start") {
        takeUsage(at(data, { "message", "usage" }));
    } else if (type == "content_block_delta") {
        if (textAt(data, { "delta", "type" }) == "text_delta")
            m_text += textAt(data, { "delta", "text" });
    } else if (type == "message_delta") {
        takeUsage(at(data, { "usage" }));
        setStop(textAt(data, { "delta", "stop_reason" }));
    } else if (type == "message_stop") {
        m_isClosed = true;
    }
}

void NoteStream::readChat(const Json &data)
{
    const Json &choice = first(at(data, { "choices" }));
    m_text += textAt(choice, { "delta", "content" });
    setStop(textAt(choice, { "finish_reason" }));
    if (!textAt(choice, { "delta", "refusal" }).empty())
        setStop("refusal");
    if (const Json &usage = at(data, { "usage" }); usage.is_object()) {
        m_usage = usageOf(countAt(usage, { "prompt_tokens" }).value_or(0),
            countAt(usage, { "prompt_tokens_details", "cached_tokens" }).value_or(0),
            countAt(usage, { "completion_tokens" }).value_or(0),
            countAt(usage, { "completion_tokens_details", "reasoning_tokens" }));
    }
}

void NoteStream::readResponses(const Json &data)
{
    const std::string type = textAt(data, { "type" });
    if (type == "response.output_text.delta") {
        m_text += textAt(data, { "delta" });
    } else if (type == "response.refusal.delta") {
        setStop("refusal");
    } else if (type == "error") {
        fail(ErrorKind::NotReadable, "The server reports an error: " + textAt(data, { "message" }));
    } else if (type == "response.failed") {
        fail(
            ErrorKind::NotReadable, "The server reports an error: " + textAt(data, { "response", "error", "message" }));
    } else if (type == "response.completed" || type == "response.incomplete") {
        const std::string why = textAt(data, { "response", "incomplete_details", "reason" });
        if (m_stop == NoteStop::Unfinished)
            setStop(type == "response.completed" ? "completed" : why.empty() ? "incomplete" : why);
        if (const Json &usage = at(data, { "response", "usage" }); usage.is_object()) {
            m_usage = usageOf(countAt(usage, { "input_tokens" }).value_or(0),
                countAt(usage, { "input_tokens_details", "cached_tokens" }).value_or(0),
                countAt(usage, { "output_tokens" }).value_or(0),
                countAt(usage, { "output_tokens_details", "reasoning_tokens" }));
        }
        m_isClosed = true;
    }
}

void NoteStream::readGemini(const Json &data)
{
    if (const std::string blocked = textAt(data, { "promptFeedback", "blockReason" }); !blocked.empty())
        setStop(blocked);
    const Json &candidate = first(at(data, { "candidates" }));
    if (const Json &parts = at(candidate, { "content", "parts" }); parts.is_array()) {
        for (const Json &part : parts) {
            const Json &thought = at(part, { "thought" });
            if (!thought.is_boolean() || !thought.get<bool>())
                m_text += textAt(part, { "text" });
        }
    }
    setStop(textAt(candidate, { "finishReason" }));
    if (const Json &usage = at(data, { "usageMetadata" }); usage.is_object()) {
        const auto thoughts = countAt(usage, { "thoughtsTokenCount" });
        m_usage = usageOf(countAt(usage, { "promptTokenCount" }).value_or(0),
            countAt(usage, { "cachedContentTokenCount" }).value_or(0),
            countAt(usage, { "candidatesTokenCount" }).value_or(0) + thoughts.value_or(0), thoughts);
    }
}

void NoteStream::fail(ErrorKind kind, std::string message)
{
    if (!message.ends_with('.'))
        message += '.';
    m_error = Error { kind, std::move(message), {} };
}

void NoteStream::setStop(const std::string &word)
{
    if (word.empty())
        return;
    const auto found = std::ranges::find(kStopWords, word, &StopWord::word);
    m_stop = found == kStopWords.end() ? NoteStop::Other : found->stop;
    m_stopWord = word;
}

Result<std::string> NoteStream::finished() const
{
    if (m_error)
        return std::unexpected(*m_error);
    switch (m_stop) {
    case NoteStop::Complete:
        // Anthropic names the reason before the last event.
        if (m_api == SummaryApi::Anthropic && !m_isClosed)
            break;
        return m_text;
    case NoteStop::Length:
        return failure(
            ErrorKind::Malformed, "The model stopped at its limit (" + m_stopWord + "): the note is cut off.");
    case NoteStop::Refused:
        return failure(ErrorKind::Malformed, "The model refused to write the note (" + m_stopWord + ").");
    case NoteStop::Other:
        return failure(ErrorKind::Malformed, "The model stopped before the note was complete (" + m_stopWord + ").");
    case NoteStop::Unfinished:
        break;
    }
    return failure(ErrorKind::Malformed,
        m_hasEvents ? "The connection ended before the answer was complete."
                    : "The answer is not a stream of this API: it holds no event.");
}

} // namespace core
