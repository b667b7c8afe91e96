// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/sessions/session_library.h"

#include "ui/files/read_session.h"
#include "ui/files/settings.h"
#include "ui/hub/searched_texts.h"
#include "ui/look/theme.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ui {

namespace {

constexpr int kReloadMilliseconds = 300;
constexpr core::IndexSearchLimits kLimits { 300, 5 };

LibraryListPtr listOf(const core::SessionIndex &index)
{
    auto list = std::make_shared<LibraryList>();
    list->known = index.sessions();
    list->sessions = core::listedSessions(list->known.entries);
    return list;
}

bool isOf(const core::SessionHits &hits, const core::SessionHits &others)
{
    return hits.entry.file == others.entry.file && hits.entry.thread == others.entry.thread;
}

const core::SessionHits *hitsIn(const core::IndexSearch &search, const core::SessionHits &like)
{
    const auto same = std::ranges::find_if(search.sessions, [&](const auto &each) { return isOf(each, like); });
    return same == search.sessions.end() ? nullptr : &*same;
}

core::Prices prices()
{
    auto own = core::pricesWith(std::filesystem::path(ownPricesFile().toStdString()));
    return own ? std::move(*own) : core::Prices::bundled();
}

} // namespace

QString lineOf(const LibrarySearch &search, const core::IndexHit &hit)
{
    return hit.isPhrase ? QString::fromStdString(core::withPhrase(search.line.toStdString())) : search.line;
}

SessionLibrary::SessionLibrary(QObject *parent)
    : QObject(parent)
    , m_places(core::SessionPlaces::known())
{
    m_reloadLater.setSingleShot(true);
    m_reloadLater.setInterval(kReloadMilliseconds);
    connect(&m_reloadLater, &QTimer::timeout, this, &SessionLibrary::reload);
}

SessionLibrary::~SessionLibrary() { m_job.cancel(); }

double SessionLibrary::fraction() const { return m_job.fraction(); }

void SessionLibrary::setFolders(const std::vector<std::filesystem::path> &folders)
{
    m_job.cancel();
    m_places = folders.empty() ? core::SessionPlaces::known() : core::SessionPlaces { folders, {} };
    m_isKept = folders.empty();
    m_notKept.clear();
    m_index.reset();
    m_list.reset();
    setStage(Stage::Waiting);
    refresh();
}

void SessionLibrary::refresh()
{
    if (!m_job.isRunning())
        run(Stage::Listing);
}

void SessionLibrary::setStage(Stage stage)
{
    m_stage = stage;
    Q_EMIT stageChanged();
}

void SessionLibrary::run(Stage stage)
{
    setStage(stage);
    const auto changed = [this] {
        // From the worker: the list is read again soon, on a thread.
        QMetaObject::invokeMethod(this, [this] {
            const bool isFirst = !m_list || m_list->sessions.empty();
            if (!m_reloadLater.isActive())
                m_reloadLater.start(isFirst ? 0 : kReloadMilliseconds);
        });
    };
    m_job.start(
        this,
        [stage, places = m_places, isKept = m_isKept, index = m_index, changed](core::Progress &progress) {
            Outcome outcome { index, core::IndexUpdate() };
            if (!outcome.index) {
                auto opened = isKept ? core::SessionIndex::open(core::indexFolder()) : core::SessionIndex::inMemory();
                if (!opened)
                    return Outcome { nullptr, std::unexpected(opened.error()) };
                outcome.index = std::make_shared<core::SessionIndex>(std::move(*opened));
                if (stage == Stage::Listing)
                    return outcome; // what an earlier run found is shown at once
            }
            const core::UpdateOptions options { stage == Stage::Listing ? workerCount() : 1, &progress, changed };
            if (stage == Stage::Listing)
                outcome.update = outcome.index->update(places, prices(), options);
            else if (stage == Stage::Texts)
                outcome.update = outcome.index->addTexts(options);
            else
                outcome.update = outcome.index->addFindings(prices(), options);
            return outcome;
        },
        [this, stage](const Outcome &outcome) { take(stage, outcome); });
}

