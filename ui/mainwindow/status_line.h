// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QObject>

class QLabel;
class QStatusBar;

namespace ui {

/// The status bar. Left: the hovered block, else the current trace, else the current block. Right: the number of slots,
/// and of selected slots. Beside pages that do not show the array it is empty.
class StatusLine final : public QObject {
    Q_OBJECT

public:
    StatusLine(ViewState &state, QStatusBar &bar);

    /// The name of the hovered or current block, or of the current trace.
    [[nodiscard]] QString leftText() const;
    /// Shows a sentence at the left until something else is hovered or chosen. `details` are in its tooltip.
    void say(const QString &sentence, const QString &details = {});
    /// Whether the page shows the array.
    void setShowsArray(bool shows);

private:
    void refresh();
    [[nodiscard]] QString blockWords(core::BlockId shown) const;
    [[nodiscard]] QString selectionWords() const;

    ViewState &m_state;
    QLabel *m_left;
    QLabel *m_right;
    bool m_showsArray = true;
};

} // namespace ui
