// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/rewrites_panel.h"

#include "core/compaction/observe.h"
#include "core/session/slot_label.h"
#include "ui/files/save_bytes.h"
#include "ui/look/fate_word.h"
#include "ui/rewrites/artifacts_model.h"
#include "ui/rewrites/rewrites_model.h"
#include "ui/widgets/word_button.h"
#include "ui/widgets/word_tabs.h"

#include <QEventLoop>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kLookAfter = 150ms; ///< of stillness
// Pixels of columns that hold words.
constexpr int kLeastOfWhat = 90;
constexpr int kMostOfWhat = 260;
constexpr int kLeastOfWhy = 120;
constexpr int kLeastOfArtifact = 160;

core::Result<TextDocumentPtr> documentOf(core::Result<std::string> text)
{
    if (!text)
        return std::unexpected(text.error());
    return std::make_shared<const TextDocument>(std::move(*text));
}

bool isPath(std::string_view subject)
{
    return subject.find_first_of("/.") != std::string_view::npos && subject.find(' ') == std::string_view::npos;
}

} // namespace

RewritesPanel::RewritesPanel(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_rewrites(new RewritesModel(this))
    , m_artifacts(new ArtifactsModel(this))
    , m_which(new WordTabs({ tr("Rewrites"), tr("Artifacts") }, this))
    , m_summary(new FactsLine(this))
    , m_facts(new FactsLine(this))
    , m_restore(new QToolButton(this))
    , m_show(new QToolButton(this))
    , m_save(new QToolButton(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_table(new QTreeView(this))
    , m_artifactTable(new QTreeView(this))
    , m_diff(new DiffView(this))
{
    setObjectName(u"rewrites"_s);
    m_summary->setObjectName(u"rewritesSummary"_s);
    m_facts->setObjectName(u"rewriteFacts"_s);
    makeTable(m_table, m_rewrites, u"rewritesTable"_s, tr("Rewrites"));
    makeTable(m_artifactTable, m_artifacts, u"artifactsTable"_s, tr("Artifacts"));
    m_artifactTable->hide();
    makeButtons();
    auto *tables = new QWidget(this);
    auto *stack = new QVBoxLayout(tables);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->addWidget(m_table);
    stack->addWidget(m_artifactTable);
    m_splitter->addWidget(tables);
    m_splitter->addWidget(m_diff);
    m_splitter->setStretchFactor(0, 48);
    m_splitter->setStretchFactor(1, 52);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setSizes({ 480, 520 });
    connect(m_splitter, &QSplitter::splitterMoved, this, &RewritesPanel::sizeColumns);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(14, 0, 8, 0);
    row->setSpacing(10);
    row->addWidget(m_which);
    row->addWidget(m_summary, 2);
    row->addWidget(m_facts, 5);
    row->addWidget(m_restore);
    row->addWidget(m_show);
    row->addWidget(m_save);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_splitter, 1);
    connect(m_which, &QTabBar::currentChanged, this, [this] {
        m_table->setVisible(!showsArtifacts());
        m_artifactTable->setVisible(showsArtifacts());
        if (showsArtifacts() && !m_artifactTable->currentIndex().isValid() && m_artifacts->rowCount() > 0)
            m_artifactTable->setCurrentIndex(m_artifacts->index(0, 0));
        sizeColumns();
        showRow();
    });
    connect(m_diff, &DiffView::ended, this,
        [this](int direction) { stepRewrite(direction, direction < 0 ? DiffStart::Last : DiffStart::First); });
    connect(&state, &ViewState::pictureChanged, this, &RewritesPanel::refresh);
    connect(&state, &ViewState::currentChanged, this, &RewritesPanel::follow);
    connect(&state, &ViewState::themeChanged, this, &RewritesPanel::applyTheme);
    connect(&state.workspace(), &Workspace::keptChanged, this, &RewritesPanel::refreshFacts);
    connect(&state, &ViewState::addedBlockChosen, this, [this](core::BlockId made) {
        if (const int added = m_rewrites->rowOfMade(made); added >= 0) {
            m_which->setCurrentIndex(0);
            chooseRow(added);
        }
    });
    m_lookTimer.setSingleShot(true);
    m_lookTimer.setInterval(kLookAfter);
    connect(&m_lookTimer, &QTimer::timeout, this, &RewritesPanel::startLooking);
    applyTheme();
    refresh();
}

RewritesPanel::~RewritesPanel() = default;

void RewritesPanel::makeTable(QTreeView *table, QAbstractItemModel *model, const QString &name, const QString &words)
{
    table->setObjectName(name);
    table->setAccessibleName(words);
    table->setModel(model);
    table->setRootIsDecorated(false);
    table->setItemsExpandable(false);
    table->setUniformRowHeights(true);
    table->setFrameShape(QFrame::NoFrame);
    table->setAllColumnsShowFocus(true);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table->header()->setMinimumSectionSize(30);
    table->header()->setStretchLastSection(true);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { showRow(); });
    connect(table, &QTreeView::clicked, this, [this] {
        if (m_hasOnlyBegun) // the row was current already
            showRow();
    });
}

void RewritesPanel::setBlockActions(const QList<QAction *> &actions)
{
    m_table->addActions(actions);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void RewritesPanel::makeButtons()
{
    makeWordButton(
        *m_restore, u"restoreRewrite"_s, tr("Restore"), tr("Pins the block: the policy leaves it as it was"));
    makeWordButton(*m_show, u"showInArray"_s, tr("Show in Array"), tr("Brings the slot into sight"));
    makeWordButton(*m_save, u"saveRewrite"_s, tr("Save As"), tr("Writes a text to a new file"));
    connect(m_restore, &QToolButton::clicked, this, &RewritesPanel::restoreCurrent);
    connect(m_show, &QToolButton::clicked, this, [this] {
        const core::Rewrite *rewrite = currentRewrite();
        if (rewrite == nullptr || !rewrite->block.isValid())
            return;
        {
            const QScopedValueRollback acting(m_isActing, true);
            m_state.setCurrentSlot(m_rewrites->compaction()->before.slotOf(rewrite->block));
            m_state.setCurrentBlock(rewrite->block);
        }
        Q_EMIT showInArrayRequested();
    });
    auto *menu = new QMenu(m_save);
    QAction *original = menu->addAction(tr("Original…"), this, [this] { chooseSavePlace(Text::Original); });
    QAction *after = menu->addAction(tr("Text After…"), this, [this] { chooseSavePlace(Text::After); });
    QAction *artifact = menu->addAction(tr("Artifact…"), this, [this] { chooseSavePlace(Text::Artifact); });
    connect(menu, &QMenu::aboutToShow, this, [this, original, after, artifact] {
        const core::Rewrite *rewrite = currentRewrite();
        original->setVisible(currentArtifact() == nullptr || !showsArtifacts() || rewrite != nullptr);
        after->setVisible(!showsArtifacts() && rewrite != nullptr && rewrite->made.isValid());
        artifact->setVisible(currentArtifact() != nullptr);
    });
    m_save->setMenu(menu);
    m_save->setPopupMode(QToolButton::InstantPopup);
}

// What there is to show

bool RewritesPanel::showsArtifacts() const { return m_which->currentIndex() == 1; }

const core::Rewrite *RewritesPanel::currentRewrite() const
{
    const QModelIndex index = m_table->currentIndex();
    return !showsArtifacts() && index.isValid() && m_rewrites->compaction() ? &m_rewrites->rewrite(index.row())
                                                                            : nullptr;
}

const core::Artifact *RewritesPanel::currentArtifact() const
{
    if (showsArtifacts()) {
        const QModelIndex index = m_artifactTable->currentIndex();
        return index.isValid() ? &m_artifacts->artifact(index.row()) : nullptr;
    }
    const core::Rewrite *rewrite = currentRewrite();
    const bool hasOne
        = rewrite != nullptr && rewrite->artifact && *rewrite->artifact < m_rewrites->compaction()->artifacts.size();
    return hasOne ? &m_rewrites->compaction()->artifacts[*rewrite->artifact] : nullptr;
}

void RewritesPanel::refresh()
{
    const ArrayPicture &picture = m_state.picture();
    if (picture.made() || picture.compaction == nullptr) {
        m_observing.cancel();
        m_recorded = nullptr;
        return take(picture.made());
    }
    const core::SessionPtr &session = m_state.session();
    if (m_recorded == picture.compaction && m_recordedIn.lock() == session)
        return;
    // What a harness recorded is known as two arrays; what lies between them has to be found.
    m_recorded = picture.compaction;
    m_recordedIn = session;
    take(nullptr);
    m_observing.start(
        this,
        [session, thread = picture.position.thread, number = picture.compactionNumber - 1,
            tokens = m_state.workspace().tokens()](core::Progress &) -> core::CompactionPtr {
            return std::make_shared<const core::Compaction>(core::observeRecorded(session, thread, number, tokens));
        },
        [this](const core::CompactionPtr &made) { take(made); });
    refreshSummary();
}

void RewritesPanel::take(const core::CompactionPtr &made)
{
    if (made != m_made || !made) {
        m_made = made;
        Q_EMIT countChanged(made ? made->rewrites.size() : 0);
    }
    // Nobody sees what is behind another tab: the plans of a drag go by.
    if (!m_isInSight || made == m_rewrites->compaction())
        return refreshSummary();
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_rewrites->setCompaction(made);
        m_artifacts->setCompaction(made);
        sizeColumns();
    }
    const size_t artifacts = made ? made->artifacts.size() : 0;
    const size_t rewrites = made ? made->rewrites.size() : 0;
    m_which->setTabText(0, rewrites > 0 ? tr("Rewrites %1").arg(groupedText(rewrites)) : tr("Rewrites"));
    m_which->setTabText(1, artifacts > 0 ? tr("Artifacts %1").arg(groupedText(artifacts)) : tr("Artifacts"));
    m_artifactsJob.cancel();
    if (artifacts > 0)
        m_artifactsJob.start(
            this, [made](core::Progress &progress) { return artifactFacts(*made, progress); },
            [this](std::vector<ArtifactFacts> facts) { m_artifacts->setFacts(std::move(facts)); });
    lookForOthers(made);
    refreshSummary();
    begin();
}

void RewritesPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    setInSight(true);
}

void RewritesPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    setInSight(false);
}

void RewritesPanel::setInSight(bool isInSight)
{
    if (isInSight == m_isInSight)
        return;
    m_isInSight = isInSight;
    if (!isInSight)
        return;
    take(m_made);
    begin();
    sizeColumns();
}

void RewritesPanel::refreshSummary()
{
    using Voice = FactsLine::Voice;
    const ArrayPicture &picture = m_state.picture();
    if (!m_error.isEmpty())
        return m_summary->setParts({ { m_error, Voice::Hot } });
    QString words;
    if (m_observing.isRunning())
        words = tr("Comparing the two arrays…");
    else if (!m_made)
        words = tr("Choose a policy, or a call that was followed by a compaction: what changed is listed here.");
    else if (m_made->rewrites.empty())
        words = tr("Nothing changes here.");
    else if (picture.compaction != nullptr)
        words = tr("recorded · %1").arg(compactionWord(picture.compaction->kind));
    else
        words = picture.simulated ? tr("simulated") : picture.observed ? tr("observed") : tr("recorded");
    m_summary->setParts({ { words, Voice::Secondary } });
}

void RewritesPanel::follow()
{
    if (m_isActing || !m_isInSight)
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    chooseRow(rowOfCurrent());
}

void RewritesPanel::begin()
{
    if (m_isActing || !m_isInSight)
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    const int row = rowOfCurrent();
    const bool isFirst = row < 0 && m_rewrites->rowCount() > 0;
    chooseRow(isFirst ? 0 : row);
    m_hasOnlyBegun = isFirst;
}

