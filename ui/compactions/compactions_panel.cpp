// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/compactions/compactions_panel.h"

#include "core/compaction/observe.h"
#include "core/session/outline.h"
#include "ui/compactions/loss_model.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/session_findings.h"
#include "ui/hub/thread_facts.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/word_button.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kCellPadding = 16;

QString noCompactionWords()
{
    return CompactionsPanel::tr(
        "This thread records no compaction. Choose a policy that acts at this call to see what it would lose.");
}

bool isClearingKind(const core::RecordedCompaction &compaction)
{
    return compaction.kind == core::CompactionKind::Clearing;
}

} // namespace

CompactionsPanel::CompactionsPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_steps(new QWidget(this))
    , m_place(new QLabel(m_steps))
    , m_kinds(new SegmentedControl({ tr("Compactions"), tr("Clearings") }, m_steps))
    , m_previous(new QToolButton(m_steps))
    , m_next(new QToolButton(m_steps))
    , m_nothing(new QLabel(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_arrays(new QWidget(this))
    , m_arrayBefore(new QToolButton(m_arrays))
    , m_arrayAfter(new QToolButton(m_arrays))
{
    setObjectName(u"compactions"_s);
    m_place->setObjectName(u"compactionsPlace"_s);
    m_kinds->setObjectName(u"compactionsKinds"_s);
    m_nothing->setObjectName(u"compactionsNothing"_s);
    makeWordButton(*m_previous, u"previousCompaction"_s, u"‹"_s, tr("Goes to the previous compaction"));
    makeWordButton(*m_next, u"nextCompaction"_s, u"›"_s, tr("Goes to the next compaction"));
    makeWordButton(*m_arrayBefore, u"arrayBefore"_s, tr("array before"),
        tr("Goes to the last call before the compaction and shows both arrays side by side"));
    makeWordButton(
        *m_arrayAfter, u"arrayAfter"_s, tr("array after"), tr("Goes to the first call after the compaction"));
    layOut();
    connectParts();
    applyTheme();
    refresh();
}

CompactionsPanel::~CompactionsPanel() = default;

void CompactionsPanel::layOut()
{
    static constexpr auto kNames = std::to_array<QStringView>({ u"lossKept", u"lossTyped", u"lossNeeded" });
    for (size_t i = 0; i < kLists; ++i) {
        auto *column = new QWidget(m_splitter);
        m_titles[i] = new FactsLine(column);
        m_models[i] = new LossModel(this);
        m_models[i]->setJoinsNotes(i == 0);
        auto *table = new QTreeView(column);
        m_tables[i] = table;
        table->setObjectName(kNames[i].toString());
        table->setModel(m_models[i]);
        table->setTreePosition(LossModel::Text);
        table->setRootIsDecorated(i == 0);
        table->setIndentation(18);
        table->setHeaderHidden(true);
        table->setUniformRowHeights(true);
        table->setFrameShape(QFrame::NoFrame);
        table->setAllColumnsShowFocus(true);
        table->setTextElideMode(Qt::ElideRight);
        table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
        table->header()->setMinimumSectionSize(20);
        table->header()->setStretchLastSection(false);
        table->header()->setSectionResizeMode(LossModel::Text, QHeaderView::Stretch);
        auto *lines = new QVBoxLayout(column);
        lines->setContentsMargins(14, 2, 6, 0);
        lines->setSpacing(2);
        lines->addWidget(m_titles[i]);
        lines->addWidget(table, 1);
        m_splitter->addWidget(column);
    }
    auto *arrays = new QHBoxLayout(m_arrays);
    arrays->setContentsMargins(0, 0, 0, 2);
    arrays->setSpacing(8);
    arrays->addWidget(m_arrayBefore);
    arrays->addWidget(m_arrayAfter);
    arrays->addStretch();
    m_splitter->widget(0)->layout()->addWidget(m_arrays);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setSizes({ 520, 540, 520 });
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setContentsMargins(14, 4, 14, 4);
    m_nothing->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto *row = new QHBoxLayout(m_steps);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_kinds);
    row->addWidget(m_previous);
    row->addWidget(m_place);
    row->addWidget(m_next);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_nothing, 1);
    column->addWidget(m_splitter, 1);
    m_steps->raise();
}

void CompactionsPanel::placeSteps()
{
    const QSize size = m_steps->layout()->sizeHint();
    m_steps->setGeometry(width() - size.width() - 8, 2, size.width(), size.height());
    m_titles.back()->setMaximumWidth(std::max(120, width() / 3 - size.width() - 30));
    m_nothing->setContentsMargins(14, 4, size.width() + 20, 4);
}

