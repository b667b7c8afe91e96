// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/weights.h"

namespace core {

/// The weight of a response without thinking, which logs contain only in part or in longer form.
[[nodiscard]] double answerWeight(const Session &session, const Call &call, const BlockTokens &tokens);

/// The tokens of a response, as its harness knew them: by usage; by weight where usage counts less than a tenth of it,
/// because it was recorded when the response had only begun.
[[nodiscard]] double answerTokens(const Session &session, const Call &call, const BlockTokens &tokens);

} // namespace core
