// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/trace.h"

#include "core/evidence/kept_words.h"
#include "core/evidence/message_carriers.h"
#include "core/evidence/phrase_finder.h"
#include "core/evidence/shown_text.h"
#include "core/session/tool_deed.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <compare>
#include <set>
#include <unordered_map>

namespace core {

namespace {

/// What a block shows; of JSON also as it is written, for texts that were chosen there.
std::string searchedText(const Session &session, const Block &block)
{
    std::string text = shownText(session, block).text;
    if (block.kind == BlockKind::ToolCall && !text.empty())
        text += '\0' + session.text(block.body);
    return text;
}

/// Files that the agent read or wrote, and what the harness put in.
bool isPutBackAtTimes(const Session &session, const Block &block)
{
    if (block.is(BlockFlag::Injected))
        return true;
    const bool isCall = block.kind == BlockKind::ToolCall;
    if (!isCall && block.kind != BlockKind::ToolResult)
        return false;
    const ToolDeed deed = isCall ? toolDeed(session, block) : toolDeed(session.string(block.name));
    return deed == ToolDeed::Read || deed == ToolDeed::Write || deed == ToolDeed::Edit;
}

/// A block that shows a text or a part of it.
struct Carrier {
    BlockId block;
    bool isWhole = false;
    std::vector<uint32_t> words; ///< of a part
};

/// Finds the carriers of several texts in one reading.
class CarrierFinder final {
public:
    /// Whether blocks that show a part of a text are carriers.
    enum class Parts : uint8_t { Sought, Ignored };

    explicit CarrierFinder(const ContextSpans &spans, Parts parts = Parts::Sought)
        : m_spans(spans)
        , m_session(*spans.session)
        , m_parts(parts)
    {
    }

    /// Which blocks may carry a text.
    enum class Among : uint8_t { All, Given };

    void add(std::string_view text, BlockId block, Among among)
    {
        Subject subject;
        subject.trace.text = withoutBlanks(text);
        subject.trace.block = block;
        subject.among = among;
        m_isAllGiven = m_isAllGiven && among == Among::Given;
        subject.isShort = isShortMessage(subject.trace.text);
        if (m_parts == Parts::Sought)
            subject.trace.words = m_words.words(m_words.add(subject.trace.text)); // numbered as the subjects are
        if (!subject.trace.text.empty())
            m_subjectsOf[m_phrases.add(subject.trace.text)].push_back(static_cast<uint32_t>(m_subjects.size()));
        if (block.isValid())
            m_subjectOfBlock.emplace(block, static_cast<uint32_t>(m_subjects.size()));
        m_subjects.push_back(std::move(subject));
    }

    /// The lanes of all that was added, in that order; nothing if cancelled.
    std::optional<std::vector<Trace>> traces(std::span<const UnloggedStretch> unlogged, Progress *progress)
    {
        m_phrases.prepare();
        const auto &spans = m_spans.spans;
        for (size_t i = 0; i < spans.size(); ++i) {
            if (progress != nullptr) {
                progress->setFraction(static_cast<double>(i) / static_cast<double>(spans.size()));
                if (progress->isCancelled())
                    return std::nullopt;
            }
            if (i == 0 || spans[i - 1].block != spans[i].block)
                look(spans[i].block);
        }
        std::vector<Trace> found;
        for (Subject &subject : m_subjects) {
            layLanes(subject, unlogged);
            found.push_back(std::move(subject.trace));
        }
        return found;
    }

private:
    struct Subject {
        Trace trace;
        Among among = Among::All;
        bool isShort = false;
        std::vector<Carrier> carriers; ///< by block
    };
    /// A carrier while it stands in the array; the greatest is the one to name.
    struct Standing {
        bool isOwn = false; ///< the typed message itself
        bool isWhole = false;
        size_t wordCount = 0;
        uint32_t from = 0;
        BlockId block;
        uint32_t carrier = 0;
        friend auto operator<=>(const Standing &, const Standing &) = default;
    };
    struct Event {
        uint32_t call = 0;
        bool isBegin = false;
        Standing standing;
    };

