// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/sessions/sessions_page.h"

#include "core/money/cost.h"
#include "ui/hub/search_line.h"
#include "ui/sessions/day_bars.h"
#include "ui/sessions/facet_list.h"
#include "ui/sessions/session_preview.h"
#include "ui/sessions/sessions_delegate.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/forward_focus.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/sorted_table.h"

#include <QDir>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeft = 200;
constexpr int kRight = 340;
constexpr int kLowRight = 290; ///< in a narrow page
constexpr int kWide = 1500;
constexpr int kNarrow = 1100;    ///< in a narrower page there is no preview
constexpr int kVeryNarrow = 760; ///< and no filters
constexpr int kContext = 160;
constexpr int kLeastContext = 96;
constexpr int kCalls = 60;
constexpr int kPeak = 92;
constexpr int kCost = 84;
constexpr int kLeastFound = 150;
constexpr int kLeastSession = 240;
constexpr int kSearchDelay = 120; ///< milliseconds
constexpr int kWeek = 7;

void setInk(QLabel &label, const Theme &theme, const QColor &ink, const QFont &font)
{
    QPalette palette = theme.palette();
    palette.setColor(QPalette::WindowText, ink);
    label.setPalette(palette);
    label.setFont(font);
}

std::pair<std::string, uint32_t> keyOf(const SessionsModel &model, int row)
{
    const core::SessionEntry &entry = *model.session(row).entry;
    return { entry.file, entry.thread };
}

/// `~/.claude/projects`
QString shortPath(const std::filesystem::path &path)
{
    const QString text = QString::fromStdString(path.string());
    const QString home = QDir::homePath();
    return text.startsWith(home + u'/') ? u"~"_s + text.mid(home.size()) : text;
}

} // namespace

