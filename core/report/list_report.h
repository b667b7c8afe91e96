// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/index/index_search.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace core {

/// A session in a list: a conversation, and what its subagents' own files add to it.
struct ListedSession {
    const SessionEntry *entry = nullptr;
    std::vector<const SessionEntry *> subagents; ///< in files of their own
    std::vector<const SessionEntry *> forks;     ///< sessions that begin with a copy of this one; also in the list
    const SessionEntry *origin = nullptr;        ///< the session of which this is a fork, if it is known
    /// What tells it from sessions with the same title: the name of its file, else its id, else its folder and its
    /// file. Empty if no other has the title.
    std::string name;

    /// With the subagents' files; nullopt without a price.
    [[nodiscard]] std::optional<double> cost() const;
    [[nodiscard]] uint64_t subagentCount() const;
    /// Sums of SessionEntry::copied: calls that an earlier session has too, with the subagents' files.
    [[nodiscard]] uint64_t copiedCalls() const;
    [[nodiscard]] double copiedCost() const;
};

/// Puts subagents' files below the sessions that started them. A file whose session is not there stands for itself.
/// Finds forks and the sessions that they come from. Keeps the order.
[[nodiscard]] std::vector<ListedSession> listedSessions(const std::vector<SessionEntry> &entries);

/// The document `palimpsest.list/1`.
[[nodiscard]] nlohmann::ordered_json listJson(std::span<const ListedSession> sessions, const IndexedSessions &known);
/// For the terminal: two lines for each session. Ends with a line end.
[[nodiscard]] std::string drawList(std::span<const ListedSession> sessions, const IndexedSessions &known);
/// A CSV table of what each day (UTC), project and model cost: `day,project,model,calls,tokens,cost`.
[[nodiscard]] std::string costsCsv(std::span<const ListedSession> sessions);

/// What search finds over all sessions: the document `palimpsest.search_sessions/1`, and a text for the terminal.
[[nodiscard]] nlohmann::ordered_json searchSessionsJson(const IndexSearch &search, const std::string &line);
[[nodiscard]] std::string drawSessionSearch(const IndexSearch &search);

/// The findings of one kind, as a list shows them.
struct FindingChip {
    std::string kind;
    FindingRank rank = FindingRank::Note;
    std::string text; ///< `34 messages lost`, `7 cache breaks $6.10`
};
/// One chip for each kind, the most important first; empty before findings have been looked for.
[[nodiscard]] std::vector<FindingChip> findingChips(const SessionEntry &entry);

/// `2026-01-31 08:00`, in UTC; `-` without a time.
[[nodiscard]] std::string listedTime(const SessionEntry &entry);
/// `155.0k of 200k`, `~21.2k`
[[nodiscard]] std::string listedPeak(const SessionEntry &entry);
/// `1 h 12 min`; empty without two times.
[[nodiscard]] std::string listedDuration(const SessionEntry &entry);

} // namespace core
