// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/search/search_panel.h"

#include "ui/hub/search_line.h"
#include "ui/hub/thread_facts.h"
#include "ui/search/search_delegate.h"
#include "ui/search/search_model.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/widget_name.h"
#include "ui/widgets/word_button.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <span>
#include <vector>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidestLine = 560;
/// Pixels of the columns with words; the text gets the rest.
constexpr int kBlock = 220;
constexpr int kCalls = 150;         ///< at least
constexpr int kState = 220;         ///< at least
constexpr double kLeastText = 0.35; ///< share of the width
constexpr int kWordRow = 19;
constexpr int kWordColumn = 70;  ///< pixels for a word of the line
constexpr int kWordsWidth = 560; ///< pixels for a word and its sentence

} // namespace

SearchPanel::SearchPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_model(new SearchModel(state.search(), state.workspace(), this))
    , m_delegate(new SearchDelegate(this))
    , m_line(new SearchLine(this))
    , m_recent(new QToolButton(this))
    , m_summary(new QLabel(this))
    , m_table(new QTreeView(this))
{
    setObjectName(u"search"_s);
    makeParts();
    connectAll();
    applyTheme();
    refresh();
}

SearchPanel::~SearchPanel() = default;

void SearchPanel::makeParts()
{
    addName(m_line, u"searchLine"_s, tr("Filter line"));
    m_line->setPlaceholderText(tr("Search all messages: words, \"phrases\", role:tool, tool:Bash, tokens>2k, hot"));
    m_line->setClearButtonEnabled(true);
    m_line->setMaximumWidth(kWidestLine);
    makeWordButton(
        *m_recent, u"searchRecent"_s, tr("Recent"), tr("The latest lines that matched something, newest first"));
    makeTableSummary(*m_summary, u"searchSummary"_s);
    m_summary->setContentsMargins(0, 0, 0, 0);
    makePlainTable(*m_table, u"searchTable"_s, tr("Blocks that match"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(m_delegate);
    setFocusPolicy(Qt::StrongFocus);

    auto *row = new QHBoxLayout;
    row->setContentsMargins(kPageMargin, 5, kPageMargin, 5);
    row->setSpacing(8);
    row->addWidget(m_line, 3);
    row->addWidget(m_recent);
    row->addWidget(m_summary, 2);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    column->addStretch(); // where there is no table
}

void SearchPanel::connectAll()
{
    SessionSearch &search = m_state.search();
    connect(m_line, &QLineEdit::textChanged, &search, &SessionSearch::setLine);
    connect(m_line, &SearchLine::stepped, this, &SearchPanel::step);
    connect(m_line, &SearchLine::chosen, this, &SearchPanel::choose);
    connect(m_recent, &QToolButton::clicked, this, [this] {
        m_line->setFocus();
        m_line->showHistory();
    });
    const auto goToRow = [this](const QModelIndex &index) { goTo(index.row()); };
    connect(m_table, &QTreeView::clicked, this, goToRow);
    connect(m_table, &QTreeView::activated, this, goToRow);
    offerRowMenu(*m_table, goToRow);
    connect(&search, &SessionSearch::grown, this, &SearchPanel::refresh);
    connect(&m_state.workspace().facts(), &ThreadFacts::traceGroundChanged, this, &SearchPanel::refresh);
    connect(&m_state, &ViewState::matchesChanged, this, &SearchPanel::refresh);
    connect(&m_state, &ViewState::currentChanged, this, &SearchPanel::follow);
    connect(&m_state, &ViewState::themeChanged, this, &SearchPanel::applyTheme);
}

void SearchPanel::refresh()
{
    const SessionSearch &search = m_state.search();
    if (m_line->text() != search.line())
        m_line->setText(search.line());
    takeTools();
    m_table->setVisible(search.isSearching());
    m_recent->setVisible(m_line->hasHistory());
    m_summary->setText(summary());
    m_summary->setToolTip(toolTipText(search.mistake()));
    Q_EMIT countChanged(search.hits().size());
    sizeColumns();
    if (m_isMistaken == search.mistake().isEmpty())
        applyTheme(); // the line is red while it has a mistake
    if (!m_table->currentIndex().isValid())
        follow();
}

QString SearchPanel::summary() const
{
    const SessionSearch &search = m_state.search();
    if (!search.mistake().isEmpty())
        return search.mistake();
    if (!search.isSearching() || !m_state.session())
        return {};
    if (search.hits().empty())
        return search.isRunning() ? tr("Searching…") : tr("No block matches");
    const QString found = tr("%1 in %2")
                              .arg(counted(search.hits().size(), tr("block"), tr("blocks")),
                                  counted(search.messageCount(), tr("message"), tr("messages")));
    if (search.isRunning())
        return tr("%1 so far…").arg(found);
    const QString here
        = tr("%1 · %2 of this array").arg(found, counted(m_state.matches().size(), tr("slot"), tr("slots")));
    const auto query = core::parseQuery(search.line().toStdString());
    if (query && query->reads(core::QueryTerm::Key::Lost)) {
        // The term asks for the message itself; the finding and the list of typed messages ask for its words.
        const auto typed = m_model->typedCount();
        if (typed && typed->all > 0)
            return tr("%1 · %2 of %3 are in context nowhere, also not in a summary")
                .arg(here, groupedText(typed->gone), counted(typed->all, tr("typed message"), tr("typed messages")));
    }
    const QString line = search.line().trimmed();
    const bool isProperty = std::ranges::any_of(core::queryWords(),
        [&](const core::QueryWord &each) { return line == displayText(each.word) && line.back().isLetter(); });
    return isProperty ? tr("%1 · to find the text, quote it: \"%2\"").arg(here, line) : here;
}

void SearchPanel::takeTools()
{
    const core::SessionPtr &session = m_state.session();
    if (session == m_toolsOf)
        return;
    m_toolsOf = session;
    std::vector<bool> isKnown; // by name: sessions have many blocks and few tools
    QStringList tools;
    for (const core::Block &block : session ? std::span(session->blocks) : std::span<const core::Block>()) {
        if (block.kind != core::BlockKind::ToolCall || !block.name.isValid())
            continue;
        isKnown.resize(std::max(isKnown.size(), block.name.index() + 1));
        if (!isKnown[block.name.index()])
            tools << displayText(session->string(block.name));
        isKnown[block.name.index()] = true;
    }
    tools.sort(Qt::CaseInsensitive);
    m_line->setTools(tools);
}

void SearchPanel::follow()
{
    const int row = m_model->rowOf(m_state.currentBlock());
    if (row >= 0)
        makeCurrent(row);
}

void SearchPanel::makeCurrent(int row)
{
    if (row != m_table->currentIndex().row())
        m_table->setCurrentIndex(m_model->index(row, 0));
}

void SearchPanel::step(int rows)
{
    if (m_model->rowCount() == 0)
        return;
    const QModelIndex current = m_table->currentIndex();
    const int row = current.isValid() ? current.row() + rows : 0;
    makeCurrent(std::clamp(row, 0, m_model->rowCount() - 1));
}

void SearchPanel::choose(bool isBackward)
{
    if (m_model->rowCount() == 0)
        return;
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid() && m_model->hit(current.row()).block == m_state.currentBlock())
        step(isBackward ? -1 : 1);
    else if (!current.isValid())
        makeCurrent(isBackward ? m_model->rowCount() - 1 : 0);
    goTo(m_table->currentIndex().row());
}

void SearchPanel::goTo(int row)
{
    m_line->remember();
    m_state.goTo(m_model->hit(row).block);
}

void SearchPanel::waitForContent()
{
    m_state.search().wait();
    m_state.workspace().facts().waitForFacts();
}

void SearchPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

void SearchPanel::sizeColumns()
{
    QHeaderView *header = m_table->header();
    const int padding = 2 * SearchDelegate::kPadding;
    int room = width() - kBlock - static_cast<int>(kLeastText * width()); // of the two columns at the right
    const int calls
        = std::clamp(m_model->widthOf(SearchModel::Calls) + padding, kCalls, std::max(kCalls, room - kState));
    room -= calls;
    const int state = std::clamp(m_model->widthOf(SearchModel::State) + padding, kState, std::max(kState, room));
    header->resizeSection(SearchModel::Block, kBlock);
    header->resizeSection(SearchModel::Text, std::max(120, width() - kBlock - calls - state));
    header->resizeSection(SearchModel::Calls, calls);
    header->resizeSection(SearchModel::State, state);
}

void SearchPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_isMistaken = !m_state.search().mistake().isEmpty();
    m_model->setTheme(theme);
    m_delegate->setTheme(theme);
    m_line->setTheme(theme, m_isMistaken);
    setTableTheme(*this, *m_summary, *m_table, theme, SearchDelegate::kDotRoom);
    if (m_isMistaken) {
        QPalette palette = m_summary->palette();
        palette.setColor(QPalette::WindowText, theme.hot);
        m_summary->setPalette(palette);
    }
}

