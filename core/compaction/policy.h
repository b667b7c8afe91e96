// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/measure.h"
#include "core/compaction/message_view.h"
#include "core/compaction/texts.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace core {

/// Whether a threshold itself fires: harnesses differ.
enum class Comparator : uint8_t { AtLeast, MoreThan };

/// When something acts: always, or when any or all of its measures are reached. A fraction is of the policy's window;
/// where that is not known, it is never reached.
struct Trigger {
    enum class Joining : uint8_t { Any, All };
    std::vector<Measure> measures; ///< none: always
    Joining joining = Joining::Any;
    Comparator comparator = Comparator::AtLeast;

    [[nodiscard]] bool isAlways() const { return measures.empty(); }
    /// For documents and options: `0.85w`, `0.85w or 20msg`, `always`.
    [[nodiscard]] std::string text() const;
    /// For fields that people edit: `85 % or 20msg`.
    [[nodiscard]] std::string fieldText() const;
    /// For people to read: `85 % of window or 20 messages`.
    [[nodiscard]] std::string words() const;
};

/// The trailing part that a stage leaves alone.
struct Keep {
    /// How a measure in tokens becomes a cutoff.
    enum class Rule : uint8_t {
        Crossing,        ///< the message that reaches the measure is kept too (Genkit recipe)
        Within,          ///< what is kept is at most the measure, but never nothing (LangChain)
        WithinOrNothing, ///< the same, where nothing may be kept (Deep Agents' clip of arguments)
    };
    /// What becomes of a cutoff that would tear a tool result from its call.
    enum class Pairing : uint8_t {
        None,     ///< it stays: the harness does not look
        Back,     ///< back to the message with the call; forward past the results where it is not found (LangChain)
        Balanced, ///< back, unless that is more than half of the way; then forward (Deep Agents' JavaScript port)
    };
    Measure measure { 0.1, Measure::Unit::WindowFraction };
    Rule rule = Rule::Within;
    Pairing pairing = Pairing::None;
};

/// How a policy's harness counts tokens.
struct Counter {
    enum class Kind : uint8_t {
        Tokens,      ///< ours, as shown everywhere
        GenkitText,  ///< characters of text parts / 4, whole; at least 1 a message when single ones are added up
        LangChain,   ///< ceil((text + repr of calls + id + role + name) / characters per token) + 3 a message
        Characters,  ///< of everything, in the policy's length unit
        JsonQuarter, ///< ceil(characters of everything / 4)
    };
    Kind kind = Kind::Tokens;
    double charactersPerToken = 4;
    bool usesRecorded = false; ///< the recorded prompt of the call also counts where it is known
};

/// Whether what a policy did is there at the next call.
enum class Persistence : uint8_t {
    View,       ///< made anew for each call; the harness keeps the whole
    Persistent, ///< replaces what the harness keeps
};

using ParameterValue = std::variant<bool, double, std::string, std::vector<std::string>>;

/// One row of a policy.
struct StageSpec {
    std::string stage; ///< id of its kind
    bool isEnabled = true;
    std::optional<Trigger> trigger;                            ///< its own; else as `usesTrigger` says
    std::optional<Keep> keep;                                  ///< its own; else the policy's
    bool usesTrigger = false;                                  ///< acts only when the policy's trigger is reached
    std::map<std::string, ParameterValue, std::less<>> values; ///< those that differ from the kind's
};

/// Where the knowledge of a preset comes from.
struct Provenance {
    std::string source;   ///< repository, page or article
    std::string date;     ///< of what was read
    std::string evidence; ///< `source`, `documentation` or `interpretation`

    /// `evidence` for people to read: `matches published code`, `our approximation`.
    [[nodiscard]] std::string_view evidenceWords() const;
};

/// A rule for compacting: window, trigger, keep, counter, message shape, ordered stages. A value; made of a JSON
/// document
/// (`palimpsest.policy/1`, described in resources/policies/README.md), whose unknown members survive.
struct Policy {
    enum class Window : uint8_t { None, OfModel, Fixed };

    std::string id;
    std::string name;
    std::string description;
    Provenance provenance;
    MessageShape view = MessageShape::LangChain;
    LengthUnit unit = LengthUnit::CodePoints;
    Window window = Window::OfModel;
    double windowTokens = 0; ///< where it is fixed
    Trigger trigger;
    Keep keep;
    Counter counter;
    Persistence persistence = Persistence::View;
    std::vector<StageSpec> stages;
    std::string document; ///< the JSON text that says all this

    /// Tokens of the window, 0 if there is none.
    [[nodiscard]] double windowOf(const Session &session) const;
};
using PolicyPtr = std::shared_ptr<const Policy>;

/// Reads a policy document. An error of kind Malformed names the member and what is expected there; a newer schema is
/// refused.
[[nodiscard]] Result<Policy> parsePolicy(std::string_view json, std::string_view where = {});

/// The policy with one setting changed, as `--set key=value` does: `window`, `keep`, `trigger`, `counter`,
/// `persistence`; `STAGE=on|off`; `STAGE.PARAMETER=value`, or `PARAMETER=value` for the first stage that has it
/// (`summary.text`). Measures carry their unit; a bare number takes the unit that the policy has there, one with a
/// point is a fraction; `20k` is tokens unless the policy counts messages there. Triggers of several measures are set
/// as `Trigger::text` writes them.
[[nodiscard]] Result<Policy> withSetting(const Policy &policy, std::string_view key, std::string_view value);

/// Edits as the window makes them; what they return is well-formed.
[[nodiscard]] Policy withStageEnabled(const Policy &policy, size_t stage, bool isEnabled);
[[nodiscard]] Policy withStageMoved(const Policy &policy, size_t from, size_t to);
[[nodiscard]] Policy withStageAdded(const Policy &policy, std::string_view stage);
[[nodiscard]] Policy withStageRemoved(const Policy &policy, size_t stage);
/// One parameter of one stage, or its `keep` or `trigger`; the value as in `withSetting`.
[[nodiscard]] Result<Policy> withStageSetting(
    const Policy &policy, size_t stage, std::string_view name, std::string_view value);
/// Another id and name, as when it is saved as a policy of one's own; where it came from is kept.
[[nodiscard]] Policy withName(const Policy &policy, std::string_view id, std::string_view name);

/// The presets, in the order in which they are offered; the first is `none`.
[[nodiscard]] const std::vector<PolicyPtr> &presets();
/// The preset of that id, or nullptr.
[[nodiscard]] PolicyPtr preset(std::string_view id);
/// A preset by its id, else a policy read from the file of that name.
[[nodiscard]] Result<Policy> policyNamed(const std::string &nameOrFile);

} // namespace core
