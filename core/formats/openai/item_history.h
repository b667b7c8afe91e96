// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/responses_items.h"

#include <optional>
#include <unordered_set>

namespace core {

/// One usage report of a finished model call.
struct UsageReport {
    Usage usage;
    uint64_t totalTokens = 0; ///< context plus response, as the harness adds them
    Hash identity;            ///< equal for repeats of the same report
    std::optional<Timestamp> time;
    uint64_t line = 0;
};

/// The array of a rollout or an item list, built item by item, with its calls and compactions. Adds each item to the
/// builder's pool once, in file order.
///
/// **Calls.** A call is one response of the model: a run of generated items. Rollouts report usage in one of three
/// orders: before the items of the response (Codex until about 0.50), between them and the outputs, or after the
/// outputs (2026). The first record after a user message is a report or an item. It shows which order a rollout uses. A
/// run without a report is a derived call (an aborted response, a provider without usage), or several calls if a
/// message follows an item that ends a response. System messages that the harness adds during a response do not end it.
///
/// **Compactions.** An item of a replacement that equals an earlier item is that item: one of the current array,
/// matched in order and from the end, else one of any earlier array. A compaction has the array before it and the
/// array of the next call.
///
/// **Copies.** After a second session header, records that repeat the records from the start are copies and count once.
/// If the copies end early, the session continues from there.
class ItemHistory final {
public:
    ItemHistory(SessionBuilder &builder, ResponsesItems &items, ThreadIndex thread);
    /// A copy that uses copies of the builder and the items.
    ItemHistory(const ItemHistory &other, SessionBuilder &builder, ResponsesItems &items);
    ItemHistory &operator=(const ItemHistory &) = delete;
    ~ItemHistory() = default;

    /// Sets model and prelude of the calls that follow.
    void setModel(StringId model);
    void setPrelude(BlockRange prelude) { m_prelude = prelude; }

    void addItem(ResponsesItem item);
    void addUsage(const UsageReport &report);
    /// Call this when the harness wrote a new array.
    void replace(std::vector<ResponsesItem> items, uint64_t line);
    /// Call this when the harness recorded a summary without the new array. Codex then builds the array from the
    /// initial context, the last user messages of up to 20,000 tokens, and the summary.
    void summarise(ResponsesItem summary, uint64_t line);
    /// Applies a rewind. Also removes context updates directly before the first removed turn.
    void rollBack(uint64_t turns, uint64_t line);
    /// Call this for every session header after the first: copies of the earlier records may follow.
    void beginCopies();

    /// Updates the thread; more items may follow.
    void sync();
    /// The same, and closes the last response.
    void finish();

    [[nodiscard]] bool isEmpty() const { return m_log.empty(); }
    /// The user messages at the start of the array, before any model output.
    [[nodiscard]] std::vector<MessageId> openingMessages() const;

private:
    enum class Act : uint8_t { Item, Usage, Model, Replace, Summarise, RollBack };
    struct Event {
        Act act = Act::Item;
        std::vector<ResponsesItem> items;
        UsageReport usage;
        StringId model;
        uint64_t turns = 0;
        uint64_t line = 0;
        Hash hash; ///< null for single items, which are hashed on comparison
    };
    /// An event, and the array after it: the first `length` messages of `m_arrays[array]`.
    struct LogEntry {
        Act act = Act::Item;
        MessageId message; ///< of a single item
        Hash hash;         ///< of any other event
        uint32_t array = 0;
        uint32_t length = 0;
    };
    /// Events behind another session header that may be copies of earlier ones.
    struct Copies {
        size_t matched = 0; ///< index into the log
        bool hasModelOutput = false;
        std::vector<Event> held;
    };
    struct Facts {
        bool isItem = false; ///< false for system prompt and tools
        bool beginsTurn = false;
        bool isModelOutput = false;
        bool isInjected = false;
    };
    /// A response that may be incomplete.
    struct Response {
        struct Part {
            BlockRange output;
            std::optional<Timestamp> time;
            uint64_t line = 0;
        };
        BlockRanges input;
        std::vector<Part> parts; ///< several separate calls, unless a report covers all of them
        std::optional<UsageReport> usage;
        std::optional<BlockRange> prelude;
        StringId model;
        bool isOpen = true; ///< the next generated item belongs to it
        ResponsesItem::Kind lastKind = ResponsesItem::Kind::Other;
        bool lastIsCommentary = false;
    };
    enum class Order : uint8_t { Unknown, UsageFirst, ItemsFirst };

    ItemHistory(const ItemHistory &) = default;

    void take(Event event);
    [[nodiscard]] bool isCopy(const Event &event) const;
    void endCopies();
    void apply(Event &event);

    void applyItem(const ResponsesItem &item);
    Response &beginResponse();
    void applyUsage(const UsageReport &report);
    void applyReplace(const Event &event);
    void applySummarise(const ResponsesItem &summary, uint64_t line);
    void applyRollBack(uint64_t turns, uint64_t line);

    MessageId addMessage(const ResponsesItem &item);
    void extendResponse(const ResponsesItem &item, BlockRange output);
    void closeResponse();
    void emitCall(Call call);
    void change(CompactionKind kind, std::vector<MessageId> after, uint64_t line);

    [[nodiscard]] std::vector<MessageId> &array() { return m_arrays.back(); }
    [[nodiscard]] const std::vector<MessageId> &array() const { return m_arrays.back(); }
    [[nodiscard]] Facts factsOf(MessageId message) const;
    [[nodiscard]] Hash hashOfDraft(const MessageDraft &draft) const;
    [[nodiscard]] Hash hashOfMessage(MessageId message) const;
    [[nodiscard]] bool hasFlag(MessageId message, BlockFlag flag) const;

    SessionBuilder *m_builder;
    ResponsesItems *m_items;
    ThreadIndex m_thread;
    StringId m_model;
    std::optional<BlockRange> m_prelude;

    /// The final state of every array so far; the last is current.
    std::vector<std::vector<MessageId>> m_arrays;
    BlockRanges m_ranges; ///< of the current array
    std::vector<LogEntry> m_log;
    std::vector<Facts> m_facts;         ///< by message
    mutable std::vector<Hash> m_hashes; ///< by message, computed on demand
    std::unordered_set<Hash> m_reports;
    std::optional<Copies> m_copies;

    std::optional<Response> m_response;
    Order m_order = Order::Unknown;
    std::optional<uint64_t> m_contextTokens; ///< last reported since the last compaction
    bool m_awaitsCall = false;               ///< no call since the last compaction
};

} // namespace core
