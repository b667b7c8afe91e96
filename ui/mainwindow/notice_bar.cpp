// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/notice_bar.h"

#include "core/base/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kListHeight = 130;

} // namespace

NoticeBar::NoticeBar(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_words(new QLabel(this))
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
    connect(m_close, &QPushButton::clicked, this, &NoticeBar::dismiss);
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

void NoticeBar::follow()
{
    Workspace &workspace = m_state.workspace();
    connect(&workspace, &Workspace::loadingChanged, this, [this] {
        m_dismissed = false;
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

void NoticeBar::setShowsWarnings(bool shows)
{
    m_showsWarnings = shows;
    refresh();
}

bool NoticeBar::dismiss()
{
    if (isHidden())
        return false;
    m_dismissed = m_dismissed || !m_notice.has_value();
    m_notice.reset();
    refresh();
    return true;
}

void NoticeBar::refresh()
{
    const Workspace &workspace = m_state.workspace();
    QString words;
    QString details;
    bool offersReload = false;
    if (m_notice) {
        words = m_notice->words;
        details = m_notice->details;
    } else if (workspace.error()) {
        words = displayText(workspace.error()->sentence());
        offersReload = workspace.error()->kind == core::ErrorKind::Changed;
    } else if (m_changedOnDisk) {
        words = tr("The file has changed on disk since it was opened. Press F5 to load it again.");
        offersReload = true;
    } else if (workspace.session() && m_showsWarnings) {
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
    m_details->setVisible(!details.isEmpty());
    m_reload->setVisible(offersReload);
    m_deed->setVisible(m_notice && !m_notice->deedWords.isEmpty());
    m_deed->setText(m_notice ? m_notice->deedWords : QString());
    m_undo->setVisible(m_notice && !m_notice->undoWords.isEmpty());
    m_undo->setText(m_notice ? m_notice->undoWords : QString());
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
}

} // namespace ui
