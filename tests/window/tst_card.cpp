// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/card.h"
#include "tests/recorded_session.h"
#include "tests/test_program.h"
#include "ui/card/card_file.h"
#include "ui/card/card_painter.h"
#include "ui/hub/comparisons.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/tuning/map_picture.h"
#include "ui/tuning/session/comparison_view.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace Qt::StringLiterals;

namespace {

core::PolicyPtr policyWith(const char *trigger)
{
    return std::make_shared<const core::Policy>(*core::withSetting(*core::preset("deep-agents"), "trigger", trigger));
}

core::Card cardOf()
{
    const core::SessionPtr session = core::fortyCalls();
    return core::card(*core::replayReport("session.jsonl", session, core::ThreadIndex(0U),
        core::oneTokenACharacter(*session), { policyWith("80000tok") }, core::Prices()));
}

/// Pixels of exactly that colour.
int pixelsOf(const QImage &image, const QColor &colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == colour ? 1 : 0;
    }
    return count;
}

} // namespace

/// What is painted to be shown to others: the card, the map, the table of runs.
class CardTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCardIsWrittenAsItsEndingSays();
    void aCardHasTheColoursOfItsTheme();
    void beforeIsHigherThanAfter();
    void lanesAreDrawnAsTheyAre();
    void aCardOfManyIsWritten();
    void aMapIsAPicture();
    void aMapOfManyIsAPicture();
    void runsAreComparedInTheWindow();
};

void CardTest::aCardIsWrittenAsItsEndingSays()
{
    const QTemporaryDir folder;
    const core::Card card = cardOf();
    const auto write = [&](const QString &name, double scale = 1) {
        const QString path = folder.filePath(name);
        return ui::writeCard(card, ui::Appearance::Light, path, scale) ? path : QString();
    };
    QCOMPARE(QImage(write(u"card.png"_s)).size(), QSize(1600, 1000));
    QCOMPARE(QImage(write(u"large.png"_s, 2)).size(), QSize(3200, 2000));
    QSvgRenderer svg(write(u"card.svg"_s));
    QVERIFY(svg.isValid());
    QCOMPARE(svg.viewBoxF(), QRectF(0, 0, 1600, 1000));
    QFile pdf(write(u"card.PDF"_s));
    QVERIFY(pdf.open(QIODevice::ReadOnly));
    QVERIFY(pdf.read(5) == "%PDF-");
    const auto refused = ui::writeCard(card, ui::Appearance::Light, folder.filePath(u"card.txt"_s));
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == core::ErrorKind::Usage);
    QVERIFY(!QFile::exists(folder.filePath(u"card.txt"_s)));
    QVERIFY(!ui::writeCard(card, ui::Appearance::Light, folder.filePath(u"none/card.png"_s)));
}

