// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/format.h"
#include "core/report/markup.h"
#include "core/report/page.h"

#include <algorithm>

namespace core {

namespace {

/// Uses the variables of `style`. No `<`, `>` or `&` in here: the file is XML, too.
constexpr std::string_view kPageStyle = R"(
*{box-sizing:border-box}
html{background:var(--window);color:var(--text);font:15px/1.5 Inter,"Noto Sans",system-ui,sans-serif;-webkit-text-size-adjust:100%}
body{max-width:1080px;margin:0 auto;padding:24px 20px 64px}
h1{font-size:24px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:18px;margin:40px 0 8px;padding-top:12px;border-top:1px solid var(--hairline)}
h3{font-size:15px;margin:24px 0 4px}
p{margin:6px 0;max-width:80ch;overflow-wrap:anywhere}
ul{margin:6px 0;padding-left:20px}
li{margin:3px 0;overflow-wrap:anywhere}
ul ul{color:var(--secondary);font-size:14px}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
code{font:13px/1.45 "Noto Sans Mono","DejaVu Sans Mono",ui-monospace,monospace;overflow-wrap:anywhere}
.faint{color:var(--secondary)}
.hot{color:var(--hot)}
.scroll{overflow-x:auto;margin:8px 0;background:var(--base);border:1px solid var(--hairline);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:4px 10px;text-align:left;vertical-align:top;border-bottom:1px solid var(--hairline)}
tr:last-child td{border-bottom:0}
th{color:var(--secondary);font-weight:500;font-size:13px;white-space:nowrap}
.figure{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.words{overflow-wrap:anywhere;min-width:6.5em}
td.wide{min-width:15em}
.facts td.words{min-width:0}
.facts td.words:first-child{width:10em;overflow-wrap:normal}
td.code{white-space:nowrap}
.facts td.code{white-space:normal}
tr:target td,details:target summary,h3:target{background:var(--accent-ground)}
.bar{display:block;height:10px;margin-top:6px;border-radius:2px;min-width:1px}
td.bars{width:22%;min-width:80px}
details{margin:6px 0;background:var(--base);border:1px solid var(--hairline);border-radius:6px}
summary{padding:6px 10px;cursor:pointer;overflow-wrap:anywhere}
details .in{padding:0 10px 8px}
details .scroll{border:0;border-top:1px solid var(--hairline);border-radius:0;margin:0 -10px -8px}
figure{margin:8px 0;overflow-x:auto}
figure svg{display:block;width:100%;min-width:560px;height:auto}
figure svg.slots{min-width:0}
pre{margin:0 -10px -8px;border-top:1px solid var(--hairline);overflow-x:auto;tab-size:4;font:12.5px/1.45 "Noto Sans Mono","DejaVu Sans Mono",ui-monospace,monospace}
pre b{font-weight:400;display:block;padding:0 10px;min-width:max-content}
pre .add{background:var(--added)}
pre .del{background:var(--removed)}
pre .hunk{color:var(--secondary)}
.bar,pre b{print-color-adjust:exact;-webkit-print-color-adjust:exact}
@media (max-width:560px){body{padding:16px 12px 48px}th,td{padding:4px 8px}.facts td.words:first-child{width:7.5em}}
@media print{html{background:none;font-size:11pt}body{max-width:none;padding:0}h2,h3{break-after:avoid}tr,figure,.item{break-inside:avoid}.scroll,figure,pre{overflow:visible}pre b{white-space:pre-wrap;min-width:0}figure svg{min-width:0}a{color:inherit}}
)";

/// Writes the parts of a page, one after the other.
class HtmlWriter final {
public:
    void write(const std::vector<PagePart> &parts)
    {
        for (const PagePart &part : parts)
            std::visit([this](const auto &content) { writeContent(content); }, part.content);
    }
    [[nodiscard]] std::string take() { return std::move(m_html); }

private:
    static std::string idOf(const std::string &anchor)
    {
        return anchor.empty() ? std::string() : " id=\"" + escapedMarkup(anchor) + "\"";
    }

    void writeText(const PageText &text)
    {
        for (const PageSpan &span : text) {
            if (!span.link.empty())
                m_html += "<a href=\"#" + escapedMarkup(span.link) + "\">";
            const std::string words = escapedMarkup(span.text);
            switch (span.look) {
            case PageSpan::Look::Plain:
                m_html += words;
                break;
            case PageSpan::Look::Strong:
                m_html += "<strong>" + words + "</strong>";
                break;
            case PageSpan::Look::Faint:
                m_html += "<span class=\"faint\">" + words + "</span>";
                break;
            case PageSpan::Look::Code:
                m_html += "<code>" + words + "</code>";
                break;
            case PageSpan::Look::Hot:
                m_html += "<span class=\"hot\">" + words + "</span>";
                break;
            }
            if (!span.link.empty())
                m_html += "</a>";
        }
    }

