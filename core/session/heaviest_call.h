// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

namespace core {

/// The call with the largest recorded prompt, with which views open; the end if no usage is recorded.
[[nodiscard]] Position heaviestPosition(const Session &session, ThreadIndex thread);

} // namespace core
