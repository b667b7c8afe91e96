// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edits_page.h"

#include "core/session/outline.h"
#include "ui/edits/edit_comment.h"
#include "ui/edits/edit_details.h"
#include "ui/edits/edit_words.h"
#include "ui/edits/edits_list.h"
#include "ui/edits/edits_model.h"
#include "ui/files/save_bytes.h"
#include "ui/widgets/facts_line.h"
#include "ui/widgets/widget_name.h"
#include "ui/widgets/word_button.h"
#include "ui/widgets/wrapped_label.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kListWidth = 350;
constexpr int kDetailsNeed = 700; ///< a lower page shows only the most needed rows
constexpr int kPromptNeeds = 600; ///< in a lower one the prompt is left out, too
constexpr int kBasisNeeds = 420;  ///< in a still lower one the list fills the left side
constexpr int kScopesNeed = 760;  ///< in a narrower right side they are one word
constexpr int kShowNeeds = 560;   ///< a narrower one has no button Show in Array
constexpr int kDiffNeeds = 430;   ///< for the head without this button
constexpr size_t kMostNames = 4;  ///< of files that a patch leaves out

} // namespace

EditsPage::EditsPage(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_review(state.workspace())
    , m_summary(new WrappedLabel(this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_list(new EditsList(m_review, state.search(), this))
    , m_facts(new FactsLine(this))
    , m_scopes(new SegmentedControl({ tr("Edit"), tr("File"), tr("Session") }, this))
    , m_diff(new DiffView(this))
    , m_details(new EditDetails(state, m_review, this))
    , m_comment(new EditComment(m_review, this))
    , m_copyComments(new QToolButton(this))
    , m_reviewed(new QToolButton(this))
    , m_sentBack(new QToolButton(this))
    , m_show(new QToolButton(this))
    , m_patch(new QToolButton(this))
    , m_said(new WrappedLabel(this))
{
    addName(this, u"editsPage"_s, tr("Edits"));
    addName(m_summary, u"editsSummary"_s, tr("All edits"));
    addName(m_scopes, u"editsScope"_s, tr("Scope of the diff"));
    m_facts->setObjectName(u"editFacts"_s);
    m_said->setObjectName(u"editsSaid"_s);
    m_splitter->addWidget(makeListSide());
    m_splitter->addWidget(makeDiffSide());
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ kListWidth, 3 * kListWidth });
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_splitter);
    connectAll();
    applyTheme();
    takeEdits();
}

EditsPage::~EditsPage() = default;

// --- parts ---------------------------------------------------------------------------------------------------------

QWidget *EditsPage::makeListSide()
{
    auto *side = new QWidget(this);
    m_summary->setFont(Theme::textFont(12));
    m_summary->setContentsMargins(kPageMargin, 8, kPageMargin, 6);
    m_summary->reserveLines(2); // the list stays where it is while the words grow
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_summary);
    column->addWidget(m_list, 1);
    column->addWidget(m_details);
    column->addWidget(m_comment);
    makeWordButton(
        *m_copyComments, u"editCopyComments"_s, {}, tr("Copies the comments with their edits, for the agent"));
    connect(m_copyComments, &QToolButton::clicked, this, &EditsPage::copyComments);
    connect(&m_review, &EditReview::reviewedChanged, this, &EditsPage::countComments);
    column->addWidget(m_copyComments);
    countComments();
    return side;
}

QWidget *EditsPage::makeDiffSide()
{
    auto *side = new QWidget(this);
    side->setMinimumWidth(kDiffNeeds);
    makeButtons(side);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(16, 6, kPageMargin, 4);
    head->setSpacing(10);
    head->addWidget(m_facts, 1);
    head->addWidget(m_scopes);
    head->addWidget(m_reviewed);
    head->addWidget(m_sentBack);
    head->addWidget(m_show);
    head->addWidget(m_patch);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_diff, 1);
    column->addWidget(m_said);
    return side;
}

