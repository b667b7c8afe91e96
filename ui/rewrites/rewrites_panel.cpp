// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/rewrites_panel.h"

#include "core/compaction/text_edits.h"
#include "ui/files/save_bytes.h"
#include "ui/look/fate_word.h"
#include "ui/rewrites/rewrite_diff.h"
#include "ui/rewrites/rewrite_tables.h"
#include "ui/widgets/word_button.h"
#include "ui/widgets/word_tabs.h"

#include <QEventLoop>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

RewritesPanel::RewritesPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_shown(state)
    , m_which(new WordTabs({ tr("Rewrites"), tr("Artifacts") }, this))
    , m_summary(new FactsLine(this))
    , m_facts(new FactsLine(this))
    , m_edit(new QToolButton(this))
    , m_restore(new QToolButton(this))
    , m_show(new QToolButton(this))
    , m_save(new QToolButton(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_tables(new RewriteTables(this))
    , m_diff(new DiffView(this))
{
    setObjectName(u"rewrites"_s);
    m_summary->setObjectName(u"rewritesSummary"_s);
    m_facts->setObjectName(u"rewriteFacts"_s);
    makeButtons();
    layOut();
    connectParts();
    applyTheme();
    m_shown.refresh();
}

RewritesPanel::~RewritesPanel() = default;

void RewritesPanel::layOut()
{
    m_splitter->addWidget(m_tables);
    m_splitter->addWidget(m_diff);
    m_splitter->setStretchFactor(0, 48);
    m_splitter->setStretchFactor(1, 52);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setSizes({ 480, 520 });
    auto *row = new QHBoxLayout;
    row->setContentsMargins(14, 0, 8, 0);
    row->setSpacing(10);
    row->addWidget(m_which);
    row->addWidget(m_summary, 2);
    row->addWidget(m_facts, 5);
    row->addWidget(m_edit);
    row->addWidget(m_restore);
    row->addWidget(m_show);
    row->addWidget(m_save);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_splitter, 1);
}

void RewritesPanel::connectParts()
{
    connect(m_splitter, &QSplitter::splitterMoved, this, &RewritesPanel::sizeColumns);
    connect(m_tables, &RewriteTables::currentChanged, this, [this] { showRow(); });
    connect(m_tables, &RewriteTables::clicked, this, [this] {
        if (m_hasOnlyBegun) // the row was current already
            showRow();
    });
    connect(m_tables, &RewriteTables::menuAsked, this, &RewritesPanel::chooseCurrent);
    connect(m_which, &QTabBar::currentChanged, this, [this](int tab) {
        m_tables->setShowsArtifacts(tab == 1);
        sizeColumns();
        showRow();
    });
    connect(m_diff, &DiffView::ended, this,
        [this](int direction) { stepRewrite(direction, direction < 0 ? DiffStart::Last : DiffStart::First); });
    connect(&m_finder, &RewriteFactsFinder::changed, this, &RewritesPanel::refreshFacts);
    connect(&m_shown, &ShownCompaction::changed, this, &RewritesPanel::updateTables);
    connect(&m_state, &ViewState::pictureChanged, &m_shown, &ShownCompaction::refresh);
    connect(&m_state, &ViewState::pictureChanged, this, &RewritesPanel::emptinessChanged);
    connect(&m_state, &ViewState::currentChanged, this, &RewritesPanel::follow);
    connect(&m_state, &ViewState::themeChanged, this, &RewritesPanel::applyTheme);
    connect(&m_state.workspace(), &Workspace::keptChanged, this, &RewritesPanel::refreshFacts);
    connect(&m_state, &ViewState::addedBlockChosen, this, [this](core::BlockId made) {
        if (const int added = m_isActing ? -1 : m_tables->rowOfMade(made); added >= 0) {
            m_which->setCurrentIndex(0);
            chooseRow(added);
        }
    });
}

void RewritesPanel::setBlockActions(const QList<QAction *> &actions, QAction *edit)
{
    m_tables->setBlockActions(actions + QList<QAction *> { edit });
    connect(m_edit, &QToolButton::clicked, this, [this, edit] {
        chooseCurrent();
        edit->trigger();
    });
}

void RewritesPanel::makeButtons()
{
    makeWordButton(*m_edit, u"editRewrite"_s, tr("Edit Text"), tr("Opens your text to change it"));
    makeWordButton(
        *m_restore, u"restoreRewrite"_s, tr("Restore"), tr("Pins the block, so the policy leaves it unchanged"));
    makeWordButton(*m_show, u"showInArray"_s, tr("Show in Array"), tr("Scrolls the array to the slot"));
    makeWordButton(
        *m_save, u"saveRewrite"_s, tr("Save As"), tr("Saves the original text, the rewritten text or the artifact"));
    connect(m_restore, &QToolButton::clicked, this, &RewritesPanel::restoreCurrent);
    connect(m_show, &QToolButton::clicked, this, &RewritesPanel::showInArray);
    auto *menu = new QMenu(m_save);
    for (const auto &[which, words] : { std::pair(Text::Original, tr("Original…")),
             std::pair(Text::After, tr("Rewritten Text…")), std::pair(Text::Artifact, tr("Artifact…")) }) {
        QAction *action = menu->addAction(words, this, [this, which] { chooseSavePlace(which); });
        connect(menu, &QMenu::aboutToShow, action, [this, action, which] { action->setVisible(offers(which)); });
    }
    m_save->setMenu(menu);
    m_save->setPopupMode(QToolButton::InstantPopup);
}

QString RewritesPanel::whyEmpty() const
{
    const core::SessionPtr &session = m_state.session();
    const Workspace &workspace = m_state.workspace();
    const bool isEmpty = session && session->thread(m_state.position().thread).compactions.empty()
        && !workspace.plan().isSimulated() && !workspace.afterFile();
    return isEmpty ? tr("This thread records no compaction. Choose a policy to list its rewrites.") : QString();
}

// --- compaction -----------------------------------------------------------------------------------------------------

void RewritesPanel::updateTables()
{
    const core::CompactionPtr &made = m_shown.get();
    // A panel behind another tab is hidden, so it ignores the plans of a drag.
    if (!isInSight() || made == m_tables->compaction())
        return refreshSummary();
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_tables->setCompaction(made);
        sizeColumns();
    }
    const auto title
        = [](const QString &name, size_t count) { return count > 0 ? name + u' ' + groupedText(count) : name; };
    m_which->setTabText(0, title(tr("Rewrites"), made ? made->rewrites.size() : 0));
    m_which->setTabText(1, title(tr("Artifacts"), made ? made->artifacts.size() : 0));
    m_finder.setCompaction(made, m_shown.recoveryOptions());
    refreshSummary();
    begin();
}

