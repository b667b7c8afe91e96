// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/session_follower.h"

#include "core/base/file_watch.h"
#include "core/formats/session_files.h"
#include "core/session/growth.h"
#include "ui/files/read_session.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr std::chrono::milliseconds kRestsAfter { 400 };
constexpr std::chrono::milliseconds kRestsAtLatest { 3000 }; ///< while records keep coming
/// Between two readings of a file that is read as a whole each time.
constexpr std::chrono::milliseconds kBetweenWhole { 500 };

core::Result<std::optional<Followed>> followedIn(
    core::Follower &file, const core::SessionPtr &before, const core::TokenCount &count, core::Progress &progress)
{
    const auto news = file.follow(&progress);
    if (!news)
        return std::unexpected(news.error());
    if (*news == core::Follower::News::None)
        return std::nullopt;
    Followed followed;
    followed.session = file.session();
    const bool isSame = core::continues(*before, *followed.session);
    followed.isGrown = isSame && *news == core::Follower::News::Records;
    followed.isOther = !core::beginsAlike(*before, *followed.session);
    followed.counts
        = SessionTokens::counted(*followed.session, &progress, followed.isGrown ? count : core::TokenCount());
    if (!followed.counts.tokens)
        return std::nullopt; // cancelled
    if (!followed.isGrown)
        followed.reread = Reread::of(before, followed.session);
    return followed;
}

QString fileName(const std::filesystem::path &path) { return QString::fromStdString(path.string()); }

} // namespace

SessionFollower::SessionFollower(QObject *parent)
    : QObject(parent)
{
    m_lookAgain.setSingleShot(true);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestsAfter);
    connect(&m_lookAgain, &QTimer::timeout, this, &SessionFollower::look);
    connect(&m_rest, &QTimer::timeout, this, &SessionFollower::rested);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_isOn ? look() : changedUnfollowed(); });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] {
        look();
        lookBeside();
    });
}

void SessionFollower::follow(std::shared_ptr<core::Follower> file, SessionTokens counts)
{
    const bool isSameFile = file && m_file && file->path() == m_file->path();
    m_job.cancel();
    m_lookBeside.cancel();
    m_rest.stop();
    m_lookAgain.stop();
    m_file = std::move(file);
    m_session = m_file ? m_file->session() : nullptr;
    m_count = std::move(counts.count);
    m_hasGrown = m_hasGrown && isSameFile;
    m_isRemoved = false;
    m_isDue = false;
    m_beside.clear();
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (!m_watcher.directories().isEmpty())
        m_watcher.removePaths(m_watcher.directories());
    if (m_file) {
        watch();
        look(); // it may have grown meanwhile
        lookBeside();
    }
    Q_EMIT stateChanged();
}

void SessionFollower::setOn(bool isOn)
{
    if (isOn == m_isOn)
        return;
    m_isOn = isOn;
    if (m_isOn)
        look();
    Q_EMIT stateChanged();
}

void SessionFollower::stopWatching()
{
    m_canWatch = false;
    m_watcher.removePaths(m_watcher.files() + m_watcher.directories());
    look();
}

/// Watches the paths that are not watched; a file that was replaced is another one for the system.
void SessionFollower::watch()
{
    if (!m_canWatch)
        return;
    const QString path = fileName(m_file->path());
    const QString log = fileName(core::Follower::logOf(m_file->path()));
    for (const QString &each : { path, log }) {
        if (!m_watcher.files().contains(each) && QFileInfo::exists(each))
            m_watcher.addPath(each);
    }
    const QString folder = QFileInfo(path).path();
    if (!m_watcher.directories().contains(folder))
        m_watcher.addPath(folder);
}

void SessionFollower::look()
{
    if (!m_file || !m_isOn)
        return;
    m_isDue = m_job.isRunning();
    if (m_isDue)
        return;
    m_lookAgain.stop();
    m_job.start(
        this,
        [file = m_file, before = m_session, count = m_count](
            core::Progress &progress) { return followedIn(*file, before, count, progress); },
        [this](News news) { take(std::move(news)); });
}

void SessionFollower::take(News news)
{
    const bool isRemoved = !news && news.error().kind == core::ErrorKind::NotFound;
    if (std::exchange(m_isRemoved, isRemoved) != isRemoved)
        Q_EMIT stateChanged();
    watch();
    const bool isWhole = news && *news && !m_file->readsOnlyNew();
    if (news && *news) {
        Followed &found = **news;
        m_session = found.session;
        m_count = found.counts.count;
        const bool isFirst = !std::exchange(m_hasGrown, true);
        if (!found.isGrown)
            m_rest.stop(); // whoever is told does all at once
        else if (!m_rest.isActive())
            m_sinceRest.start();
        if (found.isGrown && !(m_rest.isActive() && m_sinceRest.durationElapsed() > kRestsAtLatest))
            m_rest.start();
        Q_EMIT followed(found);
        if (isFirst)
            Q_EMIT stateChanged();
    }
    if (m_job.isRunning())
        return; // whoever was told has begun another one
    if (m_isDue && !isWhole)
        return look();
    // What could not be read may be being written.
    const bool isSoon = !news || !m_canWatch || m_watcher.directories().isEmpty();
    m_lookAgain.start(m_isDue ? kBetweenWhole : isSoon ? core::FileWatch::kPollEvery : core::FileWatch::kLookAnyway);
}

/// Looks for new files beside this one that go on with its session.
void SessionFollower::lookBeside()
{
    if (!m_file || !m_isOn || m_lookBeside.isRunning())
        return;
    m_lookBeside.start(
        this,
        [path = m_file->path(), session = m_session, known = m_beside](core::Progress &) {
            std::vector<std::string> files = core::filesIn(path.parent_path());
            std::string next;
            for (const std::string &file : files) {
                const bool isNew = !known.empty() && !std::ranges::binary_search(known, file);
                if (isNew && file != path.string() && core::isContinuedIn(*session, file))
                    next = file;
            }
            return std::pair(std::move(files), std::move(next));
        },
        [this](std::pair<std::vector<std::string>, std::string> found) {
            m_beside = std::move(found.first);
            if (!found.second.empty())
                Q_EMIT continuedIn(QString::fromStdString(found.second));
        });
}

} // namespace ui
