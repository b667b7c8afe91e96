// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/splice.h"

#include "core/base/text.h"
#include "core/formats/reading/format.h"
#include "core/json/json_probe.h"
#include "core/json/json_tree.h"
#include "core/session/format_traits.h"
#include "core/writing/splice_cut.h"
#include "core/writing/splice_writer.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

// --- expected arrays -----------------------------------------------------------------------------------------------

/// The expected text of a slot. Empty texts and slots without others are ignored, as some formats leave them out.
struct SlotText {
    Role role = Role::User;
    std::vector<std::string> texts;
    friend bool operator==(const SlotText &, const SlotText &) = default;
};

/// Groups blocks into slots like Transcript.
class SlotTexts final {
public:
    explicit SlotTexts(const Session &session)
        : m_mergesUsers(session.traits->mergesUsers())
    {
    }

    /// `key` identifies the message.
    void add(int64_t key, Role role, std::string text)
    {
        if (text.empty())
            return;
        const bool mergesUsers
            = m_mergesUsers && role == Role::User && !slots.empty() && slots.back().role == Role::User;
        if (slots.empty() || (key != m_key && !mergesUsers))
            slots.push_back({ role, {} });
        m_key = key;
        slots.back().texts.push_back(std::move(text));
    }

    std::vector<SlotText> slots;

private:
    bool m_mergesUsers;
    int64_t m_key = INT64_MIN;
};

std::vector<SlotText> textsAtEnd(const Session &session, size_t thread)
{
    SlotTexts texts(session);
    session.threads[thread].end.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        texts.add(block.message.value(), session.message(block.message).role, session.text(block.body));
    });
    return std::move(texts.slots);
}

/// The final arrays that the applied edits should produce.
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
                (each.isBehind ? m_appended : m_inserted)[each.before].push_back(&each);
        }
    }

    [[nodiscard]] std::vector<SlotText> slots(const BlockRanges &array) const
    {
        const SpliceShape &shape = m_session.traits->splice;
        SlotTexts texts(m_session);
        int64_t key = -2;
        std::unordered_set<MessageId> met;
        array.forEach([&](BlockId id) {
            const Block &block = m_session.block(id);
            const auto inserted = m_inserted.find(block.message);
            if (met.insert(block.message).second && inserted != m_inserted.end()) {
                for (const MessageInsertion *each : inserted->second)
                    texts.add(key--, shape.roleOf(each->role), decodeJsonString(escapedJson(each->text)));
            }
            if (m_droppedBlocks.contains(id) || m_droppedMessages.contains(block.message))
                return;
            const auto replaced = m_replaced.find(id);
            texts.add(block.message.value(), m_session.message(block.message).role,
                replaced == m_replaced.end() ? m_session.text(block.body) : replacedText(block, *replaced->second));
        });
        for (const auto &[message, appended] : m_appended) {
            for (size_t i = 0; met.contains(message) && i < appended.size(); ++i)
                texts.add(key--, shape.roleOf(appended[i]->role), decodeJsonString(escapedJson(appended[i]->text)));
        }
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
    std::unordered_map<MessageId, std::vector<const MessageInsertion *>> m_appended; ///< behind the last message
};

/// The thread with this id in the new file, else the one at `place`. A subagent that lost its first record may have
/// moved behind another that ran in parallel.
size_t threadAgain(const Session &again, const std::string &id, size_t place)
{
    const auto isIt = [&](const Thread &each) { return each.id == id; };
    const bool tells = !id.empty() && std::ranges::count_if(again.threads, isIt) == 1;
    return tells ? static_cast<size_t>(std::ranges::find_if(again.threads, isIt) - again.threads.begin()) : place;
}

