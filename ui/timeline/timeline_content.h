// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/comparisons.h"
#include "ui/hub/session_findings.h"
#include "ui/hub/traces.h"
#include "ui/hub/view_state.h"
#include "ui/timeline/cache_band.h"
#include "ui/timeline/finding_track.h"
#include "ui/timeline/policy_curve.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/trigger_levels.h"

#include <QCoreApplication>

#include <array>
#include <vector>

namespace ui {

/// The data that a timeline draws: the series of the chosen thread and results of other computations for it. Reads the
/// hubs on request; ignores results for another session or thread. Knows no pixels.
class TimelineContent final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    enum class Change { None, SameThread, OtherThread };

    explicit TimelineContent(ViewState &state);

    /// Reads session, token table and thread. The functions below read the other parts.
    Change readSession();
    void readReplay();
    void readFigures();
    void readComparisons();
    void readTriggers();
    void readFindings();
    void readBookmarks();
    void setShowsCache(bool shows) { m_showsCache = shows; }
    void setShowsCompareTable(bool shows) { m_showsCompareTable = shows; }

    [[nodiscard]] ViewState &state() const { return m_state; }
    [[nodiscard]] const Theme &theme() const { return m_state.theme(); }
    [[nodiscard]] const Plan &plan() const { return m_state.workspace().plan(); }
    [[nodiscard]] Traces &traces() const { return m_traces; }
    [[nodiscard]] Comparisons &comparisons() const { return m_comparisons; }

    [[nodiscard]] const core::SessionPtr &session() const { return m_session; }
    [[nodiscard]] const core::Thread &thread() const { return m_session->thread(m_thread); }
    [[nodiscard]] const TimelineSeries &series() const { return m_series; }
    [[nodiscard]] bool isEmpty() const { return m_series.isEmpty(); }
    /// The policy's replay; nullptr without a policy.
    [[nodiscard]] const core::ReplayPtr &replay() const { return m_replay; }
    [[nodiscard]] const PolicyCurve &policyCurve() const { return m_policyCurve; }
    [[nodiscard]] const core::PromptSums &policyPrompts() const { return m_policyPrompts; }
    /// By comparison; empty until its replay is done.
    [[nodiscard]] const std::vector<PolicyCurve> &comparedCurves() const { return m_comparedCurves; }
    [[nodiscard]] const TriggerLevels &triggers() const { return m_triggers; }

    /// nullptr until they are computed.
    [[nodiscard]] const FindingsPtr &findings() const { return m_findings; }
    [[nodiscard]] const FindingTrack &findingTrack() const { return m_findingTrack; }

    /// A bookmarked message, and the first column with it.
    struct Bookmark {
        size_t column = 0;
        core::BlockId block;
    };
    /// Those of the shown thread.
    [[nodiscard]] const std::vector<Bookmark> &bookmarks() const { return m_bookmarks; }

    [[nodiscard]] bool showsCache() const { return m_showsCache; }
    /// 0 without a cache lane. Counts bands still being computed, so that lanes do not jump when they are done.
    [[nodiscard]] size_t bandCount() const;
    /// 0: recorded; 1: the policy's.
    [[nodiscard]] const CacheBand &band(size_t index) const { return m_bands[index]; }

    [[nodiscard]] bool showsCompareTable() const { return m_showsCompareTable; }
    /// Rows of the table of compared policies; 0 without comparisons, or if it is not shown.
    [[nodiscard]] size_t comparedRowCount() const;

    [[nodiscard]] double windowTokens() const; ///< of the model; 0 if unknown
    /// The value at the top of the plot.
    [[nodiscard]] double topTokens() const;
    [[nodiscard]] size_t chosenColumn() const;
    /// Goes to the call of a column.
    void choose(size_t column) const;
    /// Goes to the call of a recorded compaction and shows this compaction, if several follow the call.
    void chooseMark(size_t mark) const;
    /// Goes to the first call of a mark of findings and shows its most important finding in the list.
    void chooseFindings(const FindingTrack::Group &group) const;
    /// Tokens sent by all recorded calls: computed as for policies, or by usage until that is known.
    [[nodiscard]] core::TokenFigure recordedSent() const;

    /// `call 12`, `end`.
    [[nodiscard]] QString nameOf(size_t column) const;
    [[nodiscard]] QString tokensText(size_t column) const;
    [[nodiscard]] QString policyTokensText(size_t column) const;
    [[nodiscard]] QString timeText(size_t column) const;
    [[nodiscard]] bool spansDays() const { return m_spansDays; }

private:
    ViewState &m_state;
    Traces &m_traces;
    Comparisons &m_comparisons;
    core::SessionPtr m_session; ///< the series is of this session
    core::BlockTokensPtr m_tokens;
    core::ThreadIndex m_thread;
    TimelineSeries m_series;
    bool m_spansDays = false;
    core::ReplayPtr m_replay; ///< the policy curve is of this replay
    PolicyCurve m_policyCurve;
    core::PromptSums m_policyPrompts;
    std::vector<PolicyCurve> m_comparedCurves;
    std::array<CacheBand, 2> m_bands;
    bool m_showsCache = false;
    bool m_showsCompareTable = true;
    bool m_expectsCache = false; ///< calls have cache usage, and the cache's rules are known
    TriggerLevels m_triggers;
    FindingsPtr m_findings; ///< the track is of these findings
    FindingTrack m_findingTrack;
    std::vector<Bookmark> m_bookmarks;
};

} // namespace ui
