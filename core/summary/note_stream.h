// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/session/session.h"
#include "core/summary/summary_request.h"

#include <nlohmann/json_fwd.hpp>

namespace core {

/// Splits a stream of server-sent events, given in pieces of any size. Line ends are those of the standard; an event
/// that the end of the stream cuts off is dropped.
class EventLines final {
public:
    struct Event {
        std::string name; ///< may be empty
        std::string data;
    };
    /// The events that `bytes` completes.
    [[nodiscard]] std::vector<Event> feed(std::string_view bytes);
    /// Bytes of the event that is not complete.
    [[nodiscard]] size_t pending() const { return m_line.size() + m_event.data.size(); }

private:
    void endLine(std::vector<Event> &events);

    std::string m_line;
    Event m_event;
    bool m_hasData = false;
    bool m_skipsFeed = false; ///< behind a carriage return
};

/// Why a model stopped writing.
enum class NoteStop : uint8_t {
    Unfinished, ///< the stream has not said that it is complete
    Complete,
    Length, ///< at the limit of the answer
    Refused,
    Other,
};

/// Reads the streamed answer of an API, given in pieces of any size.
class NoteStream final {
public:
    explicit NoteStream(SummaryApi api)
        : m_api(api)
    {
    }

    /// Returns the text that `bytes` adds to the note.
    [[nodiscard]] std::string feed(std::string_view bytes);
    [[nodiscard]] const std::string &text() const { return m_text; }
    [[nodiscard]] NoteStop stop() const { return m_stop; }
    [[nodiscard]] const std::string &stopWord() const { return m_stopWord; } ///< the API's own
    [[nodiscard]] const std::optional<Usage> &usage() const { return m_usage; }
    /// A server's error event, or a stream that is no stream of this API. Nothing is read behind it.
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

    /// The note, once the server has closed the stream; else why there is none. The note may still be useless
    /// (`checkedNote`).
    [[nodiscard]] Result<std::string> finished() const;

private:
    void read(const EventLines::Event &event);
    void readAnthropic(const nlohmann::ordered_json &data);
    void readChat(const nlohmann::ordered_json &data);
    void readResponses(const nlohmann::ordered_json &data);
    void readGemini(const nlohmann::ordered_json &data);
    void fail(ErrorKind kind, std::string message);
    void setStop(const std::string &word);

    SummaryApi m_api;
    EventLines m_lines;
    std::string m_text;
    NoteStop m_stop = NoteStop::Unfinished;
    std::string m_stopWord;
    bool m_isClosed = false; ///< the API's own last event came
    bool m_hasEvents = false;
    std::optional<Usage> m_usage;
    std::optional<Error> m_error;
};

} // namespace core