/// Reads the new file and compares every final array with the expected one.
Result<void> check(const Session &session, const SpliceEdits &edits, const SpliceCut *cut, const Spliced &spliced)
{
    const std::string &name = session.sources.front()->name();
    const auto fail = [&](std::string sentence) { return failure(ErrorKind::Internal, std::move(sentence), name); };
    if (cut != nullptr) {
        for (const SpliceProblem &each : spliced.problems) {
            if (std::ranges::binary_search(cut->messages, each.message)
                || std::ranges::binary_search(cut->blocks, each.block))
                return fail(each.sentence);
        }
    }
    const auto again = loadSession(Source::own(spliced.bytes, name));
    if (!again)
        return fail("The changed file could not be read again: " + again.error().message);
    if ((*again)->traits != session.traits)
        return fail("Palimpsest would read the changed file as another format (" + (*again)->format + ").");
    const Expectation expected(session, edits, spliced.problems);
    size_t next = 0; // index among the remaining threads
    for (size_t i = 0; i < session.threads.size(); ++i) {
        if (cut != nullptr && std::ranges::binary_search(cut->threads, ThreadIndex(i)))
            continue;
        const bool endsEarlier = cut != nullptr && edits.at && edits.at->thread == ThreadIndex(i);
        const std::vector<SlotText> wanted
            = expected.slots(endsEarlier ? rangesAt(session, *edits.at) : session.threads[i].end);
        const size_t thread = threadAgain(**again, session.threads[i].id, next++);
        const std::vector<SlotText> found
            = thread < (*again)->threads.size() ? textsAtEnd(**again, thread) : std::vector<SlotText>();
        const auto [a, b] = std::ranges::mismatch(wanted, found);
        if (a == wanted.end() && b == found.end())
            continue;
        return fail("Slot " + std::to_string(a - wanted.begin()) + (i == 0 ? "" : " of thread " + std::to_string(i))
            + " of the changed file does not have the expected content.");
    }
    return {};
}

Result<Spliced> writeCutOrWhole(const Session &session, const SpliceEdits &edits, const SpliceCut *cut)
{
    auto written = writeSplices(session, edits, cut);
    if (!written)
        return written;
    if (auto same = check(session, edits, cut, *written); !same)
        return std::unexpected(same.error());
    return written;
}

/// Cuts at the first possible place at which the result reads as it should.
Result<Spliced> writeChecked(const Session &session, const SpliceEdits &edits)
{
    if (edits.endsWithThread())
        return writeCutOrWhole(session, edits, nullptr);
    Result<Spliced> first = failure(ErrorKind::Internal,
        "Palimpsest had to repair or decode the file to read it. So the shown texts of this array differ from the "
        "bytes of the file, and cannot be changed there.",
        session.sources.front()->name());
    bool isFirst = true;
    for (const uint64_t place : cutPlaces(session, *edits.at)) {
        const SpliceCut cut = cutAt(session, *edits.at, place);
        auto written = writeCutOrWhole(session, edits, &cut);
        if (written)
            return written;
        if (isFirst)
            first = std::move(written);
        isFirst = false;
    }
    return first;
}

// --- a part of the file with the array alone -----------------------------------------------------------------------

/// A part of the file that can be read alone as a session with the same final array, or the same array at one of its
/// calls.
struct Anchor {
    uint64_t begin = 0;
    uint64_t end = 0;
    SessionPtr session;
    CallIndex call;                              ///< invalid: the final array
    std::unordered_map<BlockId, BlockId> blocks; ///< from blocks of the whole file to blocks of the part
};

/// Fills in the blocks if both arrays are equal.
bool pairBlocks(const Session &session, const BlockRanges &array, const BlockRanges &own, Anchor &anchor)
{
    if (array.blockCount() != own.blockCount())
        return false;
    anchor.blocks.clear();
    std::vector<BlockId> ids;
    own.forEach([&](BlockId id) { ids.push_back(id); });
    size_t i = 0;
    bool isSame = true;
    array.forEach([&](BlockId id) {
        if (!isSame)
            return;
        const Block &a = session.block(id);
        const Block &b = anchor.session->block(ids[i]);
        isSame = a.kind == b.kind && a.lengths == b.lengths
            && session.message(a.message).role == anchor.session->message(b.message).role
            && session.text(a.body) == anchor.session->text(b.body);
        anchor.blocks[id] = ids[i++];
    });
    return isSame;
}

