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

/// The shown text of a block; for JSON also the raw text, as traced texts may have been selected there.
std::string searchedText(const Session &session, const Block &block)
{
    std::string text = shownText(session, block).text;
    if (block.kind == BlockKind::ToolCall && !text.empty())
        text += '\0' + session.text(block.body);
    return text;
}

/// True for files that the agent read or wrote, and for injected text.
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
    std::vector<uint32_t> words; ///< for a part
};

/// Finds the carriers of several texts in one pass.
class CarrierFinder final {
public:
    /// Whether blocks with a part of a text are carriers.
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
            subject.trace.words = m_words.words(m_words.add(subject.trace.text)); // uses the same numbers as the
                                                                                  // subjects
        if (!subject.trace.text.empty())
            m_subjectsOf[m_phrases.add(withSingleBlanks(subject.trace.text))].push_back(
                static_cast<uint32_t>(m_subjects.size()));
        if (block.isValid())
            m_subjectOfBlock.emplace(block, static_cast<uint32_t>(m_subjects.size()));
        m_subjects.push_back(std::move(subject));
    }

    /// The lanes of all subjects, in the order of adding; nullopt if cancelled.
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
        countWords();
        for (uint32_t i = 0; i < m_subjects.size(); ++i) {
            Subject &subject = m_subjects[i];
            std::erase_if(subject.carriers,
                [&](const Carrier &each) { return !each.isWhole && !m_words.isTelling({ i, each.words }); });
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
    /// A carrier that is in the array; the greatest one is named in the lane.
    struct Standing {
        bool isCertain = true; ///< no silent clearing may have taken it
        bool isOwn = false;    ///< the user message itself
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
    void countWords();
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
    bool m_isAllGiven = true; ///< all subjects are messages, so model output and tool results need not be read
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
    const std::string spaced = withSingleBlanks(text);
    for (const uint32_t phrase : m_phrases.find(spaced)) {
        for (const uint32_t number : m_subjectsOf[phrase]) {
            Subject &subject = m_subjects[number];
            if (!mayCarry(subject))
                continue;
            if (subject.among == Among::All || holdsMessage(text, spaced, subject.trace.text))
                carry(subject, id, true, {});
        }
    }
    for (KeptWords &kept : m_words.find(text)) {
        const Subject &subject = m_subjects[kept.phrase];
        if (mayCarry(subject) && !(subject.among == Among::Given && subject.isShort))
            carry(m_subjects[kept.phrase], id, false, std::move(kept.words));
    }
}

/// Reads the texts that `look` passed over, if there are parts to judge by how rare their words are.
void CarrierFinder::countWords()
{
    const auto hasParts = [](const Subject &subject) {
        return std::ranges::any_of(subject.carriers, [](const Carrier &each) { return !each.isWhole; });
    };
    if (!m_isAllGiven || std::ranges::none_of(m_subjects, hasParts))
        return;
    const auto &spans = m_spans.spans;
    for (size_t i = 0; i < spans.size(); ++i) {
        const Block &block = m_session.block(spans[i].block);
        const bool isNew = i == 0 || spans[i - 1].block != spans[i].block;
        if (isNew && !mayHoldMessages(m_session, block))
            (void)m_words.find(searchedText(m_session, block));
    }
}

/// Adds a carrier, unless the block already is one; complete carriers are added first.
void CarrierFinder::carry(Subject &subject, BlockId id, bool isWhole, std::vector<uint32_t> words)
{
    if (!subject.carriers.empty() && subject.carriers.back().block == id)
        return;
    subject.carriers.push_back({ id, isWhole, std::move(words) });
    if (isWhole && isPutBackAtTimes(m_session, m_session.block(id)))
        subject.trace.mayBePutBack = true;
}

/// The call with which a message starts to exist; carriers before it do not count.
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
            if (span->to <= first || span->from == span->to) // no call had it
                continue;
            const bool isOwn = subject.among == Among::Given && carrier.block == subject.trace.block;
            const auto stand = [&](uint32_t from, uint32_t to, bool isCertain) {
                if (from >= to)
                    return;
                const Standing standing { isCertain, isOwn, carrier.isWhole, carrier.words.size(), from, carrier.block,
                    i };
                events.push_back({ from, true, standing });
                events.push_back({ to, false, standing });
            };
            uint32_t from = std::max(span->from, first);
            for (const UnsureSpan &each :
                std::ranges::equal_range(m_spans.unsure, carrier.block, {}, &UnsureSpan::block)) {
                if (each.to <= from || each.from >= span->to)
                    continue;
                const uint32_t begin = std::max(from, each.from);
                stand(from, begin, true);
                from = std::min(each.to, span->to);
                stand(begin, from, false);
            }
            stand(from, span->to, true);
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
    if (const auto typed = typedAt(subject); typed && *typed < begin) // a compaction removed it before a call sent it
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
        if (!best.isCertain) {
            addLane(subject.trace, { from, to, TraceState::Unknown, {}, {}, true });
            continue;
        }
        const TraceState state = best.isWhole ? TraceState::Verbatim : TraceState::Partial;
        addLane(subject.trace, { from, to, state, best.block, subject.carriers[best.carrier].words });
    }
}

/// Appends a lane, or extends the last one if nothing changed.
void CarrierFinder::addLane(Trace &trace, TraceLane lane)
{
    if (!trace.lanes.empty() && trace.lanes.back().state == lane.state && trace.lanes.back().carrier == lane.carrier
        && trace.lanes.back().mayBeCleared == lane.mayBeCleared)
        trace.lanes.back().to = lane.to;
    else
        trace.lanes.push_back(std::move(lane));
}

/// Adds lanes for calls without a carrier: Unknown where unlogged text may contain it, else Gone.
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

/// The user messages, by block.
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
    for (const BlockId id : userMessagesIn(spans)) {
        const Block &block = spans.session->block(id);
        finder.add(typedText(block, shownText(*spans.session, block).text), id, CarrierFinder::Among::Given);
    }
    auto traces = finder.traces(unlogged, progress);
    if (traces)
        std::ranges::stable_sort(*traces, {}, [](const Trace &trace) { return trace.lanes.front().from; });
    return traces;
}

} // namespace

std::vector<UnloggedStretch> unloggedStretches(const Thread &thread, const ArraySums &sums)
{
    // Tools that are not in the log were sent from the first call on.
    const double always = sums.calls.empty() ? 0 : sums.calls.front().unlogged;
    std::vector<UnloggedStretch> stretches;
    for (uint32_t i = 0; i < thread.compactions.size(); ++i) {
        const RecordedCompaction &each = thread.compactions[i];
        if (each.kind != CompactionKind::Summary && each.kind != CompactionKind::Replacement)
            continue;
        const uint32_t from = each.call.isValid() ? each.call.value() + 1 : 0;
        if (!stretches.empty())
            stretches.back().to = from;
        const ArraySum &sum = from < sums.calls.size() ? sums.calls[from] : sums.end;
        const auto end = static_cast<uint32_t>(thread.calls.size() + 1);
        stretches.push_back({ from, end, sum.unlogged - always, sum.isRecorded() ? sum.recorded : 0, i });
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
