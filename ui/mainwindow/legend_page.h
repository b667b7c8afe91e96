// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QDialog>

namespace ui {

/// The legend: every colour and mark of the array, the timeline and the lists, drawn by the code that draws them there,
/// each with its name and its meaning. Not modal, so that it can stand beside the picture.
class LegendPage final : public QDialog {
    Q_OBJECT

public:
    LegendPage(const Theme &theme, QWidget *parent);
};

} // namespace ui
