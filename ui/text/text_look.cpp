// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_look.h"

#include "ui/look/match_look.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {

namespace {

constexpr double kLegible = 4.5;

double luminance(const QColor &colour)
{
    const auto linear = [](float channel) {
        return channel <= 0.04045F ? channel / 12.92 : std::pow((static_cast<double>(channel) + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

/// The 256 colours of xterm; the first 16 as most terminals show them today.
QColor indexedColour(uint8_t index)
{
    static constexpr std::array<QRgb, 16> kNamed { 0x000000, 0xc23621, 0x25a05b, 0xb58900, 0x3b6fd4, 0xa347ba, 0x1b9aaa,
        0xc7c7c7, 0x686868, 0xef5b4c, 0x4cc47c, 0xd9b53a, 0x6c9df2, 0xcf7fe0, 0x55c8d6, 0xffffff };
    if (index < 16)
        return QColor::fromRgb(kNamed[index]);
    if (index >= 232) {
        const int grey = 8 + (index - 232) * 10;
        return { grey, grey, grey };
    }
    const auto level = [](int step) { return step == 0 ? 0 : 55 + step * 40; };
    const int cube = index - 16;
    return { level(cube / 36), level(cube / 6 % 6), level(cube % 6) };
}

QColor colourOf(const AnsiColour &colour)
{
    switch (colour.kind) {
    case AnsiColour::Kind::Default:
        return {};
    case AnsiColour::Kind::Indexed:
        return indexedColour(colour.index);
    case AnsiColour::Kind::True:
        return { colour.red, colour.green, colour.blue };
    }
    return {};
}

} // namespace

QColor mixed(const QColor &ground, const QColor &over, double share)
{
    const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return { mix(ground.red(), over.red()), mix(ground.green(), over.green()), mix(ground.blue(), over.blue()) };
}

double contrast(const QColor &a, const QColor &b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

QColor legible(const QColor &colour, const QColor &ground)
{
    const QColor target = luminance(ground) > 0.18 ? QColor(Qt::black) : QColor(Qt::white);
    QColor result = colour;
    for (int step = 1; step <= 20 && contrast(result, ground) < kLegible; ++step)
        result = mixed(colour, target, step / 20.0);
    return result;
}

QColor groundOf(MarkRole role, const Theme &theme)
{
    const bool isDark = theme.appearance == Appearance::Dark;
    const QColor &added = theme.of(core::Material::Bulk);
    switch (role) {
    case MarkRole::Match:
        return mixed(theme.base, matchGround(theme), matchGround(theme).alphaF());
    case MarkRole::CurrentMatch:
        return mixed(theme.base, theme.of(core::Material::Arguments), isDark ? 0.62 : 0.9);
    case MarkRole::Trace:
        return mixed(theme.base, theme.accent, 0.25);
    case MarkRole::Added:
        return mixed(theme.base, added, isDark ? 0.28 : 0.3);
    case MarkRole::AddedPart:
        return mixed(theme.base, added, isDark ? 0.6 : 0.75);
    case MarkRole::Removed:
        return mixed(theme.base, theme.hot, isDark ? 0.2 : 0.14);
    case MarkRole::RemovedPart:
        return mixed(theme.base, theme.hot, isDark ? 0.42 : 0.34);
    case MarkRole::Note:
        return mixed(theme.base, theme.of(core::Material::Thinking), isDark ? 0.35 : 0.5);
    }
    return theme.base;
}

TextLook lookOf(const TextStyle &style, const Theme &theme)
{
    TextLook look;
    look.foreground = colourOf(style.foreground);
    look.background = colourOf(style.background);
    if (style.isInverse) {
        std::swap(look.foreground, look.background);
        if (!look.foreground.isValid())
            look.foreground = theme.base;
        if (!look.background.isValid())
            look.background = theme.text;
    }
    const QColor &ground = look.background.isValid() ? look.background : theme.base;
    if (look.foreground.isValid() || look.background.isValid())
        look.foreground = legible(look.foreground.isValid() ? look.foreground : theme.text, ground);
    if (style.isFaint)
        look.foreground = mixed(ground, look.foreground.isValid() ? look.foreground : theme.text, 0.65);
    look.isBold = style.isBold;
    look.isItalic = style.isItalic;
    look.isUnderlined = style.isUnderlined;
    look.isStruck = style.isStruck;
    return look;
}

} // namespace ui
