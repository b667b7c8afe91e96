// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/opencode_writer.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/json/json_probe.h"
#include "core/writing/shape_writer.h"

#include <algorithm>

namespace core {

namespace {

constexpr std::string_view kVersion = "1.18.33"; ///< of opencode that has taken in such files

/// The last value of the member in the file. Of a database, which may have several sessions, only rows with the id
/// count.
std::string lastString(std::string_view bytes, std::string_view key, const std::string &sessionId)
{
    const std::string name = "\"" + std::string(key) + "\"";
    const bool isDatabase = bytes.starts_with("{\"sqlite\"");
    for (size_t end = bytes.size(); end > 0;) {
        const size_t at = bytes.rfind(name, end - 1);
        if (at == std::string_view::npos)
            break;
        end = at;
        const size_t newline = bytes.rfind('\n', at);
        const size_t row = newline == std::string_view::npos ? 0 : newline + 1;
        if (isDatabase && JsonMembers(bytes.substr(row)).string("session_id") != sessionId)
            continue;
        const size_t begin = bytes.find_first_not_of(" \t\r\n:", at + name.size());
        const auto behind = begin < bytes.size() && bytes[begin] == '"' ? skipJsonString(bytes, begin) : std::nullopt;
        if (behind)
            return decodeJsonString(bytes.substr(begin + 1, *behind - begin - 2));
    }
    return {};
}

class OpencodeWriter final : public ShapeWriter {
public:
    OpencodeWriter(const Transcript &transcript, const Thread &thread, const NewSession &named)
        : ShapeWriter(transcript, MessagesShape::OpenAi)
        , m_named(named)
        , m_first(named.time - static_cast<Timestamp>(turns().size()))
        , m_title(quoted(thread.title.empty() ? session().title : thread.title))
        , m_provider(quoted(lastString(session().sources.front()->bytes(), "providerID", thread.id)))
        , m_model(quoted(lastString(session().sources.front()->bytes(), "modelID", thread.id)))
        , m_own(quoted(named.id))
        , m_folder(quoted(named.workingFolder))
    {
    }

    /// opencode has a system prompt of its own.
    std::string write(std::vector<std::string> /*system*/) override
    {
        for (size_t i = 0; i < turns().size(); ++i) {
            const MessageTurn &turn = turns()[i];
            const bool isAnswered = i + 1 < turns().size() && turns()[i + 1].role == Role::Tool;
            if (turn.role == Role::Assistant) {
                m_loose.clear();
                addAnswer(turn, isAnswered ? &turns()[i + 1] : nullptr);
                if (!m_loose.empty())
                    addUser(m_loose, false);
            } else if (turn.role == Role::Tool)
                addLoose(turn, i > 0 ? &turns()[i - 1] : nullptr);
            else
                addUser(turn.blocks, turn.role == Role::System);
        }
        const std::string time = std::to_string(m_named.time);
        return "{\"info\":{\"id\":" + m_own + R"(,"slug":"palimpsest","projectID":"global","directory":)" + m_folder
            + ",\"title\":" + m_title + R"(,"version":")" + std::string(kVersion) + R"(","time":{"created":)" + time
            + ",\"updated\":" + time + "}},\"messages\":" + listOf(m_messages) + "}\n";
    }

private:
    /// Begins a message.
    void begin()
    {
        m_id = numbered("msg_", ++m_messageCount);
        m_parts.clear();
    }

    /// Ids sort as their numbers, in front of those that opencode makes.
    [[nodiscard]] std::string numbered(std::string_view kind, size_t number) const
    {
        constexpr size_t kSuffix = 14;
        const std::string_view own = m_named.id;
        return std::string(kind) + formatted("{:012x}", number)
            + std::string(own.substr(own.size() - std::min(kSuffix, own.size())));
    }

    std::string part(const std::string &content)
    {
        return "{\"id\":" + quoted(numbered("prt_", ++m_partCount)) + ",\"sessionID\":" + m_own
            + ",\"messageID\":" + quoted(m_id) + "," + content + "}";
    }

    [[nodiscard]] std::string time() const { return std::to_string(m_first + static_cast<Timestamp>(m_messageCount)); }
    [[nodiscard]] std::string span() const { return ",\"time\":{\"start\":" + time() + ",\"end\":" + time() + "}"; }

    void addMessage(const std::string &info)
    {
        m_messages.push_back("{\"info\":{\"id\":" + quoted(m_id) + ",\"sessionID\":" + m_own + "," + info
            + "},\"parts\":" + listOf(m_parts) + "}");
    }

    void addUser(const std::vector<BlockId> &blocks, bool isSystem)
    {
        begin();
        if (isSystem)
            note(Kind::LateSystem);
        for (const BlockId id : blocks)
            m_parts.push_back(part(contentOf(block(id), true)));
        m_asked = m_id;
        addMessage(R"("role":"user","time":{"created":)" + time() + R"(},"agent":"build","model":{"providerID":)"
            + m_provider + ",\"modelID\":" + m_model + "}");
    }

