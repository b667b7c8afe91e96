// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/head_facts.h"

#include "core/base/counted.h"
#include "core/compaction/texts.h"
#include "core/json/json_probe.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <array>

namespace core::stages {

namespace {

constexpr int64_t kMinute = 60'000;
constexpr int64_t kHour = 60 * kMinute;
constexpr size_t kMostFiles = 8;
constexpr size_t kMostTasks = 10;
constexpr size_t kItemCharacters = 80;
constexpr size_t kMostStatusLines = 20;
constexpr size_t kRecentTurns = 3;
constexpr size_t kMostRecentBytes = 32'000;

/// `update_plan` and `updatePlan` alike.
std::string letters(std::string_view name)
{
    std::string text;
    for (const char c : name) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            text += static_cast<char>(c | 0x20);
    }
    return text;
}

bool writesTasks(std::string_view tool)
{
    static constexpr auto kNames
        = std::to_array<std::string_view>({ "todowrite", "writetodos", "updateplan", "updatetodos", "settodolist" });
    return std::ranges::contains(kNames, letters(tool));
}

/// `40 seconds`, `12 minutes`, `3 hours`, `2 days`.
std::string durationText(int64_t milliseconds)
{
    if (milliseconds < kMinute)
        return counted(static_cast<uint64_t>(std::max<int64_t>(0, milliseconds) / 1000), "second");
    if (milliseconds < 2 * kHour)
        return counted(static_cast<uint64_t>(milliseconds / kMinute), "minute");
    if (milliseconds < 2 * kDayLength)
        return counted(static_cast<uint64_t>(milliseconds / kHour), "hour");
    return counted(static_cast<uint64_t>(milliseconds / kDayLength), "day");
}

std::string joined(const std::vector<std::string> &items, size_t most)
{
    std::string text;
    for (size_t i = 0; i < std::min(items.size(), most); ++i)
        text += (i == 0 ? "" : "; ") + items[i];
    return items.size() > most ? text + "; and " + groupedNumber(items.size() - most) + " more" : text;
}

std::string tasksText(const BlockPool &pool, BlockId call)
{
    const auto open = openTasks(pool.text(call));
    return !open ? std::string() : open->empty() ? "none open" : joined(*open, kMostTasks);
}

std::string statusText(const BlockPool &pool, BlockId result)
{
    const std::string text = pool.text(result);
    const std::string_view whole = stripped(text);
    size_t end = 0;
    for (size_t lines = 0; lines < kMostStatusLines && end != std::string_view::npos; ++lines)
        end = whole.find('\n', end == 0 ? 0 : end + 1);
    return std::string(whole.substr(0, end)) + (end == std::string_view::npos ? "" : "\n…");
}

} // namespace

void HeadWatch::push(BlockId id)
{
    if (!id.isValid() || !m_pool.isRecorded(id))
        return;
    const Block &block = m_pool.block(id);
    if (const Timestamp time = m_pool.session()->timeOf(id).value_or(0); time != 0 && time != m_facts.time) {
        if (m_facts.time && time > *m_facts.time)
            m_facts.pause = time - *m_facts.time;
        m_facts.time = time;
    }
    if (block.kind == BlockKind::ToolCall) {
        m_calls[block.callId] = id;
        if (writesTasks(m_pool.string(block.name)))
            m_facts.tasks = id;
    } else if (block.kind == BlockKind::ToolResult) {
        pushResult(id, block);
    } else if (block.is(BlockFlag::Typed)) {
        ++m_facts.turn;
    }
    pushSaid(id, block);
}

void HeadWatch::pushSaid(BlockId id, const Block &block)
{
    if (block.is(BlockFlag::Typed) && block.message != m_typed) {
        m_turns.push_back(m_said.size());
        m_typed = block.message;
    }
    const auto &messages = m_pool.session()->messages;
    const bool isOfModel
        = block.message.index() < messages.size() && m_pool.session()->message(block.message).role == Role::Assistant;
    const bool isSaid = block.is(BlockFlag::Typed) || isOfModel;
    if (block.kind == BlockKind::ToolCall || (block.kind == BlockKind::Text && isSaid))
        m_said.push_back(id);
    m_facts.firstSaid = m_turns.size() < kRecentTurns ? 0 : m_turns[m_turns.size() - kRecentTurns];
    m_facts.endSaid = m_said.size();
}

std::string HeadWatch::recentText(const HeadFacts &facts) const
{
    std::string text;
    for (size_t i = facts.endSaid; i > facts.firstSaid && text.size() < kMostRecentBytes; --i) {
        const Block &block = m_pool.block(m_said[i - 1]);
        if (block.kind == BlockKind::Text)
            text += m_pool.textHead(m_said[i - 1], kMostRecentBytes - text.size());
        else
            text.append(m_pool.string(block.name)).append(" ").append(m_pool.string(block.subject));
        text += '\n';
    }
    text.resize(std::min(text.size(), kMostRecentBytes));
    return text;
}

