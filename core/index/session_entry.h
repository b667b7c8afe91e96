// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/findings.h"
#include "core/money/prices.h"
#include "core/session/session.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// A finding as a list of sessions shows it.
struct EntryFinding {
    std::string kind; ///< FindingKind::id
    FindingRank rank = FindingRank::Note;
    uint64_t count = 1;          ///< Finding::count
    std::optional<double> money; ///< in dollars
    std::string what;            ///< one sentence without a full stop; empty: all further findings of the kind
    friend bool operator==(const EntryFinding &, const EntryFinding &) = default;
};

/// What the calls of one day (UTC) to one model cost.
struct DayCost {
    int32_t day = 0; ///< days since 1970-01-01
    std::string model;
    uint64_t calls = 0;         ///< with usage
    uint64_t tokens = 0;        ///< their prompts and answers
    std::optional<double> cost; ///< in dollars; nullopt without a price
    friend bool operator==(const DayCost &, const DayCost &) = default;
};

/// What one call cost. A session that was resumed into another file or forked begins with copies of earlier calls.
struct BilledCall {
    uint64_t key = 0; ///< of the response's id, its time and its tokens, which a copy keeps
    uint64_t tokens = 0;
    double cost = 0;  ///< in dollars; 0 without a price
    uint64_t row = 0; ///< in SessionEntry::days
    friend bool operator==(const BilledCall &, const BilledCall &) = default;
};

/// One conversation in a session file, as a list of sessions shows it: the main thread or a run, with the subagents
/// that it started.
struct SessionEntry {
    std::string file;
    uint32_t thread = 0;
    bool isHead = false; ///< made from both ends of the file: all figures are missing
    std::string id;      ///< the harness's own, may be empty
    std::string format;  ///< Format::id
    std::string harness; ///< `Claude Code 2.1.14`
    std::string model;
    std::string title;  ///< the first words that the user typed, or the harness's title
    std::string folder; ///< the working folder; empty if not recorded
    std::string branch; ///< of git; empty if not recorded
    Origin::Kind originKind = Origin::Kind::None;
    std::string originId; ///< see Origin
    std::optional<Timestamp> begin;
    std::optional<Timestamp> end; ///< of the last message with a time
    uint64_t calls = 0;           ///< without those of subagents
    uint64_t subagents = 0;       ///< in this file
    uint64_t typed = 0;           ///< messages of the user
    double peak = 0;              ///< largest array, in tokens
    bool isPeakRecorded = false;  ///< `peak` is a prompt that usage records; else it is estimated
    std::optional<uint64_t> window;
    std::optional<double> cost; ///< in dollars, with the subagents of this file; nullopt if no call has a price
    double subagentCost = 0;    ///< the part of `cost` that the subagents of this file cost
    bool isCostPartial = false; ///< some calls have no price
    /// Of all calls with usage and a time, subagents included; by day, then by model. Of what the index returns, calls
    /// that an earlier session has too are left out: each call is paid once.
    std::vector<DayCost> days;
    /// What was left out of `days`, by day, then by model. Only the index returns it.
    std::vector<DayCost> copied;
    std::vector<BilledCall> billed; ///< the calls in `days` with an id, in their order; the index does not return them
    std::string lastTyped;          ///< the beginning of the last message of the user
    /// The context in tokens: the largest of each of at most kCurvePoints stretches of calls.
    std::vector<float> curve;
    std::vector<float> compactions; ///< their places on the curve, 0 to 1
    /// The most important findings, at most kMostFindings, then one entry for the rest of each kind; nullopt until they
    /// have been looked for.
    std::optional<std::vector<EntryFinding>> findings;

    static constexpr size_t kCurvePoints = 120;
    static constexpr size_t kMostFindings = 8;

    /// The last part of `folder`.
    [[nodiscard]] std::string_view project() const;
    /// The harness without its version.
    [[nodiscard]] std::string_view harnessName() const;
    friend bool operator==(const SessionEntry &, const SessionEntry &) = default;
};

/// The conversations of a session file, those with a call or a message. Token figures are from lengths and usage: no
/// text but the typed messages at both ends is decoded.
[[nodiscard]] std::vector<SessionEntry> entriesOf(
    const SessionPtr &session, const std::string &file, const Prices &prices);

/// The same without figures: what a list can show of a session whose file was read in part.
[[nodiscard]] std::vector<SessionEntry> titlesOf(const Session &session, const std::string &file);

/// What a list shows of a session's findings, by thread of the entries.
[[nodiscard]] std::vector<EntryFinding> entryFindings(const Findings &findings, ThreadIndex thread);

/// The file of the session that started a subagent with a file of its own; empty for other entries. Claude Code writes
/// `ID/subagents/agent-….jsonl` beside `ID.jsonl`; before, it wrote `agent-….jsonl` beside it, with its id inside.
[[nodiscard]] std::string ownerOf(const SessionEntry &entry);

} // namespace core
