// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/fetched_outputs.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/session/spilled_output.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

/// Shorter names stand in arguments by chance.
constexpr size_t kShortestName = 6;
/// What stands between the words of arguments.
constexpr std::string_view kBetween = " \t\r\n\"'`\\,;|<>()[]{}=";

/// iii's tool as its harness names it, as it is sent, and as an argument of `agent_call`.
bool fetchesResult(std::string_view tool, std::string_view arguments)
{
    constexpr std::string_view kFetch = "result::fetch";
    return tool == kFetch || tool == "result__fetch" || (tool.ends_with("agent_call") && arguments.contains(kFetch));
}

class Finder final {
public:
    explicit Finder(const AppendLog &log)
        : m_log(log)
        , m_session(*log.session)
    {
    }

    FetchedOutputs find()
    {
        for (size_t step = 0; step < m_log.steps.size(); ++step) {
            for (const BlockId id : m_log.addedAt(step)) {
                if (!m_seen.insert(id).second)
                    continue;
                const Block &block = m_session.block(id);
                if (block.kind == BlockKind::ToolCall && step > 0)
                    takeCall(id, step - 1);
                else if (block.kind == BlockKind::ToolResult)
                    takeResult(id);
            }
        }
        return std::move(m_found);
    }

private:
    void takeCall(BlockId id, size_t call)
    {
        const Block &block = m_session.block(id);
        const std::string arguments = m_session.text(block.body);
        const std::string_view tool = m_session.string(block.name);
        const BlockId part = partNamedIn(arguments);
        if (!part.isValid() && !fetchesResult(tool, arguments))
            return;
        m_requests.emplace(block.callId, m_found.fetched.size());
        m_found.fetched.push_back({ id, part, CallIndex(call), false, tool });
    }

    void takeResult(BlockId id)
    {
        std::string name = nameOfWhole(m_session, id);
        if (name.size() < kShortestName)
            return;
        ++m_found.parts;
        if (const auto request = m_requests.find(m_session.block(id).callId); request != m_requests.end())
            m_found.fetched[request->second].isPartAgain = true;
        if (name.find_first_of(kBetween) == std::string::npos)
            m_words.insert_or_assign(std::move(name), id);
        else
            m_texts.emplace_back(std::move(name), id);
    }

    [[nodiscard]] BlockId partNamedIn(const std::string &arguments) const
    {
        const std::string_view text = arguments;
        for (size_t begin = 0; !m_words.empty() && begin < text.size();) {
            const size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
            if (const auto found = m_words.find(text.substr(begin, end - begin)); found != m_words.end())
                return found->second;
            begin = end + 1;
        }
        const auto found = std::ranges::find_if(m_texts, [&](const auto &each) { return text.contains(each.first); });
        return found == m_texts.end() ? BlockId() : found->second;
    }

    const AppendLog &m_log;
    const Session &m_session;
    FetchedOutputs m_found;
    // Names of wholes, and the parts that name them.
    std::map<std::string, BlockId, std::less<>> m_words;  ///< without a character of kBetween
    std::vector<std::pair<std::string, BlockId>> m_texts; ///< the others
    std::unordered_map<StringId, size_t> m_requests;      ///< by id of the tool call
    std::unordered_set<BlockId> m_seen;
};

} // namespace

FetchedOutputs fetchedOutputs(const AppendLog &log) { return Finder(log).find(); }

std::string FetchedOutputs::sentence() const
{
    constexpr size_t kMost = 8;
    if (parts == 0 && fetched.empty())
        return {};
    std::string text = formatted("{} named a place for the whole; the agent ", counted(parts, "shortened result"));
    if (fetched.empty())
        return text + "fetched none of them";
    std::vector<std::string_view> tools;
    std::string calls;
    for (size_t i = 0; i < fetched.size(); ++i) {
        if (!std::ranges::contains(tools, fetched[i].tool))
            tools.push_back(fetched[i].tool);
        if (i < kMost)
            calls += formatted("{}{}", i == 0 ? "" : ", ", fetched[i].call.value());
    }
    text += formatted(
        "fetched {}, at {} {}", counted(fetched.size(), "time"), fetched.size() == 1 ? "call" : "calls", calls);
    if (fetched.size() > kMost)
        text += formatted(" and {} more", fetched.size() - kMost);
    for (size_t i = 0; i < tools.size(); ++i)
        text += (i == 0 ? " (" : ", ") + std::string(tools[i]);
    return text + ")";
}

} // namespace core
