// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/session_ids.h"

#include "core/formats/reading/format.h"
#include "core/json/json_probe.h"
#include "core/session/format_traits.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace core {

namespace {

/// The id in a record, raw and without its quotes; empty if the record holds none.
std::string_view idIn(std::string_view record, const ResumeShape &shape)
{
    const JsonMembers members(record);
    if (!shape.idType.empty() && members.string("type") != shape.idType)
        return {};
    return shape.idObject.empty() ? members.string(shape.id) : members.object(shape.idObject).string(shape.id);
}

/// A range of the file, and what to write there.
struct Replacement {
    std::string_view old;
    std::string text;
};

/// The numbers of a record's usage, for a prompt that has `added` tokens more; empty if the record states no size.
std::vector<Replacement> newUsage(std::string_view record, const UsageShape &shape, double added)
{
    JsonMembers usage(record);
    if (shape.prompt.empty() || usage.string("type") != shape.type || usage.isTrue("isSidechain"))
        return {};
    for (const std::string_view name : shape.object) {
        if (!name.empty())
            usage = usage.object(name);
    }
    const uint64_t own = usage.number(shape.prompt).value_or(0);
    uint64_t cached = 0;
    for (const std::string_view name : shape.cached)
        cached += usage.number(name).value_or(0);
    const auto old = static_cast<double>(shape.isCachedInPrompt ? own : own + cached);
    if (old <= 0)
        return {};
    const double changed = std::round(std::max(1.0, old + added));
    std::vector<Replacement> made;
    const auto set = [&](std::string_view name, double value) {
        if (usage.number(name).has_value())
            made.push_back({ usage.raw(name), std::to_string(static_cast<uint64_t>(value)) });
    };
    set(shape.prompt, changed);
    for (const std::string_view name : shape.cached)
        set(name, 0);
    if (const auto total = usage.number(shape.total))
        set(shape.total, std::max(changed, static_cast<double>(*total) + changed - old));
    return made;
}

bool haveEqualTexts(const Session &a, const Session &b, const BlockRanges &ofA, const BlockRanges &ofB)
{
    std::vector<BlockId> blocks;
    ofB.forEach([&](BlockId id) { blocks.push_back(id); });
    size_t i = 0;
    bool areEqual = ofA.blockCount() == blocks.size();
    ofA.forEach([&](BlockId id) {
        areEqual = areEqual && a.block(id).kind == b.block(blocks[i]).kind
            && a.text(a.block(id).body) == b.text(b.block(blocks[i]).body);
        ++i;
    });
    return areEqual;
}

/// Whether all threads end with the same array in both files.
bool readsAlike(const std::string &before, const std::string &after, const std::string &name)
{
    const auto a = loadSession(Source::own(before, name));
    const auto b = loadSession(Source::own(after, name));
    if (!a || !b)
        return !a && !b;
    if ((*a)->traits != (*b)->traits || (*a)->threads.size() != (*b)->threads.size())
        return false;
    for (size_t i = 0; i < (*a)->threads.size(); ++i) {
        if (!haveEqualTexts(**a, **b, (*a)->threads[i].end, (*b)->threads[i].end))
            return false;
    }
    return true;
}

} // namespace

std::vector<InverseSplice> joined(const std::vector<InverseSplice> &first, const std::vector<InverseSplice> &second)
{
    /// A changed range of the file between the two edits.
    struct Range {
        uint64_t begin = 0;
        uint64_t end = 0;
        int64_t older = 0; ///< how much longer it is in the oldest file
        int64_t newer = 0; ///< how much longer it is in the newest file
    };
    const auto longer = [](uint64_t a, uint64_t b) { return static_cast<int64_t>(a) - static_cast<int64_t>(b); };
    std::vector<Range> ranges;
    for (const InverseSplice &each : first)
        ranges.push_back({ each.at, each.at + each.length, longer(each.originalSize, each.length), 0 });
    for (const InverseSplice &each : second)
        ranges.push_back({ each.originalOffset, each.originalOffset + each.originalSize, 0,
            longer(each.length, each.originalSize) });
    std::ranges::stable_sort(ranges, {}, &Range::begin);
    std::vector<InverseSplice> result;
    int64_t older = 0; // of all ranges before
    int64_t newer = 0;
    for (size_t i = 0; i < ranges.size();) {
        Range range = ranges[i++];
        for (; i < ranges.size() && ranges[i].begin <= range.end; ++i) {
            range.end = std::max(range.end, ranges[i].end);
            range.older += ranges[i].older;
            range.newer += ranges[i].newer;
        }
        const auto moved
            = [](uint64_t place, int64_t by) { return static_cast<uint64_t>(static_cast<int64_t>(place) + by); };
        const uint64_t size = range.end - range.begin;
        result.push_back({ moved(range.begin, newer), moved(size, range.newer), moved(range.begin, older),
            moved(size, range.older) });
        older += range.older;
        newer += range.newer;
    }
    return result;
}

Result<Spliced> asNewSession(const Session &session, const Spliced &spliced, const NewRecords &records)
{
    const std::string &name = session.sources.front()->name();
    const std::string_view bytes = spliced.bytes;
    Spliced result;
    result.notes = spliced.notes;
    result.problems = spliced.problems;
    const ResumeShape &shape = session.traits->resume;
    std::vector<Replacement> made;
    std::vector<Replacement> usage; // of the last record that has one
    for (size_t begin = 0; begin < bytes.size();) {
        const size_t end = std::min(bytes.find('\n', begin), bytes.size());
        const std::string_view record = bytes.substr(begin, end - begin);
        begin = end + 1;
        if (const std::string_view own = idIn(record, shape); !own.empty() && !records.id.empty())
            made.push_back({ own, records.id });
        if (auto stated = newUsage(record, shape.usage, records.addedTokens); !stated.empty())
            usage = std::move(stated);
    }
    if (made.empty() && !records.id.empty()) { // a document of several lines
        const std::string_view own = idIn(bytes.substr(std::min(bytes.find('{'), bytes.size())), shape);
        if (!own.empty())
            made.push_back({ own, records.id });
    }
    if (made.empty() && !records.id.empty())
        return failure(ErrorKind::Internal,
            "The file holds no id of its session, so " + std::string(shape.harness) + " cannot resume it.", name);
    if (std::abs(records.addedTokens) >= 1)
        std::ranges::move(usage, std::back_inserter(made));
    if (made.empty())
        return spliced;
    std::ranges::sort(made, {}, [](const Replacement &each) { return each.old.data(); });
    std::vector<InverseSplice> changes;
    size_t copied = 0;
    for (const Replacement &each : made) {
        const auto at = static_cast<size_t>(each.old.data() - bytes.data());
        result.bytes += bytes.substr(copied, at - copied);
        changes.push_back({ result.bytes.size(), each.text.size(), at, each.old.size() });
        result.bytes += each.text;
        copied = at + each.old.size();
    }
    result.bytes += bytes.substr(copied);
    if (!readsAlike(spliced.bytes, result.bytes, name))
        return failure(ErrorKind::Internal, "The copy with new records does not read as the same session.", name);
    result.inverse = joined(spliced.inverse, changes);
    return result;
}

} // namespace core
