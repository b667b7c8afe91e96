// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/folder_report.h"

#include "core/base/counted.h"
#include "core/base/shell_word.h"
#include "core/base/visible.h"
#include "core/findings/kinds.h"
#include "core/json/json.h"
#include "core/money/cost.h"
#include "core/report/document_parts.h"
#include "core/report/head_line.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace core {

namespace {

using Look = PageSpan::Look;

std::string sessionAnchor(size_t number) { return "session-" + std::to_string(number + 1); }

PageText words(std::string text) { return { { std::move(text) } }; }

std::string nameOf(const ListedSession &session, size_t number, ReportTexts texts)
{
    const SessionEntry &entry = *session.entry;
    if (texts == ReportTexts::LeftOut)
        return "session " + std::to_string(number + 1);
    return entry.title.empty() ? entry.file : snippet(entry.title, 90);
}

std::string costOf(const ListedSession &session)
{
    const auto cost = session.cost();
    return cost ? dollars(*cost) + (session.entry->isCostPartial ? " (in part)" : "") : std::string("—");
}

std::string chipsOf(const SessionEntry &entry)
{
    std::string text;
    for (const FindingChip &chip : findingChips(entry))
        text += (text.empty() ? "" : " · ") + chip.text;
    return text.empty() ? "none" : text;
}

/// The sum over all sessions, as a list of one session shows it.
std::string allChips(const FolderReport &report)
{
    SessionEntry sum;
    sum.findings.emplace();
    for (const SessionEntry &entry : report.entries) {
        for (const EntryFinding &finding : entry.findings.value_or(std::vector<EntryFinding>()))
            sum.findings->push_back(finding);
    }
    return chipsOf(sum);
}

PageTable sessionTable(const std::vector<ListedSession> &sessions, const FolderReport &report, ReportTexts texts)
{
    PageTable table;
    table.columns = { { "session", false, true }, { "harness, model" }, { "ended (UTC)" },
        { "calls + subagents", true }, { "peak", true }, { "cost", true }, { "findings", false, true } };
    for (size_t i = 0; i < sessions.size(); ++i) {
        const SessionEntry &entry = *sessions[i].entry;
        std::string calls = groupedNumber(entry.calls);
        if (const uint64_t subagents = sessions[i].subagentCount(); subagents > 0)
            calls += " + " + groupedNumber(subagents);
        PageText name { { nameOf(sessions[i], i, texts), Look::Plain, sessionAnchor(i) } };
        table.rows.push_back({ { std::move(name), words(entry.harness + " · " + shortModel(entry.model)),
                                   words(entry.end ? listedTime(entry) : "—"), words(calls), words(listedPeak(entry)),
                                   words(costOf(sessions[i])), words(chipsOf(entry)) },
            {}, texts == ReportTexts::Included ? entry.file : "session " + std::to_string(i + 1) });
    }
    const FolderTotal total = totalOf(report);
    PageText cost = words(total.cost ? dollars(*total.cost) : "—");
    table.rows.push_back({ { { { "total: " + counted(total.sessions, "session"), Look::Strong } }, {}, {},
        words(groupedNumber(total.calls)), {}, std::move(cost), words(allChips(report)) } });
    return table;
}

void addSession(Page &page, const ListedSession &session, size_t number, ReportTexts texts)
{
    const SessionEntry &entry = *session.entry;
    const bool hasTexts = texts == ReportTexts::Included;
    const std::string place = hasTexts ? entry.file : "session " + std::to_string(number + 1);
    const auto add = [&](auto content) { page.parts.push_back({ std::move(content), place }); };
    add(PageHeading { 3, nameOf(session, number, texts), sessionAnchor(number) });
    if (hasTexts) {
        std::string command = "palimpsest " + shellWord(visibleText(entry.file));
        if (entry.thread > 0)
            command += " --thread " + std::to_string(entry.thread);
        add(PageParagraph { { { "Opens with ", Look::Faint }, { std::move(command), Look::Code } } });
    }
    PageList list;
    for (const EntryFinding &finding : entry.findings.value_or(std::vector<EntryFinding>())) {
        const FindingKind *kind = findingKind(finding.kind);
        const bool isCounted = !hasTexts || finding.what.empty();
        std::string what = isCounted && kind != nullptr
            ? groupedNumber(finding.count) + (finding.what.empty() ? " more: " : " · ") + std::string(kind->several)
            : finding.what;
        PageItem item {
            { { std::string(nameOf(finding.rank)) + "  ", finding.rank == FindingRank::Lost ? Look::Hot : Look::Faint },
                { std::move(what) } }
        };
        if (finding.money)
            item.text.push_back({ " · " + dollars(*finding.money) });
        list.items.push_back(std::move(item));
    }
    if (list.items.empty())
        add(PageParagraph { { { "No findings.", Look::Faint } } });
    else
        add(std::move(list));
}

} // namespace

