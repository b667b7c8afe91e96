// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/splice_writer.h"

#include "core/formats/reading/archive.h"
#include "core/formats/reading/format.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/unpack.h"
#include "core/json/json_probe.h"
#include "core/writing/splice_draft.h"

#include <algorithm>

namespace core {

void changeChildren(const std::vector<SpliceChild> &children, std::vector<SpliceChange> &changes)
{
    for (const SpliceChild &child : children) {
        std::string added;
        for (const std::string &each : child.behind)
            added += "," + each;
        if (!added.empty())
            changes.push_back({ child.end, child.end, added });
    }
    const auto joined = [](const SpliceChild &child, std::string &text) {
        for (const std::string &each : child.before)
            text += (text.empty() ? "" : ",") + each;
    };
    for (size_t i = 0; i < children.size();) {
        std::string added;
        joined(children[i], added);
        if (!children[i].isDropped) {
            if (!added.empty())
                changes.push_back({ children[i].begin, children[i].begin, added + "," });
            ++i;
            continue;
        }
        size_t last = i;
        while (last + 1 < children.size() && children[last + 1].isDropped)
            joined(children[++last], added);
        const bool isFirst = i == 0;
        const bool isLast = last + 1 == children.size();
        if (!isLast)
            changes.push_back({ children[i].begin, children[last + 1].begin, added.empty() ? added : added + "," });
        else if (isFirst)
            changes.push_back({ children[i].begin, children[last].end, added });
        else
            changes.push_back({ children[i - 1].end, children[last].end, added.empty() ? added : "," + added });
        i = last + 1;
    }
}

Result<Spliced> SpliceDraft::write()
{
    takeEvictedPrefix();
    markDropped();
    if (m_cut != nullptr)
        markCut();
    markReplaced();
    markInserted();
    attachBlocks();
    for (auto &[offset, unit] : m_units)
        changeUnit(unit);
    locateUnits();
    if (m_shape.hasParents())
        linkRecords();
    changeSiblings();
    noteWhatIsToBeKnown();
    return applied();
}

void SpliceDraft::locateUnits()
{
    std::vector<Unit *> moved;
    for (auto &[offset, unit] : m_units) {
        if (unit.isMoved())
            moved.push_back(&unit);
    }
    if (moved.empty() || m_shape.hasParents())
        return; // these records are always lines
    const bool isDocument = sampleOf(m_bytes).isSingleValue;
    for (size_t i = 0; i < moved.size();) {
        const uint64_t begin = isDocument ? 0 : lineBegin(moved[i]->begin);
        std::vector<uint64_t> offsets;
        size_t last = i;
        while (last < moved.size() && (isDocument || lineBegin(moved[last]->begin) == begin))
            offsets.push_back(moved[last++]->begin);
        const auto open = openContainersAt(m_bytes, begin, offsets);
        for (size_t k = 0; k < offsets.size(); ++k) {
            Unit &unit = *moved[i + k];
            if (!open[k].empty())
                unit.container = open[k].back();
            unit.isAlone = open[k].empty() ? isDocument : m_bytes[open[k].back()] != '[';
        }
        i = last;
    }
    for (Unit *unit : moved) {
        if (unit->isAlone)
            leaveAlone(*unit);
    }
}

void SpliceDraft::leaveAlone(Unit &unit)
{
    constexpr const char *kReason
        = "The message is not in a list. It cannot be dropped, and nothing can be added before it.";
    if (unit.isDropped) {
        unit.isDropped = false;
        for (const BlockId each : unit.blocks)
            refuse(each, kReason);
    }
    for (std::vector<size_t> *list : { &unit.insertions, &unit.appended }) {
        for (const size_t each : *list)
            leaveOut(m_edits.insertions[each].before, kReason);
        list->clear();
    }
}

uint64_t SpliceDraft::lineBegin(uint64_t at) const
{
    const size_t newline = at == 0 ? std::string_view::npos : m_bytes.rfind('\n', at - 1);
    return newline == std::string_view::npos ? 0 : newline + 1;
}

void SpliceDraft::changeSiblings()
{
    std::map<uint64_t, std::vector<Unit *>> byContainer;
    for (auto &[offset, unit] : m_units) {
        if (!unit.isMoved())
            continue;
        if (unit.newMessages.empty())
            writeMessages(unit, {}, newIdsBefore(unit), false);
        if (unit.container)
            byContainer[*unit.container].push_back(&unit);
        else
            changeLine(unit);
    }
    for (const auto &[container, units] : byContainer) {
        std::vector<SpliceChild> children;
        size_t next = 0;
        const auto *base = m_bytes.data();
        for (const std::string_view item : jsonElements(m_bytes.substr(container)).items) {
            const auto begin = static_cast<uint64_t>(item.data() - base);
            SpliceChild child { begin, begin + item.size(), false, {}, {} };
            if (next < units.size() && units[next]->begin == begin) {
                child.isDropped = units[next]->isDropped;
                child.before = units[next]->newMessages;
                child.behind = appendedTo(*units[next]);
                ++next;
            }
            children.push_back(std::move(child));
        }
        changeChildren(children, m_changes);
    }
}

std::string_view SpliceDraft::idOf(const Unit &unit) const
{
    const std::string_view record = m_bytes.substr(unit.begin, unit.end - unit.begin);
    return m_shape.links.id.empty() ? std::string_view() : JsonMembers(record).string(m_shape.links.id);
}

std::vector<std::string> SpliceDraft::newIdsBefore(const Unit &unit) const
{
    std::vector<std::string> ids;
    if (m_shape.links.id.empty())
        return ids;
    for (const size_t each : unit.insertions)
        ids.push_back(newId(idOf(unit), m_edits.insertions[each].text, each));
    return ids;
}

void SpliceDraft::writeMessages(Unit &unit, std::string parent, const std::vector<std::string> &uuids, bool isLinked)
{
    for (size_t i = 0; i < unit.insertions.size(); ++i) {
        const MessageInsertion &each = m_edits.insertions[unit.insertions[i]];
        const NewMessage message { m_shape.roleOf(each.role), each.text, each.isSummary,
            i < uuids.size() ? uuids[i] : std::string(), parent };
        unit.newMessages.push_back(
            m_shape.message(message, m_bytes.substr(unit.begin, unit.end - unit.begin), !unit.container));
        if (isLinked && i < uuids.size())
            parent = "\"" + uuids[i] + "\"";
    }
}

void SpliceDraft::changeLine(const Unit &unit)
{
    std::string added;
    for (const std::string &each : unit.newMessages)
        added += each + "\n";
    appendLines(unit);
    if (!unit.isDropped) {
        m_changes.push_back({ unit.begin, unit.begin, added });
        return;
    }
    dropLine(unit.begin, endOfRecord(unit.begin, unit.end), added);
}

std::vector<std::string> SpliceDraft::appendedTo(const Unit &unit) const
{
    std::vector<std::string> texts;
    const std::string_view record = m_bytes.substr(unit.begin, unit.end - unit.begin);
    std::string own(idOf(unit));
    for (const size_t each : unit.appended) {
        const MessageInsertion &insertion = m_edits.insertions[each];
        const std::string parent = own.empty() ? "null" : "\"" + own + "\"";
        own = m_shape.links.id.empty() ? std::string() : newId(own, insertion.text, each);
        texts.push_back(
            m_shape.message({ m_shape.roleOf(insertion.role), insertion.text, insertion.isSummary, own, parent },
                record, !unit.container));
    }
    return texts;
}

void SpliceDraft::appendLines(const Unit &unit)
{
    std::string added;
    for (const std::string &each : appendedTo(unit))
        added += each + "\n";
    if (added.empty())
        return;
    const uint64_t at = m_shape.hasParents() ? m_bytes.size() : behindLine(unit.end);
    const bool beginsLine = at == 0 || m_bytes[at - 1] == '\n';
    m_changes.push_back({ at, at, (beginsLine ? "" : "\n") + added });
}

uint64_t SpliceDraft::endOfRecord(uint64_t begin, uint64_t end) const
{
    const auto own = endOfJsonValue(m_bytes.substr(begin, end - begin), 0);
    return own ? begin + *own : end;
}

void SpliceDraft::dropLine(uint64_t begin, uint64_t end, const std::string &added)
{
    uint64_t behind = end;
    while (behind < m_bytes.size() && isLineBlank(m_bytes[behind]))
        ++behind;
    uint64_t before = begin;
    while (before > 0 && isLineBlank(m_bytes[before - 1]))
        --before;
    const bool beginsLine = before == 0 || m_bytes[before - 1] == '\n';
    const bool endsLine = behind < m_bytes.size() && m_bytes[behind] == '\n';
    m_changes.push_back({ begin, beginsLine && endsLine ? behind + 1 : end, added });
}

void SpliceDraft::noteWhatIsToBeKnown()
{
    const SourcePtr &last = m_session.sources.back();
    if (m_session.sources.size() > 1 && isZstd(last->bytes()))
        m_notes.emplace_back("The session file is compressed; the new file is not.");
    if (m_session.sources.size() > 1 && isArchive(last->bytes()))
        m_notes.emplace_back("The session file is a ZIP archive; the new file is the log in JSON.");
}

Result<Spliced> SpliceDraft::applied()
{
    std::erase_if(m_changes,
        [&](const SpliceChange &each) { return m_bytes.substr(each.begin, each.end - each.begin) == each.text; });
    std::ranges::stable_sort(m_changes, [](const SpliceChange &a, const SpliceChange &b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    std::vector<SpliceChange> changes;
    for (SpliceChange &each : m_changes) {
        if (!changes.empty() && each.begin < changes.back().end) {
            return failure(ErrorKind::Internal, "Two changes of the file overlap.", m_session.sources.front()->name());
        }
        if (!changes.empty() && each.begin == changes.back().end) {
            changes.back().end = each.end;
            changes.back().text += each.text;
        } else {
            changes.push_back(std::move(each));
        }
    }
    Spliced result;
    uint64_t at = 0;
    for (const SpliceChange &each : changes) {
        result.bytes += m_bytes.substr(at, each.begin - at);
        result.inverse.push_back({ result.bytes.size(), each.text.size(), each.begin, each.end - each.begin });
        result.bytes += each.text;
        at = each.end;
    }
    result.bytes += m_bytes.substr(at);
    result.problems = std::move(m_problems);
    result.notes = std::move(m_notes);
    return result;
}

Result<Spliced> writeSplices(const Session &session, const SpliceEdits &edits, const SpliceCut *cut)
{
    return SpliceDraft(session, edits, cut).write();
}

} // namespace core