    void addAnswer(const MessageTurn &turn, const MessageTurn *results)
    {
        begin();
        m_parts.push_back(part(R"("type":"step-start")"));
        for (const BlockId id : turn.blocks) {
            const Block &each = block(id);
            m_parts.push_back(part(each.kind == BlockKind::ToolCall ? toolOf(each, results) : contentOf(each, false)));
        }
        addMessage(R"("role":"assistant","time":{"created":)" + time() + ",\"completed\":" + time()
            + "},\"parentID\":" + quoted(m_asked) + ",\"modelID\":" + m_model + ",\"providerID\":" + m_provider
            + R"(,"mode":"build","agent":"build","path":{"cwd":)" + m_folder
            + R"(,"root":"/"},"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}})"
            + R"(,"finish":"stop")");
    }

    /// What belongs to no call before it becomes a message of the user.
    void addLoose(const MessageTurn &turn, const MessageTurn *calls)
    {
        std::vector<BlockId> loose;
        for (const TurnResult &each : turn.results) {
            const auto isCall = [&](BlockId id) {
                return block(id).kind == BlockKind::ToolCall && block(id).callId == block(each.result).callId;
            };
            const bool isOfCall
                = calls != nullptr && calls->role == Role::Assistant && std::ranges::any_of(calls->blocks, isCall);
            if (!isOfCall) {
                loose.push_back(each.result);
                loose.insert(loose.end(), each.parts.begin(), each.parts.end());
            }
        }
        loose.insert(loose.end(), turn.blocks.begin(), turn.blocks.end());
        if (loose.empty())
            return;
        note(Kind::LooseParts);
        addUser(loose, false);
    }

    std::string fileOf(const Block &block)
    {
        return R"("type":"file","mime":)" + quoted(typeOf(block)) + ",\"url\":" + dataUrl(block);
    }

    static bool isMedia(const Block &block)
    {
        return (block.kind == BlockKind::Image || block.kind == BlockKind::Document) && isBytes(block);
    }

    std::string contentOf(const Block &block, bool isOfUser)
    {
        if (isMedia(block))
            return fileOf(block);
        if (block.kind == BlockKind::Thinking && !isOfUser)
            return R"("type":"reasoning","text":)" + textOf(block) + span();
        const bool isTyped = block.is(BlockFlag::Typed) || !isOfUser;
        return R"("type":"text","text":)" + wordsOf(block) + (isTyped ? "" : ",\"synthetic\":true");
    }

    std::string toolOf(const Block &call, const MessageTurn *turn)
    {
        const TurnResult *found = nullptr;
        for (size_t i = 0; turn != nullptr && found == nullptr && i < turn->results.size(); ++i) {
            if (block(turn->results[i].result).callId == call.callId)
                found = &turn->results[i];
        }
        const bool isError = found == nullptr || block(found->result).is(BlockFlag::Error);
        std::string state = R"({"status":")" + std::string(isError ? "error" : "completed") + R"(","input":)"
            + argumentsOf(call) + (isError ? ",\"error\":" : R"(,"title":"","metadata":{},"output":)")
            + (found == nullptr ? quoted("[Tool execution was interrupted]") : textOf(block(found->result))) + span();
        std::vector<std::string> files;
        for (size_t i = 0; found != nullptr && i < found->parts.size(); ++i) {
            const Block &each = block(found->parts[i]);
            if (isMedia(each) && !isError) {
                files.push_back(part(fileOf(each)));
                continue;
            }
            note(Kind::LooseParts);
            m_loose.push_back(found->parts[i]);
        }
        state += (files.empty() ? "" : ",\"attachments\":" + listOf(files)) + "}";
        return R"("type":"tool","tool":)" + nameOf(call) + ",\"callID\":" + idOf(call) + ",\"state\":" + state;
    }

    const NewSession &m_named;
    Timestamp m_first; ///< of the first message, less one
    std::string m_title;
    std::string m_provider;
    std::string m_model;
    std::string m_own;
    std::string m_folder;
    std::string m_id;             ///< of the message that is being written
    std::string m_asked;          ///< the last message of the user
    std::vector<BlockId> m_loose; ///< parts of results that the message cannot hold
    std::vector<std::string> m_parts;
    std::vector<std::string> m_messages;
    size_t m_messageCount = 0;
    size_t m_partCount = 0;
};

} // namespace

WrittenMessages writeOpencodeExport(const Transcript &transcript, const Thread &thread, const NewSession &named)
{
    OpencodeWriter writer(transcript, thread, named);
    std::string json = writer.write({});
    return { std::move(json), writer.notes().sentences() };
}

} // namespace core
