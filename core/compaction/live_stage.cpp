// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/live_stage.h"

#include <algorithm>

namespace core {

namespace {

void addRange(std::vector<uint32_t> &places, size_t begin, size_t end)
{
    for (size_t place = begin; place < end; ++place)
        places.push_back(static_cast<uint32_t>(place));
}

/// A stage with a BlockRule: changes each block by itself, in the whole array or before the keep window.
class LiveRule final : public LiveStage {
public:
    LiveRule(const StageParameters &parameters, BlockPool &pool)
        : LiveStage(parameters, pool)
        , m_changes(parameters, pool.memo())
    {
    }

    void truncate(const LiveArray &, size_t size) override { m_end = std::min(m_end, size); }
    void evict(const LiveArray &in) override { m_end = std::max(m_end, in.first()); }

private:
    void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) override
    {
        size_t end = in.first();
        if (isOpen)
            end = m_changes.reach() == BlockRule::Reach::Everywhere ? in.size() : windowOf(in);
        const size_t before = std::max(std::min(m_end, in.size()), in.first());
        addRange(touched, std::min(before, end), std::max(before, end));
        m_end = end;
    }

    std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) override
    {
        return place < m_end ? m_changes.of(pool(), in.at(place).block) : nullptr;
    }

    RuleChanges m_changes;
    size_t m_end = 0; ///< the first place of the keep window
};

} // namespace

size_t LiveStage::windowOf(const LiveArray &in) const
{
    const size_t cut = cutoffOf(in, m_parameters.keep(), m_parameters.context().windowTokens);
    return cut == 0 ? in.first() : in.placeOf(cut);
}

void LiveStage::update(const LiveArray &in, LiveArray &out, std::vector<uint32_t> touched, bool isOpen)
{
    select(in, isOpen, touched);
    while (!touched.empty()) {
        for (const uint32_t place : touched) {
            if (place >= in.first() && place < in.size())
                apply(in, out, place);
        }
        touched = takeMore();
    }
}

void LiveStage::apply(const LiveArray &in, LiveArray &out, size_t place)
{
    const LiveArray::Element &element = in.at(place);
    if (!element.isGone && !element.isPinned && restores(in, place)) {
        out.set(place, element.origin, false);
        return;
    }
    const auto change = element.isGone || element.isPinned ? nullptr : changeOf(in, place);
    if (!change) {
        out.set(place, element.block, element.isGone);
        return;
    }
    // A summary is not part of the session: the messages it replaces were counted when they were evicted.
    const bool isOfSession = element.origin.isValid();
    if (change->fate == Fate::Dropped) {
        if (out.set(place, element.block, true) && isOfSession) {
            m_lostBytes += in.blockAt(place).lengths.bytes;
            m_changed.push_back(element.origin);
        }
        return;
    }
    const auto [made, isNew] = m_made.try_emplace(element.block);
    if (isNew)
        made->second = m_pool.addChanged(element.block, *change);
    if (!out.set(place, made->second, false) || !isOfSession)
        return;
    m_changed.push_back(element.origin);
    if (change->artifact.empty())
        m_lostBytes += bytesLess(in.blockAt(place), *change);
}

std::optional<size_t> LiveSelection::meantAt(size_t place) const
{
    size_t low = 0;
    size_t high = m_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (placeOf(middle) < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m_count && placeOf(low) == place ? std::optional(low) : std::nullopt;
}

void LiveSelection::follow(const LiveArray &in, size_t size)
{
    for (size_t i = 0; i < m_count; ++i)
        lookAt(placeOf(i));
    m_count = 0;
    forget();
    m_followed = in.first();
    followOn(in, size);
}

void LiveSelection::followOn(const LiveArray &in, size_t size)
{
    for (; m_followed < size; ++m_followed) {
        if (!in.at(m_followed).isGone)
            push(in, m_followed);
    }
}

void LiveSelection::select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched)
{
    m_followed = std::max(m_followed, in.first());
    followOn(in, in.size());
    const size_t count = isOpen ? meantCount(in) : 0;
    for (size_t i = std::min(count, m_count); i < std::max(count, m_count); ++i)
        lookAt(placeOf(i));
    m_count = count;
    touched.insert(touched.end(), m_pending.begin(), m_pending.end());
    m_pending.clear();
}

bool isIdle(const StageParameters &parameters)
{
    return parameters.kind().isIdle != nullptr && parameters.kind().isIdle(parameters);
}

std::unique_ptr<LiveStage> liveStage(const StageParameters &parameters, BlockPool &pool, bool isFirst)
{
    const StageKind &kind = parameters.kind();
    if (kind.rule != nullptr)
        return std::make_unique<LiveRule>(parameters, pool);
    return kind.live != nullptr ? kind.live(parameters, pool, isFirst) : nullptr;
}

} // namespace core
