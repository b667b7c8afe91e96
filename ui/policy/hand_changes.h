// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace ui {

/// The line of the policy panel that says how much the user changed by hand, with buttons that apply the changes of an
/// earlier window and discard all. Hidden without changes.
class HandChanges final : public QWidget {
    Q_OBJECT

public:
    explicit HandChanges(ViewState &state, QWidget *parent = nullptr);

    /// `your changes: 3 · not in effect`; empty without changes.
    [[nodiscard]] static QString words(const Plan &plan);

private:
    void refresh();
    void applyTheme();

    ViewState &m_state;
    QLabel *m_words;
    QToolButton *m_apply;
    QToolButton *m_discard;
};

} // namespace ui
