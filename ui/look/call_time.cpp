// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/call_time.h"

#include <QDateTime>

#include <cstdlib>

namespace ui {

using namespace Qt::StringLiterals;

bool spansDays(const core::Thread &thread)
{
    constexpr int64_t kDay = 24LL * 3600 * 1000;
    const auto day = [](core::Timestamp time) { return QDateTime::fromMSecsSinceEpoch(time).date(); };
    std::optional<core::Timestamp> first;
    for (const core::Call &call : thread.calls) {
        if (!call.time)
            continue;
        first = first.value_or(*call.time);
        if (std::abs(*call.time - *first) >= kDay || day(*call.time) != day(*first))
            return true;
    }
    return false;
}

QString callTimeText(const core::Call &call, bool withDay)
{
    if (!call.time)
        return {};
    return QDateTime::fromMSecsSinceEpoch(*call.time).toString(withDay ? u"MM-dd hh:mm:ss"_s : u"hh:mm:ss"_s);
}

} // namespace ui
