// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edit_details.h"

#include "core/base/text.h"
#include "ui/edits/edit_words.h"

#include <QLabel>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t kPromptLength = 140;
constexpr size_t kReasonLength = 200; ///< of why an edit failed, in characters
constexpr int kRowGap = 6;            ///< above a name

/// ` · last shown by #41` if the old text was shown earlier and is no longer in context.
QString lastShown(const core::Session &session, const core::EditBasis *basis)
{
    const bool isTold = basis != nullptr && core::isWithoutCarrier(*basis)
        && basis->kind != core::BasisKind::SummaryOnly && !basis->carriers.empty()
        && basis->carriers.front().index() < session.blocks.size();
    return isTold ? u" · "_s + EditDetails::tr("last shown by %1").arg(numberOf(session, basis->carriers.front()))
                  : QString();
}

/// Why the edit has no basis to show.
QString noneNeeded(const core::Edit &edit)
{
    if (edit.kind == core::ChangeKind::Rewrite && !edit.command.empty())
        return EditDetails::tr("none: the command %1 changed the file. The model wrote no new text")
            .arg(displayText(edit.command));
    return EditDetails::tr("none needed: %1").arg(deedWords(edit));
}

/// Words as rich text in which `#41` is a link, except in quoted text; nothing else in them is markup.
QString linked(const QString &words, const QColor &colour)
{
    static const QRegularExpression number(u"#(\\d+)"_s);
    const qsizetype quote = words.indexOf(u'“');
    QString text = words.left(quote).toHtmlEscaped();
    text.replace(number, u"<a href=\"\\1\" style=\"color:%1; text-decoration:none\">#\\1</a>"_s.arg(colour.name()));
    if (quote < 0)
        return text;
    const qsizetype end = words.indexOf(u'”', quote);
    const qsizetype length = end < 0 ? words.size() - quote : end + 1 - quote;
    return text + words.mid(quote, length).toHtmlEscaped() + linked(words.mid(quote + length), colour);
}

} // namespace

EditDetails::EditDetails(ViewState &state, const EditReview &review, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_review(review)
    , m_title(new QLabel(tr("Basis of the edit"), this))
{
    setObjectName(u"editDetails"_s);
    auto *rows = new QVBoxLayout;
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(1);
    for (size_t i = 0; i < RowCount; ++i) {
        m_names[i] = new QLabel(this);
        m_values[i] = new QLabel(this);
        m_values[i]->setTextFormat(Qt::RichText);
        m_values[i]->setWordWrap(true);
        m_values[i]->setTextInteractionFlags(Qt::TextBrowserInteraction);
        for (QLabel *label : { m_names[i], m_values[i] })
            label->setFont(Theme::textFont(12));
        m_names[i]->setContentsMargins(0, kRowGap, 0, 0);
        rows->addWidget(m_names[i]);
        rows->addWidget(m_values[i]);
        connect(m_values[i], &QLabel::linkActivated, this,
            [this](const QString &number) { Q_EMIT messageChosen(core::MessageId(number.toUInt())); });
    }
    m_values[OldText]->setObjectName(u"editOldText"_s);
    m_values[UnderPlan]->setObjectName(u"editUnderPlan"_s);
    m_values[Later]->setObjectName(u"editLater"_s);
    m_values[Repository]->setObjectName(u"editRepository"_s);
    m_values[Array]->setObjectName(u"editArray"_s);
    m_values[Prompt]->setObjectName(u"editPrompt"_s);
    setName(Prompt, tr("prompt"));
    setName(OldText, tr("old text"));
    setName(Later, tr("later"));
    setName(Repository, tr("on disk"));
    setName(Array, tr("in the array"));
    m_title->setFont(Theme::strongFont(12));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(kPageMargin, 10, kPageMargin, 8);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addLayout(rows);
    column->addStretch(1);
    setEdit(std::nullopt);
}

void EditDetails::setName(Row row, const QString &name) { m_names[row]->setText(name.toHtmlEscaped()); }

void EditDetails::setRow(Row row, const QString &words, bool isHot)
{
    const bool isSpare = row == Later || row == Array || (row == Prompt && m_room == Room::Little);
    for (QLabel *label : { m_names[row], m_values[row] })
        label->setVisible(!words.isEmpty() && (m_room == Room::Full || !isSpare));
    m_values[row]->setText(u"<span style=\"color:%1\">%2</span>"_s.arg(
        (isHot ? m_theme.hot : m_theme.text).name(), linked(words, isHot ? m_theme.hot : m_theme.accent)));
}

void EditDetails::setEdit(std::optional<size_t> edit)
{
    m_edit = edit;
    refresh();
}

void EditDetails::setRoom(Room room)
{
    if (std::exchange(m_room, room) == room)
        return;
    constexpr int kCompactTop = 4;
    constexpr int kTop = 10;
    setMinimumHeight(0);
    layout()->setContentsMargins(kPageMargin, room == Room::Full ? kTop : kCompactTop, kPageMargin, 8);
    refresh();
}

void EditDetails::refresh()
{
    m_title->setVisible(m_edit.has_value() && m_room == Room::Full);
    if (!m_edit || !m_review.found()) {
        for (size_t i = 0; i < RowCount; ++i)
            setRow(static_cast<Row>(i), {});
        return;
    }
    const size_t edit = *m_edit;
    const core::EditBasis *basis = m_review.basis(edit);
    const bool isOutside = m_review.found()->isOutside(edit);
    QString old = basisWords(m_review, edit);
    if (isOutside)
        old = outsideWords(*m_review.found(), edit);
    else if (basis == nullptr)
        old = tr("still searching");
    else if (old.isEmpty())
        old = noneNeeded(m_review.found()->edit(edit));
    const bool isLost = basis != nullptr && core::isWithoutCarrier(*basis);
    m_title->setText(isOutside ? tr("What the log shows") : tr("Basis of the edit"));
    const core::Session &session = *m_review.found()->edits.session;
    setRow(Prompt, isOutside ? QString() : promptWords());
    setRow(OldText, isOutside ? old : old + lastShown(session, basis), isLost && !isOutside);
    setName(UnderPlan, tr("under %1").arg(m_review.planName()));
    const bool isLostUnderPlan = m_review.isLostUnderPlan(edit);
    const QString planned = planBasisWords(m_review, edit);
    const core::EditBasis *planBasis = m_review.planBasis(edit);
    const bool isSaid = planBasis != nullptr && planBasis->kind == core::BasisKind::Lost;
    const QString lost = isSaid ? planned : tr("lost: %1").arg(planned);
    setRow(UnderPlan, isLostUnderPlan ? lost + lastShown(session, planBasis) : planned, isLostUnderPlan);
    setRow(Later, isOutside ? QString() : laterWords());
    m_values[Later]->setToolTip(toolTipText(fateSentence(m_review, edit)));
    setRow(Repository, repositoryWords());
    setRow(Array, isOutside ? QString() : arrayWords());
    keepHeight();
}

void EditDetails::keepHeight()
{
    constexpr int kMostShare = 3; // at most a third of what holds it
    const int most = parentWidget() != nullptr ? parentWidget()->height() / kMostShare : 0;
    if (const int needs = std::min(heightForWidth(width()), most); needs > minimumHeight())
        setMinimumHeight(needs);
}

void EditDetails::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        setMinimumHeight(0);
}

