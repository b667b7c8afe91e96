// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/stage_row.h"

#include "ui/policy/parameter_form.h"
#include "ui/widgets/tick_box.h"
#include "ui/widgets/wrapped_label.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

// --- StripBar -------------------------------------------------------------------------------------------------------

void StripBar::setStrip(const WeightStrip &strip, double whole, bool isPale)
{
    m_strip = strip;
    m_whole = whole;
    m_isPale = isPale;
    update();
}

void StripBar::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

void StripBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRect all = rect();
    painter.fillRect(QRect(all.left(), all.bottom(), all.width(), 1), m_theme.hairline);
    if (m_whole <= 0)
        return;
    painter.setOpacity(m_isPale ? 0.4 : 1.0);
    double from = 0;
    for (size_t i = 0; i < m_strip.materials.size(); ++i) {
        const double to = from + m_strip.materials[i] * all.width() / m_whole;
        const int left = static_cast<int>(std::round(from));
        const int right = static_cast<int>(std::round(to));
        if (right > left)
            painter.fillRect(QRect(left, 0, right - left, all.height()), m_theme.of(static_cast<core::Material>(i)));
        from = to;
    }
}

// --- StageRow -------------------------------------------------------------------------------------------------------

StageRow::StageRow(const core::StageSpec &spec, QWidget *parent)
    : QWidget(parent)
    , m_kind(core::stageKind(spec.stage))
    , m_spec(spec)
    , m_column(new QVBoxLayout(this))
    , m_box(new TickBox(m_kind != nullptr ? displayText(m_kind->title) : QString::fromStdString(spec.stage), this))
    , m_saving(new QLabel(this))
    , m_fold(new QToolButton(this))
    , m_strip(new StripBar(this))
    , m_verdict(new WrappedLabel(this))
{
    const QString title = m_box->text();
    setObjectName(u"stage.%1"_s.arg(QString::fromStdString(spec.stage)));
    setAccessibleName(title);
    setFocusPolicy(Qt::ClickFocus);
    m_box->setObjectName(u"tick.%1"_s.arg(QString::fromStdString(spec.stage)));
    m_box->installEventFilter(this);
    m_fold->installEventFilter(this);
    m_fold->setArrowType(Qt::RightArrow);
    m_fold->setAutoRaise(true);
    m_fold->setCheckable(true);
    m_fold->setFixedSize(18, 18);
    m_fold->setAccessibleName(tr("Parameters of %1").arg(title));
    m_fold->setToolTip(tr("Parameters"));
    m_saving->setObjectName(u"saving"_s);
    m_saving->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_saving->setTextFormat(Qt::PlainText);
    m_verdict->setObjectName(u"stageVerdict"_s);
    m_verdict->setContentsMargins(20, 0, 0, 0);
    m_verdict->hide();
    m_strip->setFixedHeight(10);
    if (m_kind != nullptr) {
        m_box->setToolTip(displayText(m_kind->sentence));
        m_fold->setEnabled(true);
    }
    auto *head = new QHBoxLayout;
    head->setSpacing(2);
    head->addWidget(m_fold);
    head->addWidget(m_box, 1);
    head->addSpacing(8); // its words may be elided
    head->addWidget(m_saving);
    auto *stripRoom = new QWidget(this);
    auto *strip = new QHBoxLayout(stripRoom);
    strip->setContentsMargins(20, 2, 0, 2); // as high as a line of the verdict in its place
    strip->addWidget(m_strip);
    m_column->setContentsMargins(0, 2, 0, 2);
    m_column->setSpacing(0);
    m_column->addLayout(head);
    m_column->addWidget(stripRoom);
    m_column->addWidget(m_verdict);
    connect(m_box, &TickBox::clicked, this, &StageRow::ticked);
    connect(m_fold, &QToolButton::toggled, this, &StageRow::setUnfolded);
    setSpec(spec);
}

void StageRow::setSpec(const core::StageSpec &spec)
{
    m_spec = spec;
    m_box->setChecked(spec.isEnabled);
    if (m_form != nullptr)
        m_form->setSpec(spec);
}

