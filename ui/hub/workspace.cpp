// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/workspace.h"

#include "core/session/slot_label.h"
#include "core/tokens/counted_tokens.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/look/theme.h"

#include <QFile>
#include <QPointer>
#include <QUndoCommand>

#include <algorithm>
#include <thread>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

class PlanCommand final : public QUndoCommand {
public:
    PlanCommand(std::function<void(const Plan &)> setPlan, Plan from, Plan to, const QString &words)
        : QUndoCommand(words)
        , m_setPlan(std::move(setPlan))
        , m_from(std::move(from))
        , m_to(std::move(to))
    {
    }
    void undo() override { m_setPlan(m_from); }
    void redo() override { m_setPlan(m_to); }
    [[nodiscard]] Plan &from() { return m_from; }
    [[nodiscard]] Plan &to() { return m_to; }

private:
    std::function<void(const Plan &)> m_setPlan;
    Plan m_from;
    Plan m_to;
};

bool isSame(const core::PolicyPtr &a, const core::PolicyPtr &b)
{
    return a == b || (a && b && a->document == b->document);
}

bool isSame(const Plan &a, const Plan &b)
{
    return isSame(a.policy, b.policy) && a.overrides.keep == b.overrides.keep && a.overrides.drop == b.overrides.drop
        && a.missing == b.missing && a.keep == b.keep && a.honoursTriggers == b.honoursTriggers;
}

/// Opens a file, or one of the program's own resources (`:/…`).
core::Result<core::SourcePtr> openSource(const std::filesystem::path &path)
{
    const QString name = QString::fromStdString(path.string());
    if (!name.startsWith(u':'))
        return core::Source::open(path);
    QFile resource(name);
    if (!resource.open(QIODevice::ReadOnly))
        return core::failure(core::ErrorKind::NotFound, "The sample is missing from this build.", path.string());
    return core::Source::own(resource.readAll().toStdString(), path.filename().string());
}

unsigned workerCount() { return std::max(1U, std::thread::hardware_concurrency()); }

core::Result<core::SessionPtr> load(
    const std::filesystem::path &path, core::Progress *progress, const core::Publish &publish)
{
    const auto source = openSource(path);
    if (!source)
        return std::unexpected(source.error());
    return core::loadSession(*source, progress, publish, workerCount());
}

core::Result<AfterFile> loadAfter(const std::filesystem::path &path, core::Progress *progress)
{
    auto session = load(path, progress, {});
    if (!session)
        return std::unexpected(session.error());
    core::BlockTokensPtr tokens = core::countedTokens(**session, workerCount(), progress);
    return AfterFile { path, std::move(*session), std::move(tokens) };
}

} // namespace

Workspace::Workspace(QObject *parent)
    : QObject(parent)
    , m_replays(std::make_unique<Replays>(*this))
    , m_facts(std::make_unique<ThreadFacts>(*this))
    , m_figures(std::make_unique<RunFigures>(*this))
    , m_comparisons(std::make_unique<Comparisons>(*this))
{
}

Workspace::~Workspace() = default;

void Workspace::setShownThread(core::ThreadIndex thread)
{
    if (thread == m_shownThread)
        return;
    m_shownThread = thread;
    Q_EMIT shownThreadChanged();
}

core::Result<Workspace::Loaded> Workspace::load(const std::filesystem::path &path, const core::SessionPtr &before,
    core::Progress &progress, const core::Publish &publish)
{
    // Of a file that is read anew nothing is shown until all is there: what is looked at stays in its place.
    auto session = ui::load(path, &progress, before ? core::Publish() : publish);
    if (!session)
        return std::unexpected(session.error());
    Loaded loaded { std::move(*session), {} };
    if (before)
        loaded.reread = { before, std::make_shared<const core::BlockKeys>(*before),
            std::make_shared<const core::BlockKeys>(*loaded.session) };
    return loaded;
}

void Workspace::open(const std::filesystem::path &path, const std::filesystem::path &after)
{
    m_isReload = m_session && path == m_path;
    m_path = path;
    setError(std::nullopt);
    const uint64_t generation = ++m_generation;
    auto isFirst = std::make_shared<bool>(true);
    // Snapshots come from the worker; they are handed over by the event loop, and dropped when something newer runs.
    const QPointer<Workspace> self(this);
    const auto publish = [self, generation, isFirst](core::SessionPtr snapshot) {
        if (!self)
            return;
        QMetaObject::invokeMethod(
            self.data(),
            [self, generation, isFirst, snapshot = std::move(snapshot)] {
                if (!self || self->m_generation != generation || !self->m_load.isRunning())
                    return;
                self->setSession(snapshot, std::exchange(*isFirst, false));
            },
            Qt::QueuedConnection);
    };
    const core::SessionPtr before = m_isReload ? m_session : nullptr;
    m_load.start(
        this, [path, before, publish](core::Progress &progress) { return load(path, before, progress, publish); },
        [this, isFirst, after](core::Result<Loaded> result) {
            if (!result)
                setError(result.error());
            else if (result->reread.before)
                takeReread(std::move(*result));
            else
                setSession(result->session, std::exchange(*isFirst, false));
            Q_EMIT loadingChanged();
            if (result)
                countTokens();
            if (result && !after.empty())
                compareWith(after);
        });
    Q_EMIT loadingChanged();
}

