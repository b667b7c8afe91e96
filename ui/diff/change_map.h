// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/widgets/painted_accessible.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace ui {

/// The strip at the edge of a diff: its differences true to scale, removed lines left, added lines right, and a frame
/// around the visible part. It scrolls like a scroll bar; each difference is an accessible object.
class ChangeMap final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    /// A range of the whole content, in pixels from its top.
    struct Place {
        double top = 0;
        double bottom = 0;
    };
    struct Bar {
        double top = 0;
        double bottom = 0;
        bool isRemoved = false;
        bool isAdded = false;
        size_t difference = 0;
    };

    explicit ChangeMap(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Bars from top to bottom. `names` returns the accessible name of a difference.
    void setBars(std::vector<Bar> bars, size_t differenceCount, std::function<QString(size_t)> names);
    void setView(double contentHeight, double scrollY, double viewHeight);
    void setCurrent(std::optional<size_t> difference);
    [[nodiscard]] Place placeOf(size_t difference) const { return m_places[difference]; }

    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_places.size()); }
    [[nodiscard]] QString itemName(int item) const override { return m_names(static_cast<size_t>(item)); }
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override { return m_current == static_cast<size_t>(item); }
    void activateItem(int item) override { Q_EMIT chosen(static_cast<size_t>(item)); }

    [[nodiscard]] QSize sizeHint() const override { return { 18, 100 }; }
    /// The frame around the visible part.
    [[nodiscard]] QRectF frame() const;

Q_SIGNALS:
    void scrolled(double scrollY);
    void chosen(size_t difference);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    /// Pixels of the map per pixel of content; 1 if the content is short.
    [[nodiscard]] double scale() const;

    Theme m_theme = Theme::make(Appearance::Light);
    std::vector<Bar> m_bars;
    std::vector<Place> m_places; ///< by difference
    std::function<QString(size_t)> m_names;
    std::optional<size_t> m_current;
    double m_contentHeight = 0;
    double m_scrollY = 0;
    double m_viewHeight = 0;
    double m_grip = 0; ///< distance from the frame's top to the pressed point
};

} // namespace ui
