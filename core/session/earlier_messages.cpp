// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/earlier_messages.h"

#include <algorithm>

namespace core {

bool hasEarlierMessages(const Session &session, Position position)
{
    const bool continues = std::ranges::contains(session.diagnostics, kEarlierMessagesMissing, &Diagnostic::reason);
    if (!continues || session.thread(position.thread).kind != ThreadKind::Main)
        return false;
    return std::ranges::none_of(session.thread(position.thread).compactions, [&](const RecordedCompaction &compaction) {
        const bool writesAnew
            = compaction.kind == CompactionKind::Summary || compaction.kind == CompactionKind::Replacement;
        const bool isBefore = position.isEnd() || !compaction.call.isValid() || compaction.call < position.call;
        return writesAnew && isBefore;
    });
}

} // namespace core
