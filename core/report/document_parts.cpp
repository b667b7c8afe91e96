// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/document_parts.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"

#include <algorithm>
#include <cmath>

namespace core {

std::string_view nameOf(Basis basis)
{
    switch (basis) {
    case Basis::Exact:
        return "exact";
    case Basis::Calibrated:
        return "calibrated";
    case Basis::Estimated:
        return "estimated";
    }
    return "estimated";
}

Json figureJson(double value, Basis basis)
{
    return { { "value", static_cast<int64_t>(std::llround(value)) }, { "basis", nameOf(basis) } };
}

Json exactJson(const std::optional<uint64_t> &tokens)
{
    return tokens ? Json { { "value", *tokens }, { "basis", nameOf(Basis::Exact) } } : Json(nullptr);
}

Json assumedSummaryJson(const AssumedSummary &summary)
{
    return { { "tokens", figureJson(summary.tokens, Basis::Estimated) },
        { "from", summary.isMedian ? "median of the recorded summaries" : "assumption" } };
}

std::string_view nameOf(ThreadKind kind)
{
    switch (kind) {
    case ThreadKind::Main:
        return "main";
    case ThreadKind::Subagent:
        return "subagent";
    case ThreadKind::Run:
        return "run";
    }
    return "main";
}

std::string_view nameOf(CompactionKind kind)
{
    switch (kind) {
    case CompactionKind::Summary:
        return "summary";
    case CompactionKind::Clearing:
        return "clearing";
    case CompactionKind::Replacement:
        return "replacement";
    case CompactionKind::Rollback:
        return "rollback";
    }
    return "summary";
}

std::string_view nameOf(SumEvent::Kind kind)
{
    switch (kind) {
    case SumEvent::Kind::PutIn:
        return "put_in";
    case SumEvent::Kind::Cleared:
        return "cleared";
    case SumEvent::Kind::Recorded:
        return "cleared_by_record";
    case SumEvent::Kind::Returned:
        return "returned";
    case SumEvent::Kind::TakenOut:
        return "taken_out";
    case SumEvent::Kind::OtherModel:
        return "other_model";
    }
    return "put_in";
}

Json figuresJson(const RecordedCompaction &compaction)
{
    Json figures = Json::object();
    for (const RecordedFigure &figure : compaction.figures)
        figures[figure.name] = figure.value;
    return figures;
}

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string field = "\"";
    for (const char c : text)
        field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + "\"";
}

std::string padded(const std::string &text, size_t columns)
{
    const size_t used = columnsOf(text);
    return used >= columns ? text : text + std::string(columns - used, ' ');
}

std::string paddedLeft(const std::string &text, size_t columns)
{
    const size_t used = columnsOf(text);
    return used >= columns ? text : std::string(columns - used, ' ') + text;
}

std::string alignedRows(const std::vector<std::vector<std::string>> &rows)
{
    std::vector<size_t> widths;
    for (const auto &row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (size_t i = 0; i + 1 < row.size(); ++i)
            widths[i] = std::max(widths[i], columnsOf(row[i]));
    }
    std::string text;
    for (const auto &row : rows) {
        for (size_t i = 0; i + 1 < row.size(); ++i)
            text += padded(row[i], widths[i]) + "  ";
        text += row.back() + "\n";
    }
    return text;
}

Json numberJson(double value) { return std::isnan(value) ? Json(nullptr) : Json(value); }

std::string shareText(double share) { return formatted("{:.1f} %", share * 100); }

std::string wholeShareText(double share) { return std::to_string(std::lround(share * 100)) + " %"; }

} // namespace core
