// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/request_log.h"

#include "core/session/format_traits.h"
#include "core/session/request_threads.h"

namespace core {

class RequestLog::Private final {
public:
    explicit Private(SessionBuilder &builder)
        : m_builder(builder)
    {
    }

    void add(RequestDraft request)
    {
        requests::prepare(request, m_builder);
        const uint32_t prelude = m_preludes.add(request, m_builder);
        m_branches.add(request, prelude, m_builder.session().traits->mergesUsers());
    }

    void finish() { requests::writeThreads(m_branches.all(), m_pool, m_preludes, m_builder); }

private:
    SessionBuilder &m_builder;
    requests::Pool m_pool;
    requests::Preludes m_preludes;
    requests::Branches m_branches { m_pool, m_preludes };
};

RequestLog::RequestLog(SessionBuilder &builder)
    : m_private(std::make_unique<Private>(builder))
{
}

RequestLog::~RequestLog() = default;

void RequestLog::add(RequestDraft request) { m_private->add(std::move(request)); }

void RequestLog::finish() { m_private->finish(); }

} // namespace core
