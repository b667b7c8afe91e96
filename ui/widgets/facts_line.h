// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QWidget>

#include <vector>

namespace ui {

/// One line of text in several styles. Text that does not fit is elided at its end; the text at the right keeps its
/// room. The full line is the accessible name and, if elided, the tool tip.
class FactsLine final : public QWidget {
    Q_OBJECT

public:
    enum class Voice : uint8_t { Strong, Plain, Secondary, Figure, Hot };
    struct Part {
        QString text;
        Voice voice = Voice::Plain;
        friend bool operator==(const Part &, const Part &) = default;
    };

    explicit FactsLine(QWidget *parent = nullptr);

    void setParts(std::vector<Part> parts, std::vector<Part> right = {});
    void setTheme(const Theme &theme);
    [[nodiscard]] QString text() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] static QFont fontOf(Voice voice);
    [[nodiscard]] QColor colourOf(Voice voice) const;
    [[nodiscard]] double widthOf(const std::vector<Part> &parts) const;

    std::vector<Part> m_parts;
    std::vector<Part> m_right;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
