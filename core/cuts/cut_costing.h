// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_walk.h"
#include "core/cuts/cut_replay.h"
#include "core/replay/replay_cost.h"

#include <span>

namespace core {

/// What a run by cuts would have cost: ReplayCost without its parts.
struct CutCost {
    double dollars = 0;
    double readTokens = 0;
    double promptTokens = 0;
};

/// Costs along a track.
struct CutTrackCosts {
    std::vector<double> shared;         ///< of each call: see CacheCall
    std::vector<CacheReading> readings; ///< without what they tell of causes
    /// Of each call the first one without which its reading cannot be told, negative.
    RangeMaxima reach;
    std::vector<double> dollars;    ///< over all calls before each, of those that have a price
    std::vector<double> readTokens; ///< the same of all
};

/// Costs of runs over tables, the same as RunCosting's. Where an array only grows, what a call reads is what the one
/// before it left, but where time, model or the number of new blocks stand against it, and they do so whatever the
/// array: tokens of such calls come from sums over all calls. Made once for a thread of the machine, O(calls).
class CutCosting final {
public:
    /// The ground must outlive this.
    CutCosting(CutTablesPtr tables, const CostGround &ground);

    /// O(pieces × log calls), and what the cache model's requests cost at the pieces' first calls.
    [[nodiscard]] CutCost costOf(const CutReplay &run, std::span<const CutReplay::Losses::Fetch> fetches);
    [[nodiscard]] CutTrackCosts trackCosts(const CutReplay &run);

    [[nodiscard]] const CostGround &ground() const { return m_ground; }
    [[nodiscard]] size_t unpricedCalls() const { return m_unpricedCalls; }
    [[nodiscard]] uint64_t visits() const { return m_visits; } ///< calls that were looked at by themselves, of all runs

private:
    /// How the cache takes a call whose array has grown.
    enum class Taking : uint8_t {
        Warm,    ///< it reads what the call before left
        Cold,    ///< nothing is left
        Unknown, ///< that depends on more
    };
    /// Over all calls before each, as if each array went on from the one before and were no longer than the log's.
    struct Sums {
        BilledTokens tokens;
        // How many of a prompt's further tokens are billed so.
        BilledTokens more;
        uint32_t unknown = 0;
        uint32_t otherPrices = 0; ///< calls whose prices are not those of the call before
    };
    struct Request {
        double tokens = 0;
        uint32_t blocks = 0;
        double shared = 0;
    };

    [[nodiscard]] Taking takingOf(size_t call) const;
    void sumUp();
    void start(const CutReplay &run);
    void addPiece(size_t index);
    void addGrown(const CutPiece &piece, size_t from, size_t to);
    void addTrack(const CutPiece &piece, size_t from, size_t to);
    [[nodiscard]] bool isEven(const CutPiece &piece, size_t from, size_t to) const;
    [[nodiscard]] bool isTold(const CutPiece &piece, size_t from, size_t to) const;
    CacheReading addOne(size_t call, size_t *reach = nullptr);
    [[nodiscard]] CacheReading readingAt(size_t call, size_t *reach = nullptr);
    [[nodiscard]] std::optional<double> readWhenWarm(const Request &request, double before) const;
    [[nodiscard]] CacheReading partsOf(double read, double prompt, double kept) const;
    [[nodiscard]] size_t pieceOf(size_t call) const;
    [[nodiscard]] Request requestAt(size_t call) const;
    [[nodiscard]] double promptAt(size_t call) const;
    [[nodiscard]] CacheEntry entryAt(size_t call) const;
    [[nodiscard]] CacheCall cacheCall(size_t call, const Request &request) const;
    [[nodiscard]] double sharedAtFirst(const CutPiece &piece) const;

    CutTablesPtr m_tables;
    const CostGround &m_ground;
    std::vector<Taking> m_takings;
    std::vector<Sums> m_sums;
    size_t m_unpricedCalls = 0;
    // Of the run:
    std::span<const CutPiece> m_pieces;
    std::vector<double> m_shared; ///< of the first call of each piece
    std::vector<double> m_least;  ///< prompt of each piece and those before
    mutable size_t m_piece = 0;   ///< the one that was asked for last
    CutCost m_cost;
    uint64_t m_visits = 0;
};

} // namespace core
