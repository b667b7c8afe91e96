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

/// The edits of a session: their basis as recorded and under the plan, their state in a repository, and whether they
/// were reviewed. Found in the background when a view first shows them: the edits first, then the rest. The latest
/// start wins.
class EditReview final : public QObject {
    Q_OBJECT

public:
    explicit EditReview(Workspace &workspace);
    ~EditReview() override;

    [[nodiscard]] Workspace &workspace() const { return m_workspace; }
    /// Nothing is found while nobody looks.
    void setWanted(bool isWanted);

    /// nullptr until they are found.
    [[nodiscard]] const FoundEditsPtr &found() const { return m_found; }
    /// By edit, as recorded; nullptr until it is known.
    [[nodiscard]] const core::EditBasis *basis(size_t edit) const;
    /// The same under the plan; nullptr as recorded, and until it is known.
    [[nodiscard]] const core::EditBasis *planBasis(size_t edit) const;
    /// The edit rested on something, and under the plan it would not have.
    [[nodiscard]] bool isLostUnderPlan(size_t edit) const;
    /// Name of the plan of `planBasis`.
    [[nodiscard]] const QString &planName() const { return m_planName; }
    /// nullptr without a folder, and until it is known.
    [[nodiscard]] const core::EditStanding *standing(size_t edit) const;

    /// Where the edits are looked for: the chosen folder, else the session's own where this machine has it.
    [[nodiscard]] const std::filesystem::path &folder() const { return m_folder; }
    /// Chooses it, and remembers it with the session; empty: its own.
    void setFolder(const std::filesystem::path &folder);

    [[nodiscard]] bool isReviewed(size_t edit) const { return m_notes.reviewed.contains(m_found->names[edit]); }
    /// One step of the workspace's undo stack, whatever the number of edits; none where nothing changes. Changes
    /// outside the log are nobody's to review.
    void setReviewed(const std::vector<size_t> &edits, bool isReviewed);
    [[nodiscard]] size_t reviewedCount() const;
    /// The problem with the notes; empty without one.
    [[nodiscard]] const QString &problem() const { return m_problem; }

    [[nodiscard]] bool isRunning() const;
    /// For pictures and tests: as if somebody looked; returns when all is found, and all ticks are kept.
    void waitForAll();

Q_SIGNALS:
    void editsChanged();
    void factsChanged(); ///< bases or standings
    void reviewedChanged();
    void problemChanged();

private:
    void forget();
    void refresh();
    void find();
    void readNotes();
    void findBases();
    void findPlanBases();
    void findStandings();
    void keepNotes();
    void tick(const std::vector<EditName> &names, bool isReviewed);
    class TickCommand;

    static constexpr int kStillness = 150; ///< ms from the last change of the plan, and of the ticks

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
    QString m_notesFile;
    ReviewNotes m_notes;
    bool m_canKeepNotes = false;
    QString m_problem;
    QTimer m_planStillness;
    QTimer m_notesStillness;

    struct Bases {
        core::EditUses uses;
        std::vector<core::EditBasis> bases;
    };
    QThreadPool m_pool;      ///< reading waits for nobody else's
    QThreadPool m_notesPool; ///< one after the other
    Job<FoundEditsPtr> m_find { &m_pool };
    Job<Bases> m_findBases { &m_pool };
    Job<std::vector<core::EditBasis>> m_findPlanBases { &m_pool };
    Job<std::vector<core::EditStanding>> m_findStandings { &m_pool };
    Job<core::Result<void>> m_keepNotes { &m_notesPool };
};

} // namespace ui