void SessionLibrary::take(Stage stage, const Outcome &outcome)
{
    if (!outcome.update && m_isKept) {
        // The list needs no file: it is made in memory, and the reason stays visible.
        m_notKept = displayText(outcome.update.error().sentence());
        m_isKept = false;
        m_index.reset();
        return run(Stage::Listing);
    }
    const bool isOpened = !m_index && outcome.index;
    m_index = outcome.index;
    m_problem = outcome.update ? m_notKept : displayText(outcome.update.error().sentence());
    reload();
    if (!outcome.update)
        return setStage(Stage::Done);
    if (isOpened)
        return run(Stage::Listing);
    if (stage == Stage::Listing)
        return run(Stage::Texts);
    if (stage == Stage::Texts)
        return run(Stage::Findings);
    setStage(Stage::Done);
}

void SessionLibrary::reload()
{
    if (!m_index)
        return;
    m_listJob.start(
        this, [index = m_index](core::Progress &) { return listOf(*index); },
        [this](const LibraryListPtr &list) {
            m_list = list;
            Q_EMIT listChanged();
            if (!m_line.isEmpty() && !m_searchJob.isRunning())
                startSearch();
        });
}

void SessionLibrary::search(const QString &line)
{
    m_line = line.trimmed();
    m_searchJob.cancel();
    m_mistake.clear();
    m_newest.reset();
    m_heldBack = 0;
    if (m_line.isEmpty() || !m_index || !m_list)
        m_found.reset();
    else
        startSearch();
    Q_EMIT searchChanged();
}

void SessionLibrary::startSearch()
{
    m_searchJob.start(
        this,
        [line = m_line, index = m_index, list = m_list](core::Progress &progress) -> core::Result<LibrarySearchPtr> {
            const auto query = core::parseQuery(line.toStdString());
            if (!query)
                return std::unexpected(query.error());
            auto found = core::searchIndex(*index, list->known, *query, kLimits, &progress);
            if (!found)
                return std::unexpected(found.error());
            return std::make_shared<const LibrarySearch>(LibrarySearch { line, textsOf(*query), std::move(*found) });
        },
        [this](const core::Result<LibrarySearchPtr> &found) {
            m_mistake = found ? QString() : displayText(found.error().message);
            if (found) // the last result stays while the line is mistaken
                takeFound(*found);
            Q_EMIT searchChanged();
        });
}

void SessionLibrary::takeFound(const LibrarySearchPtr &found)
{
    const bool isShown = m_found && m_found->line == found->line && !m_found->found.sessions.empty();
    m_heldBack = 0;
    m_newest.reset();
    if (!isShown) {
        m_found = found;
        return;
    }
    // What is shown keeps its place and gets its newest hits.
    LibrarySearch shown = *m_found;
    shown.found.hasMore = found->found.hasMore;
    for (core::SessionHits &hits : shown.found.sessions) {
        if (const core::SessionHits *newest = hitsIn(found->found, hits))
            hits = *newest;
    }
    for (const core::SessionHits &hits : found->found.sessions)
        m_heldBack += hitsIn(shown.found, hits) == nullptr ? 1 : 0;
    if (m_heldBack > 0)
        m_newest = found;
    m_found = std::make_shared<const LibrarySearch>(std::move(shown));
}

void SessionLibrary::showHeldBack()
{
    if (!m_newest)
        return;
    m_found = std::exchange(m_newest, nullptr);
    m_heldBack = 0;
    Q_EMIT searchChanged();
}

void SessionLibrary::wait(bool withAll)
{
    refresh();
    while (m_job.isRunning() && (withAll || m_stage <= Stage::Listing))
        m_job.wait();
    m_reloadLater.stop();
    reload();
    m_listJob.wait();
    m_searchJob.wait();
}

} // namespace ui
