// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/tour.h"

#include "core/base/text.h"
#include "core/compaction/policy.h"
#include "core/session/transcript.h"
#include "ui/widgets/widget_name.h"
#include "ui/widgets/wrapped_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t kTypedLength = 160;
constexpr auto kPolicy = "claw-before-last-user"; ///< acts at every call of the sample after its first turn

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
    m_words->reserveLines(2); // the window stays as it is when a step is done
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

void Tour::start() { go(Step::Compaction); }

void Tour::go(std::optional<Step> step)
{
    if (!step && !m_step)
        return;
    m_step.reset(); // what `goToBeginning` chooses is not the person's choice
    if (step)
        goToBeginning(*step);
    m_step = step;
    m_isDone = false;
    m_hasChosen = false;
    m_from = m_state.position();
    refresh();
    Q_EMIT stepChanged();
}

void Tour::goToBeginning(Step step)
{
    const core::ThreadIndex thread = m_state.position().thread;
    const auto &compactions = m_state.session()->thread(thread).compactions;
    switch (step) {
    case Step::Compaction:
        return m_state.setPosition({ thread, core::CallIndex(0U) });
    case Step::Loss:
        if (m_state.picture().compaction == nullptr && !compactions.empty())
            m_state.setPosition({ thread, compactions.back().call }, compactions.size() - 1);
        return;
    case Step::Policy: // where there is most to remove
        return m_state.setPosition(m_state.heaviestPosition(thread));
    }
}

void Tour::next()
{
    if (m_step == Step::Policy)
        finish();
    else if (m_step)
        go(static_cast<Step>(static_cast<size_t>(*m_step) + 1));
}

void Tour::finish() { go(std::nullopt); }

void Tour::watch()
{
    if (!m_step || !m_state.session())
        return;
    const core::BlockId current = m_state.currentBlock();
    switch (*m_step) {
    case Step::Compaction:
        m_isDone = m_state.picture().compaction != nullptr && m_state.position() != m_from;
        break;
    case Step::Loss:
        m_isDone = m_hasChosen && current.isValid() && m_state.session()->block(current).is(core::BlockFlag::Typed);
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
    case Step::Compaction:
        return tr("An agent repairs a parser in 98 calls. Click the red circle 2 in the Timeline: there the harness "
                  "compacted the context.");
    case Step::Loss:
        return tr(
            "The first finding below says what the compaction lost. In this finding, click the number of the message.");
    case Step::Policy:
        return tr("Choose the policy “%1” at the right. The view below shows the array before and after the policy "
                  "acts.")
            .arg(displayText(core::preset(kPolicy)->name));
    }
    return {};
}

QString Tour::wordsDone() const
{
    const ArrayPicture &picture = m_state.picture();
    switch (*m_step) {
    case Step::Compaction:
        return tr("Compaction %1 replaced %2 with %3: %4 tokens became %5. The view below shows both arrays.")
            .arg(picture.compactionNumber)
            .arg(counted(picture.before.slotCount(), tr("slot"), tr("slots")),
                counted(picture.after.slotCount(), tr("slot"), tr("slots")),
                displayText(core::shown(picture.sum.total())), displayText(core::shown(picture.sumAfter.total())));
    case Step::Loss: {
        const core::Session &session = *m_state.session();
        const core::Position end { picture.position.thread, {} };
        const bool isThere = core::Transcript(m_state.session(), core::rangesAt(session, end))
                                 .slotOf(m_state.currentBlock())
                                 .isValid();
        const QString text
            = displayText(core::snippet(session.text(session.block(m_state.currentBlock()).body), kTypedLength));
        return (isThere ? tr("Typed: “%1” The array at the end still has it.")
                        : tr("Typed: “%1” The array at the end does not have it. Ctrl+T shows when it was in context."))
            .arg(text);
    }
    case Step::Policy:
        if (picture.simulated && picture.simulated->rewrites.empty())
            return tr("This policy changes nothing at this call. Try another one, such as “%1”.")
                .arg(displayText(core::preset(kPolicy)->name));
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
