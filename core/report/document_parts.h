// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/counted.h"
#include "core/base/ids.h"
#include "core/compaction/assumed_summary.h"
#include "core/json/json.h"
#include "core/tokens/array_sums.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// `exact`, `calibrated`, `estimated`.
[[nodiscard]] std::string_view nameOf(Basis basis);

/// A token figure in documents: `{"value": 118, "basis": "estimated"}`.
[[nodiscard]] Json figureJson(double value, Basis basis);
[[nodiscard]] inline Json figureJson(const TokenFigure &figure) { return figureJson(figure.value, figure.basis); }

/// An exact figure, or null.
[[nodiscard]] Json exactJson(const std::optional<uint64_t> &tokens);

/// The size of an assumed summary, and its source.
[[nodiscard]] Json assumedSummaryJson(const AssumedSummary &summary);

/// `main`, `subagent`, `run`.
[[nodiscard]] std::string_view nameOf(ThreadKind kind);

/// `summary`, `clearing`, `replacement`, `rollback`.
[[nodiscard]] std::string_view nameOf(CompactionKind kind);

/// `put_in`, `taken_out`, `cleared`, `cleared_by_record`, `returned`, `other_model`.
[[nodiscard]] std::string_view nameOf(SumEvent::Kind kind);

/// The figures in a compaction's record, under the record's own names.
[[nodiscard]] Json figuresJson(const RecordedCompaction &compaction);

/// The value, or null.
template <typename T>
[[nodiscard]] Json orNull(const std::optional<T> &value)
{
    return value ? Json(*value) : Json(nullptr);
}
template <typename Tag>
[[nodiscard]] Json orNull(Id<Tag> id)
{
    return id.isValid() ? Json(id.value()) : Json(nullptr);
}

/// The number, or null for NaN.
[[nodiscard]] Json numberJson(double value);

/// A field of a CSV line, quoted if necessary.
[[nodiscard]] std::string csvField(std::string_view text);

/// Pads with blanks at the end or start to `columns` of a terminal (see columnsOf); longer texts stay.
[[nodiscard]] std::string padded(const std::string &text, size_t columns);
[[nodiscard]] std::string paddedLeft(const std::string &text, size_t columns);

/// A line for each row, with aligned columns; the last cell of a row may have any length.
[[nodiscard]] std::string alignedRows(const std::vector<std::vector<std::string>> &rows);

/// `12.3 %`
[[nodiscard]] std::string shareText(double share);
/// `12 %`
[[nodiscard]] std::string wholeShareText(double share);

} // namespace core