void CompactionsPanel::connectParts()
{
    for (QTreeView *table : m_tables) {
        connect(table, &QTreeView::clicked, this, &CompactionsPanel::onClicked);
        connect(table, &QTreeView::activated, this, &CompactionsPanel::onClicked);
    }
    connect(m_splitter, &QSplitter::splitterMoved, this, &CompactionsPanel::sizeColumns);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_arrayBefore, &QToolButton::clicked, this, [this] { goTo(*m_asked.number); });
    connect(m_arrayAfter, &QToolButton::clicked, this, &CompactionsPanel::goToArrayAfter);
    connect(m_kinds, &SegmentedControl::chosen, this, [this](int chosen) {
        m_wantsClearings = chosen == 1;
        refresh();
    });
    ThreadFacts &facts = m_state.workspace().facts();
    connect(&facts, &ThreadFacts::usesChanged, this, &CompactionsPanel::refresh);
    connect(&facts, &ThreadFacts::traceGroundChanged, this, &CompactionsPanel::refresh);
    connect(&m_state, &ViewState::pictureSettled, this, &CompactionsPanel::refresh);
    connect(&m_state.workspace().findings(), &SessionFindings::followed, this,
        [this](const core::Finding &finding, size_t compaction) {
            m_followed = { finding.thread, compaction, finding.kind };
            showFollowed();
        });
    connect(&m_state, &ViewState::themeChanged, this, &CompactionsPanel::applyTheme);
}

// --- which compaction -----------------------------------------------------------------------------------------------

std::vector<size_t> CompactionsPanel::numbers() const
{
    std::vector<size_t> found;
    if (!m_state.session())
        return found;
    const auto &all = m_state.session()->thread(m_state.position().thread).compactions;
    for (size_t i = 0; i < all.size(); ++i) {
        if (isClearingKind(all[i]) == m_wantsClearings)
            found.push_back(i);
    }
    return found;
}

CompactionsPanel::Wanted CompactionsPanel::wanted() const
{
    Wanted wanted;
    wanted.session = m_state.session();
    if (!wanted.session)
        return wanted;
    const ArrayPicture &picture = m_state.picture();
    const core::Position position = m_state.position();
    wanted.thread = position.thread;
    wanted.call = position.call;
    wanted.facts = m_state.workspace().facts().traceGround().get();
    if (picture.simulated && picture.simulated->hasFired && !picture.simulated->changesNothing()) {
        wanted.simulated = picture.simulated;
        return wanted;
    }
    wanted.call = {};
    const auto &all = wanted.session->thread(position.thread).compactions;
    for (const size_t number : numbers()) {
        const core::CallIndex call = all[number].call;
        if (position.isEnd() || !call.isValid() || call <= position.call)
            wanted.number = number;
    }
    // Of several behind one call, the one that the array shows.
    const size_t shown = picture.compaction != nullptr ? picture.compactionNumber - 1 : all.size();
    if (shown < all.size() && isClearingKind(all[shown]) == m_wantsClearings)
        wanted.number = shown;
    return wanted;
}

void CompactionsPanel::step(int direction)
{
    const std::vector<size_t> all = numbers();
    const auto next = [&]() -> std::optional<size_t> {
        const auto after = m_asked.number ? std::ranges::upper_bound(all, *m_asked.number) : all.begin();
        const auto at = m_asked.number ? std::ranges::lower_bound(all, *m_asked.number) : all.begin();
        if (direction > 0)
            return after == all.end() ? std::nullopt : std::optional(*after);
        return at == all.begin() ? std::nullopt : std::optional(*std::prev(at));
    }();
    if (!next)
        return;
    if (m_asked.simulated)
        m_state.setAftermath(Aftermath::Recorded);
    goTo(*next);
}

void CompactionsPanel::goTo(size_t number)
{
    const core::ThreadIndex thread = m_state.position().thread;
    const core::CallIndex last = m_state.session()->thread(thread).compactions[number].call;
    // One before all calls stands at the first.
    m_state.setPosition({ thread, last.isValid() ? last : core::CallIndex(0U) }, number);
}

void CompactionsPanel::goToArrayAfter()
{
    const core::Thread &thread = m_state.session()->thread(m_asked.thread);
    const size_t number = *m_asked.number;
    const core::CallIndex last = thread.compactions[number].call;
    const bool isSent = number + 1 == thread.compactions.size() || thread.compactions[number + 1].call != last;
    if (!isSent) // another compaction came before the next call
        return goTo(number);
    const size_t next = last.isValid() ? last.index() + 1 : 0;
    m_state.setPosition({ m_asked.thread, next < thread.calls.size() ? core::CallIndex(next) : core::CallIndex() });
}

QString CompactionsPanel::whyEmpty() const
{
    const core::SessionPtr &session = m_state.session();
    const bool isEmpty = session && session->thread(m_state.position().thread).compactions.empty()
        && !m_state.workspace().plan().isSimulated();
    return isEmpty ? noCompactionWords() : QString();
}

