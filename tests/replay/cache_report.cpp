// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/replay/cache_report.h"

#include "core/base/text.h"
#include "core/base/visible.h"

#include <algorithm>
#include <format>

namespace core {

namespace {

double percent(size_t part, size_t whole)
{
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string fileLine(const CacheFile &file)
{
    std::string text = visibleText(file.file) + "\n  ";
    if (file.rule.empty())
        text += "no model of this cache";
    else if (!file.hasFigures)
        text += "no call read or wrote a cache";
    else if (file.calls > 0 || file.copies == 0)
        text += std::format("{} of {} calls predicted", groupedNumber(file.right), groupedNumber(file.calls));
    if (file.copies > 0)
        text += std::format("{}{} calls of files before", file.calls > 0 ? ", " : "", groupedNumber(file.copies));
    const std::string cost = file.cost.calls.empty() ? std::string() : file.cost.sentence();
    return text + (cost.empty() ? "" : ". " + visibleText(cost)) + "\n";
}

std::string tableText(const std::vector<CacheTally> &table)
{
    std::string text
        = std::format("{:<18}{:<18}{:>8}{:>8}{:>14}\n", "predicted", "recorded", "right", "wrong", "written");
    const auto shown
        = [](CacheCause cause) { return cause == CacheCause::None ? std::string_view("hit") : nameOf(cause); };
    for (const CacheTally &tally : table) {
        text += std::format("{:<18}{:<18}{:>8}{:>8}{:>14}\n", shown(tally.predicted), shown(tally.found),
            groupedNumber(tally.right), groupedNumber(tally.wrong), groupedNumber(tally.written));
    }
    return text;
}

} // namespace

void CacheReport::add(std::string file, const Session &session, const RecordedCache &cache, const Prices &prices)
{
    CacheFile entry;
    entry.file = std::move(file);
    entry.format = session.format;
    entry.rule = cache.rule;
    entry.hasFigures = cache.hasFigures;
    entry.cost = recordedCost(session, cache, prices);
    for (const RecordedCacheCall &each : cache.calls) {
        const Call &call = session.thread(each.position.thread).calls[each.position.call.index()];
        const std::string response(session.string(call.responseId));
        if (!response.empty() && !m_responses.insert(response).second) {
            ++entry.copies;
            continue;
        }
        ++entry.calls;
        entry.right += each.isRight() ? 1 : 0;
        if (each.predicted.cause == CacheCause::FirstCall) {
            ++entry.firstCalls;
            entry.rightFirst += each.isRight() ? 1 : 0;
        }
        const auto isSame = [&](const CacheTally &tally) {
            return tally.predicted == each.predicted.cause && tally.found == each.found;
        };
        auto tally = std::ranges::find_if(m_table, isSame);
        if (tally == m_table.end())
            tally = m_table.insert(m_table.end(), { each.predicted.cause, each.found, 0, 0, 0 });
        ++(each.isRight() ? tally->right : tally->wrong);
        tally->written += each.usage.cacheWrite;
    }
    m_files.push_back(std::move(entry));
}

std::vector<CacheTally> CacheReport::table() const
{
    std::vector<CacheTally> table = m_table;
    std::ranges::sort(table, {}, [](const CacheTally &tally) { return std::pair(tally.predicted, tally.found); });
    return table;
}

CacheFile CacheReport::totals() const
{
    CacheFile sum;
    sum.cost.isComputed = true;
    for (const CacheFile &file : m_files) {
        sum.calls += file.calls;
        sum.right += file.right;
        sum.firstCalls += file.firstCalls;
        sum.rightFirst += file.rightFirst;
        sum.copies += file.copies;
        sum.cost.recorded += file.cost.recorded;
        sum.cost.computed += file.cost.computed;
        sum.cost.isComputed = sum.cost.isComputed && file.cost.isComputed;
        sum.cost.unpricedCalls += file.cost.unpricedCalls;
        sum.cost.calls.insert(sum.cost.calls.end(), file.cost.calls.begin(), file.cost.calls.end());
    }
    return sum;
}

std::string drawCache(const CacheReport &report)
{
    std::string text;
    for (const CacheFile &file : report.files())
        text += fileLine(file);
    const CacheFile totals = report.totals();
    if (totals.calls == 0)
        return text;
    text += "\n" + tableText(report.table());
    text += std::format("\n{} of {} calls ({:.1f} %) are predicted within 5 % of their prompt",
        groupedNumber(totals.right), groupedNumber(totals.calls), percent(totals.right, totals.calls));
    const size_t later = totals.calls - totals.firstCalls;
    if (totals.firstCalls > 0)
        text += std::format(
            "; of those with a call before them in the log {:.1f} %", percent(totals.right - totals.rightFirst, later));
    return text + ".\n";
}

} // namespace core
