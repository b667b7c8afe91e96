// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/test_program.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/shoot.h"

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QSet>
#include <QTest>

#include <random>
#include <vector>

using namespace Qt::StringLiterals;
using testing::samplePath;

/// Pictures of every view, light and dark, made the way `palimpsest shoot` makes them. They stay in `pictures/` of the
/// build folder, to be looked at.
class TestPictures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyViewIsDrawn_data();
    void everyViewIsDrawn();
    void aPolicyIsInThePicture();
    void whatWasDecidedIsInThePicture();
    void aPictureIsTheSameTwice();
    void wrongRequestsAreSentences();

private:
    static QString folder() { return QDir::current().filePath(u"pictures"_s); }
};

namespace {

/// A picture that shows nothing has hardly any colours.
qsizetype colourCount(const QImage &image)
{
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            colours.insert(image.pixel(x, y));
    }
    return colours.size();
}

} // namespace

void TestPictures::everyViewIsDrawn_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QSize>("size");
    const QSize usual(1600, 1000);
    const auto sample = [](const QString &name) { return samplePath(u"messages-21."_s + name); };
    const QString corpus = QString::fromStdString(testing::corpus().string());
    const auto real = [&](const QString &path) { return corpus.isEmpty() ? QString() : corpus + path; };
    struct Row {
        const char *name;
        QString file;
        QSize size;
    };
    const std::vector<Row> rows {
        { "sample-small", sample(u"genkit.json"_s), { 1280, 800 } },
        { "sample-claude-code", sample(u"claude-code.jsonl"_s), usual },
        { "sample-codex", sample(u"codex.jsonl"_s), { 1920, 1080 } },
        { "corpus-three-compactions", real(u"/claude-code/entireio+cli/cd-95adddad32-0.full.jsonl"_s), usual },
        { "corpus-subagents", real(u"/claude-code/entireio+cli/6d-9f76bd01e9-0.full.jsonl"_s), usual },
        { "corpus-codex",
            real(
                u"/codex/Monotoba+OpenPrintKit/rollout-2025-10-31T19-02-58-c61729d4-da6d-46a4-9a29-ec2c614e5e23.jsonl"_s),
            usual },
        { "corpus-anthropic-requests",
            real(u"/anthropic-api/liaohch3+claude-tap/trace_image_claude.all-request-bodies.jsonl"_s), usual },
    };
    QTest::newRow("sample") << sample(u"genkit.json"_s) << usual;
    // A window on a real session takes long: two rows are drawn by the seed.
    const bool all = qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES");
    std::mt19937_64 random = core::seededRandom();
    const size_t first = random() % rows.size();
    const size_t second = (first + 1 + random() % (rows.size() - 1)) % rows.size();
    for (size_t i = 0; i < rows.size(); ++i) {
        if (all || i == first || i == second)
            QTest::newRow(rows[i].name) << rows[i].file << rows[i].size;
    }
}

void TestPictures::everyViewIsDrawn()
{
    QFETCH(const QString, file);
    QFETCH(const QSize, size);
    if (file.isEmpty())
        QSKIP("The corpus is not here.");
    for (const bool isDark : { false, true }) {
        ui::ShootRequest request;
        request.file = file.toStdString();
        request.folder = (folder() + u'/' + QString::fromUtf8(QTest::currentDataTag())).toStdString();
        request.isDark = isDark;
        request.size = size;
        const auto written = ui::shoot(request);
        QVERIFY2(written.has_value(), written ? "" : written.error().sentence().c_str());
        QCOMPARE(written->size(), ui::MainWindow::viewNames().size());
        for (const QString &path : *written) {
            const QImage image(path);
            QVERIFY2(!image.isNull(), qPrintable(path));
            QVERIFY2(colourCount(image) > 12, qPrintable(path + u" shows hardly anything"_s));
        }
        const QImage window(written->front());
        QCOMPARE(window.size(), size);
    }
}

