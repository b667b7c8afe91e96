// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/weight/resent_unused.h"
#include "ui/hub/array_picture.h"
#include "ui/hub/job.h"

#include <QObject>

#include <string>
#include <unordered_map>
#include <vector>

namespace ui {

class Workspace;

/// Facts about a picture that depend on neither policy nor keep: hot blocks with reasons, and what the array adds up
/// to. Computed once for an array and kept while a plan is dragged. Large arrays are read in jobs.
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

Q_SIGNALS:
    void hotChanged();    ///< `hot` of the picture was changed by a job
    void reasonsWanted(); ///< call `settle` once the picture stays

private:
    /// The results and their inputs.
    struct Ground {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::Position position;
        core::WeightUnit unit = core::WeightUnit::Tokens;
        const core::RecordedCompaction *compaction = nullptr;
        core::HotZoneFinder hot;
        bool isRanked = false; ///< by tokens resent unused, as the uses of the thread are known
        core::ArraySum sum;
        std::unordered_map<core::BlockId, std::string> reasons; ///< of hot blocks
    };

    void onUsesChanged();
    /// True if found at once; otherwise a job finds it once the uses are known.
    bool findUnused();
    void rank(const std::vector<uint32_t> &ranks);
    void showHot();
    void showUnused();
    void explain();
    void learnReasons(const std::vector<core::BlockId> &blocks, std::vector<std::string> reasons);
    void showReasons();
    [[nodiscard]] bool isSmall() const;

    Workspace &m_workspace;
    ArrayPicture &m_picture;
    Ground m_ground;
    Job<std::vector<std::string>> m_reasonsJob;
    Job<std::vector<uint32_t>> m_unusedJob;
};

} // namespace ui
