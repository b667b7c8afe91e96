// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/view_state.h"

#include "core/compaction/observe.h"
#include "core/session/slot_label.h"
#include "core/weight/block_reasons.h"
#include "ui/hub/thread_facts.h"

#include <QEventLoop>

#include <algorithm>
#include <string_view>

namespace ui {

using namespace std::chrono_literals;

namespace {

/// Up to so many blocks in the array a plan is made at once, that is within a few milliseconds; more in a job.
constexpr size_t kPlannedAtOnce = 6'000;
constexpr size_t kPlannedWhileDragged = 1'000; ///< the same in a gesture, which is painted at every move
constexpr auto kSettledAfter = 120ms;          ///< of stillness
constexpr size_t kExplainedAtOnce = 4'000;     ///< blocks in the array
constexpr size_t kUnusedCallsAtOnce
    = 1'000; ///< the same for calls of the thread, over which tokens resent unused are counted

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool holds(std::string_view text, std::string_view loweredNeedle)
{
    const auto equal = [](char a, char b) { return lowered(a) == b; };
    return std::search(text.begin(), text.end(), loweredNeedle.begin(), loweredNeedle.end(), equal) != text.end();
}

} // namespace

ViewState::ViewState(Workspace &workspace, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
{
    connect(&workspace, &Workspace::sessionChanged, this, &ViewState::onSessionChanged);
    connect(&workspace, &Workspace::tokensChanged, this, &ViewState::rebuild);
    connect(&workspace, &Workspace::planChanged, this, &ViewState::onPlanChanged);
    m_settleTimer.setSingleShot(true);
    m_settleTimer.setInterval(kSettledAfter);
    connect(&m_settleTimer, &QTimer::timeout, this, &ViewState::settle);
    connect(&workspace, &Workspace::afterFileChanged, this, &ViewState::onAfterFileChanged);
    connect(&workspace.facts(), &ThreadFacts::usesChanged, this, [this] {
        m_ground.unused.reset();
        if (session() && m_picture.before.session() == session() && findUnused())
            takeUnused();
    });
}

void ViewState::onSessionChanged(bool isNew)
{
    const bool isReloaded = isNew && m_workspace.isReloaded();
    if (isNew) {
        m_made = {};
        m_planning.cancel();
        m_current = isReloaded ? m_workspace.carried(m_current) : core::BlockId();
        m_hovered = {};
        m_selection.clear();
    }
    // Where one stood in the file before it was read anew, if that is still there.
    const auto &threads = session()->threads;
    const bool isThere = m_position.thread.index() < threads.size()
        && (m_position.isEnd() || m_position.call.index() < threads[m_position.thread.index()].calls.size());
    if ((isNew && !isReloaded) || !isThere) {
        m_position = {};
        m_compaction.reset();
        m_followsHeaviest = true;
    }
    if (m_followsHeaviest)
        m_position = heaviestPosition(m_position.thread);
    m_workspace.setShownThread(m_position.thread);
    rebuild();
    if (isNew && !m_current.isValid())
        chooseOpeningSlot();
    else if (isReloaded)
        Q_EMIT currentChanged();
}

core::Position ViewState::heaviestPosition(core::ThreadIndex thread) const
{
    core::Position position;
    position.thread = thread;
    if (!session())
        return position;
    uint64_t most = 0;
    const auto &calls = session()->thread(thread).calls;
    for (size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].usage && calls[i].usage->prompt() > most) {
            most = calls[i].usage->prompt();
            position.call = core::CallIndex(i);
        }
    }
    return position;
}

void ViewState::setPosition(core::Position position, std::optional<size_t> compaction)
{
    m_followsHeaviest = false;
    if (position == m_position && compaction == m_compaction)
        return;
    const bool isOtherThread = position.thread != m_position.thread;
    m_position = position;
    m_compaction = compaction;
    m_workspace.setShownThread(position.thread);
    rebuild();
    if (isOtherThread && !currentSlot().isValid())
        chooseOpeningSlot();
}

