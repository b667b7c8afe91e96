// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/search_line.h"

#include "core/search/query.h"
#include "ui/files/settings.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QSettings>
#include <QStringListModel>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostLines = 20; ///< of the history
constexpr int kPage = 8;

QStringList history() { return openSettings().value(u"search/history"_s).toStringList(); }

/// The place where the word before the cursor begins, behind a minus.
int wordBegin(const QString &line, int cursor)
{
    bool isQuoted = false;
    int begin = 0;
    for (int i = 0; i < cursor; ++i) {
        isQuoted = isQuoted != (line[i] == u'"');
        if (line[i] == u' ' && !isQuoted)
            begin = i + 1;
    }
    return begin < cursor && line[begin] == u'-' ? begin + 1 : begin;
}

QString toText(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

} // namespace

SearchLine::SearchLine(QWidget *parent)
    : QLineEdit(parent)
    , m_words(new QStringListModel(this))
    , m_completer(new QCompleter(m_words, this))
{
    m_completer->setWidget(this);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    connect(this, &QLineEdit::textEdited, this, &SearchLine::complete);
    connect(m_completer, qOverload<const QString &>(&QCompleter::activated), this, &SearchLine::insert);
}

QStringList SearchLine::completions(const QString &line, int cursor, const QStringList &tools)
{
    const int begin = wordBegin(line, cursor);
    const QString word = line.mid(begin, cursor - begin);
    if (word.isEmpty() || word.startsWith(u'"'))
        return {};
    QStringList found;
    const auto offer = [&](const QString &whole) {
        if (whole.startsWith(word, Qt::CaseInsensitive) && whole != word)
            found << whole;
    };
    for (const core::QueryWord &each : core::queryWords())
        offer(toText(each.word));
    for (const std::string_view key : { "role:", "kind:" }) {
        for (const std::string_view value : core::queryValues(key))
            offer(toText(key) + toText(value));
    }
    if (word.contains(u':')) {
        for (const QString &tool : tools)
            offer(u"tool:"_s + (tool.contains(u' ') ? u'"' + tool + u'"' : tool));
    } else {
        found.removeIf([](const QString &each) { return each.contains(u':') && !each.endsWith(u':'); });
    }
    return found;
}

void SearchLine::complete()
{
    const QStringList words = completions(text(), cursorPosition(), m_tools);
    m_isHistory = false;
    m_words->setStringList(words);
    if (words.isEmpty())
        m_completer->popup()->hide();
    else
        m_completer->complete();
}

void SearchLine::insert(const QString &completion)
{
    if (m_isHistory) {
        setText(completion);
        return;
    }
    const int begin = wordBegin(text(), cursorPosition());
    const QString behind = text().mid(cursorPosition());
    const bool takesValue = completion.endsWith(u':') || completion.endsWith(u'>');
    setText(text().left(begin) + completion + (takesValue || behind.startsWith(u' ') ? QString() : u" "_s) + behind);
    setCursorPosition(begin + static_cast<int>(completion.size()) + (takesValue ? 0 : 1));
    if (takesValue)
        complete();
}

void SearchLine::remember()
{
    const QString line = text().trimmed();
    if (line.isEmpty())
        return;
    QStringList lines = history();
    lines.removeAll(line);
    lines.prepend(line);
    openSettings().setValue(u"search/history"_s, QStringList(lines.mid(0, kMostLines)));
}

bool SearchLine::hasHistory() { return !history().isEmpty(); }

void SearchLine::showHistory()
{
    const QStringList lines = history();
    if (lines.isEmpty())
        return;
    m_isHistory = true;
    m_words->setStringList(lines);
    m_completer->complete();
}

void SearchLine::setTheme(const Theme &theme, bool isMistaken)
{
    setFont(Theme::textFont(13));
    const QColor &border = isMistaken ? theme.hot : theme.hairline;
    setStyleSheet(
        u"QLineEdit { background: %1; color: %2; border: 1px solid %3; border-radius: 5px; padding: 3px 6px; }"
        "QLineEdit:focus { border-color: %4; }"_s.arg(theme.base.name(), (isMistaken ? theme.hot : theme.text).name(),
            border.name(), (isMistaken ? theme.hot : theme.accent).name()));
}

void SearchLine::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (QAbstractItemView *words = m_completer->popup(); words->isVisible()) {
        const bool closes = event->key() == Qt::Key_Tab || event->key() == Qt::Key_Escape;
        if (closes || (isEnter && words->currentIndex().isValid()))
            return event->ignore(); // the list takes them
        if (isEnter)
            words->hide();
    }
    switch (event->key()) {
    case Qt::Key_Down:
        if (text().isEmpty())
            return showHistory();
        return Q_EMIT stepped(1);
    case Qt::Key_Up:
        return Q_EMIT stepped(-1);
    case Qt::Key_PageDown:
        return Q_EMIT stepped(kPage);
    case Qt::Key_PageUp:
        return Q_EMIT stepped(-kPage);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return Q_EMIT chosen(event->modifiers().testFlag(Qt::ShiftModifier));
    default:
        QLineEdit::keyPressEvent(event);
    }
}

} // namespace ui
