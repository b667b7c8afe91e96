// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/text_editor.h"

#include "core/compaction/text_edits.h"
#include "core/session/format_traits.h"
#include "core/session/slot_label.h"
#include "ui/widgets/forward_focus.h"
#include "ui/widgets/word_button.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

TextEditor::TextEditor(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_words(new QLabel(this))
    , m_role(new QComboBox(this))
    , m_fault(new QLabel(this))
    , m_apply(new QToolButton(this))
    , m_discard(new QToolButton(this))
    , m_field(new QPlainTextEdit(this))
{
    setObjectName(u"textEditor"_s);
    m_field->setObjectName(u"textEditorField"_s);
    m_role->setObjectName(u"textEditorRole"_s);
    m_role->setAccessibleName(tr("Role of the new message"));
    m_fault->setObjectName(u"textEditorFault"_s);
    m_fault->setTextFormat(Qt::PlainText);
    m_fault->setWordWrap(true);
    m_fault->hide();
    m_words->setTextFormat(Qt::PlainText);
    m_field->setFrameShape(QFrame::NoFrame);
    m_field->setTabChangesFocus(false);
    m_field->installEventFilter(this);
    makeWordButton(*m_apply, u"applyText"_s, tr("Apply"), tr("Writes the text into the array (Ctrl+Enter)"));
    makeWordButton(*m_discard, u"discardText"_s, tr("Discard"), tr("Leaves the array as it is (Esc)"));
    connect(m_apply, &QToolButton::clicked, this, &TextEditor::apply);
    connect(m_discard, &QToolButton::clicked, this, &TextEditor::discard);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(14, 4, 10, 4);
    bar->setSpacing(8);
    bar->addWidget(m_words);
    bar->addWidget(m_role);
    bar->addWidget(m_fault, 1);
    bar->addStretch();
    bar->addWidget(m_discard);
    bar->addWidget(m_apply);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_field, 1);
    new ForwardFocus(this, m_field);
}

QString TextEditor::edit(core::BlockId block)
{
    const core::Session &session = *m_state.session();
    if (const auto why = core::whyNotEditable(session, block))
        return displayText(*why);
    const std::string *edited = m_state.workspace().plans().textOf(block);
    const core::Body &body = session.block(block).body;
    if (edited == nullptr && body.lengths.bytes > kMostBytes)
        return tr("A text of more than %1 bytes is not edited here. `compact --overrides` can replace it.")
            .arg(groupedText(kMostBytes));
    m_isNew = false;
    open(block, edited != nullptr ? *edited : session.text(body), tr("Another text for this block"));
    return {};
}

QString TextEditor::insertBehind(core::BlockId block)
{
    const core::Transcript &array = m_state.picture().before;
    if (const auto why = core::whyNotBehind(array, block))
        return displayText(*why);
    m_edited.reset();
    openInsertion(
        { block, core::Role::User, {} }, tr("A new message after [%1], role:").arg(array.slotOf(block).value()));
    return {};
}

void TextEditor::insertAtStart()
{
    m_edited.reset();
    openInsertion({ {}, core::Role::User, {} }, tr("A new first message, role:"));
}

void TextEditor::editInsertion(const core::TextInsertion &insertion)
{
    m_edited = insertion;
    openInsertion(insertion, tr("Your message, role:"));
}

void TextEditor::openInsertion(const core::TextInsertion &insertion, const QString &words)
{
    m_isNew = true;
    m_role->clear();
    m_role->addItem(tr("user"), static_cast<int>(core::Role::User));
    m_role->addItem(tr("assistant"), static_cast<int>(core::Role::Assistant));
    if (m_state.session()->traits->splice.hasSystem)
        m_role->addItem(tr("system"), static_cast<int>(core::Role::System));
    m_role->setCurrentIndex(std::max(0, m_role->findData(static_cast<int>(insertion.role))));
    open(insertion.after, insertion.text, words);
}

