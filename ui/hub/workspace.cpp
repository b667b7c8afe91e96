// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/workspace.h"

#include "core/session/slot_label.h"
#include "ui/files/read_session.h"
#include "ui/hub/better_policy_search.h"
#include "ui/hub/bookmarks.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/kept_overrides.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/session_findings.h"
#include "ui/hub/session_follower.h"
#include "ui/hub/session_keys.h"
#include "ui/hub/thread_facts.h"
#include "ui/look/theme.h"

namespace ui {

using namespace Qt::StringLiterals;

Workspace::Workspace(QObject *parent)
    : QObject(parent)
    , m_replays(std::make_unique<Replays>(*this))
    , m_facts(std::make_unique<ThreadFacts>(*this))
    , m_figures(std::make_unique<RunFigures>(*this))
    , m_comparisons(std::make_unique<Comparisons>(*this))
    , m_findings(std::make_unique<SessionFindings>(*this))
    , m_betterPolicy(std::make_unique<BetterPolicySearch>(*this))
    , m_keys(std::make_unique<SessionKeys>(*this))
    , m_bookmarks(std::make_unique<Bookmarks>(*this, *m_keys))
    , m_keptOverrides(std::make_unique<KeptOverrides>(*this, *m_keys))
    , m_follower(std::make_unique<SessionFollower>())
{
    connect(m_follower.get(), &SessionFollower::followed, this, &Workspace::showFollowed);
    connect(m_follower.get(), &SessionFollower::rested, this, [this] {
        m_isGrowing = false;
        Q_EMIT tokensChanged();
    });
    connect(&m_plans, &PlanHistory::changed, this, &Workspace::planChanged);
}

Workspace::~Workspace() = default;

void Workspace::setShownThread(core::ThreadIndex thread)
{
    if (thread == m_shownThread)
        return;
    m_shownThread = thread;
    Q_EMIT shownThreadChanged();
}

void Workspace::open(const std::filesystem::path &path, const std::filesystem::path &after)
{
    m_isReload = m_session && path == m_sessionPath;
    m_path = path;
    m_follower->follow(nullptr, {});
    setError(std::nullopt);
    m_loader.start(
        path, m_isReload ? m_session : nullptr,
        [this](core::SessionPtr session, SessionTokens rough, bool isFirst) {
            setSession(std::move(session), std::move(rough), isFirst);
        },
        [this, after](
            core::Result<LoadedSession> loaded, bool isFirst) { onLoaded(std::move(loaded), isFirst, after); });
    Q_EMIT loadingChanged();
}

void Workspace::onLoaded(core::Result<LoadedSession> loaded, bool isFirst, const std::filesystem::path &after)
{
    const bool isLoaded = loaded.has_value();
    const std::shared_ptr<core::Follower> file = isLoaded ? loaded->file : nullptr;
    if (!isLoaded)
        setError(loaded.error());
    else if (loaded->reread.before)
        showReread(std::move(*loaded));
    else
        setSession(std::move(loaded->session), std::move(loaded->rough), isFirst);
    Q_EMIT loadingChanged();
    if (isLoaded) {
        countTokens(file);
        m_keptOverrides->restore();
    }
    if (isLoaded && !after.empty())
        compareWith(after);
}

QStringList Workspace::lostOverrides() const
{
    QStringList lost;
    const auto add = [&](core::BlockId id, const QString &words) {
        if (carried(id).isValid())
            return;
        const core::Block &block = m_session->block(id);
        const QString number = block.message.isValid() ? u"#%1 "_s.arg(block.message.value()) : QString();
        lost << words.arg(number + displayText(core::labelOf(*m_session, block).text()));
    };
    const core::Overrides &overrides = plan().byHand();
    for (const core::BlockId id : overrides.keep)
        add(id, tr("pinned: %1"));
    for (const core::BlockId id : overrides.drop)
        add(id, tr("dropped: %1"));
    for (const core::TextEdit &each : overrides.replace)
        add(each.block, tr("edited: %1"));
    for (const core::TextInsertion &each : overrides.insert) {
        if (each.after.isValid())
            add(each.after, tr("a message inserted after: %1"));
    }
    return lost;
}

void Workspace::showReread(LoadedSession loaded)
{
    m_reread = std::move(loaded.reread);
    const QStringList lost = lostOverrides();
    const bool isOtherPlan = m_plans.rewrite([this](Plan &plan) {
        core::Overrides &overrides = plan.resting.isEmpty() ? plan.overrides : plan.resting;
        auto carried = core::carryOver(overrides, plan.missing, *m_reread.from, *m_reread.to);
        overrides = std::move(carried.overrides);
        plan.missing = std::move(carried.missing);
    });
    setSession(std::move(loaded.session), std::move(loaded.rough), true);
    m_reread = {};
    if (isOtherPlan)
        Q_EMIT planChanged();
    if (!lost.isEmpty())
        Q_EMIT overridesLost(lost);
}

void Workspace::showFollowed(const Followed &news)
{
    m_count.cancel();
    if (news.isGrown) {
        replaceSession(news.session, news.counts);
        m_isGrown = m_isGrowing = true;
        Q_EMIT sessionChanged(false);
        return;
    }
    m_isReload = true;
    showReread({ news.session, news.counts, news.reread, nullptr });
    m_isGrowing = false;
    Q_EMIT tokensChanged();
}

void Workspace::reload()
{
    if (!m_path.empty())
        open(m_path);
}

void Workspace::cancelLoading()
{
    m_loader.cancel();
    Q_EMIT loadingChanged();
}

core::Result<void> Workspace::openNow(const std::filesystem::path &path)
{
    m_path = path;
    m_isReload = false;
    m_loader.cancel();
    auto loaded = readSession(path);
    if (!loaded) {
        setError(loaded.error());
        return std::unexpected(loaded.error());
    }
    show(*loaded);
    return {};
}

void Workspace::show(core::SessionPtr session)
{
    SessionTokens counts = SessionTokens::counted(*session, nullptr);
    replaceSession(std::move(session), std::move(counts));
    startOver();
    Q_EMIT sessionChanged(true);
    Q_EMIT tokensChanged();
    Q_EMIT planChanged();
}

void Workspace::showArrays(AfterFile before, AfterFile after)
{
    m_arrayName = before.path.string();
    replaceSession(std::move(before.session), std::move(before.counts));
    m_plans.reset(core::openingKeep(*m_session));
    m_afterFile = std::move(after);
    m_shownThread = before.thread;
    Q_EMIT sessionChanged(true);
    Q_EMIT tokensChanged();
    Q_EMIT afterFileChanged();
}

void Workspace::setSession(core::SessionPtr session, SessionTokens rough, bool isNew)
{
    replaceSession(std::move(session), std::move(rough));
    const bool isOther = isNew && !m_isReload;
    if (isOther)
        startOver();
    Q_EMIT sessionChanged(isNew);
    if (isOther)
        Q_EMIT planChanged();
}

void Workspace::replaceSession(core::SessionPtr session, SessionTokens counts)
{
    m_session = std::move(session);
    m_sessionPath = m_path;
    m_counts = std::move(counts);
    m_isGrown = m_isGrowing = false;
    m_memo = std::make_shared<core::ChangeMemo>(m_session);
}

void Workspace::startOver()
{
    m_follower->follow(nullptr, {});
    m_keptOverrides->leave();
    m_plans.reset(core::openingKeep(*m_session));
    m_afterFile.reset();
    m_kept.reset();
    m_loader.cancelAfter();
}

void Workspace::countTokens(const std::shared_ptr<core::Follower> &file)
{
    const core::SessionPtr session = m_session;
    m_count.start(
        this, [session](core::Progress &progress) { return SessionTokens::counted(*session, &progress); },
        [this, session, file](SessionTokens counts) {
            if (counts.tokens && session == m_session) {
                m_counts = std::move(counts);
                Q_EMIT tokensChanged();
                if (!isLoading()) // a reload has begun: what it reads is followed
                    m_follower->follow(file, m_counts);
            }
            // A file that is followed may have grown since.
            if (const auto torn = session->torn(); torn && !(file && m_follower->isOn()))
                setError(*torn);
        },
        reporter());
}

std::function<void(const core::Error &)> Workspace::reporter()
{
    return [this](const core::Error &error) { report(error); };
}

void Workspace::compareWith(const std::filesystem::path &path)
{
    setError(std::nullopt);
    m_loader.startAfter(path, [this](core::Result<AfterFile> file) {
        if (!file)
            setError(file.error());
        else if (file->counts.tokens)
            setAfterFile(std::move(*file));
    });
}

core::Result<void> Workspace::compareWithNow(const std::filesystem::path &path)
{
    auto file = SessionLoader::readAfter(path);
    if (!file)
        return std::unexpected(file.error());
    setAfterFile(std::move(*file));
    return {};
}

void Workspace::stopComparing()
{
    m_loader.cancelAfter();
    if (m_afterFile)
        setAfterFile(std::nullopt);
}

void Workspace::setKept(Kept kept)
{
    m_kept = std::move(kept);
    Q_EMIT keptChanged();
}

void Workspace::setAfterFile(std::optional<AfterFile> file)
{
    m_afterFile = std::move(file);
    Q_EMIT afterFileChanged();
}

void Workspace::setError(std::optional<core::Error> error)
{
    m_error = std::move(error);
    Q_EMIT errorChanged();
}

Plan Workspace::planWith(core::PolicyPtr policy) const
{
    Plan plan = m_plans.plan();
    plan.policy = std::move(policy);
    return plan;
}

Plan Workspace::planWith(core::Policy policy) const
{
    return planWith(std::make_shared<const core::Policy>(std::move(policy)));
}

void Workspace::previewTrigger(const core::Measure &measure)
{
    if (trigger())
        previewPlan(m_plans.withSetting("trigger", measure));
}

} // namespace ui
