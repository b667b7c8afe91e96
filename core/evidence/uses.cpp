// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/uses.h"

#include "core/base/hash_index.h"
#include "core/base/text.h"
#include "core/context/array_difference.h"
#include "core/evidence/import_lines.h"
#include "core/evidence/phrase_finder.h"
#include "core/evidence/shown_text.h"
#include "core/session/tool_deed.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace core {

namespace {

constexpr uint32_t kNone = 0xffffffffU;
constexpr uint64_t kSmallestRepeat = 200; ///< characters of each result; shorter ones are acknowledgements
constexpr size_t kSmallestLine = 12;      ///< bytes of a trimmed line
constexpr int kMostHolders = 8;           ///< most results examined for each line
constexpr size_t kSmallestName = 8;

bool isNameByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether a name has a case change, digit or `_` inside, which plain words do not have.
bool isCodeShaped(std::string_view name)
{
    const auto isSmall = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto isCapital = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (name.size() < kSmallestName || isDigit(name.front()) || std::ranges::none_of(name, isSmall))
        return false;
    for (size_t i = 1; i < name.size(); ++i) {
        if (name[i] == '_' || isDigit(name[i]) || (isCapital(name[i]) && isSmall(name[i - 1])))
            return true;
    }
    return false;
}

/// Calls `visit` with the hash of each code-shaped name of a text.
template <typename Visitor>
void forEachName(std::string_view text, const Visitor &visit)
{
    for (size_t at = 0; at < text.size();) {
        if (!isNameByte(text[at])) {
            ++at;
            continue;
        }
        const size_t begin = at;
        while (at < text.size() && isNameByte(text[at]))
            ++at;
        const std::string_view name = text.substr(begin, at - begin);
        if (isCodeShaped(name))
            visit(hashOf(name));
    }
}

/// The deed of a tool call, or of the call that a result answers.
struct ToolUse {
    uint32_t call = kNone; ///< index in the log
    uint32_t result = kNone;
    ToolDeed deed = ToolDeed::Other;
    uint32_t file = kNone; ///< number of its path; kNone without a file
    bool hasFailed = false;

    [[nodiscard]] bool writes() const { return !hasFailed && (deed == ToolDeed::Write || deed == ToolDeed::Edit); }
};

/// Finds the uses of one thread. Processes the log block by block, each first as a user, then as a possible carrier.
class UseFinder final {
public:
    UseFinder(const Session &session, ThreadIndex thread, UseOptions options, Progress *progress)
        : m_session(session)
        , m_thread(session.thread(thread))
        , m_options(options)
        , m_progress(progress)
    {
    }

    std::optional<Uses> find()
    {
        layOut();
        findMessages();
        findTools();
        findOldTexts();
        for (uint32_t place = 0; place < m_uses.log.size(); ++place) {
            if (isCancelled(place))
                return std::nullopt;
            look(place);
        }
        if (!m_wanting.empty() && !findTogether())
            return std::nullopt;
        std::ranges::stable_sort(m_uses.uses, {}, [this](const Use &use) { return m_placeOf[use.by.index()]; });
        m_uses.bytesRead += m_phrases.effort();
        return std::move(m_uses);
    }

private:
    struct Newest {
        std::array<uint32_t, Uses::kMostCarriers> places {}; ///< a ring buffer
        uint32_t count = 0;                                  ///< total ever added
        void add(uint32_t place) { places[count++ % places.size()] = place; }
    };
    /// A result that contains a line, linked to the one before it.
    struct Holder {
        uint32_t result = 0; ///< index into m_results
        uint32_t previous = kNone;
    };
    struct Result {
        uint32_t place = 0;
        uint32_t lineCount = 0;
        uint32_t file = kNone;
        uint32_t shared = 0; ///< lines shared with the current result
    };
    /// An old text that no block shows completely.
    struct Wanting {
        uint32_t place = 0;
        uint32_t phrase = 0;
    };
    struct Name {
        uint32_t newest = kNone;
        uint32_t first = kNone;
        bool isExcluded = false;
        uint32_t usedBy = kNone;
    };

