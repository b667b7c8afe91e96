// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace core {
struct BetterPolicy;
}

namespace ui {

class BetterPolicySearch;

/// Offers the search for a better policy, and says what it found: first the answer, the rest on demand. One button
/// starts and stops; its tooltip says what the search needs. Another button applies the policy that the answer names.
class BetterPolicyBar final : public QWidget {
    Q_OBJECT

public:
    explicit BetterPolicyBar(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] QToolButton *button() const { return m_start; }
    /// Whether the bar says what a search needs as long as there is nothing else to say.
    void setNeedShown(bool isShown);

private:
    /// Where to give the prices that the answer lacks; empty if it has all.
    [[nodiscard]] static QString priceWords(const core::BetterPolicy &found);
    void refresh();
    void applyTheme();

    ViewState &m_state;
    BetterPolicySearch &m_search;
    bool m_isNeedShown = false;
    QToolButton *m_start; ///< the owner places it
    QLabel *m_words;
    QToolButton *m_more; ///< shows the sentences behind the answer
    QToolButton *m_take;
};

} // namespace ui
