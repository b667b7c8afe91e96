// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/legend_page.h"

#include "ui/array/array_words.h"
#include "ui/array/column_cache.h"
#include "ui/array/slot_marks.h"
#include "ui/look/bookmark_mark.h"
#include "ui/look/fate_mark.h"
#include "ui/look/match_look.h"
#include "ui/look/material_words.h"
#include "ui/look/trace_look.h"
#include "ui/timeline/compaction_marks.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

#include <functional>
#include <vector>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSymbolWidth = 46;
constexpr int kSymbolHeight = 20;
constexpr int kMeaningWidth = 228;

using Draw = std::function<void(QPainter &painter, const Theme &theme, const QRectF &rect)>;

/// A row of the legend.
struct LegendRow {
    Draw draw;
    QString name;
    QString meaning;
};

struct LegendSection {
    QString title;
    std::vector<LegendRow> rows;
};

class LegendSymbol final : public QWidget {
public:
    LegendSymbol(Draw draw, const Theme &theme, QWidget *parent)
        : QWidget(parent)
        , m_draw(std::move(draw))
        , m_theme(theme)
    {
        setFixedSize(kSymbolWidth, kSymbolHeight);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        m_draw(painter, m_theme, QRectF(rect()).adjusted(1, 1, -1, -1));
    }

private:
    Draw m_draw;
    Theme m_theme;
};

void fillSlot(QPainter &painter, const Theme &theme, const QRectF &rect)
{
    painter.fillRect(rect, theme.of(core::Material::Prose));
}

Draw figure(const QString &words)
{
    return [words](QPainter &painter, const Theme &theme, const QRectF &rect) {
        fillSlot(painter, theme, rect);
        painter.setFont(Theme::figureFont(12));
        painter.setPen(theme.onFill);
        painter.drawText(rect.adjusted(5, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
    };
}

Draw fate(core::Fate which)
{
    return [which](QPainter &painter, const Theme &theme, const QRectF &rect) {
        painter.setRenderHint(QPainter::Antialiasing);
        if (which == core::Fate::Kept)
            painter.fillRect(rect.adjusted(0, 3, 0, -3), faded(theme.of(core::Material::Bulk), 0.5));
        else
            paintFateMark(painter, theme, which, rect.center());
    };
}

Draw lane(core::TraceState state)
{
    return [state](QPainter &painter, const Theme &theme, const QRectF &rect) {
        LanePiece piece;
        piece.left = rect.left();
        piece.right = rect.right();
        piece.state = state;
        paintLanePiece(painter, piece, rect.center().y() - 4, 8, theme);
    };
}

Draw line(std::function<QPen(const Theme &)> penOf)
{
    return [penOf = std::move(penOf)](QPainter &painter, const Theme &theme, const QRectF &rect) {
        painter.setPen(penOf(theme));
        painter.drawLine(
            QPointF(rect.left(), crisp(rect.center().y())), QPointF(rect.right(), crisp(rect.center().y())));
    };
}

Draw dot(std::function<QColor(const Theme &)> colourOf)
{
    return [colourOf = std::move(colourOf)](QPainter &painter, const Theme &theme, const QRectF &rect) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colourOf(theme));
        painter.drawEllipse(rect.center(), 4, 4);
    };
}

LegendSection colours()
{
    LegendSection section { LegendPage::tr("What a slot is made of"), {} };
    for (size_t i = 0; i < core::kMaterialCount; ++i) {
        const auto material = static_cast<core::Material>(i);
        section.rows.push_back({ [material](QPainter &painter, const Theme &theme, const QRectF &rect) {
                                    painter.fillRect(rect, theme.of(material));
                                    if (material == core::Material::Arguments)
                                        paintArgumentsCorner(painter, theme, rect);
                                },
            materialName(material), materialMeaning(material) });
    }
    section.rows.push_back({ [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                                hatchArea(painter, rect, theme.hairline);
                                painter.setPen(theme.secondary);
                                painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
                            },
        LegendPage::tr("hatched"),
        LegendPage::tr("A hatched box is not a slot. It is text that is not in the log, text that was not sent, or the "
                       "remainder. A hatched stretch is many thin slots, drawn as one.") });
    return section;
}

