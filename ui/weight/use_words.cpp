// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/weight/use_words.h"

#include "core/session/tool_deed.h"

#include <algorithm>

namespace ui {

namespace {

constexpr size_t kMostNamed = 3;

/// Arguments of a write or an edit. Only later edits use them.
bool isWritten(const core::Session &session, core::BlockId id)
{
    const core::Block &block = session.block(id);
    if (block.kind != core::BlockKind::ToolCall)
        return false;
    const core::ToolDeed deed = core::toolDeed(session, block);
    return deed == core::ToolDeed::Write || deed == core::ToolDeed::Edit;
}

/// Blocks that can have uses. Summaries, for example, only repeat the text of others.
bool isOfTool(const core::Session &session, core::BlockId id)
{
    const core::BlockKind kind = session.block(id).kind;
    return kind == core::BlockKind::ToolCall || kind == core::BlockKind::ToolResult;
}

std::string numbers(std::span<const core::MessageId> users)
{
    std::string text;
    for (const core::MessageId user : users.first(std::min(kMostNamed, users.size())))
        text += (text.empty() ? "#" : ", #") + std::to_string(user.value());
    if (users.size() > kMostNamed)
        text += " and " + std::to_string(users.size() - kMostNamed) + " more";
    return text;
}

} // namespace

UseIndex::UseIndex(const core::Session &session, std::shared_ptr<const core::Uses> uses)
    : m_uses(std::move(uses))
{
    if (!m_uses)
        return;
    for (const core::Use &use : m_uses->uses) {
        if ((core::only(use.kind) & core::kHeadlineUses) == 0)
            continue;
        const auto carriers = m_uses->carriersOf(use);
        for (const core::BlockId carrier : carriers.first(use.isTogether ? carriers.size() : 1))
            m_entries.push_back({ carrier, session.block(use.by).message });
    }
    std::ranges::sort(m_entries);
}

std::vector<core::MessageId> UseIndex::usersOf(std::span<const core::BlockId> blocks) const
{
    std::vector<core::MessageId> users;
    for (const core::BlockId block : blocks) {
        const auto of = std::ranges::equal_range(m_entries, block, {}, &Entry::carrier);
        for (const Entry &entry : of)
            users.push_back(entry.user);
    }
    std::ranges::sort(users);
    users.erase(std::unique(users.begin(), users.end()), users.end());
    return users;
}

std::string useWords(const core::Session &session, const UseIndex &index, const core::ResentUnused &resent,
    const core::UnusedGroup &group)
{
    const auto blocks = resent.blocksOf(group);
    const std::vector<core::MessageId> users = index.usersOf(blocks);
    if (std::ranges::all_of(blocks, [&](core::BlockId id) { return isWritten(session, id); }))
        return users.empty() ? "never quoted again" : "quoted again by " + numbers(users);
    const bool canBeUsed = std::ranges::any_of(blocks, [&](core::BlockId id) { return isOfTool(session, id); });
    std::string use = !users.empty() ? "used again by " + numbers(users) : canBeUsed ? "never used again" : "";
    if (!group.isStale())
        return use;
    return use.empty() ? "stale: changed since" : "stale: changed since · " + use;
}

} // namespace ui