void RewritesPanel::comeIntoSight()
{
    updateTables();
    begin();
    sizeColumns();
}

/// Whose changes the rows are, and at which call.
QString RewritesPanel::whose() const
{
    const ArrayPicture &picture = m_state.picture();
    const QString call = tr("call %1").arg(picture.position.call.value());
    const QString at = picture.position.isEnd() ? tr("at the end") : tr("at %1").arg(call);
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    const QString by = policy ? displayText(policy->name) : tr("your changes");
    if (picture.compaction != nullptr)
        return tr("recorded after %1 · %2").arg(call, compactionWord(picture.compaction->kind));
    if (picture.simulated)
        return tr("simulated %1 · %2").arg(at, by);
    if (picture.ownRun)
        return tr("own run of %1 %2, beside the recorded array").arg(by, at);
    return picture.observed ? tr("observed beside the other file") : tr("recorded");
}

void RewritesPanel::refreshSummary()
{
    using Voice = FactsLine::Voice;
    if (!m_error.isEmpty())
        return m_summary->setParts({ { m_error, Voice::Hot } });
    QString words;
    if (m_shown.isObserving())
        words = tr("Comparing the two arrays…");
    else if (!m_shown.get())
        words = tr("Choose a policy, or a call before a compaction, to list the changes here.");
    else if (m_shown.get()->rewrites.empty())
        words = tr("Nothing changes here.");
    else
        words = whose();
    m_summary->setParts({ { words, Voice::Secondary } });
}

// --- rows -----------------------------------------------------------------------------------------------------------

void RewritesPanel::follow()
{
    if (m_isActing || !isInSight())
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    chooseRow(rowOfCurrent());
}

void RewritesPanel::begin()
{
    if (m_isActing || !isInSight())
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    const int row = rowOfCurrent();
    const bool isFirst = row < 0 && m_tables->rewriteCount() > 0;
    chooseRow(isFirst ? 0 : row);
    m_hasOnlyBegun = isFirst;
}

int RewritesPanel::rowOfCurrent() const
{
    int row = m_tables->rowOf(m_state.currentBlock());
    if (row >= 0 || !m_state.session() || !m_state.currentSlot().isValid())
        return row;
    // Another block of the slot may have been rewritten.
    const core::Transcript &before = m_state.picture().before;
    for (const core::BlockId block : before.blocksOf(before.slot(m_state.currentSlot()))) {
        if (row < 0)
            row = m_tables->rowOf(block);
    }
    return row;
}

