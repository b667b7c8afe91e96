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

/// What keep windows and triggers ask of one message.
struct MessageFacts {
    double tokens = 0;  ///< as the policy's harness counts it when it measures a keep window
    double inTotal = 0; ///< what it adds to the sum of which `MessageCounter::total` is made
    uint32_t results = 0;
    bool isTyped = false;
    bool isEmpty = true; ///< all of it was dropped

    friend bool operator==(const MessageFacts &, const MessageFacts &) = default;
};

/// Counts messages as a policy's harness does.
class MessageCounter final {
public:
    MessageCounter(const Counter &counter, LengthUnit unit)
        : m_counter(counter)
        , m_unit(unit)
    {
    }
    explicit MessageCounter(const Policy &policy)
        : MessageCounter(policy.counter, policy.unit)
    {
    }

    /// Of a message with these blocks. O(blocks), but for a call's arguments, which LangChain's counter reads.
    [[nodiscard]] MessageFacts factsOf(const BlockPool &pool, Role role, std::span<const BlockId> blocks) const;
    /// Tokens of a whole array, as compared with a trigger.
    [[nodiscard]] double total(double sumInTotal) const
    {
        return m_counter.kind == Counter::Kind::GenkitText ? std::floor(sumInTotal / 4) : sumInTotal;
    }

private:
    Counter m_counter;
    LengthUnit m_unit;
};

/// An array in the messages of a policy's harness, as far as keep windows and triggers look at it.
class MessageArray {
public:
    MessageArray() = default;
    MessageArray(const MessageArray &) = delete;
    MessageArray &operator=(const MessageArray &) = delete;
    virtual ~MessageArray() = default;

    [[nodiscard]] virtual size_t messageCount() const = 0;
    [[nodiscard]] virtual MessageFacts factsOf(size_t message) const = 0;
    /// Sum of the tokens of the messages from this one on.
    [[nodiscard]] virtual double tokensFrom(size_t message) const = 0;
    [[nodiscard]] virtual double totalTokens() const = 0;
    [[nodiscard]] virtual size_t resultCount() const = 0;
    [[nodiscard]] virtual size_t turnCount() const = 0;
    /// The last message from which on there are more tokens than `target` (or as many, if `isEnough`); nothing if from
    /// all on there are fewer. Looks near the end first.
    [[nodiscard]] virtual std::optional<size_t> lastWithTokens(double target, bool isEnough) const;
    /// The blocks of a message that are still there, in order.
    virtual void forEachBlock(size_t message, const std::function<void(const Block &)> &visit) const = 0;
};

/// The first message that `keep` leaves alone; 0 if nothing is before it, or if the rule touches nothing at all.
/// A measure in tokens asks O(log) times for a sum of tokens, one in turns or results for each message kept.
[[nodiscard]] size_t cutoffOf(const MessageArray &array, const Keep &keep, double windowTokens);

/// One measure of a trigger, read.
struct TriggerReading {
    Measure::Unit unit = Measure::Unit::Tokens;
    double value = 0;
    double threshold = 0;
    bool hasThreshold = true; ///< false: a share of a window that is not known, or that the policy does not have
    bool hasWindow = true;    ///< false: the policy has none
    bool isReached = false;
};

/// What a trigger found.
struct TriggerVerdict {
    bool isReached = false;
    Trigger::Joining joining = Trigger::Joining::Any;
    std::vector<TriggerReading> readings; ///< none: there is no trigger

    /// `7,151 of 170,000 tokens`.
    [[nodiscard]] std::string sentence() const;
};

/// `recordedTokens` is what the harness knows of its last call: prompt and answer; 0 if it knows nothing.
[[nodiscard]] TriggerVerdict verdictOf(const Trigger &trigger, const MessageArray &array, const Policy &policy,
    double windowTokens, double recordedTokens);

/// Whether it is reached, alone: for those who ask at thousands of calls.
[[nodiscard]] bool isReached(const Trigger &trigger, const MessageArray &array, const Policy &policy,
    double windowTokens, double recordedTokens);

} // namespace core
