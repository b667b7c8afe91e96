// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/sessions/session_preview.h"

#include "core/money/cost.h"
#include "core/report/head_line.h"
#include "core/session/slot_label.h"
#include "ui/sessions/sessions_delegate.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/wrapped_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSide = 16;
constexpr size_t kMostFindings = 5;
constexpr size_t kMostOthers = 5;
constexpr int kCurveHeight = 76;
constexpr auto kWholeText = "wholeText"; ///< property of a link, which shows as much of it as fits

/// The text with a place to break in each word that is wider than a line. A label would be as wide as that word.
QString breakable(const QString &text, const QFontMetrics &metrics, int width)
{
    constexpr QChar kZeroWidthSpace(0x200B);
    QString made;
    qsizetype word = 0;
    for (const QChar c : text) {
        word = c.isSpace() ? made.size() + 1 : word;
        if (!c.isSpace() && !c.isLowSurrogate() && metrics.horizontalAdvance(made.sliced(word) + c) > width) {
            made += kZeroWidthSpace;
            word = made.size();
        }
        made += c;
    }
    return made;
}

} // namespace

/// The curve of the session, larger than in the list.
class SessionPreview::Curve final : public QWidget {
public:
    Curve(const core::SessionEntry &entry, const Theme &theme, QWidget *parent)
        : QWidget(parent)
        , m_entry(entry)
        , m_theme(theme)
    {
        setFixedHeight(kCurveHeight + 18);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        paintCurve(painter, QRectF(0, 2, width(), kCurveHeight), m_entry, m_theme);
        painter.setFont(Theme::textFont(11));
        painter.setPen(m_theme.secondary);
        const QRect below(0, kCurveHeight + 2, width(), 16);
        painter.drawText(below, Qt::AlignLeft | Qt::AlignBottom, tr("call 0"));
        painter.drawText(below, Qt::AlignRight | Qt::AlignBottom, tr("call %1").arg(m_entry.calls - 1));
        painter.drawText(
            below, Qt::AlignHCenter | Qt::AlignBottom, tr("peak %1").arg(displayText(core::listedPeak(m_entry))));
    }

private:
    core::SessionEntry m_entry;
    Theme m_theme;
};

SessionPreview::SessionPreview(QWidget *parent)
    : QScrollArea(parent)
    , m_body(new QWidget)
    , m_column(new QVBoxLayout(m_body))
{
    setObjectName(u"sessionPreview"_s);
    setWidget(m_body);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_column->setContentsMargins(kSide, kSide - 2, kSide, kSide);
    m_column->setSpacing(0);
}

void SessionPreview::setTheme(const Theme &theme)
{
    m_theme = theme;
    m_shown.reset();
    setPalette(theme.palette());
    m_body->setPalette(theme.palette());
}

void SessionPreview::clear()
{
    const auto remove = [](QLayout *layout, const auto &self) -> void {
        while (QLayoutItem *item = layout->takeAt(0)) {
            if (item->widget() != nullptr) {
                item->widget()->hide();
                item->widget()->deleteLater(); // one of its own signals may have led here
            }
            if (item->layout() != nullptr)
                self(item->layout(), self);
            delete item;
        }
    };
    remove(m_column, remove);
}

QWidget *SessionPreview::addText(const QString &text, const QFont &font, const QColor &ink, int gap)
{
    auto *label = new WrappedLabel(m_body);
    label->setFont(font);
    QPalette palette = m_theme.palette();
    palette.setColor(QPalette::WindowText, ink);
    label->setPalette(palette);
    label->setText(breakable(text, label->fontMetrics(), std::max(width() - 2 * kSide - 24, 100)));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_column->addSpacing(gap);
    m_column->addWidget(label);
    return label;
}

void SessionPreview::fitLink(QPushButton &link) const
{
    link.setText(QFontMetrics(link.font())
            .elidedText(link.property(kWholeText).toString(), Qt::ElideRight, width() - 2 * kSide - 12));
}

void SessionPreview::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    for (QPushButton *link : m_body->findChildren<QPushButton *>()) {
        if (link->property(kWholeText).isValid())
            fitLink(*link);
    }
}

