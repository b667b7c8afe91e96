// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/base/theme.h"

#include <QStringList>
#include <QWidget>

namespace ui {

/// A few words in a row of which one is chosen. Arrow keys choose, too.
class SegmentedControl final : public QWidget {
    Q_OBJECT

public:
    explicit SegmentedControl(const QStringList &words, QWidget *parent = nullptr);

    void setWords(const QStringList &words);
    [[nodiscard]] int current() const { return m_current; }
    void setCurrent(int index);
    void setTheme(const Theme &theme);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void chosen(int index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] QRect segmentRect(int index) const;
    void choose(int index);

    QStringList m_words;
    int m_current = 0;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