void StageRow::setFigure(const std::optional<StageFigure> &figure, double whole, const core::Weights &weights)
{
    if (!figure) {
        m_saving->setText(u"…"_s);
        return;
    }
    const double saved = figure->saved;
    QString words = displayText(weights.shown(std::abs(saved)));
    if (saved != 0) // less, or more
        words = signedFigure(saved > 0 ? QChar(0x2212) : QChar(u'+'), words);
    // A blank replaces the other figures' bracket, so that all figures end at one edge.
    m_saving->setText(m_spec.isEnabled ? words + QChar::Nbsp : u'(' + words + u')');
    m_saving->setToolTip(m_spec.isEnabled ? tr("How much this stage saves after the stages above it")
                                          : tr("How much this stage would save after the stages above it"));
    m_strip->setStrip(figure->after, whole, !m_spec.isEnabled);
}

void StageRow::clearFigure()
{
    m_saving->clear();
    m_saving->setToolTip({});
    m_strip->setStrip({}, 0, false);
    setVerdict({});
}

void StageRow::setVerdict(const QString &words)
{
    m_verdict->setText(words);
    m_verdict->setVisible(!words.isEmpty());
    m_strip->parentWidget()->setVisible(words.isEmpty()); // else it would equal the one above it
}

void StageRow::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_strip->setTheme(theme);
    m_box->setTheme(theme);
    if (m_form != nullptr)
        m_form->setTheme(theme);
    m_saving->setFont(Theme::figureFont(12));
    m_verdict->setFont(Theme::textFont(11));
    QPalette palette = theme.palette();
    palette.setColor(QPalette::WindowText, theme.secondary);
    m_verdict->setPalette(palette);
    m_fold->setStyleSheet(u"QToolButton { border: none; background: transparent; }"_s);
    update();
}

bool StageRow::isUnfolded() const { return m_form != nullptr && !m_form->isHidden(); }

void StageRow::setUnfolded(bool isUnfolded)
{
    m_fold->setChecked(isUnfolded);
    m_fold->setArrowType(isUnfolded ? Qt::DownArrow : Qt::RightArrow);
    if (isUnfolded && m_form == nullptr && m_kind != nullptr) {
        m_form = new ParameterForm(*m_kind, this);
        m_form->setSpec(m_spec);
        m_form->setTheme(m_theme);
        connect(m_form, &ParameterForm::parameterChanged, this, &StageRow::parameterChanged);
        m_remove = new QToolButton(this);
        m_remove->setText(tr("Remove Stage"));
        m_remove->setFont(Theme::textFont(12));
        m_remove->setAutoRaise(true);
        connect(m_remove, &QToolButton::clicked, this, &StageRow::removeRequested);
        m_column->addWidget(m_form);
        m_column->addWidget(m_remove, 0, Qt::AlignRight);
    }
    if (m_form != nullptr) {
        m_form->setVisible(isUnfolded);
        m_remove->setVisible(isUnfolded);
    }
}

void StageRow::setDragged(bool isDragged)
{
    m_isDragged = isDragged;
    update();
}

void StageRow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_isDragged)
        painter.fillRect(rect(), m_theme.accentGround);
    if (hasFocus()) {
        painter.setPen(m_theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void StageRow::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        m_pressed = event->position().toPoint();
}

void StageRow::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pressed)
        return;
    if (!m_isDragged
        && (event->position().toPoint() - *m_pressed).manhattanLength() < QApplication::startDragDistance())
        return;
    setDragged(true);
    Q_EMIT dragged(event->globalPosition().toPoint());
}

void StageRow::mouseReleaseEvent(QMouseEvent *event)
{
    m_pressed.reset();
    if (!m_isDragged)
        return;
    setDragged(false);
    Q_EMIT dropped(event->globalPosition().toPoint());
}

void StageRow::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    Q_EMIT focused();
    update();
}

void StageRow::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

bool StageRow::dragByTitle(QEvent *event)
{
    const auto type = event->type();
    if (type != QEvent::MouseButtonPress && type != QEvent::MouseMove && type != QEvent::MouseButtonRelease)
        return false;
    auto *mouse = static_cast<QMouseEvent *>(event);
    QMouseEvent mine(type, m_box->mapTo(this, mouse->position()), mouse->globalPosition(), mouse->button(),
        mouse->buttons(), mouse->modifiers());
    if (type == QEvent::MouseButtonPress) {
        mousePressEvent(&mine);
        return false;
    }
    const bool wasDragged = m_isDragged;
    if (type == QEvent::MouseMove)
        mouseMoveEvent(&mine);
    else
        mouseReleaseEvent(&mine);
    if (m_isDragged || wasDragged)
        m_box->setDown(false); // a moved row is not ticked
    return m_isDragged || wasDragged;
}

bool StageRow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::FocusIn)
        Q_EMIT focused();
    if (watched == m_box && dragByTitle(event))
        return true;
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
