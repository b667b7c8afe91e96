// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy.h"

#include "core/base/text.h"
#include "core/compaction/preset_documents.h"
#include "core/compaction/stage.h"
#include "core/json/json.h"
#include "core/json/json_error.h"
#include "core/json/json_tree.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <format>
#include <fstream>
#include <sstream>

namespace core {

namespace {

constexpr std::string_view kPolicySchema = "palimpsest.policy/";
constexpr int kVersion = 1;

/// Reads members of a document and remembers the first thing that is wrong.
class PolicyReader final {
public:
    /// `text` is what the document was read from, for the lines of what is wrong; may be empty.
    explicit PolicyReader(std::string_view where, std::string_view text = {})
        : m_where(where)
        , m_text(text)
    {
    }

    Result<Policy> read(const Json &json)
    {
        Policy policy;
        if (!json.is_object())
            return refuse("A policy is a JSON object.", 1);
        if (auto error = checkSchema(json))
            return std::unexpected(*error);
        policy.id = textOf(json, "id");
        policy.name = textOf(json, "name", policy.id);
        policy.description = textOf(json, "description");
        if (const auto found = json.find("provenance"); found != json.end() && found->is_object())
            policy.provenance = { textOf(*found, "source"), textOf(*found, "date"), textOf(*found, "evidence") };
        const std::string view = textOf(json, "view", "langchain");
        policy.view = messageShapeOf(view).value_or(MessageShape::LangChain);
        if (!messageShapeOf(view))
            wrong("view", "anthropic, langchain, genkit, gemini or responses");
        const std::string unit = textOf(json, "length_unit", "code_points");
        policy.unit = lengthUnitOf(unit).value_or(LengthUnit::CodePoints);
        if (!lengthUnitOf(unit))
            wrong("length_unit", "code_points, utf16_units or bytes");
        readWindow(json, policy);
        policy.trigger = triggerOf(json, "trigger", "trigger");
        if (json.contains("keep"))
            policy.keep = keepOf(json["keep"], "keep");
        readCounter(json, policy);
        const std::string persistence = textOf(json, "persistence", "view");
        policy.persistence = persistence == "persistent" ? Persistence::Persistent : Persistence::View;
        if (persistence != "persistent" && persistence != "view")
            wrong("persistence", "view or persistent");
        if (const auto stages = json.find("stages"); stages != json.end()) {
            if (!stages->is_array())
                wrong("stages", "an array");
            else
                for (m_stage = 0; *m_stage < stages->size(); ++*m_stage)
                    policy.stages.push_back(stageOf((*stages)[*m_stage]));
            m_stage.reset();
        }
        if (m_error)
            return std::unexpected(*m_error);
        policy.document = jsonText(json);
        return policy;
    }

private:
    std::unexpected<Error> refuse(std::string sentence, size_t line)
    {
        return failure(ErrorKind::Malformed, std::move(sentence), placeOf(line));
    }

    /// `file:line`; the file alone where the line is not known.
    [[nodiscard]] std::string placeOf(size_t line) const
    {
        return m_where.empty() || line == 0 ? std::string(m_where) : std::string(m_where) + ":" + std::to_string(line);
    }

    /// The line of a member, of one of a stage in hand where there is one: of `keep.rule` that of `rule`, or of what
    /// there is of it. 0 where there is no text, or one with comments.
    [[nodiscard]] size_t lineOf(std::string_view member) const
    {
        const auto tree = JsonTree::parse(m_text, 0);
        if (!tree)
            return 0;
        uint32_t node = 0;
        if (m_stage) {
            const auto stages = tree->children(tree->member(0, "stages"));
            node = *m_stage < stages.size() ? stages[*m_stage] : node;
            if (const size_t stage = member.find('.');
                stage != std::string_view::npos && node != 0 && tree->member(node, member) == JsonTree::kNone)
                member.remove_prefix(tree->member(node, member.substr(0, stage)) == JsonTree::kNone ? stage + 1 : 0);
            if (member == "stages")
                member = "stage";
        }
        while (!member.empty()) {
            uint32_t next = tree->member(node, member);
            const size_t point = next == JsonTree::kNone ? member.find('.') : std::string_view::npos;
            if (next == JsonTree::kNone)
                next = tree->member(node, member.substr(0, point));
            if (next == JsonTree::kNone)
                break;
            node = next;
            member = point == std::string_view::npos ? std::string_view() : member.substr(point + 1);
        }
        const auto at = static_cast<std::ptrdiff_t>(tree->node(node).outerBegin());
        return 1 + static_cast<size_t>(std::count(m_text.begin(), m_text.begin() + at, '\n'));
    }

