// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

namespace core {

struct Harness;

/// A policy as the settings of its harness: what a person pastes into the harness's code, settings file or environment.
/// What the harness cannot express is said in `notes`, never dropped without a word.
struct HarnessSettings {
    std::string harness;            ///< its title: `LangChain SummarizationMiddleware`
    std::string language;           ///< of the text: `python`, `typescript`, `json`, `shell`; empty without a text
    std::string text;               ///< empty where the harness has nothing to set
    std::vector<std::string> notes; ///< a sentence each
};

/// What is known beside the policy where its settings are wanted.
struct SettingsPlace {
    double modelWindow = 0; ///< tokens of the window of the session's model; 0 where there is no session
    size_t overrides = 0;   ///< blocks that were kept or dropped by hand, which no setting can say
};

/// The harnesses whose settings can be written, in the order in which they are offered. How each writes what is a row
/// of a table (harness_table.cpp): another harness is another row.
[[nodiscard]] std::vector<const Harness *> harnesses();
/// Its id (`genkit`, `langchain-summarization`), or nullptr.
[[nodiscard]] const Harness *harnessNamed(std::string_view id);
/// The harness that a policy reproduces, by where it came from; policies of one's own keep that of their preset.
/// nullptr for a policy that names no harness with settings.
[[nodiscard]] const Harness *harnessOf(const Policy &policy);
[[nodiscard]] std::string_view idOf(const Harness &harness);
[[nodiscard]] std::string_view titleOf(const Harness &harness);

/// The policy in the words of its own harness, or of any other: whatever that one has no setting for becomes a note.
[[nodiscard]] HarnessSettings harnessSettings(const Policy &policy, const SettingsPlace &place = {});
[[nodiscard]] HarnessSettings harnessSettings(
    const Policy &policy, const Harness &harness, const SettingsPlace &place = {});

} // namespace core