    void layOut();
    void findMessages();
    void findTools();
    void findOldTexts();
    void look(uint32_t place);
    void quote(uint32_t place);
    void repeat(uint32_t place, const ShownText &shown);
    void callAgain(uint32_t place);
    void name(uint32_t place, const ShownText &shown);
    void write(uint32_t place);
    [[nodiscard]] bool findTogether();

    [[nodiscard]] bool isCancelled(uint32_t place)
    {
        if (m_progress == nullptr)
            return false;
        if (place % 64 == 0)
            m_progress->setFraction(place / static_cast<double>(m_uses.log.size()));
        return m_progress->isCancelled();
    }
    [[nodiscard]] const Block &blockAt(uint32_t place) const { return m_session.block(m_uses.log[place]); }
    [[nodiscard]] ShownText read(uint32_t place)
    {
        const Block &block = blockAt(place);
        m_uses.bytesRead += block.body.size;
        ++m_uses.visits;
        return shownText(m_session, block);
    }
    [[nodiscard]] static bool carries(const Block &block)
    {
        return !block.is(BlockFlag::Summary) && !block.is(BlockFlag::Stub) && !block.is(BlockFlag::Tools);
    }
    [[nodiscard]] uint32_t fileOf(const ToolUse &use, const Block &block);
    /// A read whose answer says that the file is as it was when it was read before.
    [[nodiscard]] bool isAcknowledged(const ToolUse &use) const
    {
        return use.deed == ToolDeed::Read && use.result != kNone
            && blockAt(use.result).lengths.codePoints < kSmallestRepeat;
    }
    [[nodiscard]] bool isOfOtherFile(uint32_t place, uint32_t file) const
    {
        const uint32_t tool = m_toolOf[place];
        return tool != kNone && m_tools[tool].file != kNone && m_tools[tool].file != file;
    }
    [[nodiscard]] uint32_t lastWriteOf(uint32_t file) const { return file == kNone ? kNone : m_lastWrite[file]; }
    void add(UseKind kind, uint32_t by, std::span<const uint32_t> carriers, CallIndex call, bool isTogether = false);

    const Session &m_session;
    const Thread &m_thread;
    UseOptions m_options;
    Progress *m_progress;
    Uses m_uses;
    std::vector<uint32_t> m_placeOf; ///< by BlockId: index in the log
    std::vector<CallIndex> m_callOf; ///< by index in the log: the call that wrote it, or after which it came
    std::vector<ToolUse> m_tools;
    std::vector<uint32_t> m_toolOf; ///< by index in the log
    std::unordered_map<std::string_view, uint32_t> m_files;
    std::vector<uint32_t> m_lastWrite;              ///< by file number: index of the last call that wrote it
    uint32_t m_lastOfAll = kNone;                   ///< the same for any file
    std::vector<std::vector<uint32_t>> m_unchanged; ///< by file number: indices that no later call has changed

    PhraseFinder m_phrases;
    std::unordered_map<uint32_t, std::vector<uint32_t>> m_quotesOf; ///< phrases by index in the log
    std::vector<Newest> m_newest;                                   ///< by phrase
    std::vector<Wanting> m_wanting;

