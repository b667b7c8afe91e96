// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/bookmarks/bookmarks_panel.h"

#include "ui/bookmarks/bookmarks_model.h"
#include "ui/hub/bookmarks.h"
#include "ui/widgets/forward_focus.h"
#include "ui/widgets/plain_table.h"

#include <QPainter>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPlace = 90;          ///< pixels
constexpr double kWhatShare = 0.55; ///< of the rest

} // namespace

BookmarksPanel::BookmarksPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_model(new BookmarksModel(state, this))
    , m_splitter(new QSplitter(Qt::Horizontal, this))
    , m_table(new QTreeView(m_splitter))
    , m_note(new QPlainTextEdit(m_splitter))
    , m_lost(new QLabel(this))
{
    setObjectName(u"bookmarks"_s);
    makeParts();
    connect(m_table, &QTreeView::clicked, this, &BookmarksPanel::goTo);
    connect(m_table, &QTreeView::activated, this, &BookmarksPanel::goTo);
    offerRowMenu(*m_table, [this](const QModelIndex &row) { goTo(row); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &BookmarksPanel::showNote);
    connect(m_note, &QPlainTextEdit::textChanged, this, [this] {
        if (const core::BlockId place = currentPlace(); place.isValid())
            m_state.workspace().bookmarks().setNote(place, m_note->toPlainText().toStdString());
    });
    connect(m_splitter, &QSplitter::splitterMoved, this, &BookmarksPanel::sizeColumns);
    connect(&state.workspace().bookmarks(), &Bookmarks::changed, this, &BookmarksPanel::refresh);
    connect(&state, &ViewState::currentChanged, this, &BookmarksPanel::follow);
    connect(&state, &ViewState::themeChanged, this, &BookmarksPanel::applyTheme);
    applyTheme();
    refresh();
}

BookmarksPanel::~BookmarksPanel() = default;

void BookmarksPanel::makeParts()
{
    makePlainTable(*m_table, u"bookmarksTable"_s, tr("Bookmarks"));
    m_table->setModel(m_model);
    m_note->setObjectName(u"bookmarkNote"_s);
    m_note->setAccessibleName(tr("Note on the bookmark"));
    m_note->setPlaceholderText(tr("A note on this bookmark"));
    m_note->setTabChangesFocus(true);
    m_note->setFrameShape(QFrame::NoFrame);
    m_note->setFont(Theme::textFont(12));
    makeTableSummary(*m_lost, u"bookmarksLost"_s);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({ 600, 400 });
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_lost);
    column->addWidget(m_splitter, 1);
    new ForwardFocus(this, m_table);
}

void BookmarksPanel::refresh()
{
    const Bookmarks &bookmarks = m_state.workspace().bookmarks();
    const core::BlockId place = currentPlace(); // its note may be being typed
    m_model->refresh();
    const size_t lost = bookmarks.lostCount();
    m_lost->setText(lost == 1
            ? tr("The file no longer has the message of 1 bookmark.")
            : tr("The file no longer has the messages of %n bookmarks.", nullptr, static_cast<int>(lost)));
    m_lost->setVisible(lost > 0);
    Q_EMIT countChanged(bookmarks.places().size());
    Q_EMIT emptinessChanged();
    if (const int row = m_model->rowOf(place); row >= 0)
        makeCurrent(row);
    else
        follow();
    showNote();
}

QString BookmarksPanel::whyEmpty() const
{
    const Bookmarks &bookmarks = m_state.workspace().bookmarks();
    if (!m_state.session() || bookmarks.hasAny())
        return {};
    return tr("This session has no bookmarks. Ctrl+B bookmarks the current slot.");
}

void BookmarksPanel::follow() { makeCurrent(m_model->rowOf(m_state.currentBlock())); }

void BookmarksPanel::makeCurrent(int number)
{
    const QModelIndex row = m_model->index(number, 0);
    if (row == m_table->currentIndex().siblingAtColumn(0))
        return;
    m_table->setCurrentIndex(row);
    if (!row.isValid())
        m_table->clearSelection();
}

core::BlockId BookmarksPanel::currentPlace() const
{
    const QModelIndex row = m_table->currentIndex();
    return row.isValid() ? m_model->block(row.row()) : core::BlockId();
}

void BookmarksPanel::showNote()
{
    const core::BlockId place = currentPlace();
    const QString note
        = place.isValid() ? QString::fromStdString(m_state.workspace().bookmarks().noteOf(place)) : QString();
    m_note->setEnabled(place.isValid());
    m_note->setPlaceholderText(
        place.isValid() ? tr("A note on this bookmark") : tr("Choose a bookmark to read its note, or to write one."));
    const QString shown = m_note->toPlainText();
    const bool isTypedBlank = note.isEmpty() && m_note->hasFocus() && shown.trimmed().isEmpty();
    if (shown == note || isTypedBlank)
        return;
    const QSignalBlocker quiet(m_note);
    m_note->setPlainText(note);
}

void BookmarksPanel::editNote()
{
    follow();
    if (currentPlace().isValid())
        m_note->setFocus();
}

void BookmarksPanel::goTo(const QModelIndex &index)
{
    if (index.isValid())
        m_state.goTo(m_model->block(index.row()));
}

void BookmarksPanel::waitForContent() { m_state.workspace().bookmarks().wait(); }

void BookmarksPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

void BookmarksPanel::sizeColumns()
{
    QHeaderView *header = m_table->header();
    const int rest = std::max(100, m_splitter->sizes().value(0) - kPlace);
    header->resizeSection(BookmarksModel::Place, kPlace);
    header->resizeSection(BookmarksModel::What, static_cast<int>(kWhatShare * rest));
}

void BookmarksPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_splitter->setStyleSheet(u"QSplitter::handle { background: %1; }"_s.arg(theme.hairline.name()));
    setTableTheme(*this, *m_lost, *m_table, theme, kPageMargin);
    m_table->setStyleSheet(u"QTreeView { background: %1; border: none; }"
                           "QTreeView::item { padding: 3px 4px; border: none; }"
                           "QTreeView::item:selected { background: %2; color: %3; }"_s.arg(
                               theme.base.name(), theme.accentGround.name(), theme.text.name()));
    m_note->setStyleSheet(u"QPlainTextEdit { background: %1; color: %2; padding: 4px 10px; }"_s.arg(
        theme.base.name(), theme.text.name()));
    QPalette palette = theme.palette();
    palette.setColor(QPalette::PlaceholderText, theme.secondary);
    m_note->setPalette(palette);
    update();
}

void BookmarksPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

PanelKind bookmarksPanel()
{
    return { u"bookmarks"_s, BookmarksPanel::tr("Bookmarks"), Qt::BottomDockWidgetArea, Qt::Key_M,
        makePanel<BookmarksPanel> };
}

} // namespace ui
