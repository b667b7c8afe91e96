// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QString>
#include <QToolButton>

namespace ui {

/// Styles a tool button as plain text.
inline void makeWordButton(QToolButton &button, const QString &objectName, const QString &words, const QString &tip)
{
    button.setObjectName(objectName);
    button.setText(words);
    button.setToolTip(tip);
    button.setAutoRaise(true);
    button.setFont(Theme::textFont(12));
}

/// The style of a word button that is a link.
[[nodiscard]] inline QString wordLinkStyle(const Theme &theme)
{
    return QStringLiteral("QToolButton { border: none; padding: 0; background: transparent; color: %1; }"
                          "QToolButton:hover, QToolButton:focus { text-decoration: underline; }")
        .arg(theme.accent.name());
}

} // namespace ui
