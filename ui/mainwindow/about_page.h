// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QDialog>

namespace ui {

/// The name, the version and the licences of the program and of what it is made from. Not modal.
class AboutPage final : public QDialog {
    Q_OBJECT

public:
    explicit AboutPage(QWidget *parent);
};

} // namespace ui
