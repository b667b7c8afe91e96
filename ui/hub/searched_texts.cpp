// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/searched_texts.h"

#include "ui/hub/session_search.h"

namespace ui {

std::vector<core::Needle> textsOf(const core::Query &query)
{
    std::vector<core::Needle> texts;
    for (const core::QueryTerm &term : query.terms) {
        if (term.key == core::QueryTerm::Key::Text && !term.isNegated)
            texts.push_back(*term.needle);
    }
    return texts;
}

std::vector<core::TextPlace> placesOf(std::span<const core::Needle> texts, std::string_view text)
{
    std::vector<core::TextPlace> places;
    for (const core::Needle &needle : texts) {
        for (auto place = needle.find(text); place; place = needle.find(text, place->end))
            places.push_back(*place);
    }
    return places;
}

std::optional<std::vector<core::Needle>> searchedTexts(const SessionSearch &search)
{
    const auto query = core::parseQuery(search.line().toStdString());
    return query ? std::optional(textsOf(*query)) : std::nullopt;
}

} // namespace ui
