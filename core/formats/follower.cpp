// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/follower.h"

namespace core {

std::filesystem::path Follower::logOf(const std::filesystem::path &file) { return file.string() + "-wal"; }

Follower::LogStamp Follower::logStamp() const
{
    std::error_code error;
    const std::filesystem::path log = logOf(m_path);
    const auto size = std::filesystem::file_size(log, error);
    if (error)
        return {};
    const auto time = std::filesystem::last_write_time(log, error);
    return error ? LogStamp() : LogStamp { size, time };
}

bool Follower::hasChanged() const
{
    return !m_session || m_source->isTorn() || m_source->hasChanged() || logStamp() != m_log;
}

Result<SessionPtr> Follower::read(Progress *progress, const Publish &publish)
{
    const LogStamp log = logStamp(); // before reading: a later change is news
    auto source = Source::open(m_path);
    if (!source)
        return std::unexpected(source.error());
    auto opened = openGrowing(*source, progress, publish, m_threads);
    if (!opened)
        return std::unexpected(opened.error());
    m_session = std::move(opened->session);
    m_source = std::move(opened->source);
    m_reader = std::move(opened->reader);
    m_log = log;
    return m_session;
}

Result<Follower::News> Follower::follow(Progress *progress)
{
    if (!hasChanged())
        return News::None;
    if (m_reader) {
        const auto grown = m_source->reopen();
        if (grown)
            return readOn(*grown, progress);
        if (grown.error().kind != ErrorKind::Changed)
            return std::unexpected(grown.error());
    }
    if (const auto session = read(progress); !session)
        return std::unexpected(session.error());
    return News::WholeFile;
}

Result<Follower::News> Follower::readOn(const SourcePtr &grown, Progress *progress)
{
    const std::string_view added = grown->bytes().substr(m_source->bytes().size());
    m_source = grown;
    if (!added.contains('\n'))
        return News::None; // an incomplete record waits in the file
    const auto fail = [&](const Error &error) -> std::unexpected<Error> {
        m_reader.reset();
        m_source = m_session->sources.front(); // which has changed: the next time all is read
        return std::unexpected(error);
    };
    m_reader->reportTo(progress);
    if (const auto appended = m_reader->append(grown); !appended)
        return fail(appended.error());
    if (grown->isTorn())
        return fail({ ErrorKind::Changed, "The file changed while it was being read.", grown->name() });
    auto session = m_reader->snapshot();
    if (!session)
        return fail(session.error());
    m_session = std::move(*session);
    return News::Records;
}

bool isContinuedIn(const Session &session, const std::filesystem::path &other)
{
    constexpr size_t kHead = 64U << 10U;
    constexpr size_t kShortestId = 6;
    const auto source = Source::open(other);
    if (!source)
        return false;
    const std::string_view head = (*source)->bytes().substr(0, kHead);
    const auto names
        = [&](std::string_view id) { return id.size() >= kShortestId && head.contains('"' + std::string(id) + '"'); };
    return names(session.threads.front().id)
        || (!session.messages.empty() && names(session.string(session.messages.front().externalId)));
}

} // namespace core
