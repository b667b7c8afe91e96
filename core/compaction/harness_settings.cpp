// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/harness_settings.h"

#include "core/base/decimal_text.h"
#include "core/base/format.h"
#include "core/compaction/harness_table.h"

#include <algorithm>
#include <format>
#include <map>
#include <set>

namespace core {

namespace {

using FactMap = std::map<std::string, std::string, std::less<>>;

FactMap factMapOf(const Policy &policy)
{
    FactMap facts;
    for (PolicyFact &fact : factsOf(policy))
        facts.try_emplace(std::move(fact.path), std::move(fact.value));
    return facts;
}

/// A measure as the window's fields show it; any other value as it is.
std::string shownFact(const std::string &path, const std::string &value)
{
    const std::string_view name = std::string_view(path).substr(path.rfind('.') + 1);
    if (name != "trigger" && name != "keep")
        return value;
    const auto measure = parseMeasure(value);
    return measure ? measure->fieldText() : value;
}

/// Writes one policy for one harness.
class SettingsWriter final {
public:
    SettingsWriter(const Policy &policy, const Harness &harness, const SettingsPlace &place)
        : m_values(policy)
        , m_harness(harness)
        , m_place(place)
    {
        m_made.harness = harness.title;
        m_made.place = harness.place;
        m_made.language = harness.syntax == nullptr ? "" : harness.syntax->language;
    }

    HarnessSettings made()
    {
        for (const SettingsPart &part : m_harness.parts)
            write(part);
        trimLastCommas();
        if (!m_harness.preset.empty())
            compareWithHarness();
        if (m_place.overrides > 0)
            note(
                "Blocks that you kept, dropped or edited by hand belong to this session; the settings leave them out.");
        for (const std::string_view remark : m_harness.remarks)
            note(std::string(remark));
        return std::move(m_made);
    }

private:
    void note(std::string sentence)
    {
        if (!sentence.empty() && std::ranges::find(m_made.notes, sentence) == m_made.notes.end())
            m_made.notes.push_back(std::move(sentence));
    }

    void write(const SettingsPart &part)
    {
        const bool isThere = part.stage.empty() || m_values.isOn(part.stage);
        if (!isThere)
            m_made.text += part.absent;
        else
            m_made.text += part.open;
        for (const SettingsArgument &argument : part.arguments) {
            m_said.insert(argument.paths.begin(), argument.paths.end());
            if (isThere && argument.write != nullptr)
                write(argument, part.indent);
        }
        if (isThere)
            m_made.text += part.close;
    }

    void write(const SettingsArgument &argument, std::string_view indent)
    {
        const SettingsSyntax &syntax = argument.syntax != nullptr ? *argument.syntax : *m_harness.syntax;
        const SettingsSource source { m_values, m_place, syntax, m_harness.title };
        // If one argument expresses several settings, the setting of an enabled stage is written.
        const auto first = std::ranges::find_if(argument.paths,
            [&](std::string_view path) { return !path.contains('.') || m_values.isOn(stageOfPath(path)); });
        const std::string_view path
            = first == argument.paths.end() || !first->contains('.') ? argument.paths.front() : *first;
        const WrittenSetting written = argument.write(source, path);
        note(written.note);
        if (!written.text || !isTaken(argument, *written.text))
            return;
        m_made.text += formatted("{}{}{}{}{}{}{}\n", indent, syntax.quote, argument.name, syntax.quote, syntax.between,
            std::vformat(argument.around, std::make_format_args(*written.text)), syntax.behind);
        noteOthers(argument, source, path, *written.text);
    }

    /// Whether the harness takes this number. Notes it if not.
    [[nodiscard]] bool isTaken(const SettingsArgument &argument, const std::string &text)
    {
        const auto number = argument.range == nullptr ? std::nullopt : parseDecimal(text);
        if (!number || (*number >= argument.range->least && *number <= argument.range->most))
            return true;
        note(formatted("{} does not take {} as {}: it takes {}; this setting is left out.", m_harness.title, text,
            argument.name, argument.range->words));
        return false;
    }

