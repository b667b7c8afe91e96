// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/kinds.h"

#include "core/session/tool_deed.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <unordered_map>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

constexpr int64_t kMillisecondsPerMinute = 60'000;
constexpr size_t kNoteCharacters = 120;

/// Which tool results a selector means, and what a rung leaves of them.
class Eliding final {
public:
    explicit Eliding(StageRun &run)
        : m_run(run)
        , m_draft(run.draft())
    {
        for (size_t i = 0; i < m_draft.elements().size(); ++i) {
            if (m_draft.elements()[i].isGone)
                continue;
            const Block &block = m_draft.blockOf(i);
            if (block.kind == BlockKind::ToolCall)
                m_callOf[block.callId] = i;
            else if (block.kind == BlockKind::ToolResult)
                m_results.push_back({ i, callBefore(block) });
            else if (block.is(BlockFlag::Typed))
                m_typed.push_back(i);
        }
    }

    void run()
    {
        const std::string selector = m_run.text("selector");
        if (selector == "stale-reads")
            return elideStaleReads();
        if (selector == "by-tool")
            return elideTools();
        if (selector == "older-than-results")
            return elideOlderResults();
        const auto [end, why] = boundaryOf(selector);
        for (const Result &result : m_results) {
            if (result.element < end)
                elide(result, why);
        }
    }

private:
    struct Result {
        size_t element = 0;
        size_t call = SIZE_MAX;
    };

    [[nodiscard]] size_t callBefore(const Block &result) const
    {
        const auto call = m_callOf.find(result.callId);
        return call == m_callOf.end() ? SIZE_MAX : call->second;
    }

    [[nodiscard]] Timestamp timeOf(size_t element) const
    {
        const Block &block = m_draft.blockOf(element);
        const Session &session = *m_draft.before().session();
        return block.message.index() < session.messages.size() ? session.message(block.message).time.value_or(0) : 0;
    }

    /// First element that stays, and why what is before it goes.
    [[nodiscard]] std::pair<size_t, std::string> boundaryOf(const std::string &selector) const
    {
        if (selector == "before-last-user")
            return { m_typed.empty() ? 0 : m_typed.back(), "before the user's last message" };
        if (selector == "every-n-turns") {
            const auto n = std::max<size_t>(1, static_cast<size_t>(m_run.number("n")));
            const size_t passes = m_typed.empty() ? 0 : (m_typed.size() - 1) / n;
            return { passes == 0 ? 0 : m_typed[passes * n],
                "before the last pass, one every " + std::to_string(n) + " turns" };
        }
        if (selector == "idle")
            return idleBoundary();
        if (selector == "commit")
            return commitBoundary();
        return topicBoundary();
    }

    [[nodiscard]] std::pair<size_t, std::string> idleBoundary() const
    {
        const auto pause = static_cast<int64_t>(m_run.number("minutes") * static_cast<double>(kMillisecondsPerMinute));
        size_t end = 0;
        int64_t longest = 0;
        Timestamp previous = 0;
        for (size_t i = 0; i < m_draft.elements().size(); ++i) {
            const Timestamp time = timeOf(i);
            if (time == 0)
                continue;
            if (previous != 0 && time - previous >= pause) {
                end = i;
                longest = time - previous;
            }
            previous = time;
        }
        return { end, "before " + std::to_string(longest / kMillisecondsPerMinute) + " idle minutes" };
    }

    [[nodiscard]] std::pair<size_t, std::string> commitBoundary() const
    {
        for (const Result &result : std::ranges::reverse_view(m_results)) {
            if (result.call == SIZE_MAX)
                continue;
            const Block &call = m_draft.blockOf(result.call);
            const bool isRun = toolDeed(m_draft.string(call.name)) == ToolDeed::Run;
            if (isRun && m_draft.string(call.subject).find("git commit") != std::string_view::npos)
                return { result.call, "before the last git commit" };
        }
        return { 0, {} };
    }

