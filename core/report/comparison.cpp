// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/comparison.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/report/document_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace core {

namespace {

constexpr std::string_view kUnknown = "—";

/// A column's title, and how to read and show its figures.
struct Column {
    std::string_view title;
    bool isLessBetter = true;
    std::optional<double> (*value)(const ComparedRun &run) = nullptr;
    std::string (*shown)(const ComparedRun &run, double value) = nullptr;
    std::optional<double> (*byUsage)(const ComparedRun &run) = nullptr;
};

TokenFigure sent(const PromptSums &prompts) { return prompts.sum; }
TokenFigure peak(const PromptSums &prompts) { return prompts.peak; }
TokenFigure mean(const PromptSums &prompts) { return prompts.mean(); }

/// A column for one figure of a run's prompts.
template <TokenFigure (*figureOf)(const PromptSums &)>
struct OfPrompts {
    static std::optional<double> value(const ComparedRun &run) { return figureOf(run.prompts).value; }
    static std::string shown(const ComparedRun &run, double)
    {
        std::string text = core::shown(figureOf(run.prompts));
        if (!run.promptsByUsage)
            return text;
        const PromptSums &usage = *run.promptsByUsage;
        const bool isAll = usage.calls == run.prompts.calls;
        if (isAll && core::shown(figureOf(usage)) == text)
            return text;
        return formatted(
            "{} (by usage {}{})", text, core::shown(figureOf(usage)), forCalls(usage.calls, run.prompts.calls));
    }
    static std::optional<double> byUsage(const ComparedRun &run)
    {
        return run.promptsByUsage ? std::optional(figureOf(*run.promptsByUsage).value) : std::nullopt;
    }
};

template <TokenFigure (*figureOf)(const PromptSums &)>
constexpr Column promptsColumn(std::string_view title)
{
    using Figures = OfPrompts<figureOf>;
    return { title, true, Figures::value, Figures::shown, Figures::byUsage };
}

std::string countShown(const ComparedRun &, double value) { return groupedNumber(static_cast<uint64_t>(value)); }

std::string ofAll(double value, size_t all)
{
    return formatted("{} of {}", groupedNumber(static_cast<uint64_t>(value)), groupedNumber(all));
}

std::string costShown(const ComparedRun &run, double value)
{
    if (run.bill.isKnown())
        return formatted("{} (by usage {}{})", dollars(value), dollars(run.bill.recorded),
            forCalls(run.bill.calls, run.bill.callCount));
    if (!run.costDifference || *run.costDifference == 0)
        return dollars(value);
    return formatted(
        "{} ({}{})", dollars(value), *run.costDifference < 0 ? "−" : "+", dollars(std::abs(*run.costDifference)));
}

std::string hitsShown(const ComparedRun &run, double value)
{
    const std::string text = shareText(value);
    return run.hitShareByUsage ? formatted("{} (by usage {})", text, shareText(*run.hitShareByUsage)) : text;
}

template <typename T>
std::optional<double> asNumber(const std::optional<T> &value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::string compactionsShown(const ComparedRun &run, double) { return run.compactionWords; }
std::string fetchShown(const ComparedRun &run, double) { return shown(*run.fetchTokens); }

const auto kColumns = std::to_array<Column>({
    { "refused calls", true, [](const ComparedRun &run) { return std::optional(static_cast<double>(run.refused)); },
        countShown, nullptr },
    promptsColumn<sent>("tokens sent"),
    promptsColumn<peak>("peak"),
    promptsColumn<mean>("mean"),
    { "compactions", true, [](const ComparedRun &run) { return std::optional(static_cast<double>(run.compactions)); },
        compactionsShown, nullptr },
    { "cache hits", false, [](const ComparedRun &run) { return run.hitShare; }, hitsShown,
        [](const ComparedRun &run) { return run.hitShareByUsage; } },
    { "cost", true, [](const ComparedRun &run) { return run.cost; }, costShown,
        [](const ComparedRun &run) { return run.bill.isKnown() ? std::optional(run.bill.recorded) : std::nullopt; } },
    { "lost uses", true, [](const ComparedRun &run) { return asNumber(run.lostUses); },
        [](const ComparedRun &run, double value) { return ofAll(value, run.uses); }, nullptr },
    { "lost user messages", true, [](const ComparedRun &run) { return asNumber(run.lostMessages); },
        [](const ComparedRun &run, double value) { return ofAll(value, run.messages); }, nullptr },
    { "to fetch again", true,
        [](const ComparedRun &run) { return run.fetchTokens ? std::optional(run.fetchTokens->value) : std::nullopt; },
        fetchShown, nullptr },
    { "bytes lost for good", true, [](const ComparedRun &run) { return asNumber(run.lostBytes); }, countShown,
        nullptr },
});

std::string plainNumber(double value)
{
    return value == std::floor(value) ? std::to_string(std::llround(value)) : formatted("{:.6g}", value);
}

/// A value as it is shown, without what stands in brackets: what looks alike is equally good.
std::string judgedText(const Column &column, const ComparedRun &run, double value)
{
    const std::string text = column.shown == compactionsShown ? plainNumber(value) : column.shown(run, value);
    return text.substr(0, text.find(" ("));
}

/// The best value of a column, as `judgedText`; nullopt if fewer than two are known or all are alike.
std::optional<std::string> bestOf(const Column &column, const std::vector<ComparedRun> &runs)
{
    std::vector<std::pair<double, std::string>> known;
    for (const ComparedRun &run : runs) {
        if (const auto value = column.value(run); value && run.refused == 0)
            known.emplace_back(*value, judgedText(column, run, *value));
    }
    const auto isAlike = [&](const auto &each) { return each.second == known.front().second; };
    if (known.size() < 2 || std::ranges::all_of(known, isAlike))
        return std::nullopt;
    const auto [least, most] = std::ranges::minmax(known);
    return column.isLessBetter ? least.second : most.second;
}

std::string cellText(const ComparisonTable::Cell &cell) { return (cell.isBest ? "• " : "") + cell.shown; }

} // namespace

ComparedRun comparedRecording(const RecordedFigures &recorded, const std::optional<InContext> &messages)
{
    ComparedRun run;
    run.name = "recorded";
    run.prompts = recorded.prompts.computed;
    const bool hasUsage = recorded.prompts.byUsage.calls > 0;
    if (hasUsage && !recorded.prompts.isAsRecorded())
        run.promptsByUsage = recorded.prompts.byUsage;
    run.compactions = recorded.compactions + recorded.silentClearings;
    run.compactionWords = compactionWords(recorded);
    if (!recorded.computed.rule.empty())
        run.hitShare = recorded.computed.hitShare();
    if (run.hitShare && hasUsage)
        run.hitShareByUsage = recorded.run.hitShare();
    if (recorded.computed.isPriced())
        run.cost = recorded.computed.parts.total();
    run.bill = recorded.bill;
    if (messages) {
        run.lostMessages = messages->all - messages->standing;
        run.messages = messages->all;
    }
    return run;
}

ComparedRun comparedPolicy(const PolicyFigures &policy, const RecordedFigures &recorded)
{
    const Replay &replay = *policy.replay;
    const BlockTokens &tokens = *recorded.ground->tokens;
    ComparedRun run;
    run.name = shownName(*replay.policy);
    const RefusedCalls refused = refusedCalls(replay);
    run.refused = refused.aboveWindow.size() + refused.torn;
    run.prompts = promptSums(replay);
    run.compactions = replay.compactions();
    run.compactionWords = compactionWords(replay);
    run.lostBytes = replay.lostBytes();
    if (!policy.cost.rule.empty())
        run.hitShare = policy.cost.hitShare();
    if (policy.cost.isPriced())
        run.cost = policy.cost.parts.total();
    if (policy.difference)
        run.costDifference = policy.difference->total();
    if (policy.regret) {
        const FateCounts counts = policy.regret->of();
        run.lostUses = counts[UseFate::Lost];
        run.uses = counts.all();
        run.lostMessages = policy.regret->lostMessages.size();
        run.messages = policy.regret->typedMessages;
        run.fetchTokens = { policy.regret->fetchTokens(), tokens.basis, tokens.error };
    }
    return run;
}

std::vector<ComparedRun> comparedRuns(const ReplayReport &report)
{
    std::vector<ComparedRun> runs { comparedRecording(*report.recorded, report.recordedMessages) };
    for (const PolicyFiguresPtr &policy : report.policies)
        runs.push_back(comparedPolicy(*policy, *report.recorded));
    return runs;
}

ComparisonTable comparisonTable(const std::vector<ComparedRun> &runs)
{
    ComparisonTable table;
    for (const ComparedRun &run : runs)
        table.rows.push_back({ run.name, {} });
    const bool isRefused = std::ranges::any_of(runs, [](const ComparedRun &run) { return run.refused > 0; });
    for (const Column &column : std::span(kColumns).subspan(isRefused ? 0 : 1)) {
        table.columns.emplace_back(column.title);
        const std::optional<std::string> best = bestOf(column, runs);
        for (size_t row = 0; row < runs.size(); ++row) {
            const auto value = column.value(runs[row]);
            ComparisonTable::Cell cell { std::string(kUnknown), {}, {}, false };
            if (value)
                cell = { column.shown(runs[row], *value), plainNumber(*value), {},
                    runs[row].refused == 0 && best == judgedText(column, runs[row], *value) };
            if (const auto byUsage = column.byUsage != nullptr ? column.byUsage(runs[row]) : std::nullopt)
                cell.plainByUsage = plainNumber(*byUsage);
            table.rows[row].cells.push_back(std::move(cell));
        }
    }
    return table;
}

std::string drawComparison(const ComparisonTable &table)
{
    size_t nameColumns = 0;
    for (const ComparisonTable::Row &row : table.rows)
        nameColumns = std::max(nameColumns, columnsOf(visibleText(row.name)));
    std::string head = padded("", nameColumns);
    std::vector<std::string> lines;
    for (const ComparisonTable::Row &row : table.rows)
        lines.push_back(padded(visibleText(row.name), nameColumns));
    for (size_t column = 0; column < table.columns.size(); ++column) {
        size_t width = columnsOf(table.columns[column]);
        for (const ComparisonTable::Row &row : table.rows)
            width = std::max(width, columnsOf(cellText(row.cells[column])));
        head += "  " + paddedLeft(table.columns[column], width);
        for (size_t row = 0; row < table.rows.size(); ++row)
            lines[row] += "  " + paddedLeft(cellText(table.rows[row].cells[column]), width);
    }
    std::string text = head + "\n";
    for (const std::string &line : lines)
        text += line + "\n";
    return text + "• the best of its column\n";
}

std::string comparisonTsv(const ComparisonTable &table)
{
    std::string text = "policy";
    std::vector<size_t> byUsage;
    for (size_t column = 0; column < table.columns.size(); ++column) {
        text += "\t" + table.columns[column];
        const auto saysUsage = [&](const ComparisonTable::Row &row) { return !row.cells[column].plainByUsage.empty(); };
        if (std::ranges::any_of(table.rows, saysUsage))
            byUsage.push_back(column);
    }
    for (const size_t column : byUsage)
        text += "\t" + table.columns[column] + " by usage";
    text += "\n";
    for (const ComparisonTable::Row &row : table.rows) {
        text += visibleText(row.name);
        for (const ComparisonTable::Cell &cell : row.cells)
            text += "\t" + cell.plain;
        for (const size_t column : byUsage)
            text += "\t" + row.cells[column].plainByUsage;
        text += "\n";
    }
    return text;
}

} // namespace core
