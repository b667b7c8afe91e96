// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy_settings.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compaction/policy_names.h"
#include "core/compaction/policy_reader.h"
#include "core/compaction/stage.h"
#include "core/json/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

namespace core {

namespace {

/// A policy, or one of its stages, that has a setting.
struct Owner {
    const Policy &policy;
    const StageSpec *stage = nullptr;

    [[nodiscard]] std::optional<Trigger> trigger() const { return stage ? stage->trigger : policy.trigger; }
    [[nodiscard]] std::optional<Keep> keep() const { return stage ? stage->keep : policy.keep; }
};

/// Adds a fact: the suffix of the setting's name (`.rule`) and the value.
using AddFact = std::function<void(std::string_view behind, std::string_view value)>;

/// A member of a policy or stage document that affects behaviour. Stage parameters are listed by their kinds instead.
struct Setting {
    std::string_view name;
    bool isOfStage = false;                ///< stages have it, too
    std::vector<std::string_view> members; ///< members of its long form
    void (*write)(Json &json, std::string_view name, std::string_view value);
    void (*addFacts)(const Owner &owner, const AddFact &add);
};

// --- writing -------------------------------------------------------------------------------------------------------

/// Adds the unit where only one can be meant: `20k` and `1.5M` are tokens, `0.7` is a share of the window. `60` could
/// be tokens, messages or percent: it stays as it is, and is refused when the document is read.
std::string withUnit(std::string_view value)
{
    const std::string_view text = stripped(value);
    const std::string_view number = text.substr(0, text.find_first_not_of("0123456789."));
    const std::string scale = lowered(stripped(text.substr(number.size())));
    if (number.empty())
        return std::string(text);
    const bool isShare = scale.empty() && number.contains('.');
    return std::string(text) + (scale == "k" || scale == "m" ? "tok" : isShare ? "w" : "");
}

void writeWord(Json &json, std::string_view name, std::string_view value)
{
    json[std::string(name)] = std::string(value);
}

void writeWindow(Json &json, std::string_view name, std::string_view value)
{
    const bool isWord = value == "model" || value == "none";
    const bool isNumber = !value.empty() && value.find_first_not_of("0123456789") == std::string_view::npos;
    json[std::string(name)] = isWord ? std::string(value) : isNumber ? std::string(value) + "tok" : withUnit(value);
}

/// Replaces the measure; rule and pairing stay.
void writeKeep(Json &json, std::string_view name, std::string_view value)
{
    Json &target = json[std::string(name)];
    Json &measure = target.is_object() && target.contains("measure") ? target["measure"] : target;
    measure = withUnit(value);
}

/// `always`, `policy`, or measures as `Trigger::text` joins them: `100000tok or 50msg`, `0.5w and 6msg`. The comparator
/// stays, except with `always` and `policy`.
void writeTrigger(Json &json, std::string_view name, std::string_view value)
{
    Json &trigger = json[std::string(name)];
    const std::string text = lowered(stripped(value));
    if (text == "always" || text == "policy") {
        trigger = text;
        return;
    }
    const bool isAny = text.contains(" or ");
    const std::string_view between = isAny ? " or " : " and ";
    Json measures = Json::array();
    for (size_t begin = 0; begin != std::string::npos;) {
        const size_t end = text.find(between, begin);
        measures.push_back(withUnit(text.substr(begin, end - begin)));
        begin = end == std::string::npos ? end : end + between.size();
    }
    const bool isOne = measures.size() == 1;
    if (isOne && !trigger.is_object()) {
        trigger = measures.front();
        return;
    }
    if (!trigger.is_object())
        trigger = Json::object();
    for (const char *joining : { "at", "any", "all" })
        trigger.erase(joining);
    trigger[isOne ? "at" : isAny ? "any" : "all"] = isOne ? measures.front() : measures;
}

/// A list such as `system,last-block`, or `none`; keeps the floor.
void writeCacheMarks(Json &json, std::string_view name, std::string_view value)
{
    Json places = Json::array();
    std::istringstream words { std::string(value) };
    for (std::string word; value != "none" && std::getline(words, word, ',');)
        places.push_back(std::string(stripped(word)));
    Json &marks = json[std::string(name)];
    (marks.is_object() ? marks["at"] : marks) = std::move(places);
}

/// `none`, or the delay of a worker whose other members stay.
void writeWorker(Json &json, std::string_view name, std::string_view value)
{
    Json &worker = json[std::string(name)];
    if (value == "none")
        worker = nullptr;
    else
        (worker.is_object() ? worker : worker = Json::object())["delay"] = std::string(value);
}

/// A member of the worker, such as `worker.reload`.
void writeWorkerMember(Json &json, std::string_view name, std::string_view value)
{
    Json &worker = json["worker"];
    (worker.is_object() ? worker : worker = Json::object())[std::string(name.substr(name.find('.') + 1))]
        = std::string(value);
}

/// A value of another type becomes a text, which reading the document refuses.
Json jsonOf(const ParameterSpec &parameter, std::string_view value)
{
    using Type = ParameterSpec::Type;
    switch (parameter.type) {
    case Type::Switch:
        if (value == "on" || value == "true" || value == "yes" || value == "1")
            return true;
        if (value == "off" || value == "false" || value == "no" || value == "0")
            return false;
        return std::string(value);
    case Type::Count:
    case Type::Number: {
        double number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error == std::errc() && end == value.data() + value.size())
            return number;
        return std::string(value);
    }
    case Type::Names: {
        Json list = Json::array();
        std::istringstream words { std::string(value) };
        for (std::string word; std::getline(words, word, ',');)
            list.push_back(std::string(stripped(word)));
        return list;
    }
    case Type::Text:
    case Type::Choice:
        break;
    }
    return std::string(value);
}

// --- facts ---------------------------------------------------------------------------------------------------------

void addWindow(const Owner &owner, const AddFact &add)
{
    const Policy &policy = owner.policy;
    add({},
        policy.window == Policy::Window::None          ? "none"
            : policy.window == Policy::Window::OfModel ? "model"
                                                       : Measure { policy.windowTokens, Measure::Unit::Tokens }.text());
}

void addCounter(const Owner &owner, const AddFact &add)
{
    const Counter &counter = owner.policy.counter;
    std::string fact = formatted("{}, {}", kCounters.of(counter.kind), counter.charactersPerToken);
    if (counter.charactersPerTokenOfClaude)
        fact += formatted(" ({} for Claude)", *counter.charactersPerTokenOfClaude);
    fact += " characters a token";
    if (counter.usage != Counter::Usage::None)
        fact += formatted(
            ", uses_recorded {}", counter.usage == Counter::Usage::Beside ? "true" : kCounterUsages.of(counter.usage));
    if (counter.countsPrelude)
        fact += ", with the prelude";
    add({}, fact);
}

void addTrigger(const Owner &owner, const AddFact &add)
{
    const auto trigger = owner.trigger();
    add({}, trigger ? trigger->text() : owner.stage->usesTrigger ? "policy" : "always");
    if (trigger)
        add(".comparator", kComparators.of(trigger->comparator));
}

void addKeep(const Owner &owner, const AddFact &add)
{
    const auto keep = owner.keep();
    if (!keep)
        return;
    add({}, keep->measure.text());
    add(".rule", kKeepRules.of(keep->rule));
    add(".pairing", kKeepPairings.of(keep->pairing));
}

/// `system,last-block`.
void addCacheMarks(const Owner &owner, const AddFact &add)
{
    const CacheMarkPlaces &marks = owner.policy.cacheMarks;
    std::string places;
    for (const auto &[isSet, name] : { std::pair { marks.system, "system" }, { marks.lastTool, "last-tool" },
             { marks.stableAssistant, "stable-assistant" }, { marks.lastBlock, "last-block" } })
        places += isSet ? (places.empty() ? "" : ",") + std::string(name) : std::string();
    add({}, places.empty() ? "none" : places);
    if (marks.floorBytes > 0)
        add(".floor_bytes", formatted("{}", marks.floorBytes));
}

void addWorker(const Owner &owner, const AddFact &add)
{
    const std::optional<SummaryWorker> &worker = owner.policy.worker;
    add({}, worker ? worker->delay.text() : "none");
    if (!worker)
        return;
    add(".reload", kReloads.of(worker->reload));
    add(".keep_from", kKeepFroms.of(worker->keepFrom));
    add(".failing_saves", worker->failingSaves.text());
    add(".request", kWorkerRequests.of(worker->request));
    if (!worker->model.empty())
        add(".model", worker->model);
}

void addNothing(const Owner &, const AddFact &) { }

// --- the table -----------------------------------------------------------------------------------------------------

/// In the order of facts.
const std::vector<Setting> &settingTable()
{
    static const std::vector<Setting> table {
        { "view", false, {}, writeWord,
            [](const Owner &owner, const AddFact &add) { add({}, nameOf(owner.policy.view)); } },
        { "length_unit", false, {}, writeWord,
            [](const Owner &owner, const AddFact &add) { add({}, nameOf(owner.policy.unit)); } },
        { "window", false, {}, writeWindow, addWindow },
        { "counter", false,
            { "kind", "characters_per_token", "characters_per_token_of_claude", "uses_recorded", "prelude" }, writeWord,
            addCounter },
        { "trigger", true, { "any", "all", "at", "comparator" }, writeTrigger, addTrigger },
        { "keep", true, { "measure", "rule", "pairing" }, writeKeep, addKeep },
        { "persistence", false, {}, writeWord,
            [](const Owner &owner, const AddFact &add) { add({}, kPersistences.of(owner.policy.persistence)); } },
        { "cache_marks", false, { "at", "floor_bytes" }, writeCacheMarks, addCacheMarks },
        { "worker", false, { "delay", "reload", "keep_from", "failing_saves", "request", "model" }, writeWorker,
            addWorker },
        // `worker` has the facts of its members.
        { "worker.delay", false, {}, writeWorkerMember, addNothing },
        { "worker.reload", false, {}, writeWorkerMember, addNothing },
        { "worker.keep_from", false, {}, writeWorkerMember, addNothing },
        { "worker.failing_saves", false, {}, writeWorkerMember, addNothing },
        { "worker.request", false, {}, writeWorkerMember, addNothing },
        { "worker.model", false, {}, writeWorkerMember, addNothing },
    };
    return table;
}

/// Members without effect, and members that are settings themselves.
constexpr auto kPolicyMembers
    = std::to_array<std::string_view>({ "schema", "id", "name", "description", "provenance", "stages" });
constexpr auto kStageMembers = std::to_array<std::string_view>({ "stage", "enabled" });

const Setting *settingNamed(std::string_view name, bool isOfStage)
{
    const auto found = std::ranges::find(settingTable(), name, &Setting::name);
    return found == settingTable().end() || (isOfStage && !found->isOfStage) ? nullptr : &*found;
}

/// The settings of a policy, without members of settings.
std::string settingNames()
{
    std::string names;
    for (const Setting &setting : settingTable()) {
        if (!setting.name.contains('.'))
            names += (names.empty() ? "" : ", ") + std::string(setting.name);
    }
    return names;
}

/// The target of a path: a setting of the policy; or of a stage its switch (empty `name`), a setting or a parameter.
struct Place {
    std::optional<size_t> stage;
    std::string_view name;
};

bool hasMember(const StageSpec &spec, std::string_view name)
{
    const StageKind *kind = stageKind(spec.stage);
    return kind != nullptr && (settingNamed(name, true) != nullptr || kind->parameter(name) != nullptr);
}

/// The place of a bare `PARAMETER` is in the first stage that has it.
std::optional<Place> placeOf(const Policy &policy, std::string_view path)
{
    if (settingNamed(path, false) != nullptr)
        return Place { {}, path };
    for (size_t i = 0; i < policy.stages.size(); ++i) {
        const StageSpec &spec = policy.stages[i];
        if (path == spec.stage)
            return Place { i, {} };
        const std::string_view name = stageOfPath(path) == spec.stage ? path.substr(spec.stage.size() + 1) : path;
        if (hasMember(spec, name))
            return Place { i, name };
    }
    return std::nullopt;
}

/// The names of `parameter` with the name of each stage that has it: `clip-arguments.cap`.
std::vector<std::string> pathsOf(const Policy &policy, std::string_view parameter)
{
    std::vector<std::string> paths;
    for (const StageSpec &spec : policy.stages) {
        std::string path = spec.stage + "." + std::string(parameter);
        if (hasMember(spec, parameter) && std::ranges::find(paths, path) == paths.end())
            paths.push_back(std::move(path));
    }
    return paths;
}

std::unexpected<Error> severalStages(std::string_view parameter, const std::vector<std::string> &paths)
{
    std::string list;
    for (size_t i = 0; i < paths.size(); ++i)
        list += (i == 0 ? "" : i + 1 == paths.size() ? " or " : ", ") + paths[i];
    return failure(
        ErrorKind::Usage, formatted("Several stages have the parameter “{}”. Name the stage: {}.", parameter, list));
}

void writeSetting(Json &document, const Policy &policy, const Place &place, std::string_view value)
{
    const StageSpec *spec = place.stage ? &policy.stages[*place.stage] : nullptr;
    Json &json = spec == nullptr ? document : document["stages"][*place.stage];
    if (const Setting *setting = settingNamed(place.name, spec != nullptr))
        setting->write(json, place.name, value);
    else
        json[std::string(place.name)] = jsonOf(*stageKind(spec->stage)->parameter(place.name), value);
}

/// Caches the last parsed documents: dragging a setting changes the same few at every move.
class LastDocuments final {
public:
    [[nodiscard]] const Json &of(const std::string &document)
    {
        for (const Known &each : m_known) {
            if (!document.empty() && each.document == document)
                return each.json;
        }
        return remember(document, parseJson(document));
    }
    const Json &remember(const std::string &document, Json json)
    {
        Known &oldest = m_known[m_next++ % m_known.size()];
        oldest = { document, std::move(json) };
        return oldest.json;
    }

private:
    struct Known {
        std::string document;
        Json json;
    };
    std::array<Known, 8> m_known;
    size_t m_next = 0;
};

LastDocuments &lastDocuments()
{
    thread_local LastDocuments documents;
    return documents;
}

/// Appends the members of an object that are neither known nor parameters of the stage.
void addUnknown(const Json &object, std::span<const std::string_view> known, const StageKind *kind,
    const std::string &prefix, std::vector<std::string> &unknown)
{
    if (!object.is_object())
        return;
    for (const auto &[name, value] : object.items()) {
        const Setting *setting = settingNamed(name, kind != nullptr);
        const bool isKnown = setting != nullptr || std::ranges::find(known, name) != known.end()
            || (kind != nullptr && kind->parameter(name) != nullptr);
        if (!isKnown)
            unknown.push_back(prefix + name);
        if (setting == nullptr || setting->members.empty() || !value.is_object())
            continue;
        for (const auto &[member, unused] : value.items()) {
            if (std::ranges::find(setting->members, member) == setting->members.end())
                unknown.push_back(formatted("{}{}.{}", prefix, name, member));
        }
    }
}

} // namespace

