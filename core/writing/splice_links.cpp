// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/format.h"
#include "core/formats/reading/format.h"
#include "core/formats/reading/json_records.h"
#include "core/json/json_probe.h"
#include "core/writing/splice_draft.h"

#include <algorithm>
#include <ranges>

namespace core {

std::vector<SpliceDraft::Link> SpliceDraft::links() const
{
    std::vector<Link> found;
    size_t records = 0;
    SessionBuilder builder;
    const SourceId source = builder.addSource(m_session.sources.front());
    const ReadContext context { m_session.sources.front(), nullptr, {} };
    forEachRecord(builder, source, context, [&](simdjson::ondemand::object &object, const Record &record) {
        const std::string_view raw = object.raw_json();
        const size_t place = records++;
        if (record.source != source)
            return; // a repaired copy
        const JsonMembers members(raw);
        const auto begin = static_cast<uint64_t>(raw.data() - m_bytes.data());
        const SpliceShape::Links &names = m_shape.links;
        found.push_back({ begin, begin + raw.size(), members.isTrue("isSidechain"), members.string(names.id),
            members.raw(names.parent), members.raw(names.logicalParent), members.raw(names.firstKept),
            members.raw(names.firstKeptPlace), place });
    });
    return found;
}

void SpliceDraft::linkRecords()
{
    const bool isMoved = std::ranges::any_of(
        m_units, [](const auto &each) { return each.second.isDropped || !each.second.insertions.empty(); });
    const bool isParted = m_cutAway.size() > 1 || (!m_cutAway.empty() && m_cutAway.front().second < m_bytes.size());
    if (!isMoved && !isParted && !m_summary)
        return;
    const std::vector<Link> all = links();
    std::unordered_map<uint64_t, std::string_view> uuids;
    std::unordered_set<std::string_view> known;
    for (const Link &each : all) {
        uuids[each.begin] = each.uuid;
        known.insert(each.uuid);
    }
    const bool isLinked = std::ranges::any_of(
        all, [&](const Link &each) { return isJsonString(each.parent) && known.contains(jsonString(each.parent)); });
    Gaps gaps;
    for (const Link &each : all) {
        const auto unit = m_units.find(each.begin);
        if (unit != m_units.end() && unit->second.isDropped && !each.uuid.empty())
            gaps.try_emplace(each.uuid,
                Gap { std::string(each.parent.empty() ? "null" : each.parent), othersOf(unit->second, uuids) });
        else if (isCutAway(each.begin) && !each.uuid.empty())
            gaps.try_emplace(each.uuid, Gap { resolved(gaps, each.parent, each.begin), {} });
    }
    addRecords(all, gaps, isLinked);
    for (const Link &each : all) {
        const auto unit = m_units.find(each.begin);
        const bool isDropped = unit != m_units.end() && unit->second.isDropped;
        if (isDropped || isCutAway(each.begin))
            continue;
        if (!each.uuid.empty() && gaps.contains(each.uuid)) {
            dropLine(each.begin, each.end, {}); // a copy of a dropped record would replace it
            continue;
        }
        const auto moved = m_moved.find(each.begin);
        relink(each.parent, moved != m_moved.end() ? moved->second : resolved(gaps, each.parent, each.begin));
        relink(each.logicalParent, resolved(gaps, each.logicalParent, each.begin));
        if (isJsonString(each.firstKept))
            relink(each.firstKept, "\"" + keptFrom(all, each) + "\"");
        else if (const auto place = jsonUnsigned(each.firstKeptPlace))
            relink(each.firstKeptPlace, std::to_string(placeAfter(all, *place)));
    }
    if (m_summary)
        appendCompaction(all, gaps);
}

bool SpliceDraft::leaves(const Link &link) const
{
    const auto unit = m_units.find(link.begin);
    return isCutAway(link.begin) || (unit != m_units.end() && unit->second.isDropped);
}

std::string SpliceDraft::keptFrom(const std::vector<Link> &all, const Link &compaction) const
{
    std::unordered_map<std::string_view, const Link *> byId;
    for (const Link &each : all)
        byId.try_emplace(each.uuid, &each);
    const std::string_view named = jsonString(compaction.firstKept);
    std::vector<const Link *> path; // from the compaction upwards
    for (const Link *at = &compaction; path.size() <= all.size();) {
        const auto above = isJsonString(at->parent) ? byId.find(jsonString(at->parent)) : byId.end();
        if (above == byId.end())
            return std::string(named); // keeps nothing
        at = above->second;
        path.push_back(at);
        if (at->uuid == named)
            break;
    }
    for (const Link *each : path | std::views::reverse) {
        const auto added = m_firstAdded.find(each->begin);
        if (added != m_firstAdded.end())
            return added->second;
        if (!leaves(*each))
            return std::string(each->uuid);
    }
    return std::string(compaction.uuid);
}

size_t SpliceDraft::placeAfter(const std::vector<Link> &all, size_t place) const
{
    size_t now = place;
    for (const Link &each : all) {
        if (each.place >= place)
            break;
        const auto unit = m_units.find(each.begin);
        now += unit == m_units.end() ? 0 : unit->second.insertions.size();
        now -= leaves(each) ? 1 : 0;
    }
    return now;
}

void SpliceDraft::appendCompaction(const std::vector<Link> &all, const Gaps &gaps)
{
    const auto last = std::ranges::find_if(all | std::views::reverse, [&](const Link &each) { return !leaves(each); });
    if (last == all.rend())
        return;
    NewCompaction made;
    made.summary = *m_summary;
    const Hash hash = combine(hashOf(all.back().uuid), hashOf(made.summary));
    made.id = formatted("{:08x}", hash.high >> 32U);
    made.parent = resolved(gaps, "\"" + std::string(all.back().uuid) + "\"", m_bytes.size());
    made.firstKept = made.id;
    made.firstKeptPlace = placeAfter(all, all.back().place + 1);
    if (m_firstKept.isValid()) {
        const uint64_t begin = m_session.block(m_session.message(m_firstKept).first).recordOffset;
        const auto kept = std::ranges::find(all, begin, &Link::begin);
        if (kept != all.end()) {
            made.firstKept = kept->uuid;
            made.firstKeptPlace = placeAfter(all, kept->place);
        }
    }
    made.tokensBefore = lastPrompt();
    const bool isCut = !m_cutAway.empty() && m_cutAway.back().second == m_bytes.size();
    const uint64_t end = isCut ? m_cutAway.back().first : m_bytes.size();
    const std::string newline = end > 0 && m_bytes[end - 1] != '\n' ? "\n" : "";
    m_changes.push_back({ m_bytes.size(), m_bytes.size(),
        newline + m_shape.compaction(made, m_bytes.substr(last->begin, last->end - last->begin)) + "\n" });
}

uint64_t SpliceDraft::lastPrompt() const
{
    const Position at = m_edits.at.value_or(Position { ThreadIndex(0U), {} });
    const std::vector<Call> &calls = m_session.thread(at.thread).calls;
    for (size_t i = at.isEnd() ? calls.size() : at.call.index() + 1; i > 0; --i) {
        if (calls[i - 1].usage)
            return calls[i - 1].usage->prompt();
    }
    return 0;
}

std::vector<std::pair<uint64_t, std::string_view>> SpliceDraft::othersOf(
    const Unit &unit, const std::unordered_map<uint64_t, std::string_view> &uuids) const
{
    std::map<uint64_t, std::string_view> others;
    const Message &message = m_session.message(m_session.block(unit.blocks.front()).message);
    for (uint32_t i = 0; i < message.count; ++i) {
        const uint64_t offset = m_session.blocks[message.first.index() + i].recordOffset;
        const auto other = m_units.find(offset);
        const auto uuid = uuids.find(offset);
        const bool isDropped = other != m_units.end() && other->second.isDropped;
        if (!isDropped && uuid != uuids.end() && !uuid->second.empty())
            others.insert(*uuid);
    }
    return { others.begin(), others.end() };
}

std::string SpliceDraft::resolved(const Gaps &gaps, std::string_view raw, uint64_t offset)
{
    std::string parent(raw.empty() ? "null" : raw);
    for (size_t steps = 0; steps <= gaps.size(); ++steps) {
        const auto gap = isJsonString(parent) ? gaps.find(jsonString(parent)) : gaps.end();
        if (gap == gaps.end())
            return parent;
        const auto &others = gap->second.others;
        const auto behind = std::ranges::lower_bound(others, offset, {}, [](const auto &each) { return each.first; });
        if (behind != others.begin())
            return "\"" + std::string(std::prev(behind)->second) + "\"";
        parent = gap->second.parent;
    }
    return "null"; // a cycle
}

void SpliceDraft::relink(std::string_view raw, const std::string &parent)
{
    if (raw.empty() || raw == parent)
        return;
    const auto begin = static_cast<uint64_t>(raw.data() - m_bytes.data());
    m_changes.push_back({ begin, begin + raw.size(), parent });
}

std::string newId(std::string_view neighbour, std::string_view text, size_t index)
{
    const Hash hash = combine(combine(hashOf(neighbour), hashOf(text)), Hash { index, 1 });
    // Version 5, by a hash. Qwen Code resumes no session whose id is of a later version.
    return formatted("{:08x}-{:04x}-5{:03x}-8{:03x}-{:012x}", hash.high >> 32U, (hash.high >> 16U) & 0xFFFFU,
        hash.high & 0xFFFU, hash.low >> 52U, hash.low & 0xFFFFFFFFFFFFU);
}

void SpliceDraft::addRecords(const std::vector<Link> &all, Gaps &gaps, bool isLinked)
{
    for (auto &[offset, unit] : m_units) {
        const auto own = std::ranges::find(all, offset, &Link::begin);
        if (unit.insertions.empty() || own == all.end())
            continue;
        const std::vector<std::string> uuids = newIdsBefore(unit);
        m_firstAdded[offset] = uuids.front();
        writeMessages(unit, resolved(gaps, own->parent, offset), uuids, isLinked);
        const MessageId message = m_edits.insertions[unit.insertions.front()].before;
        if (isLinked)
            moveMessage(all, message, "\"" + uuids.back() + "\"", gaps);
    }
}

void SpliceDraft::moveMessage(const std::vector<Link> &all, MessageId id, const std::string &parent, Gaps &gaps)
{
    std::unordered_set<uint64_t> records;
    const Message &message = m_session.message(id);
    for (uint32_t i = 0; i < message.count; ++i)
        records.insert(m_session.blocks[message.first.index() + i].recordOffset);
    std::unordered_set<std::string_view> own;
    for (const Link &each : all) {
        if (records.contains(each.begin) && !each.uuid.empty())
            own.insert(each.uuid);
    }
    for (const Link &each : all) {
        if (!records.contains(each.begin) || own.contains(jsonString(each.parent)))
            continue;
        const auto gap = gaps.find(each.uuid);
        if (gap != gaps.end())
            gap->second.parent = parent;
        else
            m_moved[each.begin] = parent;
    }
}

} // namespace core
