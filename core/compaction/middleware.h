// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/harness_settings.h"

namespace core {

/// A policy as a module in JavaScript for a hook before each call of the model: `wrapModelCall` of LangChain, `use` of
/// Genkit. Its text is fixed (resources/middleware), with the stages that it can do. Each other stage becomes a note.
/// Triggers and keeps that are shares become tokens of the window.
[[nodiscard]] HarnessSettings langChainMiddleware(const Policy &policy, const SettingsPlace &place);
[[nodiscard]] HarnessSettings genkitMiddleware(const Policy &policy, const SettingsPlace &place);

} // namespace core
