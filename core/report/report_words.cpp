// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/report_words.h"

#include "core/base/counted.h"
#include "core/report/loss_report.h"

namespace core {

std::string compactionWords(std::span<const CompactionLoss> losses)
{
    constexpr size_t kNamed = 6;
    std::string text;
    for (const std::string_view kind : { "compaction", "clearing", "rewind" }) {
        std::string calls;
        size_t count = 0;
        for (const CompactionLoss &loss : losses) {
            const std::string_view own = isClearing(loss) ? "clearing"
                : loss.kind == CompactionKind::Rollback   ? "rewind"
                                                          : "compaction";
            if (own != kind)
                continue;
            if (++count <= kNamed && loss.call.isValid())
                calls += (calls.empty() ? "" : ", ") + std::to_string(loss.call.value());
        }
        if (count > 0)
            text += (text.empty() ? "" : " · ") + counted(count, kind)
                + (calls.empty() ? ""
                                 : ", after " + plural(count, "call") + " " + calls + (count > kNamed ? ", …" : ""));
    }
    return text;
}

std::string typedWords(const SessionReport &report)
{
    const InContext &end = report.atEnd;
    if (end.all == 0)
        return {};
    std::string text = counted(end.all, "message") + "; the array at the end holds " + groupedNumber(end.standing)
        + " of them word for word";
    if (!report.shown.position.isEnd())
        text += "; that of call " + std::to_string(report.shown.position.call.value()) + " holds "
            + groupedNumber(report.shown.userMessages.standing) + " of " + groupedNumber(report.shown.userMessages.all);
    return text;
}

} // namespace core
