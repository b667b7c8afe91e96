// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/list_report.h"
#include "ui/hub/background_pool.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace ui {

/// All sessions of the index, with subagents' files below their sessions. Immutable.
struct LibraryList {
    core::IndexedSessions known;
    std::vector<core::ListedSession> sessions; ///< newest first; they refer to `known`
};
using LibraryListPtr = std::shared_ptr<const LibraryList>;

/// What a search over all sessions found.
struct LibrarySearch {
    QString line;
    std::vector<core::Needle> texts; ///< that the line looks for
    core::IndexSearch found;
};
using LibrarySearchPtr = std::shared_ptr<const LibrarySearch>;

/// The filter line that finds a hit of the search within its session: the phrase where the hit has it.
[[nodiscard]] QString lineOf(const LibrarySearch &search, const core::IndexHit &hit);

/// The sessions on this computer. Keeps the index up to date in the background: first the list, then the words of all
/// texts, then findings. The list grows meanwhile.
class SessionLibrary final : public QObject {
    Q_OBJECT

public:
    enum class Stage : uint8_t { Waiting, Listing, Texts, Findings, Done };

    explicit SessionLibrary(QObject *parent = nullptr);
    ~SessionLibrary() override;

    /// Looks in these folders instead of those of the known harnesses; their index is not kept. Without a folder, looks
    /// in those of the known harnesses again.
    void setFolders(const std::vector<std::filesystem::path> &folders);
    [[nodiscard]] const core::SessionPlaces &places() const { return m_places; }
    /// Looks for new and changed files, unless that is going on.
    void refresh();

    /// nullptr until something is known.
    [[nodiscard]] const LibraryListPtr &list() const { return m_list; }
    [[nodiscard]] Stage stage() const { return m_stage; }
    [[nodiscard]] double fraction() const;
    /// Why there is no index; empty if there is one.
    [[nodiscard]] const QString &problem() const { return m_problem; }

    /// Searches all sessions; an empty line ends the search. The newest line wins.
    void search(const QString &line);
    /// nullptr without a search, and until the first result.
    [[nodiscard]] const LibrarySearchPtr &found() const { return m_found; }
    /// Sessions that match the same line and were indexed after `found` was shown. They are held back, so that the list
    /// does not move under the user.
    [[nodiscard]] size_t heldBack() const { return m_heldBack; }
    void showHeldBack();
    [[nodiscard]] bool isSearching() const { return m_searchJob.isRunning(); }
    /// The mistake in the line; empty if there is none.
    [[nodiscard]] const QString &mistake() const { return m_mistake; }

    /// For pictures and tests: waits until the list is complete, and for texts and findings too if `withAll`.
    void wait(bool withAll = true);

Q_SIGNALS:
    void listChanged();
    void stageChanged();
    void searchChanged();

private:
    using IndexPtr = std::shared_ptr<core::SessionIndex>;
    struct Outcome {
        IndexPtr index;
        core::Result<core::IndexUpdate> update;
    };

    void startSearch();
    void takeFound(const LibrarySearchPtr &found);
    void run(Stage stage);
    void take(Stage stage, const Outcome &outcome);
    void reload();
    void setStage(Stage stage);

    core::SessionPlaces m_places;
    bool m_isKept = true; ///< the index is in the cache folder
    IndexPtr m_index;
    LibraryListPtr m_list;
    LibrarySearchPtr m_found;
    LibrarySearchPtr m_newest; ///< with what is held back; nullptr if nothing is
    size_t m_heldBack = 0;
    QString m_line;
    QString m_mistake;
    QString m_problem;
    QString m_notKept; ///< why the index is not in the cache folder although it should be
    Stage m_stage = Stage::Waiting;
    QTimer m_reloadLater;
    BackgroundPool m_pool;
    Job<Outcome> m_job { &m_pool };
    Job<LibraryListPtr> m_listJob;
    Job<core::Result<LibrarySearchPtr>> m_searchJob;
};

} // namespace ui