void EditsPage::makeButtons(QWidget *parent)
{
    for (QToolButton *button : { m_reviewed, m_sentBack, m_show, m_patch })
        button->setParent(parent);
    makeWordButton(*m_reviewed, u"editReviewed"_s, tr("Reviewed"), {});
    makeWordButton(*m_sentBack, u"editSentBack"_s, tr("Send Back"), {});
    makeWordButton(*m_show, u"editShowInArray"_s, tr("Show in Array"), tr("Scrolls the array to the slot (Enter)"));
    makeWordButton(
        *m_patch, u"editPatch"_s, tr("Patch"), tr("Copies or saves the shown changes as a patch for git apply"));
    m_reviewed->setCheckable(true);
    m_sentBack->setCheckable(true);
    auto *menu = new QMenu(m_patch);
    menu->addAction(tr("Copy Patch"), this, &EditsPage::copyPatch);
    menu->addAction(tr("Save as Patch…"), this, &EditsPage::chooseSavePlace);
    menu->addAction(tr("Copy Comments"), this, &EditsPage::copyComments);
    m_patch->setMenu(menu);
    m_patch->setPopupMode(QToolButton::InstantPopup);
    m_said->setFont(Theme::textFont(12));
    m_said->setContentsMargins(kPageMargin, 6, kPageMargin, 8);
    m_said->hide();
}

void EditsPage::connectAll()
{
    connect(&m_review, &EditReview::editsChanged, this, &EditsPage::takeEdits);
    connect(&m_review, &EditReview::factsChanged, this, &EditsPage::takeFacts);
    connect(&m_review, &EditReview::reviewedChanged, this, &EditsPage::takeReviewed);
    connect(&m_review, &EditReview::problemChanged, this, [this] { say(m_review.problem(), true); });
    connect(&m_state, &ViewState::currentChanged, this, &EditsPage::follow);
    connect(&m_state, &ViewState::pictureSettled, m_details, &EditDetails::refresh);
    connect(&m_state, &ViewState::themeChanged, this, &EditsPage::applyTheme);
    connect(m_scopes, &SegmentedControl::chosen, this, [this](int scope) { setScope(static_cast<EditScope>(scope)); });
    connect(m_list, &EditsList::chosen, this, [this](size_t edit) { choose(edit); });
    connect(m_list, &EditsList::showRequested, this, [this] { Q_EMIT m_show->clicked(); });
    connect(m_list, &EditsList::reviewedToggled, this, &EditsPage::toggleReviewed);
    connect(m_list, &EditsList::sentBackToggled, this, &EditsPage::toggleSentBack);
    connect(m_list, &EditsList::commentRequested, this, &EditsPage::writeComment);
    connect(m_comment, &EditComment::left, this, [this] { list()->setFocus(); });
    connect(m_list, &EditsList::copyRequested, this, &EditsPage::copyPatch);
    connect(m_list, &EditsList::sought, this, [this](const std::vector<core::Needle> &needles) {
        m_diff->setFind(needles);
        sayMatches();
    });
    connect(m_list, &EditsList::stepRequested, this, &EditsPage::stepMatch);
    connect(m_diff, &DiffView::matchesChanged, this, &EditsPage::sayMatches);
    connect(m_list, &EditsList::folderRequested, this, &EditsPage::chooseFolder);
    connect(m_reviewed, &QToolButton::clicked, this, [this] { // stays: the user may want to write a comment
        if (canMark())
            m_review.setReviewed({ *m_current }, !m_review.isReviewed(*m_current));
        refreshMarks();
    });
    connect(m_sentBack, &QToolButton::clicked, this, &EditsPage::toggleSentBack);
    connect(m_show, &QToolButton::clicked, this, [this] {
        if (!m_current)
            return;
        jumpTo(m_review.found()->blockOf(*m_current));
        Q_EMIT showInArrayRequested();
    });
    connect(m_diff, &DiffView::ended, this, &EditsPage::goOn);
    for (const auto &[key, direction] : { std::pair(Qt::Key_N, 1), std::pair(Qt::Key_P, -1) }) {
        auto *shortcut = new QShortcut(QKeySequence(key), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, direction] { stepEdit(direction); });
    }
    connect(m_details, &EditDetails::messageChosen, this, &EditsPage::jumpToMessage);
    m_splitter->widget(1)->installEventFilter(this);
}

void EditsPage::setListActions(const QList<QAction *> &actions)
{
    m_list->view()->addActions(actions);
    m_list->view()->setContextMenuPolicy(Qt::ActionsContextMenu);
}

// --- contents ------------------------------------------------------------------------------------------------------

