// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/folder_sweeps.h"

#include "core/formats/reading/format.h"
#include "core/formats/session_files.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/workspace.h"

#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QThread>

#include <algorithm>
#include <ranges>

namespace ui {

namespace {

constexpr size_t kMostTried = 8; ///< files, to find the harness of a folder

/// Collects the results of files. Called from one thread at a time.
class Gathering final {
public:
    using Publish = std::function<void(FolderMapPtr)>;

    Gathering(core::SweepPlan plan, int pause, Publish publish)
        : m_plan(std::move(plan))
        , m_pause(pause)
        , m_publish(std::move(publish))
    {
        m_since.start();
    }
    void add(core::FileSweep file)
    {
        m_files.push_back(std::move(file));
        // A map takes longer with more runs. Limits maps to a fifth of the time.
        if (m_since.elapsed() < std::max<qint64>(m_pause, 4 * m_lastTook))
            return;
        m_since.start();
        m_publish(folderMap(core::sweepSet(m_plan, m_files)));
        m_lastTook = m_since.restart();
    }
    [[nodiscard]] FolderMapPtr whole() { return folderMap(core::sweepSet(m_plan, std::move(m_files))); }
    [[nodiscard]] size_t count() const { return m_files.size(); }
    [[nodiscard]] const core::SweepPlan &plan() const { return m_plan; }

private:
    core::SweepPlan m_plan;
    int m_pause; ///< ms
    Publish m_publish;
    std::vector<core::FileSweep> m_files;
    QElapsedTimer m_since;
    qint64 m_lastTook = 0; ///< ms
};

} // namespace

QString FolderSweeps::Choice::folder() const
{
    std::optional<QStringList> shared;
    for (const std::filesystem::path &place : places) {
        const QFileInfo info(QString::fromStdString(place.string()));
        const QString folder = QDir::cleanPath(info.isFile() ? info.absolutePath() : info.absoluteFilePath());
        QStringList parts = folder.split(u'/');
        if (shared) {
            const auto [here, there] = std::ranges::mismatch(*shared, parts);
            parts = QStringList(shared->begin(), here);
        }
        shared = std::move(parts);
    }
    if (!shared)
        return {};
    const QString folder = shared->join(u'/');
    return folder.isEmpty() ? QStringLiteral("/") : folder;
}

QString FolderSweeps::Choice::folderName() const
{
    if (!name.isEmpty())
        return name;
    const QString path = folder();
    const QString last = QDir(path).dirName();
    return last.isEmpty() ? path : last;
}

core::RunSweepOptions FolderSweeps::Choice::options(core::Progress &progress) const
{
    core::RunSweepOptions options;
    options.withSubagents = withSubagents;
    options.since = since;
    options.threads = static_cast<unsigned>(std::max(1, QThread::idealThreadCount()));
    options.progress = &progress;
    return options;
}

FolderSweeps::FolderSweeps(Workspace &workspace)
    : m_workspace(workspace)
    , m_settings(workspace, kGrid)
{
    m_stillness.setSingleShot(true);
    m_stillness.setInterval(kStillness);
    connect(&m_stillness, &QTimer::timeout, this, &FolderSweeps::start);
    connect(&m_settings, &SweptSettings::changed, this, &FolderSweeps::refresh);
    connect(&workspace, &Workspace::planChanged, this, &FolderSweeps::refresh);
}

FolderSweeps::~FolderSweeps() = default;

void FolderSweeps::setChoice(Choice choice)
{
    if (choice == m_choice)
        return;
    const bool hasOtherPlaces = choice.places != m_choice.places;
    m_choice = std::move(choice);
    if (hasOtherPlaces)
        findOwnPolicy();
    refresh();
}

void FolderSweeps::findOwnPolicy()
{
    const auto work = [places = m_choice.places](core::Progress &progress) {
        std::vector<std::pair<std::filesystem::file_time_type, std::string>> files; // newest first
        for (std::string &file : core::filesOf(places)) {
            std::error_code error;
            const auto time = std::filesystem::last_write_time(file, error);
            if (!error)
                files.emplace_back(time, std::move(file));
        }
        std::ranges::sort(files, std::ranges::greater());
        for (const auto &[time, file] : files | std::views::take(kMostTried)) {
            const auto session = core::loadSession(file, &progress);
            if (progress.isCancelled())
                break;
            if (const auto own = session ? core::ownPresets(**session) : std::vector<core::PolicyPtr>(); !own.empty())
                return own.front();
        }
        return core::PolicyPtr();
    };
    m_findOwn.start(this, work, [this](core::PolicyPtr own) {
        m_ownPolicy = std::move(own);
        Q_EMIT ownPolicyChanged();
    });
}

void FolderSweeps::setWanted(bool isWanted)
{
    if (std::exchange(m_isWanted, isWanted) != isWanted && isWanted)
        refresh();
}

std::optional<FolderSweeps::Wanted> FolderSweeps::wanted() const
{
    if (m_choice.places.empty())
        return std::nullopt;
    // A default range must be the same for all sessions, so it cannot depend on a session's window.
    auto swept = m_settings.swept(core::Session {}, m_asked ? std::optional(m_asked->swept) : std::nullopt);
    return swept ? std::optional(Wanted { m_choice, std::move(*swept) }) : std::nullopt;
}

void FolderSweeps::refresh()
{
    m_settings.keepKnown();
    if (!m_isWanted)
        return;
    // Without a policy there is nothing to sweep: the previous policy's map stays.
    const auto now = wanted();
    const bool isAsked = now && m_asked && now->choice == m_asked->choice && now->swept.isSame(m_asked->swept);
    if (!now || isAsked) {
        m_stillness.stop();
        m_isOutdated = isAsked && m_job.isRunning() && m_isOutdated;
    } else {
        m_isOutdated = m_current != nullptr;
        m_stillness.start();
    }
    Q_EMIT stateChanged();
}

void FolderSweeps::restart()
{
    m_asked.reset();
    refresh();
}

void FolderSweeps::stop()
{
    if (!isRunning())
        return;
    m_stillness.stop();
    m_job.cancel();
    ++m_run;
    m_isStopped = true;
    Q_EMIT stateChanged();
}

void FolderSweeps::start()
{
    auto now = wanted();
    if (!now || !m_isWanted)
        return;
    m_asked = now;
    m_isStopped = false;
    m_files = {};
    const uint64_t run = ++m_run;
    const auto onOwnThread = [this](std::function<void()> deed) {
        QMetaObject::invokeMethod(this, std::move(deed), Qt::QueuedConnection);
    };
    const auto publish = [this, run, onOwnThread](
                             const FolderMapPtr &map) { onOwnThread([this, run, map] { take(run, map, false); }); };
    const auto tell
        = [this, run, onOwnThread](const Count &files) { onOwnThread([this, run, files] { count(run, files); }); };
    m_job.start(
        this,
        [now = std::move(*now), prices = m_workspace.figures().prices(), pause = m_publishPause, publish, tell](
            core::Progress &progress) -> FolderMapPtr {
            const std::vector<std::string> files = core::filesOf(now.choice.places);
            tell({ 0, files.size() });
            Gathering gathering({ now.swept.policy, now.swept.x, now.swept.y, prices->date() }, pause, publish);
            core::sweepFiles(files, gathering.plan(), *prices, now.choice.options(progress), [&](core::FileSweep file) {
                gathering.add(std::move(file));
                tell({ gathering.count(), files.size() });
            });
            return progress.isCancelled() ? nullptr : gathering.whole();
        },
        [this, run](FolderMapPtr map) { take(run, std::move(map), true); });
    Q_EMIT stateChanged();
}

void FolderSweeps::take(uint64_t run, FolderMapPtr map, bool isWhole)
{
    if (run != m_run || !map)
        return;
    m_current = std::move(map);
    m_isWhole = isWhole;
    m_isOutdated = m_stillness.isActive();
    Q_EMIT changed();
    Q_EMIT stateChanged();
}

void FolderSweeps::count(uint64_t run, const Count &files)
{
    if (run != m_run)
        return;
    m_files = files;
    Q_EMIT stateChanged();
}

void FolderSweeps::waitForSweep()
{
    while (isRunning()) {
        QEventLoop loop;
        connect(this, &FolderSweeps::changed, &loop, &QEventLoop::quit);
        connect(this, &FolderSweeps::stateChanged, &loop, &QEventLoop::quit);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
}

} // namespace ui
