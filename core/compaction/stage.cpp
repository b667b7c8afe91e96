// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stage.h"

#include "core/base/format.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <cassert>

namespace core {

const ParameterSpec *StageKind::parameter(std::string_view name) const
{
    const auto found = std::ranges::find(parameters, name, &ParameterSpec::name);
    return found == parameters.end() ? nullptr : &*found;
}

bool injects(const StageSpec &spec)
{
    const StageKind *kind = stageKind(spec.stage);
    return kind != nullptr && kind->injects;
}

const ParameterValue &StageParameters::value(std::string_view name) const
{
    const auto found = m_spec->values.find(name);
    if (found != m_spec->values.end())
        return found->second;
    const ParameterSpec *spec = m_kind->parameter(name);
    assert(spec != nullptr);
    return spec->initial;
}

bool StageParameters::isOn(std::string_view name) const { return std::get<bool>(value(name)); }
double StageParameters::number(std::string_view name) const { return std::get<double>(value(name)); }
std::string StageParameters::text(std::string_view name) const { return std::get<std::string>(value(name)); }
std::vector<std::string> StageParameters::names(std::string_view name) const
{
    return std::get<std::vector<std::string>>(value(name));
}

bool StageParameters::listsTool(std::string_view name, const Block &block) const
{
    const auto &list = std::get<std::vector<std::string>>(value(name));
    const std::string_view tool = m_session->string(block.name);
    const ToolDeed deed = toolDeed(tool);
    return std::ranges::any_of(list,
        [&](const std::string &each) { return tool == each || (deed != ToolDeed::Other && deed == toolDeed(each)); });
}

size_t StageRun::cutoff() const { return cutoffOf(DraftArray(m_draft, policy()), keep(), context().windowTokens); }

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

Hash StageParameters::fingerprint() const
{
    std::string all(m_kind->id);
    const auto add
        = [&all](std::string_view text) { all.append(std::to_string(text.size())).append(":").append(text); };
    const auto addValue = [&](const ParameterValue &value) {
        if (const bool *isOn = std::get_if<bool>(&value))
            add(*isOn ? "on" : "off");
        else if (const double *number = std::get_if<double>(&value))
            add(formatted("{}", *number));
        else if (const std::string *text = std::get_if<std::string>(&value))
            add(*text);
        else {
            for (const std::string &each : std::get<std::vector<std::string>>(value))
                add(each);
            add("end");
        }
    };
    for (const ParameterSpec &each : m_kind->parameters)
        addValue(value(each.name));
    add(nameOf(unit()));
    add(m_context->sessionId);
    return hashOf(all);
}

RuleChanges::RuleChanges(const StageParameters &parameters, ChangeMemo *memo)
    : m_rule(parameters.kind().rule(parameters))
    , m_sheet(memo != nullptr ? memo->sheetOf(parameters.fingerprint()) : nullptr)
{
}

std::shared_ptr<const BlockChange> RuleChanges::of(const BlockPool &pool, BlockId block) const
{
    if (!m_rule.wants(pool.block(block)))
        return nullptr;
    const bool isShared = m_sheet && pool.isRecorded(block);
    if (isShared) {
        if (auto known = m_sheet->find(block))
            return std::move(*known);
    }
    std::optional<BlockChange> made = m_rule.make(pool, block);
    std::shared_ptr<const BlockChange> change = made ? std::make_shared<const BlockChange>(std::move(*made)) : nullptr;
    if (isShared)
        m_sheet->set(block, change);
    return change;
}

void StageRun::run()
{
    if (kind().rule != nullptr)
        changeEach();
    else
        kind().apply(*this);
}

void StageRun::changeEach()
{
    const RuleChanges changes(*this, m_draft.pool().memo());
    const auto visit = [&](size_t element) {
        if (const auto made = changes.of(m_draft.pool(), m_draft.elements()[element].block))
            change(element, *made);
    };
    if (changes.reach() == BlockRule::Reach::BeforeCutoff)
        forEachBefore(visit);
    else
        forEach(visit);
}

void StageRun::change(size_t element, const BlockChange &change)
{
    if (change.fate == Fate::Dropped)
        return drop(element, change.parts.front().why);
    std::optional<size_t> artifact;
    if (!change.artifact.empty())
        artifact = keepOriginal(element, change.artifact);
    m_draft.change(element, change, m_index, artifact);
}

void StageRun::shorten(size_t element, std::string text, Fate fate, std::string why, std::optional<size_t> artifact)
{
    const BlockId block = m_draft.elements()[element].block;
    m_draft.change(element, m_draft.pool().textChange(block, std::move(text), fate, std::move(why)), m_index, artifact);
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

} // namespace core
