// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/findings/findings_panel.h"

#include "core/report/findings_report.h"
#include "core/session/outline.h"
#include "ui/findings/findings_delegate.h"
#include "ui/findings/findings_model.h"
#include "ui/hub/better_policy_bar.h"
#include "ui/hub/better_policy_search.h"
#include "ui/hub/session_findings.h"
#include "ui/look/theme.h"
#include "ui/widgets/plain_table.h"
#include "ui/widgets/word_button.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// Pixels of the columns with figures, and shares of the others.
constexpr int kTokens = 90;
constexpr int kMoney = 90;
constexpr double kWhat = 0.42;
constexpr double kWhere = 0.35;
/// The kind whose messages another panel lists.
constexpr std::string_view kLostMessages = "lost-messages";

/// `10 smaller findings are not listed`; empty if all are.
QString smallerWords(const core::Findings &findings)
{
    return findings.smaller.empty()
        ? QString()
        : counted(findings.smaller.size(), FindingsPanel::tr("smaller finding is not listed"),
              FindingsPanel::tr("smaller findings are not listed"));
}

} // namespace

FindingsPanel::FindingsPanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
    , m_model(new FindingsModel(this))
    , m_delegate(new FindingsDelegate(this))
    , m_summary(new QLabel(this))
    , m_smaller(new QToolButton(this))
    , m_better(new BetterPolicyBar(state, this))
    , m_table(new QTreeView(this))
{
    setObjectName(u"findings"_s);
    makeTableSummary(*m_summary, u"findingsSummary"_s);
    makeWordButton(*m_smaller, u"smallerFindings"_s, {}, {});
    m_smaller->setCursor(Qt::PointingHandCursor);
    makePlainTable(*m_table, u"findingsTable"_s, tr("Findings"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(m_delegate);
    m_table->setMouseTracking(true);
    m_table->viewport()->installEventFilter(this);
    m_table->installEventFilter(this);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 8, 0);
    head->addWidget(m_summary);
    head->addWidget(m_smaller);
    head->addStretch();
    head->addWidget(m_better->button());
    column->addLayout(head);
    column->addWidget(m_better);
    column->addWidget(m_table);

    connect(m_smaller, &QToolButton::clicked, this, [this] { showSmaller(!m_model->showsSmaller()); });
    connect(m_table, &QTreeView::clicked, this, &FindingsPanel::onClicked);
    offerRowMenu(*m_table, [this](const QModelIndex &row) {
        m_place = {};
        onClicked(row);
    });
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex &index) {
        m_place = {};
        onClicked(index.siblingAtColumn(FindingsModel::What));
        if (m_model->finding(index.row()).kind == kLostMessages)
            Q_EMIT showPanelRequested(u"typed"_s);
    });
    connect(&state.workspace().findings(), &SessionFindings::changed, this, &FindingsPanel::refresh);
    connect(&state.workspace().findings(), &SessionFindings::chosen, this, &FindingsPanel::showFinding);
    connect(&state, &ViewState::themeChanged, this, &FindingsPanel::applyTheme);
    applyTheme();
    refresh();
}

FindingsPanel::~FindingsPanel() = default;

void FindingsPanel::refresh()
{
    const FindingsPtr &findings = m_state.workspace().findings().get();
    if (!findings || findings->smaller.empty())
        m_model->setShowsSmaller(false);
    m_model->setFindings(findings);
    Q_EMIT countChanged(findings ? findings->findings.size() : 0);
    if (!findings)
        m_summary->setText(m_state.session() ? tr("Looking for findings…") : QString());
    else if (findings->findings.empty())
        m_summary->setText(
            tr("Nothing was found. What goes wrong in a session is listed here, with its place and its cost."));
    else
        m_summary->setText(m_model->showsSmaller()
                ? counted(findings->smaller.size(), tr("smaller finding"), tr("smaller findings"))
                : displayText(core::moneySentence(*findings)));
    m_summary->setVisible(!m_summary->text().isEmpty());
    m_smaller->setVisible(findings && !findings->smaller.empty());
    if (m_smaller->isHidden())
        return;
    m_smaller->setText(m_model->showsSmaller() ? tr("Back to the larger ones") : smallerWords(*findings));
    m_smaller->setToolTip(m_model->showsSmaller()
            ? tr("Lists the larger findings again")
            : toolTipText(tr("Lists them. %1.").arg(displayText(core::leftOutSentence(*findings)))));
}

void FindingsPanel::showSmaller(bool isShown)
{
    m_model->setShowsSmaller(isShown);
    refresh();
}

void FindingsPanel::showFinding(size_t finding)
{
    if (m_model->showsSmaller())
        showSmaller(false);
    const QModelIndex row = m_model->index(static_cast<int>(finding), FindingsModel::What);
    m_table->setCurrentIndex(row);
    m_table->scrollTo(row);
    Q_EMIT showPanelRequested(u"findings"_s);
}