void EditsPage::takeEdits()
{
    const FoundEditsPtr &found = m_review.found();
    if (!found && m_current && m_shown) // after a reload or another session: the same edit, if it exists
        m_wanted = m_shown->found->names[*m_current];
    m_current.reset();
    m_shown.reset();
    m_splitter->setVisible(found && found->count() > 0);
    layout()->activate(); // so that list and diff know their sizes
    m_list->select(std::nullopt);
    m_list->refresh();
    if (found && found->count() > 0) {
        begin();
    } else {
        m_diff->clear();
        m_details->setEdit(std::nullopt);
        m_comment->setEdit(std::nullopt);
    }
    if (found)
        showWantedNumber();
    refreshHead();
    update();
}

void EditsPage::takeFacts()
{
    m_list->refreshFacts();
    m_details->refresh();
    refreshHead();
}

void EditsPage::takeReviewed()
{
    m_list->refreshWords();
    refreshHead();
}

void EditsPage::begin()
{
    const FoundEdits &found = *m_review.found();
    std::optional<size_t> first = found.editOf(m_state.currentBlock());
    if (const auto wanted = std::exchange(m_wanted, std::nullopt); wanted) {
        const auto at = std::ranges::find(found.names, *wanted);
        if (at != found.names.end())
            first = static_cast<size_t>(at - found.names.begin());
    }
    if (!first && !m_list->model().order().empty())
        first = m_list->model().order().front();
    if (first)
        showEdit(*first);
}

void EditsPage::follow()
{
    m_details->refresh();
    if (m_isActing || !isVisible() || !m_review.found())
        return;
    if (const auto edit = m_review.found()->editOf(m_state.currentBlock()); edit && edit != m_current)
        showEdit(*edit);
}

void EditsPage::choose(size_t edit, DiffStart start)
{
    showEdit(edit, start);
    jumpTo(m_review.found()->blockOf(edit));
}

bool EditsPage::showEditOf(core::BlockId block)
{
    const auto edit = m_review.found() ? m_review.found()->editOf(block) : std::nullopt;
    if (edit)
        showEdit(*edit);
    return edit.has_value();
}

void EditsPage::showEdit(size_t edit, DiffStart start)
{
    m_current = edit;
    m_list->select(edit);
    m_details->setEdit(edit);
    m_comment->setEdit(m_details->isHidden() ? std::nullopt : m_current);
    showDiff(start);
    refreshHead();
}

void EditsPage::showDiff(DiffStart start)
{
    if (!m_current)
        return;
    Shown shown { m_review.found(), m_scope == EditScope::Session ? 0 : *m_current, m_scope };
    const bool isSame = m_shown == shown;
    m_shown = std::move(shown);
    if (!isSame)
        m_diff->setInput(diffOf(m_review.found(), *m_current, m_scope), start);
    else if (m_scope == EditScope::Session)
        m_diff->goToFile(m_review.found()->edit(*m_current).path);
}

void EditsPage::setScope(EditScope scope)
{
    m_scope = scope;
    m_scopes->setCurrent(static_cast<int>(scope));
    fitParts();
    showDiff();
    refreshHead();
}

// --- going about ----------------------------------------------------------------------------------------------------

void EditsPage::step(int direction)
{
    if (direction > 0)
        m_diff->nextDifference();
    else
        m_diff->previousDifference();
}

void EditsPage::jumpTo(core::BlockId block)
{
    if (!block.isValid() || m_state.session() != m_review.found()->edits.session)
        return;
    const QScopedValueRollback acting(m_isActing, true);
    if (!m_state.picture().before.slotOf(block).isValid()) {
        if (const auto position = core::nearestPositionWith(*m_state.session(), block, m_state.position()))
            m_state.setPosition(*position);
    }
    // The slot first, so that the views bring it into sight, then the block that was meant.
    if (const core::SlotIndex slot = m_state.picture().before.slotOf(block); slot.isValid())
        m_state.setCurrentSlot(slot);
    m_state.setCurrentBlock(block);
}

void EditsPage::showBasis()
{
    const core::EditBasis *basis = m_current ? m_review.basis(*m_current) : nullptr;
    if (basis == nullptr)
        return;
    if (basis->carriers.empty())
        return say(basis->kind == core::BasisKind::NotNeeded ? tr("This edit needs no old text.")
                                                             : tr("Nothing in the log shows the edit's old text."),
            false);
    jumpTo(basis->carriers.front());
    Q_EMIT showInArrayRequested();
}

