// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/block_pool.h"
#include "core/compaction/policy.h"

#include <cmath>
#include <functional>
#include <optional>
#include <span>

namespace core {

/// Where a summary stands: before or behind the messages of the evicted part that stay.
enum class SummaryPlace : uint8_t { First, Last };

/// The figures of one message that keep windows and triggers use.
struct MessageFacts {
    double tokens = 0;  ///< for keep windows, as the policy's harness counts
    double inTotal = 0; ///< its part of the sum that `MessageCounter::total` takes
    uint32_t results = 0;
    bool isTyped = false;
    bool isEmpty = true; ///< all its blocks were dropped
    /// The harness does not treat it as a message: a keep window in tokens does not count it, and keeps it if it keeps
    /// the next message.
    bool isAside = false;

    friend bool operator==(const MessageFacts &, const MessageFacts &) = default;
};

/// Counts tokens of a session's messages as a policy's harness does.
class MessageCounter final {
public:
    MessageCounter(const Policy &policy, const Session &session)
        : m_counter(policy.counter)
        , m_unit(policy.unit)
    {
        m_counter.charactersPerToken = policy.counter.charactersPerTokenOf(session.model);
    }

    /// Facts of a message with these blocks. O(blocks), except that LangChain's counter reads the arguments of calls.
    [[nodiscard]] MessageFacts factsOf(const BlockPool &pool, Role role, std::span<const BlockId> blocks) const;
    /// Tokens of a whole array, to compare with a trigger.
    [[nodiscard]] double total(double sumInTotal) const { return totalOf(m_counter, sumInTotal); }
    [[nodiscard]] static double totalOf(const Counter &counter, double sumInTotal);

private:
    Counter m_counter;
    LengthUnit m_unit;
};

/// Tokens of consecutive recorded blocks, as the policy's harness counts them after the usage of a call.
[[nodiscard]] double tokensOf(const BlockPool &pool, const Policy &policy, std::span<const BlockId> blocks);

/// An array as messages of a policy's harness, with the figures that keep windows and triggers need.
class MessageArray {
public:
    MessageArray() = default;
    MessageArray(const MessageArray &) = delete;
    MessageArray &operator=(const MessageArray &) = delete;
    virtual ~MessageArray() = default;

    [[nodiscard]] virtual size_t messageCount() const = 0;
    [[nodiscard]] virtual MessageFacts factsOf(size_t message) const = 0;
    /// Sum of tokens over the messages from this one on.
    [[nodiscard]] virtual double tokensFrom(size_t message) const = 0;
    [[nodiscard]] virtual double totalTokens() const = 0;
    [[nodiscard]] virtual size_t resultCount() const = 0;
    [[nodiscard]] virtual size_t turnCount() const = 0;
    /// The index of the last message such that this message and all after it have more than `target` tokens (at least
    /// `target`, if `isEnough`); nullopt if all messages together have fewer. Searches from the end.
    [[nodiscard]] virtual std::optional<size_t> lastWithTokens(double target, bool isEnough) const;
    /// Calls `visit` for each block of the message that was not dropped, in order.
    virtual void forEachBlock(size_t message, const std::function<void(const Block &)> &visit) const = 0;

    /// Tokens of the array that triggers do not count: what was not sent, as recorded prompts show, less what they
    /// count beside the array (`Counter::countsPrelude`).
    [[nodiscard]] double unsentTokens() const { return m_unsentTokens; }
    void setUnsentTokens(double tokens) { m_unsentTokens = tokens; }

private:
    double m_unsentTokens = 0;
};

/// The first message of the keep window; 0 if no message is before the window, or if the rule changes nothing. A
/// measure in tokens needs O(log n) sums. A measure in turns or results looks at each kept message.
[[nodiscard]] size_t cutoffOf(const MessageArray &array, const Keep &keep, double windowTokens);

/// What a measure counts: `tokens`, `messages`, `tool results`, `turns`.
[[nodiscard]] std::string_view unitWord(Measure::Unit unit);

/// One evaluated measure of a trigger.
struct TriggerReading {
    Measure::Unit unit = Measure::Unit::Tokens;
    double value = 0;
    double threshold = 0;
    bool hasThreshold = true; ///< false: a share of an unknown or missing window
    bool hasWindow = true;    ///< false: the policy has no window
    bool isReached = false;
};

/// The result of evaluating a trigger.
struct TriggerVerdict {
    bool isReached = false;
    Trigger::Joining joining = Trigger::Joining::Any;
    std::vector<TriggerReading> readings; ///< empty: there is no trigger

    /// `7,151 of 170,000 tokens`; `not above the threshold: 2 of 2 turns`.
    [[nodiscard]] std::string sentence() const;
};

/// `recordedTokens` is the harness's knowledge of its last call (see `Counter::Usage`); 0 if unknown.
[[nodiscard]] TriggerVerdict verdictOf(const Trigger &trigger, const MessageArray &array, const Policy &policy,
    double windowTokens, double recordedTokens);

/// Whether the trigger is reached, without readings: cheaper for thousands of calls.
[[nodiscard]] bool isReached(const Trigger &trigger, const MessageArray &array, const Policy &policy,
    double windowTokens, double recordedTokens);

} // namespace core