/// The part as an anchor, if its main thread ends with the array or, if allowed, had it at a call.
std::optional<Anchor> anchorAt(
    const Session &session, const BlockRanges &array, bool isOfCall, uint64_t begin, uint64_t end)
{
    const std::string_view file = session.sources.front()->bytes();
    auto part = loadSession(Source::own(std::string(file.substr(begin, end - begin)), session.sources.front()->name()));
    if (!part || (*part)->traits != session.traits)
        return std::nullopt;
    Anchor anchor { begin, end, *part, {}, {} };
    const Thread &thread = (*part)->threads.front();
    if (pairBlocks(session, array, thread.end, anchor))
        return anchor;
    for (size_t i = thread.calls.size(); isOfCall && i > 0; --i) {
        anchor.call = CallIndex(i - 1);
        if (pairBlocks(session, array, thread.calls[i - 1].input, anchor))
            return anchor;
    }
    return std::nullopt;
}

/// Candidate parts of the file as begin and end, the likeliest first.
using Parts = std::vector<std::pair<uint64_t, uint64_t>>;

/// Parts from a line with a replaced history on: for the end the last such line, for a call the last one before it.
Parts replacedHistories(const Session &session, const BlockRanges &array, bool isOfCall)
{
    const std::string_view file = session.sources.front()->bytes();
    uint64_t behind = file.size();
    if (isOfCall) {
        behind = 0;
        array.forEach([&](BlockId id) {
            const Block &block = session.block(id);
            if (block.body.source == kFile)
                behind = std::max(behind, block.recordOffset + block.recordSize);
        });
    }
    const size_t at = file.substr(0, behind).rfind("\"" + std::string(session.traits->splice.newArrayKey) + "\"");
    if (at == std::string_view::npos)
        return {};
    const size_t newline = file.rfind('\n', at);
    return { { newline == std::string_view::npos ? 0 : newline + 1, file.size() } };
}

constexpr size_t kMostTried = 8;

/// The JSON values around the message that entered the array last: objects (requests) before bare arrays, outermost
/// first.
void addAround(const Session &session, const BlockRanges &array, bool takesArrays, Parts &parts)
{
    const std::string_view file = session.sources.front()->bytes();
    uint64_t last = 0;
    array.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        if (block.body.source == kFile)
            last = std::max(last, block.recordOffset);
    });
    const bool isDocument = sampleOf(file).isSingleValue;
    const size_t newline = last == 0 || isDocument ? std::string_view::npos : file.rfind('\n', last - 1);
    const uint64_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const auto open = openContainersAt(file, begin, std::span(&last, 1));
    for (const char kind : takesArrays ? std::string_view("{[") : std::string_view("{")) {
        for (const uint64_t container : open.front()) {
            if (file[container] != kind || (isDocument && container == file.find_first_of("{[")))
                continue;
            const auto end = skipJson(file, container);
            if (!end || parts.size() >= kMostTried)
                break;
            parts.emplace_back(container, *end);
        }
    }
}

/// The objects on the line of the call's request that are large enough for the array; outermost first.
void addOnLine(const Session &session, const BlockRanges &array, uint64_t line, Parts &parts)
{
    const std::string_view file = session.sources.front()->bytes();
    uint64_t begin = 0;
    for (uint64_t i = 1; i < line && begin < file.size(); ++i) {
        const size_t newline = file.find('\n', begin);
        begin = newline == std::string_view::npos ? file.size() : newline + 1;
    }
    uint64_t bytes = 0;
    array.forEach([&](BlockId id) { bytes += session.block(id).body.size; });
    const bool isDocument = sampleOf(file).isSingleValue;
    const auto tree = JsonTree::parse(file, isDocument ? 0 : begin);
    if (!tree)
        return;
    const uint64_t lineEnd = std::min(file.find('\n', begin), file.size());
    for (const JsonTree::Node &node : tree->nodes()) {
        // Other escapes may shorten texts, but by at most half.
        const bool isMeant = node.opening == '{' && node.begin >= begin && node.begin < lineEnd
            && node.end - node.begin >= bytes / 2
            && !std::ranges::contains(parts, node.begin, &Parts::value_type::first);
        if (isMeant && parts.size() < 2 * kMostTried)
            parts.emplace_back(node.begin, node.end);
    }
}

