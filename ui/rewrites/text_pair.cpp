// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/rewrites/text_pair.h"

#include "ui/text/text_surface.h"

#include <QGridLayout>
#include <QLabel>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

TextContentPtr contentOf(std::string text)
{
    auto content = std::make_shared<TextContent>();
    content->document = std::make_shared<const TextDocument>(std::move(text));
    content->numbering = Numbering::Lines;
    return content;
}

} // namespace

TextPair::TextPair(QWidget *parent)
    : QWidget(parent)
    , m_beforeWords(new QLabel(this))
    , m_afterWords(new QLabel(tr("after"), this))
    , m_before(new TextSurface(this))
    , m_after(new TextSurface(this))
{
    m_before->setObjectName(u"textBefore"_s);
    m_after->setObjectName(u"textAfter"_s);
    m_before->setAccessibleName(tr("Text before"));
    m_after->setAccessibleName(tr("Text after"));
    m_beforeWords->setTextFormat(Qt::PlainText);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setHorizontalSpacing(1);
    grid->setVerticalSpacing(2);
    for (QLabel *label : { m_beforeWords, m_afterWords })
        label->setContentsMargins(14, 0, 0, 0);
    grid->addWidget(m_beforeWords, 0, 0);
    grid->addWidget(m_afterWords, 0, 1);
    grid->addWidget(m_before, 1, 0);
    grid->addWidget(m_after, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    for (TextSurface *surface : { m_before, m_after }) {
        surface->setFrameShape(QFrame::NoFrame);
        surface->setMinimumWidth(80);
    }
    setTexts({}, {});
}

void TextPair::setTexts(std::string before, std::string after)
{
    m_beforeWords->setText(tr("before"));
    m_afterWords->setVisible(true);
    m_after->setVisible(true);
    m_before->setContent(contentOf(std::move(before)), true, 0);
    m_after->setContent(contentOf(std::move(after)), true, 0);
}

void TextPair::setText(const QString &heading, std::string text)
{
    m_beforeWords->setText(heading);
    m_afterWords->setVisible(false);
    m_after->setVisible(false);
    m_before->setContent(contentOf(std::move(text)), true, 0);
}

void TextPair::setTheme(const Theme &theme)
{
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    for (QLabel *label : { m_beforeWords, m_afterWords }) {
        label->setFont(Theme::textFont(11));
        label->setPalette(quiet);
    }
    m_before->setTheme(theme);
    m_after->setTheme(theme);
}

} // namespace ui
