// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

namespace core {

/// The settings of a policy by their paths, as `--set` spells them: `window`, `trigger`, `keep`, `keep.rule`,
/// `counter`, `STAGE` (on or off), `STAGE.trigger`, `STAGE.keep`, `STAGE.PARAMETER`. Of two stages of a kind the first
/// is meant. It refers to the policy, which must stay.
class PolicyValues final {
public:
    explicit PolicyValues(const Policy &policy)
        : m_policy(&policy)
    {
    }

    [[nodiscard]] const Policy &policy() const { return *m_policy; }
    /// Whether the policy has the stage and it is ticked.
    [[nodiscard]] bool isOn(std::string_view id) const;
    /// What the stage of `STAGE.PARAMETER` uses: the policy's value, else the kind's; nothing where the policy has no
    /// such stage or the stage no such parameter.
    [[nodiscard]] std::optional<ParameterValue> parameter(std::string_view path) const;
    [[nodiscard]] double number(std::string_view path) const;
    [[nodiscard]] std::string text(std::string_view path) const;
    /// When the policy (`trigger`) or a stage (`STAGE.trigger`) acts, and what it leaves alone.
    [[nodiscard]] Trigger trigger(std::string_view path) const;
    [[nodiscard]] Keep keep(std::string_view path) const;

private:
    [[nodiscard]] const StageSpec *stage(std::string_view id) const;

    const Policy *m_policy;
};

/// One setting in words.
struct PolicyFact {
    std::string path;
    std::string value; ///< as it is shown: `2000`, `on`, `0.85w`
    friend bool operator==(const PolicyFact &, const PolicyFact &) = default;
};

/// Everything that a policy says about what it does, in its order: two policies of equal facts do the same. Of a stage
/// that is not ticked only that.
[[nodiscard]] std::vector<PolicyFact> factsOf(const Policy &policy);

/// `a, b` of names, `on` and `off`, whole numbers without a point.
[[nodiscard]] std::string shownValue(const ParameterValue &value);

} // namespace core