SessionsPage::SessionsPage(QWidget *parent)
    : QWidget(parent)
    , m_model(new SessionsModel(this))
    , m_delegate(new SessionsDelegate(this))
    , m_title(new QLabel(tr("Sessions"), this))
    , m_summary(new ElidedLabel(this))
    , m_heldBack(new QPushButton(this))
    , m_search(new SearchLine(this))
    , m_left(new QWidget(this))
    , m_facets(new FacetList(m_left))
    , m_daysTitle(new QLabel(m_left))
    , m_daysNote(new QLabel(m_left))
    , m_days(new DayBars(m_left))
    , m_table(new QTreeView(this))
    , m_empty(new QLabel(this))
    , m_preview(new SessionPreview(this))
    , m_folders(new ElidedLabel(this))
    , m_stage(new QLabel(this))
{
    setObjectName(u"sessionsPage"_s);
    m_summary->setObjectName(u"sessionsSummary"_s);
    m_stage->setObjectName(u"indexStage"_s);
    m_heldBack->setObjectName(u"heldBack"_s);
    m_heldBack->setToolTip(toolTipText(tr("These sessions match too. They were read after the list was shown.")));
    m_heldBack->hide();
    m_search->setObjectName(u"searchSessions"_s);
    m_search->setPlaceholderText(tr("Search every session: stable link, tool:Bash error…"));
    makePlainTable(*m_table, u"sessionsTable"_s, tr("Sessions"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(m_delegate);
    makeSortable(*m_table);
    m_table->header()->setSortIndicatorClearable(false);
    m_table->sortByColumn(SessionsModel::Session, Qt::DescendingOrder);
    m_table->viewport()->setAutoFillBackground(false); // the page paints the ground
    m_empty->setObjectName(u"noSessions"_s);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText); // it quotes the line
    m_empty->setContentsMargins(kPageMargin, 0, kPageMargin, 0);
    m_daysNote->setObjectName(u"daysNote"_s);
    m_daysNote->setWordWrap(true);
    m_left->setFixedWidth(kLeft);
    m_searchLater.setSingleShot(true);
    m_searchLater.setInterval(kSearchDelay);
    arrange();
    follow();
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    new ForwardFocus(this, m_table);
    refresh();
}

SessionsPage::~SessionsPage() = default;

void SessionsPage::arrange()
{
    auto *left = new QVBoxLayout(m_left);
    left->setContentsMargins(0, 0, 0, 10);
    left->setSpacing(4);
    left->addWidget(m_facets, 1);
    auto *days = new QVBoxLayout;
    days->setContentsMargins(kPageMargin, 4, kPageMargin, 0);
    days->addWidget(m_daysTitle);
    days->addWidget(m_daysNote);
    days->addWidget(m_days);
    left->addLayout(days);

    auto *head = new QHBoxLayout;
    head->setContentsMargins(kPageMargin, 6, kPageMargin, 7);
    head->setSpacing(10);
    head->addWidget(m_title);
    head->addWidget(m_summary, 1);
    head->addWidget(m_heldBack);
    head->addWidget(m_search);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(1);
    middle->addWidget(m_left);
    middle->addWidget(m_table, 1);
    middle->addWidget(m_empty, 1);
    middle->addWidget(m_preview);
    auto *foot = new QHBoxLayout;
    foot->setContentsMargins(kPageMargin, 4, kPageMargin, 5);
    foot->addWidget(m_folders, 1);
    foot->addWidget(m_stage);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(1);
    column->addLayout(head);
    column->addLayout(middle, 1);
    column->addLayout(foot);
}

void SessionsPage::follow()
{
    connect(&m_searchLater, &QTimer::timeout, this, [this] { m_library.search(m_search->text()); });
    connect(m_search, &QLineEdit::textChanged, this, [this] { m_searchLater.start(); });
    connect(m_heldBack, &QPushButton::clicked, &m_library, &SessionLibrary::showHeldBack);
    connect(m_search, &SearchLine::stepped, this,
        [this](int rows) { choose(std::clamp(m_table->currentIndex().row() + rows, 0, m_model->rowCount() - 1)); });
    connect(m_search, &SearchLine::chosen, this, [this] { openRow(m_table->currentIndex().row()); });
    connect(m_facets, &FacetList::filterChosen, this, &SessionsPage::setFilter);
    connect(m_days, &DayBars::chosen, this, [this](std::optional<std::pair<int, int>> chosen) {
        SessionFilter filter = m_model->filter();
        filter.days = chosen;
        setFilter(filter);
    });
    connect(
        m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
            if (!current.isValid())
                return;
            m_chosen = keyOf(*m_model, current.row());
            m_preview->show(*m_model, current.row());
        });
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex &index) { openRow(index.row()); });
    connect(m_table, &QTreeView::doubleClicked, this, [this](const QModelIndex &index) { openRow(index.row()); });
    connect(m_preview, &SessionPreview::openRequested, this, &SessionsPage::openRequested);
    connect(m_preview, &SessionPreview::blockRequested, this, &SessionsPage::blockRequested);
    connect(m_preview, &SessionPreview::chosen, this, [this](const QString &file, uint thread) {
        m_hasChosen = true;
        int row = m_model->rowOf(file.toStdString(), thread);
        if (row < 0) { // the filter hides it
            m_search->clear();
            m_library.search({});
            setFilter({});
            row = m_model->rowOf(file.toStdString(), thread);
        }
        choose(row);
    });
    connect(m_preview, &SessionPreview::tuneRequested, this, [this](const QString &folder) {
        QStringList files;
        for (const core::ListedSession &session : m_library.list()->sessions) {
            if (session.entry->folder == folder.toStdString())
                files << QString::fromStdString(session.entry->file);
        }
        files.removeDuplicates();
        Q_EMIT tuneRequested(displayText(std::filesystem::path(folder.toStdString()).filename().string()), files);
    });
    connect(&m_library, &SessionLibrary::listChanged, this, &SessionsPage::refresh);
    connect(&m_library, &SessionLibrary::stageChanged, this, &SessionsPage::refreshWords);
    connect(&m_library, &SessionLibrary::searchChanged, this, &SessionsPage::refreshRows);
}