void RewritesPanel::chooseRow(int row, DiffStart start)
{
    m_tables->setCurrentRow(row);
    showRow(start);
}

void RewritesPanel::showRow(DiffStart start)
{
    m_hasOnlyBegun = false;
    m_error.clear();
    refreshSummary();
    const core::Rewrite *rewrite = m_tables->currentRewrite();
    m_finder.setRewrite(rewrite);
    if (rewrite == nullptr) {
        m_compared.reset();
        if (const core::Artifact *artifact = m_tables->currentArtifact())
            m_diff->setInput(artifactDiff(m_tables->compaction(), *artifact));
        else
            m_diff->clear();
        return refreshFacts();
    }
    showRewrite(*rewrite, start);
    refreshFacts();
    if (!m_isFollowing)
        chooseBlockOf(*rewrite);
}

void RewritesPanel::showRewrite(const core::Rewrite &rewrite, DiffStart start)
{
    const core::CompactionPtr made = m_tables->compaction();
    const Key key { rewrite.block, rewrite.made, rewrite.pointer, rewrite.after, made->before.session().get() };
    if (m_compared == key && start == DiffStart::First)
        return;
    m_compared = key;
    m_diff->setInput(rewriteDiff(made, rewrite), start);
}

void RewritesPanel::chooseBlockOf(const core::Rewrite &rewrite)
{
    const QScopedValueRollback acting(m_isActing, true);
    const core::BlockId block = rewrite.block;
    if (!block.isValid())
        return m_state.chooseAddedBlock(rewrite.made);
    m_state.setCurrentSlot(m_tables->compaction()->before.slotOf(block));
    m_state.setCurrentBlock(block);
}

void RewritesPanel::chooseCurrent()
{
    const core::Rewrite *rewrite = m_tables->currentRewrite();
    if (rewrite == nullptr)
        return;
    m_hasOnlyBegun = false;
    const bool isChosen = rewrite->block.isValid()
        ? rewrite->block == m_state.currentBlock() && !m_state.addedBlock().isValid()
        : rewrite->made == m_state.addedBlock();
    if (!isChosen)
        chooseBlockOf(*rewrite);
}

void RewritesPanel::showInArray()
{
    const core::Rewrite *rewrite = m_tables->currentRewrite();
    if (rewrite == nullptr || !rewrite->block.isValid())
        return;
    chooseBlockOf(*rewrite);
    Q_EMIT showInArrayRequested();
}

void RewritesPanel::refreshFacts()
{
    using Voice = FactsLine::Voice;
    const core::Rewrite *rewrite = m_tables->currentRewrite();
    const core::CompactionPtr &made = m_tables->compaction();
    const bool hasBlock = rewrite != nullptr && rewrite->block.isValid();
    const bool isInserted = rewrite != nullptr && rewrite->fate == core::Fate::Inserted;
    const bool isWritten = isInserted || (hasBlock && rewrite->fate == core::Fate::Edited);
    m_edit->setVisible(isWritten && made->policy);
    m_restore->setVisible((hasBlock || isInserted) && made->policy);
    m_restore->setToolTip(isInserted ? tr("Takes the message out again")
            : isWritten              ? tr("Gives the block its recorded text again")
                                     : tr("Pins the block, so the policy leaves it unchanged"));
    m_show->setVisible(hasBlock);
    m_save->setVisible(rewrite != nullptr || m_tables->currentArtifact() != nullptr);
    if (rewrite == nullptr)
        return m_facts->setParts({});
    const int row = m_tables->currentRow();
    const QString place
        = tr("%1 of %2").arg(groupedText(static_cast<uint64_t>(row) + 1), groupedText(made->rewrites.size()));
    QStringList facts = m_finder.words(*rewrite, row);
    if (hasBlock && m_finder.isKnown()) {
        const auto &kept = m_state.workspace().kept();
        facts << (kept && kept->compaction == made
                ? tr("original: commit %1 of %2")
                      .arg(displayText(kept->commit), displayText(kept->store.filename().string()))
                : tr("the original is in the session file"));
    }
    m_facts->setParts({ { place, Voice::Strong }, { facts.join(u" · "_s), Voice::Secondary } });
}

// --- commands -------------------------------------------------------------------------------------------------------

void RewritesPanel::step(int direction)
{
    updateTables();
    m_which->setCurrentIndex(0);
    if (m_hasOnlyBegun || (!m_diff->isBusy() && m_tables->currentRewrite() == nullptr))
        return stepRewrite(direction);
    if (direction > 0)
        m_diff->nextDifference();
    else
        m_diff->previousDifference();
}