LegendSection slotSection()
{
    const auto label = [](size_t pinned) {
        return [pinned](QPainter &painter, const Theme &theme, const QRectF &rect) {
            fillSlot(painter, theme, rect);
            paintOverrideEdge(painter, theme, { .pinned = pinned, .dropped = 1 - pinned, .blocks = 1 }, rect);
        };
    };
    return { LegendPage::tr("Marks of a slot"),
        { { figure(u"[7]"_s), LegendPage::tr("[7]"), LegendPage::tr("Its place in this array, from 0.") },
            { figure(u"#41"_s), LegendPage::tr("#41"),
                LegendPage::tr("The number of its message in the session, from 0. It is the same in every array.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 fillSlot(painter, theme, rect);
                 painter.fillRect(QRectF(rect.left(), rect.top(), 4, rect.height()), theme.hot);
             },
                LegendPage::tr("hot"), LegendPage::tr("A heavy slot that a policy could remove.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 fillSlot(painter, theme, rect);
                 painter.setPen(QPen(theme.accent, 2));
                 painter.drawRect(rect.adjusted(1, 1, -1, -1));
             },
                LegendPage::tr("selected"), LegendPage::tr("The slot that you chose.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 fillSlot(painter, theme, rect);
                 painter.setPen(QPen(theme.accent, 1));
                 painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
             },
                LegendPage::tr("thin outline"),
                LegendPage::tr("The tool call or the result that belongs to the slot under the pointer.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 fillSlot(painter, theme, rect);
                 paintMatch(painter, theme, rect);
             },
                LegendPage::tr("match"),
                LegendPage::tr(
                    "Contains what you search for. In texts and lists, a ground of this colour is behind the "
                    "words.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 fillSlot(painter, theme, rect);
                 paintBookmark(painter, theme, { rect.left() + 8, rect.top() + 2, 8, rect.height() - 5 });
             },
                LegendPage::tr("bookmark"),
                LegendPage::tr("You set it with Ctrl+B. It may carry a note. Also in the strip and the outline.") },
            { label(1), LegendPage::tr("pinned"), LegendPage::tr("You keep it. The policy cannot change it.") },
            { label(0), LegendPage::tr("dropped by you"),
                LegendPage::tr("You remove it, even if the policy keeps it.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 paintViolation(painter, theme, rect.center(), 14);
             },
                LegendPage::tr("refused"), LegendPage::tr("A provider would refuse the array because of this slot.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 painter.fillRect(QRectF(rect.left() + 8, rect.top(), 3, rect.height()), theme.secondary);
                 painter.setPen(QPen(theme.text, 1));
                 painter.drawLine(
                     QPointF(rect.left(), crisp(rect.bottom() - 2)), QPointF(rect.right(), crisp(rect.bottom() - 2)));
             },
                LegendPage::tr("rail and line"),
                LegendPage::tr("The call read the slots beside the rail from the cache, up to the line. A red line: "
                               "the cache broke here.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 paintBreakpoint(painter, theme, rect.center() + QPointF(3, 0));
             },
                LegendPage::tr("wedge"),
                LegendPage::tr("A cache mark: the harness asked to store the prompt up to here.") } } };
}

LegendSection fates()
{
    using core::Fate;
    return { LegendPage::tr("Between the array before and after"),
        { { fate(Fate::Kept), LegendPage::tr("band"), LegendPage::tr("From a slot to what became of it.") },
            { fate(Fate::Shortened), LegendPage::tr("shortened"), LegendPage::tr("A part of the text was cut.") },
            { fate(Fate::Replaced), LegendPage::tr("replaced"), LegendPage::tr("Another text stands in its place.") },
            { fate(Fate::Edited), LegendPage::tr("edited, inserted"), LegendPage::tr("You wrote the text.") },
            { fate(Fate::Offloaded), LegendPage::tr("moved to a file"),
                LegendPage::tr("The array names a file, which holds the text.") },
            { fate(Fate::Cleared), LegendPage::tr("cleared"), LegendPage::tr("A placeholder stands in its place.") },
            { fate(Fate::Dropped), LegendPage::tr("dropped"), LegendPage::tr("Nothing is left of it in the array.") },
            { line([](const Theme &theme) { return QPen(theme.accent, 1, Qt::DashLine); }),
                LegendPage::tr("dashed line"),
                LegendPage::tr("The policy keeps the messages below it. Without a policy it is a trial of yours, not a "
                               "setting of the harness. Drag it.") } } };
}

