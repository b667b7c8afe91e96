// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/reader.h"

#include <algorithm>

namespace core {

void Publisher::publishIfDue(const Publish &publish, Reader &reader)
{
    if (!publish)
        return;
    const auto now = Clock::now();
    if (now - m_last < std::max<Clock::duration>(std::chrono::milliseconds(100), m_cost * 10))
        return;
    if (const auto snapshot = reader.snapshot())
        publish(*snapshot);
    m_last = Clock::now();
    m_cost = m_last - now;
}

Result<void> WholeReader::append(const SourcePtr &source)
{
    m_context.source = source;
    return {};
}

Result<SessionPtr> WholeReader::snapshot()
{
    ReadContext context = m_context;
    context.publish = {};
    const auto session = m_read(context);
    if (!session)
        return session;
    auto provisional = std::make_shared<Session>(**session);
    provisional->isComplete = false;
    return provisional;
}

} // namespace core
