// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The lane of the provider's cache and of the money below the axis: painting, what is said of it.

#include "core/base/text.h"
#include "core/cache/recorded_requests.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/look/cache_words.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kReadShare = 0.6; ///< opacity of what was read
constexpr double kGroundShare = 0.16;
constexpr double kMiss = 2; ///< pixels
constexpr double kBetween = 28;

/// Recorded calls that tell of a cache whose rules are known: there will be a band once it is found.
bool tellsOfCache(const core::Session &session, core::ThreadIndex thread)
{
    return core::rulesOf(session) && std::ranges::any_of(session.thread(thread).calls, [](const core::Call &call) {
        return call.usage && call.usage->cacheRead + call.usage->cacheWrite > 0;
    });
}

} // namespace

void TimelineView::setShowsCache(bool shows)
{
    if (shows == m_showsCache)
        return;
    m_showsCache = shows;
    noteLanes();
}

size_t TimelineView::bandCount() const
{
    if (!m_showsCache || !m_expectsCache)
        return 0;
    return m_state.workspace().plan().isSimulated() ? 2 : 1;
}

CacheRows TimelineView::cacheRows(const TimelineLayout &layout) const
{
    return { layout.plot().bottom + kAxisHeight, bandCount() };
}

void TimelineView::takeFigures()
{
    const RunFigures &figures = m_state.workspace().figures();
    const auto isOfThis = [this](const core::ReplayGround &ground) {
        return ground.log.session == m_session && ground.log.thread == m_thread
            && ground.callCount() == m_series.callCount();
    };
    m_expectsCache = m_session && !m_series.isEmpty() && tellsOfCache(*m_session, m_thread);
    const core::RecordedFiguresPtr &recorded = figures.recorded();
    const core::PolicyFiguresPtr &policy = figures.policy();
    m_bands[0] = recorded && isOfThis(*recorded->ground) ? CacheBand(*recorded) : CacheBand();
    ++m_bandsChanged;
    m_bands[1] = policy && isOfThis(*policy->replay->ground) ? CacheBand(*policy) : CacheBand();
    noteLanes();
}

void TimelineView::paintCacheLane(QPainter &painter, const TimelineLayout &layout) const
{
    const CacheRows rows = cacheRows(layout);
    if (rows.bands == 0)
        return;
    const Theme &theme = m_state.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    const auto label = [&](const QString &words, double top, double height, const QColor &colour) {
        painter.setFont(Theme::textFont(11));
        painter.setPen(colour);
        painter.drawText(
            QRectF(plot.left - kNameReach, top, kNameReach - 8, height), Qt::AlignRight | Qt::AlignVCenter, words);
    };
    for (size_t band = 0; band < rows.bands; ++band) {
        const double top = rows.topOf(band);
        label(band == 0 ? tr("cache") : tr("policy"), top - 3, CacheRows::kBand + 6,
            band == 0 ? theme.secondary : theme.accent);
    }
    const double x = std::floor(layout.xOf(chosenColumn()));
    if (x >= plot.left && x <= plot.right)
        painter.fillRect(QRectF(x, rows.top, 1, rows.wordsTop() - rows.top), theme.accent);
    if (const QStringList words = moneyWords(plot.right - plot.left); !words.isEmpty()) {
        label(tr("cost"), rows.wordsTop(), CacheRows::kWords, theme.secondary);
        double left = plot.left;
        for (qsizetype i = 0; i < words.size(); ++i) {
            painter.setFont(Theme::textFont(11));
            painter.setPen(i == 0 ? theme.text : theme.accent);
            const QFontMetricsF metrics(painter.font());
            const QString shown = metrics.elidedText(words[i], Qt::ElideRight, plot.right - left);
            painter.drawText(QRectF(left, rows.wordsTop(), plot.right - left, CacheRows::kWords),
                Qt::AlignLeft | Qt::AlignVCenter, shown);
            left += metrics.horizontalAdvance(shown) + kBetween;
        }
    }
}

