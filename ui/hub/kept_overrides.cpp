// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/kept_overrides.h"

#include "ui/hub/session_keys.h"
#include "ui/hub/workspace.h"

#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

KeptOverrides::KeptOverrides(Workspace &workspace, SessionKeys &keys)
    : m_workspace(workspace)
    , m_keys(keys)
{
    m_pool.setMaxThreadCount(1);
    m_stillness.setSingleShot(true);
    m_stillness.setInterval(kStillness);
    connect(&m_stillness, &QTimer::timeout, this, &KeptOverrides::keep);
    connect(&keys, &SessionKeys::found, this, [this] {
        if (std::exchange(m_wants, false))
            read();
        else if (m_canKeep) // after a reload, during which nothing was written
            m_stillness.start();
    });
    connect(&workspace, &Workspace::planChanged, this, [this] {
        if (m_canKeep && !m_workspace.isPreviewing())
            m_stillness.start();
    });
}

KeptOverrides::~KeptOverrides()
{
    leave();
    m_pool.waitForDone();
}

SessionDocument KeptOverrides::document(const std::filesystem::path &session)
{
    return SessionDocument::of(session, u"overrides"_s, "palimpsest.overrides/2", "file of your changes");
}

void KeptOverrides::leave()
{
    if (m_stillness.isActive())
        keep();
    m_read.cancel();
    m_wants = m_canKeep = false;
}

void KeptOverrides::restore()
{
    const SessionDocument opened = document(m_workspace.sessionPath());
    if (opened.path == m_document.path && (m_wants || m_canKeep))
        return;
    leave();
    m_document = opened;
    m_wants = m_keys.get() == nullptr;
    if (!m_wants)
        read();
}

void KeptOverrides::read()
{
    m_base = std::make_shared<core::KeyedOverrides>();
    m_read.start(
        this,
        [document = m_document, session = m_workspace.session(), keys = m_keys.get(), base = m_base](
            core::Progress &) -> core::Result<core::ReadOverrides> {
            const auto json = document.read();
            if (!json)
                return std::unexpected(json.error());
            auto read = core::parseOverrides(*session, core::jsonText(*json), document.path.toStdString());
            if (read)
                *base = core::keyedOverrides(read->overrides, *keys, read->missing);
            return read;
        },
        [this](const core::Result<core::ReadOverrides> &read) { take(read); }, m_workspace.reporter());
}

void KeptOverrides::take(const core::Result<core::ReadOverrides> &read)
{
    m_canKeep = read.has_value();
    if (!read)
        return m_workspace.report(read.error());
    const bool hasAny = !read->overrides.isEmpty() || !read->missing.isEmpty();
    if (hasAny && !m_workspace.plans().rest(read->overrides, read->missing))
        m_base = std::make_shared<core::KeyedOverrides>(); // the plan has others: both are kept
    // Something may have been changed before the file was read.
    m_stillness.start();
}

void KeptOverrides::keep()
{
    m_stillness.stop();
    const BlockKeysPtr &keys = m_keys.get();
    if (!m_canKeep || !keys)
        return;
    const Plan &plan = m_workspace.plan();
    m_write.start(
        this,
        [document = m_document, mine = core::keyedOverrides(plan.byHand(), *keys, plan.missing), base = m_base](
            core::Progress &) -> core::Result<void> {
            if (mine == *base)
                return {};
            const auto written = document.change([&](core::Json &json) -> core::Result<void> {
                const auto theirs = core::parseKeyedOverrides(core::jsonText(json), document.path.toStdString());
                if (!theirs)
                    return std::unexpected(theirs.error());
                json.update(core::overridesJson(core::merged(*base, mine, *theirs)));
                return {};
            });
            if (!written)
                return std::unexpected(written.error());
            *base = mine;
            return {};
        },
        [this](const core::Result<void> &written) {
            if (!written)
                m_workspace.report(written.error());
        },
        m_workspace.reporter());
}

void KeptOverrides::wait()
{
    m_keys.waitForKeys();
    m_read.wait();
    if (m_stillness.isActive())
        keep();
    m_write.wait();
}

} // namespace ui