    /// Notes settings with other values that share an argument with the written one.
    void noteOthers(const SettingsArgument &argument, const SettingsSource &source, std::string_view written,
        const std::string &text)
    {
        for (const std::string_view path : argument.paths) {
            const std::string_view stage = stageOfPath(path);
            if (path == written || stage == path)
                continue;
            if (!m_values.isOn(stage))
                note(formatted(
                    "{} is off here, but {} cannot run {} without it.", stage, m_harness.title, stageOfPath(written)));
            else if (argument.write(source, path).text != text)
                note(formatted("{2} has one setting, {4}, for both {3} and {0}. The printed value is that of {3}; {0} "
                               "is {1} here.",
                    path, shownValue(*m_values.parameter(path)), m_harness.title, written, argument.name));
        }
    }

    /// JSON allows no comma after the last member.
    void trimLastCommas()
    {
        if (m_made.language != "json")
            return;
        std::string kept;
        bool isText = false;
        for (size_t i = 0; i < m_made.text.size(); ++i) {
            const char sign = m_made.text[i];
            if (isText && sign == '\\') {
                kept += m_made.text.substr(i++, 2);
                continue;
            }
            isText = (sign == '"') != isText;
            const size_t next = m_made.text.find_first_not_of(" \n", i + 1);
            if (isText || sign != ',' || next == std::string::npos
                || (m_made.text[next] != ']' && m_made.text[next] != '}'))
                kept += sign;
        }
        m_made.text = std::move(kept);
    }

    /// Checks settings without an argument against the harness's own behaviour.
    void compareWithHarness()
    {
        const PolicyPtr own = preset(m_harness.preset);
        const FactMap theirs = factMapOf(*own);
        for (const PolicyFact &fact : factsOf(m_values.policy())) {
            const auto found = theirs.find(fact.path);
            const bool isStage = stageNamed(fact.path);
            if (isStage && found == theirs.end()) {
                if (fact.value == "on")
                    note(formatted("{} is a stage that {} does not have.", fact.path, m_harness.title));
            } else if (!m_said.contains(fact.path) && stageIsTheirs(fact.path, theirs)) {
                compare(fact, found == theirs.end() ? std::string() : found->second, isStage);
            }
        }
        noteMissing(theirs);
        noteOrder(*own);
    }

    void compare(const PolicyFact &fact, const std::string &theirs, bool isStage)
    {
        if (fact.value == theirs)
            return;
        if (isStage)
            note(formatted("{} is {} here; {} has no switch for that.", fact.path, fact.value, m_harness.title));
        else if (isLong(fact.value) || isLong(theirs))
            note(formatted("The text of {} differs from the text that {} writes; there is no setting for it.",
                fact.path, m_harness.title));
        else
            note(formatted("{} is {} here; {} has no setting for it{}.", fact.path,
                fact.value.empty() ? "empty" : shownFact(fact.path, fact.value), m_harness.title,
                theirs.empty() ? "" : " and uses " + shownFact(fact.path, theirs)));
    }

    /// Notes stages of the harness that the policy lacks, which count as off.
    void noteMissing(const FactMap &theirs)
    {
        const FactMap ours = factMapOf(m_values.policy());
        for (const auto &[path, value] : theirs) {
            if (stageNamed(path) && value == "on" && !ours.contains(path) && !m_said.contains(path))
                note(formatted("{} is off here; {} has no switch for it.", path, m_harness.title));
        }
    }

