// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edits_list.h"

#include "ui/edits/edit_search.h"
#include "ui/edits/edits_delegate.h"
#include "ui/edits/edits_model.h"
#include "ui/hub/searched_texts.h"
#include "ui/text/text_look.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/widget_name.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QThread>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidestFilter = 150;
constexpr int kAllNeed = 330; ///< in a narrower list the grouping is one word

} // namespace

EditsList::EditsList(EditReview &review, const SessionSearch &search, QWidget *parent)
    : QWidget(parent)
    , m_review(review)
    , m_sought(search)
    , m_model(new EditsModel(review, this))
    , m_delegate(new EditsDelegate(this))
    , m_by(new SegmentedControl({ tr("File"), tr("Time"), tr("Basis"), tr("State") }, this))
    , m_filter(new QLineEdit(this))
    , m_foundRow(new QWidget(this))
    , m_state(new SegmentedControl({ tr("All States") }, m_foundRow))
    , m_found(new ElidedLabel(m_foundRow))
    , m_view(new QTreeView(this))
    , m_folder(new QPushButton(this))
{
    addName(m_by, u"editsBy"_s, tr("Group edits by"));
    addName(m_filter, u"editsFilter"_s, tr("Filter by path or text"));
    addName(m_state, u"editsState"_s, tr("State of the edits"));
    m_state->setCompact(true);
    addName(m_found, u"editsFound"_s, tr("What the filter finds"));
    addName(m_view, u"editsList"_s, tr("Edits"));
    addName(m_folder, u"editsFolder"_s, tr("Repository"));
    makeParts();
    connectAll();
}

void EditsList::makeParts()
{
    m_filter->setPlaceholderText(tr("Filter by path or text"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(kWidestFilter);
    m_filter->setFont(Theme::textFont(12));
    m_filter->installEventFilter(this);
    m_view->setModel(m_model);
    m_view->setItemDelegate(m_delegate);
    m_view->setHeaderHidden(true);
    m_view->setRootIsDecorated(false);
    m_view->setIndentation(0);
    m_view->setItemsExpandable(false);
    m_view->setUniformRowHeights(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->installEventFilter(this);
    m_view->viewport()->installEventFilter(this);
    m_folder->setFlat(true);
    m_folder->setFont(Theme::textFont(12));
    m_folder->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(kPageMargin, 0, kPageMargin, 6);
    row->setSpacing(8);
    row->addWidget(m_by);
    row->addStretch();
    row->addWidget(m_filter, 1);
    m_found->setFont(Theme::textFont(12));
    m_found->setTextFormat(Qt::PlainText);
    auto *foundRow = new QHBoxLayout(m_foundRow);
    foundRow->setContentsMargins(kPageMargin, 0, kPageMargin, 4);
    foundRow->setSpacing(8);
    foundRow->addWidget(m_state, 0, Qt::AlignLeft);
    foundRow->addWidget(m_found, 1);
    m_steps = { makeStep(u"previousEditMatch"_s, Qt::UpArrow, tr("Previous match (Shift+F3)"), -1),
        makeStep(u"nextEditMatch"_s, Qt::DownArrow, tr("Next match (F3)"), 1) };
    for (QToolButton *step : m_steps)
        foundRow->addWidget(step);
    m_foundRow->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_foundRow);
    column->addWidget(m_view, 1);
    column->addWidget(m_folder);
    setMinimumWidth(180);
}

QToolButton *EditsList::makeStep(const QString &name, Qt::ArrowType arrow, const QString &tip, int direction)
{
    auto *button = new QToolButton(m_foundRow);
    button->setObjectName(name);
    button->setArrowType(arrow);
    button->setAutoRaise(true);
    button->setToolTip(tip);
    button->setAccessibleName(tip.section(u" ("_s, 0, 0));
    button->setFixedSize(22, 22);
    connect(button, &QToolButton::clicked, this, [this, direction] { Q_EMIT stepRequested(direction); });
    return button;
}

void EditsList::connectAll()
{
    connect(&m_sought, &SessionSearch::hotChanged, this, [this] {
        if (m_asksForHot)
            search();
    });
    connect(m_by, &SegmentedControl::chosen, this, [this](int by) { setGrouping(static_cast<EditGrouping>(by)); });
    connect(m_filter, &QLineEdit::textChanged, this, &EditsList::search);
    connect(m_state, &SegmentedControl::chosen, this, &EditsList::search);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (const auto edit = m_model->editOf(index); edit && !m_isSelecting)
            Q_EMIT chosen(*edit);
    });
    connect(m_view, &QTreeView::doubleClicked, this, &EditsList::showRequested);
    connect(m_delegate, &EditsDelegate::commentRequested, this, &EditsList::commentRequested);
    connect(m_model, &EditsModel::ticked, this,
        [this](const std::vector<size_t> &edits, bool isReviewed) { m_review.setReviewed(edits, isReviewed); });
    connect(m_folder, &QPushButton::clicked, this, &EditsList::folderRequested);
    auto *copy = new QAction(this); // the list's own menu has one from the window
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copy, &QAction::triggered, this, &EditsList::copyRequested);
    addAction(copy);
}