void TimelineView::paintBands(QPainter &painter, const TimelineLayout &layout) const
{
    const CacheRows rows = cacheRows(layout);
    for (size_t band = 0; band < rows.bands; ++band)
        paintBand(painter, layout, m_bands[band], rows.topOf(band),
            band == 0 ? m_state.theme().curve : m_state.theme().accent);
}

/// What was read stands as high as its share; a call whose cache was broken has a mark over the whole height.
void TimelineView::paintBand(
    QPainter &painter, const TimelineLayout &layout, const CacheBand &band, double top, const QColor &colour) const
{
    const QColor read = faded(colour, kReadShare);
    const QColor ground = faded(colour, kGroundShare);
    const std::vector<CachePiece> pieces = band.pieces(layout);
    for (const CachePiece &piece : pieces) {
        const double width = std::max(0.0, piece.right - piece.left);
        const double height = CacheRows::kBand * piece.share;
        painter.fillRect(QRectF(piece.left, top, width, CacheRows::kBand - height), ground);
        painter.fillRect(QRectF(piece.left, top + CacheRows::kBand - height, width, height), read);
    }
    for (const CachePiece &piece : pieces) {
        if (piece.hasMiss)
            painter.fillRect(QRectF(std::floor(piece.left), top - 1, kMiss, CacheRows::kBand + 2), m_state.theme().hot);
    }
}

/// The recorded run, then the policy's; with what was read where there is room for it.
QStringList TimelineView::moneyWords(double room) const
{
    const QFontMetricsF metrics(Theme::textFont(11));
    QStringList words;
    for (const bool hasReading : { true, false }) {
        words.clear();
        for (size_t band = 0; band < bandCount(); ++band) {
            if (m_bands[band].isEmpty())
                continue;
            QStringList parts;
            if (!m_bands[band].money().empty())
                parts << displayText(m_bands[band].money());
            if (hasReading || parts.isEmpty())
                parts << displayText(m_bands[band].reading());
            words << (band == 0 ? parts.join(u" · "_s) : tr("policy %1").arg(parts.join(u" · "_s)));
        }
        double width = 0;
        for (const QString &each : words)
            width += metrics.horizontalAdvance(each) + kBetween;
        if (width - kBetween <= room)
            break;
    }
    return words;
}

QString TimelineView::cacheTip(size_t band, size_t column) const
{
    if (band >= bandCount()) {
        QStringList lines;
        for (size_t each = 0; each < bandCount(); ++each) {
            if (!m_bands[each].isEmpty())
                lines << (each == 0 ? tr("recorded: ") : tr("policy: "))
                        + displayText(m_bands[each].money() + (m_bands[each].money().empty() ? "" : " · ")
                            + m_bands[each].reading());
        }
        const QString &problem = m_state.workspace().figures().priceProblem();
        return problem.isEmpty() ? lines.join(u'\n') : (lines << problem).join(u'\n');
    }
    const CachedCall *call = m_bands[band].at(column);
    if (call == nullptr)
        return tr("%1: nothing is known of its cache").arg(nameOf(column));
    QString tip = tr("%1: %2 % of %3 tokens read from the cache")
                      .arg(nameOf(column))
                      .arg(call->share() * 100, 0, 'f', 1)
                      .arg((band == 0 ? QString() : u"~"_s) + wholeNumber(call->prompt));
    if (const QString cause = cacheCauseWords(call->cause, call->idle); !cause.isEmpty())
        tip += u'\n' + (call->isMiss() ? tr("broken: %1").arg(cause) : cause);
    tip += u'\n'
        + (call->cost ? (band == 0 ? QString() : u"~"_s) + displayText(core::dollars(*call->cost))
                      : tr("no price is known of its model"));
    return tip;
}

QString TimelineView::bandName(size_t band) const
{
    const QString run = band == 0 ? tr("cache as recorded") : tr("cache under the policy");
    if (m_bands[band].isEmpty())
        return run;
    const std::string &money = m_bands[band].money();
    const QString reading = run + u", "_s + displayText(m_bands[band].reading());
    return money.empty() ? reading : reading + u", "_s + displayText(money);
}

} // namespace ui
