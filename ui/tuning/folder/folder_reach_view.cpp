// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/folder_reach_view.h"

#include "core/evidence/reach.h"
#include "ui/tuning/map/axis_layout.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kGutter = 52; ///< shares at the left
constexpr int kFoot = 18;   ///< tokens below
constexpr int kEdge = 18;
constexpr int kThin = 90; ///< of 255, of one line among many

const std::array<double, core::kReachSteps> &steps()
{
    static const std::array<double, core::kReachSteps> kSteps = core::reachSteps();
    return kSteps;
}

bool hasCurve(const core::RunSweep &run) { return run.reach.useCount() >= core::ReachSummary::kFewestUses; }

} // namespace

FolderReachView::FolderReachView(FolderModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
{
    setObjectName(u"folderReach"_s);
    setAccessibleName(tr("Distance in tokens from an edit to its old text, in these runs"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    const auto redraw = [this] {
        ++m_changes;
        update();
    };
    connect(&model, &FolderModel::mapChanged, this, redraw);
    for (const auto change : { &FolderModel::mapChanged, &FolderModel::hoverChanged, &FolderModel::markerChanged })
        connect(&model, change, this, [this] {
            m_kept.reset();
            update();
        });
    connect(&model.state(), &ViewState::themeChanged, this, redraw);
}

QRectF FolderReachView::plot() const { return QRectF(rect()).adjusted(kGutter, 6, -kEdge, -kFoot); }

double FolderReachView::xOf(double tokens) const
{
    const QRectF plot = this->plot();
    const double inside = std::clamp(tokens, steps().front(), steps().back());
    return plot.left() + plot.width() * std::log(inside / steps().front()) / std::log(steps().back() / steps().front());
}

double FolderReachView::yOf(double share) const { return plot().bottom() - share * plot().height(); }

std::optional<FolderReachView::Kept> FolderReachView::foundKept() const
{
    const core::SweepSet *set = m_model.set();
    const auto place = m_model.readPlace();
    const auto policy = set != nullptr && place ? m_model.policyAt(*place) : std::nullopt;
    if (!policy)
        return std::nullopt;
    Kept kept { policy->keep.measure, {}, {} };
    for (const core::RunSweep &run : set->runs) {
        const double tokens = kept.keep.tokensIn(run.window);
        if (tokens <= 0 || !hasCurve(run))
            continue;
        kept.tokens.push_back(tokens);
        kept.shares.push_back(run.reach.shareWithin(tokens));
    }
    std::ranges::sort(kept.tokens);
    std::ranges::sort(kept.shares);
    return kept;
}

const FolderReachView::Kept *FolderReachView::kept() const
{
    if (!m_kept)
        m_kept = foundKept();
    return *m_kept ? &**m_kept : nullptr;
}

QString FolderReachView::keepWords() const
{
    const Kept *kept = this->kept();
    if (kept == nullptr)
        return {};
    const QString settings = tr("keep %1").arg(QString::fromStdString(kept->keep.words()));
    if (kept->tokens.empty())
        return tr("%1 here, which is not a number of tokens").arg(settings);
    const auto percent
        = [&](double share) { return QString::number(std::lround(core::quantile(kept->shares, share) * 100)); };
    return tr(
        "%1: contains the text of %2 % of the quotes in the median run. In one of ten runs it contains %3 % or less")
        .arg(settings, percent(0.5), percent(0.1));
}

void FolderReachView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    m_curves.draw(
        painter, rect(), m_changes, m_model.state().theme().base, [this](QPainter &drawing) { paintCurves(drawing); });
    painter.setRenderHint(QPainter::Antialiasing);
    paintKeep(painter);
}

void FolderReachView::paintCurves(QPainter &painter) const
{
    const FolderMapPtr &map = m_model.sweeps().current();
    if (!map)
        return;
    const Theme &theme = m_model.state().theme();
    painter.setRenderHint(QPainter::Antialiasing);
    if (std::ranges::none_of(map->set.runs, hasCurve)) {
        painter.setFont(Theme::textFont(12));
        painter.setPen(theme.secondary);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
            tr("No run has enough quotes for a curve. (A quote: an edit replaces a text that an earlier message "
               "shows.)"));
        return;
    }
    paintAxes(painter);
    const auto lineOf = [this](const auto &shareAt) {
        QPolygonF line;
        for (size_t i = 0; i < steps().size(); ++i)
            line << QPointF(xOf(steps()[i]), yOf(shareAt(i)));
        return line;
    };
    const core::ReachSummary::Spread &spread = map->reach;
    QPolygonF between = lineOf([&](size_t i) { return spread.high[i]; });
    const QPolygonF low = lineOf([&](size_t i) { return spread.low[i]; });
    std::ranges::reverse_copy(low, std::back_inserter(between));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accentGround);
    painter.drawPolygon(between);
    painter.setBrush(Qt::NoBrush);
    QColor thin = theme.secondary;
    thin.setAlpha(kThin);
    painter.setPen(QPen(thin, 1));
    for (const core::RunSweep &run : map->set.runs) {
        if (hasCurve(run))
            painter.drawPolyline(lineOf([&](size_t i) { return run.reach.shareWithin(steps()[i]); }));
    }
    painter.setPen(QPen(theme.accent, 1.8));
    painter.drawPolyline(lineOf([&](size_t i) { return spread.median[i]; }));
    painter.setFont(Theme::textFont(11));
    painter.setPen(theme.secondary);
    painter.drawText(plot().adjusted(0, 0, 0, -4), Qt::AlignRight | Qt::AlignBottom,
        tr("thin: one run; thick: median; band: 10th to 90th percentile"));
}

