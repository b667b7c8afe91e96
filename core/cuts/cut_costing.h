// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_walk.h"
#include "core/cuts/cut_replay.h"
#include "core/replay/replay_cost.h"

#include <span>

namespace core {

/// The total cost of a run; unlike ReplayCost, without its five parts.
struct CutCost {
    double dollars = 0;
    double readTokens = 0;
    double promptTokens = 0;
};

/// The costs of the calls of a track (cut_track.h: a stored run that other runs can join).
struct CutTrackCosts {
    std::vector<double> shared;         ///< by call: see CacheCall
    std::vector<CacheReading> readings; ///< by call; without causes
    /// By call: minus the index of the earliest call that its reading depends on.
    RangeMaxima reach;
    std::vector<double> dollars;    ///< sums over the calls before each one, calls with a price only
    std::vector<double> readTokens; ///< the same for all calls
};

/// Computes the costs of runs from tables; they equal those of RunCosting. While the array only grows, a call reads all
/// that the previous call left in the cache. The exceptions (a pause, another model, too many new blocks) do not depend
/// on the array. So the tokens of such calls come from sums over all calls. Each thread of the processor makes one
/// object, O(calls).
class CutCosting final {
public:
    /// `ground`, the prices and times that all runs share, must outlive the object.
    CutCosting(CutTablesPtr tables, const CostGround &ground);

    /// O(pieces × log calls), plus the cost of the cache model for the first call of each piece.
    [[nodiscard]] CutCost costOf(const CutReplay &run, std::span<const CutReplay::Losses::Fetch> fetches);
    [[nodiscard]] CutTrackCosts trackCosts(const CutReplay &run);

    [[nodiscard]] const CostGround &ground() const { return m_ground; }
    [[nodiscard]] size_t unpricedCalls() const { return m_unpricedCalls; }
    [[nodiscard]] uint64_t visits() const { return m_visits; } ///< calls computed one by one, over all runs

private:
    /// What the cache does for a call whose array has only grown.
    enum class Taking : uint8_t {
        Warm,    ///< the call reads what the previous call left
        Cold,    ///< it reads nothing
        Unknown, ///< it depends on the array
    };
    /// Prefix sums over the calls, for a run that never cuts.
    struct Sums {
        BilledTokens tokens;
        // Additional billed tokens for each prompt token beyond the log's.
        BilledTokens more;
        uint32_t unknown = 0;
        uint32_t otherPrices = 0; ///< calls whose prices differ from those of the previous call
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
    // State of the current run:
    std::span<const CutPiece> m_pieces;
    std::vector<double> m_shared; ///< by piece: of its first call
    std::vector<double> m_least;  ///< by piece: the smallest prompt up to and including it
    mutable size_t m_piece = 0;   ///< the piece of the last look-up
    CutCost m_cost;
    uint64_t m_visits = 0;
};

} // namespace core