int RewritesPanel::rowOfCurrent() const
{
    int row = m_rewrites->rowOf(m_state.currentBlock());
    const core::Transcript &before = m_state.picture().before;
    if (row < 0 && m_state.session() && m_state.currentSlot().isValid()) {
        // Another block of the slot may have been rewritten.
        for (const core::BlockId block : before.blocksOf(before.slot(m_state.currentSlot()))) {
            if (row < 0)
                row = m_rewrites->rowOf(block);
        }
    }
    return row;
}

void RewritesPanel::chooseRow(int row, DiffStart start)
{
    {
        const QSignalBlocker blocker(m_table->selectionModel());
        if (row < 0) {
            m_table->setCurrentIndex({});
            m_table->clearSelection();
        } else {
            m_table->setCurrentIndex(m_rewrites->index(row, 0));
            m_table->selectionModel()->select(
                m_rewrites->index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
            m_table->scrollTo(m_rewrites->index(row, 0));
        }
    }
    m_table->viewport()->update();
    showRow(start);
}

// The row at hand

void RewritesPanel::showRow(DiffStart start)
{
    m_hasOnlyBegun = false;
    m_error.clear();
    refreshSummary();
    m_factsJob.cancel();
    m_factsOfRow.reset();
    if (showsArtifacts()) {
        if (const core::Artifact *artifact = currentArtifact())
            showArtifact(*artifact);
        else
            m_diff->clear();
        m_shown.reset();
        return refreshFacts();
    }
    const core::Rewrite *rewrite = currentRewrite();
    if (rewrite == nullptr) {
        m_diff->clear();
        m_shown.reset();
        return refreshFacts();
    }
    showRewrite(*rewrite, start);
    readFacts(*rewrite);
    refreshFacts();
    if (m_isFollowing || !rewrite->block.isValid())
        return;
    const QScopedValueRollback acting(m_isActing, true);
    m_state.setCurrentSlot(m_rewrites->compaction()->before.slotOf(rewrite->block));
    m_state.setCurrentBlock(rewrite->block);
}

void RewritesPanel::showRewrite(const core::Rewrite &rewrite, DiffStart start)
{
    const core::CompactionPtr made = m_rewrites->compaction();
    const Key key { rewrite.block, rewrite.made, rewrite.pointer, rewrite.after, made->before.session().get() };
    if (m_shown == key && start == DiffStart::First)
        return;
    m_shown = key;
    const core::Session &session = *(rewrite.block.isValid() ? made->before : made->after).session();
    const core::Block &block = session.block(rewrite.block.isValid() ? rewrite.block : rewrite.made);
    const std::string subject = core::labelOf(session, block).subject;
    DiffInput input;
    input.before.title = rewrite.block.isValid() ? tr("before · %1").arg(placeOf(rewrite)) : tr("before · nothing");
    input.after.title = rewrite.made.isValid() ? tr("after · %1").arg(fateWord(rewrite.fate))
                                               : tr("after · nothing, %1").arg(fateWord(rewrite.fate));
    // Each reads its own copy of the rewrite: the compaction at hand may be another one by then.
    input.before.read = [made, rewrite] { return documentOf(textBefore(*made, rewrite)); };
    input.after.read = [made, rewrite] { return documentOf(textAfter(*made, rewrite)); };
    if (isPath(subject) && block.kind != core::BlockKind::Text)
        input.language.fileName = subject;
    input.isProse = block.kind == core::BlockKind::Text || block.kind == core::BlockKind::Thinking;
    m_diff->setInput(std::move(input), start);
}

void RewritesPanel::showArtifact(const core::Artifact &artifact)
{
    const core::CompactionPtr made = m_rewrites->compaction();
    DiffInput input;
    input.before.title = tr("original · %1").arg(counted(artifact.blocks.size(), tr("block"), tr("blocks")));
    input.after.title = tr("artifact · %1").arg(displayText(artifact.name));
    input.before.read = [made, artifact] { return documentOf(originalOf(*made, artifact)); };
    input.after.read = [made, artifact]() -> core::Result<TextDocumentPtr> {
        return std::make_shared<const TextDocument>(made->textOf(artifact));
    };
    m_diff->setInput(std::move(input));
}

QString RewritesPanel::placeOf(const core::Rewrite &rewrite) const
{
    const core::CompactionPtr &made = m_rewrites->compaction();
    if (!rewrite.block.isValid())
        return tr("new");
    const core::SlotIndex slot = made->before.slotOf(rewrite.block);
    QString place = slot.isValid() ? u"[%1] "_s.arg(slot.value()) : QString();
    place += u"#%1"_s.arg(made->before.block(rewrite.block).message.value());
    return rewrite.pointer.empty() ? place : place + u' ' + displayText(rewrite.pointer).remove(0, 1);
}

void RewritesPanel::readFacts(const core::Rewrite &rewrite)
{
    const core::CompactionPtr made = m_rewrites->compaction();
    m_factsJob.start(
        this, [made, rewrite](core::Progress &) { return factsOf(*made, rewrite); },
        [this](RewriteFacts facts) {
            m_factsOfRow = std::move(facts);
            refreshFacts();
        });
}

void RewritesPanel::lookForOthers(const core::CompactionPtr &made)
{
    m_recoveries.reset();
    m_recoveryJob.cancel();
    m_lookTimer.stop();
    if (!made || made->rewrites.empty())
        return;
    m_lookTimer.start(); // the plans of a drag are not looked through
}

void RewritesPanel::startLooking()
{
    const core::CompactionPtr made = m_rewrites->compaction();
    if (!made)
        return;
    // The array stands before the call that is looked at; a recorded compaction lies behind it.
    const core::Position position = m_state.picture().position;
    core::RecoveryOptions options;
    options.thread = position.thread;
    options.nextCall = position.call;
    if (m_recorded != nullptr && position.call.isValid())
        options.nextCall = core::CallIndex(position.call.index() + 1);
    m_recoveryJob.start(
        this,
        [made, options](core::Progress &) mutable {
            options.folder = core::folderOf(*made->before.session(), {});
            return core::recoveriesOf(*made, options);
        },
        [this](core::Recoveries recoveries) {
            m_recoveries = std::move(recoveries);
            refreshFacts();
        });
}

QString RewritesPanel::recoveryOf(size_t row) const
{
    if (!m_recoveries || row >= m_recoveries->rewrites.size())
        return {};
    const core::Recovery &recovery = m_recoveries->rewrites[row];
    QStringList places;
    for (const std::string &place : recovery.from)
        places << (place == "artifact"    ? tr("its artifact")
                : place == "working tree" ? tr("the file as it is now")
                : place == "git object"   ? tr("a git object")
                                          : tr("a later slot"));
    QString words = places.isEmpty() ? tr("the harness cannot have it back")
                                     : tr("the harness can have it back from %1").arg(places.join(tr(" and ")));
    if (recovery.fetchedBackAt.isValid())
        words += tr(", and did at call %1").arg(recovery.fetchedBackAt.value());
    return words;
}

void RewritesPanel::refreshFacts()
{
    using Voice = FactsLine::Voice;
    const core::Rewrite *rewrite = currentRewrite();
    const bool isSimulated = m_rewrites->compaction() && m_rewrites->compaction()->policy;
    m_restore->setVisible(rewrite != nullptr && rewrite->block.isValid() && isSimulated);
    m_show->setVisible(rewrite != nullptr && rewrite->block.isValid());
    m_save->setVisible(rewrite != nullptr || currentArtifact() != nullptr);
    std::vector<FactsLine::Part> parts;
    if (rewrite != nullptr) {
        parts.push_back({ tr("%1 of %2")
                              .arg(groupedText(static_cast<uint64_t>(m_table->currentIndex().row()) + 1),
                                  groupedText(m_rewrites->compaction()->rewrites.size())),
            Voice::Strong });
        QStringList facts;
        if (m_factsOfRow) {
            if (m_factsOfRow->artifact.empty())
                facts << tr("artifact: none");
            else
                facts << tr("artifact: %1, %2")
                             .arg(displayText(m_factsOfRow->artifact),
                                 m_factsOfRow->difference.empty() ? tr("the original byte for byte")
                                                                  : displayText(m_factsOfRow->difference));
            if (rewrite->block.isValid()) {
                if (const QString recovery = recoveryOf(static_cast<size_t>(m_table->currentIndex().row()));
                    !recovery.isEmpty())
                    facts << recovery;
                const auto &kept = m_state.workspace().kept();
                facts << (kept && kept->compaction == m_rewrites->compaction()
                        ? tr("original: commit %1 of %2")
                              .arg(displayText(kept->commit), displayText(kept->store.filename().string()))
                        : tr("the original stands in the session file"));
            }
        }
        parts.push_back({ facts.join(u" · "_s), Voice::Secondary });
    }
    m_facts->setParts(std::move(parts));
}

// Deeds

void RewritesPanel::step(int direction)
{
    take(m_made);
    m_which->setCurrentIndex(0);
    if (m_hasOnlyBegun || (!m_diff->isBusy() && currentRewrite() == nullptr))
        return stepRewrite(direction);
    if (direction > 0)
        m_diff->nextDifference();
    else
        m_diff->previousDifference();
}

void RewritesPanel::stepRewrite(int direction, DiffStart start)
{
    take(m_made);
    const int count = m_rewrites->rowCount();
    if (showsArtifacts() || count == 0)
        return;
    const QModelIndex current = m_table->currentIndex();
    const bool isOn = current.isValid() && !m_hasOnlyBegun;
    const int row = isOn ? current.row() + direction : direction > 0 ? 0 : count - 1;
    if (row >= 0 && row < count)
        chooseRow(row, start);
}

void RewritesPanel::restoreCurrent()
{
    const core::Rewrite *rewrite = currentRewrite();
    if (rewrite == nullptr || !rewrite->block.isValid() || !m_rewrites->compaction()->policy)
        return;
    // What a person dropped is given back by taking that back.
    Workspace &workspace = m_state.workspace();
    const bool wasDropped = workspace.overrideOf(rewrite->block) == Workspace::Override::Drop;
    const core::BlockId block = rewrite->block;
    workspace.commitOverride(
        { block }, wasDropped ? std::nullopt : std::optional(Workspace::Override::Keep), tr("Restore"));
}

void RewritesPanel::chooseSavePlace(Text which)
{
    // Only the last part of the harness's name: names in sessions are never paths unasked.
    QString name = u"text.txt"_s;
    if (which == Text::Artifact && currentArtifact() != nullptr)
        name = QFileInfo(displayText(currentArtifact()->name)).fileName();
    else if (const core::Rewrite *rewrite = currentRewrite(); rewrite != nullptr && rewrite->block.isValid())
        name = u"message-%1.txt"_s.arg(m_rewrites->compaction()->before.block(rewrite->block).message.value());
    const QString path = QFileDialog::getSaveFileName(this, tr("Save Text"), name);
    if (!path.isEmpty())
        saveTo(which, path);
}

void RewritesPanel::saveTo(Text which, const QString &path)
{
    const core::CompactionPtr made = m_rewrites->compaction();
    const core::Rewrite *rewrite = currentRewrite();
    const core::Artifact *artifact = currentArtifact();
    std::function<core::Result<std::string>()> read;
    if (which == Text::Artifact && artifact != nullptr)
        read = [made, artifact = *artifact]() -> core::Result<std::string> { return made->textOf(artifact); };
    else if (which == Text::Original && rewrite != nullptr)
        read = [made, rewrite = *rewrite] { return textBefore(*made, rewrite); };
    else if (which == Text::Original && artifact != nullptr)
        read = [made, artifact = *artifact] { return originalOf(*made, artifact); };
    else if (which == Text::After && rewrite != nullptr)
        read = [made, rewrite = *rewrite] { return textAfter(*made, rewrite); };
    if (!read)
        return;
    m_saveJob.start(
        this,
        [made, read, path](core::Progress &) -> core::Result<void> {
            const auto text = read();
            if (!text)
                return std::unexpected(text.error());
            return saveBytes(*made->before.session(), *text, path);
        },
        [this, path](const core::Result<void> &result) {
            m_error = result ? QString() : displayText(result.error().sentence());
            refreshSummary();
            if (result)
                Q_EMIT saved(path);
        });
}

void RewritesPanel::waitForContent()
{
    QEventLoop loop;
    QTimer poll;
    connect(&poll, &QTimer::timeout, &loop, [&] {
        if (!m_observing.isRunning() && !m_factsJob.isRunning() && !m_artifactsJob.isRunning()
            && !m_recoveryJob.isRunning() && !m_lookTimer.isActive())
            loop.quit();
    });
    poll.start(1ms);
    loop.exec(QEventLoop::ExcludeUserInputEvents);
    m_diff->finish();
}

// Look

void RewritesPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    m_which->setTheme(theme);
    m_diff->setTheme(theme);
    m_summary->setTheme(theme);
    m_facts->setTheme(theme);
    for (QToolButton *button : { m_restore, m_show, m_save }) {
        button->setPalette(theme.palette());
        button->setStyleSheet(
            u"QToolButton { color: %1; border: 1px solid %2; border-radius: 4px; padding: 2px 8px; }"
            "QToolButton:hover { background: %3; } QToolButton::menu-indicator { image: none; }"_s.arg(
                theme.text.name(), theme.hairline.name(), theme.accentGround.name()));
    }
    m_splitter->setStyleSheet(u"QSplitter::handle { background: %1; }"_s.arg(theme.hairline.name()));
    for (QTreeView *table : { m_table, m_artifactTable }) {
        table->setPalette(theme.palette());
        table->header()->setFont(Theme::textFont(12));
        table->header()->setStyleSheet(
            u"QHeaderView { background: %1; border: none; }"
            "QHeaderView::section { background: %1; color: %2; border: none; border-bottom: 1px solid %3;"
            " padding: 3px 8px; } QHeaderView::section:first { padding-left: 14px; }"_s.arg(
                theme.base.name(), theme.secondary.name(), theme.hairline.name()));
        table->setStyleSheet(u"QTreeView { background: %1; color: %2; border: none; }"
                             "QTreeView::item { padding: 3px 6px; color: %2; border: none; }"
                             "QTreeView::item:selected { background: %3; color: %2; }"_s.arg(
                                 theme.base.name(), theme.text.name(), theme.accentGround.name()));
    }
    update();
}

void RewritesPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

void RewritesPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

int RewritesPanel::widestOf(int column, int least, int most) const
{
    constexpr int kPadding = 26; // of the cell and of its frame
    const QFontMetrics metrics(Theme::textFont(12));
    int width = metrics.horizontalAdvance(m_rewrites->headerData(column, Qt::Horizontal).toString());
    for (const QString &words : m_rewrites->wordsOf(column))
        width = std::max(width, metrics.horizontalAdvance(words));
    return std::clamp(width + kPadding, least, most);
}

void RewritesPanel::sizeColumns()
{
    // What is wanted first has its room; the words take the rest, and what does not fit is told below the pointer.
    const int width = std::max(300, m_splitter->widget(0)->width());
    QHeaderView *header = m_table->header();
    // As wide as the last slot and the last message.
    const core::Session *session = m_state.session().get();
    const QString widest = u"[%1] #%2"_s.arg(m_state.picture().before.slotCount())
                               .arg(session != nullptr ? session->messages.size() : 0);
    const int place = std::max(72, QFontMetrics(Theme::figureFont(12)).horizontalAdvance(widest) + 26);
    int stage = m_rewrites->tellsStages() ? widestOf(RewritesModel::Stage, 60, 150) : 0;
    const int fate = widestOf(RewritesModel::Fate, 60, 110);
    constexpr int kFigure = 66;
    constexpr int kScrollBar = 20;
    int rest = width - place - stage - fate - 2 * kFigure - kScrollBar;
    if (rest < kLeastOfWhat) // what is rewritten comes before by which stage
        rest += std::exchange(stage, 0);
    // Why and artifact stand where all of that leaves room for some words; less would be a column of nothing.
    const int what = std::clamp(rest, kLeastOfWhat, kMostOfWhat);
    const bool hasWhy = rest - what >= kLeastOfWhy;
    const bool hasArtifact = rest - what >= kLeastOfWhy + kLeastOfArtifact;
    m_table->setColumnHidden(RewritesModel::Stage, stage == 0);
    m_table->setColumnHidden(RewritesModel::Why, !hasWhy);
    m_table->setColumnHidden(RewritesModel::Artifact, !hasArtifact);
    header->resizeSection(RewritesModel::Place, place);
    if (stage > 0)
        header->resizeSection(RewritesModel::Stage, stage);
    header->resizeSection(RewritesModel::Fate, fate);
    header->resizeSection(RewritesModel::What, hasWhy ? what : std::max(kLeastOfWhat, rest));
    header->resizeSection(RewritesModel::Before, kFigure);
    header->resizeSection(RewritesModel::After, kFigure);
    if (hasWhy)
        header->resizeSection(RewritesModel::Why, std::min(rest - what - (hasArtifact ? kLeastOfArtifact : 0), 240));
    // What is right of it are figures: they end where they are read, not at the edge of the panel.
    header->setStretchLastSection(hasWhy);
    m_artifactTable->header()->resizeSection(ArtifactsModel::Name, std::max(120, width - 320));
    m_artifactTable->header()->resizeSection(ArtifactsModel::Size, 70);
    m_artifactTable->header()->resizeSection(ArtifactsModel::Blocks, 56);
}

} // namespace ui
