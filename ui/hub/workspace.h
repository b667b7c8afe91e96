// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/change_memo.h"
#include "core/compaction/compaction.h"
#include "core/compaction/keep_window.h"
#include "core/compaction/overrides.h"
#include "core/formats/reading/format.h"
#include "core/session/session.h"
#include "core/tokens/weights.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QUndoStack>

#include <filesystem>
#include <memory>
#include <optional>

namespace ui {

class Comparisons;
class Replays;
class RunFigures;
class ThreadFacts;

/// What is to be done to the array: everything about it is undoable, as one value.
struct Plan {
    core::PolicyPtr policy; ///< nullptr: as recorded
    core::Overrides overrides;
    core::MissingOverrides missing; ///< since the file was read anew: taken up where they are there again
    core::Measure keep { 0.1, core::Measure::Unit::WindowFraction }; ///< of the picture, where there is no policy
    bool honoursTriggers = false;                                    ///< else every stage acts as if it were triggered

    /// True if there is something to simulate.
    [[nodiscard]] bool isSimulated() const { return policy != nullptr || !overrides.isEmpty(); }
};

/// Another file, whose array stands for what came after; or an array that has a name instead of a file.
struct AfterFile {
    std::filesystem::path path;
    core::SessionPtr session;
    core::BlockTokensPtr tokens;
    core::ThreadIndex thread { 0U }; ///< at the end of which the array stands
};

/// A compaction that was made real: where its originals lie.
struct Kept {
    core::CompactionPtr compaction;
    std::filesystem::path store;
    std::string commit; ///< the first digits of its id
};

/// One window's documents: the session and what is computed from it, and the undo stack. One of the two hubs.
/// Sessions come in as snapshots while they load; the picture fills as they grow.
class Workspace final : public QObject {
    Q_OBJECT

public:
    explicit Workspace(QObject *parent = nullptr);
    ~Workspace() override;

    /// Starts loading; the session at hand stays until the first snapshot of the new one. Once it is there, `after` is
    /// compared with it, unless that is empty.
    void open(const std::filesystem::path &path, const std::filesystem::path &after = {});
    /// The same file again: the session at hand stays until all of the new one is there. Plan, pins, drops and undo
    /// steps stay; blocks are known again by their keys.
    void reload();
    /// The session at hand is the one before, read anew.
    [[nodiscard]] bool isReloaded() const { return m_isReload; }
    /// While `sessionChanged` says so: what a block of the session before is now; invalid if it is not there any more.
    [[nodiscard]] core::BlockId carried(core::BlockId before) const;
    void cancelLoading();
    /// For pictures and tests: loads, counts tokens and returns when all is there.
    [[nodiscard]] core::Result<void> openNow(const std::filesystem::path &path);
    /// Shows a session that is there already; counts its tokens before it returns.
    void show(core::SessionPtr session);

    /// Shows two arrays that are there already: the first as the session's, at its end, the other as what came after.
    void showArrays(AfterFile before, AfterFile after);
    /// What the array at hand is called, if it is one of two that are shown for themselves; else empty.
    [[nodiscard]] const std::string &arrayName() const { return m_arrayName; }

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
    [[nodiscard]] const core::SessionPtr &session() const { return m_session; }
    [[nodiscard]] const core::BlockTokensPtr &tokens() const { return m_tokens; }
    /// What plans for this session have made of its blocks.
    [[nodiscard]] const std::shared_ptr<core::ChangeMemo> &memo() const { return m_memo; }
    [[nodiscard]] bool isLoading() const { return m_load.isRunning(); }
    [[nodiscard]] double loadingFraction() const { return m_load.fraction(); }
    [[nodiscard]] const std::optional<core::Error> &error() const { return m_error; }

    [[nodiscard]] const Plan &plan() const { return m_plan; }
    /// The plan that differs in its policy.
    [[nodiscard]] Plan planWith(core::Policy policy) const;
    [[nodiscard]] Plan planWith(core::PolicyPtr policy) const;
    /// Sets the plan without an undo step, as while dragging.
    void previewPlan(const Plan &plan);
    /// True from the first preview of a gesture until a plan is committed.
    [[nodiscard]] bool isPreviewing() const { return m_isPreviewing; }
    /// Sets the plan as one undo step from what it was before the gesture; nothing if they are the same.
    void commitPlan(const Plan &from, const Plan &to, const QString &words);
    void commitPlan(const Plan &to, const QString &words) { commitPlan(m_plan, to, words); }
    /// Keeps, drops or leaves to the policy (`std::nullopt`) these blocks, as one undo step.
    enum class Override { Keep, Drop };
    void commitOverride(
        const std::vector<core::BlockId> &blocks, std::optional<Override> what, const QString &words = {});
    [[nodiscard]] std::optional<Override> overrideOf(core::BlockId block) const;

