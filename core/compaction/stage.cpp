// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stage.h"

#include "core/session/tool_deed.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <format>
#include <unordered_set>

namespace core {

const ParameterSpec *StageKind::parameter(std::string_view name) const
{
    const auto found = std::ranges::find(parameters, name, &ParameterSpec::name);
    return found == parameters.end() ? nullptr : &*found;
}

const ParameterValue &StageRun::value(std::string_view name) const
{
    const auto found = m_spec.values.find(name);
    if (found != m_spec.values.end())
        return found->second;
    const ParameterSpec *spec = m_kind.parameter(name);
    assert(spec != nullptr);
    return spec->initial;
}

bool StageRun::isOn(std::string_view name) const { return std::get<bool>(value(name)); }
double StageRun::number(std::string_view name) const { return std::get<double>(value(name)); }
std::string StageRun::text(std::string_view name) const { return std::get<std::string>(value(name)); }
std::vector<std::string> StageRun::names(std::string_view name) const
{
    return std::get<std::vector<std::string>>(value(name));
}

bool StageRun::listsTool(std::string_view name, const Block &block) const
{
    const auto &list = std::get<std::vector<std::string>>(value(name));
    const std::string_view tool = m_draft.string(block.name);
    const ToolDeed deed = toolDeed(tool);
    return std::ranges::any_of(list,
        [&](const std::string &each) { return tool == each || (deed != ToolDeed::Other && deed == toolDeed(each)); });
}

size_t StageRun::cutoff() const { return cutoffOf(m_draft, policy(), keep(), m_context.windowTokens); }

void StageRun::forEach(const std::function<void(size_t)> &visit)
{
    for (size_t i = 0; i < m_draft.elements().size(); ++i) {
        const Draft::Element &element = m_draft.elements()[i];
        if (!element.isGone && !element.isPinned)
            visit(i);
    }
}

void StageRun::forEachBefore(const std::function<void(size_t)> &visit)
{
    const size_t cut = cutoff();
    const auto &messages = m_draft.messages();
    const size_t end = cut < messages.size() ? messages[cut].first : m_draft.elements().size();
    if (cut == 0)
        return;
    for (size_t i = 0; i < end; ++i) {
        const Draft::Element &element = m_draft.elements()[i];
        if (!element.isGone && !element.isPinned)
            visit(i);
    }
}

Hash StageRun::fingerprint() const
{
    std::string all(m_kind.id);
    const auto add
        = [&all](std::string_view text) { all.append(std::to_string(text.size())).append(":").append(text); };
    const auto addValue = [&](const ParameterValue &value) {
        if (const bool *isOn = std::get_if<bool>(&value))
            add(*isOn ? "on" : "off");
        else if (const double *number = std::get_if<double>(&value))
            add(std::format("{}", *number));
        else if (const std::string *text = std::get_if<std::string>(&value))
            add(*text);
        else {
            for (const std::string &each : std::get<std::vector<std::string>>(value))
                add(each);
            add("end");
        }
    };
    for (const ParameterSpec &each : m_kind.parameters)
        addValue(value(each.name));
    add(nameOf(unit()));
    add(m_context.sessionId);
    return hashOf(all);
}

void StageRun::changeEach(Reach reach, const Wants &wants, const Make &make)
{
    const auto sheet = m_draft.memo() != nullptr ? m_draft.memo()->sheetOf(fingerprint()) : nullptr;
    const auto visit = [&](size_t element) {
        if (!wants(m_draft.blockOf(element)))
            return;
        const BlockId block = m_draft.elements()[element].block;
        std::optional<std::shared_ptr<const BlockChange>> known;
        const bool isShared = sheet && m_draft.isRecorded(block);
        if (isShared)
            known = sheet->find(block);
        if (!known) {
            std::optional<BlockChange> made = make(element);
            known = made ? std::make_shared<const BlockChange>(std::move(*made)) : nullptr;
            if (isShared)
                sheet->set(block, *known);
        }
        if (*known)
            change(element, **known);
    };
    if (reach == Reach::BeforeCutoff)
        forEachBefore(visit);
    else
        forEach(visit);
}

void StageRun::change(size_t element, const BlockChange &change)
{
    std::optional<size_t> artifact;
    if (!change.artifact.empty())
        artifact = keepOriginal(element, change.artifact);
    m_draft.change(element, change, m_index, artifact);
}

void StageRun::shorten(size_t element, std::string text, Fate fate, std::string why, std::optional<size_t> artifact)
{
    m_draft.change(element, m_draft.textChange(element, std::move(text), fate, std::move(why)), m_index, artifact);
}

void StageRun::drop(size_t element, std::string why)
{
    Rewrite rewrite;
    rewrite.stage = m_index;
    rewrite.fate = Fate::Dropped;
    rewrite.why = std::move(why);
    m_draft.drop(element, std::move(rewrite));
}

size_t StageRun::keepArtifact(Artifact artifact)
{
    m_draft.artifacts().push_back(std::move(artifact));
    return m_draft.artifacts().size() - 1;
}

size_t StageRun::keepOriginal(size_t element, std::string name)
{
    const Draft::Element &entry = m_draft.elements()[element];
    Artifact artifact;
    artifact.name = std::move(name);
    artifact.blocks = { entry.origin };
    artifact.text = [id = entry.block](const Session &after) { return after.text(after.block(id).body); };
    return keepArtifact(std::move(artifact));
}

// --- counting ------------------------------------------------------------------------------------------------------

namespace {

uint64_t textParts(const Draft &draft, const Draft::Message &message, LengthUnit unit)
{
    uint64_t length = 0;
    for (const Draft::Element &element : draft.elementsOf(message)) {
        const Block &block = draft.block(element.block);
        if (!element.isGone && block.kind == BlockKind::Text)
            length += lengthIn(block.lengths, unit);
    }
    return length;
}

uint64_t everything(const Draft &draft, const Draft::Message &message, LengthUnit unit)
{
    uint64_t length = 0;
    for (const Draft::Element &element : draft.elementsOf(message)) {
        if (!element.isGone)
            length += lengthIn(draft.block(element.block).lengths, unit);
    }
    return length;
}

constexpr double kLangChainImageTokens = 85;

/// LangChain's `count_tokens_approximately`, one message.
double langChainTokens(const Draft &draft, const Draft::Message &message, double charactersPerToken)
{
    uint64_t characters = 0;
    double images = 0;
    uint64_t calls = 0;
    for (const Draft::Element &element : draft.elementsOf(message)) {
        if (element.isGone)
            continue;
        const Block &block = draft.block(element.block);
        switch (block.kind) {
        case BlockKind::ToolCall: {
            // [{'name': '…', 'args': {…}, 'id': '…', 'type': 'tool_call'}, …]
            constexpr uint64_t kAround = 53; // {'name': '', 'args': , 'id': '', 'type': 'tool_call'}
            characters += kAround + textLengths(draft.string(block.name)).codePoints
                + textLengths(draft.string(block.callId)).codePoints + draft.pythonLength(element.block);
            ++calls;
            break;
        }
        case BlockKind::ToolResult:
            characters += block.lengths.codePoints + textLengths(draft.string(block.callId)).codePoints
                + textLengths(draft.string(block.name)).codePoints;
            break;
        case BlockKind::Image:
            images += kLangChainImageTokens;
            break;
        default:
            characters += block.lengths.codePoints;
            break;
        }
    }
    characters += calls > 0 ? 2 * calls : 0; // the brackets, and a comma between calls
    switch (message.role) {
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

double ours(const Draft &draft, const Draft::Message &message)
{
    double sum = 0;
    for (const Draft::Element &element : draft.elementsOf(message)) {
        if (!element.isGone)
            sum += draft.tokens(element.block);
    }
    return sum;
}

} // namespace

double DraftCounter::ofMessage(size_t index) const
{
    const Draft::Message &message = m_draft.messages()[index];
    const Counter &counter = m_policy.counter;
    switch (counter.kind) {
    case Counter::Kind::Tokens:
        return ours(m_draft, message);
    case Counter::Kind::GenkitText:
        return static_cast<double>(std::max<uint64_t>(1, textParts(m_draft, message, m_policy.unit) / 4));
    case Counter::Kind::LangChain:
        return langChainTokens(m_draft, message, counter.charactersPerToken);
    case Counter::Kind::Characters:
        return static_cast<double>(everything(m_draft, message, m_policy.unit));
    case Counter::Kind::JsonQuarter:
        return std::ceil(static_cast<double>(everything(m_draft, message, m_policy.unit)) / 4);
    }
    return 0;
}

double DraftCounter::total() const
{
    if (m_policy.counter.kind == Counter::Kind::GenkitText) {
        uint64_t length = 0;
        for (const Draft::Message &message : m_draft.messages())
            length += textParts(m_draft, message, m_policy.unit);
        return std::floor(static_cast<double>(length) / 4); // rounded down once
    }
    double sum = 0;
    for (size_t i = 0; i < m_draft.messages().size(); ++i) {
        if (!m_draft.isEmpty(m_draft.messages()[i]))
            sum += ofMessage(i);
    }
    return sum;
}

// --- keep and trigger ----------------------------------------------------------------------------------------------

namespace {

bool isTyped(const Draft &draft, const Draft::Message &message)
{
    return std::ranges::any_of(draft.elementsOf(message),
        [&](const Draft::Element &element) { return draft.block(element.block).is(BlockFlag::Typed); });
}

bool isResult(const Draft &draft, const Draft::Message &message)
{
    const auto elements = draft.elementsOf(message);
    return !elements.empty() && std::ranges::any_of(elements, [&](const Draft::Element &element) {
        return !element.isGone && draft.block(element.block).kind == BlockKind::ToolResult;
    });
}

/// By counting back messages, results or turns.
size_t cutoffByCount(const Draft &draft, const Measure &measure)
{
    const auto &messages = draft.messages();
    const auto wanted = static_cast<size_t>(measure.value);
    if (measure.unit == Measure::Unit::Messages)
        return messages.size() <= wanted ? 0 : messages.size() - wanted;
    size_t seen = 0;
    for (size_t i = messages.size(); i > 0; --i) {
        const Draft::Message &message = messages[i - 1];
        if (measure.unit == Measure::Unit::Turns)
            seen += isTyped(draft, message) ? 1 : 0;
        else
            seen += static_cast<size_t>(
                std::ranges::count_if(draft.elementsOf(message), [&](const Draft::Element &each) {
                    return !each.isGone && draft.block(each.block).kind == BlockKind::ToolResult;
                }));
        if (seen >= std::max<size_t>(1, wanted))
            return wanted == 0 ? messages.size() : i - 1;
    }
    return 0;
}

size_t cutoffByTokens(const Draft &draft, const Policy &policy, Keep::Rule rule, double target)
{
    const DraftCounter counter(draft, policy);
    const size_t count = draft.messages().size();
    double sum = 0;
    for (size_t i = count; i > 0; --i) {
        sum += counter.ofMessage(i - 1);
        if (rule == Keep::Rule::Crossing) {
            if (sum >= target)
                return i - 1;
        } else if (sum > target) {
            const bool keepsNothing = i == count;
            return keepsNothing && rule == Keep::Rule::Within ? (count > 1 ? count - 1 : 0) : i;
        }
    }
    return 0;
}

/// The message before `cut` that holds a call answered by one of the results from `cut` on; `cut` if none does.
size_t callOfResults(const Draft &draft, size_t cut)
{
    const auto &messages = draft.messages();
    std::unordered_set<StringId> ids;
    for (size_t i = cut; i < messages.size() && isResult(draft, messages[i]); ++i) {
        for (const Draft::Element &element : draft.elementsOf(messages[i])) {
            if (draft.block(element.block).kind == BlockKind::ToolResult)
                ids.insert(draft.block(element.block).callId);
        }
    }
    for (size_t i = cut; i > 0; --i) {
        const bool holds = std::ranges::any_of(draft.elementsOf(messages[i - 1]), [&](const Draft::Element &element) {
            const Block &block = draft.block(element.block);
            return !element.isGone && block.kind == BlockKind::ToolCall && ids.contains(block.callId);
        });
        if (holds)
            return i - 1;
    }
    return cut;
}

size_t paired(const Draft &draft, size_t cut, Keep::Pairing pairing)
{
    const auto &messages = draft.messages();
    if (pairing == Keep::Pairing::None || cut == 0 || cut >= messages.size() || !isResult(draft, messages[cut]))
        return cut;
    const size_t call = callOfResults(draft, cut);
    const bool isFar = pairing == Keep::Pairing::Balanced && cut > 2 && (cut - call) * 2 > cut;
    if (call < cut && !isFar)
        return call;
    while (cut < messages.size() && isResult(draft, messages[cut]))
        ++cut;
    return cut;
}

} // namespace

size_t cutoffOf(const Draft &draft, const Policy &policy, const Keep &keep, double windowTokens)
{
    if (draft.messages().empty())
        return 0;
    size_t cut = 0;
    if (keep.measure.unit == Measure::Unit::Tokens)
        cut = cutoffByTokens(draft, policy, keep.rule, keep.measure.value);
    else if (keep.measure.unit == Measure::Unit::WindowFraction)
        cut = windowTokens <= 0
            ? 0
            : cutoffByTokens(draft, policy, keep.rule, std::max(1.0, std::floor(windowTokens * keep.measure.value)));
    else
        cut = cutoffByCount(draft, keep.measure);
    if (keep.rule == Keep::Rule::Crossing && cut >= draft.messages().size())
        return 0; // the recipe skips its clip then
    return paired(draft, cut, keep.pairing);
}

TriggerVerdict verdictOf(
    const Trigger &trigger, const Draft &draft, const Policy &policy, double windowTokens, double recordedTokens)
{
    if (trigger.isAlways())
        return { true, "acts at every call" };
    TriggerVerdict verdict;
    verdict.isReached = trigger.joining == Trigger::Joining::All;
    for (const Measure &measure : trigger.measures) {
        double threshold = measure.value;
        double value = 0;
        std::string what = "tokens";
        switch (measure.unit) {
        case Measure::Unit::WindowFraction:
            threshold = windowTokens > 0 ? std::max(1.0, std::floor(windowTokens * measure.value)) : 0;
            [[fallthrough]];
        case Measure::Unit::Tokens:
            value = DraftCounter(draft, policy).total();
            if (policy.counter.usesRecorded)
                value = std::max(value, recordedTokens);
            break;
        case Measure::Unit::Messages:
            value = static_cast<double>(draft.messages().size());
            what = "messages";
            break;
        case Measure::Unit::Results:
            value = static_cast<double>(std::ranges::count_if(draft.elements(), [&](const Draft::Element &each) {
                return !each.isGone && draft.block(each.block).kind == BlockKind::ToolResult;
            }));
            what = "tool results";
            break;
        case Measure::Unit::Turns:
            value = static_cast<double>(std::ranges::count_if(
                draft.messages(), [&](const Draft::Message &message) { return isTyped(draft, message); }));
            what = "turns";
            break;
        }
        const bool hasThreshold = measure.unit != Measure::Unit::WindowFraction || windowTokens > 0;
        const bool isReached
            = hasThreshold && (trigger.comparator == Comparator::AtLeast ? value >= threshold : value > threshold);
        verdict.isReached = trigger.joining == Trigger::Joining::All ? verdict.isReached && isReached
                                                                     : verdict.isReached || isReached;
        if (!verdict.sentence.empty())
            verdict.sentence += trigger.joining == Trigger::Joining::All ? " and " : "; ";
        verdict.sentence += hasThreshold ? groupedNumber(static_cast<uint64_t>(value)) + " of "
                + groupedNumber(static_cast<uint64_t>(threshold)) + " " + what
                                         : "the window of the model is not known";
    }
    return verdict;
}

} // namespace core