    void noteOrder(const Policy &own)
    {
        std::vector<std::string> theirs;
        for (const StageSpec &spec : own.stages)
            theirs.push_back(spec.stage);
        size_t at = 0;
        for (const StageSpec &spec : m_values.policy().stages) {
            const auto place = static_cast<size_t>(std::ranges::find(theirs, spec.stage) - theirs.begin());
            if (!spec.isEnabled || place == theirs.size())
                continue;
            if (place < at) {
                note(formatted("The stages have another order here than in {}.", m_harness.title));
                return;
            }
            at = place;
        }
    }

    [[nodiscard]] static bool isLong(const std::string &value)
    {
        constexpr size_t kMost = 80;
        return value.size() > kMost || value.contains('\n');
    }
    [[nodiscard]] bool stageNamed(std::string_view path) const
    {
        return std::ranges::any_of(m_values.policy().stages, [&](const StageSpec &spec) { return spec.stage == path; })
            || std::ranges::any_of(
                preset(m_harness.preset)->stages, [&](const StageSpec &spec) { return spec.stage == path; });
    }
    /// Whether a stage's details matter, because the harness has the stage on.
    [[nodiscard]] static bool stageIsTheirs(std::string_view path, const FactMap &theirs)
    {
        const std::string_view stage = stageOfPath(path);
        const auto found = theirs.find(stage);
        return found != theirs.end() && (path == stage || found->second != "off");
    }

    PolicyValues m_values;
    const Harness &m_harness;
    SettingsPlace m_place;
    HarnessSettings m_made;
    std::set<std::string_view> m_said;
};

} // namespace

std::vector<const Harness *> harnesses()
{
    std::vector<const Harness *> all;
    for (const Harness &harness : harnessTable())
        all.push_back(&harness);
    return all;
}

const Harness *harnessNamed(std::string_view id)
{
    const auto found = std::ranges::find(harnessTable(), id, &Harness::id);
    return found == harnessTable().end() ? nullptr : &*found;
}

const Harness *harnessOf(const Policy &policy)
{
    for (const Harness &harness : harnessTable()) {
        if (std::ranges::any_of(
                harness.sources, [&](std::string_view source) { return policy.provenance.source.starts_with(source); }))
            return &harness;
    }
    return nullptr;
}

std::string_view idOf(const Harness &harness) { return harness.id; }
std::string_view titleOf(const Harness &harness) { return harness.title; }

bool canSet(const Harness &harness, std::string_view setting)
{
    return std::ranges::any_of(harness.parts, [&](const SettingsPart &part) {
        return std::ranges::any_of(part.arguments, [&](const SettingsArgument &argument) {
            return !argument.name.empty() && std::ranges::contains(argument.paths, setting);
        });
    });
}

bool onlyLowers(const Harness &harness, std::string_view setting)
{
    return harness.onlyLowersTrigger && setting == "trigger";
}

PolicyPtr writtenPolicy(const Policy &policy, const Harness &harness)
{
    const PolicyPtr own = preset(harness.preset);
    if (!own)
        return nullptr;
    const FactMap theirs = factMapOf(*own);
    Policy written = *own;
    for (const PolicyFact &fact : factsOf(policy)) {
        const auto found = theirs.find(fact.path);
        if (!canSet(harness, fact.path) || (found != theirs.end() && found->second == fact.value))
            continue;
        if (auto changed = withSetting(written, fact.path, fact.value))
            written = std::move(*changed);
    }
    return std::make_shared<const Policy>(std::move(written));
}

HarnessSettings harnessSettings(const Policy &policy, const SettingsPlace &place)
{
    if (const Harness *harness = harnessOf(policy))
        return harnessSettings(policy, *harness, place);
    return { {}, {}, {},
        { policy.stages.empty() ? "This policy has no stages. Each harness has its own way to switch compaction off."
                                : "Palimpsest does not know the settings of this policy's harness." } };
}

HarnessSettings harnessSettings(const Policy &policy, const Harness &harness, const SettingsPlace &place)
{
    return harness.write != nullptr ? harness.write(policy, place) : SettingsWriter(policy, harness, place).made();
}

} // namespace core