void CardTest::aCardHasTheColoursOfItsTheme()
{
    const QTemporaryDir folder;
    const core::Card card = cardOf();
    for (const ui::Appearance appearance : { ui::Appearance::Light, ui::Appearance::Dark }) {
        const QString path = folder.filePath(u"card.png"_s);
        QVERIFY(ui::writeCard(card, appearance, path).has_value());
        const QImage image(path);
        const ui::Theme theme = ui::Theme::make(appearance);
        QCOMPARE(image.pixelColor(5, 5), theme.base);
        QVERIFY(pixelsOf(image, theme.accent) > 200); // the simulated curve
        QVERIFY(pixelsOf(image, theme.of(core::Material::Bulk)) > 1'000);
    }
}

void CardTest::beforeIsHigherThanAfter()
{
    core::Card card = cardOf();
    const auto bulk = [](const core::Card &shown) {
        QImage image(1600, 1000, QImage::Format_RGB32);
        const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
        QPainter painter(&image);
        ui::CardPainter(shown, theme).paint(painter);
        painter.end();
        return pixelsOf(image, theme.of(core::Material::Bulk));
    };
    const int both = bulk(card);
    card.after = {};
    const int one = bulk(card);
    QVERIFY2(one > both / 2 && one < both, qPrintable(u"%1 of %2"_s.arg(one).arg(both)));
}

void CardTest::lanesAreDrawnAsTheyAre()
{
    core::Card card = cardOf();
    const auto pixels = [&card] {
        QImage image(1600, 1000, QImage::Format_RGB32);
        const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
        QPainter painter(&image);
        ui::CardPainter(card, theme).paint(painter);
        painter.end();
        return pixelsOf(image.copy(48, 660, 560, 250), theme.accent);
    };
    core::CardLane lane { "1 · user · text in #0", {}, {} };
    lane.simulated.stretches = { { 0, 40, core::TraceState::Verbatim } };
    card.lanes = { lane };
    const int whole = pixels();
    card.lanes[0].simulated.stretches = { { 0, 20, core::TraceState::Verbatim }, { 20, 40, core::TraceState::Gone } };
    const int half = pixels();
    card.lanes[0].simulated.stretches = { { 0, 40, core::TraceState::Gone } };
    const int none = pixels();
    QVERIFY2(whole > 2'000, qPrintable(QString::number(whole)));
    QVERIFY2(half > whole / 3 && half < whole * 2 / 3, qPrintable(u"%1 of %2"_s.arg(half).arg(whole)));
    QVERIFY(none < half / 2);
}

void CardTest::aCardOfManyIsWritten()
{
    core::SetCard card;
    card.title = "A policy over 20 runs.";
    card.spreads[0] = { "Cost", {}, 1, core::SweepMetric::Cost };
    card.spreads[1] = { "Peak", { 1e5 }, std::nullopt, core::SweepMetric::Peak };
    for (int i = 0; i < 20; ++i)
        card.spreads[0].values.push_back(0.5 + 0.01 * i);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"many.png"_s);
    QVERIFY(ui::writeCard(card, ui::Appearance::Light, path));
    const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
    const QImage image(path);
    QCOMPARE(image.size(), QSize(1600, 1000));
    const int dots = pixelsOf(image.copy(48, 300, 730, 260), theme.accent);
    QVERIFY2(dots > 20 * 12, qPrintable(QString::number(dots)));
    card.spreads[0].values.resize(1);
    QVERIFY(ui::writeCard(card, ui::Appearance::Light, path));
    QVERIFY(pixelsOf(QImage(path).copy(48, 300, 730, 260), theme.accent) < dots / 5);
}

void CardTest::aMapIsAPicture()
{
    const core::SessionPtr session = core::fortyCalls();
    const core::PolicyPtr policy = policyWith("0.5w");
    ui::MapPictureRequest request;
    const core::SweepGroundPtr ground
        = core::sweepGround(session, core::ThreadIndex(0U), core::oneTokenACharacter(*session), core::Prices());
    const auto x = core::parseAxis(*policy, *session, "keep", 6);
    const auto y = core::parseAxis(*policy, *session, "trigger", 6);
    QVERIFY(x && y);
    const core::SweepPtr sweep = core::sweep(ground, policy, *x, *y, {});
    request.policy = policy;
    request.metric = core::SweepMetric::Tokens;
    request.size = { 900, 700 };
    const QImage image = ui::mapPicture(request, *ground, sweep, u"session.jsonl"_s);
    QCOMPARE(image.size(), QSize(900, 700));
    const ui::Theme theme = ui::Theme::make(ui::Appearance::Light);
    QVERIFY(pixelsOf(image, theme.accent) > 60); // the marker
    request.scale = 2;
    request.isDark = true;
    const QImage dark = ui::mapPicture(request, *ground, sweep, u"session.jsonl"_s);
    QCOMPARE(dark.size(), QSize(1800, 1400));
    QCOMPARE(dark.pixelColor(3, 3), ui::Theme::make(ui::Appearance::Dark).base);
}

/// The cell of the marker in the picture of two runs is the colour of their median there.
void CardTest::aMapOfManyIsAPicture()
{
    core::PolicyPtr policy = policyWith("0.5w");
    core::SweepPlan plan { policy, core::parseAxis(*policy, {}, "keep=0.1w..0.2w", 2).value(),
        core::parseAxis(*policy, {}, "trigger=0.5w..0.9w", 2).value(), {} };
    core::FileSweep file;
    for (size_t run = 0; run < 2; ++run) {
        core::RunSweep &made = file.runs.emplace_back();
        made.file = std::to_string(run);
        made.calls = 10;
        made.callIds = { 2 * run, 2 * run + 1 };
        made.recorded[core::SweepMetric::Cost] = 2;
        made.cells.resize(plan.cellCount());
        for (size_t cell = 0; cell < made.cells.size(); ++cell)
            made.cells[cell][core::SweepMetric::Cost] = 1.0 + static_cast<double>(cell * run);
    }
    const core::SweepSet set = core::sweepSet(plan, { file });
    QCOMPARE(set.runs.size(), 2U);
    ui::MapPictureRequest request;
    request.policy = policy;
    const QImage image = ui::mapPicture(request, set);
    QCOMPARE(image.size(), QSize(1200, 900));
    QVERIFY(pixelsOf(image, ui::Theme::make(ui::Appearance::Light).accent) > 60); // the marker
    // Four medians, the lightest the least: none of the two runs has them all.
    std::set<QRgb> corners;
    for (const QPoint at : { QPoint(150, 200), QPoint(1050, 200), QPoint(150, 700), QPoint(1050, 700) })
        corners.insert(image.pixel(at));
    QCOMPARE(corners.size(), 4U);
}

void CardTest::runsAreComparedInTheWindow()
{
    ui::Workspace workspace;
    ui::ViewState state { workspace };
    ui::ComparisonView view(state);
    const QAbstractItemModelTester tester(view.model());
    QVERIFY(!view.isCompared());
    workspace.show(core::fortyCalls());
    workspace.commitPlan(workspace.planWith(policyWith("80000tok")), u"Choose"_s);
    workspace.facts().waitForFacts();
    workspace.figures().waitForFigures();
    workspace.comparisons().toggle(core::preset("pi"));
    workspace.comparisons().waitForComparisons();
    QTRY_COMPARE(view.model()->rowCount(), 3);
    QVERIFY(view.isCompared());
    QCOMPARE(view.model()->index(0, 0).data().toString(), u"recorded"_s);
    QCOMPARE(view.model()->index(2, 0).data().toString(), u"pi"_s);
    int marked = 0;
    for (int row = 0; row < 3; ++row)
        marked += view.model()->index(row, 1).data().toString().startsWith(u"• "_s) ? 1 : 0;
    QCOMPARE(marked, 1);
    view.show();
    QTest::keySequence(&view, QKeySequence::Copy);
    const QString text = QGuiApplication::clipboard()->text();
    QCOMPARE(text.count(u'\n'), 4);
    QVERIFY2(text.startsWith(u"policy\ttokens sent"_s), qPrintable(text));
    workspace.comparisons().clear();
    QTRY_COMPARE(view.model()->rowCount(), 2);
    QVERIFY(!view.isCompared());
}

PALIMPSEST_TEST(CardTest)
#include "tst_card.moc"
