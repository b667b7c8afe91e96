// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/draft.h"

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

class LiveStage;
class StageRun;
class StageParameters;

/// A stage that looks at one block at a time, and at nothing else but its parameters and the session: the change of a
/// block is made once and remembered.
struct BlockRule {
    enum class Reach : uint8_t { BeforeCutoff, Everywhere };
    Reach reach = Reach::Everywhere;
    /// Whether the rule may change a block; asked of every block.
    std::function<bool(const Block &block)> wants;
    /// The change of such a block, or nothing. Fate::Dropped removes it.
    std::function<std::optional<BlockChange>(const BlockPool &pool, BlockId block)> make;
};

/// A stage that looks at one tool result before its keep window at a time, and at the call that the result answers. Its
/// keep window may count results.
struct ResultRule {
    /// The change of a block, or nullptr. `call` is invalid where the array holds none for it.
    std::function<std::shared_ptr<const BlockChange>(const BlockPool &pool, BlockId block, BlockId call)> make;
};

/// A kind of stage: one rule that rewrites blocks or messages. `rule` or `apply` says what it does; the rest lets
/// replays and sweeps do the same faster, or is empty.
struct StageKind {
    std::string_view id;
    std::string_view title;
    std::string_view sentence;
    std::vector<ParameterSpec> parameters;
    BlockRule (*rule)(const StageParameters &parameters) = nullptr;
    void (*apply)(StageRun &run) = nullptr;

    /// True where the stage changes nothing in this session, whatever the array.
    bool (*isIdle)(const StageParameters &parameters) = nullptr;
    /// The stage for a replay (live_stage.h), or nullptr where these parameters need every call planned from scratch.
    /// `isFirst`: no other stage works on the array before it.
    std::unique_ptr<LiveStage> (*live)(const StageParameters &parameters, BlockPool &pool, bool isFirst) = nullptr;
    /// What the stage does as a rule for single results, or nothing where these parameters make it more than that.
    std::optional<ResultRule> (*resultRule)(const StageParameters &parameters) = nullptr;
    /// A summary takes the place of the messages before the keep window (stages/eviction.h). A replay does this itself.
    bool summarises = false;
    /// Looks at the policy's trigger whether or not it waits for it.
    bool readsPolicyTrigger = false;

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
    double recordedTokens = 0; ///< what the harness knows of its last call, prompt and answer; 0 if it knows nothing
};

/// The parameters of one stage of a policy. They refer to the policy, the context and the session, which must stay.
class StageParameters {
public:
    StageParameters(const Session &session, const StageSpec &spec, const StageKind &kind, const StageContext &context)
        : m_session(&session)
        , m_spec(&spec)
        , m_kind(&kind)
        , m_context(&context)
    {
    }

    [[nodiscard]] const Session &session() const { return *m_session; }
    [[nodiscard]] const StageContext &context() const { return *m_context; }
    [[nodiscard]] const Policy &policy() const { return m_context->policy; }
    [[nodiscard]] LengthUnit unit() const { return m_context->policy.unit; }
    [[nodiscard]] const StageKind &kind() const { return *m_kind; }
    [[nodiscard]] const StageSpec &spec() const { return *m_spec; }

    [[nodiscard]] bool isOn(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] uint64_t count(std::string_view name) const { return static_cast<uint64_t>(number(name)); }
    [[nodiscard]] std::string text(std::string_view name) const;
    [[nodiscard]] std::vector<std::string> names(std::string_view name) const;
    /// True if the list holds the tool, or another of the same deed (`write_file` stands for `Write`).
    [[nodiscard]] bool listsTool(std::string_view name, const Block &block) const;
    /// The stage's own measure of keeping, else the policy's.
    [[nodiscard]] const Keep &keep() const { return m_spec->keep ? *m_spec->keep : m_context->policy.keep; }
    /// Whether it acts only when a trigger is reached, its own or the policy's.
    [[nodiscard]] bool waits() const { return m_spec->trigger.has_value() || m_spec->usesTrigger; }
    [[nodiscard]] const Trigger &trigger() const
    {
        return m_spec->trigger ? *m_spec->trigger : m_context->policy.trigger;
    }
    /// All that a block's change depends on beside the block.
    [[nodiscard]] Hash fingerprint() const;

private:
    [[nodiscard]] const ParameterValue &value(std::string_view name) const;

    const Session *m_session;
    const StageSpec *m_spec;
    const StageKind *m_kind;
    const StageContext *m_context;
};

/// What a rule makes of blocks, each made once: of recorded blocks in the memo of the session, if there is one.
class RuleChanges final {
public:
    RuleChanges(const StageParameters &parameters, ChangeMemo *memo);

    [[nodiscard]] BlockRule::Reach reach() const { return m_rule.reach; }
    /// nullptr where the rule leaves the block alone.
    [[nodiscard]] std::shared_ptr<const BlockChange> of(const BlockPool &pool, BlockId block) const;

private:
    BlockRule m_rule;
    std::shared_ptr<ChangeMemo::Sheet> m_sheet;
};

/// One stage at work on a draft. Stages ask it for their parameters, for the messages that they may rewrite, and change
/// the draft through it, so that every change is recorded with its reason.
class StageRun final : public StageParameters {
public:
    StageRun(Draft &draft, const StageSpec &spec, const StageKind &kind, size_t index, const StageContext &context)
        : StageParameters(*draft.pool().session(), spec, kind, context)
        , m_draft(draft)
        , m_index(index)
    {
    }

    [[nodiscard]] Draft &draft() { return m_draft; }
    [[nodiscard]] const Draft &draft() const { return m_draft; }

    /// Does what the stage does.
    void run();

    /// The first message that must stay as it is; 0 if the policy's rule says that nothing is touched.
    [[nodiscard]] size_t cutoff() const;
    /// Calls `visit(element)` for each element before the cutoff that may be changed: not pinned, not gone.
    void forEachBefore(const std::function<void(size_t element)> &visit);
    void forEach(const std::function<void(size_t element)> &visit);

    void change(size_t element, const BlockChange &change);

    /// Changes, recorded as rewrites of this stage.
    void shorten(size_t element, std::string text, Fate fate, std::string why, std::optional<size_t> artifact = {});
    void drop(size_t element, std::string why);
    /// An artifact that keeps what the element is now.
    size_t keepOriginal(size_t element, std::string name);
    size_t keepArtifact(Artifact artifact);
    [[nodiscard]] size_t index() const { return m_index; }

    /// A stage that decides by itself when to act says that it did; of one that waits for a trigger that is known.
    void noteFired() { m_hasFired = true; }
    [[nodiscard]] bool hasFired() const { return m_hasFired; }

private:
    void changeEach();

    Draft &m_draft;
    size_t m_index;
    bool m_hasFired = false;
};

} // namespace core
