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

/// A call as in `ReplayStep`, with the cuts that describe its array.
struct CutCall {
    double tokens = 0;
    double arrayTokens = 0;
    double lessTokens = 0; ///< to subtract: cleared text that was not sent, and thinking that the array no longer has
    double unchangedTokens = 0;
    double writtenSummary = 0;
    uint64_t lostBytes = 0;
    uint32_t blockCount = 0;
    bool isTriggered = false; ///< a trigger fired, even if nothing was left to change
    bool hasFired = false;    ///< as in ReplayStep
    bool isTorn = false;
    uint32_t start = 0;                      ///< places before it are not sent
    std::array<uint32_t, kMostCuts> cuts {}; ///< by stage: it changes the places before its cut

    /// All places from here on are sent unchanged.
    [[nodiscard]] uint32_t wholeFrom() const { return std::max({ start, cuts[0], cuts[1], cuts[2] }); }
};

/// The state that a policy's harness keeps after a call, plus what the next call is compared with.
struct CutState {
    size_t begin = 0;                             ///< first message that was not evicted
    bool hasSummary = false;                      ///< a summary replaces the messages before `begin`
    bool wasShown = false;                        ///< the sent array began with a summary made for this call alone
    std::array<size_t, kMostCuts> cuts {};        ///< by stage: it changes messages before its cut
    std::array<uint32_t, kMostCuts> cutPlaces {}; ///< cuts of the sent array
    uint32_t start = 0;                           ///< start of the sent array
    friend bool operator==(const CutState &, const CutState &) = default;
};

/// Consecutive calls of one run: calls of a track, or one call followed by calls at which the log only grew.
struct CutPiece {
    uint32_t first = 0;
    uint32_t end = 0;
    const CutTrack *track = nullptr;
    // Without a track:
    CutCall call {};        ///< the first call
    double morePrompt = 0;  ///< tokens of each prompt beyond CutGrowth's
    int64_t moreBlocks = 0; ///< blocks of each array beyond CutGrowth's
};

/// Runs policies over tables. Reuses its memory from run to run; use one object per thread.
class CutReplay final {
public:
    explicit CutReplay(CutTablesPtr tables);
    CutReplay(const CutReplay &) = delete;
    CutReplay &operator=(const CutReplay &) = delete;
    ~CutReplay();

    /// Replays the tables' policy with other triggers and keep windows, at every call and the end; the result equals
    /// `replay`'s. False if cuts cannot describe an array: everything is evicted, or the user rewinds over evicted
    /// messages. `tracks` are of policies with the same keep windows; may be nullptr.
    ///
    /// Only calls at which something may happen are visited. A visit costs O(stages), or O(log messages) if something
    /// happens; finding the next one costs O(log calls). Calls that follow a track are not visited.
    bool run(const Policy &policy, CutTracks *tracks = nullptr);
    /// Runs for a track: each call is a piece.
    bool run(const Policy &policy, CutTrackMaker &maker);
    /// Of the last run, up to where it stopped.
    [[nodiscard]] const std::vector<CutPiece> &pieces() const { return m_pieces; }
    [[nodiscard]] CutCall callAt(size_t index) const;
    [[nodiscard]] const CutTables &tables() const { return *m_tables; }
    [[nodiscard]] const CutTablesPtr &tablesPtr() const { return m_tables; }
    [[nodiscard]] uint64_t visits() const { return m_visits; } ///< over all runs

    /// The losses of the last run. O(uses × carriers) for uses behind a cut or in a track, plus O(pieces × log uses).
    struct Losses {
        size_t lost = 0;    ///< of headline kinds
        size_t fetched = 0; ///< of headline kinds
        size_t lostMessages = 0;
        double fetchTokens = 0;
        struct Fetch {
            uint32_t call = 0;
            double tokens = 0;
        };
        std::vector<Fetch> fetches; ///< uses with a known call only
    };
    [[nodiscard]] const Losses &findLosses();
    /// Whether the tables contain the uses of the thread.
    [[nodiscard]] bool knowsUses() const { return m_tables->knowsUses; }

private:
    /// Which places the array of a call leaves unchanged.
    struct Cuts {
        uint32_t start = 0;
        const std::array<uint32_t, kMostCuts> &cuts;
        const std::vector<int8_t> &changedBy;

        /// Whether the array holds the unchanged block of this place.
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
    [[nodiscard]] double unsentOf(const CutCall *call, size_t index) const;
    [[nodiscard]] double removedThinking(size_t index) const;
    [[nodiscard]] bool isStanding(const CutCall *call, const CutEpoch &epoch, uint32_t place) const;
    [[nodiscard]] double unsentBefore(size_t index) const;
    [[nodiscard]] UseFate fateOf(const CutUse &use, const CutCall &call) const;
    void addLoss(const CutUse &use, UseFate fate);

    CutTablesPtr m_tables;
    std::unique_ptr<CutArray> m_array;
    CutCall m_call; ///< the last executed call
    std::vector<CutPiece> m_pieces;
    mutable size_t m_piece = 0; ///< the piece of the last look-up
    // State of the current run:
    std::vector<GrowthWatch> m_watches;             ///< of all triggers that stages wait for
    bool m_countsMessages = false;                  ///< a trigger counts messages, results or turns
    bool m_mayGrow = false;                         ///< only triggers can change anything
    std::array<uint32_t, kMostCuts> m_cutPlaces {}; ///< of the previous array
    uint32_t m_places = 0;                          ///< places of the log's previous array
    uint32_t m_changedFrom = 0;
    double m_promptBefore = 0;
    bool m_wasShown = false; ///< see CutState
    CutTrackMaker *m_maker = nullptr;

    Losses m_losses;
    std::vector<uint32_t> m_fetchedBy; ///< by CutUse::fetch: number of the last run that lost it
    std::vector<uint32_t> m_fetchCall;
    uint32_t m_runs = 0;
    uint64_t m_visits = 0;
};

} // namespace core
