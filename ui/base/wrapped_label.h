// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QFont>
#include <QHash>
#include <QLabel>

namespace ui {

/// Plain text in as many lines as it needs. Layouts ask for its height several times each time it changes, and a label
/// breaks its text anew every time: this one remembers.
class WrappedLabel final : public QLabel {
public:
    explicit WrappedLabel(QWidget *parent = nullptr)
        : QLabel(parent)
    {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
    }

    [[nodiscard]] int heightForWidth(int width) const override
    {
        if (m_text != text() || m_font != font() || m_margins != contentsMargins()) {
            m_text = text();
            m_font = font();
            m_margins = contentsMargins();
            m_heights.clear();
        }
        const auto known = m_heights.constFind(width);
        if (known != m_heights.cend())
            return *known;
        return *m_heights.insert(width, QLabel::heightForWidth(width));
    }

private:
    // Of what the heights are, by width.
    mutable QString m_text;
    mutable QFont m_font;
    mutable QMargins m_margins;
    mutable QHash<int, int> m_heights;
};

} // namespace ui
