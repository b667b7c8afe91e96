// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/theme_css.h"

#include "core/base/format.h"
#include "ui/look/theme.h"

namespace ui {

namespace {

std::string variablesOf(Appearance appearance)
{
    const Theme theme = Theme::make(appearance);
    const double diff = appearance == Appearance::Dark ? 0.3 : 0.28;
    const std::pair<const char *, QColor> colours[]
        = { { "window", theme.window }, { "base", theme.base }, { "text", theme.text },
              { "secondary", theme.secondary }, { "hairline", theme.hairline }, { "accent", theme.accent },
              { "accent-ground", theme.accentGround }, { "hot", theme.hot }, { "curve", theme.curve },
              { "curve-ground", theme.curveGround }, { "estimated", blended(theme.base, theme.curveGround, 0.5) },
              { "added", blended(theme.base, theme.of(core::Material::Bulk), diff) },
              { "removed", blended(theme.base, theme.of(core::Material::Arguments), diff) } };
    std::string text;
    for (const auto &[name, colour] : colours)
        text += core::formatted("--{}:{};", name, colour.name().toStdString());
    for (size_t i = 0; i < core::kMaterialCount; ++i)
        text += core::formatted("--m{}:{};", i, theme.materials[i].name().toStdString());
    return text;
}

} // namespace

std::string themeCss()
{
    const std::string light = variablesOf(Appearance::Light);
    return ":root{color-scheme:light dark;" + light + "}\n@media screen and (prefers-color-scheme:dark){:root{"
        + variablesOf(Appearance::Dark) + "}}\n";
}

std::string pictureCss()
{
    return "svg text{font:11px \"Noto Sans Mono\",\"DejaVu Sans Mono\",ui-monospace,monospace;fill:var(--secondary)}\n"
           ".r{text-anchor:end}.c{text-anchor:middle}\n"
           ".grid{stroke:var(--hairline);stroke-dasharray:1 2}.axis{stroke:var(--hairline)}"
           ".win{stroke:var(--secondary);stroke-dasharray:4 3}\n"
           ".ground{fill:var(--curve-ground)}.guess{fill:var(--estimated)}\n"
           ".line{fill:none;stroke:var(--curve);stroke-width:1.2}"
           ".dash{fill:none;stroke:var(--secondary);stroke-dasharray:3 3}.fat{fill:var(--curve)}\n"
           ".drop{stroke:var(--hot);stroke-dasharray:2 2}.mark{fill:var(--base);stroke:var(--hot);stroke-width:1.3}"
           ".markn{fill:var(--hot);font-weight:600}.tri{fill:var(--hot)}.open{fill:var(--base);stroke:var(--hot)}"
           ".arrow{fill:none;stroke:var(--text);stroke-width:1.5}\n"
           ".lost{fill:var(--hot)}.cost{fill:var(--secondary)}\n"
           ".read{fill:var(--curve);fill-opacity:.6}.rest{fill:var(--curve);fill-opacity:.16}"
           ".here{stroke:var(--accent);stroke-width:1.5}\n"
           ".m0{fill:var(--m0)}.m1{fill:var(--m1)}.m2{fill:var(--m2)}.m3{fill:var(--m3)}.m4{fill:var(--m4)}"
           ".m5{fill:var(--m5)}.m6{fill:var(--m6)}.m7{fill:var(--m7)}\n"
           ".slots rect{stroke:var(--base);stroke-width:.6}\n";
}

} // namespace ui
