// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/settings/swept_settings.h"
#include "ui/widgets/segmented_control.h"

#include <QWidget>

#include <array>

class QLabel;

namespace ui {

class Workspace;

/// A row with selectors for the two settings of a map: `across keep up trigger`.
class SettingChoosers final : public QWidget {
    Q_OBJECT

public:
    /// The selectors' object names are the prefix and `X` or `Y`.
    SettingChoosers(SweptSettings &settings, Workspace &workspace, const QString &prefix, QWidget *parent = nullptr);

    void setWordsShown(bool areShown);
    void setChooserWidth(int width);
    void applyTheme(const Theme &theme);
    /// The last widget in tab order.
    [[nodiscard]] QWidget *last() const { return m_choosers.back(); }

private:
    void refresh();

    SweptSettings &m_settings;
    std::array<QLabel *, 2> m_words;
    std::array<SegmentedControl *, 2> m_choosers; ///< by SweptSettings::Axis
};

/// A selector that shows the chosen word and opens a list.
[[nodiscard]] SegmentedControl *compactChooser(
    const QString &objectName, const QString &accessibleName, QWidget *parent);

} // namespace ui
