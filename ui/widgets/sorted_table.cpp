// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/widgets/sorted_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QProxyStyle>
#include <QTreeView>

#include <array>

namespace ui {

namespace {

constexpr double kHalfWidth = 4; ///< of the arrow, in pixels
constexpr double kHalfHeight = 2.5;

class SortArrowStyle final : public QProxyStyle {
public:
    void drawPrimitive(
        PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override
    {
        const auto *header = qobject_cast<const QHeaderView *>(widget);
        if (element != PE_IndicatorHeaderArrow || header == nullptr) {
            QProxyStyle::drawPrimitive(element, option, painter, widget);
            return;
        }
        const double tip = header->sortIndicatorOrder() == Qt::AscendingOrder ? -kHalfHeight : kHalfHeight;
        const QPointF middle = QRectF(option->rect).center();
        const std::array<QPointF, 3> corners { middle + QPointF(0, tip), middle + QPointF(kHalfWidth, -tip),
            middle + QPointF(-kHalfWidth, -tip) };
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(header->palette().color(QPalette::PlaceholderText));
        painter->drawPolygon(corners.data(), static_cast<int>(corners.size()));
        painter->restore();
    }
};

} // namespace

void makeSortable(QTreeView &table)
{
    auto *style = new SortArrowStyle;
    style->setParent(table.header());
    table.header()->setStyle(style);
    table.setSortingEnabled(true);
    QObject::connect(table.header(), &QHeaderView::sortIndicatorChanged, &table, &QTreeView::scrollToTop);
}

} // namespace ui
