// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/recall.h"

#include "core/base/counted.h"
#include "core/tokens/estimate.h"

#include <algorithm>
#include <numeric>

namespace core {

namespace {

std::string heading(size_t index, size_t count)
{
    return "\n\nMessage " + std::to_string(index + 1) + " of " + std::to_string(count) + ":\n";
}

std::string introduction(RecallCause cause)
{
    return std::string("The user typed the messages below before this compaction. They are repeated here word for word")
        + (cause == RecallCause::Lost ? ", because the summary does not contain them in this form."
                                      : ", because a summary often drops them.")
        + " They still hold, unless a later message of the user changes them.";
}

/// `1, 2 and 7`
std::string numberList(std::span<const size_t> indices)
{
    constexpr size_t kMost = 20;
    std::string text;
    for (size_t i = 0; i < std::min(indices.size(), kMost); ++i) {
        const bool isLast = i + 1 == indices.size();
        text += (i == 0 ? "" : isLast ? " and " : ", ") + std::to_string(indices[i] + 1);
    }
    return indices.size() > kMost ? text + ", …" : text;
}

std::string ending(std::span<const size_t> leftOut, size_t count, std::string_view elsewhere)
{
    if (leftOut.empty())
        return {};
    std::string text = "\n\nLeft out for lack of room: " + counted(leftOut.size(), "message") + " of "
        + std::to_string(count) + " (number " + numberList(leftOut) + ").";
    if (!elsewhere.empty())
        text += " The transcript has them: " + std::string(elsewhere);
    return text;
}

size_t utf16Of(std::string_view text) { return textLengths(text).utf16Units; }

} // namespace

std::vector<size_t> recallOrder(const std::vector<bool> &comesFirst)
{
    std::vector<size_t> order;
    for (const bool isFirst : { true, false }) {
        for (size_t i = comesFirst.size(); i > 0; --i) {
            if (comesFirst[i - 1] == isFirst)
                order.push_back(i - 1);
        }
    }
    return order;
}

Recalled recalled(
    std::span<const RecallMessage> messages, RecallCause cause, std::string_view elsewhere, const RecallLimits &limits)
{
    Recalled made;
    if (messages.empty())
        return made;
    std::vector<bool> comesFirst;
    for (const RecallMessage &each : messages)
        comesFirst.push_back(each.comesFirst);
    std::vector<size_t> all(messages.size()); // the numbers with the most digits first
    std::iota(all.rbegin(), all.rend(), size_t(0));
    size_t units = utf16Of(introduction(cause)) + utf16Of(ending(all, messages.size(), elsewhere)) + 1;
    double tokens = 0;
    for (const size_t i : recallOrder(comesFirst)) {
        const double cost = static_cast<double>(milliTokens(messages[i].text)) / 1000;
        const size_t length = utf16Of(heading(i, messages.size())) + utf16Of(messages[i].text);
        const bool fits = tokens + cost <= limits.tokens && units + length <= limits.units;
        (fits ? made.put : made.leftOut).push_back(i);
        tokens += fits ? cost : 0;
        units += fits ? length : 0;
    }
    std::ranges::sort(made.put);
    std::ranges::sort(made.leftOut);
    made.text = introduction(cause);
    for (const size_t i : made.put)
        made.text += heading(i, messages.size()) + messages[i].text;
    made.text += ending(made.leftOut, messages.size(), elsewhere) + "\n";
    return made;
}

} // namespace core
