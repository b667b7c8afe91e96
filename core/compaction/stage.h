// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/draft.h"
#include "core/compaction/memory_folder.h"

#include <functional>
#include <span>

namespace core {

/// A parameter of a stage, for documents and the window.
struct ParameterSpec {
    enum class Type : uint8_t { Switch, Count, Number, Text, Names, Choice };
    std::string_view name;
    Type type = Type::Count;
    std::string_view sentence; ///< describes the effect
    ParameterValue initial;
    double least = 0;
    double most = 1e9;
    std::string_view unit = {};                 ///< `characters`, `lines`, `tokens`, `results`, `minutes`
    std::vector<std::string_view> choices = {}; ///< for a Choice
};

class LiveStage;
class StageRun;
class StageParameters;

/// A stage that changes single blocks and depends only on the block, its parameters and the session. Its changes are
/// computed once per block and cached.
struct BlockRule {
    enum class Reach : uint8_t { BeforeCutoff, Everywhere };
    Reach reach = Reach::Everywhere;
    /// Whether the rule may change a block; called for every block.
    std::function<bool(const Block &block)> wants;
    /// The change of a block that `wants` accepts, or nullopt. Fate::Dropped removes the block.
    std::function<std::optional<BlockChange>(const BlockPool &pool, BlockId block)> make;
};

/// A stage that changes single tool results before its keep window and depends only on the result and its call. Its
/// keep window may count results.
struct ResultRule {
    /// The change of a block, or nullptr. `call` is invalid if the array does not hold the call.
    std::function<std::shared_ptr<const BlockChange>(const BlockPool &pool, BlockId block, BlockId call)> make;
};

/// A kind of stage: one rule that rewrites blocks or messages. `rule` or `apply` implements it. The other members are
/// optional and make replays and sweeps faster.
struct StageKind {
    std::string_view id;
    std::string_view title;
    std::string_view sentence;
    std::vector<ParameterSpec> parameters;
    BlockRule (*rule)(const StageParameters &parameters) = nullptr;
    void (*apply)(StageRun &run) = nullptr;

    /// Whether the stage changes nothing in this session, whatever the array.
    bool (*isIdle)(const StageParameters &parameters) = nullptr;
    /// Makes the stage for a replay (live_stage.h), or returns nullptr if these parameters require planning every call
    /// from scratch. `isFirst`: no other stage changes the array before it.
    std::unique_ptr<LiveStage> (*live)(const StageParameters &parameters, BlockPool &pool, bool isFirst) = nullptr;
    /// The stage as a rule for single results; nullopt if these parameters make it more than that.
    std::optional<ResultRule> (*resultRule)(const StageParameters &parameters) = nullptr;
    /// A summary replaces the messages before the keep window (stages/eviction.h). Replays implement this themselves.
    bool summarises = false;
    /// Only adds text. That counts neither as a compaction nor as a change of the session.
    bool injects = false;
    /// Puts a log that was written before in place of messages (stages/log.h). Where the log covers nothing it does not
    /// act, whatever its trigger.
    bool keepsLog = false;
    /// The stage reads the policy's trigger even if it does not wait for a trigger.
    bool readsPolicyTrigger = false;
    /// A sentence about what the stage reads outside of the session, for people; empty if there is nothing to say.
    std::string (*note)(const StageParameters &parameters) = nullptr;
    /// Whether an `apply` reads the keep; nullptr: it does. The reach of a `rule` says it for rules.
    bool (*readsKeep)(const StageParameters &parameters) = nullptr;

    [[nodiscard]] const ParameterSpec *parameter(std::string_view name) const;
};

/// All kinds in menu order.
[[nodiscard]] std::span<const StageKind> stageKinds();
[[nodiscard]] const StageKind *stageKind(std::string_view id);
/// Whether the stage of a policy only adds text (`StageKind::injects`).
[[nodiscard]] bool injects(const StageSpec &spec);

/// Inputs of a run besides the array.
struct StageContext {
    const Policy &policy;
    std::string sessionId = "session"; ///< the id of the session in the form that harnesses use in file names
    std::string time;                  ///< of the compaction, ISO 8601 with +00:00
    double windowTokens = 0;
    /// Tokens of the last call (prompt plus response) by its recorded usage, as the harness knows them; 0 if unknown.
    double recordedTokens = 0;
    double unsentTokens = 0;                           ///< see MessageArray::unsentTokens
    std::shared_ptr<MemoryFolders> memories = nullptr; ///< of this run; nullptr where no stage runs
};

/// The parameters of one stage of a policy. The policy, the context and the session must outlive the object.
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
    /// Whether the list contains the tool, or another tool with the same function (`write_file` stands for `Write`).
    [[nodiscard]] bool listsTool(std::string_view name, const Block &block) const;
    /// The stage's own keep, else the policy's.
    [[nodiscard]] const Keep &keep() const { return m_spec->keep ? *m_spec->keep : m_context->policy.keep; }
    /// Whether the stage waits for a trigger, its own or the policy's.
    [[nodiscard]] bool waits() const { return m_spec->trigger.has_value() || m_spec->usesTrigger; }
    [[nodiscard]] const Trigger &trigger() const
    {
        return m_spec->trigger ? *m_spec->trigger : m_context->policy.trigger;
    }
    /// A hash of all inputs of a change, except the block itself.
    [[nodiscard]] Hash fingerprint() const;

private:
    [[nodiscard]] const ParameterValue &value(std::string_view name) const;

    const Session *m_session;
    const StageSpec *m_spec;
    const StageKind *m_kind;
    const StageContext *m_context;
};

/// The changes of a rule, computed once per block; those of recorded blocks are cached in the session's memo, if any.
class RuleChanges final {
public:
    RuleChanges(const StageParameters &parameters, ChangeMemo *memo);

    [[nodiscard]] BlockRule::Reach reach() const { return m_rule.reach; }
    /// nullptr if the rule leaves the block alone.
    [[nodiscard]] std::shared_ptr<const BlockChange> of(const BlockPool &pool, BlockId block) const;

private:
    BlockRule m_rule;
    std::shared_ptr<ChangeMemo::Sheet> m_sheet;
};

/// One stage working on a draft. A StageRun gives a stage its parameters and the messages that it may rewrite. The
/// stage changes the draft through the StageRun, which records each change with a reason.
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

    /// Runs the stage.
    void run();

    /// The first message of the keep window; 0 if the policy's rule changes nothing.
    [[nodiscard]] size_t cutoff() const;
    /// Calls `visit` for each element before the cutoff that may be changed: neither pinned nor removed.
    void forEachBefore(const std::function<void(size_t element)> &visit);
    void forEach(const std::function<void(size_t element)> &visit);

    void change(size_t element, const BlockChange &change);

    /// Changes, recorded as rewrites of this stage:
    void shorten(size_t element, std::string text, Fate fate, std::string why, std::optional<size_t> artifact = {});
    void drop(size_t element, std::string why);
    /// Adds an artifact with the element's current content; returns its index.
    size_t keepOriginal(size_t element, std::string name);
    size_t keepArtifact(Artifact artifact);
    [[nodiscard]] size_t index() const { return m_index; }

    /// Call this from stages without a trigger when they act.
    void noteFired() { m_hasFired = true; }
    [[nodiscard]] bool hasFired() const { return m_hasFired; }

private:
    void changeEach();

    Draft &m_draft;
    size_t m_index;
    bool m_hasFired = false;
};

} // namespace core
