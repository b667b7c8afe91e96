// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/decimal_text.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compaction/harness_table.h"
#include "core/json/json.h"

#include <algorithm>
#include <cmath>
#include <format>

namespace core {

double SettingsSource::window() const
{
    const Policy &policy = values.policy();
    return policy.window == Policy::Window::Fixed ? policy.windowTokens
        : policy.window == Policy::Window::None   ? 0
                                                  : place.modelWindow;
}

namespace write {

namespace {

using Unit = Measure::Unit;

/// The cap of a disabled stage: no result is this long.
constexpr double kNeverReached = 1e9;
constexpr double kCharactersPerToken = 4; ///< in LangChain's counter, and in Deep Agents' limits
constexpr double kUsualWindow = 200'000;

std::string grouped(double value) { return groupedNumber(static_cast<uint64_t>(value)); }

std::string quoted(const std::string &text) { return jsonText(Json(text), -1); }

/// `["code", "diff"]`; the same in all these languages.
std::string listed(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + quoted(name);
    return "[" + text + "]";
}

WrittenSetting refused(const SettingsSource &source, std::string_view path, std::string_view value, std::string reason)
{
    return { std::nullopt,
        formatted(
            "{} is {} here, but {} {}; this setting is left out.", path, value, source.harness, std::move(reason)) };
}

/// The measure in tokens; nullopt if it is neither in tokens nor a share of a known window.
std::optional<double> tokensOf(const SettingsSource &source, const Measure &measure)
{
    if (measure.unit == Unit::Tokens)
        return measure.value;
    if (measure.unit == Unit::WindowFraction && source.window() > 0)
        return measure.thresholdIn(source.window());
    return std::nullopt;
}

/// The note for a share of the model's window that was written as tokens.
std::string noteOfWindow(const SettingsSource &source, std::string_view path, const Measure &measure)
{
    if (measure.unit != Unit::WindowFraction || source.values.policy().window != Policy::Window::OfModel)
        return {};
    return formatted(
        "{} is {} here; this model's window has {} tokens.", path, measure.words(), grouped(source.window()));
}

WrittenSetting inTokens(const SettingsSource &source, std::string_view path, const Measure &measure)
{
    if (const auto tokens = tokensOf(source, measure))
        return { decimalText(*tokens), noteOfWindow(source, path, measure) };
    return refused(source, path, measure.fieldText(),
        measure.unit == Unit::WindowFraction ? "needs tokens, and the window is not known" : "counts it in tokens");
}

/// The share of a window from which a harness, rounding down, computes these tokens.
double shareOf(double tokens, double window)
{
    double share = tokens / window;
    while (std::floor(window * share) < tokens)
        share = std::nextafter(share, 2.0);
    return share;
}

WrittenSetting asShare(const SettingsSource &source, std::string_view path, const Measure &measure)
{
    if (measure.unit == Unit::WindowFraction && measure.less == 0)
        return { decimalText(measure.value), {} };
    if (const auto tokens = tokensOf(source, measure); tokens && source.window() > 0)
        return { decimalText(shareOf(*tokens, source.window())), {} };
    return refused(source, path, measure.fieldText(), "takes a share of its window there");
}

/// For harnesses that allow only one measure in a trigger.
WrittenSetting single(const SettingsSource &source, std::string_view path,
    WrittenSetting (*write)(const SettingsSource &, std::string_view, const Measure &))
{
    const Trigger trigger = source.values.trigger(path);
    if (trigger.measures.size() == 1)
        return write(source, path, trigger.measures.front());
    return refused(source, path, trigger.fieldText(), "takes only one measure there");
}

/// Whether LangChain can say it as a share of the model's window.
bool isShareOfModel(const SettingsSource &source, const Measure &measure)
{
    return measure.unit == Unit::WindowFraction && measure.less == 0
        && source.values.policy().window == Policy::Window::OfModel;
}

/// `("fraction", 0.85)`; nullopt if LangChain has no such kind.
std::optional<std::string> sizeText(const SettingsSource &source, const Measure &measure)
{
    const auto text = [&](std::string_view kind, double value) {
        const std::string number = decimalText(value);
        return std::vformat(source.syntax.size, std::make_format_args(kind, number));
    };
    if (measure.unit == Unit::Messages)
        return text("messages", measure.value);
    if (isShareOfModel(source, measure))
        return text("fraction", measure.value);
    const auto tokens = tokensOf(source, measure);
    return tokens ? std::optional(text("tokens", *tokens)) : std::nullopt;
}

/// As a share of the model's window, for harnesses that know no other window.
WrittenSetting asModelShare(const SettingsSource &source, std::string_view path, const Measure &measure)
{
    const double modelWindow = source.place.modelWindow;
    if (isShareOfModel(source, measure))
        return { decimalText(measure.value), {} };
    if (const auto tokens = tokensOf(source, measure); tokens && modelWindow > 0)
        return { decimalText(shareOf(*tokens, modelWindow)),
            formatted("The setting is a share of the window. It is computed for a window of {} tokens.",
                grouped(modelWindow)) };
    return refused(source, path, measure.fieldText(), "takes a share of the model's window there");
}

/// For a harness that also acts at a limit of its own: the rest of the trigger, or `whole` if nothing is left.
WrittenSetting besideLimit(
    const SettingsSource &source, std::string_view path, bool (*isLimit)(const Measure &), std::string whole)
{
    Trigger trigger = source.values.trigger(path);
    const bool isAll = trigger.measures.size() > 1 && trigger.joining == Trigger::Joining::All;
    const auto limits = std::ranges::remove_if(trigger.measures, isLimit);
    const bool hadLimit = !limits.empty();
    trigger.measures.erase(limits.begin(), limits.end());
    if (isAll || trigger.measures.size() > 1)
        return refused(
            source, path, source.values.trigger(path).fieldText(), "takes only one measure beside its own limit");
    if (trigger.measures.empty())
        return hadLimit ? WrittenSetting { std::move(whole), {} }
                        : refused(source, path, trigger.fieldText(), "takes a share of the model's window there");
    return asModelShare(source, path, trigger.measures.front());
}

/// The measures of a trigger of which one suffices, in OpenHands's terms.
struct EventLimits {
    std::optional<double> events;
    std::optional<Measure> tokens;
    bool isExpressed = true;
};

EventLimits eventLimitsOf(const Trigger &trigger)
{
    EventLimits limits;
    limits.isExpressed
        = trigger.measures.size() == 1 || (trigger.measures.size() == 2 && trigger.joining == Trigger::Joining::Any);
    for (const Measure &measure : trigger.measures) {
        if (measure.unit == Unit::Messages)
            limits.events = measure.value;
        else if (measure.unit == Unit::Tokens || measure.unit == Unit::WindowFraction)
            limits.tokens = measure;
        else
            limits.isExpressed = false;
    }
    limits.isExpressed &= trigger.measures.size() == size_t(limits.events.has_value() + limits.tokens.has_value());
    return limits;
}

/// A share in percent, without zeros at the end.
std::string percentText(double share, int decimals)
{
    return decimalText(*parseDecimal(decimalText(share * 100, decimals)));
}

/// The window of the policy or of the model; the usual one if neither is known.
double windowOrUsual(const SettingsSource &source)
{
    const double ofPolicy = source.window() > 0 ? source.window() : source.place.modelWindow;
    return ofPolicy > 0 ? ofPolicy : kUsualWindow;
}

constexpr std::string_view kSizes = "takes messages, tokens or a share of the model's window";

/// `{"tokens": 4000, "messages": 10}`, all of which must be reached; LangChain's own middleware alone knows it.
WrittenSetting allSizes(const SettingsSource &source, std::string_view path, const Trigger &trigger)
{
    std::string text;
    for (const Measure &measure : trigger.measures) {
        const std::optional<double> tokens = tokensOf(source, measure);
        const bool isShare = isShareOfModel(source, measure);
        if (source.syntax.part.empty() || (!isShare && !tokens && measure.unit != Unit::Messages))
            return refused(source, path, trigger.fieldText(), "cannot combine them");
        const double value = isShare || measure.unit == Unit::Messages ? measure.value : *tokens;
        const std::string_view kind = isShare ? "fraction" : measure.unit == Unit::Messages ? "messages" : "tokens";
        const std::string number = decimalText(value);
        text += (text.empty() ? "" : ", ") + std::vformat(source.syntax.part, std::make_format_args(kind, number));
    }
    const std::string_view space = source.syntax.language == "python" ? "" : " ";
    return { formatted("{{{}{}{}}}", space, text, space), {} };
}

} // namespace

WrittenSetting value(const SettingsSource &source, std::string_view path)
{
    const auto found = source.values.parameter(path);
    if (!found)
        return { std::nullopt, {} };
    if (const bool *isSet = std::get_if<bool>(&*found))
        return { std::string(*isSet ? source.syntax.yes : source.syntax.no), {} };
    if (const double *number = std::get_if<double>(&*found))
        return { decimalText(*number), {} };
    if (const auto *text = std::get_if<std::string>(&*found))
        return { quoted(*text), {} };
    return { listed(std::get<std::vector<std::string>>(*found)), {} };
}

WrittenSetting valueIfAny(const SettingsSource &source, std::string_view path)
{
    return source.values.number(path) == 0 ? WrittenSetting {} : value(source, path);
}

WrittenSetting cap(const SettingsSource &source, std::string_view path)
{
    if (source.values.isOn(stageOfPath(path)))
        return { decimalText(source.values.number(path)), {} };
    return { decimalText(kNeverReached),
        formatted("{} is off here; {} has no switch for it, so its limit is set so high that it never acts.",
            stageOfPath(path), source.harness) };
}

WrittenSetting capInTokens(const SettingsSource &source, std::string_view path)
{
    if (!source.values.isOn(stageOfPath(path)))
        return { std::string(source.syntax.nothing), {} };
    const double length = source.values.number(path);
    const double tokens = std::floor(length / kCharactersPerToken);
    std::string note;
    if (tokens * kCharactersPerToken != length)
        note = formatted("{} is {} characters here; {} counts four characters as one token, so it uses {} characters.",
            path, grouped(length), source.harness, grouped(tokens * kCharactersPerToken));
    return { decimalText(tokens), note };
}

WrittenSetting isOn(const SettingsSource &source, std::string_view stage)
{
    return { std::string(source.values.isOn(stage) ? source.syntax.yes : source.syntax.no), {} };
}

WrittenSetting isOff(const SettingsSource &source, std::string_view stage)
{
    return { std::string(source.values.isOn(stage) ? source.syntax.no : source.syntax.yes), {} };
}

WrittenSetting names(const SettingsSource &source, std::string_view path)
{
    const auto found = source.values.parameter(path);
    const auto *list = found ? std::get_if<std::vector<std::string>>(&*found) : nullptr;
    if (list == nullptr)
        return { std::nullopt, {} };
    if (list->empty())
        return refused(source, path, "empty", "reads an empty list as \"nothing\", not as \"everything\"");
    return { listed(*list), {} };
}

WrittenSetting window(const SettingsSource &source, std::string_view)
{
    const double tokens = source.window();
    if (source.values.policy().window == Policy::Window::None)
        return { std::string(source.syntax.nothing), {} };
    if (tokens <= 0)
        return refused(source, "window", "the model's", "needs a number of tokens");
    return { decimalText(tokens),
        source.values.policy().window == Policy::Window::OfModel
            ? formatted("The policy uses the model's window; {} tokens is the window of this session's model.",
                  grouped(tokens))
            : std::string() };
}

WrittenSetting windowOfItsOwn(const SettingsSource &source, std::string_view path)
{
    const bool isOfModel = source.values.policy().window == Policy::Window::OfModel;
    return isOfModel ? WrittenSetting {} : window(source, path);
}

WrittenSetting triggerSizes(const SettingsSource &source, std::string_view path)
{
    const Trigger trigger = source.values.trigger(path);
    if (trigger.isAlways())
        return { sizeText(source, { 1, Unit::Messages }), {} };
    if (trigger.measures.size() > 1 && trigger.joining == Trigger::Joining::All)
        return allSizes(source, path, trigger);
    std::string text;
    for (const Measure &measure : trigger.measures) {
        const auto size = sizeText(source, measure);
        if (!size)
            return refused(source, path, trigger.fieldText(), std::string(kSizes));
        text += (text.empty() ? "" : ", ") + *size;
    }
    return { trigger.measures.size() == 1 ? text : "[" + text + "]", {} };
}

WrittenSetting keepSize(const SettingsSource &source, std::string_view path)
{
    const Measure measure = source.values.keep(path).measure;
    const auto size = sizeText(source, measure);
    return size ? WrittenSetting { size, {} } : refused(source, path, measure.fieldText(), std::string(kSizes));
}

WrittenSetting keepResultsSize(const SettingsSource &source, std::string_view path)
{
    const Measure measure = source.values.keep(path).measure;
    if (measure.unit != Unit::Results)
        return refused(source, path, measure.fieldText(), "counts tool results there");
    return { sizeText(source, { measure.value, Unit::Messages }), {} };
}

WrittenSetting triggerTokens(const SettingsSource &source, std::string_view path)
{
    return single(source, path, inTokens);
}

WrittenSetting keepTokens(const SettingsSource &source, std::string_view path)
{
    return inTokens(source, path, source.values.keep(path).measure);
}

WrittenSetting triggerFraction(const SettingsSource &source, std::string_view path)
{
    return single(source, path, asShare);
}

WrittenSetting keepFraction(const SettingsSource &source, std::string_view path)
{
    const Measure measure = source.values.keep(path).measure;
    if (source.values.policy().window == Policy::Window::None && measure.unit == Unit::Messages)
        return { std::nullopt, {} };
    return asShare(source, path, measure);
}

WrittenSetting keepMessages(const SettingsSource &source, std::string_view path)
{
    const Measure measure = source.values.keep(path).measure;
    return measure.unit == Unit::Messages ? WrittenSetting { decimalText(measure.value), {} }
                                          : refused(source, path, measure.fieldText(), "counts messages there");
}

WrittenSetting keepMessagesWithoutWindow(const SettingsSource &source, std::string_view path)
{
    const bool hasWindow = source.values.policy().window != Policy::Window::None;
    return hasWindow ? WrittenSetting {} : keepMessages(source, path);
}

WrittenSetting keepResults(const SettingsSource &source, std::string_view path)
{
    const Measure measure = source.values.keep(path).measure;
    return measure.unit == Unit::Results ? WrittenSetting { decimalText(measure.value), {} }
                                         : refused(source, path, measure.fieldText(), "counts tool results there");
}

WrittenSetting reserveTokens(const SettingsSource &source, std::string_view path)
{
    const Trigger trigger = source.values.trigger(path);
    const double ofPolicy = source.window() > 0 ? source.window() : kUsualWindow;
    const double window = source.place.modelWindow > 0 ? source.place.modelWindow : ofPolicy;
    if (trigger.measures.size() != 1)
        return refused(source, path, trigger.fieldText(), "takes only one measure there");
    const Measure &measure = trigger.measures.front();
    const bool isShare = measure.unit == Unit::WindowFraction;
    if (!isShare && measure.unit != Unit::Tokens)
        return refused(source, path, measure.fieldText(), "counts the tokens left in the window");
    if (isShare && measure.value == 1)
        return { decimalText(measure.less), {} };
    const double reached = isShare ? std::round(measure.tokensIn(ofPolicy)) : measure.value;
    if (reached > window)
        return refused(source, path, measure.fieldText(), "does not allow a trigger that is larger than the window");
    return { decimalText(window - reached),
        formatted(
            "The setting is the number of tokens left free at the end of the window. {}It is computed for a window "
            "of {} tokens.",
            source.window() > 0 || source.place.modelWindow > 0 ? "" : "The window is not known. ", grouped(window)) };
}

WrittenSetting triggerModelShare(const SettingsSource &source, std::string_view path)
{
    return single(source, path, asModelShare);
}

WrittenSetting qwenThreshold(const SettingsSource &source, std::string_view path)
{
    const auto isLimit = [](const Measure &measure) {
        return measure == Measure { .value = 1, .unit = Unit::WindowFraction, .less = 33'000 };
    };
    return besideLimit(source, path, isLimit, "1");
}

WrittenSetting rooPercent(const SettingsSource &source, std::string_view path)
{
    const auto isLimit = [](const Measure &measure) {
        return measure.unit == Unit::WindowFraction && measure.value == 0.9 && measure.less > 0;
    };
    WrittenSetting written = besideLimit(source, path, isLimit, "1");
    if (written.text) {
        constexpr int kDecimals = 6;
        written.text = percentText(*parseDecimal(*written.text), kDecimals);
    }
    return written;
}

WrittenSetting claudeWindow(const SettingsSource &source, std::string_view)
{
    const double window = windowOrUsual(source);
    const bool isKnown = source.window() > 0 || source.place.modelWindow > 0;
    return { decimalText(window),
        isKnown ? std::string()
                : formatted("The window is not known. The settings are computed for a window of {} tokens.",
                      grouped(window)) };
}

WrittenSetting claudePercent(const SettingsSource &source, std::string_view path)
{
    constexpr double kLeastWindow = 100'000; // a smaller one counts as this
    constexpr double kAnswer = 20'000;
    constexpr double kReserve = 33'000;
    constexpr int kDecimals = 4; // less than one token of a window of a million
    const Trigger trigger = source.values.trigger(path);
    if (trigger.measures.size() != 1)
        return refused(source, path, trigger.fieldText(), "takes only one measure there");
    const Measure &measure = trigger.measures.front();
    if (measure.unit != Unit::Tokens && measure.unit != Unit::WindowFraction)
        return refused(source, path, measure.fieldText(), "counts it in tokens");
    const double window = windowOrUsual(source);
    if (window < kLeastWindow)
        return refused(source, path, measure.fieldText(), "counts with a window of at least 100,000 tokens");
    const double tokens = measure.thresholdIn(window);
    if (tokens > window - kReserve)
        return refused(source, path, measure.fieldText(),
            formatted("compacts at {} tokens of this window at the latest", grouped(window - kReserve)));
    return tokens == window - kReserve ? WrittenSetting {}
                                       : WrittenSetting { percentText(tokens / (window - kAnswer), kDecimals), {} };
}

WrittenSetting crushTrigger(const SettingsSource &source, std::string_view path)
{
    constexpr double kLargeWindow = 200'000;
    const Measure own = source.place.modelWindow > kLargeWindow
        ? Measure { .value = 1, .unit = Unit::WindowFraction, .less = 20'000 }
        : Measure { .value = 0.8, .unit = Unit::WindowFraction };
    const Trigger trigger = source.values.trigger(path);
    if (trigger.measures.size() == 1 && trigger.measures.front() == own)
        return {};
    return { std::nullopt,
        formatted("{} is {} here; {} has no setting for it. It uses 80 % for a window of up to 200,000 tokens, and "
                  "100 % - 20,000 tok for a larger one.",
            path, trigger.fieldText(), source.harness) };
}

WrittenSetting anthropicTrigger(const SettingsSource &source, std::string_view path)
{
    const Trigger trigger = source.values.trigger(path);
    const bool isResults = trigger.measures.size() == 1 && trigger.measures.front().unit == Unit::Results;
    WrittenSetting written
        = isResults ? WrittenSetting { decimalText(trigger.measures.front().value), {} } : triggerTokens(source, path);
    if (written.text)
        written.text
            = formatted(R"({{"type": "{}", "value": {}}})", isResults ? "tool_uses" : "input_tokens", *written.text);
    return written;
}

WrittenSetting keepLastMessage(const SettingsSource &source, std::string_view path)
{
    const Measure measure = source.values.keep(path).measure;
    if (measure.unit != Unit::Messages || (measure.value != 0 && measure.value != 1))
        return refused(source, path, measure.fieldText(), "protects the last message there, or none");
    return { std::string(measure.value == 1 ? source.syntax.yes : source.syntax.no), {} };
}

WrittenSetting openHandsSize(const SettingsSource &source, std::string_view path)
{
    const Trigger trigger = source.values.trigger(path);
    const EventLimits limits = eventLimitsOf(trigger);
    if (!limits.isExpressed)
        return refused(source, path, trigger.fieldText(), "takes a number of messages, or of tokens, or one of each");
    if (limits.events)
        return { decimalText(*limits.events), {} };
    return { decimalText(kNeverReached),
        formatted("{} also summarises above a number of events; this limit is set so high that it never acts.",
            source.harness) };
}

WrittenSetting openHandsTokens(const SettingsSource &source, std::string_view path)
{
    const EventLimits limits = eventLimitsOf(source.values.trigger(path));
    return limits.isExpressed && limits.tokens ? inTokens(source, path, *limits.tokens) : WrittenSetting {};
}

WrittenSetting openHandsKeep(const SettingsSource &source, std::string_view path)
{
    const EventLimits limits = eventLimitsOf(source.values.trigger("trigger"));
    if (!limits.isExpressed)
        return {};
    const double first = source.values.number("summarise.first-messages");
    const double events = std::floor(limits.events.value_or(0) / 2) - first - 1;
    if (limits.events && events <= 0)
        return { std::nullopt,
            formatted("{} needs max_size // 2 to be larger than keep_first + 1; here they are {} and {}.",
                source.harness, decimalText(*limits.events), decimalText(first)) };
    const Measure kept = source.values.keep(path).measure;
    if (limits.events && kept != Measure { .value = events, .unit = Unit::Messages })
        return { std::nullopt,
            formatted("{} is {} here; {} has no setting for it, and keeps the last {} events with this max_size.", path,
                kept.fieldText(), source.harness, decimalText(events)) };
    if (!limits.events)
        return { std::nullopt,
            formatted("{} has no setting for {}: it keeps the end of the array up to half of max_tokens.",
                source.harness, path) };
    return {};
}

WrittenSetting triggerIsKeep(const SettingsSource &source, std::string_view path)
{
    const Trigger trigger = source.values.trigger(path);
    const Measure kept = source.values.keep("keep").measure;
    if (trigger.measures.size() == 1 && trigger.measures.front() == kept)
        return {};
    return { std::nullopt,
        formatted("{} is {} here; {} acts when the messages are larger than max_tokens, which is the keep.", path,
            trigger.fieldText(), source.harness) };
}

WrittenSetting recipeSuffix(const SettingsSource &source, std::string_view path)
{
    static constexpr std::string_view kLength = " ({n} chars total)";
    const std::string text = source.values.text(path);
    if (!text.ends_with(kLength))
        return refused(source, path, quoted(text), "always adds \" ({n} chars total)\" to the suffix");
    return { quoted(text.substr(0, text.size() - kLength.size())), {} };
}

WrittenSetting recipeLogPrefix(const SettingsSource &source, std::string_view path)
{
    static constexpr std::string_view kFile = "/{session}.md";
    const std::string text = source.values.text(path);
    if (!text.ends_with(kFile))
        return refused(source, path, quoted(text), "names its archive after the session");
    return { quoted(text.substr(0, text.size() - kFile.size())), {} };
}

} // namespace write

} // namespace core
