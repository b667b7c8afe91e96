// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/measure.h"
#include "core/compaction/message_view.h"
#include "core/compaction/summary_worker.h"
#include "core/compaction/texts.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace core {

/// Whether the trigger fires when the value equals the threshold. Harnesses differ.
enum class Comparator : uint8_t { AtLeast, MoreThan };

/// When something acts: always, or if any or all of its measures are reached. A fraction refers to the policy's window;
/// without a known window it is never reached.
struct Trigger {
    enum class Joining : uint8_t { Any, All };
    std::vector<Measure> measures; ///< empty: always
    Joining joining = Joining::Any;
    Comparator comparator = Comparator::AtLeast;

    [[nodiscard]] bool isAlways() const { return measures.empty(); }
    /// For documents and options: `0.85w`, `0.85w or 20msg`, `always`.
    [[nodiscard]] std::string text() const;
    /// For editable fields: `85 % or 20msg`.
    [[nodiscard]] std::string fieldText() const;
    /// For labels: `85 % of window or 20 messages`.
    [[nodiscard]] std::string words() const;
};

/// The keep window of a stage: the trailing messages that it leaves alone.
struct Keep {
    /// How a measure in tokens becomes a cutoff.
    enum class Rule : uint8_t {
        Crossing,        ///< keeps the message that reaches the measure, too (Genkit recipe)
        Within,          ///< keeps at most the measure, but never nothing (LangChain)
        WithinOrNothing, ///< keeps at most the measure, possibly nothing (Deep Agents' clip of arguments)
    };
    /// How a cutoff that would separate a tool result from its call is moved.
    enum class Pairing : uint8_t {
        None, ///< not at all: the harness does not check
        Back, ///< back to the message with the call; if there is none, forward past the results (LangChain)
        /// Forward past the results; keeps everything if nothing follows them (pi), or nothing if the rule says so
        /// (opencode).
        Forward,
        /// Back to the call, unless the call lies in the first half of the messages before the cutoff; then forward
        /// past the results (Deep Agents' JavaScript port).
        Balanced,
        Turn, ///< forward to a message that the user typed; keeps everything if there is none
        /// Forward to a message that the user typed; if there is none, back to the last one (Gemini CLI).
        TurnOrLast,
        /// Back, and to the last message that the user typed if that stands before it, unless it is the first of the
        /// array: the whole last turn stays (Cline SDK).
        LastTurn,
    };
    Measure measure { 0.1, Measure::Unit::WindowFraction };
    Rule rule = Rule::Within;
    Pairing pairing = Pairing::None;
};

/// How a policy's harness counts tokens.
struct Counter {
    enum class Kind : uint8_t {
        Tokens,      ///< the session's token table
        GenkitText,  ///< characters of text parts / 4, rounded down; at least 1 per message when messages are added up
        LangChain,   ///< ceil((text + repr of calls + id + role + name) / characters per token) + 3 per message
        LangChainJs, ///< (text + JSON of calls + id) / 4, rounded up once in a total; no role, name, thinking or image
        Characters,  ///< all characters, in the policy's length unit
        JsonQuarter, ///< ceil(all characters / characters per token), 4 if the policy gives no other
        Pi,          ///< ceil((text + thinking + name and JSON of calls) / 4); an image of a result is 4,800 characters
    };
    /// What triggers take from the usage of the last call, if known.
    enum class Usage : uint8_t {
        None,
        Beside,        ///< prompt plus response, if more than the counted tokens (LangChain)
        WithLater,     ///< prompt plus response plus the counted tokens of the messages after them (pi)
        WithoutWrites, ///< prompt plus response minus cache writes (iii)
        Call,          ///< prompt plus response alone (opencode, goose, Crush, Cline)
        Prompt,        ///< the prompt alone (Gemini CLI, Qwen Code)
    };
    Kind kind = Kind::Tokens;
    double charactersPerToken = 4;
    std::optional<double> charactersPerTokenOfClaude; ///< if the session's model is Claude
    Usage usage = Usage::None;
    /// Triggers count the whole prompt: also system prompt, tools, and what else stands beside the messages. Only with
    /// `Kind::Tokens` and without a usage.
    bool countsPrelude = false;

    [[nodiscard]] double charactersPerTokenOf(std::string_view model) const;
    /// For labels next to a trigger: `counts text parts only, 4 characters a token`.
    [[nodiscard]] std::string words() const;
};

/// Whether the next call sees the changes that a policy made.
enum class Persistence : uint8_t {
    View,       ///< no: the array is rebuilt for each call, the harness keeps everything
    Persistent, ///< yes: the changed array replaces what the harness keeps
};

using ParameterValue = std::variant<bool, double, std::string, std::vector<std::string>>;

/// One stage of a policy.
struct StageSpec {
    std::string stage; ///< id of its kind
    bool isEnabled = true;
    std::optional<Trigger> trigger;                            ///< its own; else see `usesTrigger`
    std::optional<Keep> keep;                                  ///< its own; else the policy's
    bool usesTrigger = false;                                  ///< waits for the policy's trigger
    std::map<std::string, ParameterValue, std::less<>> values; ///< those that differ from the kind's defaults
};

