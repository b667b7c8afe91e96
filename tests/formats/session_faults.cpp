// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/formats/session_faults.h"

#include "core/edits/cumulated_patch.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/edits_report.h"
#include "core/report/show_drawing.h"
#include "core/report/trace_report.h"
#include "core/tokens/counted_tokens.h"
#include "tests/session_testing.h"

using namespace core;

namespace testing {

namespace {

bool isSentence(const std::string &text)
{
    return text.size() > 10 && text.ends_with('.') && text.front() >= 'A' && text.front() <= 'Z';
}

std::string faultOf(const Error &error)
{
    return isSentence(error.message) ? std::string() : "The refusal is no sentence: “" + error.message + "”";
}

std::string faultOfJson(const char *name, const Json &document)
{
    return isJson(jsonText(document)) ? std::string() : std::string("The document of ") + name + " is broken";
}

std::string faultOfDrawing(const char *name, const std::string &text)
{
    return text.size() > 1 && text.ends_with('\n') ? std::string() : std::string(name) + " draws nothing";
}

/// What `show`, `trace` and `edits` make of a session.
class Commands final {
public:
    Commands(SessionPtr session, std::mt19937_64 &random)
        : m_session(std::move(session))
        , m_random(random)
        , m_tokens(countedTokens(*m_session, 1, nullptr))
    {
    }

    /// The first fault of each.
    [[nodiscard]] std::vector<std::string> faults()
    {
        m_position.thread = ThreadIndex(below(m_session->threads.size()));
        const size_t calls = m_session->thread(m_position.thread).calls.size();
        if (calls > 0 && below(2) == 0)
            m_position.call = CallIndex(below(calls));
        return { showFault(), traceFault(), editsFault() };
    }

private:
    size_t below(size_t limit) { return static_cast<size_t>(m_random() % limit); }

    std::string showFault()
    {
        const Shown shown
            = shownAt(m_session, m_position, Weights(m_tokens, WeightUnit::Tokens), openingKeep(*m_session));
        const std::string fault = faultOfJson("show", showJson(shown, BlockTexts::Included));
        return fault.empty() ? faultOfDrawing("show", drawShow(shown, {})) : fault;
    }

    std::string traceFault()
    {
        TraceReport report = traceReport(m_session, m_position.thread, m_tokens);
        std::string fault = faultOfJson("trace", traceJson(report));
        if (fault.empty())
            fault = faultOfDrawing("trace", drawTrace(report));
        if (!fault.empty() || m_session->blocks.empty())
            return fault;
        const BlockId block(below(m_session->blocks.size()));
        const std::string text = m_session->text(m_session->block(block).body);
        const std::string phrase = text.empty() ? text : text.substr(below(text.size()), 1 + below(60));
        report.trace = phrase.find_first_not_of(" \t\r\n") == std::string::npos || below(2) == 0
            ? traceBlock(report.spans, block, report.unlogged)
            : traceText(report.spans, phrase, report.unlogged);
        fault = faultOfJson("trace of a block", traceJson(report));
        return fault.empty() ? faultOfDrawing("trace of a block", drawTrace(report)) : fault;
    }

    std::string editsFault() const
    {
        const EditsReport report = editsReport(m_session);
        std::string fault = faultOfJson("edits", editsJson(report));
        if (fault.empty())
            fault = faultOfDrawing("edits", drawEdits(report));
        const auto patch = cumulatedPatch(report.edits);
        return fault.empty() && !patch ? faultOf(patch.error()) : fault;
    }

    SessionPtr m_session;
    std::mt19937_64 &m_random;
    BlockTokensPtr m_tokens;
    Position m_position;
};

/// Calls `work` and makes a fault of an exception. Those of libraries must end in core.
template <typename Work>
std::vector<std::string> withoutExceptions(const std::string &name, const Work &work)
{
    try {
        return work();
    } catch (const std::exception &error) {
        return { name + " throws: " + error.what() };
    }
}

std::string readingFault(const Result<SessionPtr> &session)
{
    return session ? brokenRule(**session) : faultOf(session.error());
}

} // namespace

std::vector<std::string> faultsOfReader(const Format &format, const std::string &text)
{
    return withoutExceptions(std::string(format.id), [&]() -> std::vector<std::string> {
        const auto reader = format.open({});
        const auto appended = reader->append(Source::own(text, "document"));
        const std::string fault = appended ? readingFault(reader->end()) : faultOf(appended.error());
        return { fault.empty() ? fault : std::string(format.id) + ": " + fault };
    });
}

std::vector<std::string> faultsOfReaders(const std::string &text)
{
    std::vector<std::string> faults;
    for (const Format *format : formats()) {
        const auto found = faultsOfReader(*format, text);
        faults.insert(faults.end(), found.begin(), found.end());
    }
    return faults;
}

std::vector<std::string> faultsOfCommands(const std::string &text, std::mt19937_64 &random)
{
    return withoutExceptions("A command", [&]() -> std::vector<std::string> {
        const auto session = load(text);
        std::string fault = readingFault(session);
        if (!session || !fault.empty())
            return { fault };
        return Commands(*session, random).faults();
    });
}

} // namespace testing
