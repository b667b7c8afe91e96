// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <vector>

namespace core {

/// When a call was sent and when its answer ended, as the times of messages say.
struct CallTimes {
    /// The time of the array's last message, or the end of the answer before, if that is later: the user may type while
    /// the model answers.
    std::optional<Timestamp> sent;
    std::optional<Timestamp> ended; ///< of the last block of its answer
};

/// By call.
[[nodiscard]] std::vector<CallTimes> callTimes(const Session &session, ThreadIndex thread);

} // namespace core
