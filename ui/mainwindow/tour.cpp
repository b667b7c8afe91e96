// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/tour.h"

#include "core/base/text.h"
#include "ui/files/settings.h"
#include "ui/widgets/widget_name.h"
#include "ui/widgets/wrapped_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kSeen = "tour/seen";

} // namespace

/// A line around a view. The mouse goes through it.
class Tour::Frame final : public QWidget {
public:
    explicit Frame(QWidget *parent)
        : QWidget(parent)
    {
        setObjectName(u"tourFrame"_s);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }
    void setColour(const QColor &colour)
    {
        m_colour = colour;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setPen(QPen(m_colour, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }

private:
    QColor m_colour;
};

Tour::Tour(ViewState &state, const std::array<QWidget *, kStepCount> &views, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_views(views)
    , m_words(new WrappedLabel(this))
    , m_next(new QPushButton(this))
    , m_skip(new QPushButton(tr("&Skip the Tour"), this))
    , m_frame(new Frame(parent))
{
    addName(this, u"tour"_s, tr("Tour"));
    addName(m_words, u"tourWords"_s, tr("Step of the tour"));
    m_next->setObjectName(u"tourNext"_s);
    m_skip->setObjectName(u"tourSkip"_s);
    setAutoFillBackground(true);
    m_words->setFont(Theme::textFont(13));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_words, 1);
    row->addWidget(m_next);
    row->addWidget(m_skip);
    connect(m_next, &QPushButton::clicked, this, &Tour::next);
    connect(m_skip, &QPushButton::clicked, this, &Tour::finish);
    connect(&state, &ViewState::pictureSettled, this, &Tour::watch);
    connect(&state, &ViewState::currentChanged, this, [this] {
        m_hasChosen = true;
        watch();
    });
    connect(&state.workspace(), &Workspace::sessionChanged, this, [this](bool isNew) {
        if (isNew)
            go(std::nullopt); // the tour is about the session before
    });
    connect(&state, &ViewState::themeChanged, this, &Tour::applyTheme);
    for (QWidget *each : views)
        each->installEventFilter(this);
    hide();
    applyTheme();
}

bool Tour::isOffered() { return !openSettings().value(QLatin1StringView(kSeen)).toBool(); }

void Tour::start() { go(Step::Call); }

void Tour::go(std::optional<Step> step)
{
    if (!step && !m_step)
        return;
    m_step = step;
    m_isDone = false;
    m_hasChosen = false;
    m_from = m_state.position();
    // A first call has nothing that a policy could remove.
    if (step == Step::Hot && m_state.picture().hot->blocks.empty())
        m_state.setPosition(m_state.heaviestPosition(m_state.position().thread));
    refresh();
    Q_EMIT stepChanged();
}

void Tour::next()
{
    if (m_step == Step::Policy)
        finish();
    else if (m_step)
        go(static_cast<Step>(static_cast<size_t>(*m_step) + 1));
}

void Tour::finish()
{
    openSettings().setValue(QLatin1StringView(kSeen), true);
    go(std::nullopt);
}

void Tour::watch()
{
    if (!m_step || !m_state.session())
        return;
    const bool isCurrentHot = m_state.currentSlot().isValid() && m_state.picture().hot->of(m_state.currentSlot());
    switch (*m_step) {
    case Step::Call:
        m_isDone = m_isDone || m_state.position() != m_from;
        break;
    case Step::Hot:
        m_isDone = isCurrentHot && m_hasChosen;
        break;
    case Step::Policy:
        m_isDone = m_state.picture().isSimulated();
        break;
    }
    refresh();
}

QString Tour::wordsToDo() const
{
    switch (*m_step) {
    case Step::Call:
        return tr("Choose a call: click in the Timeline. The curve shows how many tokens each call sent.");
    case Step::Hot:
        return tr("Choose a hot slot: one with a red edge. Hot slots hold most of what a policy could remove.");
    case Step::Policy:
        return tr("Choose a policy at the right, such as Genkit recipe. It shows the array before and after it acts.");
    }
    return {};
}

QString Tour::wordsDone() const
{
    const ArrayPicture &picture = m_state.picture();
    switch (*m_step) {
    case Step::Call: {
        const QString slots = counted(picture.before.slotCount(), tr("slot"), tr("slots"));
        const QString tokens = displayText(core::shown(picture.sum.total()));
        return picture.position.isEnd() ? tr("At the end the array has %1 with %2 tokens.").arg(slots, tokens)
                                        : tr("Call %1 sent %2 with %3 tokens. The array below shows them.")
                                              .arg(picture.position.call.value())
                                              .arg(slots, tokens);
    }
    case Step::Hot: {
        const core::HotBlock *hot = picture.hot->of(m_state.currentSlot());
        if (hot == nullptr)
            return {};
        const QString weight
            = tr("%1 %2").arg(displayText(picture.weights.shown(hot->weight)), displayText(picture.weights.unitName()));
        const QString calls
            = counted(hot->laterCalls, tr("later call sends it again"), tr("later calls send it again"));
        return tr("[%1] %2: %3. %4.").arg(hot->slot.value()).arg(displayText(hot->reason), weight, calls);
    }
    case Step::Policy:
        return tr("Before: %1 tokens. After: %2 tokens. To go back, choose As Recorded at the right.")
            .arg(displayText(core::shown(picture.sum.total())), displayText(core::shown(picture.sumAfter.total())));
    }
    return {};
}

void Tour::refresh()
{
    setVisible(m_step.has_value());
    m_frame->setVisible(m_step.has_value() && view()->isVisible());
    if (!m_step)
        return;
    const QString place = tr("Tour %1 of %2").arg(static_cast<int>(*m_step) + 1).arg(static_cast<int>(kStepCount));
    m_words->setText(place + u" · "_s + (m_isDone ? wordsDone() : wordsToDo()));
    m_next->setText(m_step == Step::Policy ? tr("&End the Tour") : tr("&Next"));
    m_skip->setVisible(m_step != Step::Policy);
    placeFrame();
}

void Tour::placeFrame()
{
    if (!m_step || !view()->isVisible())
        return m_frame->hide();
    m_frame->setGeometry(QRect(view()->mapTo(m_frame->parentWidget(), QPoint()), view()->size()));
    m_frame->show();
    m_frame->raise();
}

void Tour::applyTheme()
{
    const Theme &theme = m_state.theme();
    QPalette palette = theme.palette();
    palette.setColor(QPalette::Window, theme.accentGround);
    palette.setColor(QPalette::WindowText, theme.text);
    setPalette(palette);
    m_words->setPalette(palette);
    m_frame->setColour(theme.accent);
}

bool Tour::eventFilter(QObject *watched, QEvent *event)
{
    const QEvent::Type type = event->type();
    const bool isMoved = type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show || type == QEvent::Hide;
    if (isMoved && m_step && watched == view())
        placeFrame();
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
