// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/map_model.h"

#include <QWidget>

#include <array>

class QLabel;

namespace ui {

class FrontView;
class SegmentedControl;

/// The front with selectors for its two metrics.
class FrontPanel final : public QWidget {
    Q_OBJECT

public:
    /// Position of the selectors.
    enum class Choosers { Above, Beside };

    /// Object names are the prefix and `Front`, `FrontUp`, `FrontAcross`.
    FrontPanel(MapModel &model, Choosers place, const QString &prefix, QWidget *parent = nullptr);

    [[nodiscard]] FrontView &view() const { return *m_view; }

private:
    void placeAbove();
    void placeBeside();
    void connectChoosers();
    void applyTheme();

    MapModel &m_model;
    std::array<SegmentedControl *, 2> m_choosers; ///< by index in MapModel::frontMetrics
    QList<QLabel *> m_words;
    FrontView *m_view;
};

} // namespace ui
