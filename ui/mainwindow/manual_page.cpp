// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/manual_page.h"

#include "ui/look/theme.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QVBoxLayout>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

const QString kFirstPage = u"qrc:/manual/README.md"_s;

/// The anchor that web sites make for a heading: `Hot slots` is `hot-slots`.
QString anchorOf(const QString &heading)
{
    static const QRegularExpression kOther(u"[^\\w\\- ]"_s, QRegularExpression::UseUnicodePropertiesOption);
    return heading.toLower().remove(kOther).replace(u' ', u'-');
}

} // namespace

ManualPage::ManualPage(QWidget *parent)
    : QDialog(parent)
    , m_text(new QTextBrowser(this))
{
    setObjectName(u"manualPage"_s);
    setWindowTitle(tr("Manual"));
    resize(860, 720);
    m_text->setObjectName(u"manualText"_s);
    m_text->setAccessibleName(tr("Manual"));
    m_text->setFont(Theme::textFont(14));
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(18);
    m_text->setFrameShape(QFrame::NoFrame);
    auto *back = new QPushButton(tr("Back"), this);
    auto *contents = new QPushButton(tr("Contents"), this);
    back->setEnabled(false);
    auto *row = new QHBoxLayout;
    row->addWidget(back);
    row->addWidget(contents);
    row->addStretch();
    auto *column = new QVBoxLayout(this);
    column->addLayout(row);
    column->addWidget(m_text);
    connect(back, &QPushButton::clicked, m_text, &QTextBrowser::backward);
    connect(contents, &QPushButton::clicked, this, [this] { m_text->setSource(QUrl(kFirstPage)); });
    connect(m_text, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(m_text, &QTextBrowser::anchorClicked, this, &ManualPage::follow);
    m_text->setSource(QUrl(kFirstPage));
}

void ManualPage::follow(const QUrl &link)
{
    const QUrl target = m_text->source().resolved(link);
    if (target.scheme() != u"qrc"_s || !target.path().startsWith(u"/manual/"_s))
        return;
    const QUrl page = target.adjusted(QUrl::RemoveFragment);
    if (page != m_text->source())
        m_text->setSource(page);
    if (target.hasFragment())
        goToHeading(target.fragment());
}

void ManualPage::goToHeading(const QString &fragment)
{
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != fragment)
            continue;
        m_text->moveCursor(QTextCursor::End); // so that the heading comes to the top
        m_text->setTextCursor(QTextCursor(block));
        return;
    }
}

} // namespace ui
