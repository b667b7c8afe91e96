// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/index/session_index.h"
#include "core/search/search.h"

namespace core {

/// A block of a session that matches a filter line.
struct IndexHit {
    BlockId block;
    MessageId message;
    Role role = Role::User;
    Block shown;    ///< kind, flags and lengths only, for labels and states
    BlockLife life; ///< `first`, `last`, `wasSent`, `isAtEnd`
    std::string tool;
    HitSnippet snippet;
};

/// The hits of one conversation.
struct SessionHits {
    SessionEntry entry;
    std::vector<IndexHit> hits; ///< in pool order, at most as many as were asked for
    bool hasMore = false;       ///< the conversation has further hits
};

struct IndexSearch {
    std::vector<SessionHits> sessions; ///< newest first
    bool hasMore = false;              ///< further sessions may match
    size_t changedFiles = 0;           ///< files with possible hits that changed after they were indexed
};

struct IndexSearchLimits {
    size_t sessions = 100;
    size_t hitsOfSession = 3;
};

/// The sessions with blocks that match a filter line (see `parseQuery`), newest first. A text of the query must begin
/// at the beginning of a word: `link` and `lin` find "stable link", `ink` does not. What the index finds is compared
/// with the session files. `known` is what the index returned. Fails with Usage for `hot`, which depends on a call, and
/// for a text without a word.
[[nodiscard]] Result<IndexSearch> searchIndex(const SessionIndex &index, const IndexedSessions &known,
    const Query &query, const IndexSearchLimits &limits, const Progress *progress = nullptr);

} // namespace core
