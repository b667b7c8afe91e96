// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/change_memo.h"
#include "core/compaction/compaction.h"
#include "core/compaction/keep_window.h"
#include "core/formats/reading/format.h"
#include "core/session/session.h"
#include "core/tokens/weights.h"
#include "ui/hub/job.h"
#include "ui/hub/plan_history.h"
#include "ui/hub/session_loader.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace ui {

class Comparisons;
class Replays;
class RunFigures;
class ThreadFacts;

/// A compaction that was exported, and where its originals are stored.
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
    /// In `sessionChanged` of a reload: what a block of the session before is now; invalid if it is gone.
    [[nodiscard]] core::BlockId carried(core::BlockId before) const { return m_reread.carried(before); }
    void cancelLoading();
    /// For pictures and tests: loads, counts tokens and returns when all is there.
    [[nodiscard]] core::Result<void> openNow(const std::filesystem::path &path);
    /// Shows a session that is there already; counts its tokens before it returns.
    void show(core::SessionPtr session);

    /// Shows two arrays: `before` as that at the end of the session, `after` as the array after.
    void showArrays(AfterFile before, AfterFile after);
    /// The name of the array after `showArrays`; else empty.
    [[nodiscard]] const std::string &arrayName() const { return m_arrayName; }

    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
    [[nodiscard]] const core::SessionPtr &session() const { return m_session; }
    [[nodiscard]] const core::BlockTokensPtr &tokens() const { return m_tokens; }
    /// Remembers what plans for this session made of its blocks.
    [[nodiscard]] const std::shared_ptr<core::ChangeMemo> &memo() const { return m_memo; }
    [[nodiscard]] bool isLoading() const { return m_loader.isRunning(); }
    [[nodiscard]] double loadingFraction() const { return m_loader.fraction(); }
    [[nodiscard]] const std::optional<core::Error> &error() const { return m_error; }

    /// Shows the error in the quiet bar, until the next file is opened.
    void report(const core::Error &error) { setError(error); }
    /// The same, for a job whose work fails.
    [[nodiscard]] std::function<void(const core::Error &)> reporter();

    // The plan: see PlanHistory.
    using Override = ui::Override;
    [[nodiscard]] const Plan &plan() const { return m_plans.plan(); }
    [[nodiscard]] QUndoStack &undoStack() { return m_plans.undoStack(); }
    /// The plan with another policy.
    [[nodiscard]] Plan planWith(core::Policy policy) const;
    [[nodiscard]] Plan planWith(core::PolicyPtr policy) const;
    void previewPlan(const Plan &plan) { m_plans.preview(plan); }
    [[nodiscard]] bool isPreviewing() const { return m_plans.isPreviewing(); }
    void commitPlan(const Plan &from, const Plan &to, const QString &words) { m_plans.commit(from, to, words); }
    void commitPlan(const Plan &to, const QString &words) { m_plans.commit(plan(), to, words); }
    void commitOverride(
        const std::vector<core::BlockId> &blocks, std::optional<Override> what, const QString &words = {})
    {
        m_plans.commitOverride(blocks, what, words);
    }
    [[nodiscard]] std::optional<Override> overrideOf(core::BlockId block) const { return m_plans.overrideOf(block); }

    /// The trailing part that the policy leaves alone; without a policy a property of the picture. Undoable.
    [[nodiscard]] const core::Measure &keep() const { return m_plans.keep(); }
    /// Sets keep without an undo step, as while dragging.
    void previewKeep(const core::Measure &keep) { m_plans.preview(m_plans.withKeep(keep)); }
    /// Sets keep as one undo step from the value before the drag.
    void commitKeep(const core::Measure &from, const core::Measure &to) { m_plans.commitKeep(from, to); }
    /// The measure of the policy's trigger, if it has exactly one.
    [[nodiscard]] std::optional<core::Measure> trigger() const { return m_plans.trigger(); }
    /// Sets it without an undo step, as while dragging; does nothing if there is no such measure.
    void previewTrigger(const core::Measure &measure);

    /// A gesture, such as a drag: what is previewed until it ends is one undo step, or is taken back.
    void beginGesture() { m_plans.beginGesture(); }
    void endGesture(const QString &words) { m_plans.endGesture(words); }
    void cancelGesture() { m_plans.cancelGesture(); }
    [[nodiscard]] bool isInGesture() const { return m_plans.isInGesture(); }

    /// Loads the file that is compared with as "after", in the background; errors as those of the session.
    void compareWith(const std::filesystem::path &path);
    /// For pictures and tests: returns when it is there.
    [[nodiscard]] core::Result<void> compareWithNow(const std::filesystem::path &path);
    void stopComparing();
    [[nodiscard]] const std::optional<AfterFile> &afterFile() const { return m_afterFile; }

    /// The compaction that was exported last.
    [[nodiscard]] const std::optional<Kept> &kept() const { return m_kept; }
    void setKept(Kept kept);

    /// The thread that is looked at, and that is analysed in the background.
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
    void setSession(core::SessionPtr session, bool isNew);
    /// Another session begins with a plan of its own, and nothing to compare with.
    void startOver();
    void replaceSession(core::SessionPtr session, core::BlockTokensPtr tokens);
    void onLoaded(core::Result<LoadedSession> loaded, bool isFirst, const std::filesystem::path &after);
    void showReread(LoadedSession loaded);
    [[nodiscard]] QStringList lostOverrides() const;
    void countTokens();
    void setAfterFile(std::optional<AfterFile> file);
    void setError(std::optional<core::Error> error);

    std::filesystem::path m_path;
    std::string m_arrayName;
    core::SessionPtr m_session;
    core::BlockTokensPtr m_tokens;
    std::shared_ptr<core::ChangeMemo> m_memo;
    PlanHistory m_plans;
    std::optional<core::Error> m_error;
    bool m_isReload = false;
    Reread m_reread;
    SessionLoader m_loader;
    Job<core::BlockTokensPtr> m_count;
    std::optional<AfterFile> m_afterFile;
    std::optional<Kept> m_kept;
    core::ThreadIndex m_shownThread { 0U };
    std::unique_ptr<Replays> m_replays;
    std::unique_ptr<ThreadFacts> m_facts;
    std::unique_ptr<RunFigures> m_figures;      ///< of the two before
    std::unique_ptr<Comparisons> m_comparisons; ///< of the three before
};

} // namespace ui