void Workspace::takeReread(Loaded loaded)
{
    m_reread = std::move(loaded.reread);
    const auto carry = [this](Plan &plan) {
        auto carried = core::carryOver(plan.overrides, plan.missing, *m_reread.from, *m_reread.to);
        plan.overrides = std::move(carried.overrides);
        plan.missing = std::move(carried.missing);
    };
    QStringList lost;
    for (const auto &[list, words] :
        { std::pair(&m_plan.overrides.keep, tr("pinned: %1")), std::pair(&m_plan.overrides.drop, tr("dropped: %1")) }) {
        for (const core::BlockId id : *list) {
            if (carried(id).isValid())
                continue;
            const core::Block &block = m_session->block(id);
            const QString number = block.message.isValid() ? u"#%1 "_s.arg(block.message.value()) : QString();
            lost << words.arg(number + displayText(core::labelOf(*m_session, block).text()));
        }
    }
    const Plan before = m_plan;
    carry(m_plan);
    if (m_gesture)
        carry(*m_gesture);
    for (int i = 0; i < m_undoStack.count(); ++i) {
        // The stack shows its commands as they are; those of plans are ours, and stay the same steps.
        auto *command = const_cast<PlanCommand *>(dynamic_cast<const PlanCommand *>(m_undoStack.command(i)));
        if (command == nullptr)
            continue; // another's, which names nothing by its place
        carry(command->from());
        carry(command->to());
    }
    setSession(std::move(loaded.session), true);
    m_reread = {};
    if (!isSame(before, m_plan))
        Q_EMIT planChanged();
    if (!lost.isEmpty())
        Q_EMIT overridesLost(lost);
}

core::BlockId Workspace::carried(core::BlockId before) const
{
    return before.isValid() && m_reread.to ? m_reread.to->find(m_reread.from->of(before)) : core::BlockId();
}

void Workspace::reload()
{
    if (!m_path.empty())
        open(m_path);
}

void Workspace::cancelLoading()
{
    ++m_generation;
    m_load.cancel();
    Q_EMIT loadingChanged();
}

core::Result<void> Workspace::openNow(const std::filesystem::path &path)
{
    m_path = path;
    m_isReload = false;
    ++m_generation;
    auto loaded = ui::load(path, nullptr, {});
    if (!loaded) {
        setError(loaded.error());
        return std::unexpected(loaded.error());
    }
    show(*loaded);
    return {};
}

void Workspace::show(core::SessionPtr session)
{
    m_tokens = core::countedTokens(*session, workerCount(), nullptr);
    m_session = std::move(session);
    m_memo = std::make_shared<core::ChangeMemo>(m_session);
    m_undoStack.clear();
    m_plan = {};
    m_plan.keep = core::openingKeep(*m_session);
    m_gesture.reset();
    m_isPreviewing = false;
    m_afterFile.reset();
    m_kept.reset();
    m_loadAfter.cancel();
    Q_EMIT sessionChanged(true);
    Q_EMIT tokensChanged();
    Q_EMIT planChanged();
}

void Workspace::showArrays(AfterFile before, AfterFile after)
{
    m_arrayName = before.path.string();
    m_tokens = std::move(before.tokens);
    m_session = std::move(before.session);
    m_memo = std::make_shared<core::ChangeMemo>(m_session);
    m_plan.keep = core::openingKeep(*m_session);
    m_afterFile = std::move(after);
    m_shownThread = before.thread;
    Q_EMIT sessionChanged(true);
    Q_EMIT tokensChanged();
    Q_EMIT afterFileChanged();
}

void Workspace::setSession(core::SessionPtr session, bool isNew)
{
    m_session = std::move(session);
    m_memo = std::make_shared<core::ChangeMemo>(m_session);
    m_tokens = core::roughTokens(*m_session);
    const bool isOther = isNew && !m_isReload;
    if (isOther) {
        m_undoStack.clear();
        m_plan = {};
        m_plan.keep = core::openingKeep(*m_session);
        m_gesture.reset();
        m_isPreviewing = false;
        m_afterFile.reset();
        m_kept.reset();
        m_loadAfter.cancel();
    }
    Q_EMIT sessionChanged(isNew);
    if (isOther)
        Q_EMIT planChanged();
}

