// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/live_stage.h"
#include "core/compaction/stages/head_facts.h"
#include "core/compaction/stages/kinds.h"

#include <algorithm>
#include <set>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

constexpr std::string_view kMemory = "{memory}";

enum class Place : uint8_t { NewestUser, EveryUser, FirstUser, LastMessage };

/// The user messages of an array that get a reminder, and its text.
class Injection final {
public:
    Injection(const StageParameters &parameters, const BlockPool &pool)
        : m_pool(pool)
        , m_watch(pool)
        , m_text(parameters.text("text"))
        , m_n(std::max<uint64_t>(1, parameters.count("n")))
        , m_memories(parameters.context().memories)
        , m_memoryFolder(parameters.text("memory-folder"))
        , m_memoryTags(parameters.count("memory-tags"))
    {
        const std::string place = parameters.text("place");
        m_place = place == "every-user" ? Place::EveryUser
            : place == "first-user"     ? Place::FirstUser
            : place == "last-message"   ? Place::LastMessage
                                        : Place::NewestUser;
        for (const std::string &each : parameters.names("personas"))
            addPersona(each);
    }

    void push(size_t place, BlockId origin)
    {
        m_watch.push(origin);
        const bool isKnown = origin.isValid() && m_pool.isRecorded(origin);
        if (!isKnown)
            return;
        const Block &block = m_pool.block(origin);
        if (block.is(BlockFlag::Typed) && block.kind == BlockKind::Text)
            m_heads.push_back({ place, m_watch.facts() });
        if (block.kind == BlockKind::ToolResult || (block.kind == BlockKind::Text && block.is(BlockFlag::Typed)))
            m_last = { place, m_watch.facts() };
    }

    struct Head {
        size_t place = 0;
        HeadFacts facts;
    };
    [[nodiscard]] const std::vector<Head> &heads() const { return m_heads; }
    /// The heads from this index on get a reminder.
    [[nodiscard]] size_t firstHead() const
    {
        if (m_heads.empty() || m_place == Place::EveryUser)
            return 0;
        return (m_heads.size() - 1) / m_n * m_n;
    }
    [[nodiscard]] std::string textFor(const Head &head) const
    {
        HeadWatch::Given given = personaAt(head.facts.turn);
        if (m_memories && m_text.contains(kMemory))
            given.memory = memoryOf(head.facts);
        return m_watch.filled(m_text, head.facts, given);
    }
    /// Whether the text at a place depends on what follows it.
    [[nodiscard]] bool isRefreshed() const { return m_place == Place::FirstUser || m_place == Place::LastMessage; }
    /// The place and the text for an injection that is refreshed at every call.
    [[nodiscard]] std::optional<Head> refreshed() const
    {
        if (m_place == Place::LastMessage)
            return m_last;
        return m_heads.empty() ? std::nullopt : std::optional<Head>({ m_heads.front().place, m_watch.facts() });
    }

private:
    struct Persona {
        size_t turn = 1; ///< the first user message for which it speaks
        std::string text;
    };

    /// `4 CFO: risk, cost, cash flow`: from the fourth user message on.
    void addPersona(const std::string &setting)
    {
        const size_t digits = std::min(setting.find_first_not_of("0123456789"), setting.size());
        size_t turn = 0;
        for (const char c : setting.substr(0, std::min<size_t>(digits, 9)))
            turn = turn * 10 + static_cast<size_t>(c - '0');
        const size_t begin = setting.find_first_not_of(' ', digits);
        m_personas.push_back(
            { std::max<size_t>(1, turn), begin == std::string::npos ? std::string() : setting.substr(begin) });
        std::ranges::stable_sort(m_personas, {}, &Persona::turn);
    }

    [[nodiscard]] HeadWatch::Given personaAt(size_t turn) const
    {
        HeadWatch::Given made;
        for (size_t i = 0; i < m_personas.size() && m_personas[i].turn <= std::max<size_t>(1, turn); ++i) {
            made.persona = m_personas[i].text;
            made.change.clear();
            if (i > 0 && m_personas[i].turn == turn)
                made.change = "persona changed to " + made.persona.substr(0, made.persona.find(':'));
        }
        return made;
    }