const core::RecordedCompaction *ViewState::shownCompaction() const
{
    const auto &all = session()->thread(m_position.thread).compactions;
    const bool isOne = m_compaction && *m_compaction < all.size() && all[*m_compaction].call == m_position.call;
    return isOne && !m_position.isEnd() ? &all[*m_compaction] : core::compactionAfter(*session(), m_position);
}

void ViewState::chooseOpeningSlot()
{
    setCurrentSlot(m_picture.hot.blocks.empty() ? core::SlotIndex(0U) : m_picture.hot.blocks.front().slot);
}

core::BlockId ArrayPicture::originOf(core::BlockId blockAfter) const
{
    if (!made())
        return blockAfter;
    const auto blocks = after.blocks();
    const auto found = std::ranges::find(blocks, blockAfter);
    return found == blocks.end() ? core::BlockId() : made()->origins[static_cast<size_t>(found - blocks.begin())];
}

void ViewState::overrideCurrentBlock(std::optional<Workspace::Override> what)
{
    if (currentSlot().isValid())
        m_workspace.commitOverride({ m_current }, what);
}

std::vector<Aftermath> ViewState::aftermaths() const
{
    std::vector<Aftermath> all;
    if (!session())
        return all;
    if (core::compactionAfter(*session(), m_position) != nullptr)
        all.push_back(Aftermath::Recorded);
    if (m_workspace.plan().isSimulated())
        all.push_back(Aftermath::Simulated);
    if (m_workspace.afterFile())
        all.push_back(Aftermath::Observed);
    return all;
}

Aftermath ViewState::aftermath() const
{
    const std::vector<Aftermath> all = aftermaths();
    return all.empty() || std::ranges::find(all, m_aftermath) != all.end() ? m_aftermath : all.back();
}

void ViewState::setAftermath(Aftermath aftermath)
{
    if (aftermath == m_aftermath)
        return;
    m_aftermath = aftermath;
    rebuild();
}

void ViewState::onPlanChanged()
{
    // Choosing a policy is asking to see what it does.
    const bool isSimulated = m_workspace.plan().isSimulated();
    if (isSimulated && !m_wasSimulated)
        m_aftermath = Aftermath::Simulated;
    m_wasSimulated = isSimulated;
    makeAftermath();
    // While a plan is being made, the picture at hand stays: it is composed anew when the plan is there.
    if (!m_planning.isRunning() || !m_made.compaction)
        compose();
}

void ViewState::overrideSelection(std::optional<Workspace::Override> what)
{
    std::vector<core::BlockId> blocks;
    for (const core::SlotIndex slot : m_selection) {
        const auto own = m_picture.before.blocksOf(m_picture.before.slot(slot));
        blocks.insert(blocks.end(), own.begin(), own.end());
    }
    if (!blocks.empty())
        m_workspace.commitOverride(blocks, what);
}

void ViewState::onAfterFileChanged()
{
    if (m_workspace.afterFile())
        m_aftermath = Aftermath::Observed;
    rebuild();
}

void ViewState::rebuild()
{
    makeAftermath();
    compose();
}

