// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/summary_worker.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace core {

namespace {

constexpr std::string_view kRecorded = "recorded";
constexpr std::string_view kEvery = "every";
constexpr double kLongest = 1e6;

std::optional<double> numberIn(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = error == std::errc() && end == text.data() + text.size();
    return isWhole && number >= 0 && number <= kLongest ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> countIn(std::string_view text)
{
    const auto number = numberIn(stripped(text));
    return number && *number >= 1 && std::floor(*number) == *number ? std::optional(static_cast<uint64_t>(*number))
                                                                    : std::nullopt;
}

} // namespace

std::string WorkerDelay::text() const
{
    switch (unit) {
    case Unit::Calls:
        return formatted("{}calls", value);
    case Unit::Seconds:
        return formatted("{}s", value);
    case Unit::TokensPerSecond:
        return formatted("{}tok/s", value);
    case Unit::RecordedSpeed:
        break;
    }
    return std::string(kRecorded);
}

std::string WorkerDelay::words() const
{
    const std::string number = formatted("{}", value);
    switch (unit) {
    case Unit::Calls:
        return number + (value == 1 ? " call" : " calls");
    case Unit::Seconds:
        return number + (value == 1 ? " second" : " seconds");
    case Unit::TokensPerSecond:
        return "the time for the summary at " + number + " tokens a second";
    case Unit::RecordedSpeed:
        break;
    }
    return "the time for the summary at the recorded speed";
}

Result<WorkerDelay> parseWorkerDelay(std::string_view text)
{
    using Unit = WorkerDelay::Unit;
    std::string compact;
    std::ranges::copy_if(lowered(text), std::back_inserter(compact), [](char each) { return each != ' '; });
    if (compact == kRecorded)
        return WorkerDelay { 0, Unit::RecordedSpeed };
    const size_t end = std::min(compact.find_first_not_of("0123456789."), compact.size());
    const auto value = numberIn(std::string_view(compact).substr(0, end));
    const std::string unit = compact.substr(end);
    if (value && (unit == "calls" || unit == "call") && std::floor(*value) == *value)
        return WorkerDelay { *value, Unit::Calls };
    if (value && (unit == "s" || unit == "seconds"))
        return WorkerDelay { *value, Unit::Seconds };
    if (value && *value > 0 && unit == "tok/s")
        return WorkerDelay { *value, Unit::TokensPerSecond };
    return failure(ErrorKind::Usage,
        "A delay of a worker is a number of calls such as “2calls”, a time such as “20s”, a speed such as “80tok/s”, "
        "or “recorded”, the recorded speed.");
}

bool FailingSaves::fails(uint64_t number) const
{
    return (every > 0 && number % every == 0) || std::ranges::binary_search(numbers, number);
}

std::string FailingSaves::text() const
{
    if (every > 0)
        return formatted("{} {}", kEvery, every);
    std::string list;
    for (const uint64_t number : numbers)
        list += (list.empty() ? "" : ",") + std::to_string(number);
    return list.empty() ? "none" : list;
}

Result<FailingSaves> parseFailingSaves(std::string_view text)
{
    FailingSaves saves;
    const std::string words = lowered(stripped(text));
    if (words == "none")
        return saves;
    bool isRead = true;
    if (words.starts_with(kEvery)) {
        const auto every = countIn(std::string_view(words).substr(kEvery.size()));
        saves.every = every.value_or(0);
        isRead = every.has_value();
    } else {
        for (size_t begin = 0; isRead && begin <= words.size();) {
            const size_t end = std::min(words.find(',', begin), words.size());
            const auto number = countIn(std::string_view(words).substr(begin, end - begin));
            isRead = number.has_value();
            saves.numbers.push_back(number.value_or(0));
            begin = end + 1;
        }
    }
    if (!isRead)
        return failure(ErrorKind::Usage, "Failing saves are “none”, “every 3”, or their numbers such as “1,4”.");
    std::ranges::sort(saves.numbers);
    saves.numbers.erase(std::ranges::unique(saves.numbers).begin(), saves.numbers.end());
    return saves;
}

std::string SummaryWorker::sentence() const
{
    std::string text = formatted("A worker writes the summary{}. It is saved ", model.empty() ? "" : " with " + model);
    text += delay == WorkerDelay() ? "at the trigger" : delay.words() + " after the trigger";
    text += reload == Reload::Call ? " and lands with the next call." : " and lands with the next typed message.";
    if (keepFrom == KeepFrom::Landing)
        text += " The keep counts from the landing, so messages in between can go without a summary.";
    if (failingSaves.every > 0)
        text
            += failingSaves.every == 1 ? " Every save fails." : formatted(" Every {}. save fails.", failingSaves.every);
    else if (!failingSaves.isEmpty())
        text += formatted(" Save {} fails.", failingSaves.text());
    if (request == Request::Empty)
        text += " Its request contains no message of the session.";
    return text;
}

} // namespace core
