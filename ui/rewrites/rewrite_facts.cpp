// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/rewrite_facts.h"

#include "ui/look/theme.h"
#include "ui/rewrites/rewrites_panel.h"

namespace ui {

using namespace std::chrono_literals;

namespace {

constexpr auto kLookAfter = 150ms; ///< of stillness

} // namespace

RewriteFactsFinder::RewriteFactsFinder(QObject *parent)
    : QObject(parent)
{
    m_lookTimer.setSingleShot(true);
    m_lookTimer.setInterval(kLookAfter);
    connect(&m_lookTimer, &QTimer::timeout, this, &RewriteFactsFinder::look);
}

void RewriteFactsFinder::setCompaction(const core::CompactionPtr &compaction, const core::RecoveryOptions &options)
{
    m_compaction = compaction;
    m_options = options;
    m_recoveries.reset();
    m_looking.cancel();
    m_lookTimer.stop();
    if (compaction && !compaction->rewrites.empty())
        m_lookTimer.start();
}

void RewriteFactsFinder::look()
{
    m_looking.start(
        this,
        [made = m_compaction, options = m_options](core::Progress &) mutable {
            options.folder = core::folderOf(*made->before.session(), {});
            return core::recoveriesOf(*made, options);
        },
        [this](core::Recoveries recoveries) {
            m_recoveries = std::move(recoveries);
            Q_EMIT changed();
        });
}

void RewriteFactsFinder::setRewrite(const core::Rewrite *rewrite)
{
    m_reading.cancel();
    m_facts.reset();
    if (rewrite == nullptr)
        return;
    m_reading.start(
        this, [made = m_compaction, rewrite = *rewrite](core::Progress &) { return factsOf(*made, rewrite); },
        [this](RewriteFacts facts) {
            m_facts = std::move(facts);
            Q_EMIT changed();
        });
}

bool RewriteFactsFinder::isRunning() const
{
    return m_reading.isRunning() || m_looking.isRunning() || m_lookTimer.isActive();
}

QStringList RewriteFactsFinder::words(const core::Rewrite &rewrite, int row) const
{
    if (!m_facts)
        return {};
    QStringList facts;
    if (m_facts->artifact.empty())
        facts << RewritesPanel::tr("artifact: none");
    else
        facts << (m_facts->difference.empty()
                ? RewritesPanel::tr("artifact: %1, the original byte for byte").arg(displayText(m_facts->artifact))
                : RewritesPanel::tr("artifact: %1. %2")
                      .arg(displayText(m_facts->artifact), displayText(m_facts->difference)));
    if (const QString recovery = recoveryWords(static_cast<size_t>(row));
        rewrite.block.isValid() && !recovery.isEmpty())
        facts << recovery;
    return facts;
}

QString RewriteFactsFinder::recoveryWords(size_t row) const
{
    if (!m_recoveries || row >= m_recoveries->rewrites.size())
        return {};
    const core::Recovery &recovery = m_recoveries->rewrites[row];
    QStringList places;
    for (const std::string &place : recovery.from)
        places << (place == "artifact"    ? RewritesPanel::tr("its artifact")
                : place == "working tree" ? RewritesPanel::tr("the file as it is now")
                : place == "git object"   ? RewritesPanel::tr("a git object")
                                          : RewritesPanel::tr("a later slot"));
    QString words = places.isEmpty()
        ? RewritesPanel::tr("the harness cannot recover it")
        : RewritesPanel::tr("the harness can recover it from %1").arg(places.join(RewritesPanel::tr(" and ")));
    if (recovery.fetchedBackAt.isValid())
        words += RewritesPanel::tr("; the recorded agent read it again at call %1").arg(recovery.fetchedBackAt.value());
    return words;
}

} // namespace ui
