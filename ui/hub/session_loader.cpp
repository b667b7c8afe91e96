// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/session_loader.h"

#include "ui/files/read_session.h"

#include <utility>

namespace ui {

namespace {

core::Result<LoadedSession> readAgain(const std::filesystem::path &path, const core::SessionPtr &before,
    core::Progress &progress, const core::Publish &publish)
{
    const auto file = isInProgram(path) ? nullptr : std::make_shared<core::Follower>(path, workerCount());
    const core::Publish &shown = before ? core::Publish() : publish;
    auto session = file ? file->read(&progress, shown) : readSession(path, &progress, shown);
    if (!session)
        return std::unexpected(session.error());
    SessionTokens rough = SessionTokens::rough(**session);
    LoadedSession loaded { std::move(*session), std::move(rough), {}, file };
    if (before)
        loaded.reread = Reread::of(before, loaded.session);
    return loaded;
}

} // namespace

SessionTokens SessionTokens::rough(const core::Session &session)
{
    core::BlockTokensPtr tokens = core::roughTokens(session);
    core::SessionSumsPtr sums = core::sessionSums(session, *tokens);
    return { std::move(tokens), std::move(sums), {} };
}

SessionTokens SessionTokens::counted(
    const core::Session &session, core::Progress *progress, const core::TokenCount &before)
{
    core::TokenCount count = core::countTokens(session, workerCount(), progress, before);
    if (!count.table)
        return {};
    core::SessionSumsPtr sums = core::sessionSums(session, *count.table);
    return { count.table, std::move(sums), std::move(count) };
}

Reread Reread::of(const core::SessionPtr &before, const core::SessionPtr &now)
{
    return { before, std::make_shared<const core::BlockKeys>(*before), std::make_shared<const core::BlockKeys>(*now) };
}

void SessionLoader::start(
    const std::filesystem::path &path, const core::SessionPtr &before, const Snapshot &snapshot, const Loaded &loaded)
{
    const uint64_t generation = ++m_generation;
    const auto isFirst = std::make_shared<bool>(true);
    // The worker calls this. It may name this object: the job waits for its workers before it goes.
    const auto publish = [this, generation, isFirst, snapshot](core::SessionPtr session) {
        SessionTokens rough = SessionTokens::rough(*session);
        QMetaObject::invokeMethod(
            this,
            [this, generation, isFirst, snapshot, session = std::move(session), rough = std::move(rough)] {
                if (m_generation == generation && m_job.isRunning())
                    snapshot(session, rough, std::exchange(*isFirst, false));
            },
            Qt::QueuedConnection);
    };
    m_job.start(
        this, [path, before, publish](core::Progress &progress) { return readAgain(path, before, progress, publish); },
        [isFirst, loaded](
            core::Result<LoadedSession> result) { loaded(std::move(result), std::exchange(*isFirst, false)); });
}

void SessionLoader::cancel()
{
    ++m_generation;
    m_job.cancel();
}

void SessionLoader::startAfter(
    const std::filesystem::path &path, const std::function<void(core::Result<AfterFile>)> &loaded)
{
    m_afterJob.start(this, [path](core::Progress &progress) { return readAfter(path, &progress); }, loaded);
}

core::Result<AfterFile> SessionLoader::readAfter(const std::filesystem::path &path, core::Progress *progress)
{
    auto session = readSession(path, progress);
    if (!session)
        return std::unexpected(session.error());
    SessionTokens counts = SessionTokens::counted(**session, progress);
    return AfterFile { path, std::move(*session), std::move(counts) };
}

} // namespace ui