    HashIndex m_lines;
    std::vector<uint32_t> m_newestHolder; ///< by line
    std::vector<Holder> m_holders;
    std::vector<Result> m_results;
    HashIndex m_calls; ///< index of the newest of equal calls
    HashIndex m_names;
    std::vector<Name> m_nameStates;
};

/// Builds the log: the new blocks of each call, then its response.
void UseFinder::layOut()
{
    m_placeOf.assign(m_session.blocks.size(), kNone);
    // For each block the next one that is not in the log yet, with path compression.
    std::vector<uint32_t> next(m_session.blocks.size() + 1);
    for (uint32_t i = 0; i < next.size(); ++i)
        next[i] = i;
    const auto free = [&](uint32_t id) {
        while (next[id] != id) {
            next[id] = next[next[id]];
            id = next[id];
            ++m_uses.visits;
        }
        return id;
    };
    const auto enter = [&](BlockRange range, CallIndex call) {
        for (uint32_t id = free(range.begin); id < range.end; id = free(id)) {
            m_placeOf[id] = static_cast<uint32_t>(m_uses.log.size());
            m_uses.log.emplace_back(id);
            m_callOf.push_back(call);
            next[id] = id + 1;
        }
    };
    const auto before = [](size_t call) { return call == 0 ? CallIndex() : CallIndex(call - 1); };
    const auto &calls = m_thread.calls;
    for (size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].prelude)
            enter(*calls[i].prelude, before(i));
        calls[i].input.forEachRange([&](BlockRange range) { enter(range, before(i)); });
        enter(calls[i].output, CallIndex(i));
    }
    m_thread.end.forEachRange([&](BlockRange range) { enter(range, before(calls.size())); });
}

void UseFinder::findMessages()
{
    const auto add = [this](BlockId id) {
        if (isUserMessage(m_session.block(id)))
            m_uses.messages.push_back(id);
    };
    std::ranges::for_each(m_uses.log, add);
    for (const RecordedCompaction &each : m_thread.compactions)
        forEachBlock(grownBefore(m_thread, each), add);
    std::ranges::sort(m_uses.messages);
    const auto twice = std::ranges::unique(m_uses.messages);
    m_uses.messages.erase(twice.begin(), twice.end());
}

void UseFinder::findTools()
{
    m_toolOf.assign(m_uses.log.size(), kNone);
    m_uses.changedBy.assign(m_session.blocks.size(), {});
    std::unordered_map<StringId, uint32_t> byId; // ids may repeat: the nearest earlier call counts
    for (uint32_t place = 0; place < m_uses.log.size(); ++place) {
        const Block &block = blockAt(place);
        if (block.kind == BlockKind::ToolCall) {
            ToolUse use;
            use.call = place;
            use.deed = toolDeed(m_session, block);
            use.file = fileOf(use, block);
            m_toolOf[place] = static_cast<uint32_t>(m_tools.size());
            if (block.callId.isValid())
                byId[block.callId] = m_toolOf[place];
            m_tools.push_back(use);
        } else if (block.kind == BlockKind::ToolResult && block.callId.isValid()) {
            const auto found = byId.find(block.callId);
            if (found == byId.end())
                continue;
            m_toolOf[place] = found->second;
            ToolUse &use = m_tools[found->second];
            use.hasFailed = use.hasFailed || block.is(BlockFlag::Error);
            use.result = use.result == kNone ? place : use.result;
        }
    }
    m_lastWrite.assign(m_files.size(), kNone);
    m_unchanged.resize(m_files.size());
}

/// The number of the file that a call reads, writes or edits. Paths below the working folder become relative.
uint32_t UseFinder::fileOf(const ToolUse &use, const Block &block)
{
    if (use.deed != ToolDeed::Read && use.deed != ToolDeed::Write && use.deed != ToolDeed::Edit)
        return kNone;
    const std::string_view path = m_session.pathInFolder(m_session.string(block.subject));
    return path.empty() ? kNone : m_files.try_emplace(path, static_cast<uint32_t>(m_files.size())).first->second;
}

void UseFinder::findOldTexts()
{
    for (const ToolUse &use : m_tools) {
        if (use.deed != ToolDeed::Edit || use.hasFailed)
            continue;
        for (const std::string &text : oldTexts(m_session, blockAt(use.call)))
            m_quotesOf[use.call].push_back(m_phrases.add(text));
    }
    m_phrases.prepare();
    m_newest.resize(m_phrases.size());
}