// --- contents -------------------------------------------------------------------------------------------------------

void EditsList::refresh()
{
    refreshStates();
    m_model->refresh();
    refreshFolder();
    if (m_filter->text().isEmpty() && chosenStates() == kAllFates)
        regroup();
    else
        search(); // the edits may be others
}

void EditsList::refreshFacts()
{
    refreshStates();
    const bool areGroupsMoved = m_model->grouping() == EditGrouping::Basis || m_model->grouping() == EditGrouping::State
        || m_model->filter().fates != kAllFates;
    if (areGroupsMoved) {
        m_model->refresh();
        regroup();
    } else {
        m_delegate->measure(*m_model);
        m_model->refreshWords();
    }
    refreshFolder();
}

void EditsList::search()
{
    const QString words = m_filter->text();
    m_model->setFilter({ words, {}, chosenStates() });
    regroup();
    m_search.cancel();
    const auto query = core::parseQuery(words.toStdString());
    const std::vector<core::Needle> needles = query ? textsOf(*query) : std::vector<core::Needle>();
    m_asksForHot = query && query->reads(core::QueryTerm::Key::Hot);
    const FoundEditsPtr &found = m_review.found();
    if (query && !query->isEmpty() && found) {
        core::SearchGround ground = m_sought.ground();
        if (ground.session != found->edits.session)
            ground = { found->edits.session, nullptr, nullptr, {} };
        m_search.start(
            this,
            [found, ground, query = *query](core::Progress &progress) {
                const auto threads = static_cast<unsigned>(std::max(2, QThread::idealThreadCount()));
                return editsMatching(found, ground, query, threads, &progress);
            },
            [this, words](std::optional<std::vector<size_t>> edits) {
                if (edits)
                    m_model->setFilter({ words, *std::move(edits), chosenStates() });
                regroup();
                refreshFound();
            });
    }
    refreshFound();
    Q_EMIT sought(needles);
}

EditFates EditsList::chosenStates() const
{
    const auto chosen = static_cast<size_t>(m_state->current());
    return chosen < m_states.size() ? m_states[chosen] : kAllFates;
}

void EditsList::refreshStates()
{
    const EditFates chosen = chosenStates();
    std::array<size_t, kEditFateCount> counts {};
    const size_t count = m_review.found() ? m_review.found()->count() : 0;
    for (size_t i = 0; i < count; ++i)
        ++counts[static_cast<size_t>(fateOf(m_review, i))];
    m_states = { kAllFates };
    QStringList words { tr("All States") };
    const auto offer = [&](EditFates fates, const QString &word, size_t number) {
        m_states.push_back(fates);
        words << u"%1 %2"_s.arg(word, groupedText(number));
    };
    const size_t gone
        = counts[static_cast<size_t>(EditFate::Replaced)] + counts[static_cast<size_t>(EditFate::Deleted)];
    constexpr auto kGone = static_cast<EditFates>(only(EditFate::Replaced) | only(EditFate::Deleted));
    const size_t others
        = gone + counts[static_cast<size_t>(EditFate::Outside)]; // a change outside of the log is no edit
    constexpr auto kNotGone = static_cast<EditFates>(kAllFates ^ kGone ^ only(EditFate::Outside));
    if (gone > 0 && others < count)
        offer(kNotGone, tr("Not Replaced"), count - others);
    for (size_t i = 0; i < counts.size(); ++i) {
        const auto fate = static_cast<EditFate>(i);
        QString word = wordOf(fate);
        word[0] = word[0].toUpper();
        if (counts[i] > 0)
            offer(only(fate), word, counts[i]);
    }
    m_state->setWords(words);
    const auto now = std::ranges::find(m_states, chosen);
    m_state->setCurrent(now == m_states.end() ? 0 : static_cast<int>(now - m_states.begin()));
    m_state->setFixedWidth(m_state->compactWidth());
    refreshFound();
}

