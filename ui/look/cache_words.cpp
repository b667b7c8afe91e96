// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/cache_words.h"

#include "ui/look/theme.h"

#include <QCoreApplication>

#include <cmath>

namespace ui {

namespace {

QString tr(const char *words) { return QCoreApplication::translate("ui::CacheWords", words); }

QString idleWords(core::Timestamp idle)
{
    constexpr double kHours = 100 * static_cast<double>(core::kMinute); ///< from there on
    const auto minutes = static_cast<double>(idle) / static_cast<double>(core::kMinute);
    return static_cast<double>(idle) < kHours ? tr("idle for %1 min").arg(std::lround(minutes))
                                              : tr("idle for %1 h").arg(std::lround(minutes / 60));
}

} // namespace

QString cacheCauseWords(core::CacheCause cause, std::optional<core::Timestamp> idle)
{
    switch (cause) {
    case core::CacheCause::None:
        return {};
    case core::CacheCause::Idle:
        return idle && *idle >= core::kMinute ? idleWords(*idle) : tr("idle");
    case core::CacheCause::Kept:
        return tr("read more from the cache than the provider's rules promise");
    case core::CacheCause::Others:
        return tr("read what a request outside this session had cached");
    case core::CacheCause::Unknown:
        return tr("cause unknown");
    default:
        return displayText(core::nameOf(cause));
    }
}

} // namespace ui
