// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edit_search.h"

#include "core/base/parallel.h"
#include "ui/diff/compared_texts.h"
#include "ui/diff/diff_matches.h"
#include "ui/edits/edit_diff.h"

#include <algorithm>

namespace ui {

namespace {

using Key = core::QueryTerm::Key;

TextDocumentPtr documentOf(const DiffSide &side)
{
    if (side.document || !side.read)
        return side.document;
    auto read = side.read();
    return read ? *std::move(read) : nullptr;
}

/// Finds texts in one edit. What is costly is read when it is first asked for.
class EditTexts final {
public:
    EditTexts(const FoundEditsPtr &found, size_t edit, const core::Progress *progress)
        : m_found(found)
        , m_edit(edit)
        , m_progress(progress)
    {
    }

    [[nodiscard]] bool contain(const core::Needle &needle)
    {
        return needle.find(m_found->edit(m_edit).path).has_value() || isInCall(needle) || isInDiff(needle);
    }

private:
    [[nodiscard]] bool isInCall(const core::Needle &needle)
    {
        if (m_found->isOutside(m_edit))
            return false;
        const core::Session &session = *m_found->edits.session;
        const core::Block &call = session.block(m_found->blockOf(m_edit));
        if (!m_call)
            m_call = core::isSearchable(call) ? session.text(call.body) : std::string();
        return needle.find(*m_call) || needle.find(session.string(call.name))
            || needle.find(session.string(call.subject));
    }

    [[nodiscard]] bool isInDiff(const core::Needle &needle)
    {
        if (!m_hasDocuments) {
            m_hasDocuments = true;
            m_order.input = diffOf(m_found, m_edit, EditScope::Edit);
            m_order.known.before = documentOf(m_order.input.before);
            m_order.known.after = documentOf(m_order.input.after);
        }
        const auto has = [&](const TextDocumentPtr &text) { return text && needle.find(text->bytes()).has_value(); };
        if (!has(m_order.known.before) && !has(m_order.known.after))
            return false;
        if (!m_order.known.diff)
            m_order.known = compareTexts(m_order, m_progress);
        return m_order.known.error.empty() && !diffMatches(m_order.known.contents, { needle }, m_progress).empty();
    }

    const FoundEditsPtr &m_found;
    size_t m_edit;
    const core::Progress *m_progress;
    std::optional<std::string> m_call;
    DiffOrder m_order;
    bool m_hasDocuments = false;
};

} // namespace

std::optional<std::vector<size_t>> editsMatching(const FoundEditsPtr &found, core::SearchGround ground,
    const core::Query &query, unsigned threads, core::Progress *progress)
{
    core::Query rest;
    std::ranges::copy_if(
        query.terms, std::back_inserter(rest.terms), [](const core::QueryTerm &term) { return term.key != Key::Text; });
    std::vector<core::SearchHit> hits;
    if (!rest.isEmpty()) {
        if (!ground.complete(threads, progress))
            return std::nullopt;
        hits = core::searchAll(ground, rest, threads, progress);
    }
    const auto fits = [&](size_t edit) {
        const bool isHit = rest.isEmpty()
            || (!found->isOutside(edit)
                && std::ranges::binary_search(hits, found->blockOf(edit), {}, &core::SearchHit::block));
        EditTexts texts(found, edit, progress);
        return isHit && std::ranges::all_of(query.terms, [&](const core::QueryTerm &term) {
            return term.key != Key::Text || texts.contain(*term.needle) != term.isNegated;
        });
    };
    std::vector<char> isFound(found->count(), 0);
    core::parallelFor(found->count(), threads, [&](unsigned, size_t edit) {
        if (!core::isCancelled(progress))
            isFound[edit] = fits(edit) ? 1 : 0;
    });
    if (core::isCancelled(progress))
        return std::nullopt;
    std::vector<size_t> edits;
    for (size_t i = 0; i < isFound.size(); ++i) {
        if (isFound[i] != 0)
            edits.push_back(i);
    }
    return edits;
}

} // namespace ui
