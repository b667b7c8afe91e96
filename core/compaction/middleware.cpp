// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/middleware.h"

#include "core/base/format.h"
#include "core/compaction/middleware_module.h"
#include "core/compaction/policy_names.h"
#include "core/compaction/stage.h"
#include "core/json/json.h"
#include "core/session/deed_words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

using Unit = Measure::Unit;

constexpr std::string_view kPlace = "const policy = POLICY;";

/// An API with a hook for a module.
struct HookApi {
    std::string_view title;
    MessageShape view;
    Counter::Kind counter; ///< counts as the module does
    std::string_view (*adapter)();
};

constexpr HookApi kLangChainHook { "LangChain middleware, JavaScript", MessageShape::LangChain,
    Counter::Kind::LangChainJs, langChainAdapter };
constexpr HookApi kGenkitHook { "Genkit middleware, JavaScript", MessageShape::Genkit, Counter::Kind::GenkitText,
    genkitAdapter };

/// The stages of the module, and their parameters that it reads.
struct ModuleStage {
    std::string_view id;
    std::vector<std::string_view> parameters;
};

const std::vector<ModuleStage> &moduleStages()
{
    static const std::vector<ModuleStage> all { { "clip-arguments",
                                                    { "cap", "preview", "suffix", "strip", "keys", "tools" } },
        { "clip-results", { "cap", "preview", "suffix", "strip", "exclude" } },
        { "clip-texts", { "cap", "preview", "suffix", "strip", "typed", "model" } },
        { "truncate-results",
            { "cap", "head", "tail", "marker", "overhead", "counts-twice", "fetch-tool", "exempts-fetch" } },
        { "clear-tool-uses",
            { "protect", "protect-from", "worth", "exclude", "inputs", "placeholder", "preview", "preview-cut" } },
        { "drop-thinking", { "turns" } }, { "elide", { "selector", "rung", "n", "tools", "stub" } },
        { "inject", { "text", "place", "n" } } };
    return all;
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

Json numberJson(double value)
{
    return std::floor(value) == value && std::abs(value) < 1e15 ? Json(static_cast<int64_t>(value)) : Json(value);
}

Json valueJson(const ParameterValue &value)
{
    if (const double *number = std::get_if<double>(&value))
        return numberJson(*number);
    return std::visit([](const auto &each) { return Json(each); }, value);
}

class ModuleWriter final {
public:
    ModuleWriter(const HookApi &api, const Policy &policy, const SettingsPlace &place)
        : m_api(api)
        , m_policy(policy)
        , m_context { policy, {}, {} }
        , m_window(policy.window == Policy::Window::Fixed    ? policy.windowTokens
                  : policy.window == Policy::Window::OfModel ? place.modelWindow
                                                             : 0)
    {
    }

    Json stages(std::vector<std::string> &notes)
    {
        Json made = Json::array();
        for (const StageSpec &spec : m_policy.stages) {
            if (!spec.isEnabled)
                continue;
            const auto own = std::ranges::find(moduleStages(), spec.stage, &ModuleStage::id);
            const StageKind *kind = stageKind(spec.stage);
            const std::string missing = own == moduleStages().end() || kind == nullptr
                ? "the middleware does not have this stage"
                : whyNot(StageParameters(m_session, spec, *kind, m_context));
            if (missing.empty())
                made.push_back(stage(*own, StageParameters(m_session, spec, *kind, m_context)));
            else
                notes.push_back(formatted("{} is left out: {}.", spec.stage, missing));
        }
        return made;
    }

private:
    /// Whether the module counts tokens as the policy does.
    [[nodiscard]] bool countsTokens() const
    {
        return m_policy.counter.kind == m_api.counter && m_policy.counter.usage == Counter::Usage::None;
    }

    [[nodiscard]] static bool isInTokens(const Measure &measure)
    {
        return measure.unit == Unit::Tokens || measure.unit == Unit::WindowFraction;
    }

    [[nodiscard]] std::string whyNotMeasured(std::string_view what, const Measure &measure) const
    {
        if (isInTokens(measure) && !countsTokens())
            return formatted("its {} counts tokens, and the middleware counts them only as the counter {} does, "
                             "without the recorded usage",
                what, kCounters.of(m_api.counter));
        if (measure.unit == Unit::WindowFraction && m_window <= 0)
            return formatted("its {} is a share of the window, and the window is not known", what);
        if ((isInTokens(measure) || measure.unit == Unit::Messages) && m_policy.view != m_api.view)
            return formatted("its {} counts messages of another API", what);
        return {};
    }

    [[nodiscard]] static bool readsKeep(const StageParameters &parameters)
    {
        const StageKind &kind = parameters.kind();
        if (kind.rule != nullptr)
            return kind.rule(parameters).reach == BlockRule::Reach::BeforeCutoff;
        return kind.readsKeep == nullptr || kind.readsKeep(parameters);
    }

    [[nodiscard]] std::string whyNot(const StageParameters &parameters) const
    {
        if (parameters.waits()) {
            for (const Measure &measure : parameters.trigger().measures) {
                if (std::string why = whyNotMeasured("trigger", measure); !why.empty())
                    return why;
            }
        }
        if (readsKeep(parameters)) {
            const Measure &measure = parameters.keep().measure;
            if (std::string why = whyNotMeasured("keep", measure); !why.empty())
                return why;
            const bool isCounted = parameters.kind().id == "clear-tool-uses" && measure.unit == Unit::Results;
            if (!isCounted && m_policy.view != m_api.view)
                return "its keep ends at a message of another API";
        }
        return whyNotParameters(parameters);
    }

    [[nodiscard]] std::string whyNotParameters(const StageParameters &parameters) const
    {
        const std::string_view id = parameters.kind().id;
        if (id == "truncate-results" && !(parameters.text("prefix").empty() && parameters.text("artifact").empty()))
            return "the middleware writes no prefix and keeps no file";
        if (id == "clear-tool-uses" && parameters.number("at-least") > 0)
            return "the middleware does not have at-least";
        if (id == "clear-tool-uses" && (parameters.number("protect") > 0 || parameters.number("worth") > 0)
            && !countsTokens())
            return formatted(
                "protect and worth count tokens, and the middleware counts them only as the counter {} does",
                kCounters.of(m_api.counter));
        if (id == "elide"
            && !isOneOf(
                parameters.text("selector"), { "before-last-user", "every-n-turns", "older-than-results", "by-tool" }))
            return formatted("the middleware does not have the selector {}", parameters.text("selector"));
        if (id == "elide" && !isOneOf(parameters.text("rung"), { "remove", "stub" }))
            return formatted("the middleware does not have the rung {}", parameters.text("rung"));
        if (id == "inject" && parameters.text("text").contains('{'))
            return "its text stands for facts of the session, and the middleware adds only a fixed text";
        return {};
    }

    [[nodiscard]] Json measureJson(const Measure &measure) const
    {
        static constexpr std::array kModuleUnits { "tokens", "tokens", "messages", "results",
            "turns" }; // as Measure::Unit
        const double value = measure.unit == Unit::WindowFraction ? measure.thresholdIn(m_window) : measure.value;
        return { { "value", numberJson(value) }, { "unit", kModuleUnits[static_cast<size_t>(measure.unit)] } };
    }

    [[nodiscard]] Json stage(const ModuleStage &own, const StageParameters &parameters) const
    {
        Json made { { "stage", own.id }, { "trigger", nullptr } };
        if (parameters.waits() && !parameters.trigger().isAlways()) {
            const Trigger &trigger = parameters.trigger();
            Json measures = Json::array();
            for (const Measure &measure : trigger.measures)
                measures.push_back(measureJson(measure));
            made["trigger"] = { { "isAbove", trigger.comparator == Comparator::MoreThan },
                { "isAll", trigger.joining == Trigger::Joining::All }, { "measures", measures } };
        }
        if (readsKeep(parameters)) {
            made["keep"] = measureJson(parameters.keep().measure);
            made["keep"]["rule"] = kKeepRules.of(parameters.keep().rule);
            made["keep"]["pairing"] = kKeepPairings.of(parameters.keep().pairing);
        }
        for (const std::string_view name : own.parameters) {
            const auto found = parameters.spec().values.find(name);
            made[std::string(name)] = valueJson(
                found != parameters.spec().values.end() ? found->second : parameters.kind().parameter(name)->initial);
        }
        return made;
    }

    const HookApi &m_api;
    const Policy &m_policy;
    Session m_session;
    StageContext m_context;
    double m_window;
};

HarnessSettings moduleFor(const HookApi &api, const Policy &policy, const SettingsPlace &place)
{
    HarnessSettings made { std::string(api.title), "javascript", {}, {} };
    const Json stages = ModuleWriter(api, policy, place).stages(made.notes);
    if (stages.empty()) {
        made.notes.emplace_back("No stage is left, so there is no middleware.");
        return made;
    }
    if (policy.persistence == Persistence::Persistent)
        made.notes.emplace_back("The policy stores the shortened messages. The middleware computes them again for each "
                                "call, from the whole history.");
    if (place.overrides > 0)
        made.notes.emplace_back(
            "Blocks that you kept, dropped or edited by hand belong to this session; the middleware "
            "leaves them out.");
    const Json constant { { "name", policy.name }, { "unit", nameOf(policy.unit) }, { "deeds", deedWords() },
        { "stages", stages } };
    made.text = std::string(api.adapter()) + std::string(middlewareEngine());
    made.text.replace(made.text.find(kPlace), kPlace.size(), "const policy = " + jsonText(constant, 2) + ";");
    return made;
}

} // namespace

HarnessSettings langChainMiddleware(const Policy &policy, const SettingsPlace &place)
{
    return moduleFor(kLangChainHook, policy, place);
}

HarnessSettings genkitMiddleware(const Policy &policy, const SettingsPlace &place)
{
    return moduleFor(kGenkitHook, policy, place);
}

} // namespace core