void UseFinder::look(uint32_t place)
{
    const Block &block = blockAt(place);
    if (!carries(block) && !m_options.withNames)
        return;
    const ShownText shown = read(place);
    if (m_options.withNames)
        name(place, shown);
    if (!carries(block))
        return;
    if (block.kind == BlockKind::ToolCall) {
        quote(place);
        callAgain(place);
        write(place);
    } else if (block.kind == BlockKind::ToolResult) {
        repeat(place, shown);
    }
    if (m_phrases.size() > 0) {
        for (const uint32_t phrase : m_phrases.find(shown.text))
            m_newest[phrase].add(place);
    }
}

void UseFinder::add(UseKind kind, uint32_t by, std::span<const uint32_t> carriers, CallIndex call, bool isTogether)
{
    m_uses.uses.push_back({ .kind = kind,
        .isTogether = isTogether,
        .call = call,
        .by = m_uses.log[by],
        .firstCarrier = static_cast<uint32_t>(m_uses.carriers.size()),
        .carrierCount = static_cast<uint32_t>(carriers.size()) });
    for (const uint32_t place : carriers)
        m_uses.carriers.push_back(m_uses.log[place]);
}

void UseFinder::quote(uint32_t place)
{
    const auto quotes = m_quotesOf.find(place);
    if (quotes == m_quotesOf.end())
        return;
    for (const uint32_t phrase : quotes->second) {
        const Newest &newest = m_newest[phrase];
        const bool isImport = areImportLines(m_phrases.phrase(phrase));
        if (newest.count == 0) {
            m_wanting.push_back({ place, phrase });
            continue;
        }
        std::vector<uint32_t> carriers;
        for (uint32_t i = 1; i <= std::min<size_t>(newest.count, newest.places.size()); ++i)
            carriers.push_back(newest.places[(newest.count - i) % newest.places.size()]);
        if (isImport)
            std::erase_if(carriers, [&](uint32_t each) { return isOfOtherFile(each, m_tools[m_toolOf[place]].file); });
        if (carriers.empty())
            m_uses.unshown.push_back(m_uses.log[place]);
        else
            add(UseKind::Quote, place, carriers, m_callOf[place]);
    }
}

void UseFinder::repeat(uint32_t place, const ShownText &shown)
{
    const uint32_t tool = m_toolOf[place];
    const uint32_t file = tool == kNone ? kNone : m_tools[tool].file;
    if (tool != kNone && m_tools[tool].deed == ToolDeed::Read && file != kNone)
        m_unchanged[file].push_back(place);
    const std::string_view text = withoutReminders(shown.bare());
    const uint64_t reminders = textLengths(shown.bare().substr(text.size())).codePoints;
    if (blockAt(place).lengths.codePoints < kSmallestRepeat + reminders)
        return;
    const auto number = static_cast<uint32_t>(m_results.size());
    Result result;
    result.place = place;
    result.file = file;
    std::vector<uint32_t> sharing; // indices of results
    forEachTrimmedLine(text, [&](std::string_view line) {
        if (line.size() < kSmallestLine)
            return;
        const auto [known, isNew] = m_lines.tryEmplace(hashOf(line), static_cast<uint32_t>(m_newestHolder.size()));
        const uint32_t id = known;
        if (isNew)
            m_newestHolder.push_back(kNone);
        ++m_uses.visits;
        uint32_t holder = m_newestHolder[id];
        if (holder != kNone && m_holders[holder].result == number)
            return; // repeated in this result
        m_newestHolder[id] = static_cast<uint32_t>(m_holders.size());
        m_holders.push_back({ number, holder });
        ++result.lineCount;
        const bool isImport = isImportLine(line);
        for (int i = 0; i < kMostHolders && holder != kNone; ++i, ++m_uses.visits) {
            const uint32_t earlier = m_holders[holder].result;
            holder = m_holders[holder].previous;
            if (isImport && (file == kNone || m_results[earlier].file != file))
                continue;
            if (m_results[earlier].shared++ == 0)
                sharing.push_back(earlier);
        }
    });
    std::ranges::sort(sharing, std::ranges::greater());
    std::vector<uint32_t> carriers;
    const bool isWrite = tool != kNone && m_tools[tool].writes();
    const auto isWrittenSince = [&](uint32_t of, uint32_t since) {
        const uint32_t last = lastWriteOf(of);
        return last != kNone && last > since;
    };
    for (const uint32_t earlier : sharing) {
        Result &each = m_results[earlier];
        const bool isHalf = each.shared * 2 >= each.lineCount;
        each.shared = 0;
        if (isHalf && !isWrite && carriers.size() < Uses::kMostCarriers && !isWrittenSince(each.file, each.place)
            && !isWrittenSince(file, each.place))
            carriers.push_back(each.place);
    }
    m_results.push_back(result);
    if (!carriers.empty())
        add(UseKind::Repeat, place, carriers, m_callOf[tool != kNone ? m_tools[tool].call : place]);
}