QString EditDetails::promptWords() const
{
    const core::Session &session = *m_review.found()->edits.session;
    const core::Edit &edit = m_review.found()->edit(*m_edit);
    for (size_t i = edit.use.index(); i-- > 0;) {
        const core::Block &block = session.blocks[i];
        if (session.message(block.message).thread != edit.thread)
            return {}; // the pool is ordered by thread
        if (block.is(core::BlockFlag::Typed))
            return u"#%1 “%2”"_s.arg(block.message.value())
                .arg(displayText(core::snippet(session.text(block.body), kPromptLength)));
    }
    return {};
}

QString EditDetails::laterWords() const
{
    const FoundEdits &found = *m_review.found();
    const core::Session &session = *found.edits.session;
    const core::Edit &edit = found.edit(*m_edit);
    QString words
        = displayText(core::outcomeText(found.edits, *m_edit, found.remains[*m_edit], m_review.standing(*m_edit)));
    if (edit.outcome == core::EditOutcome::Failed && edit.result.isValid()) {
        const core::Block &result = session.block(edit.result);
        words += u": #%1 “%2”"_s.arg(result.message.value())
                     .arg(displayText(core::snippet(session.text(result.body), kReasonLength)));
    }
    return words;
}

QString EditDetails::repositoryWords() const
{
    const core::EditStanding *standing = m_review.standing(*m_edit);
    if (standing == nullptr) // or the search is still running
        return !m_review.folder().empty() ? QString()
            : m_review.found()->edits.session->workingFolder.empty()
            ? tr("not checked: the session records no folder")
            : tr("not checked: the folder of the session is not on this machine");
    return displayText(core::standingText(*standing));
}

QString EditDetails::arrayWords() const
{
    const core::BlockId block = m_review.found()->blockOf(*m_edit);
    const core::Session &session = *m_review.found()->edits.session;
    if (m_state.session() != m_review.found()->edits.session || !block.isValid())
        return {};
    const core::SlotIndex slot = m_state.picture().before.slotOf(block);
    const core::Weights weights(m_state.workspace().tokens(), core::WeightUnit::Tokens);
    QStringList words { slot.isValid() ? tr("[%1] of the array shown").arg(slot.value())
                                       : tr("not in the array shown") };
    if (weights.tokens())
        words << tr("%1 tokens").arg(displayText(weights.shown(session, std::span(&block, 1))));
    return words.join(u" · "_s);
}

void EditDetails::setTheme(const Theme &theme)
{
    m_theme = theme;
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    for (size_t i = 0; i < RowCount; ++i) {
        m_names[i]->setPalette(quiet);
        m_values[i]->setPalette(theme.palette());
    }
    m_title->setPalette(theme.palette());
    refresh();
}

} // namespace ui