    /// One line for each file that may help at a message.
    [[nodiscard]] std::string memoryOf(const HeadFacts &facts) const
    {
        const MemoryFolderPtr folder = m_memories->at(m_memoryFolder, *m_pool.session());
        std::string lines;
        for (const std::string &tag : folder->tags(m_watch.recentText(facts), m_memoryTags))
            lines += (lines.empty() ? "" : "\n") + tag;
        return lines;
    }

    const BlockPool &m_pool;
    HeadWatch m_watch;
    std::string m_text;
    size_t m_n;
    std::shared_ptr<MemoryFolders> m_memories;
    std::string m_memoryFolder;
    size_t m_memoryTags;
    Place m_place = Place::NewestUser;
    std::vector<Persona> m_personas; ///< by turn
    std::vector<Head> m_heads;
    std::optional<Head> m_last;
};

/// The text of a message with a reminder behind it.
std::string withReminder(const std::string &text, const std::string &reminder) { return text + "\n\n" + reminder; }

/// Whether an earlier call added a reminder to this block, which the harness then kept.
bool holdsReminder(const BlockPool &pool, BlockId block, BlockId origin)
{
    return block != origin && origin.isValid() && pool.block(block).lengths.bytes > pool.block(origin).lengths.bytes
        && pool.text(block).starts_with(pool.text(origin) + "\n\n");
}

BlockChange adding(const BlockPool &pool, BlockId block, const std::string &reminder)
{
    return pool.textChange(
        block, withReminder(pool.text(block), reminder), Fate::Replaced, "a reminder is added behind it");
}

void applyInjection(StageRun &run)
{
    Draft &draft = run.draft();
    Injection injection(run, draft.pool());
    for (size_t i = 0; i < draft.elements().size(); ++i)
        injection.push(i, draft.elements()[i].origin);
    const auto add = [&](size_t place, const std::string &reminder) {
        const Draft::Element &element = draft.elements()[place];
        if (!reminder.empty() && !element.isGone && !element.isPinned)
            run.change(place, adding(draft.pool(), element.block, reminder));
    };
    const auto refreshed = injection.isRefreshed() ? injection.refreshed() : std::nullopt;
    const std::string news = refreshed ? injection.textFor(*refreshed) : std::string();
    const size_t first = injection.isRefreshed() ? SIZE_MAX : injection.firstHead();
    // Whether an earlier call has added what belongs there.
    const auto isRight = [&](size_t place) {
        const Draft::Element &element = draft.elements()[place];
        if (refreshed)
            return place == refreshed->place
                && draft.text(element.block) == withReminder(draft.text(element.origin), news);
        const auto head = std::ranges::find(injection.heads(), place, &Injection::Head::place);
        return head != injection.heads().end() && static_cast<size_t>(head - injection.heads().begin()) >= first;
    };
    std::set<size_t> done;
    for (size_t i = 0; i < draft.elements().size(); ++i) {
        const Draft::Element &element = draft.elements()[i];
        if (element.isGone || element.isPinned || !holdsReminder(draft.pool(), element.block, element.origin))
            continue;
        if (isRight(i))
            done.insert(i);
        else
            draft.restore(i);
    }
    if (refreshed && !done.contains(refreshed->place))
        add(refreshed->place, news);
    for (size_t i = first; i < injection.heads().size(); ++i) {
        if (!done.contains(injection.heads()[i].place))
            add(injection.heads()[i].place, injection.textFor(injection.heads()[i]));
    }
}

class LiveInjection final : public LiveStage {
public:
    LiveInjection(const StageParameters &parameters, BlockPool &pool)
        : LiveStage(parameters, pool)
        , m_injection(std::in_place, parameters, pool)
    {
    }

    void truncate(const LiveArray &in, size_t size) override { follow(in, size); }
    void evict(const LiveArray &in) override { follow(in, in.size()); }

private:
    void select(const LiveArray &in, bool isOpen, std::vector<uint32_t> &touched) override
    {
        m_followed = std::max(m_followed, in.first());
        followOn(in, in.size());
        std::vector<size_t> chosen;
        for (size_t i = isOpen ? m_injection->firstHead() : SIZE_MAX; i < m_injection->heads().size(); ++i)
            chosen.push_back(m_injection->heads()[i].place);
        std::vector<size_t> changed;
        std::ranges::set_symmetric_difference(chosen, m_chosen, std::back_inserter(changed));
        for (const size_t place : changed)
            touched.push_back(static_cast<uint32_t>(place));
        m_chosen = std::move(chosen);
    }

