// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/array_search.h"

#include "ui/hub/workspace.h"

#include <algorithm>
#include <string_view>

namespace ui {

namespace {

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool holds(std::string_view text, std::string_view loweredNeedle)
{
    const auto equal = [](char a, char b) { return lowered(a) == b; };
    return std::search(text.begin(), text.end(), loweredNeedle.begin(), loweredNeedle.end(), equal) != text.end();
}

bool holds(const core::Session &session, const core::Block &block, std::string_view loweredNeedle)
{
    const bool isText = block.body.coding != core::Coding::Base64;
    return holds(session.string(block.name), loweredNeedle)
        || (isText && holds(session.text(block.body), loweredNeedle));
}

std::vector<core::SlotIndex> slotsThatHold(
    std::string_view loweredNeedle, const core::Transcript &array, const core::Progress &progress)
{
    std::vector<core::SlotIndex> found;
    const core::Session &session = *array.session();
    for (size_t i = 0; i < array.slotCount() && !progress.isCancelled(); ++i) {
        const auto blocks = array.blocksOf(array.slots()[i]);
        if (std::ranges::any_of(
                blocks, [&](core::BlockId id) { return holds(session, session.block(id), loweredNeedle); }))
            found.emplace_back(i);
    }
    return found;
}

} // namespace

void ArraySearch::search(const QString &text, const core::Transcript &array)
{
    m_text = text;
    if (text.isEmpty() || !array.session()) {
        m_job.cancel();
        m_matches.clear();
        Q_EMIT changed(); // an unfinished search may be shown as running
        return;
    }
    std::string needle = text.toStdString();
    std::ranges::transform(needle, needle.begin(), lowered);
    m_job.start(
        this, [needle, array](core::Progress &progress) { return slotsThatHold(needle, array, progress); },
        [this](std::vector<core::SlotIndex> found) {
            m_matches = std::move(found);
            Q_EMIT changed();
        },
        m_workspace.reporter());
}

} // namespace ui
