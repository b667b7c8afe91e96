// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/widgets/painted_accessible.h"

#include <QStringList>
#include <QWidget>

namespace ui {

/// A row of words of which one is chosen. If there is little room it shows only the chosen word, with the others in a
/// menu. Arrow keys choose, too.
class SegmentedControl final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    explicit SegmentedControl(const QStringList &words, QWidget *parent = nullptr);

    void setWords(const QStringList &words);
    [[nodiscard]] int current() const { return m_current; }
    void setCurrent(int index);
    /// A word that is off is pale and cannot be chosen.
    void setOff(int index, bool isOff);
    void setTheme(const Theme &theme);
    /// Shows the chosen word only.
    void setCompact(bool isCompact);
    [[nodiscard]] int wideWidth() const;
    [[nodiscard]] int compactWidth() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

    // PaintedItems: the words.
    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_words.size()); }
    [[nodiscard]] QString itemName(int item) const override { return m_words.value(item); }
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override { return item == m_current; }
    void activateItem(int item) override { choose(item); }
    [[nodiscard]] int currentItem() const override { return m_current < itemCount() ? m_current : -1; }

Q_SIGNALS:
    void chosen(int index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;

private:
    [[nodiscard]] QRect segmentRect(int index) const;
    void choose(int index);
    void paintCompact(QPainter &painter) const;
    void openMenu();

    QStringList m_words;
    QList<int> m_off;
    int m_current = 0;
    bool m_isCompact = false;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
