// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/draft.h"
#include "core/compaction/policy.h"

#include <functional>
#include <span>

namespace core {

/// A parameter of a stage, as documents and the window show it.
struct ParameterSpec {
    enum class Type : uint8_t { Switch, Count, Number, Text, Names, Choice };
    std::string_view name;
    Type type = Type::Count;
    std::string_view sentence; ///< what it does
    ParameterValue initial;
    double least = 0;
    double most = 1e9;
    std::string_view unit = {};                 ///< `characters`, `lines`, `tokens`, `results`, `minutes`
    std::vector<std::string_view> choices = {}; ///< of a Choice
};

class StageRun;

/// A kind of stage: one rule that rewrites blocks or messages.
struct StageKind {
    std::string_view id;
    std::string_view title;
    std::string_view sentence;
    std::vector<ParameterSpec> parameters;
    void (*apply)(StageRun &run) = nullptr;

    [[nodiscard]] const ParameterSpec *parameter(std::string_view name) const;
};

/// All kinds, in the order in which they are offered.
[[nodiscard]] std::span<const StageKind> stageKinds();
[[nodiscard]] const StageKind *stageKind(std::string_view id);

/// What a run may need to know beside the array.
struct StageContext {
    const Policy &policy;
    std::string sessionId = "session"; ///< as harnesses put it into names
    std::string time;                  ///< ISO 8601 with +00:00, of the compaction
    double windowTokens = 0;
};

/// One stage at work on a draft. Stages ask it for their parameters, for the messages that they may rewrite, and change
/// the draft through it, so that every change is recorded with its reason.
class StageRun final {
public:
    StageRun(Draft &draft, const StageSpec &spec, const StageKind &kind, size_t index, const StageContext &context)
        : m_draft(draft)
        , m_spec(spec)
        , m_kind(kind)
        , m_index(index)
        , m_context(context)
    {
    }

    [[nodiscard]] Draft &draft() { return m_draft; }
    [[nodiscard]] const Draft &draft() const { return m_draft; }
    [[nodiscard]] const StageContext &context() const { return m_context; }
    [[nodiscard]] const Policy &policy() const { return m_context.policy; }
    [[nodiscard]] LengthUnit unit() const { return m_context.policy.unit; }

    [[nodiscard]] bool isOn(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] uint64_t count(std::string_view name) const { return static_cast<uint64_t>(number(name)); }
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names(std::string_view name) const;
    /// True if the list holds the tool, or another of the same deed (`write_file` stands for `Write`).
    [[nodiscard]] bool listsTool(std::string_view name, const Block &block) const;

    /// The stage's own measure of keeping, else the policy's.
    [[nodiscard]] const Keep &keep() const { return m_spec.keep ? *m_spec.keep : m_context.policy.keep; }
    /// The first message that must stay as it is; 0 if the policy's rule says that nothing is touched. By the stage's
    /// own measure of keeping, else the policy's.
    [[nodiscard]] size_t cutoff() const;
    /// Calls `visit(element)` for each element before the cutoff that may be changed: not pinned, not gone.
    void forEachBefore(const std::function<void(size_t element)> &visit);
    void forEach(const std::function<void(size_t element)> &visit);

    /// Changes each block before the cutoff, or in the whole array, as `make` says, where `wants` says that it may be
    /// meant. Both may look at nothing but the block, the stage's parameters and the session: what a recorded block
    /// becomes is made once and remembered.
    enum class Reach : uint8_t { BeforeCutoff, Everywhere };
    using Wants = std::function<bool(const Block &block)>;
    using Make = std::function<std::optional<BlockChange>(size_t element)>;
    void changeEach(Reach reach, const Wants &wants, const Make &make);
    /// Makes one such change.
    void change(size_t element, const BlockChange &change);

    /// Changes, recorded as rewrites of this stage.
    void shorten(size_t element, std::string text, Fate fate, std::string why, std::optional<size_t> artifact = {});
    void drop(size_t element, std::string why);
    /// An artifact that keeps what the element is now.
    size_t keepOriginal(size_t element, std::string name);
    size_t keepArtifact(Artifact artifact);
    [[nodiscard]] size_t index() const { return m_index; }

private:
    [[nodiscard]] const ParameterValue &value(std::string_view name) const;
    /// All that a block's change depends on beside the block.
    [[nodiscard]] Hash fingerprint() const;

    Draft &m_draft;
    const StageSpec &m_spec;
    const StageKind &m_kind;
    size_t m_index;
    const StageContext &m_context;
};

/// Tokens of the draft's messages as the policy's harness counts them.
class DraftCounter final {
public:
    DraftCounter(const Draft &draft, const Policy &policy)
        : m_draft(draft)
        , m_policy(policy)
    {
    }
    /// Of one message, as added up when a keep window is measured.
    [[nodiscard]] double ofMessage(size_t index) const;
    /// Of the whole array, as compared with a trigger.
    [[nodiscard]] double total() const;

private:
    const Draft &m_draft;
    const Policy &m_policy;
};

/// The first message that `keep` leaves alone; 0 if nothing is before it. `nothing` where the rule touches nothing at
/// all.
[[nodiscard]] size_t cutoffOf(const Draft &draft, const Policy &policy, const Keep &keep, double windowTokens);

/// What a trigger found.
struct TriggerVerdict {
    bool isReached = false;
    std::string sentence; ///< `7,151 of 170,000 tokens (Genkit text)`
};
[[nodiscard]] TriggerVerdict verdictOf(
    const Trigger &trigger, const Draft &draft, const Policy &policy, double windowTokens, double recordedTokens);

} // namespace core