/// The edits in terms of the part; nullopt if an edit refers to something outside of it.
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
        result.insertions.push_back({ messageOf(each.before), each.role, each.text, each.isSummary, each.isBehind });
    return isWhole ? std::optional(std::move(result)) : std::nullopt;
}

/// The thread of the first edit.
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

/// The problems of the part in terms of the whole file.
std::vector<SpliceProblem> problemsOfWhole(
    const Session &session, const Anchor &anchor, const std::vector<SpliceProblem> &problems)
{
    std::unordered_map<BlockId, BlockId> blocks;
    std::unordered_map<MessageId, MessageId> messages;
    for (const auto &[whole, id] : anchor.blocks) {
        blocks[id] = whole;
        messages[anchor.session->block(id).message] = session.block(whole).message;
    }
    std::vector<SpliceProblem> result;
    for (const SpliceProblem &each : problems)
        result.push_back(
            { each.block.isValid() ? blocks[each.block] : BlockId(), messages[each.message], each.sentence });
    return result;
}

Result<Spliced> writeAnchored(const Session &session, const SpliceEdits &edits, const Anchor &anchor, bool keepsRest)
{
    const std::string_view file = session.sources.front()->bytes();
    auto own = translated(session, edits, anchor);
    if (!own) {
        return failure(
            ErrorKind::Internal, "An edit changes a block that is not in the array.", session.sources.front()->name());
    }
    if (anchor.call.isValid())
        own->at = Position { ThreadIndex(0U), anchor.call };
    auto part = writeChecked(*anchor.session, *own);
    if (!part)
        return part;
    Spliced result;
    result.notes = std::move(part->notes);
    result.problems = problemsOfWhole(session, anchor, part->problems);
    const uint64_t before = keepsRest ? anchor.begin : 0;
    if (!keepsRest && anchor.begin > 0)
        result.inverse.push_back({ 0, 0, 0, anchor.begin });
    for (const InverseSplice &each : part->inverse)
        result.inverse.push_back(
            { each.at + before, each.length, each.originalOffset + anchor.begin, each.originalSize });
    if (!keepsRest && anchor.end < file.size())
        result.inverse.push_back({ part->bytes.size(), 0, anchor.end, file.size() - anchor.end });
    result.bytes = std::string(file.substr(0, before)) + part->bytes;
    if (!keepsRest) {
        result.notes.emplace_back(edits.endsWithThread()
                ? "The session is a recording of requests that repeat its messages. The new file contains only the "
                  "last request."
                : "The session is a recording of requests. The new file contains only the request of the call.");
    }
    return result;
}

/// The array that the edits refer to.
const BlockRanges &arrayOf(const Session &session, const SpliceEdits &edits)
{
    return edits.endsWithThread()
        ? session.thread(edits.at ? edits.at->thread : ThreadIndex(threadOf(session, edits))).end
        : rangesAt(session, *edits.at);
}

