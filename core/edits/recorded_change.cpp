// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/recorded_change.h"

#include "core/base/text.h"
#include "core/json/json_probe.h"
#include "core/session/format_traits.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace core {

namespace {

/// Calls `visit` with each line, without its line end.
template <typename Visitor>
void forEachLine(std::string_view text, const Visitor &visit)
{
    while (!text.empty()) {
        const size_t end = text.find('\n');
        visit(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
}

uint64_t numberAt(std::string_view text, size_t at)
{
    uint64_t number = 0;
    std::from_chars(text.data() + at, text.data() + text.size(), number);
    return number;
}

std::optional<std::string> textOf(const JsonMembers &members, std::string_view key)
{
    const std::string_view raw = members.raw(key);
    return isJsonString(raw) ? std::optional(decodeJsonString(jsonString(raw))) : std::nullopt;
}

/// Claude Code records the whole notebook before and after an edit of a cell.
std::optional<RecordedChange> ofNotebook(const JsonMembers &beside)
{
    RecordedChange change;
    change.source = "original_file, updated_file";
    change.original = textOf(beside, "original_file");
    change.after = textOf(beside, "updated_file");
    return change.original && change.after ? std::optional(std::move(change)) : std::nullopt;
}

/// Claude Code: `originalFile` is null for a new file.
std::optional<RecordedChange> ofClaude(const JsonMembers &record)
{
    const JsonMembers beside = record.object("toolUseResult");
    if (beside.has("updated_file"))
        return ofNotebook(beside);
    if (!beside.has("structuredPatch") && !beside.has("originalFile"))
        return std::nullopt;
    RecordedChange change;
    change.source = "originalFile, structuredPatch";
    change.original = textOf(beside, "originalFile");
    change.isNewFile = beside.string("type") == "create";
    if (beside.has("content"))
        change.after = textOf(beside, "content");
    for (const std::string_view item : jsonElements(beside.raw("structuredPatch")).items) {
        const JsonMembers members(item);
        RecordedHunk hunk { members.number("oldStart").value_or(0), members.number("newStart").value_or(0), {} };
        for (const std::string_view line : jsonElements(members.raw("lines")).items)
            hunk.lines.push_back(decodeJsonString(jsonString(line)));
        change.hunks.push_back(std::move(hunk));
    }
    return change;
}

/// LangChain: `artifact.diff` of a tool message, in any wrapping of the message.
std::optional<RecordedChange> ofArtifact(const JsonMembers &record)
{
    for (const JsonMembers &fields : { record, record.object("kwargs"), record.object("data") }) {
        const JsonMembers diff = fields.object("artifact").object("diff");
        if (!diff.has("newContent"))
            continue;
        RecordedChange change;
        change.source = "artifact";
        change.original = textOf(diff, "originalContent");
        change.after = textOf(diff, "newContent");
        change.isNewFile = diff.isTrue("isNewFile");
        return change;
    }
    return std::nullopt;
}

/// pi: lines with sign and number, and `...` for omitted lines.
std::optional<RecordedChange> ofPi(const JsonMembers &record)
{
    const auto diff = textOf(record.object("message").object("details"), "diff");
    if (!diff)
        return std::nullopt;
    RecordedChange change;
    change.source = "details.diff";
    std::vector<std::string> lines; // lines of the current hunk before its first change
    bool isOpen = false;
    uint64_t removed = 0; // lines removed by the hunks so far
    uint64_t added = 0;
    forEachLine(*diff, [&](std::string_view line) {
        const size_t digit = line.find_first_not_of(' ', 1);
        const bool isNumbered = digit != std::string_view::npos && line[digit] >= '0' && line[digit] <= '9';
        if (!isNumbered) {
            isOpen = false;
            lines.clear();
            return;
        }
        const size_t behind = std::min(line.find(' ', digit), line.size() - 1);
        lines.push_back(line.front() + std::string(line.substr(behind + 1)));
        if (!isOpen && line.front() == ' ')
            return;
        if (!isOpen) { // changed lines have the right number; early versions number the context lines before them from
                       // 1
            const uint64_t first = numberAt(line, digit) + 1 - lines.size();
            const bool isOld = line.front() == '-';
            change.hunks.push_back(
                { isOld ? first : first + removed - added, isOld ? first + added - removed : first, {} });
            isOpen = true;
        }
        removed += line.front() == '-' ? 1 : 0;
        added += line.front() == '+' ? 1 : 0;
        std::ranges::move(lines, std::back_inserter(change.hunks.back().lines));
        lines.clear();
    });
    return change;
}

bool namesFile(std::string_view key, std::string_view path)
{
    return key == path || (key.ends_with(path) && key.size() > path.size() && key[key.size() - path.size() - 1] == '/');
}

} // namespace

RecordedChanges::RecordedChanges(const Session &session)
    : m_session(session)
{
    if (!session.traits->recordsPatches)
        return;
    constexpr std::string_view kEvent = "\"patch_apply_end\"";
    for (const SourcePtr &source : session.sources) {
        const std::string_view bytes = source->bytes();
        for (size_t at = bytes.find(kEvent); at != std::string_view::npos; at = bytes.find(kEvent, at + 1)) {
            const size_t before = bytes.rfind('\n', at);
            const JsonMembers record(bytes.substr(before == std::string_view::npos ? 0 : before + 1));
            const JsonMembers payload = record.object("payload");
            if (payload.string("type") != "patch_apply_end")
                continue;
            if (payload.raw("success") == "false")
                m_failedPatches.insert(decodeJsonString(payload.string("call_id")));
            else
                m_patchEvents.try_emplace(decodeJsonString(payload.string("call_id")), payload.raw("changes"));
        }
    }
}

bool RecordedChanges::tellsFailure(const Block &result) const
{
    return m_failedPatches.contains(m_session.string(result.callId));
}

std::optional<RecordedChange> RecordedChanges::find(const Block &result, std::string_view path) const
{
    if (const auto event = ofEvent(result, path))
        return event;
    const std::string_view bytes = m_session.record(result);
    if (!bytes.contains("\"structuredPatch\"") && !bytes.contains("\"originalFile\"")
        && !bytes.contains("\"updated_file\"") && !bytes.contains("\"artifact\"") && !bytes.contains("\"details\""))
        return std::nullopt;
    const JsonMembers record(bytes);
    if (auto change = ofClaude(record))
        return change;
    if (auto change = ofArtifact(record))
        return change;
    return ofPi(record);
}

std::optional<RecordedChange> RecordedChanges::ofEvent(const Block &result, std::string_view path) const
{
    const auto event = m_patchEvents.find(m_session.string(result.callId));
    if (event == m_patchEvents.end())
        return std::nullopt;
    const JsonMembers files(event->second);
    for (const JsonMembers::Member &member : files.all()) {
        if (!namesFile(decodeJsonString(member.key), path))
            continue;
        const JsonMembers fields(member.value);
        RecordedChange change;
        change.source = "patch_apply_end";
        change.isNewFile = fields.string("type") == "add";
        if (change.isNewFile)
            change.after = textOf(fields, "content");
        else if (fields.string("type") == "delete")
            change.original = textOf(fields, "content");
        else if (const auto diff = textOf(fields, "unified_diff"))
            change.hunks = parseUnifiedDiff(*diff);
        return change;
    }
    return std::nullopt;
}

std::vector<RecordedHunk> parseUnifiedDiff(std::string_view diff)
{
    std::vector<RecordedHunk> hunks;
    forEachLine(diff, [&](std::string_view line) {
        if (line.starts_with("@@ -")) {
            const size_t plus = line.find('+');
            hunks.push_back({ numberAt(line, 4), plus == std::string_view::npos ? 0 : numberAt(line, plus + 1), {} });
        } else if (!hunks.empty() && !line.empty() && std::string_view(" +-").contains(line.front())) {
            hunks.back().lines.emplace_back(line);
        }
    });
    return hunks;
}

} // namespace core