void Workspace::countTokens()
{
    const core::SessionPtr session = m_session;
    m_count.start(
        this, [session](core::Progress &progress) { return core::countedTokens(*session, workerCount(), &progress); },
        [this, session](core::BlockTokensPtr tokens) {
            if (tokens && session == m_session) {
                m_tokens = std::move(tokens);
                Q_EMIT tokensChanged();
            }
            if (const auto torn = session->torn())
                setError(*torn);
        });
}

void Workspace::compareWith(const std::filesystem::path &path)
{
    setError(std::nullopt);
    m_loadAfter.start(
        this, [path](core::Progress &progress) { return loadAfter(path, &progress); },
        [this](core::Result<AfterFile> file) {
            if (!file)
                setError(file.error());
            else if (file->tokens)
                setAfterFile(std::move(*file));
        });
}

core::Result<void> Workspace::compareWithNow(const std::filesystem::path &path)
{
    auto file = loadAfter(path, nullptr);
    if (!file)
        return std::unexpected(file.error());
    setAfterFile(std::move(*file));
    return {};
}

void Workspace::stopComparing()
{
    m_loadAfter.cancel();
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
    Plan plan = m_plan;
    plan.policy = std::move(policy);
    return plan;
}

Plan Workspace::planWith(core::Policy policy) const
{
    return planWith(std::make_shared<const core::Policy>(std::move(policy)));
}

void Workspace::previewPlan(const Plan &plan)
{
    if (isSame(m_plan, plan))
        return;
    m_isPreviewing = true;
    m_plan = plan;
    Q_EMIT planChanged();
}

void Workspace::setPlan(const Plan &plan)
{
    if (!std::exchange(m_isPreviewing, false) && isSame(m_plan, plan))
        return;
    m_plan = plan;
    Q_EMIT planChanged();
}

void Workspace::commitPlan(const Plan &from, const Plan &to, const QString &words)
{
    if (!isSame(from, to))
        m_undoStack.push(new PlanCommand([this](const Plan &plan) { setPlan(plan); }, from, to, words));
}

void Workspace::commitOverride(
    const std::vector<core::BlockId> &blocks, std::optional<Override> what, const QString &words)
{
    Plan plan = m_plan;
    for (auto *list : { &plan.overrides.keep, &plan.overrides.drop })
        std::erase_if(*list, [&](core::BlockId id) { return std::ranges::find(blocks, id) != blocks.end(); });
    if (what) {
        auto &list = *what == Override::Keep ? plan.overrides.keep : plan.overrides.drop;
        list.insert(list.end(), blocks.begin(), blocks.end());
        std::ranges::sort(list);
    }
    commitPlan(plan,
        !words.isEmpty()              ? words
            : !what                   ? tr("Clear Override")
            : *what == Override::Keep ? tr("Pin")
                                      : tr("Drop"));
}

std::optional<Workspace::Override> Workspace::overrideOf(core::BlockId block) const
{
    if (std::ranges::binary_search(m_plan.overrides.keep, block))
        return Override::Keep;
    if (std::ranges::binary_search(m_plan.overrides.drop, block))
        return Override::Drop;
    return std::nullopt;
}

const core::Measure &Workspace::keep() const { return m_plan.policy ? m_plan.policy->keep.measure : m_plan.keep; }

Plan Workspace::withKeep(const core::Measure &keep) const
{
    if (m_plan.policy)
        return withSetting("keep", keep);
    Plan plan = m_plan;
    plan.keep = keep;
    return plan;
}

Plan Workspace::withSetting(std::string_view key, const core::Measure &measure) const
{
    auto policy = core::withSetting(*m_plan.policy, key, measure.text());
    return policy ? planWith(std::move(*policy)) : m_plan;
}

void Workspace::previewKeep(const core::Measure &keep) { previewPlan(withKeep(keep)); }

void Workspace::commitKeep(const core::Measure &from, const core::Measure &to)
{
    if (from != to)
        commitPlan(withKeep(from), withKeep(to), tr("Change Keep to %1").arg(QString::fromStdString(to.words())));
}

std::optional<core::Measure> Workspace::trigger() const
{
    if (!m_plan.policy || m_plan.policy->trigger.measures.size() != 1)
        return std::nullopt;
    return m_plan.policy->trigger.measures.front();
}

void Workspace::previewTrigger(const core::Measure &measure)
{
    if (trigger())
        previewPlan(withSetting("trigger", measure));
}

void Workspace::endGesture(const QString &words)
{
    const auto from = std::exchange(m_gesture, std::nullopt);
    if (!from)
        return;
    commitPlan(*from, m_plan, words);
    if (m_isPreviewing)
        setPlan(m_plan); // it ended where it began: no step, but an end
}

void Workspace::cancelGesture()
{
    if (const auto from = std::exchange(m_gesture, std::nullopt))
        setPlan(*from);
}

} // namespace ui