/// The source of a preset.
struct Provenance {
    std::string source;   ///< repository, page or article
    std::string date;     ///< of the source
    std::string evidence; ///< `source`, `documentation` or `interpretation`

    /// `evidence` for display: `matches published code`, `our approximation`.
    [[nodiscard]] std::string_view evidenceWords() const;
};

/// Where the policy's harness sets cache marks in its requests to Anthropic.
struct CacheMarkPlaces {
    bool system = true;           ///< behind the system prompt, which comes after the tools
    bool lastTool = false;        ///< behind the tools
    bool stableAssistant = false; ///< behind the newest assistant message whose calls all have results
    bool lastBlock = true;        ///< behind the last block (automatic caching)
    double floorBytes = 0;        ///< system prompt and tools get no mark if they are shorter
    friend bool operator==(const CacheMarkPlaces &, const CacheMarkPlaces &) = default;
};

/// A compaction policy: window, trigger, keep, counter, message shape, ordered stages. A value type, parsed from a JSON
/// document (`palimpsest.policy/1`, described in resources/manual/policies.md). Unknown members of the document are
/// preserved.
struct Policy {
    enum class Window : uint8_t { None, OfModel, Fixed };

    std::string id;
    std::string name;
    std::string description;
    Provenance provenance;
    MessageShape view = MessageShape::LangChain;
    LengthUnit unit = LengthUnit::CodePoints;
    Window window = Window::OfModel;
    double windowTokens = 0; ///< a fixed window
    Trigger trigger;
    Keep keep;
    Counter counter;
    Persistence persistence = Persistence::View;
    CacheMarkPlaces cacheMarks;
    std::optional<SummaryWorker> worker; ///< see `workerOf`
    std::vector<StageSpec> stages;
    std::string document; ///< the JSON text of this policy

    /// The window in tokens; 0 if there is none.
    [[nodiscard]] double windowOf(const Session &session) const;
};
using PolicyPtr = std::shared_ptr<const Policy>;

/// The stage whose summaries a worker writes.
inline constexpr std::string_view kSummariseStage = "summarise";
/// The policy's worker; nullptr if it has none, or if the worker has nothing to do: only a persistent policy with the
/// stage `summarise` has summaries that can land later.
[[nodiscard]] const SummaryWorker *workerOf(const Policy &policy);

/// Parses a policy document. Fails with Malformed and names the member and the expected value; refuses newer schemas.
[[nodiscard]] Result<Policy> parsePolicy(std::string_view json, std::string_view where = {});

/// The policy with one setting changed, as by `--set key=value`: `window`, `keep`, `trigger`, `counter`, `persistence`;
/// `STAGE=on|off`; `STAGE.PARAMETER=value`, or `PARAMETER=value` if only one stage has it (`summary.text`). Measures
/// have a unit: `20k` is tokens, and a number with a decimal point is a share of the window; fails for another bare
/// number. Triggers with several measures are written as by `Trigger::text`.
[[nodiscard]] Result<Policy> withSetting(const Policy &policy, std::string_view key, std::string_view value);

/// The window calls these to edit a policy. The results are valid policies.
[[nodiscard]] Policy withStageEnabled(const Policy &policy, size_t stage, bool isEnabled);
[[nodiscard]] Policy withStageMoved(const Policy &policy, size_t from, size_t to);
[[nodiscard]] Policy withStageAdded(const Policy &policy, std::string_view stage);
[[nodiscard]] Policy withStageRemoved(const Policy &policy, size_t stage);
/// Sets one parameter of one stage, or its `keep` or `trigger`; `value` as in `withSetting`.
[[nodiscard]] Result<Policy> withStageSetting(
    const Policy &policy, size_t stage, std::string_view name, std::string_view value);
/// Changes id and name, for saving as a user policy; keeps the provenance.
[[nodiscard]] Policy withName(const Policy &policy, std::string_view id, std::string_view name);

/// The presets in menu order; the first is `none`.
[[nodiscard]] const std::vector<PolicyPtr> &presets();
/// The preset with this id, or nullptr.
[[nodiscard]] PolicyPtr preset(std::string_view id);
/// The preset of the policy's id, if the policy is not as that preset; else nullptr.
[[nodiscard]] PolicyPtr editedPreset(const Policy &policy);
/// The policy's name: `pi`, or `pi, edited` if it is not as the preset of its id.
[[nodiscard]] std::string shownName(const Policy &policy);
/// The presets that imitate the harness of a session, the usual one first. `NAME-2.1.20` is the usual one of versions
/// up to 2.1.20; of several such presets, that with the lowest version is listed first.
[[nodiscard]] std::vector<PolicyPtr> ownPresets(const Session &session);
/// The presets in menu order, but those of the session's harness stand behind `none`.
[[nodiscard]] std::vector<PolicyPtr> presetsFor(const Session &session);
/// The preset with this id; else the policy in the file of this name.
[[nodiscard]] Result<Policy> policyNamed(const std::string &nameOrFile);

} // namespace core
