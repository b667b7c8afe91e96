// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/span_recorder.h"

#include <algorithm>
#include <tuple>

namespace core {

void SpanRecorder::set(size_t place, BlockId block, uint32_t call)
{
    if (place >= m_open.size())
        m_open.resize(place + 1);
    Open &open = m_open[place];
    if (open.block == block)
        return;
    if (open.block.isValid() && open.from < call)
        m_spans.push_back({ open.block, open.from, call });
    open = { block, call };
}

void SpanRecorder::truncate(size_t size, uint32_t call)
{
    for (size_t place = size; place < m_open.size(); ++place)
        set(place, {}, call);
    m_open.resize(std::min(m_open.size(), size));
}

std::vector<ContextSpan> SpanRecorder::finish(uint32_t end)
{
    truncate(0, end);
    std::ranges::sort(m_spans, {}, [](const ContextSpan &span) { return std::tuple(span.block.value(), span.from); });
    std::vector<ContextSpan> spans;
    for (const ContextSpan &each : m_spans) {
        if (!spans.empty() && spans.back().block == each.block && spans.back().to >= each.from)
            spans.back().to = std::max(spans.back().to, each.to);
        else
            spans.push_back(each);
    }
    m_spans.clear();
    return spans;
}

} // namespace core