    /// The words of a text of three letters or more, in small letters.
    [[nodiscard]] std::set<std::string> wordsOf(size_t element) const
    {
        std::set<std::string> words;
        std::string word;
        for (const char c : m_draft.textHead(m_draft.elements()[element].block, 4000) + " ") {
            const bool isLetter
                = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
            if (isLetter || (c >= 'A' && c <= 'Z')) {
                word += isLetter ? c : static_cast<char>(c - 'A' + 'a');
                continue;
            }
            if (word.size() > 2)
                words.insert(word);
            word.clear();
        }
        return words;
    }

    [[nodiscard]] std::pair<size_t, std::string> topicBoundary() const
    {
        size_t end = 0;
        double farthest = 0;
        std::set<std::string> previous;
        for (const size_t element : m_typed) {
            std::set<std::string> words = wordsOf(element);
            if (!previous.empty() && !words.empty()) {
                std::vector<std::string> common;
                std::ranges::set_intersection(previous, words, std::back_inserter(common));
                const double all = static_cast<double>(previous.size() + words.size() - common.size());
                const double distance = 1 - static_cast<double>(common.size()) / all;
                if (distance >= m_run.number("distance")) {
                    end = element;
                    farthest = distance;
                }
            }
            if (!words.empty())
                previous = std::move(words);
        }
        return { end,
            "before the topic changed (lexical distance 0." + std::to_string(static_cast<int>(farthest * 100)) + ")" };
    }

    void elideStaleReads()
    {
        std::unordered_map<StringId, size_t> latest;
        for (size_t i = 0; i < m_results.size(); ++i) {
            if (isRead(m_results[i]))
                latest[m_draft.blockOf(m_results[i].call).subject] = i;
        }
        for (size_t i = 0; i < m_results.size(); ++i) {
            if (isRead(m_results[i]) && latest[m_draft.blockOf(m_results[i].call).subject] != i)
                elide(m_results[i], "the same file was read again later");
        }
    }

    [[nodiscard]] bool isRead(const Result &result) const
    {
        if (result.call == SIZE_MAX)
            return false;
        const Block &call = m_draft.blockOf(result.call);
        return call.subject.isValid() && toolDeed(m_draft.string(call.name)) == ToolDeed::Read;
    }

    void elideTools()
    {
        const size_t cut = m_run.cutoff();
        const auto &messages = m_draft.messages();
        const size_t end = cut < messages.size() ? messages[cut].first : m_draft.elements().size();
        for (const Result &result : m_results) {
            if (cut > 0 && result.element < end && m_run.listsTool("tools", m_draft.blockOf(result.element)))
                elide(result, "result of a tool that is not needed again");
        }
    }

    void elideOlderResults()
    {
        const auto keep = static_cast<size_t>(m_run.number("n"));
        for (size_t i = 0; i + keep < m_results.size(); ++i)
            elide(m_results[i], "older than the last " + std::to_string(keep) + " results");
    }

    void elide(const Result &result, const std::string &why)
    {
        const Draft::Element &element = m_draft.elements()[result.element];
        const Block &block = m_draft.blockOf(result.element);
        if (element.isGone || element.isPinned || block.is(BlockFlag::Stub))
            return;
        const uint64_t length = block.body.lengths.codePoints;
        std::string rung = m_run.text("rung");
        if (rung == "hybrid") {
            // Short results stay; errors and searches are ephemeral; of what is large a pointer stays, of the rest a
            // note.
            if (length <= m_run.count("short"))
                return;
            const ToolDeed deed = toolDeed(m_draft.string(block.name));
            const bool isEphemeral = block.is(BlockFlag::Error) || deed == ToolDeed::Search;
            rung = isEphemeral ? "stub" : length >= m_run.count("large") ? "pointer" : "note";
        }
        if (rung == "remove")
            return remove(result, why);
        std::optional<size_t> artifact;
        std::string text;
        if (rung == "pointer") {
            const std::string name = filled(m_run.text("name"), { { "call", m_draft.string(block.callId) } });
            text = filled(m_run.text("pointer"), { { "path", name } });
            artifact = m_run.keepOriginal(result.element, name);
        } else if (rung == "note") {
            text = filled(m_run.text("note"), { { "note", noteOn(result) } });
        } else {
            text = m_run.text("stub");
        }
        if (lengthIn(textLengths(text), m_run.unit()) >= lengthIn(block.body.lengths, m_run.unit()))
            return; // nothing would be saved
        m_run.shorten(result.element, text, artifact ? Fate::Offloaded : Fate::Cleared, why, artifact);
    }