/// Writes the edits into a file that holds the records of the array alone.
Result<Spliced> writeFlat(const Session &session, const SpliceEdits &edits)
{
    const std::string_view file = session.sources.front()->bytes();
    const std::string &name = session.sources.front()->name();
    const BlockRanges &array = arrayOf(session, edits);
    std::vector<std::string_view> records;
    std::unordered_set<uint64_t> met;
    array.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        if (block.body.source == kFile && block.recordSize > 0 && met.insert(block.recordOffset).second)
            records.push_back(file.substr(block.recordOffset, block.recordSize));
    });
    std::string flat = session.traits->splice.flat(file.substr(0, file.find('\n')), records);
    const auto read = loadSession(Source::own(flat, name));
    Anchor anchor { 0, file.size(), read ? *read : nullptr, {}, {} };
    if (!read || (*read)->traits != session.traits
        || !pairBlocks(session, array, anchor.session->threads.front().end, anchor))
        return failure(
            ErrorKind::Internal, "The records of this array cannot be read without those before them.", name);
    const auto own = translated(session, edits, anchor);
    if (!own)
        return failure(ErrorKind::Internal, "An edit changes a block that is not in the array.", name);
    auto part = own->isEmpty() ? Result<Spliced>(Spliced { std::move(flat), {}, {}, {} })
                               : writeChecked(*anchor.session, *own);
    if (!part)
        return part;
    part->problems = problemsOfWhole(session, anchor, part->problems);
    part->inverse = { { 0, part->bytes.size(), 0, file.size() } };
    part->notes.emplace_back("In the session file, later records replace earlier ones. The new file contains only the "
                             "records of its array.");
    return part;
}

/// Checks that all threads of the whole new file end correctly, for a session that ends at a call.
Result<void> checkHistory(const Session &session, const SpliceEdits &edits, const Spliced &spliced)
{
    if (edits.endsWithThread())
        return check(session, edits, nullptr, spliced);
    const SpliceCut cut = cutAt(session, *edits.at, 0);
    return check(session, edits, &cut, spliced);
}

/// Writes the edits in a part of the file that contains the array alone; returns `direct` if there is none.
Result<Spliced> writeByPart(const Session &session, const SpliceEdits &edits, Result<Spliced> direct)
{
    const bool isOfCall = !edits.endsWithThread();
    const BlockRanges &array = arrayOf(session, edits);
    const SpliceShape &shape = session.traits->splice;
    const bool isHistory = !shape.newArrayKey.empty();
    Parts parts;
    if (isHistory) {
        parts = replacedHistories(session, array, isOfCall);
    } else if (shape.endsInRecording) {
        addAround(session, array, isOfCall, parts);
        if (isOfCall)
            addOnLine(session, array, session.thread(edits.at->thread).calls[edits.at->call.index()].line, parts);
    }
    for (const auto &[begin, end] : parts) {
        const auto anchor = anchorAt(session, array, isOfCall, begin, end);
        if (!anchor)
            continue;
        auto anchored = writeAnchored(session, edits, *anchor, isHistory);
        if (anchored && isHistory) {
            if (auto same = checkHistory(session, edits, *anchored); !same)
                anchored = std::unexpected(same.error());
        }
        if (anchored || !isOfCall)
            return anchored;
    }
    return direct;
}

} // namespace

Result<Spliced> spliceSession(const Session &session, const SpliceEdits &edits)
{
    assert(!session.sources.empty());
    const SourcePtr &source = session.sources.front();
    if (session.traits->splice.message == nullptr)
        return failure(ErrorKind::UnknownFormat,
            "Palimpsest can read files of the format " + session.format + ", but not write them.", source->name());
    if (auto torn = session.torn())
        return std::unexpected(std::move(*torn));
    if (edits.isEmpty())
        return Spliced { std::string(source->bytes()), {}, {}, {} };
    if (session.traits->splice.flat != nullptr)
        return writeFlat(session, edits);
    auto direct = writeChecked(session, edits);
    if (direct || direct.error().kind != ErrorKind::Internal)
        return direct;
    auto written = writeByPart(session, edits, std::move(direct));
    if (!written && !edits.endsWithThread() && written.error().kind == ErrorKind::Internal) {
        return failure(ErrorKind::Internal,
            "The file cannot be written as it was at call " + std::to_string(edits.at->call.value()) + ". "
                + written.error().message,
            source->name());
    }
    return written;
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
            return failure(ErrorKind::Malformed, "The stored changes do not fit the file.");
        result += bytes.substr(at, each.at - at);
        if (result.size() != each.originalOffset)
            return failure(ErrorKind::Malformed, "The stored changes do not fit the file.");
        result += originals[i];
        at = each.at + each.length;
    }
    result += bytes.substr(at);
    return result;
}

} // namespace core
