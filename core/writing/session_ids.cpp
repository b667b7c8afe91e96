// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/session_ids.h"

#include "core/formats/reading/format.h"
#include "core/json/json_probe.h"
#include "core/session/format_traits.h"

#include <algorithm>

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

Result<Spliced> withSessionId(const Session &session, const Spliced &spliced, const std::string &id)
{
    const std::string &name = session.sources.front()->name();
    const std::string_view bytes = spliced.bytes;
    Spliced result;
    result.notes = spliced.notes;
    result.problems = spliced.problems;
    std::vector<InverseSplice> renamed;
    size_t copied = 0;
    for (size_t begin = 0; begin < bytes.size();) {
        const size_t end = std::min(bytes.find('\n', begin), bytes.size());
        const std::string_view own = idIn(bytes.substr(begin, end - begin), session.traits->resume);
        begin = end + 1;
        if (own.empty())
            continue;
        const auto at = static_cast<size_t>(own.data() - bytes.data());
        result.bytes += bytes.substr(copied, at - copied);
        renamed.push_back({ result.bytes.size(), id.size(), at, own.size() });
        result.bytes += id;
        copied = at + own.size();
    }
    if (renamed.empty())
        return failure(ErrorKind::Internal,
            "The file holds no id of its session, so " + std::string(session.traits->resume.harness)
                + " cannot resume it.",
            name);
    result.bytes += bytes.substr(copied);
    if (!readsAlike(spliced.bytes, result.bytes, name))
        return failure(ErrorKind::Internal,
            "With the new session id, Palimpsest does not read the same session from the file.", name);
    result.inverse = joined(spliced.inverse, renamed);
    return result;
}

} // namespace core
