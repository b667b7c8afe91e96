// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text.h"
#include "core/session/builder.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A session block by block: each call of a function is a message.
class Script final {
public:
    void text(Role role, std::string text, BlockFlag flag = BlockFlag::Typed)
    {
        Block block = make(BlockKind::Text, std::move(text));
        if (role == Role::User)
            block.set(flag);
        add(role, block);
    }
    void call(std::string_view tool, std::string_view subject, const std::string &arguments)
    {
        m_last = make(BlockKind::ToolCall, arguments, tool);
        m_last.subject = m_builder.intern(subject);
        m_last.callId = m_builder.intern("call-" + std::to_string(++m_calls));
        add(Role::Assistant, m_last);
    }
    void read(std::string_view path) { call("Read", path, R"({"file_path": ")" + std::string(path) + "\"}"); }
    void edit(std::string_view path, const std::string &from, const std::string &to)
    {
        call("Edit", path,
            R"({"file_path": ")" + std::string(path) + R"(", "old_string": )" + quoteJson(from) + R"(, "new_string": )"
                + quoteJson(to) + "}");
    }
    /// Answers the last call.
    void result(std::string text, bool hasFailed = false)
    {
        Block block = make(BlockKind::ToolResult, std::move(text));
        block.callId = m_last.callId;
        if (hasFailed)
            block.set(BlockFlag::Error);
        add(Role::Tool, block);
    }
    SessionPtr finish()
    {
        m_builder.deriveCalls(m_thread, m_messages);
        return m_builder.finish();
    }

private:
    Block make(BlockKind kind, std::string text, std::string_view name = {})
    {
        return m_builder.makeBlock(kind, m_builder.ownedBody(std::move(text), "test"), m_builder.intern(name));
    }
    void add(Role role, const Block &block)
    {
        MessageDraft draft;
        draft.role = role;
        draft.blocks = { block };
        m_messages.push_back(m_builder.addMessage(m_thread, draft));
    }

    SessionBuilder m_builder;
    ThreadIndex m_thread = m_builder.addThread(ThreadKind::Main);
    std::vector<MessageId> m_messages;
    Block m_last;
    int m_calls = 0;
};

} // namespace core