    bool restores(const LiveArray &in, size_t place) override
    {
        const LiveArray::Element &element = in.at(place);
        return !std::ranges::binary_search(m_chosen, place) && holdsReminder(pool(), element.block, element.origin);
    }

    std::shared_ptr<const BlockChange> changeOf(const LiveArray &in, size_t place) override
    {
        const LiveArray::Element &element = in.at(place);
        if (!std::ranges::binary_search(m_chosen, place) || holdsReminder(pool(), element.block, element.origin))
            return nullptr;
        const auto head = std::ranges::lower_bound(m_injection->heads(), place, {}, &Injection::Head::place);
        const std::string reminder = m_injection->textFor(*head);
        return reminder.empty() ? nullptr
                                : std::make_shared<const BlockChange>(adding(pool(), element.block, reminder));
    }

    /// Restarts after the array has lost places.
    void follow(const LiveArray &in, size_t size)
    {
        m_injection.emplace(parameters(), pool());
        m_followed = in.first();
        followOn(in, size);
        std::erase_if(m_chosen, [&](size_t place) { return place < in.first() || place >= size; });
    }

    void followOn(const LiveArray &in, size_t size)
    {
        for (; m_followed < size; ++m_followed)
            m_injection->push(m_followed, in.at(m_followed).origin);
    }

    std::optional<Injection> m_injection;
    size_t m_followed = 0;
    std::vector<size_t> m_chosen; ///< places with a reminder, ascending
};

std::unique_ptr<LiveStage> liveInjection(const StageParameters &parameters, BlockPool &pool, bool)
{
    if (Injection(parameters, pool).isRefreshed())
        return nullptr; // the text of one message changes with the end of the array
    return std::make_unique<LiveInjection>(parameters, pool);
}

std::string memoryNote(const StageParameters &parameters)
{
    const std::shared_ptr<MemoryFolders> &memories = parameters.context().memories;
    if (!memories || !parameters.text("text").contains(kMemory))
        return {};
    return memories->at(parameters.text("memory-folder"), parameters.session())->note();
}

} // namespace

StageKind inject()
{
    return { .id = "inject",
        .title = "Inject a reminder",
        .sentence = "Adds a text to a message. The parameter place chooses the message, and whether the text moves to "
                    "newer messages.",
        .parameters = {
            { "text", Type::Text,
                "The text. {time}, {since} (the time since the record before), {turn}, {git} (the last `git status`), "
                "{edited} (files edited since the last commit), {tasks} (open tasks), {persona} and {switch} stand for "
                "what the session knows, {memory} for files of memory-folder that may help. A line is left out if a "
                "fact in it is unknown",
                std::string("[Reminder from the harness, not from the user]\nTime: {time}\nSince the last message: "
                            "{since}\n{edited}\nOpen tasks: {tasks}") },
            { "place", Type::Choice, "The message that gets the text", std::string("newest-user"), 0, 0, {},
                { "newest-user", "every-user", "first-user", "last-message" } },
            { "n", Type::Count,
                "Place newest-user: removes the old texts together, every n user messages. Until then they stay",
                1.0, 1, 1e6, "turns" },
            { "personas", Type::Names,
                "Values of {persona}. Each entry is a number, a name, a colon and a description, such as \"4 CFO: put a "
                "figure on every claim\": from user message 4 on, the persona is CFO. {switch} is `persona changed to "
                "NAME` at that message",
                std::vector<std::string>() },
            { "memory-folder", Type::Text,
                "The folder of {memory}, which ranks its .md and .txt files by the last three turns (BM25). A path that "
                "begins with neither / nor ~ is relative to the working folder of the session, and must not leave it",
                std::string() },
            { "memory-tags", Type::Count, "The most files that {memory} names, with their titles", 3.0, 1, 20, "files" },
        },
        .apply = applyInjection,
        .isIdle = [](const StageParameters &stage) { return stage.text("text").empty(); },
        .live = liveInjection,
        .injects = true,
        .note = memoryNote,
        .readsKeep = [](const StageParameters &) { return false; } };
}

} // namespace core::stages
