// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/list_report.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/findings/kinds.h"
#include "core/json/json.h"
#include "core/money/cost.h"
#include "core/report/document_parts.h"
#include "core/report/findings_report.h"
#include "core/report/head_line.h"
#include "core/session/slot_label.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace core {

namespace {

constexpr size_t kTitleColumns = 60;
constexpr size_t kHitColumns = 90;
constexpr size_t kTitleBytes = 60; ///< titles that begin with the same bytes look alike in a list

Json timeJson(const std::optional<Timestamp> &time) { return time ? Json(isoTime(*time)) : Json(nullptr); }

Json entryJson(const ListedSession &session)
{
    const SessionEntry &entry = *session.entry;
    Json json { { "file", entry.file }, { "thread", entry.thread }, { "id", entry.id }, { "format", entry.format },
        { "harness", entry.harness }, { "model", entry.model }, { "title", entry.title },
        { "working_folder", entry.folder }, { "branch", entry.branch } };
    json["begin"] = timeJson(entry.begin);
    json["end"] = timeJson(entry.end);
    json["calls"] = entry.calls;
    json["compactions"] = entry.compactions.size();
    json["typed"] = entry.typed;
    json["peak"] = { { "value", entry.peak }, { "basis", entry.isPeakRecorded ? "exact" : "estimated" } };
    json["window"] = orNull(entry.window);
    json["cost"] = orNull(session.cost());
    json["is_cost_partial"] = entry.isCostPartial;
    json["copied"] = { { "calls", session.copiedCalls() }, { "cost", session.copiedCost() } };
    json["subagents"] = session.subagentCount();
    json["subagent_files"] = Json::array();
    for (const SessionEntry *subagent : session.subagents)
        json["subagent_files"].push_back(subagent->file);
    json["fork_of"] = session.origin == nullptr ? Json(nullptr) : Json(session.origin->file);
    json["forks"] = Json::array();
    for (const SessionEntry *fork : session.forks)
        json["forks"].push_back(fork->file);
    json["last_typed"] = entry.lastTyped;
    json["findings"] = nullptr;
    if (entry.findings) {
        json["findings"] = Json::array();
        for (const EntryFinding &finding : *entry.findings) {
            json["findings"].push_back({ { "kind", finding.kind }, { "rank", nameOf(finding.rank) },
                { "count", finding.count }, { "money", orNull(finding.money) }, { "what", finding.what } });
        }
    }
    return json;
}

Json hitJson(const IndexHit &hit)
{
    Json json { { "block", hit.block.value() } };
    json["message"] = orNull(hit.message);
    json["thread"] = hit.life.thread.value();
    json["role"] = nameOf(hit.role);
    json["kind"] = nameOf(hit.shown.kind);
    json["tool"] = hit.tool;
    json["typed"] = isUserMessage(hit.shown);
    json["first_call"] = hit.life.wasSent ? Json(hit.life.first) : Json(nullptr);
    json["last_call"] = hit.life.wasSent ? Json(hit.life.last) : Json(nullptr);
    json["at_end"] = hit.life.isAtEnd;
    json["unknown_from"] = hit.life.unknownFrom != BlockLife::kNever ? Json(hit.life.unknownFrom) : Json(nullptr);
    json["snippet"] = hit.snippet.text;
    return json;
}

std::string titleOf(const SessionEntry &entry)
{
    return visibleText(entry.title.empty() ? std::string("(no typed message)") : entry.title);
}

/// The file's name with this many folders before it.
std::string endOfPath(const std::string &file, int folders)
{
    size_t slash = file.rfind('/');
    for (; folders > 0 && slash != std::string::npos && slash > 0; --folders)
        slash = file.rfind('/', slash - 1);
    return file.substr(slash + 1);
}

/// Gives sessions with the same title names that differ.
void addNames(std::vector<ListedSession> &listed)
{
    std::unordered_map<std::string_view, std::vector<ListedSession *>> alike;
    for (ListedSession &session : listed)
        alike[std::string_view(session.entry->title).substr(0, kTitleBytes)].push_back(&session);
    using NameOf = std::string (*)(const SessionEntry &);
    constexpr std::array<NameOf, 3> kNames { [](const SessionEntry &entry) { return endOfPath(entry.file, 0); },
        [](const SessionEntry &entry) { return entry.id; },
        [](const SessionEntry &entry) { return endOfPath(entry.file, 1); } };
    for (const auto &[title, sessions] : alike) {
        for (const NameOf nameOf : sessions.size() < 2 ? std::span<const NameOf>() : std::span<const NameOf>(kNames)) {
            std::set<std::string_view> names;
            for (ListedSession *session : sessions)
                names.insert(session->name = nameOf(*session->entry));
            if (names.size() == sessions.size() && !names.contains(""))
                break;
        }
    }
}

template <typename Take>
void eachCopied(const ListedSession &session, const Take &take)
{
    std::ranges::for_each(session.entry->copied, take);
    for (const SessionEntry *subagent : session.subagents)
        std::ranges::for_each(subagent->copied, take);
}

} // namespace

