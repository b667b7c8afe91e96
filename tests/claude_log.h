// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "tests/session_testing.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace testing {

/// A Claude Code session file, record by record, with what that harness keeps beside the context.
class ClaudeLog final {
public:
    using Json = nlohmann::ordered_json;

    explicit ClaudeLog(std::string folder = "/work")
        : m_folder(std::move(folder))
    {
    }

    void typed(const std::string &text, const std::string &promptId = {})
    {
        Json record { { "type", "user" }, { "message", { { "role", "user" }, { "content", text } } } };
        if (!promptId.empty())
            record["promptId"] = promptId;
        add(std::move(record));
    }
    /// A message that the harness writes.
    void injected(const std::string &text)
    {
        add({ { "type", "user" }, { "isMeta", true },
            { "message",
                { { "role", "user" }, { "content", Json::array({ { { "type", "text" }, { "text", text } } }) } } } });
    }
    /// A call of the model with one tool call.
    void call(const std::string &tool, const Json &arguments)
    {
        m_call = "toolu_" + std::to_string(++m_count);
        const Json use { { "type", "tool_use" }, { "id", m_call }, { "name", tool }, { "input", arguments } };
        add({ { "type", "assistant" }, { "requestId", "req_" + m_call },
            { "message",
                { { "id", "msg_" + m_call }, { "type", "message" }, { "role", "assistant" },
                    { "model", "claude-opus-4-5" }, { "content", Json::array({ use }) }, { "usage", m_usage } } } });
    }
    /// A call of the model that answers with a text.
    void answered(const std::string &text)
    {
        const std::string id = std::to_string(++m_count);
        add({ { "type", "assistant" }, { "requestId", "req_" + id },
            { "message",
                { { "id", "msg_" + id }, { "type", "message" }, { "role", "assistant" }, { "model", "claude-opus-4-5" },
                    { "content", Json::array({ { { "type", "text" }, { "text", text } } }) },
                    { "usage", m_usage } } } });
    }
    /// The usage of the calls from here on: tokens read from the cache, written to it, and neither; and of the answer.
    void setUsage(uint64_t read, uint64_t written, uint64_t input, uint64_t output = 5)
    {
        m_usage = { { "input_tokens", input }, { "output_tokens", output }, { "cache_read_input_tokens", read },
            { "cache_creation_input_tokens", written } };
    }
    /// Lets so many minutes pass; at most 59 in all.
    void wait(int minutes) { m_minute += minutes; }
    /// Answers it; `beside` is `toolUseResult`.
    void result(const std::string &text, bool isError = false, const Json &beside = nullptr)
    {
        Json block { { "type", "tool_result" }, { "tool_use_id", m_call }, { "content", text } };
        if (isError)
            block["is_error"] = true;
        Json record { { "type", "user" },
            { "message", { { "role", "user" }, { "content", Json::array({ block }) } } } };
        if (!beside.is_null())
            record["toolUseResult"] = beside;
        add(std::move(record));
    }
    /// Microcompaction: the results of these calls are stubs from here on.
    void clear(const std::vector<std::string> &calls, uint64_t tokensSaved = 500)
    {
        add({ { "type", "system" }, { "subtype", "microcompact_boundary" }, { "content", "Context microcompacted" },
            { "microcompactMetadata",
                { { "trigger", "auto" }, { "preTokens", 2000 }, { "tokensSaved", tokensSaved },
                    { "compactedToolIds", calls }, { "clearedAttachmentUUIDs", Json::array() } } } });
    }
    /// The id of the last call.
    [[nodiscard]] const std::string &lastCall() const { return m_call; }

    void compact(const std::string &summary, uint64_t preTokens = 1000)
    {
        const std::string last = std::exchange(m_parent, std::string());
        add({ { "type", "system" }, { "subtype", "compact_boundary" }, { "logicalParentUuid", last },
            { "content", "Conversation compacted" },
            { "compactMetadata", { { "trigger", "auto" }, { "preTokens", preTokens } } } });
        add({ { "type", "user" }, { "isCompactSummary", true },
            { "message", { { "role", "user" }, { "content", summary } } } });
    }

    /// Reads a file as it is, `first` 1-based.
    void read(const std::string &path, const std::string &text, size_t first = 1)
    {
        call("Read", { { "file_path", path } });
        result(numbered(text, first));
    }
    void edit(const std::string &path, const std::string &before, const std::string &after)
    {
        call("Edit", { { "file_path", path }, { "old_string", before }, { "new_string", after } });
        result("The file " + path + " has been updated successfully.");
    }
    void write(const std::string &path, const std::string &text)
    {
        call("Write", { { "file_path", path }, { "content", text } });
        result("File created successfully at: " + path);
    }

    /// Lines as the Read tool shows them; the empty one behind the last line feed is shown too.
    static std::string numbered(const std::string &text, size_t first = 1)
    {
        std::string shown;
        for (size_t at = 0; at <= text.size();) {
            const size_t end = std::min(text.find('\n', at), text.size());
            shown += (shown.empty() ? "" : "\n") + std::string("     ") + std::to_string(first++) + "→"
                + text.substr(at, end - at);
            at = end + 1;
        }
        return shown;
    }

    [[nodiscard]] std::string text() const { return m_text; }
    /// nullptr if it cannot be read.
    [[nodiscard]] core::SessionPtr load() const
    {
        const auto session = testing::load(m_text);
        return session ? *session : nullptr;
    }

private:
    static std::string twoDigits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

    void add(Json record)
    {
        const std::string id = "uuid-" + std::to_string(++m_count);
        record["parentUuid"] = m_parent.empty() ? Json(nullptr) : Json(m_parent);
        record["isSidechain"] = false;
        record["userType"] = "external";
        record["cwd"] = m_folder;
        record["sessionId"] = "session";
        record["version"] = "2.1.14";
        record["uuid"] = id;
        record["timestamp"] = "2026-01-01T00:" + twoDigits(m_minute) + ":" + twoDigits(m_second) + ".000Z";
        m_second = std::min(m_second + 1, 59);
        m_parent = id;
        m_text += record.dump() + "\n";
    }

    std::string m_folder;
    std::string m_text;
    std::string m_parent;
    std::string m_call;
    int m_count = 0;
    Json m_usage { { "input_tokens", 10 }, { "output_tokens", 5 } };
    int m_minute = 0;
    int m_second = 0;
};

} // namespace testing