// --- edits ---------------------------------------------------------------------------------------------------------

Result<Policy> withSetting(const Policy &policy, std::string_view key, std::string_view value)
{
    const auto place = placeOf(policy, key);
    if (!place)
        return failure(ErrorKind::Usage,
            "The policy " + policy.id + " has no setting “" + std::string(key) + "”. Its settings are " + settingNames()
                + ", and the parameters of its stages.");
    if (place->stage && place->name == key) { // without the name of the stage
        if (const auto paths = pathsOf(policy, key); paths.size() > 1)
            return severalStages(key, paths);
    }
    const std::string what = std::string(key) + "=" + std::string(value);
    Json json = lastDocuments().of(policy.document);
    if (place->name.empty()) {
        const std::string word = lowered(value);
        if (word != "on" && word != "off")
            return failure(
                ErrorKind::Usage, "A stage is turned on or off: write on or off after the equals sign.", what);
        json["stages"][*place->stage]["enabled"] = word == "on";
    } else {
        writeSetting(json, policy, *place, value);
    }
    auto result = readPolicy(json);
    if (!result) // the message names the setting
        return failure(ErrorKind::Usage, result.error().message);
    lastDocuments().remember(result->document, std::move(json));
    return result;
}

Result<Policy> withStageSetting(const Policy &policy, size_t stage, std::string_view name, std::string_view value)
{
    const std::string what = std::string(name) + "=" + std::string(value);
    if (stage >= policy.stages.size() || stageKind(policy.stages[stage].stage) == nullptr)
        return failure(ErrorKind::Usage,
            "The policy " + policy.id + " has no stage " + std::to_string(stage + 1) + " that Palimpsest knows.", what);
    if (!hasMember(policy.stages[stage], name))
        return failure(ErrorKind::Usage,
            "The stage " + policy.stages[stage].stage + " has no parameter “" + std::string(name) + "”.", what);
    Json json = parseJson(policy.document);
    writeSetting(json, policy, { stage, name }, value);
    auto result = readPolicy(json);
    if (!result) // the message names the setting
        return failure(ErrorKind::Usage, result.error().message);
    return result;
}

