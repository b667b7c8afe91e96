// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/comparison.h"

#include "core/base/text.h"
#include "core/base/visible.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <format>

namespace core {

namespace {

constexpr std::string_view kUnknown = "—";

/// How a column is called, read from a run, and told.
struct Column {
    std::string_view title;
    bool isLessBetter = true;
    std::optional<double> (*value)(const ComparedRun &run) = nullptr;
    std::string (*shown)(const ComparedRun &run, double value) = nullptr;
};

std::string tokensShown(const ComparedRun &run, double value) { return shown({ value, run.basis, run.error }); }
std::string countShown(const ComparedRun &, double value) { return groupedNumber(static_cast<uint64_t>(value)); }

std::string ofAll(double value, size_t all)
{
    return std::format("{} of {}", groupedNumber(static_cast<uint64_t>(value)), groupedNumber(all));
}

std::string costShown(const ComparedRun &run, double value)
{
    if (!run.costDifference || *run.costDifference == 0)
        return dollars(value);
    return std::format(
        "{} ({}{})", dollars(value), *run.costDifference < 0 ? "−" : "+", dollars(std::abs(*run.costDifference)));
}

template <typename T>
std::optional<double> asNumber(const std::optional<T> &value)
{
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

const std::array<Column, 10> kColumns { {
    { "tokens sent", true, [](const ComparedRun &run) { return std::optional(run.tokens); }, tokensShown },
    { "peak", true, [](const ComparedRun &run) { return std::optional(run.peak); }, tokensShown },
    { "mean", true, [](const ComparedRun &run) { return std::optional(run.mean); }, tokensShown },
    { "compactions", true, [](const ComparedRun &run) { return std::optional(static_cast<double>(run.compactions)); },
        countShown },
    { "cache hits", false, [](const ComparedRun &run) { return run.hitShare; },
        [](const ComparedRun &, double value) { return std::format("{:.1f} %", value * 100); } },
    { "cost", true, [](const ComparedRun &run) { return run.cost; }, costShown },
    { "lost uses", true, [](const ComparedRun &run) { return asNumber(run.lostUses); },
        [](const ComparedRun &run, double value) { return ofAll(value, run.uses); } },
    { "lost user messages", true, [](const ComparedRun &run) { return asNumber(run.lostMessages); },
        [](const ComparedRun &run, double value) { return ofAll(value, run.messages); } },
    { "to fetch again", true, [](const ComparedRun &run) { return run.fetchTokens; }, tokensShown },
    { "unrecoverable bytes", true, [](const ComparedRun &run) { return asNumber(run.lostBytes); }, countShown },
} };

std::string plainNumber(double value)
{
    return value == std::floor(value) ? std::to_string(std::llround(value)) : std::format("{:.6g}", value);
}

/// The best of a column; nothing where fewer than two are known, or all are alike.
std::optional<double> bestOf(const Column &column, const std::vector<ComparedRun> &runs)
{
    std::vector<double> known;
    for (const ComparedRun &run : runs) {
        if (const auto value = column.value(run))
            known.push_back(*value);
    }
    if (known.size() < 2)
        return std::nullopt;
    const auto [least, most] = std::ranges::minmax(known);
    return least == most ? std::nullopt : std::optional(column.isLessBetter ? least : most);
}

std::string padded(const std::string &text, size_t columns, bool isRight)
{
    const std::string blanks(columns - std::min(columns, columnsOf(text)), ' ');
    return isRight ? blanks + text : text + blanks;
}

std::string cellText(const ComparisonTable::Cell &cell) { return (cell.isBest ? "• " : "") + cell.shown; }

} // namespace

ComparedRun comparedRecording(const RecordedFigures &recorded, const std::optional<InContext> &messages)
{
    const ReplayGround &ground = *recorded.ground;
    ComparedRun run;
    run.name = "recorded";
    run.basis = Basis::Exact;
    size_t known = 0;
    for (size_t call = 0; call < ground.callCount(); ++call) {
        run.tokens += ground.recorded[call];
        known += ground.recorded[call] > 0 ? 1 : 0;
    }
    run.peak = recorded.peak;
    run.mean = known > 0 ? run.tokens / static_cast<double>(known) : 0;
    const auto &compactions = ground.session().thread(ground.log.thread).compactions;
    run.compactions = static_cast<size_t>(std::ranges::count_if(
        compactions, [](const RecordedCompaction &each) { return each.kind != CompactionKind::Rollback; }));
    if (!recorded.run.rule.empty())
        run.hitShare = recorded.run.hitShare();
    if (recorded.run.isPriced())
        run.cost = recorded.run.parts.total();
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
    run.name = replay.policy->name;
    run.basis = tokens.basis;
    run.error = tokens.error;
    run.tokens = replay.totalTokens();
    run.peak = replay.peak();
    run.mean = replay.callCount() > 0 ? run.tokens / static_cast<double>(replay.callCount()) : 0;
    run.compactions = replay.compactions();
    run.lostBytes = replay.lostBytes();
    if (!policy.cost.rule.empty())
        run.hitShare = policy.cost.hitShare();
    if (policy.cost.isPriced())
        run.cost = policy.cost.parts.total();
    if (run.cost && recorded.run.isPriced())
        run.costDifference = *run.cost - recorded.run.parts.total();
    if (policy.regret) {
        const FateCounts counts = policy.regret->of();
        run.lostUses = counts[UseFate::Lost];
        run.uses = counts.all();
        run.lostMessages = policy.regret->lostMessages.size();
        run.messages = policy.regret->typedMessages;
        run.fetchTokens = policy.regret->fetchTokens();
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
    for (const Column &column : kColumns) {
        table.columns.emplace_back(column.title);
        const std::optional<double> best = bestOf(column, runs);
        for (size_t row = 0; row < runs.size(); ++row) {
            const auto value = column.value(runs[row]);
            ComparisonTable::Cell cell { std::string(kUnknown), {}, false };
            if (value)
                cell = { column.shown(runs[row], *value), plainNumber(*value), value == best };
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
    std::string head = padded("", nameColumns, false);
    std::vector<std::string> lines;
    for (const ComparisonTable::Row &row : table.rows)
        lines.push_back(padded(visibleText(row.name), nameColumns, false));
    for (size_t column = 0; column < table.columns.size(); ++column) {
        size_t width = columnsOf(table.columns[column]);
        for (const ComparisonTable::Row &row : table.rows)
            width = std::max(width, columnsOf(cellText(row.cells[column])));
        head += "  " + padded(table.columns[column], width, true);
        for (size_t row = 0; row < table.rows.size(); ++row)
            lines[row] += "  " + padded(cellText(table.rows[row].cells[column]), width, true);
    }
    std::string text = head + "\n";
    for (const std::string &line : lines)
        text += line + "\n";
    return text + "• the best of its column\n";
}

std::string comparisonTsv(const ComparisonTable &table)
{
    std::string text = "policy";
    for (const std::string &column : table.columns)
        text += "\t" + column;
    text += "\n";
    for (const ComparisonTable::Row &row : table.rows) {
        text += visibleText(row.name);
        for (const ComparisonTable::Cell &cell : row.cells)
            text += "\t" + cell.plain;
        text += "\n";
    }
    return text;
}

} // namespace core