void HeadWatch::pushResult(BlockId result, const Block &block)
{
    const auto found = m_calls.find(block.callId);
    if (found == m_calls.end() || block.is(BlockFlag::Error))
        return;
    const Block &call = m_pool.block(found->second);
    const ToolDeed deed = toolDeed(m_pool.string(call.name));
    if ((deed == ToolDeed::Edit || deed == ToolDeed::Write) && call.subject.isValid()) {
        m_edits.push_back({ call.subject, m_facts.time });
        m_facts.endEdit = m_edits.size();
    } else if (runsCommand(m_pool, found->second, "git commit")) {
        m_facts.firstEdit = m_edits.size();
        m_facts.hasCommit = true;
    } else if (runsCommand(m_pool, found->second, "git status")) {
        m_facts.gitStatus = result;
    }
}

std::string HeadWatch::editedText(const HeadFacts &facts) const
{
    std::vector<std::string> files;
    for (size_t i = facts.firstEdit; i < facts.endEdit; ++i) {
        const std::string path(m_pool.string(m_edits[i].path));
        if (!std::ranges::contains(files, path))
            files.push_back(path);
    }
    if (files.empty())
        return {};
    std::string text = counted(files.size(), "file") + " edited since "
        + (facts.hasCommit ? "the last git commit" : "the start, without a git commit");
    const auto first = m_edits[facts.firstEdit].time;
    if (first && facts.time && *facts.time > *first)
        text += ", the first " + durationText(*facts.time - *first) + " ago";
    return text + ": " + joined(files, kMostFiles);
}

std::optional<std::string> HeadWatch::valueOf(std::string_view name, const HeadFacts &facts, const Given &given) const
{
    if (name == "time")
        return facts.time ? minuteText(*facts.time) : std::string();
    if (name == "since")
        return facts.pause ? durationText(*facts.pause) : std::string();
    if (name == "turn")
        return std::to_string(facts.turn);
    if (name == "git")
        return facts.gitStatus.isValid() ? statusText(m_pool, facts.gitStatus) : std::string();
    if (name == "edited")
        return editedText(facts);
    if (name == "tasks")
        return facts.tasks.isValid() ? tasksText(m_pool, facts.tasks) : std::string();
    if (name == "persona")
        return given.persona;
    if (name == "switch")
        return given.change;
    if (name == "memory")
        return given.memory;
    return std::nullopt;
}

std::string HeadWatch::filled(std::string_view pattern, const HeadFacts &facts, const Given &given) const
{
    std::string text;
    bool isFirst = true;
    bool asks = false;
    bool learns = false;
    for (const std::string_view line : splitLines(pattern, LineRule::JavaScript)) {
        std::string made;
        bool isKnown = true;
        size_t at = 0;
        while (at < line.size()) {
            const size_t open = line.find('{', at);
            const size_t close = open == std::string_view::npos ? open : line.find('}', open);
            if (close == std::string_view::npos)
                break;
            const auto value = valueOf(line.substr(open + 1, close - open - 1), facts, given);
            asks = asks || value.has_value();
            learns = learns || (value && !value->empty());
            isKnown = isKnown && (!value || !value->empty());
            made += line.substr(at, open - at);
            made += value ? *value : std::string(line.substr(open, close + 1 - open));
            at = close + 1;
        }
        if (!isKnown)
            continue;
        made += line.substr(at);
        text += (isFirst ? "" : "\n") + made;
        isFirst = false;
    }
    return asks && !learns ? std::string() : text;
}

bool runsCommand(const BlockPool &pool, BlockId call, std::string_view words)
{
    return call.isValid() && toolDeed(pool.string(pool.block(call).name)) == ToolDeed::Run
        && pool.string(pool.block(call).subject).contains(words);
}

std::optional<std::vector<std::string>> openTasks(std::string_view arguments)
{
    const JsonMembers members(arguments);
    for (const std::string_view key : { "todos", "plan", "tasks" }) {
        if (!members.raw(key).starts_with('['))
            continue;
        std::vector<std::string> open;
        for (const std::string_view item : jsonElements(members.raw(key)).items) {
            const JsonMembers task(item);
            const std::string_view status = task.string("status");
            if (status == "completed" || status == "done" || status == "cancelled")
                continue;
            for (const std::string_view name : { "content", "step", "title", "text", "description" }) {
                if (const std::string words = decodeJsonString(task.string(name)); !words.empty()) {
                    open.push_back(snippet(words, kItemCharacters));
                    break;
                }
            }
        }
        return open;
    }
    return std::nullopt;
}

} // namespace core::stages