void RewritesPanel::stepRewrite(int direction, DiffStart start)
{
    updateTables();
    const int count = m_tables->rewriteCount();
    if (m_tables->showsArtifacts() || count == 0)
        return;
    const bool isOn = m_tables->currentRow() >= 0 && !m_hasOnlyBegun;
    const int row = isOn ? m_tables->currentRow() + direction : direction > 0 ? 0 : count - 1;
    if (row >= 0 && row < count)
        chooseRow(row, start);
}

void RewritesPanel::restoreCurrent()
{
    const core::Rewrite *rewrite = m_tables->currentRewrite();
    if (rewrite == nullptr || !m_tables->compaction()->policy)
        return;
    Workspace &workspace = m_state.workspace();
    if (rewrite->fate == core::Fate::Inserted) {
        const core::CompactionPtr made = m_tables->compaction();
        if (const auto index = core::insertionOf(*made, rewrite->made, workspace.plan().overrides))
            workspace.plans().commitWithout(*index);
        return;
    }
    if (!rewrite->block.isValid())
        return;
    if (rewrite->fate == core::Fate::Edited)
        return workspace.plans().commitText(rewrite->block, std::nullopt);
    // A dropped block comes back when it is no longer dropped.
    const bool wasDropped = workspace.overrideOf(rewrite->block) == Workspace::Override::Drop;
    const core::BlockId block = rewrite->block;
    workspace.commitOverride(
        { block }, wasDropped ? std::nullopt : std::optional(Workspace::Override::Keep), tr("Restore"));
}

bool RewritesPanel::offers(Text which) const
{
    const core::Rewrite *rewrite = m_tables->currentRewrite();
    if (which == Text::Artifact)
        return m_tables->currentArtifact() != nullptr;
    return rewrite != nullptr && (which == Text::Original || rewrite->made.isValid());
}

void RewritesPanel::chooseSavePlace(Text which)
{
    // Only the last part of the harness's name: a session must not choose the folder.
    QString name = u"text.txt"_s;
    if (const core::Artifact *artifact = m_tables->currentArtifact(); which == Text::Artifact && artifact != nullptr)
        name = QFileInfo(displayText(artifact->name)).fileName();
    else if (const core::Rewrite *rewrite = m_tables->currentRewrite(); rewrite != nullptr && rewrite->block.isValid())
        name = u"message-%1.txt"_s.arg(m_tables->compaction()->before.block(rewrite->block).message.value());
    const QString path = QFileDialog::getSaveFileName(this, tr("Save Text"), name);
    if (!path.isEmpty())
        saveTo(which, path);
}

void RewritesPanel::saveTo(Text which, const QString &path)
{
    const core::CompactionPtr made = m_tables->compaction();
    const core::Rewrite *rewrite = m_tables->currentRewrite();
    const core::Artifact *artifact = m_tables->currentArtifact();
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
        if (!m_shown.isObserving() && !m_finder.isRunning() && !m_tables->isReading())
            loop.quit();
    });
    poll.start(1ms);
    loop.exec(QEventLoop::ExcludeUserInputEvents);
    m_diff->finish();
}

// --- look -----------------------------------------------------------------------------------------------------------

void RewritesPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    m_which->setTheme(theme);
    m_tables->setTheme(theme);
    m_diff->setTheme(theme);
    m_summary->setTheme(theme);
    m_facts->setTheme(theme);
    for (QToolButton *button : { m_edit, m_restore, m_show, m_save }) {
        button->setPalette(theme.palette());
        button->setStyleSheet(
            u"QToolButton { color: %1; border: 1px solid %2; border-radius: 4px; padding: 2px 8px; }"
            "QToolButton:hover { background: %3; } QToolButton::menu-indicator { image: none; }"_s.arg(
                theme.text.name(), theme.hairline.name(), theme.accentGround.name()));
    }
    m_splitter->setStyleSheet(u"QSplitter::handle { background: %1; }"_s.arg(theme.hairline.name()));
    update();
}

void RewritesPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

void RewritesPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

void RewritesPanel::sizeColumns()
{
    const core::Session *session = m_state.session().get();
    m_tables->sizeColumns(
        u"[%1] #%2"_s.arg(m_state.picture().before.slotCount()).arg(session != nullptr ? session->messages.size() : 0));
}

PanelKind rewritesPanel()
{
    return { u"rewrites"_s, RewritesPanel::tr("Rewrites and Artifacts"), Qt::BottomDockWidgetArea, Qt::Key_5,
        makePanel<RewritesPanel> };
}

} // namespace ui