    /// The call and all that belongs to its result.
    void remove(const Result &result, const std::string &why)
    {
        const StringId id = m_draft.blockOf(result.element).callId;
        if (result.call != SIZE_MAX && m_draft.elements()[result.call].isPinned)
            return;
        for (size_t i = result.element; i < m_draft.elements().size(); ++i) {
            const Block &block = m_draft.blockOf(i);
            if (block.callId != id || (i > result.element && block.kind == BlockKind::ToolResult))
                break;
            if (!m_draft.elements()[i].isGone && !m_draft.elements()[i].isPinned)
                m_run.drop(i, why);
        }
        if (result.call != SIZE_MAX && !m_draft.elements()[result.call].isGone)
            m_run.drop(result.call, why);
    }

    /// What the agent did next: its words, else its next call.
    [[nodiscard]] std::string noteOn(const Result &result) const
    {
        for (size_t i = result.element + 1; i < m_draft.elements().size(); ++i) {
            const Draft::Element &element = m_draft.elements()[i];
            const Block &block = m_draft.blockOf(i);
            if (element.isGone || block.kind == BlockKind::ToolResult || block.kind == BlockKind::Thinking)
                continue;
            if (block.kind == BlockKind::ToolCall) {
                return "the agent then called " + std::string(m_draft.string(block.name)) + " "
                    + snippet(m_draft.string(block.subject), kNoteCharacters);
            }
            if (block.is(BlockFlag::Typed))
                break;
            return "the agent then wrote: " + snippet(m_draft.textHead(element.block, 1000), kNoteCharacters);
        }
        return "nothing followed";
    }

    StageRun &m_run;
    Draft &m_draft;
    std::unordered_map<StringId, size_t> m_callOf;
    std::vector<Result> m_results;
    std::vector<size_t> m_typed;
};

} // namespace

StageKind elide()
{
    return { "elide", "Elide",
        "Old tool results make room: they go, or a stub, a pointer or a note stands in their place.",
        {
            { "selector", Type::Choice, "Which results", std::string("before-last-user"), 0, 0, {},
                { "before-last-user", "every-n-turns", "stale-reads", "older-than-results", "idle", "commit", "topic",
                    "by-tool" } },
            { "rung", Type::Choice, "What is left of them", std::string("stub"), 0, 0, {},
                { "remove", "stub", "pointer", "note", "hybrid" } },
            { "n", Type::Count, "Turns between passes, or results that stay", 5.0, 0, 1e6 },
            { "minutes", Type::Number, "Pause behind which everything older goes", 15.0, 0, 1e6, "minutes" },
            { "distance", Type::Number, "Lexical distance of two user messages at which the topic has changed", 0.95, 0,
                1 },
            { "tools", Type::Names, "Results of these tools, where the selector is by tool",
                std::vector<std::string>() },
            { "short", Type::Count, "Hybrid: shorter results stay", 200.0, 0, 1e7, "characters" },
            { "large", Type::Count, "Hybrid: from here on a pointer stays, below it a note", 4000.0, 0, 1e8,
                "characters" },
            { "stub", Type::Text, "The stub", std::string("elided") },
            { "pointer", Type::Text, "The pointer; {path} is filled in", std::string("elided, read from {path}") },
            { "name", Type::Text, "Where the whole goes; {call} is filled in", std::string("elided/{call}.txt") },
            { "note", Type::Text, "The note; {note} is what the agent did next", std::string("elided; {note}") },
        },
        [](StageRun &run) { Eliding(run).run(); } };
}

} // namespace core::stages