void FindingsPanel::onClicked(const QModelIndex &index)
{
    const core::Finding finding = m_model->finding(index.row());
    if (index.column() == FindingsModel::Help && tryPolicy(finding))
        return;
    const auto link = FindingsDelegate::linkAt(index, m_table->visualRect(index), m_place);
    if (!finding.links.empty())
        follow(finding, finding.links[link.value_or(0)]);
}

/// Applies the policy that would have helped; false if the finding names none.
bool FindingsPanel::tryPolicy(const core::Finding &finding)
{
    const core::PolicyPtr policy = core::helpingPolicy(finding, m_state.workspace().plan().policy);
    if (!policy)
        return false;
    m_state.workspace().commitPlan(
        m_state.workspace().planWith(policy), tr("Choose %1").arg(displayText(policy->name)));
    Q_EMIT showPanelRequested(u"policy"_s);
    return true;
}

void FindingsPanel::follow(const core::Finding &finding, const core::FindingLink &link)
{
    const core::SessionPtr session = m_state.session();
    switch (link.target) {
    case core::FindingLink::Target::Call:
        return m_state.setPosition({ finding.thread, core::CallIndex(link.number) });
    case core::FindingLink::Target::Compaction:
        m_state.setPosition(
            { finding.thread, session->thread(finding.thread).compactions[link.number - 1].call }, link.number - 1);
        m_state.workspace().findings().follow(finding, link.number);
        Q_EMIT showPanelRequested(u"compactions"_s); // it lists what was lost
        return;
    case core::FindingLink::Target::Block:
    case core::FindingLink::Target::Edit: {
        const bool isEdit = link.target == core::FindingLink::Target::Edit;
        const core::BlockId block = isEdit ? link.block : core::BlockId(link.number);
        core::Position from = m_state.position();
        from.thread = finding.thread;
        if (const auto position = core::nearestPositionWith(*session, block, from))
            m_state.setPosition(*position);
        m_state.goTo(block);
        if (isEdit)
            Q_EMIT showEditRequested();
        return;
    }
    }
}

/// The keys 1 to 9 follow the first to the ninth link of the current row.
bool FindingsPanel::followByKey(const QKeyEvent *event)
{
    const QModelIndex row = m_table->currentIndex();
    const int link = event->key() - Qt::Key_1;
    if (!row.isValid() || link < 0 || link > 8 || (event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    const core::Finding finding = m_model->finding(row.row());
    if (static_cast<size_t>(link) < finding.links.size())
        follow(finding, finding.links[static_cast<size_t>(link)]);
    return true;
}

bool FindingsPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table)
        return (event->type() == QEvent::KeyPress && followByKey(static_cast<QKeyEvent *>(event)))
            || Panel::eventFilter(watched, event);
    const bool isPress = event->type() == QEvent::MouseButtonPress;
    if (isPress || event->type() == QEvent::MouseMove) {
        const QPoint place = static_cast<QMouseEvent *>(event)->position().toPoint();
        const QModelIndex index = m_table->indexAt(place);
        const bool isPolicy
            = index.isValid() && index.column() == FindingsModel::Help && !m_model->finding(index.row()).policy.empty();
        const bool isLink
            = isPolicy || (index.isValid() && FindingsDelegate::linkAt(index, m_table->visualRect(index), place));
        if (isPress)
            m_place = place;
        else
            m_table->viewport()->setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    return Panel::eventFilter(watched, event);
}

void FindingsPanel::waitForContent()
{
    m_state.workspace().findings().waitForFindings();
    m_state.workspace().betterPolicy().wait();
}

void FindingsPanel::resizeEvent(QResizeEvent *) { sizeColumns(); }

void FindingsPanel::sizeColumns()
{
    const int words = width() - kTokens - kMoney;
    QHeaderView *header = m_table->header();
    header->resizeSection(FindingsModel::What, static_cast<int>(kWhat * words));
    header->resizeSection(FindingsModel::Where, static_cast<int>(kWhere * words));
    header->resizeSection(FindingsModel::Tokens, kTokens);
    header->resizeSection(FindingsModel::Money, kMoney);
}

void FindingsPanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    m_model->setTheme(theme);
    m_delegate->setTheme(theme);
    setTableTheme(*this, *m_summary, *m_table, theme, FindingsDelegate::kDotRoom);
    QPalette link = theme.palette();
    link.setColor(QPalette::ButtonText, theme.accent);
    m_smaller->setPalette(link);
}

void FindingsPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

PanelKind findingsPanel()
{
    return { u"findings"_s, FindingsPanel::tr("Findings"), Qt::BottomDockWidgetArea, Qt::Key_7,
        makePanel<FindingsPanel> };
}

} // namespace ui
