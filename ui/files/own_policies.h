// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

#include <QString>

#include <vector>

namespace ui {

/// Policies that the user saved, each a document of its own in the configuration folder.
[[nodiscard]] QString ownPolicyFolder();

/// Those of them that can be read, by name.
[[nodiscard]] std::vector<core::PolicyPtr> ownPolicies();

/// Whether a file says that it is a policy: a look at its beginning.
[[nodiscard]] bool isPolicyFile(const QString &path);
[[nodiscard]] core::Result<core::Policy> loadPolicy(const QString &path);
/// Writes beside and renames; the policy gets the file's name. Returns what was written.
[[nodiscard]] core::Result<core::Policy> savePolicy(const core::Policy &policy, const QString &path);

} // namespace ui