void FolderReachView::paintAxes(QPainter &painter) const
{
    const Theme &theme = m_model.state().theme();
    const QRectF plot = this->plot();
    painter.setFont(Theme::figureFont(11));
    for (const double share : { 0.0, 0.5, 1.0 }) {
        painter.setPen(QPen(theme.hairline, 1, share > 0 ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(plot.left(), yOf(share)), QPointF(plot.right(), yOf(share)));
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(0, yOf(share) - 7, plot.left() - 7, 14), Qt::AlignRight | Qt::AlignVCenter,
            u"%1%"_s.arg(static_cast<int>(share * 100)));
    }
    for (const double tokens : { 1e3, 2e3, 5e3, 1e4, 2e4, 4e4, 8e4, 1.6e5, 3.2e5 })
        painter.drawText(QRectF(xOf(tokens) - 30, plot.bottom() + 3, 60, kFoot - 3), Qt::AlignCenter,
            QString::fromStdString(shortTokens(tokens)));
}

void FolderReachView::paintKeep(QPainter &painter) const
{
    const Kept *kept = this->kept();
    if (kept == nullptr || kept->tokens.empty())
        return;
    const Theme &theme = m_model.state().theme();
    const QRectF plot = this->plot();
    const double left = xOf(kept->tokens.front());
    const double right = xOf(kept->tokens.back());
    QColor ground = theme.accent;
    ground.setAlpha(kThin / 2);
    painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), ground); // of several windows
    const double x = xOf(core::quantile(kept->tokens, 0.5));
    painter.setPen(QPen(theme.text, 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawEllipse(QPointF(x, yOf(core::quantile(kept->shares, 0.5))), 3.5, 3.5);
    const QString words = tr("keep %1").arg(QString::fromStdString(kept->keep.words()));
    painter.setFont(Theme::strongFont(11));
    const double room = painter.fontMetrics().horizontalAdvance(words) + 8.0;
    const QRectF box(x + room + 8 > plot.right() ? x - room - 4 : x + 4, yOf(0.25) - 8, room, 15);
    QColor behind = theme.base;
    behind.setAlpha(220);
    painter.fillRect(box, behind);
    painter.setPen(theme.accent);
    painter.drawText(box, Qt::AlignCenter, words);
}

} // namespace ui
