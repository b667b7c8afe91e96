// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/page.h"

#include <set>

namespace core {

namespace {

using Visit = std::function<void(PageSpan &span, const std::string &place)>;
using AnchorVisit = std::function<void(const std::string &anchor)>;

/// Calls functions with all spans and anchors of a page.
class PageWalk final {
public:
    PageWalk(Visit visit, AnchorVisit visitAnchor)
        : m_visit(std::move(visit))
        , m_visitAnchor(std::move(visitAnchor))
    {
    }

    void walk(std::vector<PagePart> &parts, const std::string &place) const
    {
        for (PagePart &part : parts) {
            const std::string &here = part.place.empty() ? place : part.place;
            std::visit([&](auto &content) { walkContent(content, here); }, part.content);
        }
    }

private:
    void walkText(PageText &text, const std::string &place) const
    {
        for (PageSpan &span : text)
            m_visit(span, place);
    }
    /// For texts that are not spans.
    void walkPlain(std::string &text, const std::string &place) const
    {
        PageSpan span { std::move(text) };
        m_visit(span, place);
        text = std::move(span.text);
    }
    void walkAnchor(const std::string &anchor) const
    {
        if (!anchor.empty())
            m_visitAnchor(anchor);
    }
    void walkContent(PageHeading &heading, const std::string &place) const
    {
        walkPlain(heading.text, place);
        walkAnchor(heading.anchor);
    }
    void walkContent(PageParagraph &paragraph, const std::string &place) const { walkText(paragraph.text, place); }
    void walkContent(PageList &list, const std::string &place) const { walkItems(list.items, place); }
    void walkItems(std::vector<PageItem> &items, const std::string &place) const
    {
        for (PageItem &item : items) {
            const std::string &here = item.place.empty() ? place : item.place;
            walkText(item.text, here);
            walkItems(item.items, here);
        }
    }
    void walkContent(PageTable &table, const std::string &place) const
    {
        for (PageTable::Row &row : table.rows) {
            for (PageText &cell : row.cells)
                walkText(cell, row.place.empty() ? place : row.place);
            walkAnchor(row.anchor);
        }
    }
    void walkContent(PagePicture & /*picture*/, const std::string & /*place*/) const { }
    void walkContent(PageDiff &diff, const std::string &place) const
    {
        for (std::string &line : diff.lines)
            walkPlain(line, place);
    }
    void walkContent(PageFold &fold, const std::string &place) const
    {
        walkText(fold.title, place);
        walkAnchor(fold.anchor);
        walk(fold.parts, place);
    }

    Visit m_visit;
    AnchorVisit m_visitAnchor;
};

} // namespace

void visitTexts(Page &page, const std::function<void(std::string &text, const std::string &place)> &visit)
{
    visit(page.title, "title");
    PageWalk([&](PageSpan &span, const std::string &place) { visit(span.text, place); }, [](const std::string &) {})
        .walk(page.parts, "head");
}

void resolveLinks(Page &page)
{
    std::set<std::string> anchors;
    PageWalk([](PageSpan &, const std::string &) {}, [&](const std::string &anchor) { anchors.insert(anchor); })
        .walk(page.parts, {});
    PageWalk(
        [&](PageSpan &span, const std::string &) {
            if (!anchors.contains(span.link))
                span.link.clear();
        },
        [](const std::string &) {})
        .walk(page.parts, {});
}

} // namespace core
