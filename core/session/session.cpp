// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/session.h"

#include "core/json/text_parts.h"
#include "core/session/format_traits.h"

#include <algorithm>

namespace core {

const FormatTraits kDefaultTraits {};

namespace {

/// Reads the parts that hold the beginning.
std::string headOfParts(std::string_view raw, size_t wanted)
{
    std::string head;
    JsonTextParts parts(raw);
    for (auto part = parts.next(); part; part = head.size() < wanted ? parts.next() : std::nullopt) {
        (void)appendJsonString(head, *part, wanted - head.size());
        head += '\n';
    }
    head.resize(std::min(wanted, head.empty() ? 0 : head.size() - 1));
    return head;
}

} // namespace

void BlockRanges::append(BlockRange range)
{
    if (range.size() == 0)
        return;
    if (m_tail.size() > 0 && m_tail.end == range.begin) {
        m_tail.end = range.end;
        return;
    }
    if (m_tail.size() > 0) {
        auto head
            = m_head ? std::make_shared<std::vector<BlockRange>>(*m_head) : std::make_shared<std::vector<BlockRange>>();
        head->push_back(m_tail);
        m_headBlocks += m_tail.size();
        m_head = std::move(head);
    }
    m_tail = range;
}

BlockRanges BlockRanges::of(const std::vector<BlockRange> &ranges)
{
    BlockRanges result;
    auto head = std::make_shared<std::vector<BlockRange>>();
    for (const BlockRange &range : ranges) {
        if (range.size() == 0)
            continue;
        if (result.m_tail.size() > 0 && result.m_tail.end == range.begin) {
            result.m_tail.end = range.end;
            continue;
        }
        if (result.m_tail.size() > 0) {
            head->push_back(result.m_tail);
            result.m_headBlocks += result.m_tail.size();
        }
        result.m_tail = range;
    }
    if (!head->empty())
        result.m_head = std::move(head);
    return result;
}

bool operator==(const BlockRanges &a, const BlockRanges &b)
{
    if (a.m_tail != b.m_tail || a.m_headBlocks != b.m_headBlocks)
        return false;
    if (a.m_head == b.m_head)
        return true;
    return a.m_head && b.m_head && *a.m_head == *b.m_head;
}

std::string_view Session::pathInFolder(std::string_view path) const
{
    const size_t size = workingFolder.size();
    if (size > 0 && path.size() > size + 1 && path.starts_with(workingFolder) && path[size] == '/')
        path.remove_prefix(size + 1);
    while (path.starts_with("./"))
        path.remove_prefix(2);
    return path;
}

std::optional<Timestamp> Session::timeOf(BlockId id) const
{
    const Block &written = block(id);
    if (written.message.index() >= messages.size())
        return std::nullopt;
    const auto begun = message(written.message).time;
    return begun && *begun != 0 ? std::optional(*begun + written.delay) : begun;
}

std::optional<Timestamp> Session::timeOfLast(const BlockRanges &array) const
{
    uint32_t end = 0;
    array.forEachRange([&](BlockRange range) { end = range.end; });
    return end > 0 ? timeOf(BlockId(end - 1)) : std::nullopt;
}

std::string_view Session::rawBody(const Body &body) const
{
    if (body.coding == Coding::Empty || !body.source.isValid())
        return {};
    return sources[body.source.index()]->bytes().substr(body.offset, body.size);
}

std::string Session::text(const Body &body) const
{
    const std::string_view raw = rawBody(body);
    switch (body.coding) {
    case Coding::Empty:
        return {};
    case Coding::Plain:
    case Coding::Base64:
        return std::string(raw);
    case Coding::JsonString:
        return decodeJsonString(raw);
    case Coding::JsonValue:
        return canonicalJson(raw);
    case Coding::TextParts:
        return joinedTextParts(raw);
    }
    return {};
}

std::string Session::textHead(const Body &body, size_t wanted) const
{
    if (body.coding == Coding::TextParts)
        return headOfParts(rawBody(body), wanted);
    Body head = body;
    // A character takes at most six raw bytes (`\u00e9`); a JSON value shrinks only by its blanks.
    const uint64_t enough = static_cast<uint64_t>(wanted) * 6 + 16;
    if (head.size > enough) {
        head.size = enough;
        // Step back if this would cut an escape.
        if (head.coding == Coding::JsonString) {
            const std::string_view raw = rawBody(head);
            const size_t cut = raw.find_last_of('\\');
            if (cut != std::string_view::npos && raw.size() - cut < 12) {
                size_t start = cut;
                while (start > 0 && raw[start - 1] == '\\')
                    --start;
                head.size = (cut - start) % 2 == 0 ? cut : start;
            }
        }
    }
    std::string result = text(head);
    if (result.size() > wanted)
        result.resize(wanted);
    return result;
}

std::string_view Session::record(const Block &block) const
{
    if (!block.body.source.isValid())
        return {};
    return sources[block.body.source.index()]->bytes().substr(block.recordOffset, block.recordSize);
}

std::optional<Error> Session::torn() const
{
    for (const SourcePtr &source : sources) {
        if (source->isTorn())
            return Error { ErrorKind::Changed, "The file was cut short while it was open.", source->name() };
        if (source->hasChanged()) {
            const auto now = source->reopen();
            const bool hasGrown = now && (*now)->bytes().size() > source->bytes().size();
            return Error { ErrorKind::Changed,
                hasGrown ? "The file has grown since it was opened; load it again."
                         : "The file has changed on disk since it was opened; load it again.",
                source->name() };
        }
    }
    return std::nullopt;
}

} // namespace core