    std::optional<Error> checkSchema(const Json &json)
    {
        const std::string schema = textOf(json, "schema");
        if (!schema.starts_with(kPolicySchema))
            return refuse("This is no policy: its schema is not palimpsest.policy/1.", lineOf("schema")).error();
        int version = 0;
        const std::string number = schema.substr(kPolicySchema.size());
        std::from_chars(number.data(), number.data() + number.size(), version);
        if (version > kVersion)
            return refuse("This policy is of a newer version (" + schema + "); this program reads up to version 1.",
                lineOf("schema"))
                .error();
        return std::nullopt;
    }

    void wrong(const std::string &member, const std::string &expected)
    {
        complain(member, " should be " + expected + ".");
    }

    void complain(const std::string &member, const std::string &why)
    {
        if (!m_error)
            m_error = Error { ErrorKind::Malformed, "“" + member + "” of the policy" + why, placeOf(lineOf(member)) };
    }

    std::string textOf(const Json &json, const std::string &member, const std::string &otherwise = {})
    {
        const auto found = json.find(member);
        if (found == json.end() || found->is_null())
            return otherwise;
        if (found->is_string())
            return found->get<std::string>();
        wrong(member, "a text");
        return otherwise;
    }

    std::optional<Measure> measureOf(const Json &json, const std::string &member)
    {
        if (!json.is_string()) {
            wrong(member, "a measure such as \"10%\" (of the window), \"20000tok\" or \"6msg\"");
            return std::nullopt;
        }
        const auto measure = parseMeasure(json.get<std::string>());
        if (!measure) {
            complain(member, ": " + measure.error().message);
            return std::nullopt;
        }
        return *measure;
    }

    void readWindow(const Json &json, Policy &policy)
    {
        const auto found = json.find("window");
        const bool isText = found == json.end() || found->is_null() || found->is_string();
        const std::string window = isText ? textOf(json, "window", "model") : std::string();
        if (window == "model") {
            policy.window = Policy::Window::OfModel;
        } else if (window == "none") {
            policy.window = Policy::Window::None;
        } else if (const auto measure = parseMeasure(window);
            measure && measure->unit == Measure::Unit::Tokens && measure->value > 0) {
            policy.window = Policy::Window::Fixed;
            policy.windowTokens = measure->value;
        } else {
            wrong("window", "\"model\", \"none\" or a number of tokens such as \"200000tok\"");
        }
    }

    Trigger triggerOf(const Json &json, const std::string &key, const std::string &member)
    {
        Trigger trigger;
        const auto found = json.find(key);
        if (found == json.end() || found->is_null() || (found->is_string() && *found == "always"))
            return trigger;
        const Json *measures = &*found;
        if (found->is_object()) {
            const std::string comparator = textOf(*found, "comparator", ">=");
            trigger.comparator = comparator == ">" ? Comparator::MoreThan : Comparator::AtLeast;
            if (comparator != ">" && comparator != ">=")
                wrong(member + ".comparator", "\">\" or \">=\"");
            for (const char *joining : { "any", "all", "at" }) {
                const auto list = found->find(joining);
                if (list == found->end())
                    continue;
                trigger.joining = joining == std::string_view("all") ? Trigger::Joining::All : Trigger::Joining::Any;
                measures = &*list;
            }
        }
        if (measures->is_array()) {
            for (const Json &each : *measures) {
                if (const auto measure = measureOf(each, member))
                    trigger.measures.push_back(*measure);
            }
            if (measures->empty())
                wrong(member, "\"always\" or hold a measure");
        } else if (const auto measure = measureOf(*measures, member)) {
            trigger.measures.push_back(*measure);
        }
        return trigger;
    }

