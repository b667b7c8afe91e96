// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The part of `path` before the first point, or all of it. Stage ids have no point; parameter names may.
[[nodiscard]] inline std::string_view stageOfPath(std::string_view path) { return path.substr(0, path.find('.')); }

/// Reads settings of a policy by the paths that `--set` uses: `window`, `trigger`, `keep`, `counter`, `STAGE` (on or
/// off), `STAGE.trigger`, `STAGE.keep`, `STAGE.PARAMETER`. If two stages are of the same kind, reads the first. The
/// policy must outlive the object.
class PolicyValues final {
public:
    explicit PolicyValues(const Policy &policy)
        : m_policy(&policy)
    {
    }

    [[nodiscard]] const Policy &policy() const { return *m_policy; }
    /// Whether the policy has the stage and the stage is on.
    [[nodiscard]] bool isOn(std::string_view id) const;
    /// The value of `STAGE.PARAMETER`: the policy's, else the kind's default. nullopt if the policy has no such stage
    /// or the stage no such parameter.
    [[nodiscard]] std::optional<ParameterValue> parameter(std::string_view path) const;
    [[nodiscard]] double number(std::string_view path) const;
    [[nodiscard]] std::string text(std::string_view path) const;
    /// The trigger of the policy (`trigger`) or of a stage (`STAGE.trigger`); likewise its keep.
    [[nodiscard]] Trigger trigger(std::string_view path) const;
    [[nodiscard]] Keep keep(std::string_view path) const;

private:
    [[nodiscard]] const StageSpec *stage(std::string_view id) const;

    const Policy *m_policy;
};

/// One setting as text.
struct PolicyFact {
    std::string path;
    std::string value; ///< as shown: `2000`, `on`, `0.85w`
    friend bool operator==(const PolicyFact &, const PolicyFact &) = default;
};

/// Every setting that affects a policy's behaviour, in the document's order; policies with equal facts behave the same.
/// A disabled stage has one fact: that it is off.
[[nodiscard]] std::vector<PolicyFact> factsOf(const Policy &policy);

/// `on` or `off`, a number (integers without a point), a text, or names as `a, b`.
[[nodiscard]] std::string shownValue(const ParameterValue &value);

/// Members of a policy's document that this version ignores: `colour`, `clip-results.foo`. Most are typing errors.
/// Parses the document.
[[nodiscard]] std::vector<std::string> unknownMembersOf(const Policy &policy);
/// A warning about one unknown member.
[[nodiscard]] std::string unknownMemberSentence(const std::string &member);

} // namespace core
