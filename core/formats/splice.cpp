// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/splice.h"

#include "core/base/text.h"
#include "core/formats/format.h"
#include "core/formats/json_probe.h"
#include "core/formats/json_tree.h"
#include "core/formats/splice_writer.h"
#include "core/session/transcript.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

constexpr SourceId kFile { 0U }; ///< the source that readers are given is the first of a session

// --- what the arrays should be ---------------------------------------------------------------------------------------

/// A slot as it must read: empty texts count as none, for some formats leave them out.
struct SlotText {
    Role role = Role::User;
    std::vector<std::string> texts;
    friend bool operator==(const SlotText &, const SlotText &) = default;
};

/// Lays blocks out as slots, as Transcript does.
class SlotTexts final {
public:
    explicit SlotTexts(SlotMerging merging)
        : m_merging(merging)
    {
    }

    /// `key` tells messages apart.
    void add(int64_t key, Role role, std::string text)
    {
        const bool mergesUsers = m_merging == SlotMerging::ConsecutiveUsers && role == Role::User && !slots.empty()
            && slots.back().role == Role::User;
        if (slots.empty() || (key != m_key && !mergesUsers))
            slots.push_back({ role, {} });
        m_key = key;
        if (!text.empty())
            slots.back().texts.push_back(std::move(text));
    }

    std::vector<SlotText> slots;

private:
    SlotMerging m_merging;
    int64_t m_key = INT64_MIN;
};

std::vector<SlotText> textsAtEnd(const Session &session, size_t thread)
{
    SlotTexts texts(session.merging);
    session.threads[thread].end.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        texts.add(block.message.value(), session.message(block.message).role, session.text(block.body));
    });
    return std::move(texts.slots);
}

/// What the edits that were not left out make of the arrays at the end.
class Expectation final {
public:
    Expectation(const Session &session, const SpliceEdits &edits, const std::vector<SpliceProblem> &problems)
        : m_session(session)
    {
        std::unordered_set<BlockId> leftBlocks;
        std::unordered_set<MessageId> leftMessages;
        for (const SpliceProblem &each : problems) {
            if (each.block.isValid())
                leftBlocks.insert(each.block);
            else
                leftMessages.insert(each.message);
        }
        for (const BlockReplacement &each : edits.replacements) {
            if (!leftBlocks.contains(each.block))
                m_replaced[each.block] = &each.text;
        }
        for (const BlockId each : edits.droppedBlocks) {
            if (!leftBlocks.contains(each))
                m_droppedBlocks.insert(each);
        }
        for (const MessageId each : edits.droppedMessages) {
            if (!leftMessages.contains(each))
                m_droppedMessages.insert(each);
        }
        for (const MessageInsertion &each : edits.insertions) {
            if (!leftMessages.contains(each.before))
                m_inserted[each.before].push_back(&each);
        }
    }

    [[nodiscard]] std::vector<SlotText> slots(size_t thread) const
    {
        const SpliceShape *shape = spliceShapeOf(m_session.format);
        SlotTexts texts(m_session.merging);
        int64_t key = -2;
        std::unordered_set<MessageId> met;
        m_session.threads[thread].end.forEach([&](BlockId id) {
            const Block &block = m_session.block(id);
            const auto inserted = m_inserted.find(block.message);
            if (met.insert(block.message).second && inserted != m_inserted.end()) {
                for (const MessageInsertion *each : inserted->second)
                    texts.add(key--, shape->roleOf(each->role), decodeJsonString(escapedJson(each->text)));
            }
            if (m_droppedBlocks.contains(id) || m_droppedMessages.contains(block.message))
                return;
            const auto replaced = m_replaced.find(id);
            texts.add(block.message.value(), m_session.message(block.message).role,
                replaced == m_replaced.end() ? m_session.text(block.body) : replacedText(block, *replaced->second));
        });
        return std::move(texts.slots);
    }

private:
    static std::string replacedText(const Block &block, const std::string &text)
    {
        const bool isValue = block.body.coding == Coding::JsonValue && block.kind != BlockKind::ToolResult;
        return isValue ? canonicalJson(text) : decodeJsonString(escapedJson(text));
    }

    const Session &m_session;
    std::unordered_map<BlockId, const std::string *> m_replaced;
    std::unordered_set<BlockId> m_droppedBlocks;
    std::unordered_set<MessageId> m_droppedMessages;
    std::unordered_map<MessageId, std::vector<const MessageInsertion *>> m_inserted;
};

