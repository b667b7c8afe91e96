// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/change_memo.h"
#include "core/compaction/compaction.h"
#include "core/compaction/keep_window.h"
#include "core/formats/reading/format.h"
#include "core/session/session.h"
#include "ui/hub/job.h"
#include "ui/hub/plan_history.h"
#include "ui/hub/session_loader.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace ui {

struct Followed;

class BetterPolicySearch;
class Bookmarks;
class Comparisons;
class KeptOverrides;
class Replays;
class RunFigures;
class SessionFindings;
class SessionFollower;
class SessionKeys;
class ThreadFacts;

/// An exported compaction and its store of originals.
struct Kept {
    core::CompactionPtr compaction;
    std::filesystem::path store;
    std::string commit; ///< a prefix of its id
};

/// One window's documents: the session, everything computed from it, and the undo stack. One of the two hubs. While a
/// session loads it arrives as snapshots, and the picture grows with them.
class Workspace final : public QObject {
    Q_OBJECT

public:
    explicit Workspace(QObject *parent = nullptr);
    ~Workspace() override;

    /// Starts loading; the current session stays until the first snapshot of the new one. Once that is there, compares
    /// it with `after`, unless `after` is empty.
    void open(const std::filesystem::path &path, const std::filesystem::path &after = {});
    /// Reads the same file again; the current session stays until it is complete. Plan, pins, drops and undo steps are
    /// kept; blocks are identified by their keys.
    void reload();
    /// True if the session was reloaded from the same file.
    [[nodiscard]] bool isReloaded() const { return m_isReload; }
    /// True if the session is the one before with more records at its end: all ids of the session before stay valid.
    [[nodiscard]] bool isGrown() const { return m_isGrown; }
    /// True while records arrive. Slow work waits until they stop for a moment; then `tokensChanged` comes.
    [[nodiscard]] bool isGrowing() const { return m_isGrowing; }
    /// For use in `sessionChanged` after a reload: the new id of a block; invalid if it is gone.
    [[nodiscard]] core::BlockId carried(core::BlockId before) const { return m_reread.carried(before); }
    void cancelLoading();
    /// For pictures and tests: loads, counts tokens, and returns when everything is there.
    [[nodiscard]] core::Result<void> openNow(const std::filesystem::path &path);
    /// Shows a session that is in memory; counts its tokens before it returns.
    void show(core::SessionPtr session);

    /// Shows two arrays: the final array of `before`, and that of `after` beside it, as the array after a compaction.
    void showArrays(AfterFile before, AfterFile after);
    /// The name given to `showArrays`; else empty.
    [[nodiscard]] const std::string &arrayName() const { return m_arrayName; }

    /// The file that was asked for last; the session may still be that of another.
    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }
    /// The file of the session that is shown; empty for a session in memory.
    [[nodiscard]] const std::filesystem::path &sessionPath() const { return m_sessionPath; }
    [[nodiscard]] const core::SessionPtr &session() const { return m_session; }
    [[nodiscard]] const core::BlockTokensPtr &tokens() const { return m_counts.tokens; }
    /// What the arrays of each thread add up to; made with `tokens`.
    [[nodiscard]] const core::SessionSumsPtr &sessionSums() const { return m_counts.sums; }
    /// What the arrays of a thread add up to; nullptr without the thread.
    [[nodiscard]] core::ArraySumsPtr sums(core::ThreadIndex thread) const
    {
        const core::SessionSumsPtr &sums = m_counts.sums;
        return sums && thread.index() < sums->size() ? (*sums)[thread.index()] : nullptr;
    }
    /// Caches the changes that plans made to blocks of this session.
    [[nodiscard]] const std::shared_ptr<core::ChangeMemo> &memo() const { return m_memo; }
    [[nodiscard]] bool isLoading() const { return m_loader.isRunning(); }
    [[nodiscard]] double loadingFraction() const { return m_loader.fraction(); }
    [[nodiscard]] const std::optional<core::Error> &error() const { return m_error; }

    /// Shows the error in the notice bar until the next file is opened.
    void report(const core::Error &error) { setError(error); }
    /// The same as a function, for the errors of jobs.
    [[nodiscard]] std::function<void(const core::Error &)> reporter();

    // The plan: see PlanHistory.
    using Override = ui::Override;
    [[nodiscard]] const Plan &plan() const { return m_plans.plan(); }
    [[nodiscard]] PlanHistory &plans() { return m_plans; }
    [[nodiscard]] QUndoStack &undoStack() { return m_plans.undoStack(); }
    /// The plan with `policy` instead of its own.
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

    /// The keep of the policy; without a policy the keep of the picture. Undoable.
    [[nodiscard]] const core::Measure &keep() const { return m_plans.keep(); }
    /// Sets keep without an undo step, during a drag.
    void previewKeep(const core::Measure &keep) { m_plans.preview(m_plans.withKeep(keep)); }
    /// Sets keep as one undo step from the value before the drag.
    void commitKeep(const core::Measure &from, const core::Measure &to) { m_plans.commitKeep(from, to); }
    /// The measure of the policy's trigger, if it has exactly one.
    [[nodiscard]] std::optional<core::Measure> trigger() const { return m_plans.trigger(); }
    /// Sets the trigger without an undo step, during a drag; does nothing without a single measure.
    void previewTrigger(const core::Measure &measure);

    /// A gesture, such as a drag: its previews become one undo step, or are reverted.
    void beginGesture() { m_plans.beginGesture(); }
    void endGesture(const QString &words) { m_plans.endGesture(words); }
    void cancelGesture() { m_plans.cancelGesture(); }
    [[nodiscard]] bool isInGesture() const { return m_plans.isInGesture(); }

    /// Loads the file to compare with in the background; errors are shown like those of the session.
    void compareWith(const std::filesystem::path &path);
    /// For pictures and tests: waits for the file.
    [[nodiscard]] core::Result<void> compareWithNow(const std::filesystem::path &path);
    void stopComparing();
    [[nodiscard]] const std::optional<AfterFile> &afterFile() const { return m_afterFile; }

    /// The compaction that was exported last.
    [[nodiscard]] const std::optional<Kept> &kept() const { return m_kept; }
    void setKept(Kept kept);

    /// The thread that is shown and analysed in the background.
    [[nodiscard]] core::ThreadIndex shownThread() const { return m_shownThread; }
    void setShownThread(core::ThreadIndex thread);
    [[nodiscard]] Replays &replays() const { return *m_replays; }
    [[nodiscard]] ThreadFacts &facts() const { return *m_facts; }
    [[nodiscard]] RunFigures &figures() const { return *m_figures; }
    [[nodiscard]] Comparisons &comparisons() const { return *m_comparisons; }
    [[nodiscard]] SessionFindings &findings() const { return *m_findings; }
    [[nodiscard]] BetterPolicySearch &betterPolicy() const { return *m_betterPolicy; }
    [[nodiscard]] Bookmarks &bookmarks() const { return *m_bookmarks; }
    [[nodiscard]] KeptOverrides &keptOverrides() const { return *m_keptOverrides; }
    /// Follows the file while it grows.
    [[nodiscard]] SessionFollower &follower() const { return *m_follower; }

