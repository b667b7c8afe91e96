// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/base/theme.h"

#include <QWidget>

#include <string>

class QLabel;

namespace ui {

class TextSurface;

/// Two texts beside each other, the old one left.
class TextPair final : public QWidget {
    Q_OBJECT

public:
    explicit TextPair(QWidget *parent = nullptr);

    void setTexts(std::string before, std::string after);
    /// One text alone, with its own heading.
    void setText(const QString &heading, std::string text);
    void setTheme(const Theme &theme);

private:
    QLabel *m_beforeWords;
    QLabel *m_afterWords;
    TextSurface *m_before;
    TextSurface *m_after;
};

} // namespace ui
