// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/difference_page.h"

#include "ui/widgets/word_button.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// The result of a policy on an array, as the end of a new session.
AfterFile arrayUnder(const ComparedArray &run, const core::Transcript &array, const core::BlockTokensPtr &tokens,
    core::CompactOptions options)
{
    if (!run.policy)
        options.overrides = {};
    const core::PolicyPtr policy = run.policy ? run.policy : core::preset("none");
    const core::Compaction made = core::compact(array, policy, *tokens, options);
    const core::SessionPtr &session = made.after.session();
    return { run.name.toStdString(), session, { made.afterTokens, core::sessionSums(*session, *made.afterTokens), {} },
        options.position.thread };
}

} // namespace

DifferencePage::DifferencePage(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_title(new ElidedLabel(this))
    , m_back(new QToolButton(this))
    , m_array(new ArrayView(m_own, this))
{
    setObjectName(u"differencePage"_s);
    setAccessibleName(tr("Difference of two runs"));
    m_title->setObjectName(u"differenceTitle"_s);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setFont(Theme::textFont(12));
    makeWordButton(
        *m_back, u"differenceBack"_s, tr("Back to Tuning"), tr("Back to the map and the table of runs (Escape)"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(kPageMargin, 8, kPageMargin, 0);
    head->setSpacing(10);
    head->addWidget(m_title, 1);
    head->addWidget(m_back);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_array, 1);
    connect(m_back, &QToolButton::clicked, this, &DifferencePage::closeRequested);
    connect(&state, &ViewState::pictureChanged, this, &DifferencePage::follow);
    connect(&state, &ViewState::themeChanged, this, &DifferencePage::applyTheme);
    connect(&m_own, &ViewState::currentChanged, this, &DifferencePage::chooseInWindow);
    applyTheme();
}

DifferencePage::~DifferencePage()
{
    // Deletes the array before the hubs that it refers to.
    delete m_array;
}

void DifferencePage::compare(ComparedArray before, ComparedArray after)
{
    m_before = std::move(before);
    m_after = std::move(after);
    m_session = m_state.session();
    make();
}

void DifferencePage::make()
{
    if (!m_session)
        return;
    m_position = m_state.position();
    m_title->setText(tr("%1 → %2 · %3")
            .arg(m_before.name, m_after.name,
                m_position.isEnd() ? tr("at the end")
                                   : tr("at call %1").arg(static_cast<qulonglong>(m_position.call.value()))));
    const Plan &plan = m_state.workspace().plan();
    core::CompactOptions options;
    options.position = m_position;
    options.ignoresTriggers = !plan.honoursTriggers;
    options.overrides = plan.overrides;
    options.memo = m_state.workspace().memo();
    options.sums = m_state.workspace().sums(m_position.thread);
    m_job.start(
        this,
        [session = m_session, tokens = m_state.workspace().tokens(), before = m_before, after = m_after, options](
            core::Progress &) {
            const core::Transcript array(session, core::rangesAt(*session, options.position));
            return Arrays { arrayUnder(before, array, tokens, options), arrayUnder(after, array, tokens, options) };
        },
        [this](Arrays arrays) { take(std::move(arrays)); }, m_state.workspace().reporter());
}

void DifferencePage::take(Arrays arrays)
{
    m_workspace.showArrays(std::move(arrays.before), std::move(arrays.after));
    m_own.setUnit(m_state.unit());
    Q_EMIT arraysChanged();
}

void DifferencePage::follow()
{
    if (isHidden() || !m_session)
        return;
    if (m_state.session() != m_session)
        return Q_EMIT closeRequested();
    m_own.setUnit(m_state.unit());
    if (m_state.position() != m_position)
        make();
}

void DifferencePage::chooseInWindow()
{
    const core::BlockId block = m_own.currentBlock();
    if (isVisible() && m_session && m_session == m_state.session() && block.isValid()
        && block.index() < m_session->blocks.size())
        m_state.setCurrentBlock(block);
}

void DifferencePage::waitForArrays()
{
    m_job.wait();
    m_own.waitForPicture();
}

void DifferencePage::applyTheme()
{
    m_own.setTheme(m_state.theme());
    QPalette quiet = m_state.theme().palette();
    quiet.setColor(QPalette::WindowText, m_state.theme().text);
    m_title->setPalette(quiet);
    update();
}

void DifferencePage::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

void DifferencePage::showEvent(QShowEvent *event)
{
    follow();
    QWidget::showEvent(event);
}

} // namespace ui