    Keep keepOf(const Json &json, const std::string &member)
    {
        Keep keep;
        const Json *measure = &json;
        if (json.is_object()) {
            measure = json.contains("measure") ? &json["measure"] : &json;
            const std::string rule = textOf(json, "rule", "within");
            if (rule == "crossing")
                keep.rule = Keep::Rule::Crossing;
            else if (rule == "within-or-nothing")
                keep.rule = Keep::Rule::WithinOrNothing;
            else if (rule != "within")
                wrong(member + ".rule", "crossing, within or within-or-nothing");
            const std::string pairing = textOf(json, "pairing", "none");
            if (pairing == "back")
                keep.pairing = Keep::Pairing::Back;
            else if (pairing == "balanced")
                keep.pairing = Keep::Pairing::Balanced;
            else if (pairing != "none")
                wrong(member + ".pairing", "none, back or balanced");
        }
        if (const auto read = measureOf(*measure, member))
            keep.measure = *read;
        return keep;
    }

    void readCounter(const Json &json, Policy &policy)
    {
        const auto found = json.find("counter");
        if (found == json.end())
            return;
        std::string kind;
        if (found->is_string()) {
            kind = found->get<std::string>();
        } else if (found->is_object()) {
            kind = textOf(*found, "kind", "tokens");
            policy.counter.charactersPerToken = found->value("characters_per_token", 4.0);
            policy.counter.usesRecorded = found->value("uses_recorded", false);
        }
        if (kind == "tokens")
            policy.counter.kind = Counter::Kind::Tokens;
        else if (kind == "genkit-text")
            policy.counter.kind = Counter::Kind::GenkitText;
        else if (kind == "langchain")
            policy.counter.kind = Counter::Kind::LangChain;
        else if (kind == "characters")
            policy.counter.kind = Counter::Kind::Characters;
        else if (kind == "json-quarter")
            policy.counter.kind = Counter::Kind::JsonQuarter;
        else
            wrong("counter", "tokens, genkit-text, langchain, characters or json-quarter");
        if (policy.counter.charactersPerToken <= 0)
            wrong("counter.characters_per_token", "more than 0");
    }

    StageSpec stageOf(const Json &json)
    {
        StageSpec spec;
        if (!json.is_object()) {
            wrong("stages", "an array of objects");
            return spec;
        }
        spec.stage = textOf(json, "stage");
        const StageKind *kind = stageKind(spec.stage);
        if (kind == nullptr) {
            wrong("stages", "stages that this program knows; “" + spec.stage + "” is none");
            return spec;
        }
        for (const auto &[name, value] : json.items()) {
            if (name == "stage")
                continue;
            if (name == "enabled") {
                if (!value.is_boolean())
                    wrong(spec.stage + ".enabled", "true or false");
                else
                    spec.isEnabled = value.get<bool>();
            } else if (name == "trigger") {
                if (value == "policy")
                    spec.usesTrigger = true;
                else
                    spec.trigger = triggerOf(json, "trigger", spec.stage + ".trigger");
            } else if (name == "keep") {
                spec.keep = keepOf(value, spec.stage + ".keep");
            } else if (const ParameterSpec *parameter = kind->parameter(name)) {
                readParameter(*parameter, value, spec);
            }
        }
        return spec;
    }

