// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/traces.h"

#include "core/base/text.h"
#include "core/evidence/trace_verdict.h"
#include "core/session/slot_label.h"
#include "ui/hub/replays.h"
#include "ui/hub/workspace.h"
#include "ui/look/theme.h"

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t kNameLength = 48; ///< code points

QString nameOf(const core::Session &session, core::BlockId id)
{
    const core::Block &block = session.block(id);
    const core::SlotLabel label = core::labelOf(session, block);
    QString name = block.message.isValid() ? u"#%1 "_s.arg(block.message.value()) : QString();
    name += displayText(label.text());
    if (!label.subject.empty())
        name += u' ' + displayText(core::snippet(label.subject, kNameLength));
    return name;
}

} // namespace

Traces::Traces(Workspace &workspace)
    : m_workspace(workspace)
{
    connect(&workspace, &Workspace::sessionChanged, this, &Traces::onSessionChanged);
    connect(&workspace.replays(), &Replays::changed, this, &Traces::takeReplay);
}

Traces::~Traces() = default;

void Traces::onSessionChanged(bool isNew)
{
    if (!isNew)
        return;
    if (!m_workspace.isReloaded())
        return clear();
    for (const auto &entry : m_traced) {
        if (entry->traced.block.isValid())
            entry->traced.block = m_workspace.carried(entry->traced.block);
    }
    std::erase_if(
        m_traced, [](const auto &entry) { return entry->traced.text.empty() && !entry->traced.block.isValid(); });
    m_current.reset();
    Q_EMIT changed();
}

void Traces::setCurrent(std::optional<size_t> index)
{
    if (index == m_current)
        return;
    m_current = index;
    Q_EMIT changed();
}

void Traces::traceText(const std::string &text)
{
    const std::string_view blanks = " \t\r\n";
    const size_t from = text.find_first_not_of(blanks);
    if (from == std::string::npos)
        return;
    Traced traced;
    traced.text = text.substr(from, text.find_last_not_of(blanks) + 1 - from);
    traced.name = u'“' + displayText(core::snippet(traced.text, kNameLength)) + u'”';
    add(std::move(traced));
}

void Traces::traceBlock(core::BlockId block)
{
    if (!block.isValid() || !m_workspace.session())
        return;
    Traced traced;
    traced.block = block;
    traced.name = nameOf(*m_workspace.session(), block);
    add(std::move(traced));
}

void Traces::add(Traced traced)
{
    const auto known = std::ranges::find_if(m_traced,
        [&](const auto &entry) { return entry->traced.text == traced.text && entry->traced.block == traced.block; });
    m_current = static_cast<size_t>(known - m_traced.begin());
    if (known == m_traced.end()) {
        m_traced.push_back(std::make_unique<Entry>());
        m_traced.back()->traced = std::move(traced);
        start(*m_traced.back());
        startPolicy(*m_traced.back());
    }
    Q_EMIT changed();
}

void Traces::start(Entry &entry)
{
    if (!m_ground || m_ground->spans.session != m_workspace.session())
        return; // it starts with the next ground
    entry.job.start(
        this,
        [ground = m_ground, traced = entry.traced](core::Progress &progress) {
            return find(ground->spans, ground->unlogged, *ground->tokens, traced, progress);
        },
        [this, entry = &entry](Found found) {
            entry->traced.life = std::move(found.life);
            entry->traced.verdict = std::move(found.verdict);
            Q_EMIT changed();
        },
        m_workspace.reporter());
}

void Traces::takeReplay()
{
    m_replay = m_workspace.replays().current();
    for (const auto &entry : m_traced)
        startPolicy(*entry);
    if (!m_traced.empty())
        Q_EMIT changed();
}

void Traces::startPolicy(Entry &entry)
{
    if (!m_replay || m_replay->ground->log.session != m_workspace.session()) {
        entry.policyJob.cancel();
        entry.traced.policyLife.reset();
        entry.traced.policyVerdict.clear();
        return;
    }
    entry.policyJob.start(
        this,
        [replay = m_replay, traced = entry.traced](
            core::Progress &progress) { return find(replay->spans, {}, *replay->tokens, traced, progress); },
        [this, entry = &entry](Found found) {
            entry->traced.policyLife = std::move(found.life);
            entry->traced.policyVerdict = std::move(found.verdict);
            Q_EMIT changed();
        },
        m_workspace.reporter());
}

Traces::Found Traces::find(const core::ContextSpans &spans, std::span<const core::UnloggedStretch> unlogged,
    const core::BlockTokens &tokens, const Traced &traced, core::Progress &progress)
{
    auto life = traced.block.isValid() ? core::traceBlock(spans, traced.block, unlogged, &progress)
                                       : core::traceText(spans, traced.text, unlogged, &progress);
    if (!life)
        return {};
    Found found;
    found.verdict = displayText(core::traceVerdict(spans, *life, unlogged, tokens));
    found.life = std::make_shared<const core::Trace>(std::move(*life));
    return found;
}

void Traces::remove(size_t index)
{
    m_traced.erase(m_traced.begin() + static_cast<std::ptrdiff_t>(index));
    m_current.reset();
    Q_EMIT changed();
}

bool Traces::removeOne()
{
    if (m_traced.empty())
        return false;
    remove(m_current.value_or(m_traced.size() - 1));
    return true;
}

void Traces::clear()
{
    m_current.reset();
    if (m_traced.empty())
        return;
    m_traced.clear();
    Q_EMIT changed();
}

void Traces::setGround(TraceGroundPtr ground)
{
    m_ground = std::move(ground);
    for (const auto &entry : m_traced) {
        entry->job.cancel();
        entry->traced.life.reset();
        entry->traced.verdict.clear();
        start(*entry);
    }
    Q_EMIT changed();
}

} // namespace ui