    void look(BlockId id);
    void carry(Subject &subject, BlockId id, bool isWhole, std::vector<uint32_t> words);
    [[nodiscard]] std::optional<uint32_t> typedAt(const Subject &subject) const;
    [[nodiscard]] std::vector<Event> eventsOf(const Subject &subject) const;
    void layLanes(Subject &subject, std::span<const UnloggedStretch> unlogged) const;
    static void addLane(Trace &trace, TraceLane lane);
    static void addGap(Trace &trace, uint32_t from, uint32_t to, std::span<const UnloggedStretch> unlogged);

    const ContextSpans &m_spans;
    const Session &m_session;
    Parts m_parts;
    PhraseFinder m_phrases;
    KeptWordFinder m_words;
    std::unordered_map<uint32_t, std::vector<uint32_t>> m_subjectsOf; ///< by phrase
    std::unordered_map<BlockId, uint32_t> m_subjectOfBlock;
    std::vector<Subject> m_subjects;
    bool m_isAllGiven = true; ///< what the model wrote and tools showed need not be read
};

void CarrierFinder::look(BlockId id)
{
    const Block &block = m_session.block(id);
    if (const auto own = m_subjectOfBlock.find(id); own != m_subjectOfBlock.end())
        carry(m_subjects[own->second], id, true, {});
    const bool isGivenText = mayHoldMessages(m_session, block);
    if (!isGivenText && m_isAllGiven)
        return;
    const std::string text = searchedText(m_session, block);
    const auto mayCarry = [&](const Subject &subject) { return subject.among == Among::All || isGivenText; };
    for (const uint32_t phrase : m_phrases.find(text)) {
        const std::string &sought = m_phrases.phrase(phrase);
        std::optional<bool> asMessage; // a reading that few need
        for (const uint32_t number : m_subjectsOf[phrase]) {
            Subject &subject = m_subjects[number];
            if (!mayCarry(subject))
                continue;
            if (subject.among == Among::Given && !asMessage)
                asMessage = holdsMessage(text, sought);
            if (subject.among == Among::All || *asMessage)
                carry(subject, id, true, {});
        }
    }
    for (KeptWords &kept : m_words.find(text)) {
        const Subject &subject = m_subjects[kept.phrase];
        if (mayCarry(subject) && !(subject.among == Among::Given && subject.isShort))
            carry(m_subjects[kept.phrase], id, false, std::move(kept.words));
    }
}

/// Adds a carrier, unless the block is one already: what is whole comes first.
void CarrierFinder::carry(Subject &subject, BlockId id, bool isWhole, std::vector<uint32_t> words)
{
    if (!subject.carriers.empty() && subject.carriers.back().block == id)
        return;
    subject.carriers.push_back({ id, isWhole, std::move(words) });
    if (isWhole && isPutBackAtTimes(m_session, m_session.block(id)))
        subject.trace.mayBePutBack = true;
}

/// The call from which on a message lives: it was nowhere before it was typed, whatever showed its words.
std::optional<uint32_t> CarrierFinder::typedAt(const Subject &subject) const
{
    if (subject.among == Among::All)
        return std::nullopt;
    const auto own = std::ranges::lower_bound(m_spans.spans, subject.trace.block, {}, &ContextSpan::block);
    return own != m_spans.spans.end() && own->block == subject.trace.block ? std::optional(own->from) : std::nullopt;
}

std::vector<CarrierFinder::Event> CarrierFinder::eventsOf(const Subject &subject) const
{
    std::vector<Event> events;
    const uint32_t first = typedAt(subject).value_or(0);
    for (uint32_t i = 0; i < subject.carriers.size(); ++i) {
        const Carrier &carrier = subject.carriers[i];
        for (auto span = std::ranges::lower_bound(m_spans.spans, carrier.block, {}, &ContextSpan::block);
            span != m_spans.spans.end() && span->block == carrier.block; ++span) {
            if (span->to <= first || span->from == span->to) // none of the calls had it
                continue;
            const bool isOwn = subject.among == Among::Given && carrier.block == subject.trace.block;
            const uint32_t from = std::max(span->from, first);
            const Standing standing { isOwn, carrier.isWhole, carrier.words.size(), from, carrier.block, i };
            events.push_back({ from, true, standing });
            events.push_back({ span->to, false, standing });
        }
    }
    std::ranges::sort(events, {}, &Event::call);
    return events;
}

void CarrierFinder::layLanes(Subject &subject, std::span<const UnloggedStretch> unlogged) const
{
    const std::vector<Event> events = eventsOf(subject);
    const uint32_t end = m_spans.callCount + 1;
    std::set<Standing> standing;
    const uint32_t begin = events.empty() ? end : events.front().call;
    if (const auto typed = typedAt(subject); typed && *typed < begin) // a compaction took it before it was sent
        addGap(subject.trace, *typed, begin, unlogged);
    for (size_t i = 0; i < events.size();) {
        const uint32_t from = events[i].call;
        for (; i < events.size() && events[i].call == from; ++i) {
            if (events[i].isBegin)
                standing.insert(events[i].standing);
            else
                standing.erase(events[i].standing);
        }
        const uint32_t to = i < events.size() ? events[i].call : end;
        if (from >= to)
            continue;
        if (standing.empty()) {
            addGap(subject.trace, from, to, unlogged);
            continue;
        }
        const Standing &best = *standing.rbegin();
        const TraceState state = best.isWhole ? TraceState::Verbatim : TraceState::Partial;
        addLane(subject.trace, { from, to, state, best.block, subject.carriers[best.carrier].words });
    }
}

/// Adds a lane behind the last one, or to it, if nothing changed.
void CarrierFinder::addLane(Trace &trace, TraceLane lane)
{
    if (!trace.lanes.empty() && trace.lanes.back().state == lane.state && trace.lanes.back().carrier == lane.carrier)
        trace.lanes.back().to = lane.to;
    else
        trace.lanes.push_back(std::move(lane));
}

/// Where no block carries the text: unknown as far as unlogged text may hold it.
void CarrierFinder::addGap(Trace &trace, uint32_t from, uint32_t to, std::span<const UnloggedStretch> unlogged)
{
    for (const UnloggedStretch &each : unlogged) {
        if (!trace.mayBePutBack || each.to <= from || each.from >= to)
            continue;
        if (each.from > from)
            addLane(trace, { from, each.from, TraceState::Gone, {}, {} });
        const uint32_t behind = std::min(each.to, to);
        addLane(trace, { std::max(each.from, from), behind, TraceState::Unknown, {}, {} });
        from = behind;
    }
    if (from < to)
        addLane(trace, { from, to, TraceState::Gone, {}, {} });
}

/// The texts that the person typed, by block.
std::vector<BlockId> userMessagesIn(const ContextSpans &spans)
{
    std::vector<BlockId> found;
    for (const ContextSpan &span : spans.spans) {
        const Block &block = spans.session->block(span.block);
        if ((found.empty() || found.back() != span.block) && isUserMessage(block))
            found.push_back(span.block);
    }
    return found;
}

std::optional<std::vector<Trace>> tracesOfUserMessages(const ContextSpans &spans, CarrierFinder::Parts parts,
    std::span<const UnloggedStretch> unlogged, Progress *progress)
{
    CarrierFinder finder(spans, parts);
    for (const BlockId id : userMessagesIn(spans))
        finder.add(shownText(*spans.session, spans.session->block(id)).text, id, CarrierFinder::Among::Given);
    auto traces = finder.traces(unlogged, progress);
    if (traces)
        std::ranges::stable_sort(*traces, {}, [](const Trace &trace) { return trace.lanes.front().from; });
    return traces;
}

} // namespace

std::vector<UnloggedStretch> unloggedStretches(const Session &session, ThreadIndex thread, const BlockTokens &tokens)
{
    const Thread &recorded = session.thread(thread);
    std::vector<UnloggedStretch> stretches;
    for (uint32_t i = 0; i < recorded.compactions.size(); ++i) {
        const RecordedCompaction &each = recorded.compactions[i];
        if (each.kind != CompactionKind::Summary && each.kind != CompactionKind::Replacement)
            continue;
        const uint32_t from = each.call.isValid() ? each.call.value() + 1 : 0;
        if (!stretches.empty())
            stretches.back().to = from;
        const Unlogged unlogged = unloggedAt(session, { thread, CallIndex(from) }, tokens);
        const auto end = static_cast<uint32_t>(recorded.calls.size() + 1);
        stretches.push_back({ from, end, unlogged.remainder, unlogged.recorded, i });
    }
    std::erase_if(stretches, [](const UnloggedStretch &each) { return each.tokens < kSmallestUnlogged; });
    return stretches;
}

const TraceLane *Trace::at(uint32_t call) const
{
    const auto found
        = std::ranges::find_if(lanes, [&](const TraceLane &lane) { return lane.from <= call && call < lane.to; });
    return found == lanes.end() ? nullptr : &*found;
}

std::optional<Trace> traceText(
    const ContextSpans &spans, std::string_view text, std::span<const UnloggedStretch> unlogged, Progress *progress)
{
    CarrierFinder finder(spans);
    finder.add(text, {}, CarrierFinder::Among::All);
    auto traces = finder.traces(unlogged, progress);
    return traces ? std::optional(std::move(traces->front())) : std::nullopt;
}

std::optional<Trace> traceBlock(
    const ContextSpans &spans, BlockId block, std::span<const UnloggedStretch> unlogged, Progress *progress)
{
    CarrierFinder finder(spans);
    const Block &traced = spans.session->block(block);
    finder.add(shownText(*spans.session, traced).bare(), block,
        traced.is(BlockFlag::Typed) ? CarrierFinder::Among::Given : CarrierFinder::Among::All);
    auto traces = finder.traces(unlogged, progress);
    return traces ? std::optional(std::move(traces->front())) : std::nullopt;
}

std::optional<std::vector<Trace>> tracedUserMessages(
    const ContextSpans &spans, std::span<const UnloggedStretch> unlogged, Progress *progress)
{
    return tracesOfUserMessages(spans, CarrierFinder::Parts::Sought, unlogged, progress);
}

InContext inContextAt(std::span<const Trace> traces, uint32_t call)
{
    InContext count;
    for (const Trace &trace : traces) {
        const TraceLane *lane = trace.at(call);
        count.all += lane != nullptr ? 1 : 0;
        count.standing += lane != nullptr && lane->state == TraceState::Verbatim ? 1 : 0;
    }
    return count;
}

InContext userMessagesAt(const SessionPtr &session, Position position)
{
    const ContextSpans spans = recordedSpans(session, position.thread);
    const uint32_t call = position.isEnd() ? spans.callCount : position.call.value();
    InContext count;
    for (const BlockId id : userMessagesIn(spans)) {
        const auto own = std::ranges::equal_range(spans.spans, id, {}, &ContextSpan::block);
        count.all += own.front().from <= call ? 1 : 0;
        count.standing
            += std::ranges::any_of(own, [&](const ContextSpan &span) { return span.from <= call && call < span.to; })
            ? 1
            : 0;
    }
    if (count.standing == count.all)
        return count;
    return inContextAt(*tracesOfUserMessages(spans, CarrierFinder::Parts::Ignored, {}, nullptr), call);
}

} // namespace core