void SessionPreview::addLink(const QString &text, const std::function<void()> &act, const QString &tip)
{
    auto *button = new QPushButton(m_body);
    button->setFlat(true);
    button->setFont(Theme::textFont(12));
    button->setProperty(kWholeText, text);
    fitLink(*button);
    button->setToolTip(toolTipText(tip.isEmpty() ? text : tip));
    button->setStyleSheet(
        u"QPushButton { text-align: left; border: none; padding: 3px 0; background: transparent; color: %1; } "
        "QPushButton:focus { border: 1px solid %1; }"_s.arg(m_theme.accent.name()));
    connect(button, &QPushButton::clicked, this, act);
    m_column->addWidget(button);
}

void SessionPreview::show(const SessionsModel &model, int row)
{
    // While the index grows, the list comes again many times a second.
    std::optional<Shown> shown;
    if (row >= 0 && model.list())
        shown = { *model.session(row).entry, model.session(row).subagents.size(), model.session(row).forks.size(),
            model.list()->sessions.size(), model.hits(row) != nullptr ? model.search() : nullptr };
    if (shown && shown == m_shown)
        return;
    m_shown = std::move(shown);
    clear();
    if (row < 0)
        return;
    const core::ListedSession &session = model.session(row);
    const core::SessionEntry &entry = *session.entry;
    const QString file = QString::fromStdString(entry.file);
    addText(model.title(row), Theme::strongFont(14), m_theme.text, 0);
    QStringList facts { displayText(entry.harness.empty() ? entry.format : entry.harness),
        displayText(core::shortModel(entry.model)), displayText(entry.folder),
        entry.branch.empty() ? QString() : tr("branch %1").arg(displayText(entry.branch)) };
    facts.removeAll(QString());
    addText(facts.join(u" · "_s), Theme::textFont(12), m_theme.secondary, 3);
    QStringList figures { whenText(entry), displayText(core::listedDuration(entry)),
        entry.isHead ? tr("being read") : counted(entry.calls, tr("call"), tr("calls")) };
    const auto cost = session.cost();
    const QString dollars = cost ? displayText(core::dollars(*cost)) : QString();
    const QString subagents
        = session.subagentCount() > 0 ? counted(session.subagentCount(), tr("subagent"), tr("subagents")) : QString();
    if (cost && !subagents.isEmpty())
        figures << tr("%1 with %2").arg(dollars, subagents);
    else
        figures << dollars << subagents;
    figures.removeAll(QString());
    addText(figures.join(u" · "_s), Theme::textFont(12), m_theme.secondary, 1);
    QStringList names { displayText(entry.file.substr(entry.file.rfind('/') + 1)),
        entry.id.empty() || entry.file.contains(entry.id) ? QString() : tr("id %1").arg(displayText(entry.id)) };
    names.removeAll(QString());
    addText(names.join(u" · "_s), Theme::textFont(12), m_theme.secondary, 1)->setObjectName(u"sessionName"_s);
    if (const QString copies = model.copiesTip(row); !copies.isEmpty())
        addText(copies, Theme::textFont(12), m_theme.text, 6);
    if (entry.calls > 0) {
        m_column->addSpacing(8);
        m_column->addWidget(new Curve(entry, m_theme, m_body));
    }
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    auto *open = new QPushButton(tr("Open"), m_body);
    open->setObjectName(u"openListed"_s);
    connect(
        open, &QPushButton::clicked, this, [this, file, thread = entry.thread] { Q_EMIT openRequested(file, thread); });
    buttons->addWidget(open);
    if (!entry.folder.empty()) {
        auto *tune = new QPushButton(tr("Tune This Project"), m_body);
        tune->setToolTip(tr("Tries a policy on the sessions of this project"));
        connect(tune, &QPushButton::clicked, this,
            [this, folder = QString::fromStdString(entry.folder)] { Q_EMIT tuneRequested(folder); });
        buttons->addWidget(tune);
    }
    buttons->addStretch();
    m_column->addSpacing(10);
    m_column->addLayout(buttons);
    if (model.hits(row) != nullptr)
        addHits(*model.hits(row));
    addFindings(entry);
    if (!entry.lastTyped.empty()) {
        addText(tr("Last message"), Theme::strongFont(12), m_theme.text, 14);
        addText(u"“"_s + displayText(entry.lastTyped) + u"”"_s, Theme::textFont(12), m_theme.secondary, 3);
    }
    addOthers(model, session);
    m_column->addStretch();
}

