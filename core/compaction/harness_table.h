// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/harness_settings.h"
#include "core/compaction/policy_settings.h"

namespace core {

/// How a language writes values.
struct SettingsSyntax {
    std::string_view language;
    std::string_view between; ///< a name and its value
    std::string_view behind;  ///< an argument
    std::string_view quote;   ///< around a name
    std::string_view yes;
    std::string_view no;
    std::string_view nothing;
    std::string_view size; ///< a measure, `{0}` its kind and `{1}` its number
};

/// What one argument becomes: nothing where it is left out, which a note explains unless another argument says it.
struct WrittenSetting {
    std::optional<std::string> text;
    std::string note;
};

/// What an argument is written from.
struct SettingsSource {
    const PolicyValues &values;
    const SettingsPlace &place;
    const SettingsSyntax &syntax;
    std::string_view harness; ///< its title, for notes

    /// Tokens of the window that the policy's fractions are of; 0 where it is not known.
    [[nodiscard]] double window() const;
};

/// One argument of a harness, and the settings of a policy that it says.
struct SettingsArgument {
    std::string_view name;
    std::vector<std::string_view> paths; ///< the first is written; others that differ become a note
    WrittenSetting (*write)(const SettingsSource &source, std::string_view path) = nullptr; ///< none: a part says it
    const SettingsSyntax *syntax = nullptr; ///< where it is not that of the harness
};

/// A stretch of the text: what stands before the arguments, they, what stands behind them.
struct SettingsPart {
    std::string_view stage = {}; ///< it is there only if this stage is on, else `absent` is
    std::string_view absent = {};
    std::string_view open = {};
    std::string_view indent = "    ";
    std::vector<SettingsArgument> arguments = {};
    std::string_view close = {};
};

/// A harness: where policies that reproduce it come from, which preset tells what it does where it has no setting, and
/// how its settings are written.
struct Harness {
    std::string_view id;
    std::string_view title;
    std::vector<std::string_view> sources; ///< beginnings of `Provenance::source`
    std::string_view preset;               ///< its own behaviour
    const SettingsSyntax *syntax = nullptr;
    std::vector<SettingsPart> parts;            ///< none: it has no settings
    std::vector<std::string_view> remarks = {}; ///< true of all its settings
};

/// All of them.
[[nodiscard]] const std::vector<Harness> &harnessTable();

/// How arguments are written (setting_writers.cpp).
namespace write {
/// A number, a text or names as they are.
WrittenSetting value(const SettingsSource &source, std::string_view path);
/// A length above which a stage acts; where the stage is off, one that nothing reaches.
WrittenSetting cap(const SettingsSource &source, std::string_view path);
/// The same in tokens of four characters; nothing where the stage is off.
WrittenSetting capInTokens(const SettingsSource &source, std::string_view path);
/// Whether a stage is on.
WrittenSetting isOn(const SettingsSource &source, std::string_view stage);
/// A list of names that may not be empty: there the harness means none, the policy all.
WrittenSetting names(const SettingsSource &source, std::string_view path);
/// The window's tokens.
WrittenSetting window(const SettingsSource &source, std::string_view path);
/// A trigger, a keep, as LangChain writes them: kind and number; several measures as a list (any) or a dictionary
/// (all).
WrittenSetting triggerSizes(const SettingsSource &source, std::string_view path);
WrittenSetting keepSize(const SettingsSource &source, std::string_view path);
/// A trigger in tokens, a fraction of a known window converted.
WrittenSetting triggerTokens(const SettingsSource &source, std::string_view path);
WrittenSetting keepTokens(const SettingsSource &source, std::string_view path);
/// Shares of the window; of tokens, the share of the policy's window that gives them.
WrittenSetting triggerFraction(const SettingsSource &source, std::string_view path);
WrittenSetting keepFraction(const SettingsSource &source, std::string_view path);
WrittenSetting keepMessages(const SettingsSource &source, std::string_view path);
WrittenSetting keepMessagesWithoutWindow(const SettingsSource &source, std::string_view path);
WrittenSetting keepResults(const SettingsSource &source, std::string_view path);
/// What the window leaves above the trigger.
WrittenSetting reserveTokens(const SettingsSource &source, std::string_view path);
/// What the recipe writes by itself is not part of its argument: the length behind a suffix, the session behind a
/// prefix.
WrittenSetting recipeSuffix(const SettingsSource &source, std::string_view path);
WrittenSetting recipeLogPrefix(const SettingsSource &source, std::string_view path);
} // namespace write

} // namespace core
