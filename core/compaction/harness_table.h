// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/harness_settings.h"
#include "core/compaction/policy_settings.h"

namespace core {

/// The syntax of values in a settings language.
struct SettingsSyntax {
    std::string_view language;
    std::string_view between; ///< between a name and its value
    std::string_view behind;  ///< behind an argument
    std::string_view quote;   ///< around a name
    std::string_view yes;
    std::string_view no;
    std::string_view nothing;
    std::string_view size; ///< a measure; `{0}` is its kind and `{1}` its number
    std::string_view part; ///< one of several measures joined by "and"; empty: the harness cannot join them
};

/// One written argument. nullopt if it is left out; then `note` says why, unless another argument covers it.
struct WrittenSetting {
    std::optional<std::string> text;
    std::string note;
};

/// The inputs for writing an argument.
struct SettingsSource {
    const PolicyValues &values;
    const SettingsPlace &place;
    const SettingsSyntax &syntax;
    std::string_view harness; ///< title, for notes

    /// Window in tokens that the policy's fractions refer to; 0 if unknown.
    [[nodiscard]] double window() const;
};

/// The numbers that an argument takes. A number outside is left out, with a note.
struct SettingsRange {
    double least;
    double most;
    std::string_view words; ///< `1 or more`
};

/// One argument of a harness, and the policy settings that it expresses.
struct SettingsArgument {
    std::string_view name;
    std::vector<std::string_view> paths; ///< the first is written; others with a different value become a note
    WrittenSetting (*write)(const SettingsSource &source, std::string_view path) = nullptr; ///< nullptr: a SettingsPart
                                                                                            ///< writes it
    const SettingsSyntax *syntax = nullptr; ///< if it differs from the harness's
    const SettingsRange *range = nullptr;   ///< of a number
    std::string_view around = "{0}";        ///< around the value, which is `{0}`
};

/// A part of the text: `open`, the arguments, `close`.
struct SettingsPart {
    std::string_view stage = {}; ///< the part is written only if this stage is on, else `absent` is
    std::string_view absent = {};
    std::string_view open = {};
    std::string_view indent = "    ";
    std::vector<SettingsArgument> arguments = {};
    std::string_view close = {};
};

/// A harness: the provenance of policies that reproduce it, the preset whose values hold where the harness has no
/// setting, and the syntax of its settings.
struct Harness {
    std::string_view id;
    std::string_view title;
    std::vector<std::string_view> sources; ///< prefixes of `Provenance::source`
    std::string_view preset;               ///< the harness's own behaviour
    const SettingsSyntax *syntax = nullptr;
    std::vector<SettingsPart> parts;            ///< none: it has no settings
    std::vector<std::string_view> remarks = {}; ///< notes for all its settings
    /// Writes all of it, without parts.
    HarnessSettings (*write)(const Policy &policy, const SettingsPlace &place) = nullptr;
    bool onlyLowersTrigger = false;                      ///< its setting cannot raise the trigger above its own
    std::string_view place = "the code that sets it up"; ///< where its settings belong
};

[[nodiscard]] const std::vector<Harness> &harnessTable();

/// Writers of arguments (setting_writers.cpp).
namespace write {
/// A number, text or names, unchanged.
WrittenSetting value(const SettingsSource &source, std::string_view path);
/// The length above which a stage acts; an unreachable length if the stage is off.
WrittenSetting cap(const SettingsSource &source, std::string_view path);
/// The same in tokens of four characters; nullopt if the stage is off.
WrittenSetting capInTokens(const SettingsSource &source, std::string_view path);
/// A number, unless it is 0.
WrittenSetting valueIfAny(const SettingsSource &source, std::string_view path);
/// Whether a stage is on; whether it is off.
WrittenSetting isOn(const SettingsSource &source, std::string_view stage);
WrittenSetting isOff(const SettingsSource &source, std::string_view stage);
/// A list of names that must not be empty: for the harness an empty list means none, for the policy all.
WrittenSetting names(const SettingsSource &source, std::string_view path);
/// The window in tokens.
WrittenSetting window(const SettingsSource &source, std::string_view path);
/// The same, if the policy gives a number; without one the harness takes the model's.
WrittenSetting windowOfItsOwn(const SettingsSource &source, std::string_view path);
/// A trigger or keep in LangChain's form: kind and number; several measures as a list (any) or a dictionary (all).
WrittenSetting triggerSizes(const SettingsSource &source, std::string_view path);
WrittenSetting keepSize(const SettingsSource &source, std::string_view path);
/// A trigger in tokens; converts a fraction of a known window.
WrittenSetting triggerTokens(const SettingsSource &source, std::string_view path);
WrittenSetting keepTokens(const SettingsSource &source, std::string_view path);
/// A fraction of the window; converts tokens by the policy's window.
WrittenSetting triggerFraction(const SettingsSource &source, std::string_view path);
WrittenSetting keepFraction(const SettingsSource &source, std::string_view path);
WrittenSetting keepMessages(const SettingsSource &source, std::string_view path);
WrittenSetting keepMessagesWithoutWindow(const SettingsSource &source, std::string_view path);
WrittenSetting keepResults(const SettingsSource &source, std::string_view path);
WrittenSetting keepResultsSize(const SettingsSource &source, std::string_view path); ///< as LangChain's JavaScript does
/// Window minus trigger.
WrittenSetting reserveTokens(const SettingsSource &source, std::string_view path);
/// A trigger as a share of the model's window, which the harness cannot replace by another.
WrittenSetting triggerModelShare(const SettingsSource &source, std::string_view path);
/// The same for harnesses that also act at a limit of their own: Qwen Code at the window less 33,000 tokens, Roo Code
/// at 90 % less the room for the answer, which takes percent.
WrittenSetting qwenThreshold(const SettingsSource &source, std::string_view path);
WrittenSetting rooPercent(const SettingsSource &source, std::string_view path);
/// The window that Claude Code counts with; and the trigger as percent of that window less 20,000 tokens, nothing if it
/// is Claude Code's own.
WrittenSetting claudeWindow(const SettingsSource &source, std::string_view path);
WrittenSetting claudePercent(const SettingsSource &source, std::string_view path);
/// Nothing: Crush chooses its trigger by the window. Notes another trigger.
WrittenSetting crushTrigger(const SettingsSource &source, std::string_view path);
/// Tokens or tool results, as objects of Anthropic's API.
WrittenSetting anthropicTrigger(const SettingsSource &source, std::string_view path);
/// Whether the last message is protected.
WrittenSetting keepLastMessage(const SettingsSource &source, std::string_view path);
/// The messages or the tokens of a trigger, either of which suffices; and nothing for what OpenHands then keeps.
WrittenSetting openHandsSize(const SettingsSource &source, std::string_view path);
WrittenSetting openHandsTokens(const SettingsSource &source, std::string_view path);
WrittenSetting openHandsKeep(const SettingsSource &source, std::string_view path);
/// Nothing: trim_messages acts when the messages are larger than the keep. Notes another trigger.
WrittenSetting triggerIsKeep(const SettingsSource &source, std::string_view path);
/// A text without what the recipe adds: the recipe appends the length to a suffix, and the session to a prefix.
WrittenSetting recipeSuffix(const SettingsSource &source, std::string_view path);
WrittenSetting recipeLogPrefix(const SettingsSource &source, std::string_view path);
} // namespace write

} // namespace core