LegendSection timeline()
{
    return { LegendPage::tr("Timeline"),
        { { line([](const Theme &theme) { return QPen(theme.curve, 1.6); }), LegendPage::tr("solid curve"),
              LegendPage::tr("The context at every call, as the provider counted it.") },
            { line([](const Theme &theme) { return QPen(theme.curve, 1.2, Qt::DashLine); }),
                LegendPage::tr("dashed curve"), LegendPage::tr("Estimated: the file has no usage for these calls.") },
            { line([](const Theme &theme) { return QPen(theme.accent, 1.6); }), LegendPage::tr("blue curve"),
                LegendPage::tr("The context under the chosen policy.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 painter.fillRect(rect, QBrush(faded(theme.accent, 0.5), Qt::BDiagPattern));
             },
                LegendPage::tr("hatched"),
                LegendPage::tr("Counterfactual: after the first recorded compaction. A replay leaves out the recorded "
                               "compactions. So from here on it uses a history that the recorded model did not see.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 painter.setRenderHint(QPainter::Antialiasing);
                 const double radius = TimelineLayout::kMarkRadius;
                 CompactionMarks::paintNumber(painter, theme,
                     { rect.center().x() - radius, rect.center().y() - radius, 2 * radius, 2 * radius }, u"2"_s);
             },
                LegendPage::tr("number"),
                LegendPage::tr("A recorded compaction that wrote a new array, with or without a summary.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 painter.setRenderHint(QPainter::Antialiasing);
                 CompactionMarks::paintTriangle(painter, theme, rect.center() + QPointF(0, 4), false);
             },
                LegendPage::tr("triangle"), LegendPage::tr("A recorded clearing of old results.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 painter.setRenderHint(QPainter::Antialiasing);
                 CompactionMarks::paintTriangle(painter, theme, rect.center() + QPointF(0, 4), true);
             },
                LegendPage::tr("open triangle"),
                LegendPage::tr(
                    "A silent clearing: the recorded prompt proves that text was left out, but no record says so.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 painter.setRenderHint(QPainter::Antialiasing);
                 CompactionMarks::paintArrow(painter, theme, rect.center());
             },
                LegendPage::tr("arrow"), LegendPage::tr("A rewind: the user went back to an earlier message.") },
            { [](QPainter &painter, const Theme &theme, const QRectF &rect) {
                 painter.setRenderHint(QPainter::Antialiasing);
                 painter.setPen(Qt::NoPen);
                 painter.setBrush(theme.hot);
                 painter.drawEllipse(rect.center() - QPointF(6, 0), 3.5, 3.5);
                 painter.setFont(Theme::textFont(10));
                 painter.setPen(theme.secondary);
                 painter.drawText(rect.translated(rect.width() / 2 - 1, 0), Qt::AlignVCenter, u"3"_s);
             },
                LegendPage::tr("dot, number"),
                LegendPage::tr(
                    "A call with a finding. Dots that are too close are drawn as one, with their number.") } } };
}

LegendSection traces()
{
    using core::TraceState;
    return { LegendPage::tr("Traces and typed messages"),
        { { lane(TraceState::Verbatim), LegendPage::tr("solid"), LegendPage::tr("In context, word for word.") },
            { lane(TraceState::Partial), LegendPage::tr("half-tone"),
                LegendPage::tr("A part of its words is in context.") },
            { lane(TraceState::Gone), LegendPage::tr("hollow"), LegendPage::tr("Not in context.") },
            { lane(TraceState::Unknown), LegendPage::tr("hatched"),
                LegendPage::tr(
                    "The log cannot tell: some sent text is not in the log, or some logged text was not sent.") } } };
}

LegendSection findings()
{
    return { LegendPage::tr("Findings"),
        { { dot([](const Theme &theme) { return theme.hot; }), LegendPage::tr("red dot"),
              LegendPage::tr("The model lost something that it may need.") },
            { dot([](const Theme &theme) { return theme.of(core::Material::Summary); }), LegendPage::tr("amber dot"),
                LegendPage::tr("Tokens that were probably not needed, and their cost.") },
            { dot([](const Theme &theme) { return theme.secondary; }), LegendPage::tr("grey dot"),
                LegendPage::tr("A note.") } } };
}

QLabel *makeLabel(const QString &words, const QFont &font, const QColor &colour, QWidget *parent)
{
    auto *label = new QLabel(words, parent);
    label->setTextFormat(Qt::PlainText);
    label->setFont(font);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
    return label;
}

QWidget *makeSection(const LegendSection &section, const Theme &theme, QWidget *parent)
{
    auto *box = new QWidget(parent);
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto *grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 12);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(5);
    grid->addWidget(makeLabel(section.title, Theme::strongFont(13), theme.text, box), 0, 0, 1, 3);
    int row = 1;
    for (const LegendRow &each : section.rows) {
        grid->addWidget(new LegendSymbol(each.draw, theme, box), row, 0, Qt::AlignTop);
        grid->addWidget(makeLabel(each.name, Theme::textFont(12), theme.text, box), row, 1, Qt::AlignTop);
        QLabel *meaning = makeLabel(each.meaning, Theme::textFont(12), theme.secondary, box);
        meaning->setWordWrap(true);
        // A dialog asks no layout for the height at a width.
        meaning->setFixedSize(kMeaningWidth, meaning->heightForWidth(kMeaningWidth));
        grid->addWidget(meaning, row++, 2, Qt::AlignTop);
    }
    grid->setColumnMinimumWidth(1, 96);
    return box;
}

} // namespace

LegendPage::LegendPage(const Theme &theme, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(u"legendPage"_s);
    setWindowTitle(tr("Legend"));
    setAutoFillBackground(true);
    QPalette palette = theme.palette();
    palette.setColor(QPalette::Window, theme.base);
    setPalette(palette);
    auto *columns = new QHBoxLayout(this);
    columns->setContentsMargins(20, 16, 20, 8);
    columns->setSpacing(28);
    for (const auto &[upper, lower] :
        { std::pair(colours(), fates()), std::pair(slotSection(), findings()), std::pair(timeline(), traces()) }) {
        auto *column = new QVBoxLayout;
        column->setSpacing(8);
        column->addWidget(makeSection(upper, theme, this));
        column->addWidget(makeSection(lower, theme, this));
        column->addStretch(1);
        columns->addLayout(column);
    }
}

} // namespace ui
