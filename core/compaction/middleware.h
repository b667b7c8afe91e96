// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/harness_settings.h"

namespace core {

/// A policy as a module for the hook `wrapModelCall` of LangChain in JavaScript: the fixed text of
/// resources/middleware/langchain.mjs, with the stages that it can do. Each other stage becomes a note. Triggers and
/// keeps that are shares become tokens of the window.
[[nodiscard]] HarnessSettings langChainMiddleware(const Policy &policy, const SettingsPlace &place);

} // namespace core
