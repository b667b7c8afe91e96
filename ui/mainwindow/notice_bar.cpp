// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/notice_bar.h"

#include "core/base/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kListHeight = 130;
constexpr int kBusyAfter = 200; ///< milliseconds before a load is said to take time

} // namespace

NoticeBar::NoticeBar(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_words(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_details(new QPushButton(tr("Show"), this))
    , m_reload(new QPushButton(tr("Reload"), this))
    , m_close(new QPushButton(tr("Dismiss"), this))
    , m_list(new QPlainTextEdit(this))
    , m_deed(new QPushButton(this))
    , m_undo(new QPushButton(this))
{
    setObjectName(u"notice"_s);
    setAutoFillBackground(true);
    m_words->setObjectName(u"noticeWords"_s);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setFont(Theme::textFont(12));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(120, 6);
    m_list->setReadOnly(true);
    m_list->setFont(Theme::figureFont(12));
    m_list->setFixedHeight(kListHeight);
    m_list->hide();
    m_deed->setObjectName(u"noticeDeed"_s);
    m_undo->setObjectName(u"noticeUndo"_s);
    for (QPushButton *button : { m_deed, m_undo, m_details, m_reload, m_close }) {
        button->setFont(Theme::textFont(12));
        button->setFlat(true);
        button->setCursor(Qt::PointingHandCursor);
    }
    auto *row = new QHBoxLayout;
    row->setContentsMargins(14, 2, 8, 2);
    row->addWidget(m_words, 1);
    row->addWidget(m_progress);
    row->addWidget(m_deed);
    row->addWidget(m_undo);
    row->addWidget(m_details);
    row->addWidget(m_reload);
    row->addWidget(m_close);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_list);

    follow();
    connect(&state, &ViewState::themeChanged, this, &NoticeBar::applyTheme);
    connect(m_details, &QPushButton::clicked, this, [this] {
        m_list->setVisible(!m_list->isVisible());
        m_details->setText(m_list->isVisible() ? tr("Hide") : tr("Show"));
    });
    connect(m_deed, &QPushButton::clicked, this, [this] { act(&Notice::deed); });
    connect(m_undo, &QPushButton::clicked, this, [this] { act(&Notice::undo); });
    connect(m_reload, &QPushButton::clicked, this, [this] { m_state.workspace().reload(); });
    connect(m_close, &QPushButton::clicked, this, &NoticeBar::closeNotice);
    applyTheme();
    refresh();
}

void NoticeBar::act(std::function<void()> Notice::*deed)
{
    if (!m_notice)
        return;
    const auto run = (*m_notice).*deed;
    m_notice.reset();
    refresh();
    if (run)
        run();
}

void NoticeBar::closeNotice()
{
    if (m_state.workspace().isLoading())
        m_state.workspace().cancelLoading();
    m_dismissed = !m_notice.has_value();
    m_notice.reset();
    refresh();
}

void NoticeBar::follow()
{
    auto *tick = new QTimer(this);
    tick->setInterval(kBusyAfter);
    connect(tick, &QTimer::timeout, this, [this, tick] {
        if (m_state.workspace().isLoading())
            refresh();
        else
            tick->stop();
    });
    Workspace &workspace = m_state.workspace();
    connect(&workspace, &Workspace::loadingChanged, this, [this, tick] {
        m_dismissed = false;
        if (m_state.workspace().isLoading())
            tick->start();
        else
            refresh();
    });
    connect(&workspace, &Workspace::errorChanged, this, [this] {
        m_dismissed = false;
        refresh();
    });
    connect(&workspace, &Workspace::sessionChanged, this, [this](bool isNew) {
        if (isNew) {
            m_dismissed = false;
            m_changedOnDisk = false;
            m_notice.reset();
            m_list->hide();
        }
        refresh();
    });
    connect(&workspace, &Workspace::planChanged, this, [this] {
        if (!m_notice || !m_notice->deed || m_notice->undo)
            return;
        m_notice.reset(); // the question was about an array that is no longer shown
        refresh();
    });
}

void NoticeBar::setChangedOnDisk(bool changed)
{
    m_changedOnDisk = changed;
    m_dismissed = m_dismissed && !changed;
    refresh();
}

void NoticeBar::setNotice(Notice notice)
{
    m_notice = std::move(notice);
    m_list->hide();
    m_details->setText(tr("Show"));
    refresh();
}

bool NoticeBar::dismiss()
{
    if (isHidden() || m_state.workspace().isLoading())
        return false;
    m_dismissed = m_dismissed || !m_notice.has_value();
    m_notice.reset();
    refresh();
    return true;
}

void NoticeBar::refresh()
{
    const Workspace &workspace = m_state.workspace();
    const bool isLoading = workspace.isLoading();
    QString words;
    QString details;
    bool offersReload = false;
    if (isLoading) {
        words = tr("Loading %1…").arg(QString::fromStdString(workspace.path().filename().string()));
        m_progress->setRange(0, 1000);
        m_progress->setValue(static_cast<int>(workspace.loadingFraction() * 1000));
    } else if (m_notice) {
        words = m_notice->words;
        details = m_notice->details;
    } else if (workspace.error()) {
        words = displayText(workspace.error()->sentence());
        offersReload = workspace.error()->kind == core::ErrorKind::Changed;
    } else if (m_changedOnDisk) {
        words = tr("The file has changed on disk since it was opened.");
        offersReload = true;
    } else if (workspace.session()) {
        size_t warnings = 0;
        for (const core::Diagnostic &diagnostic : workspace.session()->diagnostics) {
            warnings += diagnostic.severity == core::Severity::Warning ? 1 : 0;
            const QString line = diagnostic.line > 0
                ? tr("line %1").arg(displayText(core::groupedNumber(diagnostic.line)))
                : tr("file");
            details += line + u"  "_s + displayText(diagnostic.reason) + u'\n';
        }
        if (warnings > 0)
            words = tr("%1 in the file could not be read. The rest is shown.")
                        .arg(counted(warnings, tr("place"), tr("places")));
        else
            details.clear(); // notes alone are no reason for a bar
    }
    m_words->setText(words);
    m_progress->setVisible(isLoading);
    m_details->setVisible(!details.isEmpty());
    m_reload->setVisible(offersReload);
    m_deed->setVisible(!isLoading && m_notice && !m_notice->deedWords.isEmpty());
    m_deed->setText(m_notice ? m_notice->deedWords : QString());
    m_undo->setVisible(!isLoading && m_notice && !m_notice->undoWords.isEmpty());
    m_undo->setText(m_notice ? m_notice->undoWords : QString());
    m_close->setText(isLoading ? tr("Cancel") : tr("Dismiss"));
    if (m_list->toPlainText() != details.trimmed())
        m_list->setPlainText(details.trimmed());
    m_words->setToolTip(words);
    setVisible(!words.isEmpty() && (!m_dismissed || m_notice));
}

void NoticeBar::applyTheme()
{
    const Theme &theme = m_state.theme();
    QPalette colours = theme.palette();
    colours.setColor(QPalette::Window, theme.accentGround);
    colours.setColor(QPalette::Button, theme.accentGround);
    setPalette(colours);
    m_progress->setStyleSheet(u"QProgressBar { background: %1; border: none; border-radius: 3px; }"
                              "QProgressBar::chunk { background: %2; border-radius: 3px; }"_s.arg(
                                  theme.hairline.name(), theme.accent.name()));
}

} // namespace ui