void ViewState::makeAftermath()
{
    const Plan &plan = m_workspace.plan();
    const std::vector<Aftermath> all = aftermaths();
    if (all.empty() || aftermath() == Aftermath::Recorded) {
        m_planning.cancel();
        m_made = {};
        return;
    }
    const bool isKnown = m_made.compaction && m_made.session == session().get() && m_made.position == m_position;
    const core::Transcript before
        = isKnown ? m_made.compaction->before : core::Transcript(session(), core::rangesAt(*session(), m_position));
    size_t blocks = before.blocks().size();
    Made wanted { nullptr, aftermath(), session().get(), nullptr, m_position };
    std::function<core::CompactionPtr(core::Progress &)> work;
    if (wanted.kind == Aftermath::Observed) {
        const core::SessionPtr &other = m_workspace.afterFile()->session;
        const core::Transcript after(other, core::rangesAt(*other, { m_workspace.afterFile()->thread, {} }));
        blocks += after.blocks().size();
        wanted.otherSession = other.get();
        if (m_made.compaction && m_made.isOfTheSame(wanted))
            return; // neither plan nor weights change it
        work = [before, after, tokens = m_workspace.afterFile()->tokens](core::Progress &) {
            return std::make_shared<const core::Compaction>(core::observe(before, after, tokens));
        };
    } else {
        core::CompactOptions options;
        options.position = m_position;
        options.ignoresTriggers = !plan.honoursTriggers;
        options.overrides = plan.overrides;
        options.memo = m_workspace.memo();
        work = [before, policy = plan.policy ? plan.policy : core::preset("none"), tokens = m_workspace.tokens(),
                   options](core::Progress &) {
            return std::make_shared<const core::Compaction>(core::compact(before, policy, *tokens, options));
        };
    }
    if (blocks <= (m_workspace.isInGesture() ? kPlannedWhileDragged : kPlannedAtOnce)) {
        m_planning.cancel();
        core::Progress progress;
        m_made = wanted;
        m_made.compaction = work(progress);
        return;
    }
    // The picture at hand stays until the new one is there, if it is of the same array.
    if (!m_made.isOfTheSame(wanted))
        m_made = {};
    // While dragging, every plan that is finished is shown, and the newest is begun after it: none is cancelled for the
    // next, so that the picture follows.
    if (m_planning.isRunning() && m_beingMade.isOfTheSame(wanted)) {
        m_isOutdated = true;
        return;
    }
    m_isOutdated = false;
    m_beingMade = wanted;
    m_planning.start(this, work, [this, wanted](core::CompactionPtr made) {
        m_made = wanted;
        m_made.compaction = std::move(made);
        if (std::exchange(m_isOutdated, false))
            makeAftermath();
        compose();
    });
}