    void readParameter(const ParameterSpec &parameter, const Json &value, StageSpec &spec)
    {
        using Type = ParameterSpec::Type;
        const std::string member = spec.stage + "." + std::string(parameter.name);
        std::optional<ParameterValue> read;
        std::string expected = "a text";
        switch (parameter.type) {
        case Type::Switch:
            expected = "true or false";
            if (value.is_boolean())
                read = value.get<bool>();
            break;
        case Type::Count:
        case Type::Number:
            expected = "a number from " + std::format("{}", parameter.least) + " to "
                + (parameter.most < 1e6 ? std::format("{}", parameter.most)
                                        : groupedNumber(static_cast<uint64_t>(parameter.most)));
            if (value.is_number() && value.get<double>() >= parameter.least && value.get<double>() <= parameter.most
                && (parameter.type == Type::Number || std::floor(value.get<double>()) == value.get<double>()))
                read = value.get<double>();
            break;
        case Type::Text:
            if (value.is_string())
                read = value.get<std::string>();
            break;
        case Type::Choice:
            expected.clear();
            for (size_t i = 0; i < parameter.choices.size(); ++i) {
                if (i > 0)
                    expected += i + 1 == parameter.choices.size() ? " or " : ", ";
                expected += parameter.choices[i];
            }
            if (value.is_string()
                && std::ranges::find(parameter.choices, value.get<std::string>()) != parameter.choices.end())
                read = value.get<std::string>();
            break;
        case Type::Names:
            expected = "an array of texts";
            if (value.is_array() && std::ranges::all_of(value, [](const Json &each) { return each.is_string(); }))
                read = value.get<std::vector<std::string>>();
            break;
        }
        if (read)
            spec.values.emplace(parameter.name, std::move(*read));
        else
            wrong(member, expected);
    }

    std::string_view m_where;
    std::string_view m_text;
    std::optional<size_t> m_stage; ///< the one that is read
    std::optional<Error> m_error;
};

Policy edited(const Policy &policy, const std::function<void(Json &)> &change)
{
    Json json = parseJson(policy.document);
    change(json);
    return PolicyReader({}).read(json).value_or(policy);
}

/// A bare number has this unit, one with a point is a fraction; `20k` and `1.5M` are tokens where tokens or a share of
/// the window stood, and stay as they are, to be refused, where messages did.
std::string withUnit(std::string_view value, Measure::Unit unit)
{
    const std::string_view text = stripped(value);
    const std::string_view number = text.substr(0, text.find_first_not_of("0123456789."));
    const std::string scale = lowered(stripped(text.substr(number.size())));
    const bool isOfTokens = unit == Measure::Unit::Tokens || unit == Measure::Unit::WindowFraction;
    const bool isScaled = isOfTokens && (scale == "k" || scale == "m");
    if (number.empty() || !(scale.empty() || isScaled))
        return std::string(text);
    if (number.contains('.') && !isScaled)
        return std::string(text) + "w";
    const Measure measure { 0, isOfTokens ? Measure::Unit::Tokens : unit };
    return std::string(text) + measure.text().substr(1);
}

Measure::Unit unitOfKeep(const StageSpec &stage)
{
    return stage.keep ? stage.keep->measure.unit : Measure::Unit::Tokens;
}

Measure::Unit unitAt(const std::optional<Trigger> &trigger, size_t place)
{
    const bool isThere = trigger && place < trigger->measures.size();
    return isThere ? trigger->measures[place].unit : Measure::Unit::Tokens;
}

/// `always`, `policy`, a measure, or several as `Trigger::text` joins them: `100000tok or 50msg`, `0.5w and 6msg`. Bare
/// numbers have the units of what stood at their place. The comparator stays, but with the two words.
void setTrigger(Json &owner, std::string_view value, const std::optional<Trigger> &before)
{
    Json &trigger = owner["trigger"];
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
        measures.push_back(withUnit(text.substr(begin, end - begin), unitAt(before, measures.size())));
        begin = end == std::string::npos ? end : end + between.size();
    }
    const bool isOne = measures.size() == 1;
    if (isOne && !trigger.is_object()) {
        trigger = measures.front();
        return;
    }
    if (!trigger.is_object())
        trigger = Json::object();
    for (const char *name : { "at", "any", "all" })
        trigger.erase(name);
    trigger[isOne ? "at" : isAny ? "any" : "all"] = isOne ? measures.front() : measures;
}

/// The member that holds a measure: `"0.1w"`, or in an object under one of these names.
void setMeasure(
    Json &json, const std::string &member, const std::string &measure, std::initializer_list<const char *> names)
{
    Json &target = json[member];
    if (target.is_object()) {
        for (const char *name : names) {
            if (target.contains(name)) {
                target[name] = measure;
                return;
            }
        }
    }
    target = measure;
}

Json valueOf(const ParameterSpec &parameter, std::string_view value)
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

/// Documents that were read or made last. While a setting is dragged the same few are changed at every move.
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

std::string joined(const Trigger &trigger, std::string (Measure::*textOf)() const)
{
    if (trigger.isAlways())
        return "always";
    std::string text;
    for (const Measure &measure : trigger.measures)
        text += (text.empty() ? "" : trigger.joining == Trigger::Joining::All ? " and " : " or ") + (measure.*textOf)();
    return text;
}

LastDocuments &lastDocuments()
{
    thread_local LastDocuments documents;
    return documents;
}

} // namespace