void SessionsPage::setTheme(const Theme &theme)
{
    m_theme = theme;
    setPalette(theme.palette());
    m_delegate->setTheme(theme);
    m_facets->setTheme(theme);
    m_days->setTheme(theme);
    m_preview->setTheme(theme);
    m_search->setTheme(theme, !m_library.mistake().isEmpty());
    setInk(*m_title, theme, theme.text, Theme::strongFont(13));
    setInk(*m_summary, theme, theme.secondary, Theme::textFont(12));
    setInk(*m_daysTitle, theme, theme.text, Theme::strongFont(12));
    setInk(*m_daysNote, theme, theme.secondary, Theme::textFont(11));
    setInk(*m_folders, theme, theme.secondary, Theme::textFont(11));
    setInk(*m_stage, theme, theme.secondary, Theme::textFont(11));
    setInk(*m_empty, theme, theme.secondary, Theme::textFont(13));
    m_table->header()->setFont(Theme::textFont(12));
    m_table->header()->setStyleSheet(theme.headerStyle(SessionsDelegate::kDotRoom));
    m_table->viewport()->update();
    m_preview->show(*m_model, m_table->currentIndex().row());
    update();
}

void SessionsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_library.refresh();
}

void SessionsPage::refresh()
{
    m_days->setContents(m_library.list());
    refreshRows();
    if (m_hadSessions != hasSessions()) {
        m_hadSessions = hasSessions();
        Q_EMIT hasSessionsChanged();
    }
}

void SessionsPage::refreshRows()
{
    const int scroll = m_table->verticalScrollBar()->value();
    const int steady = steadyRow();
    const auto key = steady < 0 ? std::pair<std::string, uint32_t>() : keyOf(*m_model, steady);
    m_model->setContents(m_library.list(), m_library.found());
    m_facets->setContents(*m_model);
    const int moved = steady < 0 ? -1 : m_model->rowOf(key.first, key.second);
    // What the user chose stays chosen while the list grows; else it is the newest.
    int row = m_hasChosen ? m_model->rowOf(m_chosen.first, m_chosen.second) : -1;
    if (row < 0)
        row = m_model->rowCount() > 0 ? 0 : -1;
    choose(row);
    m_table->verticalScrollBar()->setValue(scroll + (moved < 0 ? 0 : (moved - steady) * SessionsDelegate::kRow));
    m_preview->show(*m_model, row);
    refreshWords();
}

int SessionsPage::steadyRow() const
{
    if (m_model->rowCount() == 0)
        return -1;
    const int chosen = m_table->currentIndex().row();
    if (m_hasChosen && m_table->viewport()->rect().intersects(m_table->visualRect(m_table->currentIndex())))
        return chosen;
    return m_table->verticalScrollBar()->value() > 0 ? m_table->indexAt(QPoint(0, 0)).row() : -1;
}

void SessionsPage::refreshWords()
{
    m_summary->setText(headText());
    m_stage->setText(stageText());
    QStringList folders;
    for (const auto &folder : m_library.places().folders)
        folders << shortPath(folder);
    m_folders->setText(folders.join(u" · "_s));
    m_folders->setToolTip(toolTipText(folders.join(u'\n')));
    m_daysTitle->setText(m_days->sumText());
    m_daysNote->setText(m_days->copiesText());
    m_daysNote->setVisible(!m_daysNote->text().isEmpty());
    m_daysNote->setToolTip(toolTipText(m_days->copiesTip()));
    m_heldBack->setVisible(m_library.heldBack() > 0);
    m_heldBack->setText(tr("%1 more: Show").arg(groupedText(m_library.heldBack())));
    m_search->setTheme(m_theme, !m_library.mistake().isEmpty());
    m_search->setToolTip(m_library.mistake().isEmpty() ? QString() : toolTipText(m_library.mistake()));
    const bool isEmpty = m_model->rowCount() == 0;
    m_table->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    if (isEmpty)
        m_empty->setText(emptyText());
}