void UseFinder::callAgain(uint32_t place)
{
    const Block &block = blockAt(place);
    // Uses canonical text, as equal arguments may have different blanks.
    const Hash hash = combine(hashOf(m_session.string(block.name)), hashOf(m_session.text(block.body)));
    const auto [known, isNew] = m_calls.tryEmplace(hash, place);
    if (isNew)
        return;
    const uint32_t earlier = known;
    if (!isAcknowledged(m_tools[m_toolOf[place]]))
        known = place;
    const uint32_t result = m_tools[m_toolOf[earlier]].result;
    const bool isAnswered = result != kNone && result < place;
    if (!isAnswered || isAcknowledged(m_tools[m_toolOf[earlier]]) || m_tools[m_toolOf[place]].writes()
        || (m_lastOfAll != kNone && m_lastOfAll > earlier))
        return;
    add(UseKind::SameCall, place, std::array { result }, m_callOf[place]);
}

void UseFinder::write(uint32_t place)
{
    const ToolUse &use = m_tools[m_toolOf[place]];
    if (!use.writes())
        return;
    m_lastOfAll = place;
    if (use.file == kNone)
        return;
    m_lastWrite[use.file] = place;
    for (const uint32_t earlier : m_unchanged[use.file])
        m_uses.changedBy[m_uses.log[earlier].index()] = m_uses.log[place];
    m_unchanged[use.file] = { place };
}

void UseFinder::name(uint32_t place, const ShownText &shown)
{
    const Block &block = blockAt(place);
    const Role role = block.message.isValid() ? m_session.message(block.message).role : Role::System;
    const bool isGiven = block.is(BlockFlag::Tools) || role == Role::System
        || (block.kind == BlockKind::Text && role == Role::User && carries(block));
    const bool isWritten
        = role == Role::Assistant && (block.kind == BlockKind::ToolCall || block.kind == BlockKind::Text);
    forEachName(shown.text, [&](const Hash &hash) {
        const auto [known, isNew] = m_names.tryEmplace(hash, static_cast<uint32_t>(m_nameStates.size()));
        if (isNew) {
            const bool isCommon
                = m_options.commonNames != nullptr && std::ranges::binary_search(*m_options.commonNames, hash.low);
            m_nameStates.emplace_back().isExcluded = isCommon;
        }
        Name &state = m_nameStates[known];
        ++m_uses.visits;
        state.isExcluded = state.isExcluded || isGiven;
        if (isWritten && !state.isExcluded && state.newest != kNone && state.usedBy != place && state.newest != place) {
            const std::array carriers { state.newest, state.first };
            add(UseKind::Name, place, std::span(carriers).first(state.newest == state.first ? 1 : 2), m_callOf[place]);
        }
        state.usedBy = place;
        if (carries(block)) {
            state.newest = place;
            state.first = state.first == kNone ? place : state.first;
        }
    });
}

