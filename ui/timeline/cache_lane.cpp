// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/cache_lane.h"

#include "core/base/text.h"
#include "ui/files/settings.h"
#include "ui/hub/run_figures.h"
#include "ui/look/cache_words.h"
#include "ui/look/shaped_words.h"
#include "ui/timeline/lane_places.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kReadShare = 0.6; ///< opacity of the part that was read
constexpr double kGroundShare = 0.16;
constexpr double kMiss = 2; ///< pixels
constexpr double kBetweenRuns = 28;
constexpr double kLeastWords = 90; ///< for the words of a run that do not fit

} // namespace

void CacheLane::paintBands(QPainter &painter, const TimelineLayout &layout, const CacheRows &rows) const
{
    for (size_t band = 0; band < rows.bands; ++band)
        paintBand(painter, layout, band, rows.topOf(band));
}

/// The part that was read is as high as its share of the prompt. A broken cache is a mark over the whole height.
void CacheLane::paintBand(QPainter &painter, const TimelineLayout &layout, size_t band, double top) const
{
    const Theme &theme = m_content.theme();
    const QColor colour = band == 0 ? theme.curve : theme.accent;
    const QColor read = faded(colour, kReadShare);
    const QColor ground = faded(colour, kGroundShare);
    const std::vector<CachePiece> pieces = m_content.band(band).pieces(layout);
    for (const CachePiece &piece : pieces) {
        const double width = std::max(0.0, piece.right - piece.left);
        const double height = CacheRows::kBand * piece.share;
        painter.fillRect(QRectF(piece.left, top, width, CacheRows::kBand - height), ground);
        painter.fillRect(QRectF(piece.left, top + CacheRows::kBand - height, width, height), read);
    }
    for (const CachePiece &piece : pieces) {
        if (piece.hasMiss)
            painter.fillRect(QRectF(std::floor(piece.left), top - 1, kMiss, CacheRows::kBand + 2), theme.hot);
    }
}

void CacheLane::paint(QPainter &painter, const TimelineLayout &layout, const CacheRows &rows) const
{
    if (rows.bands == 0)
        return;
    const Theme &theme = m_content.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    const auto label = [&](const QString &words, double top, double height, const QColor &colour) {
        painter.setFont(Theme::textFont(11));
        painter.setPen(colour);
        drawWords(painter, laneNamePlace(plot, top, height), Qt::AlignRight | Qt::AlignVCenter, words);
    };
    for (size_t band = 0; band < rows.bands; ++band) {
        const double top = rows.topOf(band);
        label(band == 0 ? tr("cache") : tr("policy"), top - 3, CacheRows::kBand + 6,
            band == 0 ? theme.secondary : theme.accent);
    }
    painter.fillRect(chosenLine(layout, m_content.chosenColumn(), rows.top, rows.wordsTop()), theme.accent);
    if (const QStringList words = moneyWords(plot.right - plot.left); !words.isEmpty()) {
        label(tr("cost"), rows.wordsTop(), CacheRows::kWords, theme.secondary);
        double left = plot.left;
        painter.setFont(Theme::textFont(11));
        double others = 0; // the recorded words are the longest and lose their end first
        for (qsizetype i = 1; i < words.size(); ++i)
            others += QFontMetricsF(painter.font()).horizontalAdvance(words[i]) + kBetweenRuns;
        for (qsizetype i = 0; i < words.size(); ++i) {
            painter.setPen(i == 0 ? theme.text : theme.accent);
            const QFontMetricsF metrics(painter.font());
            const double room = plot.right - left;
            if (i > 0 && room < kLeastWords && metrics.horizontalAdvance(words[i]) > room)
                break; // a few letters tell nothing
            const bool isForAll = i > 0 || room - others < kLeastWords;
            const QString shown = metrics.elidedText(words[i], Qt::ElideRight, isForAll ? room : room - others);
            drawWords(painter, QRectF(left, rows.wordsTop(), room, CacheRows::kWords), Qt::AlignLeft | Qt::AlignVCenter,
                shown);
            left += metrics.horizontalAdvance(shown) + kBetweenRuns;
        }
    }
}

bool CacheLane::isCompared() const { return m_content.bandCount() > 1 && !m_content.band(1).isEmpty(); }

QStringList CacheLane::moneyWords(double room) const
{
    const QFontMetricsF metrics(Theme::textFont(11));
    QStringList words;
    for (const bool hasReading : { true, false }) {
        words.clear();
        for (size_t i = 0; i < m_content.bandCount(); ++i) {
            const CacheBand &band = m_content.band(i);
            if (band.isEmpty())
                continue;
            // Like stands beside like.
            const std::string &money = isCompared() ? band.comparedMoney() : band.money();
            QStringList parts;
            if (!money.empty())
                parts << displayText(money);
            if (hasReading || parts.isEmpty())
                parts << displayText(isCompared() ? band.comparedReading() : band.reading());
            words << (i == 0 ? parts.join(u" · "_s) : tr("policy %1").arg(parts.join(u" · "_s)));
        }
        double width = 0;
        for (const QString &each : words)
            width += metrics.horizontalAdvance(each) + kBetweenRuns;
        if (width - kBetweenRuns <= room)
            break;
    }
    return words;
}

QString CacheLane::tip(size_t band, size_t column) const
{
    if (band >= m_content.bandCount())
        return runsTip();
    const CachedCall *call = m_content.band(band).at(column);
    if (call == nullptr)
        return tr("%1: cache use unknown").arg(m_content.nameOf(column));
    const QString about = band == 0 ? QString() : u"~"_s; // a policy's figures are estimates
    QString tip = tr("%1: %2 % of %3 tokens read from the cache")
                      .arg(m_content.nameOf(column))
                      .arg(call->share() * 100, 0, 'f', 1)
                      .arg(about + wholeNumber(call->prompt));
    if (const QString cause = cacheCauseWords(call->cause, call->idle); !cause.isEmpty())
        tip += u'\n' + (call->isMiss() ? tr("broken: %1").arg(cause) : cause);
    return tip + u'\n'
        + (call->cost ? about + displayText(core::dollars(*call->cost)) : tr("price of its model unknown"));
}

QString CacheLane::runsTip() const
{
    QStringList lines;
    for (size_t i = 0; i < m_content.bandCount(); ++i) {
        const CacheBand &band = m_content.band(i);
        const auto add = [&](const QString &name, const std::string &money, const std::string &reading) {
            lines << name + (money.empty() ? QString() : displayText(money) + u" · "_s) + displayText(reading);
        };
        if (band.isEmpty())
            continue;
        add(i == 0 ? tr("recorded: ") : tr("policy: "), band.money(), band.reading());
        if (i == 0 && isCompared())
            add(tr("recorded, computed like the policy: "), band.comparedMoney(), band.comparedReading());
    }
    const RunFigures &figures = m_content.state().workspace().figures();
    if (figures.recorded() && figures.recorded()->run.unpricedCalls > 0)
        lines << tr("Prices of more models can be given in %1.").arg(ownPricesFile());
    const QString &problem = figures.priceProblem();
    return problem.isEmpty() ? lines.join(u'\n') : (lines << problem).join(u'\n');
}

QString CacheLane::nameOf(size_t band) const
{
    QString run = band == 0 ? tr("cache as recorded") : tr("cache under the policy");
    if (m_content.band(band).isEmpty())
        return run;
    const std::string &money = m_content.band(band).money();
    const QString reading = run + u", "_s + displayText(m_content.band(band).reading());
    return money.empty() ? reading : reading + u", "_s + displayText(money);
}

} // namespace ui