    void writeContent(const PageHeading &heading)
    {
        m_html += formatted(
            "<h{}{}>{}</h{}>\n", heading.level, idOf(heading.anchor), escapedMarkup(heading.text), heading.level);
    }
    void writeContent(const PageParagraph &paragraph)
    {
        m_html += "<p>";
        writeText(paragraph.text);
        m_html += "</p>\n";
    }
    void writeContent(const PageList &list) { writeItems(list.items); }
    void writeItems(const std::vector<PageItem> &items)
    {
        if (items.empty())
            return;
        m_html += "<ul>\n";
        for (const PageItem &item : items) {
            m_html += "<li>";
            writeText(item.text);
            if (!item.items.empty())
                m_html += "\n";
            writeItems(item.items);
            m_html += "</li>\n";
        }
        m_html += "</ul>\n";
    }
    void writeContent(const PageTable &table)
    {
        bool hasBars = false;
        for (const PageTable::Row &row : table.rows)
            hasBars = hasBars || row.bar >= 0;
        const bool hasHead = std::ranges::any_of(table.columns, [](const auto &each) { return !each.title.empty(); });
        m_html += hasHead ? "<div class=\"scroll\"><table>\n<thead><tr>"
                          : "<div class=\"scroll\"><table class=\"facts\">\n";
        for (const PageTable::Column &column : table.columns) {
            if (hasHead)
                m_html += std::string("<th") + (column.isFigure ? " class=\"figure\">" : ">")
                    + escapedMarkup(column.title) + "</th>";
        }
        if (hasHead)
            m_html += hasBars ? "<th></th></tr></thead>\n" : "</tr></thead>\n";
        m_html += "<tbody>\n";
        for (const PageTable::Row &row : table.rows)
            writeRow(table, row, hasBars);
        m_html += "</tbody></table></div>\n";
    }
    void writeRow(const PageTable &table, const PageTable::Row &row, bool hasBars)
    {
        m_html += "<tr" + idOf(row.anchor) + ">";
        for (size_t i = 0; i < row.cells.size(); ++i) {
            const PageText &cell = row.cells[i];
            const bool isFigure = i < table.columns.size() && table.columns[i].isFigure;
            const bool isCode = cell.size() == 1 && cell.front().look == PageSpan::Look::Code;
            const bool isWide = i < table.columns.size() && table.columns[i].isWide;
            m_html += isFigure ? "<td class=\"figure\">"
                : isCode       ? "<td class=\"code\">"
                : isWide       ? "<td class=\"words wide\">"
                               : "<td class=\"words\">";
            writeText(cell);
            m_html += "</td>";
        }
        if (hasBars) {
            m_html += "<td class=\"bars\">";
            if (row.bar >= 0)
                m_html += formatted("<span class=\"bar\" style=\"width:{:.2f}%;background:var(--{})\"></span>",
                    row.bar * 100, escapedMarkup(row.fill));
            m_html += "</td>";
        }
        m_html += "</tr>\n";
    }
    void writeContent(const PagePicture &picture)
    {
        m_html
            += "<figure role=\"img\" aria-label=\"" + escapedMarkup(picture.name) + "\">" + picture.svg + "</figure>\n";
    }
    void writeContent(const PageDiff &diff)
    {
        m_html += "<pre>";
        for (const std::string &line : diff.lines) {
            const char first = line.empty() ? ' ' : line.front();
            m_html += first == '+' ? "<b class=\"add\">"
                : first == '-'     ? "<b class=\"del\">"
                : first == '@'     ? "<b class=\"hunk\">"
                                   : "<b>";
            m_html += escapedMarkup(line) + "\n</b>";
        }
        m_html += "</pre>\n";
    }
    void writeContent(const PageFold &fold)
    {
        m_html += "<details" + idOf(fold.anchor) + "><summary>";
        writeText(fold.title);
        m_html += "</summary><div class=\"in\">\n";
        write(fold.parts);
        m_html += "</div></details>\n";
    }

    std::string m_html;
};

} // namespace

std::string writeHtml(const Page &page, const std::string &style)
{
    HtmlWriter writer;
    writer.write(page.parts);
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                       "<meta charset=\"utf-8\"/>\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                       "'unsafe-inline'; img-src data:\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                       "<meta name=\"referrer\" content=\"no-referrer\"/>\n"
                       "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>"
        + escapedMarkup(page.title) + "</title>\n<style>" + style;
    html += kPageStyle;
    html += "</style>\n</head>\n<body>\n" + writer.take();
    return html + "</body>\n</html>\n";
}

} // namespace core
