// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/found_edits.h"

#include "core/session/block_key.h"
#include "core/session/outline.h"
#include "core/session/slot_label.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ui {

namespace {

/// Turns of all threads, named by their first words.
class Moments final {
public:
    explicit Moments(FoundEdits &found)
        : m_found(found)
        , m_session(*found.edits.session)
    {
    }

    void fill()
    {
        for (size_t i = 0; i < m_found.count(); ++i)
            m_found.momentOf.push_back(placeOf(m_found.blockOf(i)));
    }

private:
    size_t placeOf(core::BlockId block)
    {
        const core::MessageId message = block.isValid() ? m_session.block(block).message : core::MessageId();
        if (!message.isValid())
            return place({}, 0, [] { return std::string("Before the first turn"); });
        const core::ThreadIndex thread = m_session.message(message).thread;
        if (thread.index() > 0)
            return place(thread, 0, [&] { return m_session.thread(thread).title; });
        if (m_outline.entries.empty())
            m_outline = core::outlineOf(m_session, thread);
        const auto entry = m_outline.entryOf(message);
        const size_t turn = entry ? m_outline.entries[*entry].number : 0;
        return place(thread, turn, [&] { return titleOf(turn); });
    }

    std::string titleOf(size_t turn) const
    {
        std::string title = turn == 0 ? std::string("Before the first turn") : "Turn " + std::to_string(turn);
        const auto isItsBeginning
            = [&](const core::OutlineEntry &each) { return each.beginsTyped() && each.number == turn; };
        const auto entry = std::ranges::find_if(m_outline.entries, isItsBeginning);
        if (entry == m_outline.entries.end())
            return title;
        const core::Message &first = m_session.message(m_outline.messages[entry->firstMessage]);
        for (uint32_t i = 0; i < first.count; ++i) {
            const core::Block &block = m_session.block(core::BlockId(first.first.value() + i));
            if (block.is(core::BlockFlag::Typed))
                return title + " · " + core::labelOf(m_session, block).subject;
        }
        return title;
    }

    template <typename Title>
    size_t place(core::ThreadIndex thread, size_t turn, const Title &title)
    {
        const auto [at, isNew] = m_places.try_emplace({ thread, turn }, m_found.moments.size());
        if (isNew)
            m_found.moments.push_back(title());
        return at->second;
    }

    FoundEdits &m_found;
    const core::Session &m_session;
    core::Outline m_outline; ///< of the main thread
    std::map<std::pair<core::ThreadIndex, size_t>, size_t> m_places;
};

bool endsAsItBegan(const core::FileLife &life)
{
    return life.before.isKnown() && life.after.isKnown() && life.before.isAbsent == life.after.isAbsent
        && life.before.text.flat() == life.after.text.flat();
}

} // namespace

std::optional<size_t> FoundEdits::editOf(core::BlockId block) const
{
    const core::Session &session = *edits.session;
    if (!block.isValid() || block.index() >= session.blocks.size())
        return std::nullopt;
    const core::MessageId message = session.block(block).message;
    std::optional<size_t> ofMessage;
    for (size_t i = 0; i < count(); ++i) {
        const core::Edit &each = edit(i);
        if (blockOf(i) == block || (each.result == block && !isOutside(i)))
            return i;
        if (!ofMessage && message.isValid() && each.use.isValid() && !isOutside(i)
            && session.block(each.use).message == message)
            ofMessage = i;
    }
    return ofMessage;
}

const core::FileLife *FoundEdits::lifeOf(size_t number) const
{
    const core::Edit &each = edit(number);
    const auto found = std::ranges::find(lives, each.movedTo.empty() ? each.path : each.movedTo, &core::FileLife::path);
    return found == lives.end() ? nullptr : &*found;
}

FoundEditsPtr foundEdits(const core::SessionPtr &session, core::Progress *progress)
{
    auto edits = core::findEdits(session, progress);
    if (!edits)
        return nullptr;
    auto found = std::make_shared<FoundEdits>();
    found->edits = std::move(*edits);
    found->remains = core::editRemains(found->edits);
    found->lives = core::fileLives(found->edits);
    found->restored = static_cast<size_t>(std::ranges::count_if(found->lives, endsAsItBegan));
    const core::BlockKeys keys(*session);
    std::map<std::tuple<core::BlockId, std::string, bool>, size_t> counts;
    for (size_t i = 0; i < found->count(); ++i) {
        const core::BlockId block = found->blockOf(i);
        const std::string &path = found->edit(i).path;
        found->names.push_back(
            { block.isValid() ? keys.of(block) : std::string(), path, counts[{ block, path, found->isOutside(i) }]++ });
        found->ownCount += found->isOutside(i) ? 0 : 1;
    }
    Moments(*found).fill();
    return found;
}

} // namespace ui