void ViewState::waitForPicture()
{
    while (m_planning.isRunning()) {
        QEventLoop loop;
        connect(this, &ViewState::pictureChanged, &loop, &QEventLoop::quit);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
}

void ViewState::compose()
{
    m_picture = {};
    m_picture.position = m_position;
    m_reasons.cancel();
    m_findUnused.cancel();
    m_settleTimer.stop();
    if (!session()) {
        m_ground = {};
        Q_EMIT pictureChanged();
        Q_EMIT pictureSettled();
        return;
    }
    const core::Session &loaded = *session();
    m_picture.weights = core::Weights(m_workspace.tokens(), m_unit);
    m_picture.weightsAfter = m_picture.weights;
    (m_made.kind == Aftermath::Simulated ? m_picture.simulated : m_picture.observed) = m_made.compaction;
    const core::CompactionPtr &made = m_picture.made();
    if (!made && (!m_planning.isRunning() || aftermath() == Aftermath::Recorded))
        m_picture.compaction = shownCompaction();
    if (m_picture.compaction != nullptr) {
        const auto &all = loaded.thread(m_position.thread).compactions;
        m_picture.compactionNumber = static_cast<size_t>(m_picture.compaction - all.data()) + 1;
        m_picture.before = core::Transcript(session(), m_picture.compaction->before);
        m_picture.after = core::Transcript(session(), m_picture.compaction->after);
        m_picture.unloggedAfter
            = core::recordedSizes(loaded, m_position.thread, m_picture.compactionNumber - 1, *m_workspace.tokens())
                  .unloggedAfter.value_or(core::Unlogged());
    } else if (made) {
        m_picture.before = made->before;
        m_picture.after = made->after;
        m_picture.weightsAfter = core::Weights(made->afterTokens, m_unit);
    } else {
        m_picture.before = core::Transcript(session(), core::rangesAt(loaded, m_position));
    }
    const bool isOtherGround = findGround();
    m_picture.unlogged = m_ground.unlogged;
    if (m_picture.simulated) {
        m_picture.unloggedAfter = m_picture.unlogged;
        if (!m_picture.simulated->changesNothing())
            m_picture.unloggedAfter.recorded = 0; // nobody has sent it
    }
    m_picture.cutoff = m_picture.simulated && m_workspace.plan().policy
        ? m_picture.simulated->cutoff.index()
        : core::keepCutoff(m_picture.before, m_workspace.keep(), *m_workspace.tokens());
    if (!m_ground.unused)
        findUnused();
    findHot();
    if (m_picture.before.blocks().size() <= kExplainedAtOnce)
        explainHot();
    std::erase_if(m_selection, [&](core::SlotIndex slot) { return slot.index() >= m_picture.before.slotCount(); });
    const core::SlotIndex slot = currentSlot();
    if (!slot.isValid())
        m_selection.clear(); // what was selected is not in this array
    else if (std::ranges::find(m_selection, slot) == m_selection.end())
        m_selection = { slot };
    Q_EMIT pictureChanged();
    search();
    if (m_workspace.isPreviewing() && !isOtherGround)
        m_settleTimer.start();
    else
        settle();
}

void ViewState::settle()
{
    if (m_picture.before.blocks().size() > kExplainedAtOnce)
        explainHot();
    Q_EMIT pictureSettled();
}

bool ViewState::findGround()
{
    const bool isFound = m_ground.session == session() && m_ground.tokens == m_workspace.tokens()
        && m_ground.position == m_position && m_ground.unit == m_unit && m_ground.compaction == m_picture.compaction;
    if (isFound)
        return false;
    m_ground = { session(), m_workspace.tokens(), m_position, m_unit, m_picture.compaction,
        core::HotZoneFinder(m_picture.before, m_position, m_picture.weights), std::nullopt,
        core::unloggedAt(*session(), m_position, *m_workspace.tokens()), {} };
    return true;
}

void ViewState::findHot()
{
    m_picture.hot = m_ground.hot.before(m_picture.cutoff);
    if (m_ground.unused)
        m_picture.hot = m_ground.unused->before(m_picture.cutoff, m_picture.hot);
    showReasons();
}

bool ViewState::findUnused()
{
    const UsesPtr &uses = m_workspace.facts().uses();
    if (!uses || !m_workspace.tokens())
        return false;
    const auto find = [array = m_picture.before, position = m_position, weights = m_picture.weights, uses](
                          core::Progress &) { return core::UnusedZoneFinder(array, position, weights, *uses); };
    const size_t calls = session()->thread(m_position.thread).calls.size();
    if (m_picture.before.blocks().size() <= kExplainedAtOnce && calls <= kUnusedCallsAtOnce) {
        core::Progress progress;
        m_ground.unused = find(progress);
        return true;
    }
    m_findUnused.start(this, find, [this](core::UnusedZoneFinder unused) {
        m_ground.unused = std::move(unused);
        takeUnused();
    });
    return false;
}

void ViewState::takeUnused()
{
    findHot();
    if (m_picture.before.blocks().size() <= kExplainedAtOnce)
        explainHot();
    else
        m_settleTimer.start(); // reasons are found where one stays
    Q_EMIT hotChanged();
}

void ViewState::explainHot()
{
    std::vector<core::BlockId> unknown;
    for (const core::HotBlock &each : m_picture.hot.blocks) {
        if (!m_ground.reasons.contains(each.block))
            unknown.push_back(each.block);
    }
    if (unknown.empty())
        return;
    const core::ThreadIndex thread = m_position.thread;
    if (m_picture.before.blocks().size() <= kExplainedAtOnce)
        return learnReasons(unknown, core::blockReasons(m_picture.before, thread, unknown));
    m_reasons.start(
        this,
        [array = m_picture.before, thread, unknown](
            core::Progress &) { return core::blockReasons(array, thread, unknown); },
        [this, unknown](std::vector<std::string> reasons) {
            learnReasons(unknown, std::move(reasons));
            Q_EMIT hotChanged();
        });
}

void ViewState::learnReasons(const std::vector<core::BlockId> &blocks, std::vector<std::string> reasons)
{
    for (size_t i = 0; i < blocks.size(); ++i)
        m_ground.reasons[blocks[i]] = std::move(reasons[i]);
    showReasons();
}

void ViewState::showReasons()
{
    for (core::HotBlock &each : m_picture.hot.blocks) {
        const auto known = m_ground.reasons.find(each.block);
        if (known != m_ground.reasons.end())
            each.reason = known->second;
    }
}

void ViewState::setCurrentBlock(core::BlockId block)
{
    if (block == m_current)
        return;
    m_current = block;
    const core::SlotIndex slot = currentSlot();
    m_selection.clear();
    if (slot.isValid())
        m_selection.push_back(slot);
    Q_EMIT currentChanged();
}

void ViewState::setCurrentSlot(core::SlotIndex slot)
{
    if (!slot.isValid() || slot.index() >= m_picture.before.slotCount())
        return;
    const auto blocks = m_picture.before.blocksOf(m_picture.before.slot(slot));
    const auto heaviest
        = std::ranges::max_element(blocks, {}, [&](core::BlockId id) { return m_picture.weights.of(*session(), id); });
    m_current = *heaviest;
    m_selection = { slot };
    Q_EMIT currentChanged();
    Q_EMIT revealRequested(slot);
    setHoveredBlock({}); // views have moved below the pointer; what was chosen is told
}

void ViewState::setSelection(std::vector<core::SlotIndex> slots)
{
    std::ranges::sort(slots);
    m_selection = std::move(slots);
    Q_EMIT currentChanged();
}

void ViewState::setHoveredBlock(core::BlockId block)
{
    if (block == m_hovered)
        return;
    m_hovered = block;
    Q_EMIT hoverChanged();
}

void ViewState::setUnit(core::WeightUnit unit)
{
    if (unit == m_unit)
        return;
    m_unit = unit;
    rebuild();
}

void ViewState::setColourBy(ColourBy colourBy)
{
    if (colourBy == m_colourBy)
        return;
    m_colourBy = colourBy;
    Q_EMIT pictureChanged();
}

QColor ViewState::colourOf(const core::Transcript &transcript, const core::Slot &slot) const
{
    switch (m_colourBy) {
    case ColourBy::Material:
        return m_theme.of(core::materialOf(transcript, slot));
    case ColourBy::Role:
        switch (slot.role) {
        case core::Role::System:
            return m_theme.of(core::Material::System);
        case core::Role::User:
            return m_theme.of(transcript.block(transcript.blocksOf(slot).front()).kind == core::BlockKind::ToolResult
                    ? core::Material::Bulk
                    : core::Material::Summary);
        case core::Role::Assistant:
            return m_theme.of(core::Material::ToolRequest);
        case core::Role::Tool:
            return m_theme.of(core::Material::Bulk);
        }
        break;
    case ColourBy::Age: {
        // Older slots fade towards the base: what has been resent longest is palest.
        const double newest = std::max<double>(1.0, static_cast<double>(session()->messages.size()) - 1);
        const double share = static_cast<double>(slot.id.value()) / newest;
        const QColor &from = m_theme.of(core::Material::Prose);
        const QColor &to = m_theme.of(core::Material::Image);
        const auto mix = [&](int a, int b) { return static_cast<int>(a + (b - a) * share); };
        return { mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()) };
    }
    }
    return m_theme.of(core::Material::Prose);
}