void SearchPanel::focusInEvent(QFocusEvent *)
{
    m_line->setFocus(Qt::ShortcutFocusReason);
    m_line->selectAll();
}

void SearchPanel::paintWords(QPainter &painter) const
{
    const Theme &theme = m_state.theme();
    const auto words = core::queryWords();
    const int top = m_line->geometry().bottom() + 10;
    const int columns = std::clamp((width() - 2 * kPageMargin) / kWordsWidth, 1, 2);
    const int rows = (static_cast<int>(words.size()) + columns - 1) / columns;
    for (int i = 0; i < static_cast<int>(words.size()); ++i) {
        const core::QueryWord &each = words[static_cast<size_t>(i)];
        const QRect place(kPageMargin + i / rows * kWordsWidth, top + i % rows * kWordRow, kWordsWidth - 20, kWordRow);
        painter.setFont(Theme::figureFont(12));
        painter.setPen(theme.text);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, displayText(each.word));
        painter.setFont(Theme::textFont(12));
        painter.setPen(theme.secondary);
        const QRect behind = place.adjusted(kWordColumn, 0, 0, 0);
        painter.drawText(behind, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(displayText(each.sentence), Qt::ElideRight, behind.width()));
    }
}

void SearchPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
    if (m_table->isHidden())
        paintWords(painter);
}

PanelKind searchPanel()
{
    return { u"search"_s, SearchPanel::tr("Search"), Qt::BottomDockWidgetArea, Qt::Key_unknown,
        makePanel<SearchPanel> };
}

} // namespace ui
