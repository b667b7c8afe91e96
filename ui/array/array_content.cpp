// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_content.h"

#include "core/compaction/validity.h"
#include "ui/hub/bookmarks.h"
#include "ui/look/fate_word.h"

#include <algorithm>

namespace ui {

using core::SlotIndex;

void ArrayContent::readPicture()
{
    m_after.reset();
    m_fates.clear();
    m_beforeOf.clear();
    m_beforeSums.assign(1, 0.0);
    m_slotsAfter = 0;
    m_compositionBefore.clear();
    m_compositionAfter.clear();
    if (!m_state.session()) {
        m_before = {};
        return;
    }
    const ArrayPicture &picture = m_state.picture();
    const core::Thread &thread = m_state.session()->thread(picture.position.thread);
    const auto prelude
        = picture.position.isEnd() ? thread.prelude : thread.calls[picture.position.call.index()].prelude;
    m_before = ArrayColumn(picture.before, picture.weights, picture.sum, prelude, m_mode);
    m_compositionBefore = ui::compositionOf(m_before, picture.weights, m_state.colourBy());
    if (picture.hasAfter())
        readAfter(prelude);
    m_beforeSums.reserve(picture.before.slotCount() + 1);
    for (size_t i = 0; i < picture.before.slotCount(); ++i)
        m_beforeSums.push_back(m_beforeSums.back() + m_before.weights()[m_before.itemOf(SlotIndex(i))]);
    countHot();
    findPartners();
}

void ArrayContent::readAfter(std::optional<core::BlockRange> prelude)
{
    const ArrayPicture &picture = m_state.picture();
    m_after.emplace(picture.after, picture.weightsAfter, picture.sumAfter, prelude, m_mode);
    m_compositionAfter = ui::compositionOf(*m_after, picture.weightsAfter, m_state.colourBy());
    m_fates = picture.made() ? fatesOf(*picture.made()) : fatesOf(picture.before, picture.after, picture.weights);
    m_beforeOf.assign(picture.after.slotCount(), UINT32_MAX);
    for (const core::Slot &slot : picture.after.slots())
        m_slotsAfter += picture.weightsAfter.of(picture.after, slot);
    for (size_t i = m_fates.size(); i > 0; --i) {
        if (m_fates[i - 1].target.isValid())
            m_beforeOf[m_fates[i - 1].target.index()] = static_cast<uint32_t>(i - 1);
    }
}

void ArrayContent::countHot()
{
    m_hotSums.clear();
    if (m_mode != ArrayMode::BarsHeaviest)
        return; // the items are in the order of the slots, which the picture can search
    m_hotSums.push_back(0);
    for (const ArrayItem &item : m_before.items()) {
        const bool isHot = item.kind == ArrayItem::Kind::Slot && hotOf(item.slot) != nullptr;
        m_hotSums.push_back(m_hotSums.back() + (isHot ? 1 : 0));
    }
}

void ArrayContent::readCache()
{
    m_cacheBefore = m_state.session() ? cacheOfBefore(m_state) : std::nullopt;
    m_cacheAfter = m_state.session() && hasAfter() ? cacheOfAfter(m_state) : std::nullopt;
}

void ArrayContent::findPartners()
{
    m_partners.clear();
    const core::BlockId hovered = m_state.hoveredBlock();
    if (!hovered.isValid() || !m_state.session() || hovered.index() >= m_state.session()->blocks.size())
        return;
    m_partners = core::callAndAnswers(m_before.transcript(), hovered);
    if (m_partners.empty() && hasAfter())
        m_partners = core::callAndAnswers(m_after->transcript(), hovered);
}

bool ArrayContent::isPartner(core::BlockId block) const
{
    return std::ranges::find(m_partners, block) != m_partners.end();
}

void ArrayContent::layOut(double line, double gap, double scale)
{
    m_before.lay(line, gap, scale);
    if (m_after)
        m_after->lay(line, gap, scale);
}

SlotIndex ArrayContent::originOf(SlotIndex slotAfter) const
{
    const uint32_t slot = m_beforeOf[slotAfter.index()];
    return slot == UINT32_MAX ? SlotIndex() : SlotIndex(slot);
}

const core::HotBlock *ArrayContent::hotOf(SlotIndex slot) const { return m_state.picture().hot->of(slot); }

bool ArrayContent::hasHot(size_t firstItem, size_t lastItem) const
{
    if (!m_hotSums.empty())
        return m_hotSums[lastItem] > m_hotSums[firstItem];
    const auto isSlot = [this](size_t item) { return m_before.items()[item].kind == ArrayItem::Kind::Slot; };
    while (firstItem < lastItem && !isSlot(firstItem))
        ++firstItem;
    while (firstItem < lastItem && !isSlot(lastItem - 1))
        --lastItem;
    return firstItem < lastItem
        && m_state.picture().hot->hasIn(m_before.items()[firstItem].slot, m_before.items()[lastItem - 1].slot);
}

core::BlockId ArrayContent::blockOf(ArraySide side, const ArrayItem &item) const
{
    if (item.kind != ArrayItem::Kind::Slot)
        return {};
    const ArrayPicture &picture = m_state.picture();
    const core::Weights &weights = side == ArraySide::Before ? picture.weights : picture.weightsAfter;
    const core::Transcript &transcript = column(side).transcript();
    const auto blocks = transcript.blocksOf(transcript.slot(item.slot));
    return *std::ranges::max_element(
        blocks, {}, [&](core::BlockId id) { return weights.of(*transcript.session(), id); });
}

QColor ArrayContent::colourOf(ArraySide side, const ArrayItem &item) const
{
    if (item.kind != ArrayItem::Kind::Slot)
        return theme().base;
    if (side == ArraySide::After && m_state.picture().made()) {
        const SlotIndex was = originOf(item.slot);
        if (was.isValid() && m_fates[was.index()].kind != core::Fate::Summarised)
            return colourOf(ArraySide::Before, m_before.items()[m_before.itemOf(was)]);
    }
    const ArrayColumn &of = column(side);
    if (m_state.colourBy() == ColourBy::Material)
        return theme().of(of.material(item.slot));
    return m_state.colourOf(of.transcript(), of.transcript().slot(item.slot));
}

std::string ArrayContent::slotWeight(ArraySide side, const ArrayItem &item) const
{
    const core::Transcript &transcript = column(side).transcript();
    return m_state.weights().shown(item.weight, transcript.blocksOf(transcript.slot(item.slot)));
}

SlotOverride ArrayContent::overrideOf(ArraySide side, SlotIndex slot) const
{
    SlotOverride what;
    const Workspace &workspace = m_state.workspace();
    const core::CompactionPtr &made = m_state.picture().made();
    if (workspace.plan().overrides.isEmpty() || (side == ArraySide::After && !made))
        return what;
    if (side == ArraySide::After) {
        what.edited = made->fatesAfter[slot.index()] == core::Fate::Edited ? 1 : 0;
        what.inserted = made->fatesAfter[slot.index()] == core::Fate::Inserted ? 1 : 0;
        return what;
    }
    for (const core::BlockId id : m_before.transcript().blocksOf(m_before.transcript().slot(slot))) {
        const auto each = workspace.overrideOf(id);
        ++what.blocks;
        what.pinned += each == Workspace::Override::Keep ? 1 : 0;
        what.dropped += each == Workspace::Override::Drop ? 1 : 0;
        what.edited += m_state.workspace().plans().textOf(id) != nullptr ? 1 : 0;
    }
    return what;
}

core::BlockId ArrayContent::bookmarkOf(ArraySide side, SlotIndex slot) const
{
    const Bookmarks &bookmarks = m_state.workspace().bookmarks();
    if (bookmarks.places().empty() || (side == ArraySide::After && m_state.picture().observed))
        return {}; // an observed array is of another file
    const bool isMapped = side == ArraySide::After && m_state.picture().made();
    const SlotIndex here = isMapped ? originOf(slot) : slot;
    if (!here.isValid())
        return {};
    const core::Transcript &transcript = (isMapped ? m_before : column(side)).transcript();
    const auto blocks = transcript.blocksOf(transcript.slot(here));
    const auto found = std::ranges::find_if(blocks, [&](core::BlockId id) { return bookmarks.has(id); });
    return found == blocks.end() ? core::BlockId() : *found;
}

QString ArrayContent::bookmarkWords(ArraySide side, SlotIndex slot) const
{
    const QString note = displayText(m_state.workspace().bookmarks().noteOf(bookmarkOf(side, slot)));
    return note.isEmpty() ? tr("bookmarked") : tr("bookmark: %1").arg(note);
}

bool ArrayContent::isViolated(ArraySide side, SlotIndex slot) const
{
    const core::CompactionPtr &made = m_state.picture().made();
    return side == ArraySide::After && made
        && std::ranges::find(made->validity, slot, &core::Violation::slot) != made->validity.end();
}

QString ArrayContent::violationsOf(SlotIndex slotAfter) const
{
    QStringList sentences;
    for (const core::AlikeViolations &each : core::alikeIn(m_state.picture().made()->validity)) {
        if (each.first->slot == slotAfter)
            sentences << tr("not valid: %1").arg(displayText(each.sentence()));
    }
    return sentences.join(u'\n');
}

QString ArrayContent::changeOf(SlotIndex slotAfter) const
{
    const SlotIndex slot = originOf(slotAfter);
    if (!slot.isValid())
        return fateWord(m_state.picture().made()->fatesAfter[slotAfter.index()]);
    const core::Fate fate = m_fates[slot.index()].kind;
    if (fate == core::Fate::Kept)
        return {};
    if (fate == core::Fate::Summarised)
        return summaryWords(slotAfter);
    const double was = m_beforeSums[slot.index() + 1] - m_beforeSums[slot.index()];
    return tr("%1 from %2").arg(fateWord(fate), displayText(m_state.weights().shown(was)));
}

/// A summary, and the files that the policy puts back with it: they may be larger than the summary.
QString ArrayContent::summaryWords(SlotIndex slotAfter) const
{
    const ArrayPicture &picture = m_state.picture();
    const auto shown = [&](std::span<const core::BlockId> blocks) {
        return displayText(picture.weightsAfter.shown(*picture.after.session(), blocks));
    };
    for (const core::BlockId id : picture.after.blocksOf(picture.after.slot(slotAfter))) {
        if (const std::vector<core::BlockId> back = picture.putBackWith(id); !back.empty())
            return tr("replaces the summarised slots: summary %1, put back with it %2")
                .arg(shown({ &id, 1 }), shown(back));
    }
    return tr("replaces the summarised slots");
}

QString ArrayContent::cacheWordsOf(ArraySide side, SlotIndex slot) const
{
    return cacheOf(side) ? cacheOf(side)->wordsOf(slot) : QString();
}

} // namespace ui