std::optional<double> ListedSession::cost() const
{
    std::optional<double> sum = entry->cost;
    for (const SessionEntry *subagent : subagents) {
        if (subagent->cost)
            sum = sum.value_or(0) + *subagent->cost;
    }
    return sum;
}

uint64_t ListedSession::subagentCount() const
{
    uint64_t count = entry->subagents;
    for (const SessionEntry *subagent : subagents)
        count += 1 + subagent->subagents;
    return count;
}

uint64_t ListedSession::copiedCalls() const
{
    uint64_t calls = 0;
    eachCopied(*this, [&](const DayCost &day) { calls += day.calls; });
    return calls;
}

double ListedSession::copiedCost() const
{
    double cost = 0;
    eachCopied(*this, [&](const DayCost &day) { cost += day.cost.value_or(0); });
    return cost;
}

std::vector<ListedSession> listedSessions(const std::vector<SessionEntry> &entries)
{
    std::unordered_map<std::string_view, const SessionEntry *> byFile;
    std::unordered_map<std::string_view, const SessionEntry *> byId;
    for (const SessionEntry &entry : entries) {
        byFile.emplace(entry.file, &entry);
        if (!entry.id.empty() && ownerOf(entry).empty())
            byId.emplace(entry.id, &entry);
    }
    const auto found = [](const auto &entriesByName, std::string_view name) -> const SessionEntry * {
        const auto place = entriesByName.find(name);
        return place == entriesByName.end() ? nullptr : place->second;
    };
    // The session that started a subagent, or of which it is a fork. An id can be the name of a file.
    const auto originOf = [&](const SessionEntry &entry) {
        const SessionEntry *byName = found(byFile, entry.originId);
        const SessionEntry *origin = byName != nullptr ? byName : found(byId, entry.originId);
        return entry.originId.empty() || origin == &entry ? nullptr : origin;
    };
    const auto starterOf = [&](const SessionEntry &entry) -> const SessionEntry * {
        if (const std::string owner = ownerOf(entry); !owner.empty())
            return found(byFile, owner);
        return entry.originKind == Origin::Kind::Subagent ? originOf(entry) : nullptr;
    };
    std::unordered_map<const SessionEntry *, size_t> places;
    std::vector<ListedSession> listed;
    const auto topOf = [&](const SessionEntry &entry) { // subagents start subagents
        const SessionEntry *top = &entry;
        for (size_t steps = 0; steps < entries.size(); ++steps) {
            const SessionEntry *starter = starterOf(*top);
            if (starter == nullptr)
                return top;
            top = starter;
        }
        return &entry;
    };
    std::vector<const SessionEntry *> tops;
    for (const SessionEntry &entry : entries) {
        tops.push_back(topOf(entry));
        if (tops.back() == &entry) {
            places.emplace(&entry, listed.size());
            listed.push_back({ &entry, {}, {}, nullptr, {} });
        }
    }
    for (size_t i = 0; i < entries.size(); ++i) {
        const SessionEntry &entry = entries[i];
        if (tops[i] != &entry)
            listed[places.at(tops[i])].subagents.push_back(&entry);
        const SessionEntry *origin = entry.originKind == Origin::Kind::Fork ? originOf(entry) : nullptr;
        if (origin != nullptr && places.contains(origin) && places.contains(&entry)) {
            listed[places.at(origin)].forks.push_back(&entry);
            listed[places.at(&entry)].origin = origin;
        }
    }
    std::ranges::stable_sort(
        listed, std::ranges::greater {}, [](const ListedSession &session) { return session.entry->end.value_or(0); });
    addNames(listed);
    return listed;
}

