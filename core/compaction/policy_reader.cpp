// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/policy_reader.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compaction/policy_names.h"
#include "core/compaction/stage.h"
#include "core/json/json.h"
#include "core/json/json_error.h"
#include "core/json/json_tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace core {

namespace {

constexpr std::string_view kPolicySchema = "palimpsest.policy/";
constexpr int kPolicyVersion = 1;

/// Reads the members of a document and remembers the first error.
class PolicyReader final {
public:
    /// `text` is the parsed text, for line numbers in errors; may be empty.
    PolicyReader(std::string_view where, std::string_view text)
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
        policy.persistence = choiceOf(json, "persistence", "persistence", kPersistences, policy.persistence);
        readCacheMarks(json, policy);
        readWorker(json, policy);
        readStages(json, policy);
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

    /// `file:line`; only the file if the line is unknown.
    [[nodiscard]] std::string placeOf(size_t line) const
    {
        return m_where.empty() || line == 0 ? std::string(m_where) : std::string(m_where) + ":" + std::to_string(line);
    }

    /// The line of a member, in the current stage if there is one: for `keep.rule` the line of `rule`, else of `keep`.
    /// 0 without a text, and for a text with comments.
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
            return refuse("This is not a policy: its schema is not palimpsest.policy/1.", lineOf("schema")).error();
        int version = 0;
        const std::string number = schema.substr(kPolicySchema.size());
        std::from_chars(number.data(), number.data() + number.size(), version);
        if (version > kPolicyVersion)
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
        remember("“" + member + "” of the policy" + why, member);
    }

    void refuseStage(const std::string &stage)
    {
        std::string known;
        for (const StageKind &each : stageKinds())
            known += (known.empty() ? "" : ", ") + std::string(each.id);
        remember("There is no stage “" + stage + "”. The stages: " + known + ".", "stages");
    }

