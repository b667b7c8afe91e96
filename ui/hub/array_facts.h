// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/array_picture.h"
#include "ui/hub/job.h"

#include <QObject>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

namespace ui {

class Workspace;

/// Facts about a picture that depend on neither policy nor keep: hot blocks with reasons, and what the array adds up
/// to. Computed once for an array and kept while a plan is dragged. Small arrays are read at once. For large arrays one
/// job finds the hot blocks, and a second job finds their reasons once the picture stays. Until the first job is done,
/// a new array has no hot blocks, and a new plan has those of the plan before.
class ArrayFacts final : public QObject {
    Q_OBJECT

public:
    ArrayFacts(Workspace &workspace, ArrayPicture &picture);

    /// Call it when `before`, `weights`, `position` and `compaction` of the picture are set; sets `sum`. Returns
    /// true if the array or the weight unit has changed.
    bool readArray(core::WeightUnit unit);
    /// Call it when `cutoff` is set; sets `hot`. Ranks by tokens resent unused, or by tokens resent until the
    /// uses are known.
    void findHot();
    /// Call it when the picture stays: computes the reasons that are missing for large arrays.
    void settle();
    /// Cancels work for the picture before.
    void stop();
    void forget() { m_ground = {}; }
    /// True while a job looks for the hot blocks of the picture; `hotChanged` follows.
    [[nodiscard]] bool isFinding() const { return m_hotJob.isRunning(); }
    /// For pictures and tests: waits for hot blocks and reasons.
    void wait();

Q_SIGNALS:
    void hotChanged();    ///< `hot` of the picture was changed by a job
    void reasonsWanted(); ///< call `settle` once the picture stays

private:
    using Reasons = std::unordered_map<core::BlockId, std::string>;
    /// What is known of the hot blocks of an array.
    struct Hot {
        std::shared_ptr<const core::HotZoneFinder> finder;
        bool isRanked = false; ///< by tokens resent unused, as the uses of the thread are known
        std::shared_ptr<const Reasons> reasons = std::make_shared<const Reasons>();
        HotZonesPtr zones = std::make_shared<const core::HotZones>();
    };
    /// The results and their inputs.
    struct Ground {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::Position position;
        core::WeightUnit unit = core::WeightUnit::Tokens;
        const core::RecordedCompaction *compaction = nullptr;
        core::ArraySum sum;
        Hot hot;
    };
    using Work = std::function<Hot(core::Progress &)>;

    void onUsesChanged();
    /// Completes `m_ground.hot` for the picture.
    [[nodiscard]] Work finding(bool ranks) const;
    [[nodiscard]] static Hot explained(Hot hot, const core::Transcript &array, core::ThreadIndex thread);
    void startFinding();
    void take(Hot hot);
    [[nodiscard]] bool lacksReasons() const;
    [[nodiscard]] bool isSmall() const;
    /// Whether tokens resent unused are counted at once.
    [[nodiscard]] bool ranksAtOnce() const;

    Workspace &m_workspace;
    ArrayPicture &m_picture;
    Ground m_ground;
    Job<Hot> m_hotJob;
    Job<Hot> m_reasonsJob;
};

} // namespace ui