void TextEditor::open(core::BlockId block, const std::string &text, const QString &words)
{
    m_session = m_state.session();
    m_shown = m_state.shownBlock();
    m_block = block;
    const auto returns = std::ranges::count(text, '\r');
    m_endsInReturns = returns > 0 && returns == std::ranges::count(text, '\n');
    m_words->setText(words);
    m_role->setVisible(m_isNew);
    m_fault->hide();
    m_field->setPlainText(QString::fromStdString(text));
    m_field->document()->setModified(false);
    m_field->setAccessibleName(words);
    m_field->setFocus();
}

void TextEditor::close()
{
    m_block = {};
    m_session.reset();
    m_field->clear();
    Q_EMIT closed();
}

std::string TextEditor::text() const
{
    // toPlainText would make blanks of no-break spaces.
    QString raw = m_field->document()->toRawText();
    raw.replace(QChar(QChar::ParagraphSeparator), m_endsInReturns ? u"\r\n"_s : u"\n"_s);
    return raw.toStdString();
}

core::Role TextEditor::role() const { return static_cast<core::Role>(m_role->currentData().toInt()); }

QString TextEditor::fault() const
{
    const core::Session &session = *m_state.session();
    const auto why
        = m_isNew ? core::whyNotInserted(session, role(), text()) : core::whyNotText(session, m_block, text());
    return why ? displayText(*why) : QString();
}

void TextEditor::apply()
{
    if (!isOpen())
        return;
    const bool isChanged = m_isNew || m_field->document()->isModified();
    if (const QString sentence = isChanged ? fault() : QString(); !sentence.isEmpty()) {
        m_fault->setText(sentence);
        m_fault->show();
        return;
    }
    PlanHistory &plans = m_state.workspace().plans();
    const std::string written = text();
    const core::BlockId block = m_block;
    const core::Role as = m_isNew ? role() : core::Role::User;
    close();
    if (m_isNew) {
        plans.commitInsertion({ block, as, written }, m_edited);
    } else if (isChanged) {
        const core::Session &session = *m_state.session();
        const bool isRecorded = written == session.text(session.block(block).body);
        plans.commitText(block, isRecorded ? std::nullopt : std::optional(written));
    }
}

void TextEditor::discard()
{
    if (isOpen())
        close();
}

void TextEditor::leave()
{
    if (!isOpen())
        return;
    const bool isOfSession = m_session == m_state.session();
    const bool isChanged = m_field->document()->isModified() || (m_edited && m_isNew && role() != m_edited->role);
    if (isOfSession && isChanged && fault().isEmpty())
        apply();
    else
        discard();
}

void TextEditor::setTheme(const Theme &theme)
{
    setPalette(theme.palette());
    m_field->setStyleSheet(u"QPlainTextEdit { background: %1; color: %2; border: 1px solid %3; }"_s.arg(
        theme.base.name(), theme.text.name(), theme.hairline.name()));
    m_field->setFont(Theme::figureFont(12));
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    m_words->setPalette(quiet);
    m_words->setFont(Theme::textFont(12));
    m_role->setFont(Theme::textFont(12));
    quiet.setColor(QPalette::WindowText, theme.hot);
    m_fault->setPalette(quiet);
    m_fault->setFont(Theme::textFont(12));
    const QString style = u"QToolButton { color: %1; border: 1px solid %2; border-radius: 4px; padding: 2px 8px; }"
                          "QToolButton:hover, QToolButton:focus { background: %3; }"_s.arg(
                              theme.text.name(), theme.hairline.name(), theme.accentGround.name());
    for (QToolButton *button : { m_apply, m_discard }) {
        button->setPalette(theme.palette());
        button->setStyleSheet(style);
    }
    update();
}

bool TextEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isApply = key->modifiers().testFlag(Qt::ControlModifier)
            && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter);
        const bool isDiscard = key->key() == Qt::Key_Escape;
        if (isApply || isDiscard) {
            event->accept();
            if (event->type() == QEvent::KeyPress)
                isApply ? apply() : discard();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void TextEditor::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
}

} // namespace ui