    void remember(std::string sentence, const std::string &member)
    {
        if (!m_error)
            m_error = Error { ErrorKind::Malformed, std::move(sentence), placeOf(lineOf(member)) };
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

    double numberOf(const Json &json, const std::string &member, const std::string &path, double otherwise)
    {
        const auto found = json.find(member);
        if (found == json.end())
            return otherwise;
        if (found->is_number())
            return found->get<double>();
        wrong(path, "a number");
        return otherwise;
    }

    /// Reads a name of an enumeration; `otherwise` if the member is missing. `path` names the member in errors.
    template <typename Enum, size_t count>
    Enum choiceOf(const Json &json, const std::string &member, const std::string &path,
        const EnumNames<Enum, count> &names, Enum otherwise)
    {
        const std::string name = textOf(json, member, std::string(names.of(otherwise)));
        const auto choice = names.named(name);
        if (!choice)
            wrong(path, alternatives(names.names));
        return choice.value_or(otherwise);
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
            trigger.comparator
                = choiceOf(*found, "comparator", member + ".comparator", kComparators, trigger.comparator);
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
                wrong(member, "\"always\" or contain a measure");
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
            keep.rule = choiceOf(json, "rule", member + ".rule", kKeepRules, keep.rule);
            keep.pairing = choiceOf(json, "pairing", member + ".pairing", kKeepPairings, keep.pairing);
        }
        if (const auto read = measureOf(*measure, member))
            keep.measure = *read;
        if (keep.measure.less > 0)
            wrong(member, "a plain share of the window; only a trigger may subtract tokens");
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
            policy.counter.charactersPerToken
                = numberOf(*found, "characters_per_token", "counter.characters_per_token", 4);
            if (const std::string claude = "characters_per_token_of_claude"; found->contains(claude))
                policy.counter.charactersPerTokenOfClaude = numberOf(*found, claude, "counter." + claude, 4);
            policy.counter.usage = usageOf(*found);
            if (const auto prelude = found->find("prelude"); prelude != found->end() && prelude->is_boolean())
                policy.counter.countsPrelude = prelude->get<bool>();
            else if (prelude != found->end())
                wrong("counter.prelude", "true or false");
        }
        const auto named = kCounters.named(kind);
        if (!named)
            wrong("counter", alternatives(kCounters.names));
        policy.counter.kind = named.value_or(policy.counter.kind);
        const bool isOfTokens = kind == "tokens" && policy.counter.usage == Counter::Usage::None;
        if (policy.counter.countsPrelude && !isOfTokens)
            wrong("counter.prelude", "false, unless the kind is tokens and no recorded usage is used");
        if (policy.counter.charactersPerToken <= 0)
            wrong("counter.characters_per_token", "more than 0");
        if (policy.counter.charactersPerTokenOfClaude.value_or(1) <= 0)
            wrong("counter.characters_per_token_of_claude", "more than 0");
    }

    /// `true` and `false` stand for `beside` and `none`.
    Counter::Usage usageOf(const Json &counter)
    {
        const auto found = counter.find("uses_recorded");
        if (found != counter.end() && found->is_boolean())
            return found->get<bool>() ? Counter::Usage::Beside : Counter::Usage::None;
        return choiceOf(counter, "uses_recorded", "counter.uses_recorded", kCounterUsages, Counter::Usage::None);
    }

    void readCacheMarks(const Json &json, Policy &policy)
    {
        const auto found = json.find("cache_marks");
        if (found == json.end() || found->is_null())
            return;
        CacheMarkPlaces &marks = policy.cacheMarks;
        marks = { .system = false, .lastBlock = false };
        const bool isObject = found->is_object();
        const Json places = isObject ? found->value("at", Json()) : *found;
        const auto isPlace
            = [&](const Json &each) { return each.is_string() && takePlace(each.get<std::string>(), marks); };
        if (!places.is_array() || !std::ranges::all_of(places, isPlace))
            wrong("cache_marks", "an array of \"system\", \"last-tool\", \"stable-assistant\" and \"last-block\"");
        const Json floor = isObject ? found->value("floor_bytes", Json(0)) : Json(0);
        if (!floor.is_number() || floor.get<double>() < 0)
            return wrong("cache_marks.floor_bytes", "a number of bytes, 0 or more");
        marks.floorBytes = floor.get<double>();
    }

    static bool takePlace(const std::string &name, CacheMarkPlaces &marks)
    {
        bool *const place = name == "system" ? &marks.system
            : name == "last-tool"            ? &marks.lastTool
            : name == "stable-assistant"     ? &marks.stableAssistant
            : name == "last-block"           ? &marks.lastBlock
                                             : nullptr;
        if (place != nullptr)
            *place = true;
        return place != nullptr;
    }

    void readWorker(const Json &json, Policy &policy)
    {
        const auto found = json.find("worker");
        if (found == json.end() || found->is_null())
            return;
        if (!found->is_object())
            return wrong("worker", "an object such as {\"delay\": \"2calls\"}");
        SummaryWorker &worker = policy.worker.emplace();
        if (const auto delay = parseWorkerDelay(textOf(*found, "delay", worker.delay.text())))
            worker.delay = *delay;
        else
            complain("worker.delay", ": " + delay.error().message);
        worker.reload = choiceOf(*found, "reload", "worker.reload", kReloads, worker.reload);
        worker.keepFrom = choiceOf(*found, "keep_from", "worker.keep_from", kKeepFroms, worker.keepFrom);
        worker.request = choiceOf(*found, "request", "worker.request", kWorkerRequests, worker.request);
        worker.model = textOf(*found, "model");
        if (const auto saves = parseFailingSaves(textOf(*found, "failing_saves", worker.failingSaves.text())))
            worker.failingSaves = *saves;
        else
            complain("worker.failing_saves", ": " + saves.error().message);
    }

    void readStages(const Json &json, Policy &policy)
    {
        const auto stages = json.find("stages");
        if (stages == json.end())
            return;
        if (!stages->is_array())
            return wrong("stages", "an array");
        for (m_stage = 0; *m_stage < stages->size(); ++*m_stage)
            policy.stages.push_back(stageOf((*stages)[*m_stage]));
        m_stage.reset();
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
            refuseStage(spec.stage);
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
            expected = "a number from " + formatted("{}", parameter.least) + " to "
                + (parameter.most < 1e6 ? formatted("{}", parameter.most)
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
            expected = alternatives(parameter.choices);
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
    std::optional<size_t> m_stage; ///< the stage being read
    std::optional<Error> m_error;
};

} // namespace

Result<Policy> readPolicy(const Json &json, std::string_view where, std::string_view text)
{
    return PolicyReader(where, text).read(json);
}

Result<Policy> parsePolicy(std::string_view json, std::string_view where)
{
    const Json parsed = parseJson(json, true);
    if (parsed.is_discarded()) {
        const JsonError error = jsonErrorOf(json, true).value_or(JsonError());
        return failure(ErrorKind::Malformed, "The policy is not valid JSON: " + error.reason + ".",
            where.empty() ? std::string() : std::string(where) + ":" + std::to_string(error.line));
    }
    return readPolicy(parsed, where, json);
}

} // namespace core
