// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/loading_bar.h"

#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidest = 460;
constexpr int kBusyAfter = 200; ///< milliseconds before a load is said to take time

} // namespace

LoadingBar::LoadingBar(ViewState &state, QStatusBar &bar)
    : QWidget(&bar)
    , m_state(state)
    , m_bar(bar)
    , m_words(new ElidedLabel(this))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
{
    setObjectName(u"loading"_s);
    setAutoFillBackground(true);
    m_words->setObjectName(u"loadingWords"_s);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setFont(Theme::textFont(12));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(120, 6);
    m_cancel->setObjectName(u"cancelLoading"_s);
    m_cancel->setFont(Theme::textFont(12));
    m_cancel->setFlat(true);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 8, 0);
    row->addWidget(m_words, 1);
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    bar.installEventFilter(this);
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_state.workspace().cancelLoading(); });
    connect(&state, &ViewState::themeChanged, this, &LoadingBar::applyTheme);
    follow();
    applyTheme();
    hide();
}

void LoadingBar::follow()
{
    auto *tick = new QTimer(this);
    tick->setInterval(kBusyAfter);
    connect(tick, &QTimer::timeout, this, &LoadingBar::refresh);
    connect(&m_state.workspace(), &Workspace::loadingChanged, this, [this, tick] {
        if (m_state.workspace().isLoading()) {
            tick->start();
        } else {
            tick->stop();
            refresh();
        }
    });
}

void LoadingBar::refresh()
{
    const Workspace &workspace = m_state.workspace();
    setVisible(workspace.isLoading());
    if (isHidden())
        return;
    m_words->setText(tr("Loading %1…").arg(QString::fromStdString(workspace.path().filename().string())));
    m_words->setToolTip(toolTipText(m_words->text()));
    m_progress->setRange(0, 1000);
    m_progress->setValue(static_cast<int>(workspace.loadingFraction() * 1000));
    place();
    raise();
}

void LoadingBar::place()
{
    const int width = std::min(kWidest, m_bar.width() / 2);
    setGeometry(m_bar.width() - width, 1, width, m_bar.height() - 1);
}

bool LoadingBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == &m_bar && event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

void LoadingBar::applyTheme()
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
