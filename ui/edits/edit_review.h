// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/edit_states.h"
#include "ui/edits/found_edits.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <filesystem>
#include <vector>

namespace ui {

class Workspace;

/// What the user decided about an edit.
enum class Verdict : uint8_t { Open, Reviewed, SentBack };

/// The edits of a session: their basis as recorded and under the plan, their state in a repository, and whether they
/// were reviewed. Computed in the background when a view first shows them, the edits first. The latest start wins.
class EditReview final : public QObject {
    Q_OBJECT

public:
    explicit EditReview(Workspace &workspace);
    ~EditReview() override;

    [[nodiscard]] Workspace &workspace() const { return m_workspace; }
    /// Computes nothing while no view is visible.
    void setWanted(bool isWanted);

    /// nullptr until found.
    [[nodiscard]] const FoundEditsPtr &found() const { return m_found; }
    /// The basis of an edit as recorded; nullptr until known.
    [[nodiscard]] const core::EditBasis *basis(size_t edit) const;
    /// The basis under the plan; nullptr without a policy and until known.
    [[nodiscard]] const core::EditBasis *planBasis(size_t edit) const;
    /// True if the edit has a basis as recorded and none under the plan.
    [[nodiscard]] bool isLostUnderPlan(size_t edit) const;
    /// Name of the plan behind `planBasis`.
    [[nodiscard]] const QString &planName() const { return m_planName; }
    /// nullptr without a folder and until known.
    [[nodiscard]] const core::EditStanding *standing(size_t edit) const;

    /// The folder that edits are compared with: the chosen one, else the session's own if it is on this machine.
    [[nodiscard]] const std::filesystem::path &folder() const { return m_folder; }
    /// Chooses the folder and remembers it with the session; empty: the session's own.
    void setFolder(const std::filesystem::path &folder);

    [[nodiscard]] Verdict verdict(size_t edit) const;
    [[nodiscard]] bool isReviewed(size_t edit) const { return verdict(edit) == Verdict::Reviewed; }
    /// Marks edits as reviewed or not, as one undo step; no step if nothing changes. A reviewed edit is no longer sent
    /// back. Changes outside of the log cannot be reviewed.
    void setReviewed(const std::vector<size_t> &edits, bool isReviewed);
    /// Whether the user gave the edit back to the agent, which has to do something about it.
    [[nodiscard]] bool isSentBack(size_t edit) const { return verdict(edit) == Verdict::SentBack; }
    /// One undo step, or none if nothing changes. An edit that is sent back is no longer reviewed. Changes outside of
    /// the log cannot be sent back.
    void setSentBack(size_t edit, bool isSentBack);
    [[nodiscard]] size_t reviewedCount() const { return countOf(Verdict::Reviewed); }
    [[nodiscard]] size_t sentBackCount() const { return countOf(Verdict::SentBack); }
    /// The user's comment on an edit; empty without one. Changes outside of the log have none.
    [[nodiscard]] std::string comment(size_t edit) const;
    /// Changes the comment; changes of the same one in a row are one undo step. A blank text removes it.
    void setComment(size_t edit, const std::string &text);
    /// The edits with a comment, ascending.
    [[nodiscard]] std::vector<size_t> commented() const;
    /// The edits with a comment and those that are sent back, ascending.
    [[nodiscard]] std::vector<size_t> noted() const;
    /// A problem with reading or writing the notes; empty without one.
    [[nodiscard]] const QString &problem() const { return m_problem; }

    [[nodiscard]] bool isRunning() const;
    /// For pictures and tests: computes everything and saves all review marks before it returns.
    void waitForAll();

Q_SIGNALS:
    void editsChanged();
    void factsChanged();    ///< bases or standings
    void reviewedChanged(); ///< review marks or comments
    void problemChanged();

private:
    void forget();
    void refresh();
    void find();
    /// On the thread that writes them, after the last write. Until then no edit has a tick or a comment.
    void readNotes();
    void takeNotes(core::Result<ReviewNotes> notes);
    void findBases();
    void findPlanBases();
    void findStandings();
    void keepNotes();
    [[nodiscard]] size_t countOf(Verdict verdict) const;
    using Verdicts = std::map<EditName, Verdict>;
    /// `#41`, for the name of an undo step.
    [[nodiscard]] QString numberWords(size_t edit) const;
    void mark(const Verdicts &verdicts);
    void say(const EditName &name, const std::string &text);
    class VerdictCommand;
    class CommentCommand;

    static constexpr int kStillness = 150; ///< ms to wait after the last change of the plan or of review marks

    Workspace &m_workspace;
    bool m_isWanted = false;
    core::SessionPtr m_session; ///< session of `m_found`, or of the job that runs
    FoundEditsPtr m_found;
    core::EditUses m_uses;
    std::vector<core::EditBasis> m_bases;
    std::vector<core::EditBasis> m_planBases;
    QString m_planName;
    std::filesystem::path m_folder;
    std::vector<core::EditStanding> m_standings;
    SessionDocument m_document;
    ReviewNotes m_notes;
    ReviewChanges m_changes; ///< of this window, not yet written
    bool m_canKeepNotes = false;
    QString m_problem;
    QTimer m_planStillness;
    QTimer m_notesStillness;

    struct Bases {
        core::EditUses uses;
        std::vector<core::EditBasis> bases;
    };
    QThreadPool m_pool;      ///< separate, so that reading waits for no other job
    QThreadPool m_notesPool; ///< one thread, so that writes keep their order
    Job<FoundEditsPtr> m_find { &m_pool };
    Job<Bases> m_findBases { &m_pool };
    Job<std::vector<core::EditBasis>> m_findPlanBases { &m_pool };
    Job<std::vector<core::EditStanding>> m_findStandings { &m_pool };
    Job<core::Result<ReviewNotes>> m_readNotes { &m_notesPool };
    Job<core::Result<ReviewNotes>> m_keepNotes { &m_notesPool };
};

} // namespace ui