void SessionPreview::addHits(const core::SessionHits &hits)
{
    addText(tr("Found here"), Theme::strongFont(12), m_theme.text, 14);
    if (!hits.name.empty())
        addText(tr("only its name: %1").arg(displayText(hits.name)), Theme::textFont(12), m_theme.text, 5);
    for (const core::IndexHit &hit : hits.hits) {
        addText(displayText(hit.snippet.text), Theme::textFont(12), m_theme.text, 5);
        addText(displayText(core::stateText(hit.shown, hit.life)), Theme::textFont(12), m_theme.secondary, 1);
        const QString role = displayText(core::nameOf(hit.role));
        addLink(
            role + (hit.tool.empty() ? QString() : u" "_s + displayText(hit.tool)),
            [this, file = QString::fromStdString(hits.entry.file), block = hit.block.value(),
                line = lineOf(*m_shown->search, hit)] { Q_EMIT blockRequested(file, block, line); },
            tr("Opens the session at this block"));
    }
    if (hits.hasMore)
        addText(tr("and more in this session"), Theme::textFont(12), m_theme.secondary, 3);
}

void SessionPreview::addFindings(const core::SessionEntry &entry)
{
    if (!entry.findings) {
        addText(tr("Findings are looked for when the list is complete."), Theme::textFont(12), m_theme.secondary, 14);
        return;
    }
    addText(tr("What stands out"), Theme::strongFont(12), m_theme.text, 14);
    if (entry.findings->empty())
        addText(tr("Nothing was found."), Theme::textFont(12), m_theme.secondary, 3);
    size_t shown = 0;
    for (const core::EntryFinding &finding : *entry.findings) {
        if (shown++ == kMostFindings || finding.what.empty())
            break;
        const QString money = finding.money && *finding.money >= 0.005
            ? u": "_s + displayText(core::dollars(*finding.money))
            : QString();
        const bool isLost = finding.rank == core::FindingRank::Lost;
        addText(
            u"• "_s + displayText(finding.what) + money, Theme::textFont(12), isLost ? m_theme.hot : m_theme.text, 4);
    }
}

void SessionPreview::addOthers(const SessionsModel &model, const core::ListedSession &session)
{
    // Subagents have no row of their own, so they are opened at once.
    const auto addLinks
        = [&](const QString &heading, std::span<const core::SessionEntry *const> entries, bool isOpened) {
              for (size_t i = 0; i < entries.size() && i < kMostOthers; ++i) {
                  if (i == 0)
                      addText(heading, Theme::strongFont(12), m_theme.text, 14);
                  const core::SessionEntry &entry = *entries[i];
                  addLink(entry.title.empty() ? tr("(no typed message)") : displayText(entry.title),
                      [this, isOpened, file = QString::fromStdString(entry.file), thread = entry.thread] {
                          if (isOpened)
                              Q_EMIT openRequested(file, thread);
                          else
                              Q_EMIT chosen(file, thread);
                      });
              }
          };
    addLinks(tr("Subagents"), session.subagents, true);
    if (session.origin != nullptr)
        addLinks(tr("Begins with a copy of"), std::array { session.origin }, false);
    addLinks(tr("Forks of this session"), session.forks, false);
    if (session.entry->folder.empty() || !model.list())
        return;
    std::vector<const core::SessionEntry *> others;
    for (const core::ListedSession &each : model.list()->sessions) {
        const bool isShown
            = &each == &session || each.entry == session.origin || std::ranges::contains(session.forks, each.entry);
        if (!isShown && each.entry->folder == session.entry->folder && others.size() < kMostOthers)
            others.push_back(each.entry);
    }
    addLinks(tr("Other sessions of this project"), others, false);
}

} // namespace ui