/// Reads the new file and compares every array at its end with what it should be.
Result<void> check(const Session &session, const SpliceEdits &edits, const Spliced &spliced)
{
    const std::string &name = session.sources.front()->name();
    const auto fail = [&](std::string sentence) { return failure(ErrorKind::Internal, std::move(sentence), name); };
    const auto again = loadSession(Source::own(spliced.bytes, name));
    if (!again)
        return fail("The changed file could not be read any more: " + again.error().message);
    if ((*again)->format != session.format)
        return fail("The changed file would be taken for another format (" + (*again)->format + ").");
    const Expectation expected(session, edits, spliced.problems);
    for (size_t i = 0; i < session.threads.size(); ++i) {
        const std::vector<SlotText> wanted = expected.slots(i);
        const std::vector<SlotText> found
            = i < (*again)->threads.size() ? textsAtEnd(**again, i) : std::vector<SlotText>();
        const auto [a, b] = std::ranges::mismatch(wanted, found);
        if (a == wanted.end() && b == found.end())
            continue;
        return fail("Read again, slot " + std::to_string(a - wanted.begin())
            + (i == 0 ? "" : " of thread " + std::to_string(i)) + " of the changed file is not what it should be.");
    }
    return {};
}

Result<Spliced> writeChecked(const Session &session, const SpliceEdits &edits)
{
    auto written = writeSplices(session, edits);
    if (!written)
        return written;
    if (auto same = check(session, edits, *written); !same)
        return std::unexpected(same.error());
    return written;
}

// --- the part of a file that alone makes the array
// ---------------------------------------------------------------------

/// A part of the file that reads as a session of its own with the same array at the end.
struct Anchor {
    uint64_t begin = 0;
    uint64_t end = 0;
    SessionPtr session;
    std::unordered_map<BlockId, BlockId> blocks; ///< of the whole file to those of the part
};

/// The part as an anchor, if its main thread ends in the array of `thread`.
std::optional<Anchor> anchorAt(const Session &session, const Thread &thread, uint64_t begin, uint64_t end)
{
    const std::string_view file = session.sources.front()->bytes();
    auto part = loadSession(Source::own(std::string(file.substr(begin, end - begin)), session.sources.front()->name()));
    if (!part || (*part)->format != session.format)
        return std::nullopt;
    Anchor anchor { begin, end, *part, {} };
    std::vector<BlockId> own;
    (*part)->threads.front().end.forEach([&](BlockId id) { own.push_back(id); });
    size_t i = 0;
    bool isSame = true;
    thread.end.forEach([&](BlockId id) {
        isSame = isSame && i < own.size();
        if (!isSame)
            return;
        const Block &a = session.block(id);
        const Block &b = (*part)->block(own[i]);
        isSame = a.kind == b.kind && a.lengths == b.lengths
            && session.message(a.message).role == (*part)->message(b.message).role
            && session.text(a.body) == (*part)->text(b.body);
        anchor.blocks[id] = own[i++];
    });
    return isSame && i == own.size() ? std::optional(std::move(anchor)) : std::nullopt;
}

/// From the last line on that holds a replaced history.
std::optional<Anchor> replacedHistory(const Session &session, const Thread &thread)
{
    const std::string_view file = session.sources.front()->bytes();
    const size_t at = file.rfind("\"replacement_history\"");
    if (at == std::string_view::npos)
        return std::nullopt;
    const size_t newline = file.rfind('\n', at);
    return anchorAt(session, thread, newline == std::string_view::npos ? 0 : newline + 1, file.size());
}

/// The request that was recorded last of a thread.
std::optional<Anchor> lastRequest(const Session &session, const Thread &thread)
{
    constexpr size_t kMostTried = 8;
    const std::string_view file = session.sources.front()->bytes();
    uint64_t last = 0;
    thread.end.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        if (block.body.source == kFile)
            last = std::max(last, block.recordOffset);
    });
    const bool isDocument = sampleOf(file).isSingleValue;
    const size_t newline = last == 0 || isDocument ? std::string_view::npos : file.rfind('\n', last - 1);
    const uint64_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    size_t tried = 0;
    const auto open = openContainersAt(file, begin, std::span(&last, 1));
    for (const uint64_t container : open.front()) {
        if (file[container] != '{' || (isDocument && container == file.find_first_of("{[")))
            continue;
        const auto end = skipJson(file, container);
        if (!end || ++tried > kMostTried)
            return std::nullopt;
        if (auto anchor = anchorAt(session, thread, container, *end))
            return anchor;
    }
    return std::nullopt;
}

/// The edits in terms of the part; nothing if one of them concerns something that is not in it.
std::optional<SpliceEdits> translated(const Session &session, const SpliceEdits &edits, const Anchor &anchor)
{
    SpliceEdits result;
    bool isWhole = true;
    const auto blockOf = [&](BlockId id) {
        const auto found = anchor.blocks.find(id);
        isWhole = isWhole && found != anchor.blocks.end();
        return found == anchor.blocks.end() ? BlockId() : found->second;
    };
    const auto messageOf = [&](MessageId id) {
        for (const auto &[whole, part] : anchor.blocks) {
            if (session.block(whole).message == id)
                return anchor.session->block(part).message;
        }
        isWhole = false;
        return MessageId();
    };
    for (const BlockReplacement &each : edits.replacements)
        result.replacements.push_back({ blockOf(each.block), each.text });
    for (const BlockId each : edits.droppedBlocks)
        result.droppedBlocks.push_back(blockOf(each));
    for (const MessageId each : edits.droppedMessages)
        result.droppedMessages.push_back(messageOf(each));
    for (const MessageInsertion &each : edits.insertions)
        result.insertions.push_back({ messageOf(each.before), each.role, each.text, each.isSummary });
    return isWhole ? std::optional(std::move(result)) : std::nullopt;
}

