// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/theme.h"

#include "core/base/text.h"
#include "core/base/visible.h"

namespace ui {

using core::Material;

Theme Theme::make(Appearance appearance)
{
    const bool isDark = appearance == Appearance::Dark;
    const auto pick
        = [&](const char *light, const char *dark) { return QColor(QLatin1StringView(isDark ? dark : light)); };
    Theme theme;
    theme.appearance = appearance;
    theme.window = pick("#f5f4f1", "#1b1c1e");
    theme.base = pick("#ffffff", "#232427");
    theme.text = pick("#1f2023", "#e7e5e1");
    theme.secondary = pick("#686a6f", "#9a9ca1");
    theme.hairline = pick("#dcd9d3", "#393b3f");
    theme.accent = pick("#2f66d0", "#7aa5ff");
    theme.accentGround = pick("#e4ecfb", "#27344f");
    theme.hot = pick("#b3261e", "#ff8a80");
    theme.onFill = pick("#1f2023", "#f7f6f4");
    theme.onFillSecondary = pick("#3d3f42", "#eae8e5");
    theme.curve = pick("#1f2023", "#e7e5e1");
    theme.curveGround = pick("#e8eaee", "#2c2e33");
    // Any two differ by at least 10 (CIE 1976), also to eyes that lack one kind of cones.
    const auto set = [&](Material material, const char *light, const char *dark) {
        theme.materials[static_cast<size_t>(material)] = pick(light, dark);
    };
    set(Material::Prose, "#e1e3dc", "#514d4a");
    set(Material::ToolRequest, "#c9c2bb", "#6b6864");
    set(Material::Bulk, "#7ab698", "#356745");
    set(Material::Arguments, "#e6a381", "#98502e");
    set(Material::Thinking, "#eed1f7", "#5e4e93");
    set(Material::Image, "#7cbddc", "#316e8f");
    set(Material::System, "#b9c4d0", "#586775");
    set(Material::Summary, "#ecc97c", "#86630f");
    return theme;
}

Appearance Theme::appearanceOf(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? Appearance::Dark : Appearance::Light;
}

QPalette Theme::palette() const
{
    QPalette palette(window);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, window);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Button, window);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, hot);
    palette.setColor(QPalette::Highlight, accentGround);
    palette.setColor(QPalette::HighlightedText, text);
    palette.setColor(QPalette::Accent, accent);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::PlaceholderText, secondary);
    palette.setColor(QPalette::ToolTipBase, base);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Light, base);
    palette.setColor(QPalette::Midlight, hairline);
    palette.setColor(QPalette::Mid, hairline);
    palette.setColor(QPalette::Dark, secondary);
    for (const auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        palette.setColor(QPalette::Disabled, role, secondary);
    return palette;
}

namespace {

QFont familyFont(const QStringList &families, QFont::StyleHint hint, int pixels)
{
    QFont font;
    font.setFamilies(families);
    font.setStyleHint(hint);
    font.setPixelSize(pixels);
    return font;
}

} // namespace

QString Theme::headerStyle(int first) const
{
    using namespace Qt::StringLiterals;
    return u"QHeaderView { background: %1; border: none; } QHeaderView::section { background: %1; color: %2; border: "
           u"none; "
           "border-bottom: 1px solid %3; padding: 3px 10px; } QHeaderView::section:first { padding-left: %4px; }"_s
               .arg(base.name(), secondary.name(), hairline.name())
               .arg(first);
}

QFont Theme::textFont(int pixels)
{
    using namespace Qt::StringLiterals;
    return familyFont({ u"Inter"_s, u"Noto Sans"_s }, QFont::SansSerif, pixels);
}

QFont Theme::strongFont(int pixels)
{
    QFont font = textFont(pixels);
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont Theme::figureFont(int pixels)
{
    using namespace Qt::StringLiterals;
    return familyFont({ u"Noto Sans Mono"_s, u"DejaVu Sans Mono"_s }, QFont::Monospace, pixels);
}

QColor faded(QColor colour, double opacity)
{
    colour.setAlphaF(static_cast<float>(opacity));
    return colour;
}

QColor blended(const QColor &a, const QColor &b, double share)
{
    const auto mix = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return { mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()) };
}

QString displayText(std::string_view utf8)
{
    const std::string visible = core::visibleText(utf8);
    return QString::fromUtf8(visible.data(), static_cast<qsizetype>(visible.size()));
}

QString groupedText(uint64_t number) { return QString::fromStdString(core::groupedNumber(number)); }

QString signedFigure(QChar sign, const QString &figure)
{
    return (figure.startsWith(u'~') ? sign + QString(QChar::Nbsp) : QString(sign)) + figure;
}

QString wholeNumber(double value)
{
    return displayText(core::groupedNumber(static_cast<uint64_t>(std::llround(std::max(0.0, value)))));
}

QString toolTipText(const QString &words)
{
    using namespace Qt::StringLiterals;
    return words.isEmpty() ? QString() : u"<p style='white-space: pre-wrap'>"_s + words.toHtmlEscaped() + u"</p>"_s;
}

QString counted(size_t count, const QString &one, const QString &many)
{
    return displayText(core::groupedNumber(count)) + u' ' + (count == 1 ? one : many);
}

} // namespace ui