void EditsPage::jumpToMessage(core::MessageId message)
{
    const FoundEditsPtr &found = m_review.found();
    if (!found || message.index() >= found->edits.session->messages.size())
        return;
    const core::BlockId block = found->edits.session->message(message).first;
    const auto edit = found->editOf(block);
    jumpTo(edit ? found->blockOf(*edit) : block);
    if (edit)
        showEdit(*edit);
}

bool EditsPage::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize)
        fitParts();
    return QWidget::eventFilter(watched, event);
}

// --- doing ----------------------------------------------------------------------------------------------------------

void EditsPage::writeComment()
{
    if (m_scope != EditScope::Edit)
        setScope(EditScope::Edit);
    m_comment->setEdit(m_current); // in a low page, too
    m_comment->setFocus();
}

void EditsPage::chooseFolder()
{
    if (!m_review.found())
        return;
    const QString folder = QFileDialog::getExistingDirectory(
        this, tr("Choose Repository"), QString::fromStdString(m_review.folder().string()));
    if (folder.isEmpty())
        return;
    m_review.setFolder(folder.toStdString());
    say(displayText(core::limitOf(core::standingGround(m_review.folder()))), false);
}

void EditsPage::copyPatch()
{
    makePatch(
        [](const std::string &text) -> core::Result<void> {
            QGuiApplication::clipboard()->setText(QString::fromStdString(text));
            return {};
        },
        tr("Copied a patch of %1."));
}

void EditsPage::copyComments()
{
    const std::string text = m_review.found() ? commentsText(m_review, m_review.noted()) : std::string();
    if (text.empty())
        return say(tr("There are no comments on edits, and no edit is sent back."), true);
    QGuiApplication::clipboard()->setText(QString::fromStdString(text));
    say(tr("Copied %1.").arg(notesTitle(m_review).toLower()), false);
}

void EditsPage::countComments()
{
    const bool areThere = m_review.found() && !m_review.noted().empty();
    m_copyComments->setText(areThere ? tr("Copy %1").arg(notesTitle(m_review)) : tr("Copy Comments"));
    m_copyComments->setEnabled(areThere);
    // Its room is kept, so that nothing moves when the first comment is typed.
    m_copyComments->setVisible(areThere || height() >= kBasisNeeds);
}

void EditsPage::savePatch(const QString &path)
{
    makePatch([this, path](const std::string &text) { return saveBytes(*m_review.found()->edits.session, text, path); },
        tr("Saved a patch of %1."));
}

void EditsPage::chooseSavePlace()
{
    if (!m_current)
        return;
    const QString name = m_scope == EditScope::Session
        ? QFileInfo(QString::fromStdString(m_state.workspace().path().string())).completeBaseName()
        // Only the last part: names in sessions are never paths unasked.
        : QFileInfo(displayText(m_review.found()->edit(*m_current).path)).fileName();
    const QString path = QFileDialog::getSaveFileName(this, tr("Save as Patch"), name + u".patch"_s);
    if (!path.isEmpty())
        savePatch(path);
}

void EditsPage::makePatch(const std::function<core::Result<void>(const std::string &)> &take, const QString &done)
{
    if (!m_current)
        return;
    m_patchJob.start(
        this,
        [found = m_review.found(), edit = *m_current, scope = m_scope, folder = m_review.folder()](
            core::Progress &) { return core::patchOf(livesOf(*found, edit, scope), folder); },
        [this, found = m_review.found(), edit = *m_current, scope = m_scope, take, done](
            const core::Result<core::CumulatedPatch> &patch) {
            if (!patch)
                return say(displayText(patch.error().sentence()), true);
            const QString leftOut = leftOutWords(*patch, kMostNames);
            const QString allLeftOut = leftOutWords(*patch, patch->leftOut.size() + patch->unchanged.size());
            if (patch->text.empty())
                return say(
                    leftOut.isEmpty() ? tr("Nothing was changed, so there is no patch.") : leftOut, true, allLeftOut);
            if (found != m_review.found())
                return; // another session: its comments are not here
            std::vector<size_t> edits = editsIn(*found, edit, scope, patch->files);
            const std::vector<size_t> noted = m_review.noted();
            std::erase_if(edits, [&](size_t each) { return !std::ranges::binary_search(noted, each); });
            if (const auto taken = take(commentsForPatch(m_review, edits) + patch->text); !taken)
                return say(displayText(taken.error().sentence()), true);
            const QString made = done.arg(counted(patch->files.size(), tr("file"), tr("files")));
            say(QString(made + u' ' + leftOut).trimmed(), false, QString(made + u' ' + allLeftOut).trimmed());
        });
}