void addTo(FolderReport &report, const SessionPtr &session, const std::string &file, const BlockTokensPtr &tokens,
    const Prices &prices)
{
    const auto findings = findFindings(session, tokens, prices);
    for (SessionEntry &entry : entriesOf(session, file, prices)) {
        entry.findings = entryFindings(*findings, ThreadIndex(entry.thread));
        report.entries.push_back(std::move(entry));
    }
}

void sort(FolderReport &report)
{
    std::ranges::stable_sort(report.entries, [](const SessionEntry &a, const SessionEntry &b) {
        return std::pair(a.end.value_or(0), std::string_view(b.file))
            > std::pair(b.end.value_or(0), std::string_view(a.file));
    });
}

FolderTotal totalOf(const FolderReport &report)
{
    FolderTotal total;
    total.sessions = listedSessions(report.entries).size();
    std::unordered_set<uint64_t> paid;
    // The oldest first: a session that begins with a copy did not pay for it.
    for (auto entry = report.entries.rbegin(); entry != report.entries.rend(); ++entry) {
        total.calls += entry->calls;
        total.unpriced += entry->cost || entry->calls == 0 ? 0 : 1;
        if (!entry->cost)
            continue;
        double cost = *entry->cost;
        for (const BilledCall &call : entry->billed)
            cost -= paid.insert(call.key).second ? 0 : call.cost;
        total.cost = total.cost.value_or(0) + std::max(0.0, cost);
    }
    return total;
}

Page pageOf(const FolderReport &report, ReportTexts texts, Redaction &redaction)
{
    const std::vector<ListedSession> sessions = listedSessions(report.entries);
    Page page;
    page.title = texts == ReportTexts::Included ? "The sessions in " + report.folder : "The sessions of a folder";
    const auto add = [&](auto content) { page.parts.push_back({ std::move(content) }); };
    add(PageHeading { 1, page.title, "top" });
    add(PageParagraph { { { "A report by Palimpsest", Look::Faint } } });
    add(PageParagraph {
        words("Each row is one recorded session of a coding agent. “peak” is the largest list of messages "
              "that a call sent to the model, in tokens, of what the model accepts. “findings” are what "
              "went wrong. Subagents count with the session that started them.") });
    add(sessionTable(sessions, report, texts));
    const FolderTotal total = totalOf(report);
    std::string sentence
        = "A call that several sessions hold, because one begins with a copy of another, is paid once in "
          "the total.";
    if (total.unpriced > 0)
        sentence += " The cost of " + counted(total.unpriced, "session") + " is not known and not in the total.";
    if (report.skipped > 0)
        sentence += " " + counted(report.skipped, "file") + " of the folder "
            + (report.skipped == 1 ? "is no session." : "are no sessions.");
    add(PageParagraph { { { std::move(sentence), Look::Faint } } });
    add(PageHeading { 2, "Findings by session", "findings" });
    for (size_t i = 0; i < sessions.size(); ++i)
        addSession(page, sessions[i], i, texts);
    visitTexts(page, [&](std::string &text, const std::string &place) { text = redaction.masked(text, place); });
    page.parts.push_back(reportFoot(texts, redaction.places()));
    resolveLinks(page);
    return page;
}

Json reportJson(const FolderReport &report, ReportTexts texts, Redaction &redaction)
{
    const std::vector<ListedSession> sessions = listedSessions(report.entries);
    Json document { { "schema", "palimpsest.report/1" }, { "folder", report.folder } };
    document["without_texts"] = texts == ReportTexts::LeftOut;
    Json list = listJson(sessions, {})["sessions"];
    const FolderTotal total = totalOf(report);
    if (texts == ReportTexts::LeftOut) {
        document["folder"] = nullptr;
        leaveOutTexts(list);
    }
    redaction.mask(list, "sessions");
    document["sessions"] = std::move(list);
    document["total"] = { { "sessions", total.sessions }, { "calls", total.calls }, { "cost", orNull(total.cost) },
        { "without_cost", total.unpriced } };
    document["masked"] = maskedJson(redaction.places());
    return document;
}

} // namespace core