void EditsList::setMatchWords(const QString &words)
{
    m_matchWords = words;
    refreshFound();
}

void EditsList::refreshFound()
{
    const bool isFiltered = m_review.found() && (!m_filter->text().isEmpty() || chosenStates() != kAllFates);
    m_state->setVisible(m_states.size() > 2);
    m_found->setVisible(isFiltered);
    for (QToolButton *step : m_steps)
        step->setVisible(isFiltered && !m_filter->text().isEmpty());
    m_foundRow->setVisible(isFiltered || !m_state->isHidden());
    if (!isFiltered)
        return;
    const QString count = tr("%1 of %2")
                              .arg(groupedText(m_model->order().size()),
                                  counted(m_review.found()->count(), tr("change"), tr("changes")));
    QStringList words { m_search.isRunning() ? tr("%1 so far…").arg(count) : count };
    if (!m_matchWords.isEmpty())
        words << m_matchWords;
    m_found->setText(words.join(u" · "_s));
    m_found->setToolTip(toolTipText(m_found->text()));
}

void EditsList::refreshWords() { m_model->refreshWords(); }

void EditsList::setGrouping(EditGrouping grouping)
{
    m_by->setCurrent(static_cast<int>(grouping));
    m_model->setGrouping(grouping);
    regroup();
    m_view->scrollToTop(); // from where the list stood before, the same edit would come in sight at any height
    scrollToCurrent();
}

void EditsList::regroup()
{
    m_delegate->measure(*m_model);
    for (int i = 0; i < m_model->rowCount(); ++i)
        m_view->setExpanded(m_model->index(i, 0), !m_model->isFolded(m_model->index(i, 0)));
    const QModelIndex index = m_edit ? m_model->indexOf(*m_edit) : QModelIndex();
    makeCurrent(index.isValid() && m_model->isFolded(index.parent()) ? index.parent() : index);
}

void EditsList::select(std::optional<size_t> edit)
{
    m_edit = edit;
    const QModelIndex index = edit ? m_model->indexOf(*edit) : QModelIndex();
    if (index.isValid() && m_model->isFolded(index.parent())) {
        m_model->setFolded(index.parent(), false);
        m_view->setExpanded(index.parent(), true);
    }
    makeCurrent(index);
}

void EditsList::makeCurrent(const QModelIndex &index)
{
    const QScopedValueRollback selecting(m_isSelecting, true);
    m_view->setCurrentIndex(index);
    scrollToCurrent();
}

void EditsList::setFolded(const QModelIndex &group, bool isFolded)
{
    const QModelIndex current = m_view->currentIndex();
    m_model->setFolded(group, isFolded);
    m_view->setExpanded(group, !isFolded);
    if (isFolded && current.parent() == group)
        makeCurrent(group);
    else if (!isFolded && current == group)
        makeCurrent(m_edit && m_model->indexOf(*m_edit).parent() == group ? m_model->indexOf(*m_edit)
                                                                          : m_model->index(0, 0, group));
    if (const auto edit = m_model->editOf(m_view->currentIndex()); edit && edit != m_edit)
        Q_EMIT chosen(*edit);
}

void EditsList::scrollToCurrent()
{
    const QModelIndex index = m_view->currentIndex();
    if (!index.isValid())
        return;
    if (index.row() == 0 && index.parent().isValid())
        m_view->scrollTo(index.parent()); // with its title
    m_view->scrollTo(index);
}

void EditsList::refreshFolder()
{
    const std::filesystem::path &folder = m_review.folder();
    m_folder->setVisible(m_review.found() != nullptr);
    m_folder->setText(
        folder.empty() ? tr("Choose Repository…") : tr("repository %1").arg(displayText(folder.string())));
    m_folder->setToolTip(folder.empty()
            ? tr("The session's working folder is not on this machine. Choose the folder that holds its files.")
            : tr("Palimpsest compares the edits with this folder. Click to choose another one."));
}

void EditsList::setTheme(const Theme &theme)
{
    m_by->setTheme(theme);
    m_state->setTheme(theme);
    m_delegate->setTheme(theme);
    m_view->setStyleSheet(u"QTreeView { background: %1; border: none; }"_s.arg(theme.base.name()));
    m_filter->setStyleSheet(
        u"QLineEdit { background: %1; color: %2; border: 1px solid %3; border-radius: 4px; padding: 2px 6px; }"
        "QLineEdit:focus { border-color: %4; }"_s.arg(
            theme.base.name(), theme.text.name(), theme.hairline.name(), theme.accent.name()));
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    m_found->setPalette(quiet);
    m_folder->setStyleSheet(
        u"QPushButton { color: %1; background: %2; border: none; border-top: 1px solid %3; border-radius: 0;"
        " padding: 5px %5px; text-align: left; } QPushButton:focus { color: %6; } QPushButton:hover { background: %4; }"_s
            .arg(theme.secondary.name(), theme.base.name(), theme.hairline.name(), theme.accentGround.name(),
                QString::number(kPageMargin), theme.text.name()));
    update();
}