std::string_view Provenance::evidenceWords() const
{
    return evidence == "source"        ? "matches published code"
        : evidence == "documentation"  ? "follows the documentation"
        : evidence == "interpretation" ? "our approximation"
                                       : std::string_view(evidence);
}

std::string Trigger::text() const { return joined(*this, &Measure::text); }

std::string Trigger::fieldText() const { return joined(*this, &Measure::fieldText); }

std::string Trigger::words() const { return joined(*this, &Measure::words); }

double Policy::windowOf(const Session &session) const
{
    switch (window) {
    case Window::None:
        return 0;
    case Window::OfModel:
        return static_cast<double>(session.windowTokens.value_or(0));
    case Window::Fixed:
        return windowTokens;
    }
    return 0;
}

Result<Policy> parsePolicy(std::string_view json, std::string_view where)
{
    const Json parsed = parseJson(json, true);
    if (parsed.is_discarded()) {
        const JsonError error = jsonErrorOf(json, true).value_or(JsonError());
        return failure(ErrorKind::Malformed, "The policy is no JSON: " + error.reason + ".",
            where.empty() ? std::string() : std::string(where) + ":" + std::to_string(error.line));
    }
    try {
        return PolicyReader(where, json).read(parsed);
    } catch (const Json::exception &) {
        return failure(ErrorKind::Malformed, "A member of the policy has the wrong type.", std::string(where));
    }
}

Result<Policy> withSetting(const Policy &policy, std::string_view key, std::string_view value)
{
    Json json = lastDocuments().of(policy.document);
    const auto reread = [&]() -> Result<Policy> {
        auto result = PolicyReader({}).read(json);
        if (!result)
            return failure(ErrorKind::Usage, result.error().message, std::string(key) + "=" + std::string(value));
        lastDocuments().remember(result->document, std::move(json));
        return result;
    };
    if (key == "window") {
        const bool isWord = value == "model" || value == "none";
        json["window"] = isWord ? std::string(value) : withUnit(value, Measure::Unit::Tokens);
        return reread();
    }
    if (key == "keep") {
        setMeasure(json, "keep", withUnit(value, policy.keep.measure.unit), { "measure" });
        return reread();
    }
    if (key == "trigger") {
        setTrigger(json, value, policy.trigger);
        return reread();
    }
    if (key == "counter" || key == "persistence" || key == "view" || key == "length_unit") {
        json[std::string(key)] = std::string(value);
        return reread();
    }
    // STAGE=on|off, STAGE.PARAMETER=value, PARAMETER=value
    for (size_t i = 0; i < policy.stages.size(); ++i) {
        Json &stage = json["stages"][i];
        const auto id = stage.value("stage", std::string());
        const StageKind *kind = stageKind(id);
        if (kind == nullptr)
            continue;
        if (key == id) {
            const std::string word = lowered(value);
            if (word != "on" && word != "off")
                return failure(ErrorKind::Usage, "A stage is on or off.", std::string(key) + "=" + std::string(value));
            stage["enabled"] = word == "on";
            return reread();
        }
        const std::string_view name = key.starts_with(id + ".") ? key.substr(id.size() + 1) : key;
        if (name == "trigger") {
            setTrigger(stage, value, policy.stages[i].trigger);
            return reread();
        }
        if (name == "keep") {
            setMeasure(stage, "keep", withUnit(value, unitOfKeep(policy.stages[i])), { "measure" });
            return reread();
        }
        if (const ParameterSpec *parameter = kind->parameter(name)) {
            stage[std::string(name)] = valueOf(*parameter, value);
            return reread();
        }
    }
    return failure(ErrorKind::Usage,
        "The policy " + policy.id + " has no setting “" + std::string(key)
            + "”: there are window, keep, trigger, counter, persistence, and the parameters of its stages.");
}

