// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

namespace core {

struct Harness;

/// A policy as settings of its harness, to paste into the harness's code, settings file or environment. Everything that
/// the harness cannot express is listed in `notes`.
struct HarnessSettings {
    std::string harness;  ///< title: `LangChain SummarizationMiddleware`
    std::string language; ///< of `text`: `python`, `typescript`, `json`, `toml`, `yaml`, `shell`; empty without a text
    std::string text;     ///< empty if the harness has no settings
    std::vector<std::string> notes; ///< one sentence each
    std::string place {};           ///< where the text belongs: `~/.codex/config.toml`; empty for a module
};

/// Facts besides the policy that settings may need.
struct SettingsPlace {
    double modelWindow = 0; ///< context window of the session's model in tokens; 0 without a session
    size_t overrides = 0;   ///< blocks kept or dropped by hand, which no setting can express
};

/// The harnesses with settings, in the order of the menu. Each is a row of the table in harness_table.cpp.
[[nodiscard]] std::vector<const Harness *> harnesses();
/// The harness with this id (`genkit`, `langchain-summarization`), or nullptr.
[[nodiscard]] const Harness *harnessNamed(std::string_view id);
/// The harness that a policy reproduces, by its provenance; user policies keep that of their preset. nullptr if the
/// provenance names no harness with settings.
[[nodiscard]] const Harness *harnessOf(const Policy &policy);
[[nodiscard]] std::string_view idOf(const Harness &harness);
[[nodiscard]] std::string_view titleOf(const Harness &harness);
/// Whether the harness has a setting for `keep`, `trigger` or `STAGE.PARAMETER`.
[[nodiscard]] bool canSet(const Harness &harness, std::string_view setting);

/// Whether the harness's setting can lower this value of its preset, and not raise it.
[[nodiscard]] bool onlyLowers(const Harness &harness, std::string_view setting);

/// What the harness does with the settings of a policy: its own preset, with the policy's values where it has settings.
/// nullptr if the harness has no preset.
[[nodiscard]] PolicyPtr writtenPolicy(const Policy &policy, const Harness &harness);

/// The policy as settings of its own or another harness. Whatever that harness has no setting for becomes a note.
[[nodiscard]] HarnessSettings harnessSettings(const Policy &policy, const SettingsPlace &place = {});
[[nodiscard]] HarnessSettings harnessSettings(
    const Policy &policy, const Harness &harness, const SettingsPlace &place = {});

} // namespace core