// --- values --------------------------------------------------------------------------------------------------------

const StageSpec *PolicyValues::stage(std::string_view id) const
{
    const auto found = std::ranges::find(m_policy->stages, id, &StageSpec::stage);
    return found == m_policy->stages.end() ? nullptr : &*found;
}

bool PolicyValues::isOn(std::string_view id) const
{
    const StageSpec *spec = stage(id);
    return spec != nullptr && spec->isEnabled;
}

std::optional<ParameterValue> PolicyValues::parameter(std::string_view path) const
{
    const auto place = placeOf(*m_policy, path);
    if (!place || !place->stage)
        return std::nullopt;
    const StageSpec &spec = m_policy->stages[*place->stage];
    const ParameterSpec *parameter = stageKind(spec.stage)->parameter(place->name);
    if (parameter == nullptr)
        return std::nullopt;
    const auto found = spec.values.find(place->name);
    return found == spec.values.end() ? parameter->initial : found->second;
}

double PolicyValues::number(std::string_view path) const
{
    const auto value = parameter(path);
    return value && std::holds_alternative<double>(*value) ? std::get<double>(*value) : 0;
}

std::string PolicyValues::text(std::string_view path) const
{
    const auto value = parameter(path);
    return value && std::holds_alternative<std::string>(*value) ? std::get<std::string>(*value) : std::string();
}

