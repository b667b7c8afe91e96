// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cuts/cut_tables.h"
#include "core/replay/regret.h"

#include <algorithm>

namespace core {

class CutArray;
struct CutTrack;
class CutTracks;
class CutTrackMaker;

/// What `ReplayStep` says of a call, and by which cuts its array is told.
struct CutCall {
    double tokens = 0;
    double arrayTokens = 0;
    double unchangedTokens = 0;
    double writtenSummary = 0;
    uint64_t lostBytes = 0;
    uint32_t blockCount = 0;
    bool hasFired = false;
    bool isTorn = false;
    uint32_t start = 0;                      ///< places before it are not sent
    std::array<uint32_t, kMostCuts> cuts {}; ///< places before them are changed by the stages

    /// From here on all places are sent as they entered.
    [[nodiscard]] uint32_t wholeFrom() const { return std::max({ start, cuts[0], cuts[1], cuts[2] }); }
};

/// What a policy's harness keeps behind a call, with what the next call is compared with.
struct CutState {
    size_t begin = 0;                             ///< the first message that was not evicted
    bool hasSummary = false;                      ///< one stands for those before it
    bool wasShown = false;                        ///< the array that was sent began with a summary of this call alone
    std::array<size_t, kMostCuts> cuts {};        ///< messages before them are changed by the stages
    std::array<uint32_t, kMostCuts> cutPlaces {}; ///< of the array that was sent
    uint32_t start = 0;                           ///< the same
    friend bool operator==(const CutState &, const CutState &) = default;
};

/// Calls in a row of one run: those of a track, or one call and others at which the log grew and no more.
struct CutPiece {
    uint32_t first = 0;
    uint32_t end = 0;
    const CutTrack *track = nullptr;
    // Where there is no track:
    CutCall call {};        ///< the first
    double morePrompt = 0;  ///< tokens of each prompt beyond those of CutGrowth
    int64_t moreBlocks = 0; ///< the same of its array
};

/// Runs policies over tables; keeps its memory from one to the next, so each thread has one.
class CutReplay final {
public:
    explicit CutReplay(CutTablesPtr tables);
    CutReplay(const CutReplay &) = delete;
    CutReplay &operator=(const CutReplay &) = delete;
    ~CutReplay();

    /// The policy of the tables with other triggers and keep windows, at every call and one more: what `replay` says of
    /// it. False where something happens that cuts cannot tell: everything is evicted, or the person takes back what
    /// was evicted. `tracks` are of policies with the same keep windows; may be none.
    ///
    /// A call at which something may happen is a visit, and costs O(stages) or, where it does happen, O(log messages);
    /// from each the next one is found in O(log calls). Calls that go on as a track does are none.
    bool run(const Policy &policy, CutTracks *tracks = nullptr);
    /// A track's: each call is a piece.
    bool run(const Policy &policy, CutTrackMaker &maker);
    /// Of the last run, or as far as it got.
    [[nodiscard]] const std::vector<CutPiece> &pieces() const { return m_pieces; }
    [[nodiscard]] CutCall callAt(size_t index) const;
    [[nodiscard]] const CutTables &tables() const { return *m_tables; }
    [[nodiscard]] const CutTablesPtr &tablesPtr() const { return m_tables; }
    [[nodiscard]] uint64_t visits() const { return m_visits; } ///< of all runs

    /// What the last run lost. O(uses × carriers) of those that stand behind a cut or in a track, and O(pieces × log
    /// uses).
    struct Losses {
        size_t lost = 0;    ///< of the kinds that headlines count
        size_t fetched = 0; ///< of the same
        size_t lostMessages = 0;
        double fetchTokens = 0;
        struct Fetch {
            uint32_t call = 0;
            double tokens = 0;
        };
        std::vector<Fetch> fetches; ///< where the call is known
    };
    [[nodiscard]] const Losses &findLosses();
    /// Whether the tables were made with the uses of the thread.
    [[nodiscard]] bool knowsUses() const { return m_tables->knowsUses; }

private:
    /// What stands in the array of a call.
    struct Cuts {
        uint32_t start = 0;
        const std::array<uint32_t, kMostCuts> &cuts;
        const std::vector<int8_t> &changedBy;

        /// Whether what enters at a place stands there unchanged.
        [[nodiscard]] bool leave(uint32_t place) const;
    };

    void start(const Policy &policy);
    [[nodiscard]] bool isOpen(const Policy &policy, const StageSpec &spec, double known);
    bool runCall(const Policy &policy, size_t index);
    bool takeBack(size_t index);
    bool cutStages(const Policy &policy, size_t index, double known);
    [[nodiscard]] std::optional<size_t> cutOf(const StageSpec &spec, const CutStage &stage, const Policy &policy) const;
    void measure(size_t index);
    bool summarise(const Policy &policy, size_t index, double known);
    void addPiece(size_t first, size_t end);
    [[nodiscard]] size_t quietEnd(size_t index) const;
    [[nodiscard]] size_t follow(const Policy &policy, size_t index, CutTracks &tracks);
    [[nodiscard]] bool hasNew(size_t end) const;
    [[nodiscard]] CutState state() const;
    void setState(const CutState &state);
    [[nodiscard]] const CutPiece &pieceOf(size_t call) const;
    [[nodiscard]] Cuts cutsAt(size_t call) const;
    [[nodiscard]] UseFate fateOf(const CutUse &use, const CutCall &call) const;
    void addLoss(const CutUse &use, UseFate fate);

    CutTablesPtr m_tables;
    std::unique_ptr<CutArray> m_array;
    CutCall m_call; ///< the last one that was run
    std::vector<CutPiece> m_pieces;
    mutable size_t m_piece = 0; ///< the one that was asked for last
    // Of the run:
    std::vector<GrowthWatch> m_watches;             ///< all triggers that are waited for
    bool m_countsMessages = false;                  ///< a trigger does, or results or turns
    bool m_mayGrow = false;                         ///< nothing happens but by triggers
    std::array<uint32_t, kMostCuts> m_cutPlaces {}; ///< of the array before
    uint32_t m_places = 0;                          ///< of the log's array before
    uint32_t m_changedFrom = 0;
    double m_promptBefore = 0;
    bool m_wasShown = false; ///< see CutState
    CutTrackMaker *m_maker = nullptr;

    Losses m_losses;
    std::vector<uint32_t> m_fetchedBy; ///< by CutUse::fetch: the run that found it last
    std::vector<uint32_t> m_fetchCall;
    uint32_t m_runs = 0;
    uint64_t m_visits = 0;
};

} // namespace core