void TestPictures::aPolicyIsInThePicture()
{
    ui::ShootRequest request;
    request.file = samplePath(u"messages-21.genkit.json"_s).toStdString();
    request.folder = (folder() + u"/policy"_s).toStdString();
    request.size = { 1280, 800 };
    request.views = { u"array"_s, u"rewrites"_s, u"policy"_s };
    const auto recorded = ui::shoot(request);
    QVERIFY(recorded.has_value());
    std::vector<QImage> before;
    for (const QString &path : *recorded)
        before.emplace_back(path);
    request.policy = core::preset("genkit-recipe-figure");
    request.ignoresTriggers = true;
    request.slot = 3;
    const auto simulated = ui::shoot(request);
    QVERIFY(simulated.has_value());
    const auto ground = ui::Theme::make(ui::Appearance::Light);
    for (qsizetype i = 0; i < simulated->size(); ++i) {
        const QImage image((*simulated)[i]);
        QVERIFY2(image != before[static_cast<size_t>(i)], qPrintable((*simulated)[i]));
    }
    // What did not happen stands on a ground of its own, which is not that of the window.
    const QImage array(simulated->front());
    QVERIFY(array.pixelColor(array.width() - 3, array.height() - 6) != ground.base);
    QCOMPARE(before.front().pixelColor(array.width() - 3, array.height() - 6), ground.base);
    request.policy = nullptr;
    request.after = request.file; // nothing lies between
    const auto observed = ui::shoot(request);
    QVERIFY(observed.has_value());
    QVERIFY(QImage(observed->front()) != before.front());
    request.after = "not/there.json";
    QVERIFY(!ui::shoot(request).has_value());
}

void TestPictures::whatWasDecidedIsInThePicture()
{
    for (const bool isDark : { false, true }) {
        ui::MainWindow window;
        window.setAttribute(Qt::WA_DontShowOnScreen);
        window.setLook(isDark ? ui::MainWindow::Look::Dark : ui::MainWindow::Look::Light);
        QVERIFY(window.workspace().openNow(samplePath(u"messages-21.claude-code.jsonl"_s).toStdString()).has_value());
        window.state().setPosition({});
        window.resize(1280, 800);
        window.show();
        QApplication::processEvents();
        window.restoreDefaultLayout();
        const auto overrideSlots = [&](std::vector<core::SlotIndex> selection, ui::Workspace::Override what) {
            window.state().setCurrentSlot(selection.front());
            window.state().setSelection(std::move(selection));
            window.state().overrideSelection(what);
        };
        const QImage before = window.picture(u"array"_s, 1);
        overrideSlots({ core::SlotIndex(2U), core::SlotIndex(3U) }, ui::Workspace::Override::Keep);
        const core::Transcript &array = window.state().picture().before;
        const auto answer = array.blocksOf(array.slot(core::SlotIndex(6U))); // without its call
        window.workspace().commitOverride({ answer.begin(), answer.end() }, ui::Workspace::Override::Drop);
        QVERIFY(!window.state().picture().simulated->validity.empty());
        window.state().setCurrentSlot(core::SlotIndex(6U));
        QApplication::processEvents();
        QDir().mkpath(folder() + u"/overrides"_s);
        const QString name = isDark ? u"-dark.png"_s : u"-light.png"_s;
        QVERIFY(window.picture(u"window"_s, 2).save(folder() + u"/overrides/window"_s + name));
        const QImage after = window.picture(u"array"_s, 1);
        const ui::Theme &theme = window.state().theme();
        const auto count = [](const QImage &image, const QColor &colour) {
            qsizetype found = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    found += image.pixelColor(x, y) == colour ? 1 : 0;
            }
            return found;
        };
        QVERIFY(count(after, theme.hot) > count(before, theme.hot)); // what is dropped, and refused without it
        QVERIFY(after != before);
    }
}

void TestPictures::aPictureIsTheSameTwice()
{
    ui::ShootRequest request;
    request.file = samplePath(u"messages-21.claude-code.jsonl"_s).toStdString();
    request.views = { u"window"_s };
    request.folder = (folder() + u"/twice"_s).toStdString();
    const auto first = ui::shoot(request);
    QVERIFY(first.has_value());
    const QImage before(first->front());
    const auto second = ui::shoot(request);
    QVERIFY(second.has_value());
    QCOMPARE(QImage(second->front()), before);
}

void TestPictures::wrongRequestsAreSentences()
{
    ui::ShootRequest request;
    request.file = samplePath(u"messages-21.claude-code.jsonl"_s).toStdString();
    request.folder = folder().toStdString();
    request.views = { u"nonsense"_s };
    const auto noView = ui::shoot(request);
    QVERIFY(!noView.has_value());
    QCOMPARE(noView.error().kind, core::ErrorKind::Usage);
    request.views = { u"array"_s };
    request.call = 999;
    const auto noCall = ui::shoot(request);
    QVERIFY(!noCall.has_value());
    QVERIFY(noCall.error().message.find("from 0 to 8") != std::string::npos);
}

PALIMPSEST_TEST(TestPictures)
#include "tst_pictures.moc"
