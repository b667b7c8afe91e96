// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/heaviest_call.h"

namespace core {

Position heaviestPosition(const Session &session, ThreadIndex thread)
{
    Position position;
    position.thread = thread;
    uint64_t most = 0;
    const auto &calls = session.thread(thread).calls;
    for (size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].usage && calls[i].usage->prompt() > most) {
            most = calls[i].usage->prompt();
            position.call = CallIndex(i);
        }
    }
    return position;
}

} // namespace core
