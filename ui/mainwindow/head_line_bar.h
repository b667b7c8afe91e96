// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace ui {

/// The line under the menu: a description of the session, one notable fact, and the find field. The number of user
/// messages in context is a link.
class HeadLineBar final : public QWidget {
    Q_OBJECT

public:
    explicit HeadLineBar(ViewState &state, QWidget *parent = nullptr);

    void focusFind();
    /// Clears the field; false if it was empty already.
    bool clearFind();

Q_SIGNALS:
    /// Asks the window to list the messages that the user typed.
    void typedMessagesRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void refresh();
    void refreshMatches();
    void applyTheme();
    /// The facts that fit, and their place.
    [[nodiscard]] QString shownFacts() const;
    [[nodiscard]] QRect factsRect() const;
    void placeLink();

    ViewState &m_state;
    QLineEdit *m_find;
    QLabel *m_matches;
    QToolButton *m_link; ///< a part of the facts, over their place
    QString m_harness;
    QString m_facts;
};

} // namespace ui
