// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/record_feed.h"

#include <algorithm>
#include <cstring>

namespace core {

size_t LineMark::stopIn(std::string_view bytes, Upto upto)
{
    if (m_begin == 0 && bytes.starts_with(kByteOrderMark))
        m_begin = kByteOrderMark.size();
    m_searched = std::max(m_searched, m_begin);
    if (upto == Upto::End)
        return bytes.size();
    const void *hit
        = m_searched < bytes.size() ? ::memrchr(bytes.data() + m_searched, '\n', bytes.size() - m_searched) : nullptr;
    m_searched = std::max(m_searched, bytes.size());
    return hit != nullptr ? static_cast<size_t>(static_cast<const char *>(hit) - bytes.data()) + 1 : m_begin;
}

bool RecordFeed::read(const ReadContext &context, Upto upto, const std::function<void(double)> &afterSome)
{
    constexpr uint64_t kReportEvery = 256U << 10U;
    /// Bytes of the source that are held at once, unless a line is longer.
    constexpr size_t kHeld = 512U << 10U;
    const SourcePtr holder = m_builder.session().sources[m_source.index()];
    const size_t stop = m_mark.stopIn(holder->bytes(), upto);
    const std::string_view bytes = holder->bytes().substr(0, stop);
    SourceHold hold(*holder);
    const size_t first = m_mark.begin();
    size_t held = 0; // held up to here
    uint64_t reportAt = first + kReportEvery;
    while (m_mark.begin() < stop) {
        const size_t begin = m_mark.begin();
        const size_t end = endOfLine(bytes, begin);
        if (end > held) {
            held = std::max(end, std::min(begin + kHeld, stop));
            hold.hold(bytes.substr(begin, held - begin));
        }
        m_reader.readLine(bytes.substr(begin, end - begin), m_mark.count() + 1);
        m_mark.moveTo(std::min(end + 1, stop));
        m_mark.addLines(1);
        if (m_mark.begin() >= reportAt) {
            if (context.isCancelled())
                return false;
            reportAt = m_mark.begin() + kReportEvery;
            const double share = static_cast<double>(m_mark.begin() - first) / static_cast<double>(stop - first);
            context.setFraction(share);
            if (afterSome)
                afterSome(share);
        }
    }
    m_reader.endsWithLine(m_mark.count());
    return !context.isCancelled();
}

bool forEachRecord(SessionBuilder &builder, SourceId source, const ReadContext &context, const RecordVisitor &visit)
{
    return RecordFeed(builder, source, visit).read(context, Upto::End);
}

} // namespace core