// --- content --------------------------------------------------------------------------------------------------------

void CompactionsPanel::refresh()
{
    const core::SessionPtr &session = m_state.session();
    size_t clearings = 0;
    size_t all = 0;
    if (session) {
        const auto &compactions = session->thread(m_state.position().thread).compactions;
        all = compactions.size();
        clearings = static_cast<size_t>(std::ranges::count_if(compactions, isClearingKind));
    }
    Q_EMIT countChanged(all - clearings);
    Q_EMIT emptinessChanged();
    const bool isOneKind = clearings == 0 || clearings == all;
    if (isOneKind)
        m_wantsClearings = clearings > 0;
    m_kinds->setVisible(!isOneKind);
    m_kinds->setWords(
        { tr("Compactions %1").arg(groupedText(all - clearings)), tr("Clearings %1").arg(groupedText(clearings)) });
    m_kinds->setCurrent(m_wantsClearings ? 1 : 0);
    if (!isInSight())
        return;
    const Wanted now = wanted();
    const bool isSame = now == m_asked && (m_made || m_find.isRunning());
    m_asked = now;
    if (!isSame)
        compute(now);
    refreshSteps();
    showFollowed();
}

void CompactionsPanel::compute(const Wanted &wanted)
{
    const Workspace &workspace = m_state.workspace();
    const UsesPtr uses = workspace.facts().uses();
    const TraceGroundPtr facts = workspace.facts().traceGround();
    const core::ArraySumsPtr sums = workspace.sums(wanted.thread);
    setMade(nullptr);
    if (!wanted.isAny() || !uses || !facts || !sums)
        return m_find.cancel();
    m_find.start(
        this,
        [wanted, uses, facts, sums, tokens = workspace.tokens(), prices = workspace.figures().prices()](
            core::Progress &progress) -> MadePtr {
            const core::RecordedCache cache = core::recordedCache(*wanted.session, *tokens);
            const std::vector<core::CallPrice> paid = core::callPrices(
                core::recordedRun(*wanted.session, wanted.thread, cache, *prices), cache, facts->spans.callCount);
            const core::LossGround ground { wanted.session, wanted.thread, *uses, facts->spans, facts->userMessages,
                *tokens, *sums, paid };
            auto made = std::make_shared<Made>();
            if (wanted.number) {
                const core::Compaction observed
                    = core::observeRecorded(wanted.session, wanted.thread, *wanted.number, tokens);
                made->loss = core::recordedLoss(ground, observed, *wanted.number, &progress);
            } else {
                made->loss = core::simulatedLoss(ground, *wanted.simulated, wanted.call, &progress);
            }
            made->lists = core::lossLists(*wanted.session, made->loss);
            return made;
        },
        [this](MadePtr made) {
            setMade(std::move(made));
            refreshSteps();
            showFollowed();
        },
        m_state.workspace().reporter());
}

void CompactionsPanel::setMade(MadePtr made)
{
    using Voice = FactsLine::Voice;
    m_made = std::move(made);
    for (size_t i = 0; i < kLists; ++i) {
        const core::LossList list = m_made ? m_made->lists[i] : core::LossList();
        m_titles[i]->setParts(
            { { displayText(list.title), Voice::Strong }, { displayText(list.detail), Voice::Secondary } });
        m_tables[i]->setAccessibleName(displayText(list.title));
        m_models[i]->setRows(list.rows);
    }
    m_splitter->setVisible(m_made != nullptr);
    m_nothing->setVisible(!m_made);
    layout()->activate();
    sizeColumns();
}

void CompactionsPanel::refreshSteps()
{
    const std::vector<size_t> all = numbers();
    const auto number = m_asked.number;
    m_previous->setEnabled(number && !all.empty() && all.front() < *number);
    m_next->setEnabled(number ? !all.empty() && *number < all.back() : !all.empty());
    m_arrays->setVisible(number.has_value()); // those of a simulated one are in sight
    m_previous->setVisible(!all.empty());
    m_next->setVisible(!all.empty());
    QString words;
    if (m_asked.isAny())
        words = tr("Comparing the two arrays…");
    else if (!m_state.session())
        words = QString();
    else if (all.empty())
        words = noCompactionWords();
    else
        words = tr("No compaction comes before this call.");
    m_nothing->setText(words);
    const auto at = number ? std::ranges::find(all, *number) : all.end();
    const QString place = at == all.end()
        ? QString()
        : tr("%1 of %2").arg(groupedText(static_cast<uint64_t>(at - all.begin()) + 1), groupedText(all.size()));
    m_place->setText(place);
    m_place->setVisible(!place.isEmpty());
    placeSteps();
}

