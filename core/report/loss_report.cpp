// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/loss_report.h"

#include "core/base/counted.h"
#include "core/base/visible.h"
#include "core/findings/kinds.h"
#include "core/report/document_parts.h"
#include "core/report/trace_report.h"
#include "core/session/slot_label.h"

#include <algorithm>
#include <functional>

namespace core {

namespace {

constexpr size_t kQuoted = 160;   ///< characters of a message or a line
constexpr size_t kMostDrawn = 12; ///< lines below a sum, in the terminal

std::string_view nameOf(NeededAgain::How how)
{
    switch (how) {
    case NeededAgain::How::Read:
        return "read again";
    case NeededAgain::How::Run:
        return "run again";
    case NeededAgain::How::Quoted:
        return "quoted";
    }
    return "needed";
}

std::string messageName(const Session &session, BlockId id)
{
    return "#" + std::to_string(session.block(id).message.value());
}

/// The last part of a path, or what else the block is about.
std::string subjectOf(const Session &session, BlockId id)
{
    const SlotLabel label = labelOf(session, session.block(id));
    if (label.subject.empty())
        return label.text();
    const bool isPath = !label.subject.contains(' ') && label.subject.contains('/');
    return isPath ? label.subject.substr(label.subject.rfind('/', label.subject.size() - 2) + 1) : label.subject;
}

LossRow factRow(const Session &session, const CheckedFact &each)
{
    LossRow row { each.isHeld ? LossRow::Mark::Kept : LossRow::Mark::Gone, "", snippet(each.fact.text, kQuoted),
        "in " + messageName(session, each.source), each.source };
    if (each.namedAgain.isValid()) {
        row.note = "named again in " + messageName(session, each.namedAgain);
        row.block = each.namedAgain;
    }
    return row;
}

/// The missing facts: those first that the model names again.
std::vector<LossRow> factRows(const Session &session, std::span<const CheckedFact> facts, auto isMeant)
{
    std::vector<const CheckedFact *> missing;
    for (const CheckedFact &each : facts) {
        if (!each.isHeld && isMeant(each))
            missing.push_back(&each);
    }
    std::ranges::stable_partition(missing, [](const CheckedFact *each) { return each->namedAgain.isValid(); });
    std::vector<LossRow> rows;
    for (const CheckedFact *each : missing)
        rows.push_back(factRow(session, *each));
    return rows;
}

void addSlots(const CompactionLoss &loss, LossList &list)
{
    const auto add = [&](Fate fate, std::string_view words) {
        const size_t count = loss.slots[static_cast<size_t>(fate)];
        if (count > 0 || fate == Fate::Kept)
            list.rows.push_back(
                { LossRow::Mark::None, groupedNumber(count), plural(count, "slot") + " " + std::string(words) });
    };
    add(Fate::Kept, "kept as before");
    add(Fate::Shortened, "shortened");
    add(Fate::Replaced, "replaced by another text");
    add(Fate::Offloaded, "moved to a file");
    add(Fate::Cleared, "cleared");
    add(Fate::Dropped, "dropped");
    add(Fate::Summarised, "replaced by the summary");
}

std::string isOrAre(size_t count) { return count == 1 ? "is " : "are "; }

/// A row for the facts of the old summary of which `isMeant` is true; none if there are no such facts.
void addCarried(const Session &session, const CompactionLoss &loss, const std::string &words, auto isMeant,
    const std::string &how, LossList &list)
{
    const auto all = static_cast<size_t>(std::ranges::count_if(loss.carried, isMeant));
    if (all == 0)
        return;
    const auto held = static_cast<size_t>(
        std::ranges::count_if(loss.carried, [&](const CheckedFact &each) { return each.isHeld && isMeant(each); }));
    list.rows.push_back({ LossRow::Mark::None, groupedNumber(held) + " of " + groupedNumber(all),
        words + " of the old summary " + isOrAre(held) + "still in context" + how, "", loss.oldSummaries.front(), false,
        factRows(session, loss.carried, isMeant) });
}

void addFacts(const Session &session, const CompactionLoss &loss, LossList &list)
{
    const FactCounts counts = countsOf(loss.replaced);
    for (size_t i = 0; i < kFactKindCount; ++i) {
        if (counts.all[i] == 0)
            continue;
        const auto kind = static_cast<FactKind>(i);
        const bool isLine = kind >= FactKind::Error;
        list.rows.push_back(
            { LossRow::Mark::None, groupedNumber(counts.held[i]) + " of " + groupedNumber(counts.all[i]),
                plural(counts.all[i], nameOf(kind)) + " of the removed texts " + isOrAre(counts.held[i])
                    + (isLine ? "still in context, word for word" : "still in context"),
                "", {}, false,
                factRows(session, loss.replaced, [kind](const CheckedFact &each) { return each.fact.kind == kind; }) });
    }
    const auto all = [](const CheckedFact &) { return true; };
    // A summary words errors, constraints and tasks itself, so that another one seldom repeats them word for word.
    const auto isLine = [](const CheckedFact &each) { return each.fact.kind >= FactKind::Error; };
    const size_t before = list.rows.size();
    addCarried(session, loss, "facts", std::not_fn(isLine), "", list);
    if (list.rows.size() > before)
        list.rows.back().finding = kLostFacts.id;
    addCarried(session, loss, "constraints, tasks and error lines", isLine, ", word for word", list);
    if (!loss.added.empty()) {
        const FactCounts added = countsOf(loss.added);
        std::vector<LossRow> rows = factRows(session, loss.added, all);
        for (LossRow &row : rows) {
            row.mark = LossRow::Mark::Unknown;
            row.isAfter = true;
        }
        list.rows.push_back(
            { LossRow::Mark::None, groupedNumber(added.heldOf()) + " of " + groupedNumber(added.allOf()),
                "facts of the new summary " + isOrAre(added.heldOf()) + "found in the log", "",
                loss.newSummaries.front(), true, std::move(rows) });
    }
    if (loss.unlogged > 0)
        list.rows.push_back({ LossRow::Mark::Unknown, "",
            shownShort({ loss.unlogged, Basis::Estimated, 0 })
                + " tokens were added without a record: they may contain facts listed as missing" });
    if (loss.isAssumed)
        list.rows.push_back({ LossRow::Mark::Unknown, "",
            "The text of the summary is unknown: it may contain facts listed as missing" });
}

LossRow typedRow(const TypedFate &typed)
{
    LossRow row { LossRow::Mark::Gone, "", snippet(typed.text, kQuoted), "gone", typed.block };
    row.wasThere = true;
    switch (typed.state) {
    case TraceState::Verbatim:
        row.mark = LossRow::Mark::Kept;
        row.note = "word for word";
        break;
    case TraceState::Partial:
        row.mark = LossRow::Mark::Part;
        row.note = typed.keptWords == typed.words
            ? "all of its words, but not the exact text"
            : std::to_string(typed.keptWords) + " of " + std::to_string(typed.words) + " words";
        break;
    case TraceState::Unknown:
        row.mark = LossRow::Mark::Unknown;
        row.note = typed.isAssumed ? "unknown: the summary's text is not known" : "unknown";
        break;
    case TraceState::Gone:
        break;
    }
    return row;
}

LossList typedList(const CompactionLoss &loss)
{
    LossList list { "Messages you typed", "", {} };
    if (loss.typed.empty()) {
        list.detail = "none before the compaction";
        return list;
    }
    list.detail = groupedNumber(loss.typed.size()) + " before the compaction · "
        + groupedNumber(loss.typedCount(TraceState::Verbatim)) + " word for word after it";
    for (const TypedFate &typed : loss.typed)
        list.rows.push_back(typedRow(typed));
    return list;
}

LossList neededList(const Session &session, const CompactionLoss &loss)
{
    LossList list { "Needed again afterwards", "within " + counted(loss.laterCalls, "call"), {} };
    if (loss.laterCalls == 0) {
        list.detail = "no call follows";
        return list;
    }
    if (loss.needed.empty())
        list.rows.push_back(
            { LossRow::Mark::None, "", "Nothing that the compaction removed was read, run or quoted again" });
    for (const NeededAgain &need : loss.needed) {
        std::string note = std::string(nameOf(need.how)) + " at " + messageName(session, need.by)
            + (need.share < 0.995 ? " (" + wholeShareText(need.share) + " of its lines), " : ", ")
            + counted(need.later, "call") + " later";
        if (!need.isSure)
            note += ", may have been cleared earlier";
        list.rows.push_back({ LossRow::Mark::None,
            need.how == NeededAgain::How::Quoted ? "" : shownShort({ need.tokens, Basis::Estimated, 0 }),
            snippet(subjectOf(session, need.lost), kQuoted), std::move(note), need.by });
    }
    if (loss.fetchingCalls > 0) {
        std::string cost = shownShort({ loss.fetchedTokens, Basis::Estimated, 0 }) + " tokens";
        if (loss.fetchedMoney)
            cost += " · " + dollars(*loss.fetchedMoney);
        list.rows.push_back({ LossRow::Mark::None, "", "Fetching texts again cost",
            cost + " · asked for by " + counted(loss.fetchingCalls, "call") });
    }
    return list;
}

Json factsJson(const Session &session, std::span<const CheckedFact> facts)
{
    Json list = Json::array();
    for (const CheckedFact &each : facts)
        list.push_back({ { "kind", nameOf(each.fact.kind) }, { "text", each.fact.text }, { "held", each.isHeld },
            { "slot", session.block(each.source).message.value() },
            { "named_again",
                each.namedAgain.isValid() ? Json(session.block(each.namedAgain).message.value()) : Json(nullptr) } });
    return list;
}

std::string drawLossRow(const LossRow &row, size_t figureWidth, const std::string &indent)
{
    std::string line = indent + std::string(signOf(row.mark)) + " ";
    if (figureWidth > 0)
        line += paddedLeft(row.figure, figureWidth) + "  ";
    line += visibleText(row.text);
    if (!row.note.empty())
        line += " · " + visibleText(row.note);
    return line + "\n";
}

std::string drawList(const LossList &list)
{
    std::string text = "  " + list.title + (list.detail.empty() ? "" : " · " + list.detail) + "\n";
    size_t width = 0;
    for (const LossRow &row : list.rows)
        width = std::max(width, columnsOf(row.figure));
    for (const LossRow &row : list.rows) {
        text += drawLossRow(row, width, "    ");
        const size_t drawn = std::min(row.rows.size(), kMostDrawn);
        for (size_t i = 0; i < drawn; ++i)
            text += drawLossRow(row.rows[i], 0, std::string(width + 8, ' '));
        if (drawn < row.rows.size())
            text += std::string(width + 10, ' ') + "and " + groupedNumber(row.rows.size() - drawn) + " more\n";
    }
    return text;
}

} // namespace

std::string_view nameOf(FactKind kind)
{
    switch (kind) {
    case FactKind::Path:
        return "path";
    case FactKind::Name:
        return "name";
    case FactKind::Number:
        return "number";
    case FactKind::Error:
        return "error line";
    case FactKind::Constraint:
        return "constraint";
    case FactKind::Task:
        return "open task";
    }
    return "fact";
}

std::string_view signOf(LossRow::Mark mark)
{
    switch (mark) {
    case LossRow::Mark::Kept:
        return "✓";
    case LossRow::Mark::Part:
        return "◐";
    case LossRow::Mark::Gone:
        return "✗";
    case LossRow::Mark::Unknown:
        return "?";
    case LossRow::Mark::None:
        return " ";
    }
    return " ";
}

std::string nameOf(const CompactionLoss &loss)
{
    if (loss.isSimulated())
        return "Simulated compaction";
    const std::string number = " " + std::to_string(loss.number);
    if (loss.kind == CompactionKind::Rollback)
        return "Rewind" + number;
    return (isClearing(loss) ? "Clearing" : "Compaction") + number;
}

std::array<LossList, 3> lossLists(const Session &session, const CompactionLoss &loss)
{
    LossList first { nameOf(loss), "", {} };
    const std::string number = loss.call.isValid() ? std::to_string(loss.call.value()) : "";
    if (loss.isSimulated())
        first.detail = number.empty() ? "at the end" : "before call " + number;
    else
        first.detail = number.empty() ? "before any call" : "after call " + number;
    if (!loss.trigger.empty())
        first.detail += " · " + loss.trigger;
    // The last call before it may have been stopped: then it has no prompt.
    const std::optional<uint64_t> before = loss.promptBefore ? loss.promptBefore : loss.beforeTokens;
    if (before && loss.promptAfter)
        first.detail += " · " + groupedNumber(*before) + " → " + groupedNumber(*loss.promptAfter);
    addSlots(loss, first);
    addFacts(session, loss, first);
    return { std::move(first), typedList(loss), neededList(session, loss) };
}

Json lossJson(const Session &session, const CompactionLoss &loss)
{
    Json json { { "number", loss.isSimulated() ? Json(nullptr) : Json(loss.number) },
        { "kind", loss.isSimulated() ? "simulated" : nameOf(loss.kind) }, { "call", orNull(loss.call) },
        { "trigger", loss.trigger }, { "prompt_before", orNull(loss.promptBefore) },
        { "prompt_after", orNull(loss.promptAfter) }, { "later_calls", loss.laterCalls },
        { "assumed_summary", loss.isAssumed }, { "slots_after", loss.slotsAfter },
        { "unlogged", figureJson(loss.unlogged, Basis::Estimated) } };
    for (size_t i = 0; i < static_cast<size_t>(Fate::Added); ++i)
        json["slots"][std::string(nameOf(static_cast<Fate>(i)))] = loss.slots[i];
    json["replaced_facts"] = factsJson(session, loss.replaced);
    json["old_summary_facts"] = factsJson(session, loss.carried);
    json["new_summary_facts"] = factsJson(session, loss.added);
    json["typed"] = Json::array();
    for (const TypedFate &typed : loss.typed)
        json["typed"].push_back(
            { { "slot", session.block(typed.block).message.value() }, { "state", nameOf(typed.state) },
                { "kept_words", typed.keptWords }, { "words", typed.words }, { "text", typed.text } });
    json["needed"] = Json::array();
    for (const NeededAgain &need : loss.needed)
        json["needed"].push_back({ { "how", nameOf(need.how) }, { "slot", session.block(need.lost).message.value() },
            { "by", session.block(need.by).message.value() }, { "call", need.call.value() },
            { "calls_later", need.later }, { "share", need.share },
            { "tokens", figureJson(need.tokens, Basis::Estimated) }, { "sure", need.isSure } });
    json["fetched"] = { { "tokens", figureJson(loss.fetchedTokens, Basis::Estimated) },
        { "dollars", orNull(loss.fetchedMoney) }, { "calls", loss.fetchingCalls } };
    return json;
}

Json lossesJson(const Session &session, std::span<const CompactionLoss> losses, ThreadIndex thread)
{
    Json json { { "schema", "palimpsest.losses/1" }, { "thread", thread.value() } };
    json["compactions"] = Json::array();
    for (const CompactionLoss &loss : losses)
        json["compactions"].push_back(lossJson(session, loss));
    return json;
}

std::string drawLoss(const Session &session, const CompactionLoss &loss)
{
    std::string text;
    for (const LossList &list : lossLists(session, loss))
        text += drawList(list);
    // The name of the compaction is its headline.
    return text.substr(2);
}

std::string drawLosses(const Session &session, std::span<const CompactionLoss> losses)
{
    std::string text;
    const auto draw = [&](bool wantsClearings) {
        for (const CompactionLoss &loss : losses) {
            if (isClearing(loss) == wantsClearings)
                text += (text.empty() ? "" : "\n") + drawLoss(session, loss);
        }
    };
    draw(false);
    draw(true);
    return text;
}

} // namespace core
