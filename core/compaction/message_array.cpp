// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/message_array.h"

#include "core/compaction/message_view.h"
#include "core/json/json_probe.h"
#include "core/session/format_traits.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

namespace core {

namespace {

constexpr double kLangChainImageTokens = 85;
constexpr double kJavaScriptCharactersPerToken = 4; ///< of any model, in LangChain and in pi

/// LangChain's `count_tokens_approximately`, one message.
double langChainTokens(const BlockPool &pool, Role role, std::span<const BlockId> blocks, double charactersPerToken)
{
    uint64_t characters = 0;
    double images = 0;
    uint64_t calls = 0;
    for (const BlockId id : blocks) {
        const Block &block = pool.block(id);
        switch (block.kind) {
        case BlockKind::ToolCall: {
            // [{'name': '…', 'args': {…}, 'id': '…', 'type': 'tool_call'}, …]
            constexpr uint64_t kAround = 53; // {'name': '', 'args': , 'id': '', 'type': 'tool_call'}
            characters += kAround + textLengths(pool.string(block.name)).codePoints
                + textLengths(pool.string(block.callId)).codePoints + pool.pythonLength(id);
            ++calls;
            break;
        }
        case BlockKind::ToolResult:
            characters += block.lengths.codePoints + textLengths(pool.string(block.callId)).codePoints
                + textLengths(pool.string(block.name)).codePoints;
            break;
        case BlockKind::Image:
            images += kLangChainImageTokens;
            break;
        default:
            characters += block.lengths.codePoints;
            break;
        }
    }
    characters += calls > 0 ? 2 * calls : 0; // brackets, and commas between calls
    switch (role) {
    case Role::System:
        characters += 6;
        break;
    case Role::Assistant:
        characters += 9;
        break;
    case Role::User:
    case Role::Tool:
        characters += 4;
        break;
    }
    return std::ceil(static_cast<double>(characters) / charactersPerToken) + 3 + images;
}

/// Length of a call's name and of its arguments as `JSON.stringify` writes them.
uint64_t callCharacters(const BlockPool &pool, BlockId call)
{
    const Block &block = pool.block(call);
    const bool isValue = block.body.coding == Coding::JsonValue;
    const uint64_t arguments = isValue ? jsonStringifyLength(pool.rawBody(call)) : jsonStringifyLength(pool.text(call));
    return textLengths(pool.string(block.name)).utf16Units + arguments;
}

/// What LangChain's `countTokensApproximately` counts of a block in JavaScript, in characters.
uint64_t langChainJsCharacters(const BlockPool &pool, BlockId id)
{
    const Block &block = pool.block(id);
    const auto lengthOf = [&](StringId text) { return textLengths(pool.string(text)).utf16Units; };
    switch (block.kind) {
    case BlockKind::Text:
        return block.lengths.utf16Units;
    case BlockKind::ToolCall: {
        constexpr uint64_t kAround = 47; // {"name":"","args":,"id":"","type":"tool_call"} and a comma or bracket
        return kAround + callCharacters(pool, id) + lengthOf(block.callId);
    }
    case BlockKind::ToolResult:
        return block.lengths.utf16Units + lengthOf(block.callId);
    default:
        return 0;
    }
}

/// What pi's `estimateTokens` counts of a block, in characters. Images count in results and in what extensions put in.
uint64_t piCharacters(const BlockPool &pool, BlockId id, Role role)
{
    constexpr uint64_t kImage = 4800;
    const Block &block = pool.block(id);
    switch (block.kind) {
    case BlockKind::ToolCall:
        return callCharacters(pool, id);
    case BlockKind::Text:
    case BlockKind::ToolResult:
        return block.lengths.utf16Units;
    case BlockKind::Thinking:
        return block.is(BlockFlag::Encrypted) ? 0 : block.lengths.utf16Units;
    case BlockKind::Image:
        return role == Role::Tool || block.is(BlockFlag::Injected) ? kImage : 0;
    case BlockKind::Document:
    case BlockKind::Opaque:
        return role == Role::Tool ? block.lengths.utf16Units : 0; // a further text of a result
    }
    return 0;
}

/// Whether the harness recorded a message as an entry that its cut neither counts nor sees.
bool isAside(const BlockPool &pool, const Block &block)
{
    const Session &session = *pool.session();
    const auto &types = session.traits->asideTypes;
    const bool isRecorded = block.message.index() < session.messages.size();
    if (types.front().empty() || !isRecorded || !block.is(BlockFlag::Injected))
        return false;
    const JsonMembers record(session.record(session.block(session.message(block.message).first)));
    return std::ranges::find(types, record.string("type")) != types.end();
}

} // namespace

double MessageCounter::totalOf(const Counter &counter, double sumInTotal)
{
    switch (counter.kind) {
    case Counter::Kind::GenkitText:
        return std::floor(sumInTotal / 4);
    case Counter::Kind::LangChainJs:
        return std::ceil(sumInTotal / kJavaScriptCharactersPerToken);
    default:
        return sumInTotal;
    }
}

MessageFacts MessageCounter::factsOf(const BlockPool &pool, Role role, std::span<const BlockId> blocks) const
{
    MessageFacts facts;
    facts.isEmpty = blocks.empty();
    uint64_t length = 0;
    uint64_t textLength = 0;
    for (const BlockId id : blocks) {
        const Block &block = pool.block(id);
        facts.results += block.kind == BlockKind::ToolResult ? 1 : 0;
        facts.isTyped = facts.isTyped || block.is(BlockFlag::Typed);
        length += lengthIn(block.lengths, m_unit);
        if (block.kind == BlockKind::Text)
            textLength += lengthIn(block.lengths, m_unit);
    }
    switch (m_counter.kind) {
    case Counter::Kind::Tokens:
        for (const BlockId id : blocks)
            facts.tokens += pool.tokens(id);
        break;
    case Counter::Kind::GenkitText: // rounded down per message in a keep window, once in a total
        facts.tokens = static_cast<double>(std::max<uint64_t>(1, textLength / 4));
        facts.inTotal = static_cast<double>(textLength);
        return facts;
    case Counter::Kind::LangChainJs: // rounded up a message in a keep window, once in a total
        for (const BlockId id : blocks)
            facts.inTotal += static_cast<double>(langChainJsCharacters(pool, id));
        if (std::ranges::any_of(blocks, [&](BlockId id) { return pool.block(id).kind == BlockKind::ToolCall; }))
            ++facts.inTotal; // the other bracket around the calls
        facts.tokens = std::ceil(facts.inTotal / kJavaScriptCharactersPerToken);
        return facts;
    case Counter::Kind::Pi: {
        uint64_t characters = 0;
        for (const BlockId id : blocks)
            characters += piCharacters(pool, id, role);
        facts.inTotal = std::ceil(static_cast<double>(characters) / kJavaScriptCharactersPerToken);
        facts.isAside = !blocks.empty() && isAside(pool, pool.block(blocks.front()));
        facts.tokens = facts.isAside ? 0 : facts.inTotal;
        return facts;
    }
    case Counter::Kind::LangChain:
        facts.tokens = langChainTokens(pool, role, blocks, m_counter.charactersPerToken);
        break;
    case Counter::Kind::Characters:
        facts.tokens = static_cast<double>(length);
        break;
    case Counter::Kind::JsonQuarter:
        facts.tokens = std::ceil(static_cast<double>(length) / m_counter.charactersPerToken);
        break;
    }
    facts.inTotal = facts.isEmpty ? 0 : facts.tokens;
    return facts;
}

double tokensOf(const BlockPool &pool, const Policy &policy, std::span<const BlockId> blocks)
{
    const MessageCounter counter(policy, *pool.session());
    double sum = 0;
    for (const ViewMessage &message : messagesOf(*pool.session(), blocks, policy.view))
        sum += counter.factsOf(pool, message.role, blocks.subspan(message.first, message.count)).inTotal;
    return counter.total(sum);
}

// --- keep and trigger ----------------------------------------------------------------------------------------------

std::optional<size_t> MessageArray::lastWithTokens(double target, bool isEnough) const
{
    const auto reaches = [&](size_t message) {
        const double sum = tokensFrom(message);
        return isEnough ? sum >= target : sum > target;
    };
    size_t fewer = messageCount(); // messages from here on have fewer tokens
    size_t step = 1;
    while (fewer > 0 && !reaches(fewer - std::min(step, fewer))) {
        fewer -= std::min(step, fewer);
        step *= 2;
    }
    if (fewer == 0)
        return std::nullopt;
    size_t enough = fewer - std::min(step, fewer);
    while (enough + 1 < fewer) {
        const size_t middle = (enough + fewer) / 2;
        (reaches(middle) ? enough : fewer) = middle;
    }
    return enough;
}

namespace {

/// Counts messages, results or turns from the end.
size_t cutoffByCount(const MessageArray &array, const Measure &measure)
{
    const size_t count = array.messageCount();
    const auto wanted = static_cast<size_t>(measure.value);
    if (measure.unit == Measure::Unit::Messages)
        return count <= wanted ? 0 : count - wanted;
    size_t seen = 0;
    for (size_t i = count; i > 0; --i) {
        const MessageFacts facts = array.factsOf(i - 1);
        seen += measure.unit == Measure::Unit::Turns ? (facts.isTyped ? 1 : 0) : facts.results;
        if (seen >= std::max<size_t>(1, wanted))
            return wanted == 0 ? count : i - 1;
    }
    return 0;
}

size_t cutoffByTokens(const MessageArray &array, Keep::Rule rule, double target)
{
    const auto last = array.lastWithTokens(target, rule == Keep::Rule::Crossing);
    if (!last)
        return 0;
    if (rule == Keep::Rule::Crossing)
        return *last;
    const size_t count = array.messageCount();
    const bool keepsNothing = *last + 1 == count;
    return keepsNothing && rule == Keep::Rule::Within ? count - 1 : *last + 1;
}

/// The message before `cut` with a call that one of the results from `cut` on answers; `cut` if there is none.
size_t callOfResults(const MessageArray &array, size_t cut)
{
    std::unordered_set<StringId> ids;
    for (size_t i = cut; i < array.messageCount() && array.factsOf(i).results > 0; ++i) {
        array.forEachBlock(i, [&](const Block &block) {
            if (block.kind == BlockKind::ToolResult)
                ids.insert(block.callId);
        });
    }
    for (size_t i = cut; i > 0; --i) {
        bool holds = false;
        array.forEachBlock(i - 1, [&](const Block &block) {
            holds = holds || (block.kind == BlockKind::ToolCall && ids.contains(block.callId));
        });
        if (holds)
            return i - 1;
    }
    return cut;
}

/// The last message before `end` that the user typed; 0 if there is none.
size_t lastTurnBefore(const MessageArray &array, size_t end)
{
    while (end > 0 && !array.factsOf(end - 1).isTyped)
        --end;
    return end == 0 ? 0 : end - 1;
}

size_t paired(const MessageArray &array, size_t cut, const Keep &keep)
{
    const size_t count = array.messageCount();
    const Keep::Pairing pairing = keep.pairing;
    if (pairing == Keep::Pairing::Turn || pairing == Keep::Pairing::TurnOrLast) {
        size_t turn = cut;
        while (turn > 0 && turn < count && !array.factsOf(turn).isTyped)
            ++turn;
        if (turn < count)
            return turn;
        return pairing == Keep::Pairing::TurnOrLast ? lastTurnBefore(array, cut) : 0;
    }
    if (pairing == Keep::Pairing::LastTurn) {
        const size_t turn = lastTurnBefore(array, count);
        cut = turn > 0 ? std::min(cut, turn) : cut;
    }
    if (pairing == Keep::Pairing::None || cut == 0 || cut >= count || array.factsOf(cut).results == 0)
        return cut;
    const size_t call = pairing == Keep::Pairing::Forward ? cut : callOfResults(array, cut);
    const bool isFar = pairing == Keep::Pairing::Balanced && cut > 2 && (cut - call) * 2 > cut;
    if (call < cut && !isFar)
        return call;
    while (cut < count && array.factsOf(cut).results > 0)
        ++cut;
    const bool keepsSomething = pairing == Keep::Pairing::Forward && keep.rule != Keep::Rule::WithinOrNothing;
    return keepsSomething && cut == count ? 0 : cut;
}

/// The value that a measure of a trigger is compared with, by unit.
double valueOf(const MessageArray &array, Measure::Unit unit)
{
    switch (unit) {
    case Measure::Unit::WindowFraction:
    case Measure::Unit::Tokens:
        return std::max(0.0, array.totalTokens() - array.unsentTokens());
    case Measure::Unit::Messages:
        return static_cast<double>(array.messageCount());
    case Measure::Unit::Results:
        return static_cast<double>(array.resultCount());
    case Measure::Unit::Turns:
        return static_cast<double>(array.turnCount());
    }
    return 0;
}

} // namespace

std::string_view unitWord(Measure::Unit unit)
{
    switch (unit) {
    case Measure::Unit::WindowFraction:
    case Measure::Unit::Tokens:
        return "tokens";
    case Measure::Unit::Messages:
        return "messages";
    case Measure::Unit::Results:
        return "tool results";
    case Measure::Unit::Turns:
        return "turns";
    }
    return {};
}

size_t cutoffOf(const MessageArray &array, const Keep &keep, double windowTokens)
{
    const size_t count = array.messageCount();
    if (count == 0)
        return 0;
    size_t cut = 0;
    if (keep.measure.unit == Measure::Unit::Tokens)
        cut = cutoffByTokens(array, keep.rule, keep.measure.value);
    else if (keep.measure.unit == Measure::Unit::WindowFraction)
        cut = windowTokens <= 0 ? 0 : cutoffByTokens(array, keep.rule, keep.measure.thresholdIn(windowTokens));
    else
        cut = cutoffByCount(array, keep.measure);
    if (keep.rule == Keep::Rule::Crossing && cut >= count)
        return 0; // the recipe skips its clip then
    cut = paired(array, cut, keep);
    while (cut > 0 && cut < count && array.factsOf(cut - 1).isAside)
        --cut;
    return cut;
}

std::string TriggerVerdict::sentence() const
{
    if (readings.empty())
        return "acts without a trigger";
    std::string sentence;
    for (const TriggerReading &reading : readings) {
        if (!sentence.empty())
            sentence += joining == Trigger::Joining::All ? " and " : "; ";
        const bool isEqual = static_cast<uint64_t>(reading.value) == static_cast<uint64_t>(reading.threshold);
        if (isEqual && reading.hasThreshold && !reading.isReached)
            sentence += "not above the threshold: ";
        if (!reading.hasThreshold)
            sentence += reading.hasWindow
                ? "the window of the model is not known"
                : "the trigger is a share of the context window, but the policy has no window";
        else
            sentence += groupedNumber(static_cast<uint64_t>(reading.value)) + " of "
                + groupedNumber(static_cast<uint64_t>(reading.threshold)) + " " + std::string(unitWord(reading.unit));
    }
    return sentence;
}

namespace {

/// Evaluates one measure of a trigger.
TriggerReading readingOf(const Measure &measure, Comparator comparator, const MessageArray &array, const Policy &policy,
    double windowTokens, double recordedTokens)
{
    const bool isFraction = measure.unit == Measure::Unit::WindowFraction;
    TriggerReading reading { measure.unit, valueOf(array, measure.unit), measure.value };
    const bool isTold = recordedTokens > 0 && (isFraction || measure.unit == Measure::Unit::Tokens);
    if (isTold && policy.counter.usage == Counter::Usage::Beside)
        reading.value = std::max(reading.value, recordedTokens);
    else if (isTold && policy.counter.usage != Counter::Usage::None)
        reading.value = recordedTokens;
    if (isFraction) {
        reading.hasWindow = policy.window != Policy::Window::None;
        reading.hasThreshold = windowTokens > 0;
        reading.threshold = windowTokens > 0 ? measure.thresholdIn(windowTokens) : 0;
    }
    reading.isReached = reading.hasThreshold
        && (comparator == Comparator::AtLeast ? reading.value >= reading.threshold : reading.value > reading.threshold);
    return reading;
}

} // namespace

TriggerVerdict verdictOf(
    const Trigger &trigger, const MessageArray &array, const Policy &policy, double windowTokens, double recordedTokens)
{
    TriggerVerdict verdict;
    verdict.joining = trigger.joining;
    for (const Measure &measure : trigger.measures)
        verdict.readings.push_back(readingOf(measure, trigger.comparator, array, policy, windowTokens, recordedTokens));
    const auto &readings = verdict.readings;
    verdict.isReached = trigger.isAlways()
        || (trigger.joining == Trigger::Joining::All ? std::ranges::all_of(readings, &TriggerReading::isReached)
                                                     : std::ranges::any_of(readings, &TriggerReading::isReached));
    return verdict;
}

bool isReached(
    const Trigger &trigger, const MessageArray &array, const Policy &policy, double windowTokens, double recordedTokens)
{
    const auto reaches = [&](const Measure &measure) {
        return readingOf(measure, trigger.comparator, array, policy, windowTokens, recordedTokens).isReached;
    };
    return trigger.isAlways()
        || (trigger.joining == Trigger::Joining::All ? std::ranges::all_of(trigger.measures, reaches)
                                                     : std::ranges::any_of(trigger.measures, reaches));
}

} // namespace core
