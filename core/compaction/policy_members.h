// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

#include <string>
#include <vector>

namespace core {

/// Members of a policy's document that this version does not know, and so does not follow: `colour`,
/// `clip-results.foo`. They are kept; most are slips of the pen. Costs the document.
[[nodiscard]] std::vector<std::string> unknownMembersOf(const Policy &policy);
/// What there is to say of one of them.
[[nodiscard]] std::string unknownMemberSentence(const std::string &member);

} // namespace core