QString SessionsPage::emptyText() const
{
    if (!m_library.mistake().isEmpty())
        return m_library.mistake();
    if (m_library.isSearching())
        return tr("Searching…");
    if (!hasSessions())
        return tr("Looking for sessions…");
    const QString freed = tr("Click a chosen filter or day again to take it back.");
    if (!m_library.found())
        return tr("No session matches the filters at the left.") + u'\n' + freed;
    const QString &line = m_library.found()->line;
    if (!m_model->filter().isEmpty() && !m_model->found().empty())
        return tr("%1 “%2”, but not the filters at the left.")
                   .arg(m_model->found().size() == 1
                           ? tr("1 session matches")
                           : tr("%1 sessions match").arg(groupedText(m_model->found().size())),
                       line)
            + u'\n' + freed;
    QString text = tr("No session matches “%1”.").arg(line) + u"\n\n"_s
        + tr("The search looks in all texts, in the names of the files and in the ids of the sessions. A text finds "
             "words that begin with it. Of several words, each must be found: leave one out.");
    if (const size_t left = m_library.list()->known.withoutTexts; left > 0)
        text += u"\n\n"_s + tr("The texts of %1 are not indexed yet.").arg(counted(left, tr("file"), tr("files")));
    return text;
}

QString SessionsPage::headText() const
{
    if (!m_library.list())
        return tr("Looking for sessions…");
    if (!m_library.mistake().isEmpty())
        return m_library.mistake();
    const auto &sessions = m_library.list()->sessions;
    std::set<std::string_view> harnesses;
    std::set<std::string_view> projects;
    size_t inUse = 0;
    double week = 0;
    const int today = static_cast<int>(core::timeNow() / core::kDayLength);
    for (const core::ListedSession &session : sessions) {
        harnesses.insert(session.entry->harnessName());
        if (!session.entry->folder.empty()) // of the others it is not recorded
            projects.insert(session.entry->folder);
        inUse += isInUse(*session.entry) ? 1 : 0;
    }
    for (const core::SessionEntry &entry : m_library.list()->known.entries) {
        for (const core::DayCost &day : entry.days)
            week += day.day > today - kWeek ? day.cost.value_or(0) : 0;
    }
    const bool isPart = m_model->rowCount() != static_cast<int>(sessions.size());
    QString text = (isPart ? tr("%1 of ").arg(groupedText(static_cast<uint64_t>(m_model->rowCount()))) : QString())
        + counted(sessions.size(), tr("session"), tr("sessions")) + tr(" of ")
        + counted(harnesses.size(), tr("harness"), tr("harnesses")) + tr(" in ")
        + counted(projects.size(), tr("project"), tr("projects"));
    if (inUse > 0)
        text += tr(" · %1 active in the last 2 minutes").arg(inUse);
    if (week >= 0.005 && m_library.list()->known.heads == 0)
        text += tr(" · %1 in the last 7 days").arg(displayText(core::dollars(week)));
    if (m_library.found() && m_library.found()->found.hasMore)
        text += tr(" · the newest matches only");
    return text;
}

QString SessionsPage::stageText() const
{
    if (!m_library.problem().isEmpty())
        return m_library.problem();
    const QString percent = QString::number(static_cast<int>(m_library.fraction() * 100));
    const size_t files = m_library.list() ? m_library.list()->known.files - m_library.list()->known.otherFiles : 0;
    switch (m_library.stage()) {
    case SessionLibrary::Stage::Waiting:
        return {};
    case SessionLibrary::Stage::Listing:
        return m_library.list() && m_library.list()->known.heads > 0
            ? tr("reading files: %1 of %2 left").arg(groupedText(m_library.list()->known.heads), groupedText(files))
            : tr("reading new and changed files");
    case SessionLibrary::Stage::Texts:
        return tr("indexing texts for the search: %1 of %2 files left")
            .arg(groupedText(m_library.list() ? m_library.list()->known.withoutTexts : 0), groupedText(files));
    case SessionLibrary::Stage::Findings:
        return tr("looking for findings: %1 of %2 files left")
            .arg(groupedText(m_library.list() ? m_library.list()->known.withoutFindings : 0), groupedText(files));
    case SessionLibrary::Stage::Done:
        break;
    }
    const double bytes = m_library.list() ? static_cast<double>(m_library.list()->known.bytes) : 0;
    return tr("index up to date · %1, %2")
        .arg(counted(files, tr("file"), tr("files")), QLocale::c().formattedDataSize(static_cast<qint64>(bytes), 1));
}