/// Handles quotes that no block shows completely: finds their lines in one more pass.
bool UseFinder::findTogether()
{
    PhraseFinder lines;
    std::vector<std::vector<uint32_t>> linesOf(m_wanting.size());
    for (size_t i = 0; i < m_wanting.size(); ++i) {
        forEachTrimmedLine(m_phrases.phrase(m_wanting[i].phrase), [&](std::string_view line) {
            if (!line.empty())
                linesOf[i].push_back(lines.add(line));
        });
    }
    lines.prepare();
    std::vector<uint32_t> newest(lines.size(), kNone);
    size_t next = 0;
    for (uint32_t place = 0; next < m_wanting.size(); ++place) {
        if (isCancelled(place))
            return false;
        for (; next < m_wanting.size() && m_wanting[next].place == place; ++next) {
            std::vector<uint32_t> carriers;
            bool isShown = !linesOf[next].empty();
            for (const uint32_t line : linesOf[next]) {
                isShown = isShown && newest[line] != kNone;
                carriers.push_back(newest[line]);
            }
            if (!isShown) {
                m_uses.unshown.push_back(m_uses.log[place]);
                continue;
            }
            std::ranges::sort(carriers, std::ranges::greater());
            carriers.erase(std::ranges::unique(carriers).begin(), carriers.end());
            add(UseKind::Quote, place, carriers, m_callOf[place], true);
        }
        if (!carries(blockAt(place)))
            continue;
        for (const uint32_t line : lines.find(read(place).text))
            newest[line] = place;
    }
    m_uses.bytesRead += lines.effort();
    return true;
}

} // namespace

size_t Uses::count(UseKinds kinds) const
{
    const auto isOne = [&](const Use &use) { return (kinds & only(use.kind)) != 0; };
    return static_cast<size_t>(std::ranges::count_if(uses, isOne));
}

bool Uses::isUnsure(const Use &use, const ArraySums &sums) const
{
    return use.call.isValid() && std::ranges::any_of(boundOf(use), [&](BlockId carrier) {
        return sums.mayBeMissing(carrier, use.call.value());
    });
}

std::optional<Uses> findUses(const Session &session, ThreadIndex thread, UseOptions options, Progress *progress)
{
    return UseFinder(session, thread, options, progress).find();
}

CommonNames commonNames(std::span<const SessionPtr> sessions, size_t most)
{
    std::unordered_map<uint64_t, std::pair<size_t, size_t>> seen; // the last session that has it, and their number
    for (size_t i = 0; i < sessions.size(); ++i) {
        for (const Block &block : sessions[i]->blocks) {
            forEachName(shownText(*sessions[i], block).text, [&](const Hash &hash) {
                auto &[last, count] = seen.try_emplace(hash.low, sessions.size(), 0).first->second;
                count += last != i ? 1 : 0;
                last = i;
            });
        }
    }
    CommonNames common;
    for (const auto &[hash, last] : seen) {
        if (last.second > most)
            common.push_back(hash);
    }
    std::ranges::sort(common);
    return common;
}

std::vector<double> useDistances(
    const Session &session, const Uses &uses, const BlockTokens &tokens, UseBinding binding)
{
    std::vector<double> before { 0 }; // prefix sums over the log
    std::vector<uint32_t> placeOf(session.blocks.size());
    for (const BlockId id : uses.log) {
        placeOf[id.index()] = static_cast<uint32_t>(before.size() - 1);
        before.push_back(before.back() + tokens.of(id));
    }
    std::vector<double> distances;
    distances.reserve(uses.uses.size());
    for (const Use &use : uses.uses) {
        const auto carriers = uses.carriersOf(use);
        const BlockId carrier = binding == UseBinding::Newest ? carriers.front() : carriers.back();
        distances.push_back(before[placeOf[use.by.index()]] - before[placeOf[carrier.index()]]);
    }
    return distances;
}

} // namespace core