void CompactionsPanel::onClicked(const QModelIndex &index)
{
    const auto *model = qobject_cast<const LossModel *>(index.model());
    if (model == nullptr || !m_made)
        return;
    const core::BlockId block = model->row(index).block;
    const core::SessionPtr session = m_state.session();
    if (!block.isValid() || block.index() >= session->blocks.size())
        return;
    const core::Position from { m_asked.thread, m_made->loss.call };
    const auto position
        = wasBefore(model->row(index)) ? std::nullopt : core::nearestPositionWith(*session, block, from);
    if (position)
        m_state.setPosition(*position);
    m_state.setCurrentBlock(block);
    if (m_state.currentSlot().isValid())
        m_state.goTo(block); // the array scrolls to it
    else
        Q_EMIT showPanelRequested(u"message"_s); // the array does not show it
}

bool CompactionsPanel::wasBefore(const core::LossRow &row) const
{
    if (row.wasThere)
        return true;
    if (!m_asked.number)
        return m_asked.simulated->before.slotOf(row.block).isValid();
    const auto &compactions = m_state.session()->thread(m_asked.thread).compactions;
    return core::contains(compactions[*m_asked.number].before, row.block);
}

void CompactionsPanel::showFollowed()
{
    const bool isIts
        = m_followed && m_made && m_asked.thread == m_followed->thread && m_made->loss.number == m_followed->compaction;
    if (!isIts)
        return;
    const std::string_view finding = std::exchange(m_followed, std::nullopt)->finding;
    for (size_t i = 0; i < kLists; ++i) {
        const auto &rows = m_made->lists[i].rows;
        const auto found = std::ranges::find(rows, finding, &core::LossRow::finding);
        if (found == rows.end())
            continue;
        const QModelIndex row = m_models[i]->index(static_cast<int>(found - rows.begin()), 0);
        m_tables[i]->setCurrentIndex(row);
        m_tables[i]->expand(row);
        m_tables[i]->scrollTo(row, QAbstractItemView::PositionAtTop);
    }
}

void CompactionsPanel::waitForContent()
{
    setInSight(true);
    m_state.workspace().facts().waitForFacts();
    refresh();
    m_find.wait();
}

void CompactionsPanel::comeIntoSight() { refresh(); }

// --- look -----------------------------------------------------------------------------------------------------------

void CompactionsPanel::resizeEvent(QResizeEvent *)
{
    sizeColumns();
    placeSteps();
}

/// The text column takes what the others leave.
void CompactionsPanel::sizeColumns()
{
    for (size_t i = 0; i < kLists; ++i) {
        const int all = std::max(300, m_splitter->sizes().value(static_cast<qsizetype>(i)));
        const int figure = std::clamp(m_models[i]->widthOf(LossModel::Figure) + kCellPadding, 28, 120);
        const int note = m_models[i]->widthOf(LossModel::Note) + kCellPadding;
        QHeaderView *header = m_tables[i]->header();
        header->resizeSection(LossModel::Figure, figure);
        header->setSectionHidden(LossModel::Note, i == 0);
        header->resizeSection(LossModel::Note, std::min(note, (all - figure) * 3 / 5));
    }
}

void CompactionsPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    m_kinds->setTheme(theme);
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    // Style sheets first: they reset the palettes of child widgets.
    m_splitter->setStyleSheet(u"QSplitter::handle { background: %1; }"_s.arg(theme.hairline.name()));
    m_nothing->setPalette(quiet);
    m_place->setPalette(quiet);
    m_place->setFont(Theme::textFont(12));
    m_nothing->setFont(Theme::textFont(12));
    for (QToolButton *button : { m_previous, m_next })
        button->setPalette(theme.palette());
    QPalette link = theme.palette();
    link.setColor(QPalette::ButtonText, theme.accent);
    for (QToolButton *button : { m_arrayBefore, m_arrayAfter })
        button->setPalette(link);
    for (size_t i = 0; i < kLists; ++i) {
        m_titles[i]->setTheme(theme);
        m_models[i]->setTheme(theme);
        m_tables[i]->setStyleSheet(u"QTreeView { background: %1; border: none; }"
                                   "QTreeView::item { padding: 3px 4px; border: none; }"
                                   "QTreeView::item:selected { background: %2; color: %3; }"_s.arg(
                                       theme.base.name(), theme.accentGround.name(), theme.text.name()));
        m_tables[i]->setPalette(theme.palette());
    }
    update();
}

void CompactionsPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

PanelKind compactionsPanel()
{
    return { u"compactions"_s, CompactionsPanel::tr("Compactions"), Qt::BottomDockWidgetArea, Qt::Key_9,
        makePanel<CompactionsPanel> };
}

} // namespace ui
