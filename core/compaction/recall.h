// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Typed messages of this many tokens go back into the context after a compaction.
inline constexpr double kRecallTokens = 2000;
/// Claude Code puts the output of a hook into the context if it has at most so many characters (UTF-16 units). Of
/// longer output it shows only the beginning. Measured with 2.1.330.
inline constexpr size_t kHookOutput = 10'000;

/// A typed message that a compaction removes.
struct RecallMessage {
    std::string text;
    bool comesFirst = false; ///< it says what must or must not be done, or corrects the agent
};

/// Why the messages are put back.
enum class RecallCause : uint8_t {
    Lost,      ///< the summary does not hold them word for word
    MayBeLost, ///< what the summary holds is not known yet
};

struct RecallLimits {
    double tokens = kRecallTokens; ///< of the messages, estimated
    size_t units = kHookOutput;    ///< UTF-16 units of the whole text
};

/// The indices of messages in the order in which they are chosen: first those that come first, then the others, the
/// newest of each first. `comesFirst` is by message, the oldest first.
[[nodiscard]] std::vector<size_t> recallOrder(const std::vector<bool> &comesFirst);

/// What goes back, word for word.
struct Recalled {
    std::vector<size_t> put;     ///< indices of messages, ascending
    std::vector<size_t> leftOut; ///< those that did not fit, ascending
    std::string text;            ///< for the model; empty if no message is to be put back
};

/// Chooses messages within the limits, in `recallOrder`. A message that does not fit is left out as a whole, and the
/// text says so. `elsewhere` is where all of them stand: the path of the transcript, or empty.
[[nodiscard]] Recalled recalled(std::span<const RecallMessage> messages, RecallCause cause, std::string_view elsewhere,
    const RecallLimits &limits = {});

} // namespace core
