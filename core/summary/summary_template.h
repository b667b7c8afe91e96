// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What a model is asked to write: the instruction behind the transcript.
struct SummaryTemplate {
    std::string id;
    std::string title;
    std::string instruction; ///< its lines that begin with `## ` are the headings of the note
    size_t resultCap = 0;    ///< a longer tool result is cut after so many characters; 0: never
};

/// All templates: the structures that harnesses ask for, in words of our own. The first is the default.
[[nodiscard]] const std::vector<SummaryTemplate> &summaryTemplates();
/// nullptr if there is none.
[[nodiscard]] const SummaryTemplate *summaryTemplate(std::string_view id);
/// The template with the structure of a policy's harness; the default if none has it.
[[nodiscard]] const SummaryTemplate &templateFor(std::string_view policy);

/// The headings that an instruction asks for.
[[nodiscard]] std::vector<std::string> headingsOf(std::string_view instruction);

} // namespace core
