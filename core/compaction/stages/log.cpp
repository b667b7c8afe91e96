// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/log.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/compaction/assumed_summary.h"
#include "core/compaction/stages/head_facts.h"
#include "core/compaction/stages/kinds.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <unordered_map>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

constexpr std::string_view kHead = "[Log of the harness. It replaces the messages before this one]";
constexpr std::string_view kTasks = "[Open tasks, from the harness]";
constexpr size_t kTypedCharacters = 300;
constexpr size_t kSubjectCharacters = 100;

bool isByModel(const StageParameters &log) { return log.text("writer") == "model"; }
bool countsCalls(const StageParameters &log) { return log.text("counts") == "calls"; }

bool isTyped(const Draft &draft, const Draft::Message &message)
{
    return std::ranges::any_of(draft.elementsOf(message), [&](const Draft::Element &element) {
        return element.origin.isValid() && draft.block(element.origin).is(BlockFlag::Typed);
    });
}

/// By message: the last message with a result of its calls; 0 if there is none.
std::vector<size_t> lastResults(const Draft &draft)
{
    std::vector<size_t> last(draft.messages().size(), 0);
    std::unordered_map<StringId, size_t> calls;
    for (size_t i = 0; i < last.size(); ++i) {
        for (const Draft::Element &element : draft.elementsOf(draft.messages()[i])) {
            const Block &block = draft.block(element.block);
            if (block.kind == BlockKind::ToolCall)
                calls[block.callId] = i;
            else if (const auto call = calls.find(block.callId);
                block.kind == BlockKind::ToolResult && call != calls.end())
                last[call->second] = i;
        }
    }
    return last;
}

std::string_view verbOf(ToolDeed deed)
{
    switch (deed) {
    case ToolDeed::Read:
        return "read";
    case ToolDeed::Write:
        return "wrote";
    case ToolDeed::Edit:
        return "edited";
    case ToolDeed::Search:
        return "searched";
    case ToolDeed::Run:
        return "ran";
    case ToolDeed::Other:
        break;
    }
    return "called";
}

/// The lines of an entry that the harness writes: typed messages and deeds of tools, in order.
class EntryLines final {
public:
    EntryLines(const Draft &draft, const StageParameters &log)
        : m_draft(draft)
        , m_holdsTyped(log.isOn("typed"))
        , m_holdsDeeds(log.isOn("deeds"))
        , m_left(log.count("entry"))
    {
    }

    void add(BlockId id)
    {
        const Block &block = m_draft.block(id);
        if (block.kind == BlockKind::Text && block.is(BlockFlag::Summary)) {
            m_lines.push_back({ "summary: " + m_draft.text(id), {}, false });
        } else if (block.kind == BlockKind::Text && block.is(BlockFlag::Typed)) {
            if (m_holdsTyped)
                m_lines.push_back(
                    { "user: " + snippet(m_draft.pool().textHead(id, kTypedCharacters * 4), kTypedCharacters), {},
                        false });
        } else if (block.kind == BlockKind::ToolCall) {
            addDeed(block);
        } else if (block.kind == BlockKind::ToolResult && block.is(BlockFlag::Error)) {
            for (Line &line : m_lines)
                line.text += line.call == block.callId && line.isDeed ? ": failed" : "";
        }
    }

    /// Deeds that exceed the size of an entry are only counted.
    [[nodiscard]] std::string text()
    {
        const auto [first, last] = std::ranges::unique(m_lines, {}, &Line::text);
        m_lines.erase(first, last);
        std::string text;
        size_t omitted = 0;
        for (const Line &line : m_lines) {
            const uint64_t length = textLengths(line.text).codePoints + 3;
            if (line.isDeed && length > m_left) {
                ++omitted;
                continue;
            }
            m_left -= std::min(m_left, length);
            text += "- " + line.text + "\n";
        }
        return omitted > 0 ? text + "- and " + counted(omitted, "more deed") + "\n" : text;
    }

private:
    struct Line {
        std::string text;
        StringId call;
        bool isDeed = false;
    };

    void addDeed(const Block &call)
    {
        if (!m_holdsDeeds)
            return;
        const ToolDeed deed = toolDeed(*m_draft.pool().session(), call);
        const std::string subject = snippet(m_draft.string(call.subject), kSubjectCharacters);
        std::string text(verbOf(deed));
        if (deed == ToolDeed::Other || subject.empty())
            text = "called " + std::string(m_draft.string(call.name));
        m_lines.push_back({ subject.empty() ? text : text + " " + subject, call.callId, true });
    }

    const Draft &m_draft;
    bool m_holdsTyped;
    bool m_holdsDeeds;
    uint64_t m_left;
    std::vector<Line> m_lines;
};

std::string entryText(const Draft &draft, std::span<const Draft::Message> messages, const StageParameters &log)
{
    if (isByModel(log))
        return assumedText("entry of the log", log.number("entry-tokens")) + "\n";
    EntryLines lines(draft, log);
    for (const Draft::Message &message : messages) {
        for (const Draft::Element &element : draft.elementsOf(message)) {
            if (!element.isGone && element.origin.isValid())
                lines.add(element.block);
        }
    }
    return lines.text();
}

/// What stages put in front of the array: the log so far, or a summary, and the list of tasks.
struct Front {
    std::string log;
    double tokens = 0;
    std::string tasks;
};

