// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/weight/weight_groups.h"

#include "core/session/tool_deed.h"
#include "core/weight/block_reasons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

namespace core {

namespace {

constexpr size_t kNameCharacters = 120;
constexpr uint64_t kShortResult = 200; ///< characters; shorter results are acknowledgements without a body

// --- commands -------------------------------------------------------------------------------------------------------

/// Programs with subcommands, which belong to the family.
constexpr auto kWithSubcommands = std::to_array<std::string_view>({ "go", "git", "npm", "npx", "pnpm", "yarn", "bun",
    "deno", "cargo", "docker", "podman", "kubectl", "gh", "uv", "pip", "pip3", "poetry", "dotnet", "mvn", "gradle",
    "make", "just", "mise", "systemctl", "brew", "apt", "terraform" });

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    for (size_t i = 0; i < line.size() && words.size() < 24;) {
        const size_t begin = line.find_first_not_of(" \t", i);
        if (begin == std::string_view::npos)
            break;
        const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        i = end;
    }
    return words;
}

bool isAssignment(std::string_view word)
{
    const size_t sign = word.find('=');
    return sign != std::string_view::npos && sign > 0 && std::ranges::all_of(word.substr(0, sign), [](char c) {
        return c == '_' || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

/// Whether a word is a subcommand, not a file or an option.
bool isSubcommand(std::string_view word)
{
    return !word.empty() && std::ranges::all_of(word, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == ':' || c == '_';
    }) && word.front() != '-';
}

std::string_view baseName(std::string_view path)
{
    const size_t slash = path.find_last_of('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// --- calls ----------------------------------------------------------------------------------------------------------

/// A range of calls that all sent a block.
struct Stay {
    uint32_t group = 0;
    uint32_t from = 0;
    uint32_t to = 0; ///< exclusive
};

/// Finds the calls in which blocks were in context, from the changes between consecutive calls.
class Stays final {
public:
    Stays(const Session &session, ThreadIndex thread, const std::vector<uint32_t> &groupOf, uint32_t none)
        : m_groupOf(groupOf)
        , m_none(none)
        , m_since(session.blocks.size(), 0)
        , m_calls(session.blocks.size(), 0)
    {
        const std::vector<Call> &calls = session.thread(thread).calls;
        std::vector<BlockRange> before;
        std::vector<BlockRange> after;
        for (size_t i = 0; i <= calls.size(); ++i) {
            after.clear();
            if (i < calls.size())
                calls[i].input.forEachRange([&](BlockRange range) { after.push_back(range); });
            std::ranges::sort(after, {}, &BlockRange::begin);
            const auto place = static_cast<uint32_t>(i);
            forEachMissing(after, before, [&](uint32_t block) { m_since[block] = place; });
            forEachMissing(before, after, [&](uint32_t block) { leave(block, place); });
            std::swap(before, after);
        }
    }

    /// The stays of all blocks that have a group.
    [[nodiscard]] std::vector<Stay> &all() { return m_stays; }
    [[nodiscard]] uint32_t callsOf(BlockId block) const { return m_calls[block.index()]; }

private:
    /// Calls `visit` for each block of `ranges` that is not in `others`; both must be sorted and without duplicates.
    template <typename Visitor>
    static void forEachMissing(
        const std::vector<BlockRange> &ranges, const std::vector<BlockRange> &others, Visitor visit)
    {
        auto other = others.begin();
        for (const BlockRange &range : ranges) {
            uint32_t at = range.begin;
            while (other != others.end() && other->end <= at)
                ++other;
            auto next = other;
            while (at < range.end) {
                const uint32_t stop = next == others.end() ? range.end : std::min(range.end, next->begin);
                for (; at < stop; ++at)
                    visit(at);
                if (next == others.end() || at >= range.end)
                    break;
                at = std::max(at, next->end);
                ++next;
            }
        }
    }

    void leave(uint32_t block, uint32_t place)
    {
        m_calls[block] += place - m_since[block];
        if (m_groupOf[block] != m_none)
            m_stays.push_back({ m_groupOf[block], m_since[block], place });
    }

    const std::vector<uint32_t> &m_groupOf;
    uint32_t m_none;
    std::vector<uint32_t> m_since;
    std::vector<uint32_t> m_calls;
    std::vector<Stay> m_stays;
};

// --- grouping -------------------------------------------------------------------------------------------------------

constexpr uint32_t kNoGroup = 0xffffffffU;

constexpr size_t kDeedCount = static_cast<size_t>(ToolDeed::Other) + 1;

/// Counts for a group's detail.
struct Tally {
    std::array<uint32_t, kDeedCount> calls {};   ///< by ToolDeed
    std::array<uint32_t, kDeedCount> results {}; ///< the same
    uint32_t tagged = 0;                         ///< bodies queued as user messages
    uint32_t stale = 0;
    uint32_t others = 0;
    bool hasVariants = false; ///< the family has different commands
    StringId command;
    std::vector<size_t> bodies; ///< places of bodies that a later write would make stale
};

class Grouping final {
public:
    Grouping(const Transcript &transcript, ThreadIndex thread, GroupBy by, const Weights &weights)
        : m_transcript(transcript)
        , m_session(*transcript.session())
        , m_thread(thread)
        , m_by(by)
        , m_weights(weights)
        , m_groupOf(m_session.blocks.size(), kNoGroup)
    {
    }

    WeightGroups build(const HotZones &hot)
    {
        findCalls();
        const auto blocks = m_transcript.blocks();
        for (size_t i = 0; i < blocks.size(); ++i)
            place(i, blocks[i]);
        collect(blocks);
        countCalls();
        markHot(hot);
        for (size_t i = 0; i < m_result.groups.size() && m_by != GroupBy::Block; ++i)
            describe(m_result.groups[i], m_tallies[i]);
        sort();
        return std::move(m_result);
    }

private:
    struct ToolUse {
        StringId name;
        StringId subject;
        ToolDeed deed = ToolDeed::Other;
        bool failed = false;
    };

    void findCalls()
    {
        if (m_by != GroupBy::File && m_by != GroupBy::Tool)
            return;
        for (const BlockId id : m_transcript.blocks()) {
            const Block &block = m_session.block(id);
            if (!block.callId.isValid())
                continue;
            if (block.kind == BlockKind::ToolCall)
                m_uses[block.callId] = { block.name, block.subject, deedOf(block), false };
            else if (block.kind == BlockKind::ToolResult && block.is(BlockFlag::Error))
                m_uses[block.callId].failed = true;
        }
    }

    /// Cached by name, as names are few.
    [[nodiscard]] ToolDeed deedOf(StringId name)
    {
        const auto [entry, isNew] = m_deeds.try_emplace(name, ToolDeed::Other);
        if (isNew)
            entry->second = toolDeed(m_session.string(name));
        return entry->second;
    }
    [[nodiscard]] ToolDeed deedOf(const Block &call)
    {
        const ToolDeed deed = deedOf(call.name);
        return deed == ToolDeed::Edit ? toolDeed(m_session, call) : deed;
    }

    [[nodiscard]] ToolUse useOf(const Block &block)
    {
        ToolUse use { block.name, block.subject, ToolDeed::Other, block.is(BlockFlag::Error) };
        const auto known = block.callId.isValid() ? m_uses.find(block.callId) : m_uses.end();
        if (known != m_uses.end()) {
            use.deed = known->second.deed;
            use.failed = use.failed || known->second.failed;
            if (!use.name.isValid())
                use.name = known->second.name;
            if (!use.subject.isValid())
                use.subject = known->second.subject;
        }
        if (known == m_uses.end() || !known->second.name.isValid())
            use.deed = deedOf(use.name);
        return use;
    }

    [[nodiscard]] static bool looksLikeFile(std::string_view subject)
    {
        return !subject.empty() && subject.find_first_of(" \t\n*|") == std::string_view::npos
            && subject.find("://") == std::string_view::npos && baseName(subject).find('.') != std::string_view::npos;
    }

    [[nodiscard]] std::string kindName(const Block &block) const
    {
        if (block.is(BlockFlag::Summary))
            return "summaries";
        switch (block.kind) {
        case BlockKind::Thinking:
            return "thinking";
        case BlockKind::ToolCall:
            return "tool calls";
        case BlockKind::ToolResult:
            return "tool results";
        case BlockKind::Image:
            return "images";
        case BlockKind::Document:
            return "documents";
        case BlockKind::Opaque:
            return "other content";
        case BlockKind::Text:
            break;
        }
        if (block.is(BlockFlag::Injected))
            return "text added by the harness";
        const Role role = block.message.isValid() ? m_session.message(block.message).role : Role::System;
        return role == Role::Assistant ? "model text" : role == Role::User ? "user text" : "system text";
    }

    void place(size_t at, BlockId id)
    {
        const Block &block = m_session.block(id);
        if (m_by == GroupBy::Block) {
            join(id, newGroup({}));
            return;
        }
        const bool isTool = block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult;
        if (m_by == GroupBy::Tool && isTool) {
            const ToolUse use = useOf(block);
            if (use.name.isValid())
                return count(block, use, at, join(id, groupOfString('t', use.name)));
        }
        if (m_by == GroupBy::File && isTool) {
            const ToolUse use = useOf(block);
            if (const auto group = groupOfSubject(use))
                return count(block, use, at, join(id, *group));
        }
        if (m_by == GroupBy::File && block.kind == BlockKind::Text) {
            if (const std::string path = pathOfTaggedBody(m_session, block); !path.empty()) {
                Tally &tally = m_tallies[join(id, groupNamed('f', std::string(m_session.pathInFolder(path))))];
                ++tally.tagged;
                tally.bodies.push_back(at);
                return;
            }
        }
        ++m_tallies[join(id, groupNamed('k', kindName(block)))].others;
    }

    [[nodiscard]] std::optional<uint32_t> groupOfSubject(const ToolUse &use)
    {
        const std::string_view subject = m_session.string(use.subject);
        if (!use.name.isValid() && subject.empty())
            return std::nullopt;
        const bool isOfFile = use.deed == ToolDeed::Read || use.deed == ToolDeed::Write || use.deed == ToolDeed::Edit;
        if (!subject.empty() && use.deed == ToolDeed::Run)
            return groupOfString('c', use.subject);
        if (!subject.empty() && (isOfFile || looksLikeFile(subject)))
            return groupOfString('f', use.subject);
        return groupOfString('t', use.name.isValid() ? use.name : use.subject);
    }

    /// The group of an interned name; cached.
    uint32_t groupOfString(char sort, StringId id)
    {
        const uint64_t key = (static_cast<uint64_t>(sort) << 32U) | id.value();
        const auto known = m_groupOfString.find(key);
        if (known != m_groupOfString.end())
            return known->second;
        const std::string_view text = m_session.string(id);
        const uint32_t group = groupNamed(sort,
            sort == 'c'       ? commandFamily(text)
                : sort == 'f' ? std::string(m_session.pathInFolder(text))
                              : std::string(text));
        m_groupOfString.emplace(key, group);
        return group;
    }

    void count(const Block &block, const ToolUse &use, size_t at, uint32_t group)
    {
        Tally &tally = m_tallies[group];
        const auto deed = static_cast<size_t>(use.deed);
        ++(block.kind == BlockKind::ToolCall ? tally.calls : tally.results)[deed];
        if (use.deed == ToolDeed::Run && use.subject.isValid()) {
            tally.hasVariants = tally.hasVariants || (tally.command.isValid() && tally.command != use.subject);
            tally.command = use.subject;
        }
        const bool showsBody = block.kind == BlockKind::ToolResult && !use.failed && !block.is(BlockFlag::Stub)
            && block.lengths.codePoints >= kShortResult;
        if (use.deed == ToolDeed::Read && showsBody)
            tally.bodies.push_back(at);
        const bool changes = use.deed == ToolDeed::Write || use.deed == ToolDeed::Edit;
        if (m_by == GroupBy::File && changes && block.kind == BlockKind::ToolCall && !use.failed) {
            tally.stale += static_cast<uint32_t>(tally.bodies.size());
            tally.bodies.clear();
        }
    }

    uint32_t newGroup(std::string name)
    {
        m_result.groups.emplace_back().name = std::move(name);
        if (m_by != GroupBy::Block)
            m_tallies.emplace_back();
        return static_cast<uint32_t>(m_result.groups.size() - 1);
    }

    /// `sort` separates files, commands, tools and kinds with the same name.
    uint32_t groupNamed(char sort, std::string_view name)
    {
        std::string key(1, sort);
        key += name;
        const auto [entry, isNew] = m_named.try_emplace(std::move(key), 0);
        if (isNew)
            entry->second = newGroup(snippet(name, kNameCharacters));
        return entry->second;
    }

    uint32_t join(BlockId id, uint32_t group)
    {
        m_groupOf[id.index()] = group;
        ++m_result.groups[group].blockCount;
        return group;
    }

    void collect(std::span<const BlockId> blocks)
    {
        uint32_t first = 0;
        for (WeightGroup &group : m_result.groups) {
            group.firstBlock = first;
            first += std::exchange(group.blockCount, 0);
        }
        m_result.blocks.resize(blocks.size());
        std::vector<double> heaviest(m_result.groups.size(), -1);
        std::vector<std::array<double, kMaterialCount>> materials(m_result.groups.size());
        for (const BlockId id : blocks) {
            const uint32_t index = m_groupOf[id.index()];
            WeightGroup &group = m_result.groups[index];
            const double weight = m_weights.of(m_session, id);
            m_result.blocks[group.firstBlock + group.blockCount++] = id;
            group.weight += weight;
            materials[index][static_cast<size_t>(materialOf(m_session, m_session.block(id)))] += weight;
            if (weight > heaviest[index]) {
                heaviest[index] = weight;
                group.heaviest = id;
            }
            m_result.total += weight;
        }
        for (size_t i = 0; i < m_result.groups.size(); ++i) {
            WeightGroup &group = m_result.groups[i];
            group.share = m_result.total > 0 ? group.weight / m_result.total : 0;
            group.material = static_cast<Material>(std::ranges::max_element(materials[i]) - materials[i].begin());
        }
    }

    void countCalls()
    {
        Stays stays(m_session, m_thread, m_groupOf, kNoGroup);
        for (WeightGroup &group : m_result.groups) {
            for (const BlockId id : m_result.blocksOf(group)) {
                const double tokens = m_weights.tokens() ? m_weights.tokens()->of(id) : m_weights.of(m_session, id);
                group.resent += tokens * stays.callsOf(id);
            }
        }
        // Merge the stays of each group.
        std::ranges::sort(stays.all(),
            [](const Stay &a, const Stay &b) { return a.group != b.group ? a.group < b.group : a.from < b.from; });
        uint32_t group = kNoGroup;
        uint32_t covered = 0;
        for (const Stay &stay : stays.all()) {
            if (stay.group != group) {
                group = stay.group;
                covered = 0;
            }
            const uint32_t from = std::max(stay.from, covered);
            if (stay.to > from)
                m_result.groups[group].callCount += stay.to - from;
            covered = std::max(covered, stay.to);
        }
    }

    void markHot(const HotZones &hot)
    {
        for (const HotBlock &hotBlock : hot.blocks) {
            const size_t block = hotBlock.block.index();
            const uint32_t index = block < m_groupOf.size() ? m_groupOf[block] : kNoGroup;
            if (index == kNoGroup)
                continue;
            WeightGroup &group = m_result.groups[index];
            if (group.hotCount++ == 0)
                group.reason = hotBlock.reason;
        }
    }

    void describe(WeightGroup &group, const Tally &tally)
    {
        if (tally.command.isValid() && m_by == GroupBy::File)
            group.name
                = tally.hasVariants ? group.name + " …" : snippet(m_session.string(tally.command), kNameCharacters);
        const auto add = [&](uint32_t number, std::string_view one, std::string_view many) {
            if (number == 0)
                return;
            group.detail += (group.detail.empty() ? "" : ", ") + groupedNumber(number) + " ";
            group.detail += number == 1 ? one : many;
        };
        const auto done = [&](ToolDeed deed) {
            return std::max(tally.calls[static_cast<size_t>(deed)], tally.results[static_cast<size_t>(deed)]);
        };
        add(done(ToolDeed::Read) + tally.tagged, "read", "reads");
        if (tally.stale > 0)
            group.detail += ", " + groupedNumber(tally.stale) + " stale";
        add(done(ToolDeed::Edit), "edit", "edits");
        add(done(ToolDeed::Write), "write", "writes");
        add(done(ToolDeed::Run), "run", "runs");
        add(done(ToolDeed::Search), "search", "searches");
        add(done(ToolDeed::Other), "call", "calls");
        add(tally.others, "block", "blocks");
    }

    void sort()
    {
        std::vector<uint32_t> order(m_result.groups.size());
        for (size_t i = 0; i < order.size(); ++i)
            order[i] = static_cast<uint32_t>(i);
        std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
            const WeightGroup &first = m_result.groups[a];
            const WeightGroup &second = m_result.groups[b];
            if (first.isHot() != second.isHot())
                return first.isHot();
            if (first.isHot() && first.resent != second.resent)
                return first.resent > second.resent;
            return first.weight != second.weight ? first.weight > second.weight : a < b;
        });
        std::vector<WeightGroup> sorted;
        sorted.reserve(order.size());
        for (const uint32_t index : order)
            sorted.push_back(std::move(m_result.groups[index]));
        m_result.groups = std::move(sorted);
    }

    const Transcript &m_transcript;
    const Session &m_session;
    ThreadIndex m_thread;
    GroupBy m_by;
    const Weights &m_weights;
    WeightGroups m_result;
    std::vector<Tally> m_tallies;
    std::vector<uint32_t> m_groupOf; ///< by block
    std::unordered_map<std::string, uint32_t> m_named;
    std::unordered_map<uint64_t, uint32_t> m_groupOfString;
    std::unordered_map<StringId, ToolDeed> m_deeds; ///< by tool name
    std::unordered_map<StringId, ToolUse> m_uses;   ///< by call id
};

} // namespace

void addBesides(WeightGroups &groups, const ArraySum &sum)
{
    constexpr double kLeast = 0.5; ///< tokens
    const auto add = [&](std::string name, std::string detail, double weight) {
        if (std::abs(weight) < kLeast)
            return;
        const auto place = std::ranges::find_if(
            groups.groups, [&](const WeightGroup &each) { return !each.isHot() && each.weight < weight; });
        WeightGroup group;
        group.name = std::move(name);
        group.detail = std::move(detail);
        group.weight = weight;
        groups.groups.insert(place, std::move(group));
    };
    add("prelude", "system prompt and tools", sum.prelude);
    add("unlogged", "sent, not in the log", sum.unloggedWithFraming());
    add("logged, not sent", "subtracted from the sum", -sum.notSent);
    add("remainder", "recorded prompt minus the parts", sum.remainder);
    const double whole = groups.total + sum.besides();
    for (WeightGroup &group : groups.groups)
        group.share = whole > 0 ? group.weight / whole : 0;
}

WeightGroups weightGroups(
    const Transcript &transcript, ThreadIndex thread, GroupBy by, const Weights &weights, const HotZones &hot)
{
    if (transcript.isEmpty())
        return {};
    return Grouping(transcript, thread, by, weights).build(hot);
}

std::string commandFamily(std::string_view command)
{
    command = command.substr(0, command.find('\n'));
    auto words = wordsOf(command);
    size_t at = 0;
    const auto skipPast = [&](std::string_view sign) {
        const auto found = std::find(words.begin() + static_cast<ptrdiff_t>(at), words.end(), sign);
        if (found == words.end())
            return false;
        at = static_cast<size_t>(found - words.begin()) + 1;
        return true;
    };
    bool moved = true;
    while (moved && at < words.size()) {
        moved = false;
        if (words[at] == "cd" || words[at] == "source" || words[at] == "export" || words[at] == "set") {
            moved = skipPast("&&") || skipPast(";");
        } else if (isAssignment(words[at]) || words[at] == "sudo" || words[at] == "time" || words[at] == "env") {
            ++at;
            moved = true;
        } else if (words[at] == "timeout" && at + 2 < words.size()) {
            at += 2;
            moved = true;
        }
    }
    if (at >= words.size())
        return words.empty() ? std::string() : std::string(words.front());
    const std::string_view program = baseName(words[at]);
    std::string family(program);
    if (std::ranges::find(kWithSubcommands, program) == kWithSubcommands.end())
        return family;
    size_t taken = 0;
    for (size_t i = at + 1; i < words.size() && taken < 2 && isSubcommand(words[i]); ++i, ++taken) {
        family += " " + std::string(words[i]);
        if (words[i] != "run" && words[i] != "compose")
            break;
    }
    return family;
}

} // namespace core
