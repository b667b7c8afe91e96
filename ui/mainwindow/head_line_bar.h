// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QProgressBar;
class QToolButton;

namespace ui {

/// The line under the menu: a description of the session, one notable fact, and the find field.
class HeadLineBar final : public QWidget {
    Q_OBJECT

public:
    explicit HeadLineBar(ViewState &state, QWidget *parent = nullptr);

    void focusFind();
    /// Clears the field; false if it was empty already.
    bool clearFind();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void refreshMatches();
    void applyTheme();

    ViewState &m_state;
    QLineEdit *m_find;
    QLabel *m_matches;
    QString m_harness;
    QString m_facts;
};

} // namespace ui