void EditsPage::say(const QString &sentence, bool isProblem, const QString &tip)
{
    const Theme &theme = m_state.theme();
    QPalette palette = theme.palette();
    palette.setColor(QPalette::WindowText, isProblem ? theme.hot : theme.secondary);
    m_said->setPalette(palette);
    m_said->setText(sentence);
    m_said->setToolTip(toolTipText(tip.isEmpty() ? sentence : tip));
    m_said->setVisible(!sentence.isEmpty());
}

void EditsPage::waitForContent()
{
    m_review.waitForAll();
    m_list->waitForSearch();
    m_diff->finish();
    while (m_patchJob.isRunning())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    // New text may need more lines, and a hidden window gets no layout request.
    m_details->layout()->invalidate();
    m_details->layout()->activate();
    m_details->updateGeometry();
    for (const int side : { 0, 1 })
        m_splitter->widget(side)->layout()->activate();
}

// --- looks ----------------------------------------------------------------------------------------------------------

void EditsPage::fitParts()
{
    const bool hadDetails = !m_details->isHidden();
    m_details->setRoom(height() < kPromptNeeds ? EditDetails::Room::Little
            : height() < kDetailsNeed          ? EditDetails::Room::Some
                                               : EditDetails::Room::Full);
    m_comment->setLow(height() < kDetailsNeed);
    const bool hasDetails = m_scope == EditScope::Edit && height() >= kBasisNeeds;
    m_details->setVisible(hasDetails);
    m_comment->setEdit(hasDetails ? m_current : std::nullopt);
    if (hadDetails == m_details->isHidden())
        refreshHead();
    m_scopes->setCompact(m_splitter->widget(1)->width() < kScopesNeed);
    m_show->setVisible(m_splitter->widget(1)->width() >= kShowNeeds);
    countComments();
}

void EditsPage::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    // Comes first: a style sheet resets the palettes of child widgets.
    m_splitter->setStyleSheet(u"QSplitter::handle { background: %1; }"_s.arg(theme.hairline.name()));
    m_list->setTheme(theme);
    m_scopes->setTheme(theme);
    m_facts->setTheme(theme);
    m_diff->setTheme(theme);
    m_details->setTheme(theme);
    m_comment->setTheme(theme);
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    m_summary->setPalette(quiet);
    m_said->setPalette(quiet);
    for (QToolButton *button : { m_reviewed, m_sentBack, m_show, m_patch }) {
        button->setStyleSheet(
            u"QToolButton { color: %1; border: 1px solid %2; border-radius: 4px; padding: 3px 10px; }"
            "QToolButton:hover { background: %3; } QToolButton:checked { background: %3; border-color: %4; }"
            "QToolButton:disabled { color: %2; }"
            "QToolButton::menu-indicator { image: none; }"_s.arg(
                theme.text.name(), theme.hairline.name(), theme.accentGround.name(), theme.accent.name()));
    }
    update();
}

QString EditsPage::emptyWords() const
{
    if (!m_state.session())
        return {};
    return m_review.found() ? tr("No tool call of this session changed a file.")
                            : tr("Looking for the edits of this session.");
}

void EditsPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state.theme();
    painter.fillRect(rect(), theme.base);
    if (m_splitter->isVisible())
        return;
    painter.setFont(Theme::textFont(13));
    painter.setPen(theme.secondary);
    painter.drawText(
        rect().adjusted(4 * kPageMargin, 40, -4 * kPageMargin, 0), Qt::AlignCenter | Qt::TextWordWrap, emptyWords());
}

void EditsPage::showEvent(QShowEvent *event)
{
    m_review.setWanted(true);
    QWidget::showEvent(event);
    follow();
}

void EditsPage::hideEvent(QHideEvent *event)
{
    m_review.setWanted(false);
    QWidget::hideEvent(event);
}

} // namespace ui
