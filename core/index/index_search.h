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
    Block shown; ///< kind, flags and lengths only, for labels and states
    BlockLife
        life; ///< `first`, `last`, `wasSent`, `isAtEnd`, `isSummarised`; `unknownFrom` once the findings are known
    std::string tool;
    HitSnippet snippet;
    bool isPhrase = false; ///< has the texts of the query beside each other, in their order
};

/// The hits of one conversation.
struct SessionHits {
    SessionEntry entry;
    std::vector<IndexHit> hits; ///< phrases first, then in pool order; at most as many as were asked for
    bool hasMore = false;       ///< the conversation has further hits
    std::string name;           ///< without hits: the file's name or the session's id, which has the texts of the query

    [[nodiscard]] bool hasPhrase() const { return !hits.empty() && hits.front().isPhrase; }
};

struct IndexSearch {
    std::vector<SessionHits> sessions; ///< those with the phrase first, then newest first; found by name last
    bool hasMore = false;              ///< further sessions may match
    size_t changedFiles = 0;           ///< files with possible hits that changed after they were indexed
    size_t blocksRead = 0;             ///< rows of blocks that were looked at
};

struct IndexSearchLimits {
    size_t sessions = 100;
    size_t hitsOfSession = 3;
    size_t phraseBlocks = 2'000; ///< with all texts of the query, newest files first, in which the phrase is looked for
};

/// The sessions with blocks that match a filter line (see `parseQuery`). A text of the query must begin at the
/// beginning of a word: `link` and `lin` find "stable link", `ink` does not. If the query has several texts, sessions
/// with the phrase that they make (`stable link` as one text) come first; the others follow, newest first. A query that
/// has only texts, each of three bytes or more, also finds sessions whose file name or id contains all of them. What
/// the index finds is compared with the session files. `known` is what the index returned. Fails with Usage for `hot`,
/// which depends on a call, and for a text without a word.
[[nodiscard]] Result<IndexSearch> searchIndex(const SessionIndex &index, const IndexedSessions &known,
    const Query &query, const IndexSearchLimits &limits, const Progress *progress = nullptr);

} // namespace core