/// The thread that the first edit concerns.
size_t threadOf(const Session &session, const SpliceEdits &edits)
{
    MessageId message;
    if (!edits.replacements.empty())
        message = session.block(edits.replacements.front().block).message;
    else if (!edits.droppedBlocks.empty())
        message = session.block(edits.droppedBlocks.front()).message;
    else if (!edits.droppedMessages.empty())
        message = edits.droppedMessages.front();
    else
        message = edits.insertions.front().before;
    return session.message(message).thread.index();
}

Result<Spliced> writeAnchored(const Session &session, const SpliceEdits &edits, const Anchor &anchor, bool keepsRest)
{
    const std::string_view file = session.sources.front()->bytes();
    const auto own = translated(session, edits, anchor);
    if (!own) {
        return failure(ErrorKind::Internal, "An edit concerns a block that is not in the array at the end.",
            session.sources.front()->name());
    }
    auto part = writeChecked(*anchor.session, *own);
    if (!part)
        return part;
    Spliced result;
    result.notes = std::move(part->notes);
    std::unordered_map<BlockId, BlockId> blocks;
    std::unordered_map<MessageId, MessageId> messages;
    for (const auto &[whole, id] : anchor.blocks) {
        blocks[id] = whole;
        messages[anchor.session->block(id).message] = session.block(whole).message;
    }
    for (SpliceProblem &each : part->problems)
        result.problems.push_back({ each.block.isValid() ? blocks[each.block] : BlockId(), messages[each.message],
            std::move(each.sentence) });
    const uint64_t before = keepsRest ? anchor.begin : 0;
    if (!keepsRest && anchor.begin > 0)
        result.inverse.push_back({ 0, 0, 0, anchor.begin });
    for (const InverseSplice &each : part->inverse)
        result.inverse.push_back(
            { each.at + before, each.length, each.originalOffset + anchor.begin, each.originalSize });
    if (!keepsRest && anchor.end < file.size())
        result.inverse.push_back({ part->bytes.size(), 0, anchor.end, file.size() - anchor.end });
    result.bytes = std::string(file.substr(0, before)) + part->bytes;
    if (!keepsRest)
        result.notes.emplace_back(
            "The session is a recording of requests, which repeat its messages; the new file holds the last request.");
    return result;
}

} // namespace

Result<Spliced> spliceSession(const Session &session, const SpliceEdits &edits)
{
    assert(!session.sources.empty());
    const SourcePtr &source = session.sources.front();
    const SpliceShape *shape = spliceShapeOf(session.format);
    if (shape == nullptr)
        return failure(ErrorKind::UnknownFormat,
            "Files of the format " + session.format + " can be read, but not be written.", source->name());
    if (auto torn = session.torn())
        return std::unexpected(std::move(*torn));
    if (edits.isEmpty())
        return Spliced { std::string(source->bytes()), {}, {}, {} };
    auto direct = writeChecked(session, edits);
    if (direct || direct.error().kind != ErrorKind::Internal)
        return direct;
    const Thread &thread = session.threads[threadOf(session, edits)];
    const bool isHistory = session.format == kCodex.id;
    const auto anchor = isHistory ? replacedHistory(session, thread)
        : shape->endsInRecording  ? lastRequest(session, thread)
                                  : std::nullopt;
    if (!anchor)
        return direct;
    auto anchored = writeAnchored(session, edits, *anchor, isHistory);
    if (!anchored || !isHistory)
        return anchored;
    if (auto same = check(session, edits, *anchored); !same)
        return std::unexpected(same.error());
    return anchored;
}

Result<std::string> unsplice(
    std::string_view bytes, std::span<const InverseSplice> inverse, std::span<const std::string_view> originals)
{
    std::string result;
    uint64_t at = 0;
    for (size_t i = 0; i < inverse.size(); ++i) {
        const InverseSplice &each = inverse[i];
        const bool fits = i < originals.size() && each.at >= at && each.at <= bytes.size()
            && each.length <= bytes.size() - each.at && originals[i].size() == each.originalSize;
        if (!fits)
            return failure(ErrorKind::Malformed, "The splices do not fit the file.");
        result += bytes.substr(at, each.at - at);
        if (result.size() != each.originalOffset)
            return failure(ErrorKind::Malformed, "The splices do not fit the file.");
        result += originals[i];
        at = each.at + each.length;
    }
    result += bytes.substr(at);
    return result;
}

} // namespace core