void ViewState::setTheme(const Theme &theme)
{
    m_theme = theme;
    Q_EMIT themeChanged();
}

void ViewState::setFindText(const QString &text)
{
    if (text == m_findText)
        return;
    m_findText = text;
    search();
}

void ViewState::search()
{
    if (m_findText.isEmpty() || !session()) {
        m_search.cancel();
        m_matches.clear();
        Q_EMIT matchesChanged(); // even without a match: a search that had not ended may be shown as under way
        return;
    }
    std::string needle = m_findText.toStdString();
    std::ranges::transform(needle, needle.begin(), lowered);
    m_search.start(
        this,
        [transcript = m_picture.before, needle](core::Progress &progress) {
            std::vector<core::SlotIndex> found;
            const core::Session &searched = *transcript.session();
            for (size_t i = 0; i < transcript.slotCount() && !progress.isCancelled(); ++i) {
                for (const core::BlockId id : transcript.blocksOf(transcript.slots()[i])) {
                    const core::Block &block = searched.block(id);
                    const bool isText = block.body.coding != core::Coding::Base64;
                    if (holds(searched.string(block.name), needle)
                        || (isText && holds(searched.text(block.body), needle))) {
                        found.emplace_back(i);
                        break;
                    }
                }
            }
            return found;
        },
        [this](std::vector<core::SlotIndex> found) {
            m_matches = std::move(found);
            Q_EMIT matchesChanged();
        });
}