std::vector<FindingChip> findingChips(const SessionEntry &entry)
{
    struct Sum {
        const FindingKind *kind;
        FindingRank rank;
        uint64_t count;
        double money;
    };
    std::vector<Sum> sums;
    for (const EntryFinding &finding : entry.findings.value_or(std::vector<EntryFinding>())) {
        const FindingKind *kind = findingKind(finding.kind);
        if (kind == nullptr)
            continue; // of another version
        auto sum = std::ranges::find(sums, kind, &Sum::kind);
        if (sum == sums.end())
            sum = sums.insert(sum, { kind, finding.rank, 0, 0 });
        sum->count += finding.count;
        sum->money += finding.money.value_or(0);
    }
    std::vector<FindingChip> chips;
    for (const Sum &sum : sums) {
        std::string words(sum.kind->chip);
        if (const size_t star = words.find('*'); star != std::string::npos)
            words.replace(star, 1, sum.count == 1 ? "" : "s");
        const std::string money = sum.money >= 0.005 ? " " + dollars(sum.money) : std::string();
        chips.push_back(
            { std::string(sum.kind->id), sum.rank, words.insert(0, groupedNumber(sum.count) + " ") + money });
    }
    return chips;
}

std::string listedTime(const SessionEntry &entry)
{
    return entry.end ? minuteText(*entry.end).substr(0, 16) : std::string("-");
}

std::string listedPeak(const SessionEntry &entry)
{
    if (entry.peak <= 0)
        return "-";
    return (entry.isPeakRecorded ? "" : "~") + shortNumber(entry.peak)
        + (entry.window ? " of " + shortNumber(static_cast<double>(*entry.window)) : std::string());
}

std::string listedDuration(const SessionEntry &entry)
{
    if (!entry.begin || !entry.end)
        return {};
    const int64_t minutes = (*entry.end - *entry.begin) / 60'000;
    if (minutes < 1)
        return "< 1 min";
    if (minutes < 60)
        return formatted("{} min", minutes);
    if (minutes < 48 * 60)
        return formatted("{} h {} min", minutes / 60, minutes % 60);
    return formatted("{} days", minutes / (24 * 60));
}

Json listJson(std::span<const ListedSession> sessions, const IndexedSessions &known)
{
    Json document { { "schema", "palimpsest.list/1" } };
    document["files"] = known.files;
    document["other_files"] = known.otherFiles;
    document["sessions"] = Json::array();
    for (const ListedSession &session : sessions)
        document["sessions"].push_back(entryJson(session));
    return document;
}

std::string drawList(std::span<const ListedSession> sessions, const IndexedSessions &known)
{
    std::vector<std::vector<std::string>> rows;
    for (const ListedSession &session : sessions) {
        const SessionEntry &entry = *session.entry;
        const auto cost = session.cost();
        rows.push_back({ listedTime(entry), std::string(entry.harnessName()), visibleText(shortModel(entry.model)),
            visibleText(std::string(entry.project())), counted(entry.calls, "call"), listedPeak(entry),
            cost ? dollars(*cost) : "-", fitted(titleOf(entry), kTitleColumns) });
    }
    const std::string table = alignedRows(rows);
    std::string text;
    size_t at = 0;
    for (const ListedSession &session : sessions) {
        const size_t end = std::min(table.find('\n', at), table.size());
        text += table.substr(at, end - at) + "\n";
        at = end + 1;
        std::string below = visibleText(session.entry->file);
        if (const uint64_t count = session.copiedCalls(); count > 0)
            below += " · " + counted(count, "call") + " copied";
        if (const uint64_t count = session.subagentCount(); count > 0)
            below += " · " + counted(count, "subagent");
        for (const FindingChip &chip : findingChips(*session.entry))
            below += " · " + chip.text;
        text += "    " + below + "\n";
    }
    if (sessions.empty())
        text = "No sessions were found.\n";
    if (known.otherFiles > 0)
        text += formatted("{} in these folders {} not {}.\n", counted(known.otherFiles, "file"),
            known.otherFiles == 1 ? "is" : "are", known.otherFiles == 1 ? "a session" : "sessions");
    return text;
}