Front frontOf(const Draft &draft, std::span<const Draft::Message> covered)
{
    Front front;
    for (const Draft::Message &message : covered) {
        for (const Draft::Element &element : draft.elementsOf(message)) {
            if (element.isGone || element.isPinned || element.origin.isValid())
                continue;
            const std::string text = draft.text(element.block);
            if (draft.block(element.block).is(BlockFlag::Summary)) {
                front.log += (front.log.empty() ? "" : "\n") + text;
                front.tokens += draft.tokens(element.block);
            } else if (text.starts_with(kTasks)) {
                front.tasks = text;
            }
        }
    }
    return front;
}

/// The newest list of tasks in the covered messages, or the list so far; empty if nothing is open.
std::string tasksText(const Draft &draft, std::span<const Draft::Message> covered, std::string before)
{
    HeadWatch watch(draft.pool());
    for (const Draft::Message &message : covered) {
        for (const Draft::Element &element : draft.elementsOf(message))
            watch.push(element.origin);
    }
    const BlockId call = watch.facts().tasks;
    const auto open = call.isValid() ? openTasks(draft.text(call)) : std::nullopt;
    if (!open)
        return before;
    std::string text;
    for (const std::string &task : *open)
        text += "\n- " + task;
    return text.empty() ? text : std::string(kTasks) + text;
}

void applyLog(StageRun &run)
{
    Draft &draft = run.draft();
    const size_t cutoff = run.cutoff();
    std::vector<size_t> ends = logEnds(draft, run);
    std::erase_if(ends, [&](size_t end) { return end > cutoff; });
    if (ends.empty())
        return;
    const std::span<const Draft::Message> all(draft.messages());
    const Front front = frontOf(draft, all.first(ends.back()));
    std::string log = front.log.empty() ? std::string(kHead) + "\n" : front.log;
    double tokens = front.tokens;
    size_t first = 0;
    for (const size_t end : ends) {
        const std::string entry = entryText(draft, all.subspan(first, end - first), run);
        log += entry.empty() ? entry : "\n" + entry;
        tokens += run.number("entry-tokens");
        first = end;
    }
    Draft::Replacement replacement;
    replacement.summary = std::move(log);
    replacement.summaryTokens = isByModel(run) ? tokens : 0;
    if (run.isOn("tasks"))
        replacement.files.push_back(tasksText(draft, all.first(first), front.tasks));
    std::erase(replacement.files, std::string());
    Rewrite common;
    common.stage = run.index();
    common.why = "the log covers it";
    draft.evict(first, replacement, common);
}

} // namespace

std::vector<size_t> logEnds(const Draft &draft, const StageParameters &log)
{
    const uint64_t n = std::max<uint64_t>(1, log.count("n"));
    const std::vector<size_t> lastResult = lastResults(draft);
    std::vector<size_t> ends;
    uint64_t count = 0;
    size_t answered = 0; // the messages before this one belong together
    bool isDue = false;
    bool wasOfModel = false;
    for (size_t i = 0; i < draft.messages().size(); ++i) {
        const Draft::Message &message = draft.messages()[i];
        const bool isOfModel = message.role == Role::Assistant;
        const bool begins = countsCalls(log) ? isOfModel && !wasOfModel : isTyped(draft, message);
        wasOfModel = isOfModel;
        count += begins ? 1 : 0;
        isDue = isDue || (begins && count > 1 && (count - 1) % n == 0);
        if (isDue && answered < i) {
            ends.push_back(i);
            isDue = false;
        }
        answered = std::max(answered, lastResult[i]);
    }
    return ends;
}

std::optional<LogRequest> logRequest(const StageParameters &log)
{
    if (!isByModel(log))
        return std::nullopt;
    return LogRequest { log.number("request-tokens"), log.number("entry-tokens"), !countsCalls(log) };
}

StageKind log()
{
    return { .id = "log",
        .title = "Keep a log",
        .sentence = "Writes an entry of a log every few turns or calls, and later puts the log in place of the messages "
                    "that it covers, before the keep window.",
        .parameters = {
            { "n", Type::Count, "Writes an entry after this many user messages or calls", 3.0, 1, 1e6 },
            { "counts", Type::Choice, "What n counts", std::string("turns"), 0, 0, {}, { "turns", "calls" } },
            { "writer", Type::Choice,
                "harness: lists typed messages and what the tools did, at no cost. model: a separate request "
                "writes each entry; its text is not known",
                std::string("harness"), 0, 0, {}, { "harness", "model" } },
            { "typed", Type::Switch, "The harness's log has the beginnings of the messages that the user typed", true },
            { "deeds", Type::Switch, "The harness's log has what the tools did", true },
            { "entry", Type::Count,
                "Size limit of an entry that the harness writes. If tool calls do not fit, the entry gives only their number", 1200.0, 0, 1e9,
                "characters" },
            { "entry-tokens", Type::Count, "Assumed size of an entry that a model writes", 150.0, 1, 1e6, "tokens" },
            { "request-tokens", Type::Count, "Assumed size of the text that asks a model for an entry", 100.0, 0, 1e6,
                "tokens" },
            { "tasks", Type::Switch, "Puts the open tasks after the log, if the agent has a list of them", true },
        },
        .apply = applyLog,
        .keepsLog = true };
}

} // namespace core::stages
