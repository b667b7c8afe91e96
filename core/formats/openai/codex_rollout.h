// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/item_history.h"
#include "core/formats/reading/json_records.h"

namespace core {

/// The header of a rollout: `session_meta`, the head line of the bare era, or `session` of the single document.
struct CodexHeader {
    std::string id;
    std::string cwd;
    std::string branch;
    std::string originator;
    std::string version;
    std::string forkedFrom;
    std::string startedBy;         ///< the session of which this is a subagent
    std::string_view instructions; ///< raw, between the quotes: the system prompt or AGENTS.md
    std::vector<Block> prelude;    ///< base instructions and tools
};

/// Builds the session of a Codex rollout, record by record: lines of `{timestamp,type,payload}`, bare items (until
/// September 2025), or the parts of a single document (TypeScript, until June 2025).
class CodexRollout final {
public:
    CodexRollout();
    /// A copy to finish. Costs O(blocks); reads nothing.
    CodexRollout(const CodexRollout &other);
    CodexRollout &operator=(const CodexRollout &) = delete;
    ~CodexRollout() = default;

    [[nodiscard]] SessionBuilder &builder() { return m_builder; }
    [[nodiscard]] const SessionBuilder &builder() const { return m_builder; }
    [[nodiscard]] const ResponsesItems &items() const { return m_items; }

    /// Reads the record of one line.
    void visit(simdjson::ondemand::object &object, const Record &record);
    [[nodiscard]] CodexHeader readHeader(simdjson::ondemand::object object, const ItemPlace &place) const;
    void acceptHeader(CodexHeader header, const ItemPlace &place);
    void acceptItem(ResponsesItem item, const Record &record);

    /// The session; consumes the object.
    [[nodiscard]] SessionPtr finish();

private:
    void readPayload(
        std::string_view type, simdjson::ondemand::value payload, const Record &record, const ItemPlace &place);
    void readBareRecord(simdjson::ondemand::object &object, const Record &record, const ItemPlace &place);
    void readEvent(simdjson::ondemand::object payload, const Record &record, const ItemPlace &place);
    [[nodiscard]] std::optional<UsageReport> readTokenCount(simdjson::ondemand::object info, const ItemPlace &place);
    void setWindow(std::optional<uint64_t> tokens);
    void readTurnContext(simdjson::ondemand::object payload, const ItemPlace &place);
    void readCompacted(simdjson::ondemand::object payload, const ItemPlace &place);
    void summarise(std::string_view message, const ItemPlace &place);

    void acceptUsage(const UsageReport &report);
    void countAside(const Record &record, StringId callId = {});
    void settlePrelude();
    [[nodiscard]] bool isInArray(const Block &instructions) const;

    SessionBuilder m_builder;
    ResponsesItems m_items;
    ThreadIndex m_thread;
    ItemHistory m_history;

    bool m_hasHeader = false;
    std::vector<Block> m_prelude;
    std::optional<Block> m_instructions; ///< system prompt or AGENTS.md: decided when the first array is known
    ItemPlace m_preludePlace;
    bool m_isPreludeSettled = false;
    bool m_hasItems = false;
    std::unordered_map<StringId, BlockId> m_calls;
};

} // namespace core
