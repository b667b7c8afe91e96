// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/report/session_report.h"

#include <filesystem>
#include <string>

namespace ui {

enum class ReportKind : uint8_t { Html, Markdown, Json, Svg };

/// The kind of report that a file holds, by its ending. Fails with Usage for other endings.
[[nodiscard]] core::Result<ReportKind> reportKindOf(const std::filesystem::path &file);

/// The text of the file. `redaction` masks it, and knows what it masked.
[[nodiscard]] std::string reportText(
    const core::SessionReport &report, ReportKind kind, core::ReportTexts texts, core::Redaction &redaction);

} // namespace ui
