// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/visible.h"
#include "core/report/markup.h"
#include "core/report/page.h"

#include <algorithm>

namespace core {

namespace {

/// A text of one line between enough backticks; a bar would end a cell of a table.
std::string codeOf(const std::string &text)
{
    const std::string visible = visibleText(text);
    if (visible.find_first_of("`|") != std::string::npos)
        return escapedMarkdown(visible);
    return "`" + visible + "`";
}

/// The longest run of backticks in a text.
size_t longestFence(const std::vector<std::string> &lines)
{
    size_t longest = 0;
    for (const std::string &line : lines) {
        size_t run = 0;
        for (const char c : line) {
            run = c == '`' ? run + 1 : 0;
            longest = std::max(longest, run);
        }
    }
    return longest;
}

class MarkdownWriter final {
public:
    void write(const std::vector<PagePart> &parts)
    {
        for (const PagePart &part : parts)
            std::visit([this](const auto &content) { writeContent(content); }, part.content);
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    static std::string anchorOf(const std::string &anchor)
    {
        return anchor.empty() ? std::string() : "<a id=\"" + escapedMarkup(anchor) + "\"></a>";
    }

    static std::string textOf(const PageText &text)
    {
        std::string made;
        for (const PageSpan &span : text) {
            const bool isBlank = span.text.find_first_not_of(' ') == std::string::npos;
            std::string words = isBlank             ? span.text
                : span.look == PageSpan::Look::Code ? codeOf(span.text)
                                                    : escapedMarkdown(span.text);
            // Blanks at the ends would undo the stars.
            if (span.look == PageSpan::Look::Strong && !isBlank && words.front() != ' ' && words.back() != ' ')
                words.insert(0, "**").append("**");
            made += span.link.empty() ? words : "[" + words + "](#" + span.link + ")";
        }
        return made;
    }

    void writeContent(const PageHeading &heading)
    {
        m_text += std::string(static_cast<size_t>(heading.level), '#') + " " + anchorOf(heading.anchor)
            + escapedMarkdown(heading.text) + "\n\n";
    }
    void writeContent(const PageParagraph &paragraph) { m_text += textOf(paragraph.text) + "\n\n"; }
    void writeContent(const PageList &list)
    {
        writeItems(list.items, 0);
        m_text += "\n";
    }
    void writeItems(const std::vector<PageItem> &items, size_t depth)
    {
        for (const PageItem &item : items) {
            m_text += std::string(2 * depth, ' ') + "* " + textOf(item.text) + "\n";
            writeItems(item.items, depth + 1);
        }
    }
    void writeContent(const PageTable &table)
    {
        std::string rule = "|";
        m_text += "|";
        for (const PageTable::Column &column : table.columns) {
            m_text += " " + escapedMarkdown(column.title) + " |";
            rule += column.isFigure ? " ---: |" : " --- |";
        }
        m_text += "\n" + rule + "\n";
        for (const PageTable::Row &row : table.rows) {
            m_text += "| " + anchorOf(row.anchor);
            for (size_t i = 0; i < row.cells.size(); ++i)
                m_text += (i > 0 ? " | " : "") + textOf(row.cells[i]);
            m_text += " |\n";
        }
        m_text += "\n";
    }
    void writeContent(const PagePicture &picture)
    {
        m_text += "*" + escapedMarkdown(picture.name) + ": the picture is in the report as .html or .svg.*\n\n";
    }
    void writeContent(const PageDiff &diff)
    {
        const std::string fence(std::max<size_t>(3, longestFence(diff.lines) + 1), '`');
        m_text += fence + "diff\n";
        for (const std::string &line : diff.lines) {
            // Tabs stay.
            for (size_t at = 0; at <= line.size();) {
                const size_t tab = std::min(line.find('\t', at), line.size());
                m_text += (at > 0 ? "\t" : "") + visibleText(std::string_view(line).substr(at, tab - at));
                at = tab + 1;
            }
            m_text += "\n";
        }
        m_text += fence + "\n\n";
    }
    void writeContent(const PageFold &fold)
    {
        m_text += anchorOf(fold.anchor) + textOf(fold.title) + "\n\n";
        write(fold.parts);
    }

    std::string m_text;
};

} // namespace

std::string writeMarkdown(const Page &page)
{
    MarkdownWriter writer;
    writer.write(page.parts);
    return writer.take();
}

} // namespace core
