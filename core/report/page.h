// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace core {

/// A piece of a text with one look. Its text is plain: whoever writes the page escapes it.
struct PageSpan {
    enum class Look : uint8_t { Plain, Strong, Faint, Code, Hot };
    std::string text;
    Look look = Look::Plain;
    std::string link {}; ///< the anchor of another part of the page; dropped if there is none with this name
};
using PageText = std::vector<PageSpan>;

struct PageHeading {
    int level = 2;
    std::string text;
    std::string anchor {};
};
struct PageParagraph {
    PageText text;
};
struct PageItem {
    PageText text;
    std::vector<PageItem> items {};
    std::string place {}; ///< for the review; empty: that of the part
};
struct PageList {
    std::vector<PageItem> items;
};
struct PageTable {
    struct Column {
        std::string title;
        bool isFigure = false; ///< aligned to the right
        bool isWide = false;   ///< holds sentences
    };
    struct Row {
        std::vector<PageText> cells;
        std::string anchor {};
        std::string place {}; ///< for the review: `#42`; empty: that of the part
        double bar = -1;      ///< length of a bar in the last column, 0 to 1; below 0: none
        std::string fill {};  ///< of this bar: the name of a material
    };
    std::vector<Column> columns;
    std::vector<Row> rows;
};
/// A drawing without any text of the session.
struct PagePicture {
    std::string svg;
    std::string name; ///< what it shows, for those who do not see it
};
/// Lines of a patch, each with its first character: `+`, `-`, ` `, `@`.
struct PageDiff {
    std::vector<std::string> lines;
};
struct PagePart;
/// Parts that are folded until somebody opens them.
struct PageFold {
    PageText title;
    std::string anchor {};
    std::vector<PagePart> parts;
};
struct PagePart {
    std::variant<PageHeading, PageParagraph, PageList, PageTable, PagePicture, PageDiff, PageFold> content;
    std::string place {}; ///< for the review; empty: that of the part around it
};

/// One page that `writeHtml` and `writeMarkdown` write.
struct Page {
    std::string title;
    std::vector<PagePart> parts;
};

/// Calls `visit` with each text of the page and the place where it stands.
void visitTexts(Page &page, const std::function<void(std::string &text, const std::string &place)> &visit);
/// Drops links to anchors that the page does not have.
void resolveLinks(Page &page);

/// A whole HTML file that is also well-formed XML. `style` holds the colours (see ui/look/theme_css.h).
[[nodiscard]] std::string writeHtml(const Page &page, const std::string &style);
/// GitHub's Markdown; without the pictures.
[[nodiscard]] std::string writeMarkdown(const Page &page);

} // namespace core
