// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/weight/unused_zones.h"
#include "ui/hub/array_picture.h"
#include "ui/hub/job.h"

#include <QObject>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ui {

class Workspace;

/// What a picture shows that neither policy nor keep changes: which blocks are hot and why, and what the log does not
/// hold. Found once for an array and kept while a plan is dragged. Large arrays are read in jobs.
class ArrayFacts final : public QObject {
    Q_OBJECT

public:
    ArrayFacts(Workspace &workspace, ArrayPicture &picture);

    /// Call it when `before`, `weights`, `position` and `compaction` of the picture are set; sets `unlogged`. True if
    /// this is another array, or another weight, than before.
    bool readArray(core::WeightUnit unit);
    /// Call it when `cutoff` is set; sets `hot`. Ranks by tokens resent unused, or by tokens resent until the
    /// uses are known.
    void findHot();
    /// For a picture that stays: looks for the reasons that large arrays are shown without.
    void settle();
    /// Drops what is being found for the picture before.
    void stop();
    void forget() { m_ground = {}; }

Q_SIGNALS:
    void hotChanged();    ///< `hot` of the picture, by a job
    void reasonsWanted(); ///< call `settle` once the picture stays

private:
    /// What was found, and what for.
    struct Ground {
        core::SessionPtr session;
        core::BlockTokensPtr tokens;
        core::Position position;
        core::WeightUnit unit = core::WeightUnit::Tokens;
        const core::RecordedCompaction *compaction = nullptr;
        core::HotZoneFinder hot;
        std::optional<core::UnusedZoneFinder> unused; ///< nothing until the uses of the thread are known
        core::Unlogged unlogged;
        std::unordered_map<core::BlockId, std::string> reasons; ///< of blocks that were hot
    };

    void onUsesChanged();
    /// True if it is found at once; else a job finds it, if the uses are known.
    bool findUnused();
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
    Job<core::UnusedZoneFinder> m_unusedJob;
};

} // namespace ui
