// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_column.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ui {

namespace {

constexpr double kLeastShown = 0.5; ///< tokens

} // namespace

ArrayColumn::ArrayColumn(const core::Transcript &transcript, const core::Weights &weights, const core::ArraySum &sum,
    std::optional<core::BlockRange> prelude, ArrayMode mode)
    : m_transcript(&transcript)
    , m_mode(mode)
{
    const auto slots = transcript.slots();
    m_items.reserve(slots.size() + 4);
    const bool isTokens = weights.unit() == core::WeightUnit::Tokens;
    double preludeWeight = isTokens ? sum.prelude : 0;
    if (prelude && !isTokens) {
        for (uint32_t i = prelude->begin; i < prelude->end; ++i)
            preludeWeight += weights.of(*transcript.session(), core::BlockId(i));
    }
    if (preludeWeight > 0)
        m_items.push_back({ ArrayItem::Kind::Prelude, {}, preludeWeight });
    const bool hasUnlogged = isTokens && sum.unloggedWithFraming() >= kLeastShown;
    const bool beginsWithSummary
        = !slots.empty() && transcript.block(transcript.blocksOf(slots.front()).front()).is(core::BlockFlag::Summary);
    const ArrayItem unlogged { ArrayItem::Kind::Unlogged, {}, sum.unloggedWithFraming() };
    if (hasUnlogged && !beginsWithSummary)
        m_items.push_back(unlogged);
    if (isTokens && sum.notSent >= kLeastShown)
        m_items.push_back({ ArrayItem::Kind::NotSent, {}, sum.notSent, true });
    if (isTokens && std::abs(sum.remainder) >= kLeastShown)
        m_items.push_back({ ArrayItem::Kind::Remainder, {}, std::abs(sum.remainder), sum.remainder < 0 });
    for (size_t i = 0; i < slots.size(); ++i) {
        const double weight = weights.of(transcript, slots[i]);
        m_items.push_back({ ArrayItem::Kind::Slot, core::SlotIndex(i), weight });
        if (i == 0 && hasUnlogged && beginsWithSummary)
            m_items.push_back(unlogged);
    }
    if (mode == ArrayMode::BarsHeaviest)
        std::ranges::stable_sort(m_items, std::ranges::greater {}, &ArrayItem::weight);
    m_itemOfSlot.resize(slots.size());
    m_weights.reserve(m_items.size());
    for (size_t i = 0; i < m_items.size(); ++i) {
        // What is not in the log takes a line: the bar above the array shows its share, and the slots have the room.
        m_weights.push_back(m_items[i].kind == ArrayItem::Kind::Slot ? m_items[i].weight : 0);
        m_wholeWeight += m_items[i].signedWeight();
        m_heaviest = std::max(m_heaviest, m_items[i].weight);
        if (m_items[i].kind == ArrayItem::Kind::Slot)
            m_itemOfSlot[m_items[i].slot.index()] = static_cast<uint32_t>(i);
    }
    m_firstBlocks.reserve(slots.size());
    for (const core::Slot &slot : slots)
        m_firstBlocks.push_back(transcript.blocksOf(slot).front());
    m_materials.assign(slots.size(), -1);
}

size_t ArrayColumn::itemOf(core::SlotIndex slot) const { return m_itemOfSlot[slot.index()]; }

void ArrayColumn::lay(double line, double gap, double scale)
{
    m_layout = ColumnLayout(m_weights, line, gap, m_mode == ArrayMode::Slots ? scale : 0.0);
}

const core::SlotLabel &ArrayColumn::label(core::SlotIndex slot) const
{
    const auto known = m_labels.find(slot.value());
    if (known != m_labels.end())
        return known->second;
    return m_labels.emplace(slot.value(), core::labelOf(*m_transcript, m_transcript->slot(slot))).first->second;
}

core::Material ArrayColumn::material(core::SlotIndex slot) const
{
    int8_t &known = m_materials[slot.index()];
    if (known < 0)
        known = static_cast<int8_t>(core::materialOf(*m_transcript, m_transcript->slot(slot)));
    return static_cast<core::Material>(known);
}

namespace {

auto stubsIn(const core::Transcript &transcript, const core::Slot &slot)
{
    return std::ranges::count_if(
        transcript.blocksOf(slot), [&](core::BlockId id) { return transcript.block(id).is(core::BlockFlag::Stub); });
}

} // namespace

std::vector<SlotFate> fatesOf(
    const core::Transcript &before, const core::Transcript &after, const core::Weights &weights)
{
    std::unordered_map<core::MessageId, core::SlotIndex> places;
    core::SlotIndex summary;
    for (size_t i = 0; i < after.slotCount(); ++i) {
        for (const core::BlockId id : after.blocksOf(after.slots()[i])) {
            places.try_emplace(after.block(id).message, core::SlotIndex(i));
            if (!summary.isValid() && after.block(id).is(core::BlockFlag::Summary))
                summary = core::SlotIndex(i);
        }
    }
    std::vector<SlotFate> fates(before.slotCount());
    for (size_t i = 0; i < fates.size(); ++i) {
        const core::Slot &slot = before.slots()[i];
        core::SlotIndex target;
        for (const core::BlockId id : before.blocksOf(slot)) {
            const auto place = places.find(before.block(id).message);
            if (place != places.end()) {
                target = place->second;
                break;
            }
        }
        if (target.isValid()) {
            const bool isLess = weights.of(after, after.slot(target)) < weights.of(before, slot);
            const bool isCleared = stubsIn(after, after.slot(target)) > stubsIn(before, slot);
            fates[i] = { isCleared ? core::Fate::Cleared : isLess ? core::Fate::Shortened : core::Fate::Kept, target };
        } else if (summary.isValid()) {
            fates[i] = { core::Fate::Summarised, summary };
        }
    }
    return fates;
}

std::vector<SlotFate> fatesOf(const core::Compaction &compaction)
{
    std::vector<SlotFate> fates(compaction.fates.size());
    for (size_t i = 0; i < fates.size(); ++i)
        fates[i] = { compaction.fates[i], compaction.afterOf[i] };
    return fates;
}

} // namespace ui
