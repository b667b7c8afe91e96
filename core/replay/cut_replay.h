// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/cut_tables.h"
#include "core/replay/regret.h"

namespace core {

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
};

/// Runs policies over tables; keeps its memory from one to the next, so each thread has one.
class CutReplay final {
public:
    explicit CutReplay(CutTablesPtr tables);
    CutReplay(const CutReplay &) = delete;
    CutReplay &operator=(const CutReplay &) = delete;
    ~CutReplay();

    /// The policy of the tables with other triggers and keep windows, at every call and one more: what `replay` says of
    /// it. A call costs O(stages) where nothing fires, and where something does O(log messages). False where something
    /// happens that cuts cannot tell: everything is evicted, or the person takes back what was evicted.
    bool run(const Policy &policy);
    [[nodiscard]] const std::vector<CutCall> &calls() const { return m_calls; }

    /// What the last run lost. O(uses × carriers).
    struct Losses {
        size_t lost = 0;    ///< of the kinds that headlines count
        size_t fetched = 0; ///< of the same
        size_t lostMessages = 0;
        double fetchTokens = 0;
        std::vector<double> refetched; ///< of each call
    };
    [[nodiscard]] const Losses &findLosses();
    /// Whether the tables were made with the uses of the thread.
    [[nodiscard]] bool knowsUses() const { return m_tables->knowsUses; }

private:
    class Array;
    struct State;

    bool runCall(const Policy &policy, size_t index, State &state);
    bool takeBack(size_t index, State &state) const;
    void measure(size_t index, State &state);
    bool summarise(const Policy &policy, size_t index, double known, State &state);
    [[nodiscard]] bool isThere(uint32_t place, const CutCall &call, const CutEpoch &epoch) const;
    [[nodiscard]] UseFate fateOf(const CutUse &use) const;

    CutTablesPtr m_tables;
    std::unique_ptr<Array> m_array;
    std::vector<CutCall> m_calls;
    Losses m_losses;
    std::vector<uint32_t> m_fetchedBy; ///< by CutUse::fetch: the run that found it last
    std::vector<uint32_t> m_fetchCall;
    uint32_t m_runs = 0;
};

} // namespace core