    /// The trailing part that the policy leaves alone; without a policy a property of the picture. Undoable.
    [[nodiscard]] const core::Measure &keep() const;
    /// Sets keep without an undo step, as while dragging.
    void previewKeep(const core::Measure &keep);
    /// Sets keep as one undo step from the value before the drag.
    void commitKeep(const core::Measure &from, const core::Measure &to);
    /// The measure of the policy's trigger, where it is one measure and no more.
    [[nodiscard]] std::optional<core::Measure> trigger() const;
    /// Sets it without an undo step, as while dragging; does nothing where there is no such measure.
    void previewTrigger(const core::Measure &measure);

    /// A gesture, such as a drag: what is previewed until it ends is one undo step, or is taken back.
    void beginGesture() { m_gesture = m_plan; }
    void endGesture(const QString &words);
    void cancelGesture();
    [[nodiscard]] bool isInGesture() const { return m_gesture.has_value(); }

    /// Loads the file that is compared with as "after", in the background; errors as those of the session.
    void compareWith(const std::filesystem::path &path);
    /// For pictures and tests: returns when it is there.
    [[nodiscard]] core::Result<void> compareWithNow(const std::filesystem::path &path);
    void stopComparing();
    [[nodiscard]] const std::optional<AfterFile> &afterFile() const { return m_afterFile; }

    /// The compaction that was exported last.
    [[nodiscard]] const std::optional<Kept> &kept() const { return m_kept; }
    void setKept(Kept kept);

    [[nodiscard]] QUndoStack &undoStack() { return m_undoStack; }

    /// The thread that is looked at: what is found in the background is of it.
    [[nodiscard]] core::ThreadIndex shownThread() const { return m_shownThread; }
    void setShownThread(core::ThreadIndex thread);
    [[nodiscard]] Replays &replays() const { return *m_replays; }
    [[nodiscard]] ThreadFacts &facts() const { return *m_facts; }
    [[nodiscard]] RunFigures &figures() const { return *m_figures; }
    [[nodiscard]] Comparisons &comparisons() const { return *m_comparisons; }

Q_SIGNALS:
    /// A new snapshot or a new session. `isNew` is true for another file or a reload, false for more of the same.
    void sessionChanged(bool isNew);
    void tokensChanged();
    void planChanged(); ///< policy, overrides or keep
    void shownThreadChanged();
    /// After a reload: these blocks were pinned or dropped, and are not in the file any more; a line each.
    void overridesLost(const QStringList &blocks);
    void loadingChanged(); ///< started, finished, failed or cancelled
    void errorChanged();
    void afterFileChanged();
    void keptChanged();

private:
    /// The names of blocks in a session and in the same one, read anew.
    struct Reread {
        core::SessionPtr before;
        std::shared_ptr<const core::BlockKeys> from;
        std::shared_ptr<const core::BlockKeys> to;
    };
    struct Loaded {
        core::SessionPtr session;
        Reread reread; ///< only of a file that was read anew
    };
    [[nodiscard]] static core::Result<Loaded> load(const std::filesystem::path &path, const core::SessionPtr &before,
        core::Progress &progress, const core::Publish &publish);

    void setSession(core::SessionPtr session, bool isNew);
    void takeReread(Loaded loaded);
    void countTokens();
    void setAfterFile(std::optional<AfterFile> file);
    void setPlan(const Plan &plan);
    [[nodiscard]] Plan withKeep(const core::Measure &keep) const;
    [[nodiscard]] Plan withSetting(std::string_view key, const core::Measure &measure) const;
    void setError(std::optional<core::Error> error);

    std::filesystem::path m_path;
    std::string m_arrayName;
    core::SessionPtr m_session;
    core::BlockTokensPtr m_tokens;
    std::shared_ptr<core::ChangeMemo> m_memo;
    Plan m_plan;
    bool m_isPreviewing = false;
    std::optional<Plan> m_gesture; ///< the plan before it
    std::optional<core::Error> m_error;
    QUndoStack m_undoStack;
    uint64_t m_generation = 0;
    bool m_isReload = false;
    Reread m_reread;
    Job<core::Result<Loaded>> m_load;
    Job<core::BlockTokensPtr> m_count;
    std::optional<AfterFile> m_afterFile;
    std::optional<Kept> m_kept;
    Job<core::Result<AfterFile>> m_loadAfter;
    core::ThreadIndex m_shownThread { 0U };
    std::unique_ptr<Replays> m_replays;
    std::unique_ptr<ThreadFacts> m_facts;
    std::unique_ptr<RunFigures> m_figures;      ///< of the two before
    std::unique_ptr<Comparisons> m_comparisons; ///< of the three before
};

} // namespace ui