void ViewState::nextMatch(int direction)
{
    if (m_matches.empty())
        return;
    const core::SlotIndex current = currentSlot();
    if (direction > 0) {
        const auto next = current.isValid() ? std::ranges::upper_bound(m_matches, current) : m_matches.begin();
        setCurrentSlot(next == m_matches.end() ? m_matches.front() : *next);
    } else {
        const auto at = current.isValid() ? std::ranges::lower_bound(m_matches, current) : m_matches.begin();
        setCurrentSlot(at == m_matches.begin() ? m_matches.back() : *std::prev(at));
    }
}

void ViewState::stepSlot(int delta)
{
    const size_t count = m_picture.before.slotCount();
    if (count == 0)
        return;
    const core::SlotIndex current = currentSlot();
    const int from = current.isValid() ? static_cast<int>(current.value()) : (delta > 0 ? -1 : 0);
    setCurrentSlot(core::SlotIndex(std::clamp(from + delta, 0, static_cast<int>(count) - 1)));
}

void ViewState::stepCall(int delta)
{
    if (!session())
        return;
    const auto count = static_cast<int>(session()->thread(m_position.thread).calls.size());
    const int from = m_position.isEnd() ? count : static_cast<int>(m_position.call.value());
    const int to = std::clamp(from + delta, 0, count);
    core::Position position = m_position;
    position.call = to == count ? core::CallIndex() : core::CallIndex(to);
    setPosition(position);
}

void ViewState::stepHot(int delta)
{
    std::vector<core::SlotIndex> hot;
    for (const core::HotBlock &block : m_picture.hot.blocks)
        hot.push_back(block.slot);
    std::ranges::sort(hot);
    if (hot.empty())
        return;
    const core::SlotIndex current = currentSlot();
    if (delta > 0) {
        const auto next = current.isValid() ? std::ranges::upper_bound(hot, current) : hot.begin();
        setCurrentSlot(next == hot.end() ? hot.front() : *next);
    } else {
        const auto at = current.isValid() ? std::ranges::lower_bound(hot, current) : hot.begin();
        setCurrentSlot(at == hot.begin() ? hot.back() : *std::prev(at));
    }
}

void ViewState::stepSameKind(int delta)
{
    const core::SlotIndex current = currentSlot();
    if (!current.isValid())
        return;
    const core::Transcript &transcript = m_picture.before;
    const core::Material kind = core::materialOf(transcript, transcript.slot(current));
    for (auto i = static_cast<int64_t>(current.index()) + delta;
        i >= 0 && i < static_cast<int64_t>(transcript.slotCount()); i += delta) {
        const core::SlotIndex slot(static_cast<size_t>(i));
        if (core::materialOf(transcript, transcript.slot(slot)) == kind) {
            setCurrentSlot(slot);
            return;
        }
    }
}

} // namespace ui
