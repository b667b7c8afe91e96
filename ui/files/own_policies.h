// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

#include <QString>

#include <vector>

namespace ui {

/// The configuration folder with one document for each policy the user saved.
[[nodiscard]] QString ownPolicyFolder();

/// The readable policies of `ownPolicyFolder()`, sorted by name.
[[nodiscard]] std::vector<core::PolicyPtr> ownPolicies();

/// Whether a file claims to be a policy; reads only its beginning.
[[nodiscard]] bool isPolicyFile(const QString &path);
[[nodiscard]] core::Result<core::Policy> loadPolicy(const QString &path);
/// Writes atomically; the policy takes the file's name. Returns the written policy.
[[nodiscard]] core::Result<core::Policy> savePolicy(const core::Policy &policy, const QString &path);

} // namespace ui