// --- input ----------------------------------------------------------------------------------------------------------

void EditsList::resizeEvent(QResizeEvent *event)
{
    m_by->setCompact(width() < kAllNeed);
    QWidget::resizeEvent(event);
}

bool EditsList::eventFilter(QObject *watched, QEvent *event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched == m_filter && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Down) {
        m_view->setFocus();
        return true;
    }
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            Q_EMIT stepRequested(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
    }
    if (watched == m_view->viewport() && event->type() == QEvent::Resize)
        scrollToCurrent(); // the list itself would still have its former size
    // The menu acts on the current block, which may not be that of the current row.
    if (event->type() == QEvent::ContextMenu && (watched == m_view || watched == m_view->viewport())) {
        if (const auto edit = m_model->editOf(m_view->currentIndex()))
            Q_EMIT chosen(*edit);
    }
    if (watched == m_view->viewport() && event->type() == QEvent::MouseButtonPress)
        return handlePress(static_cast<QMouseEvent *>(event));
    return (watched == m_view && isKey && handleKey(static_cast<QKeyEvent *>(event)))
        || QWidget::eventFilter(watched, event);
}

/// Overrides actions of the window with the same keys.
bool EditsList::handleKey(QKeyEvent *event)
{
    const bool folds = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    const bool isOnEdit = m_model->editOf(m_view->currentIndex()).has_value();
    const bool comments = event->key() == Qt::Key_C && isOnEdit;
    const bool sendsBack = event->key() == Qt::Key_B && isOnEdit;
    const bool ticks = event->key() == Qt::Key_Space || event->key() == Qt::Key_R;
    const bool shows = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier; // some platforms set it for arrows
    if (modifiers != Qt::NoModifier || !(folds || ticks || shows || comments || sendsBack))
        return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true;
    if (folds)
        return foldByKey(event->key());
    if (ticks)
        toggleReviewed(event->key() == Qt::Key_R);
    else if (comments)
        Q_EMIT commentRequested();
    else if (sendsBack)
        Q_EMIT sentBackToggled();
    else
        Q_EMIT showRequested();
    return true;
}

bool EditsList::foldByKey(int key)
{
    const QModelIndex current = m_view->currentIndex();
    if (key == Qt::Key_Left && current.parent().isValid())
        setFolded(current.parent(), true);
    else if (key == Qt::Key_Right && m_model->isGroup(current))
        setFolded(current, false);
    return true;
}

/// Ticks the current edit, or all edits of a title. Behind an edit it can go on to the next.
void EditsList::toggleReviewed(bool goesOn)
{
    const QModelIndex current = m_view->currentIndex();
    if (!current.isValid())
        return; // the filter hides the edit
    if (goesOn && !m_model->isGroup(current))
        return Q_EMIT reviewedToggled();
    const bool isTicked = current.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    m_model->setData(current, static_cast<int>(isTicked ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
}

void EditsList::tickAndGoOn(size_t edit)
{
    m_review.setReviewed({ edit }, !m_review.isReviewed(edit));
    if (m_review.isReviewed(edit))
        goOn(edit);
}

void EditsList::sendBackAndGoOn(size_t edit)
{
    m_review.setSentBack(edit, !m_review.isSentBack(edit));
    if (!m_review.isSentBack(edit))
        return;
    if (m_review.comment(edit).empty())
        Q_EMIT commentRequested();
    else
        goOn(edit);
}

void EditsList::goOn(size_t edit)
{
    if (const auto next = m_model->nextToReview(edit))
        Q_EMIT chosen(*next);
}

/// A click on a title folds its group. The delegate handles clicks on the tick.
bool EditsList::handlePress(const QMouseEvent *event)
{
    const QModelIndex index = m_view->indexAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || !m_model->isGroup(index)
        || EditsDelegate::isOnTick(m_view->visualRect(index), event->position().toPoint()))
        return false;
    setFolded(index, !m_model->isFolded(index));
    return true;
}

} // namespace ui
