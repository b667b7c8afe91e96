// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/report_file.h"

#include "ui/array/array_svg.h"
#include "ui/look/theme_css.h"
#include "ui/timeline/timeline_svg.h"

#include <string_view>

namespace ui {

namespace {

/// The two drawings, one below the other, in a file of their own.
std::string svgFile(const core::SessionReport &report)
{
    const std::string array = arraySvg(report, core::PictureLinks::None);
    const std::string timeline = timelineSvg(report, core::PictureLinks::None);
    constexpr std::string_view kBegin = "<svg ";
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 400\" width=\"1000\" height=\"400\">\n<style>"
        + themeCss() + pictureCss() + "</style>\n<rect width=\"1000\" height=\"400\" style=\"fill:var(--window)\"/>\n"
        + std::string(kBegin) + "y=\"4\" width=\"1000\" height=\"300\" " + timeline.substr(kBegin.size())
        + std::string(kBegin) + "y=\"312\" width=\"1000\" height=\"74\" " + array.substr(kBegin.size()) + "</svg>\n";
}

} // namespace

core::Result<ReportKind> reportKindOf(const std::filesystem::path &file)
{
    const std::string ending = file.extension().string();
    if (ending == ".html" || ending == ".htm")
        return ReportKind::Html;
    if (ending == ".md")
        return ReportKind::Markdown;
    if (ending == ".json")
        return ReportKind::Json;
    if (ending == ".svg")
        return ReportKind::Svg;
    return core::failure(core::ErrorKind::Usage,
        ending == ".png" ? "A report is no .png; `palimpsest shoot` writes pictures of the views."
                         : "The file of a report ends in .html, .md, .json or .svg.",
        file.string());
}

std::string reportText(
    const core::SessionReport &report, ReportKind kind, core::ReportTexts texts, core::Redaction &redaction)
{
    if (kind == ReportKind::Json)
        return core::jsonText(core::reportJson(report, texts, redaction)) + "\n";
    if (kind == ReportKind::Svg)
        return svgFile(report);
    const core::ReportPictures pictures { timelineSvg(report, core::PictureLinks::ToRows),
        arraySvg(report, core::PictureLinks::ToRows) };
    const core::Page page = core::pageOf(report, texts, pictures, redaction);
    return kind == ReportKind::Markdown ? core::writeMarkdown(page) : core::writeHtml(page, themeCss() + pictureCss());
}

} // namespace ui