std::string costsCsv(std::span<const ListedSession> sessions)
{
    using Key = std::tuple<int32_t, std::string, std::string>;
    std::map<Key, DayCost> sums;
    const auto add = [&](const SessionEntry &entry) {
        for (const DayCost &day : entry.days) {
            DayCost &sum = sums[{ day.day, entry.folder, day.model }];
            sum.calls += day.calls;
            sum.tokens += day.tokens;
            if (day.cost)
                sum.cost = sum.cost.value_or(0) + *day.cost;
        }
    };
    for (const ListedSession &session : sessions) {
        add(*session.entry);
        for (const SessionEntry *subagent : session.subagents)
            add(*subagent);
    }
    std::string text = "day,project,model,calls,tokens,cost\n";
    for (const auto &[key, sum] : sums) {
        const auto &[day, folder, model] = key;
        text += isoTime(int64_t { day } * kDayLength).substr(0, 10) + "," + csvField(folder) + "," + csvField(model)
            + formatted(",{},{},", sum.calls, sum.tokens) + (sum.cost ? formatted("{:.6f}", *sum.cost) : "") + "\n";
    }
    return text;
}

Json searchSessionsJson(const IndexSearch &search, const std::string &line)
{
    Json document { { "schema", "palimpsest.search_sessions/2" }, { "query", line } };
    document["has_more"] = search.hasMore;
    document["changed_files"] = search.changedFiles;
    document["sessions"] = Json::array();
    for (const SessionHits &session : search.sessions) {
        Json json { { "file", session.entry.file }, { "entry_thread", session.entry.thread },
            { "title", session.entry.title }, { "harness", session.entry.harness } };
        json["end"] = timeJson(session.entry.end);
        json["has_more"] = session.hasMore;
        json["has_phrase"] = session.hasPhrase();
        json["name"] = session.name;
        json["hits"] = Json::array();
        for (const IndexHit &hit : session.hits)
            json["hits"].push_back(hitJson(hit));
        document["sessions"].push_back(std::move(json));
    }
    return document;
}

std::string drawSessionSearch(const IndexSearch &search)
{
    std::string text;
    for (const SessionHits &session : search.sessions) {
        const SessionEntry &entry = session.entry;
        text += (text.empty() ? "" : "\n") + listedTime(entry) + "  " + std::string(entry.harnessName()) + "  "
            + fitted(titleOf(entry), kTitleColumns) + "\n    " + visibleText(entry.file) + "\n";
        for (const IndexHit &hit : session.hits) {
            const std::string number
                = hit.message.isValid() ? "#" + std::to_string(hit.message.value()) : std::string("-");
            text += "    " + number + "  " + std::string(nameOf(hit.role))
                + (hit.tool.empty() ? "" : " " + visibleText(hit.tool)) + "  " + stateText(hit.shown, hit.life)
                + "\n      " + fitted(hit.snippet.text, kHitColumns) + "\n";
        }
        if (session.hasMore)
            text += "    and more in this session\n";
        if (!session.name.empty())
            text += "    only its name matches: " + visibleText(session.name) + "\n";
    }
    if (search.sessions.empty())
        text = "No session matches.\n";
    if (search.hasMore)
        text += "\nFurther sessions may match; raise --limit to see them.\n";
    if (search.changedFiles > 0)
        text += formatted("\n{} changed while it was searched; search again.\n", counted(search.changedFiles, "file"));
    return text;
}

} // namespace core