Trigger PolicyValues::trigger(std::string_view path) const
{
    const StageSpec *spec = stage(stageOfPath(path));
    if (spec == nullptr || spec->usesTrigger)
        return m_policy->trigger;
    return spec->trigger.value_or(Trigger());
}

Keep PolicyValues::keep(std::string_view path) const
{
    const StageSpec *spec = stage(stageOfPath(path));
    return spec != nullptr && spec->keep ? *spec->keep : m_policy->keep;
}

std::string shownValue(const ParameterValue &value)
{
    if (const bool *isOn = std::get_if<bool>(&value))
        return *isOn ? "on" : "off";
    if (const double *number = std::get_if<double>(&value))
        return formatted("{}", *number);
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    std::string names;
    for (const std::string &name : std::get<std::vector<std::string>>(value))
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

std::vector<PolicyFact> factsOf(const Policy &policy)
{
    std::vector<PolicyFact> facts;
    const auto addSettings = [&](const Owner &owner) {
        const std::string prefix = owner.stage == nullptr ? std::string() : owner.stage->stage + ".";
        for (const Setting &setting : settingTable()) {
            if (owner.stage != nullptr && !setting.isOfStage)
                continue;
            setting.addFacts(owner, [&](std::string_view behind, std::string_view value) {
                facts.push_back({ prefix + std::string(setting.name) + std::string(behind), std::string(value) });
            });
        }
    };
    addSettings({ policy });
    for (const StageSpec &spec : policy.stages) {
        facts.push_back({ spec.stage, spec.isEnabled ? "on" : "off" });
        const StageKind *kind = stageKind(spec.stage);
        if (!spec.isEnabled || kind == nullptr)
            continue;
        addSettings({ policy, &spec });
        for (const ParameterSpec &parameter : kind->parameters) {
            const auto found = spec.values.find(parameter.name);
            facts.push_back({ spec.stage + "." + std::string(parameter.name),
                shownValue(found == spec.values.end() ? parameter.initial : found->second) });
        }
    }
    return facts;
}

// --- members -------------------------------------------------------------------------------------------------------

std::string unknownMemberSentence(const std::string &member)
{
    return "The policy says “" + member + "”, which this program does not know and ignores.";
}

std::vector<std::string> unknownMembersOf(const Policy &policy)
{
    std::vector<std::string> unknown;
    const Json document = parseJson(policy.document);
    addUnknown(document, kPolicyMembers, nullptr, {}, unknown);
    const auto stages = document.is_object() ? document.find("stages") : document.end();
    for (size_t i = 0; i < policy.stages.size() && stages != document.end() && i < stages->size(); ++i) {
        const std::string &stage = policy.stages[i].stage;
        addUnknown((*stages)[i], kStageMembers, stageKind(stage), stage + ".", unknown);
    }
    return unknown;
}

} // namespace core