void SessionsPage::setFilter(const SessionFilter &filter)
{
    m_model->setFilter(filter);
    m_days->setChosen(filter.days);
    refreshRows();
}

void SessionsPage::choose(int row)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    m_table->setCurrentIndex(m_model->index(row, 0));
}

void SessionsPage::openRow(int row)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    m_hasChosen = true;
    m_chosen = keyOf(*m_model, row);
    m_search->remember();
    const core::SessionHits *hits = m_model->hits(row);
    if (hits != nullptr && !hits->hits.empty())
        return Q_EMIT blockRequested(QString::fromStdString(hits->entry.file), hits->hits.front().block.value(),
            lineOf(*m_library.found(), hits->hits.front()));
    const core::SessionEntry &entry = *m_model->session(row).entry;
    Q_EMIT openRequested(QString::fromStdString(entry.file), entry.thread);
}

QByteArray SessionsPage::costs() const
{
    std::vector<core::ListedSession> sessions;
    for (const core::ListedSession *session : m_model->shown())
        sessions.push_back(*session);
    return QByteArray::fromStdString(core::costsCsv(sessions));
}

void SessionsPage::sizeColumns()
{
    const int width = m_table->viewport()->width();
    const int figures = kCalls + kPeak + kCost;
    const int context = std::clamp(width - figures - 2 * kLeastSession, kLeastContext, kContext);
    const int rest = std::max(width - figures - context, kLeastSession + kLeastFound);
    const int found = std::max(kLeastFound, rest * 2 / 5);
    m_table->setColumnWidth(SessionsModel::Session, std::max(kLeastSession, rest - found));
    m_table->setColumnWidth(SessionsModel::Context, context);
    m_table->setColumnWidth(SessionsModel::Calls, kCalls);
    m_table->setColumnWidth(SessionsModel::Peak, kPeak);
    m_table->setColumnWidth(SessionsModel::Cost, kCost);
}

void SessionsPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_preview->setVisible(width() >= kNarrow);
    m_preview->setFixedWidth(width() >= kWide ? kRight : kLowRight);
    m_left->setVisible(width() >= kVeryNarrow);
    m_search->setFixedWidth(std::clamp(width() * 3 / 10, 180, 420));
    sizeColumns();
}

void SessionsPage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.window);
    painter.fillRect(
        QRect(0, m_table->isVisible() ? m_table->y() - 1 : m_empty->y() - 1, width(), 1), m_theme.hairline);
    const QWidget &middle = m_table->isVisible() ? static_cast<const QWidget &>(*m_table) : *m_empty;
    painter.fillRect(middle.geometry(), m_theme.base);
    painter.fillRect(QRect(0, middle.geometry().bottom() + 1, width(), 1), m_theme.hairline);
    if (m_left->isVisible())
        painter.fillRect(QRect(m_left->geometry().right() + 1, middle.y(), 1, middle.height()), m_theme.hairline);
    if (m_preview->isVisible())
        painter.fillRect(QRect(m_preview->x() - 1, middle.y(), 1, middle.height()), m_theme.hairline);
}

bool SessionsPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        sizeColumns();
    if (watched == m_table->viewport() && event->type() == QEvent::MouseButtonPress)
        m_hasChosen = true;
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        m_hasChosen = true;
        const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (isEnter && key->modifiers() == Qt::NoModifier) {
            openRow(m_table->currentIndex().row());
            return true;
        }
        if (key->text() == u"/") {
            m_search->setFocus();
            m_search->selectAll();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