Policy withStageEnabled(const Policy &policy, size_t stage, bool isEnabled)
{
    return edited(policy, [&](Json &json) { json["stages"][stage]["enabled"] = isEnabled; });
}

Policy withStageMoved(const Policy &policy, size_t from, size_t to)
{
    return edited(policy, [&](Json &json) {
        Json &stages = json["stages"];
        if (from >= stages.size() || to >= stages.size())
            return;
        Json moved = stages[from];
        stages.erase(from);
        stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
    });
}

Policy withStageAdded(const Policy &policy, std::string_view stage)
{
    return edited(policy, [&](Json &json) { json["stages"].push_back({ { "stage", std::string(stage) } }); });
}

Policy withStageRemoved(const Policy &policy, size_t stage)
{
    return edited(policy, [&](Json &json) {
        if (stage < json["stages"].size())
            json["stages"].erase(stage);
    });
}

Result<Policy> withStageSetting(const Policy &policy, size_t stage, std::string_view name, std::string_view value)
{
    Json json = parseJson(policy.document);
    const std::string what = std::string(name) + "=" + std::string(value);
    const StageKind *kind = stage < policy.stages.size() ? stageKind(policy.stages[stage].stage) : nullptr;
    if (kind == nullptr)
        return failure(ErrorKind::Usage, "There is no such stage.", what);
    Json &member = json["stages"][stage];
    if (name == "trigger")
        setTrigger(member, value, policy.stages[stage].trigger);
    else if (name == "keep")
        setMeasure(member, "keep", withUnit(value, unitOfKeep(policy.stages[stage])), { "measure" });
    else if (const ParameterSpec *parameter = kind->parameter(name))
        member[std::string(name)] = valueOf(*parameter, value);
    else
        return failure(ErrorKind::Usage, "The stage has no such parameter.", what);
    auto result = PolicyReader({}).read(json);
    if (!result)
        return failure(ErrorKind::Usage, result.error().message, what);
    return result;
}

Policy withName(const Policy &policy, std::string_view id, std::string_view name)
{
    return edited(policy, [&](Json &json) {
        json["id"] = std::string(id);
        json["name"] = std::string(name);
    });
}

const std::vector<PolicyPtr> &presets()
{
    static const std::vector<PolicyPtr> all = [] {
        std::vector<PolicyPtr> policies;
        for (const std::string_view document : presetDocuments()) {
            auto policy = parsePolicy(document);
            assert(policy.has_value());
            policies.push_back(std::make_shared<const Policy>(std::move(*policy)));
        }
        return policies;
    }();
    return all;
}

PolicyPtr preset(std::string_view id)
{
    const auto found = std::ranges::find_if(presets(), [&](const PolicyPtr &each) { return each->id == id; });
    return found == presets().end() ? nullptr : *found;
}

Result<Policy> policyNamed(const std::string &nameOrFile)
{
    if (const PolicyPtr found = preset(nameOrFile))
        return *found;
    std::error_code error;
    if (std::filesystem::is_directory(nameOrFile, error))
        return failure(ErrorKind::Usage, "This is a folder; a policy is a file.", nameOrFile);
    std::ifstream file(nameOrFile, std::ios::binary);
    if (!file) {
        return failure(ErrorKind::Usage,
            "There is no policy “" + nameOrFile
                + "”, neither as a preset nor as a file; “palimpsest policies” lists the presets.");
    }
    std::ostringstream text;
    text << file.rdbuf();
    return parsePolicy(text.str(), nameOrFile);
}

} // namespace core