Q_SIGNALS:
    /// A new snapshot or session. `isNew` is true for another file and for a reload, false for further snapshots and
    /// for records that were appended.
    void sessionChanged(bool isNew);
    void tokensChanged();
    void planChanged(); ///< policy, overrides or keep
    void shownThreadChanged();
    /// After a reload: overridden blocks that are no longer in the file, one line each.
    void overridesLost(const QStringList &blocks);
    void loadingChanged(); ///< started, finished, failed or cancelled
    void errorChanged();
    void afterFileChanged();
    void keptChanged();

private:
    void setSession(core::SessionPtr session, SessionTokens rough, bool isNew);
    /// Resets the plan and the comparison for another session.
    void startOver();
    void replaceSession(core::SessionPtr session, SessionTokens counts);
    void onLoaded(core::Result<LoadedSession> loaded, bool isFirst, const std::filesystem::path &after);
    void showReread(LoadedSession loaded);
    void showFollowed(const Followed &news);
    [[nodiscard]] QStringList lostOverrides() const;
    /// Counts in the background, then follows the file unless it is nullptr.
    void countTokens(const std::shared_ptr<core::Follower> &file);
    void setAfterFile(std::optional<AfterFile> file);
    void setError(std::optional<core::Error> error);

    std::filesystem::path m_path;
    std::filesystem::path m_sessionPath;
    std::string m_arrayName;
    core::SessionPtr m_session;
    SessionTokens m_counts;
    std::shared_ptr<core::ChangeMemo> m_memo;
    PlanHistory m_plans;
    std::optional<core::Error> m_error;
    bool m_isReload = false;
    bool m_isGrown = false;
    bool m_isGrowing = false;
    Reread m_reread;
    SessionLoader m_loader;
    Job<SessionTokens> m_count;
    std::optional<AfterFile> m_afterFile;
    std::optional<Kept> m_kept;
    core::ThreadIndex m_shownThread { 0U };
    std::unique_ptr<Replays> m_replays;
    std::unique_ptr<ThreadFacts> m_facts;
    std::unique_ptr<RunFigures> m_figures;              ///< uses the two members before
    std::unique_ptr<Comparisons> m_comparisons;         ///< uses the three members before
    std::unique_ptr<SessionFindings> m_findings;        ///< uses m_figures
    std::unique_ptr<BetterPolicySearch> m_betterPolicy; ///< uses m_figures
    std::unique_ptr<SessionKeys> m_keys;
    std::unique_ptr<Bookmarks> m_bookmarks;         ///< uses m_keys
    std::unique_ptr<KeptOverrides> m_keptOverrides; ///< uses m_keys
    std::unique_ptr<SessionFollower> m_follower;
};

} // namespace ui
