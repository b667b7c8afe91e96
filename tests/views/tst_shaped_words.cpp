// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/test_program.h"
#include "ui/look/shaped_words.h"
#include "ui/look/theme.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

constexpr QRectF kPlace(6, 3, 300, 22);

template <typename Draw>
QImage drawn(const QFont &font, const Draw &draw)
{
    QImage image(320, 30, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setFont(font);
    draw(painter);
    return image;
}

} // namespace

/// Remembered shapes against what Qt measures and paints itself.
class TestShapedWords final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsQt_data()
    {
        QTest::addColumn<QString>("words");
        QTest::newRow("plain") << u"tool result Bash 3,400"_s;
        QTest::newRow("kerned") << u"AVATAR To. fi"_s;
        QTest::newRow("other scripts") << u"日本語 العربية 🙂 é"_s;
        QTest::newRow("empty") << QString();
        QTest::newRow("blanks at the ends") << u"  two  "_s;
    }
    void equalsQt()
    {
        QFETCH(const QString, words);
        for (const QFont &font : { ui::Theme::textFont(13), ui::Theme::strongFont(12), ui::Theme::figureFont(11) }) {
            const QImage blank = drawn(font, [&](QPainter &painter) {
                QVERIFY(std::abs(ui::wordsWidth(painter, words) - QFontMetricsF(font).horizontalAdvance(words)) < 0.5);
            });
            for (const Qt::Alignment alignment : { Qt::AlignLeft, Qt::AlignRight, Qt::AlignHCenter }) {
                const QImage ours = drawn(font,
                    [&](QPainter &painter) { ui::drawWords(painter, kPlace, alignment | Qt::AlignVCenter, words); });
                const QImage theirs = drawn(font, [&](QPainter &painter) {
                    painter.drawText(kPlace, static_cast<int>(alignment | Qt::AlignVCenter), words);
                });
                QCOMPARE(ours, theirs);
                QCOMPARE(ours == blank, words.trimmed().isEmpty());
            }
        }
    }

    void elides()
    {
        drawn(ui::Theme::textFont(13), [](QPainter &painter) {
            const QString words = u"a long line of words"_s;
            const double whole = ui::wordsWidth(painter, words);
            QCOMPARE(ui::elidedWords(painter, words, std::ceil(whole)), words);
            const QString shorter = ui::elidedWords(painter, words, whole / 2);
            QVERIFY(shorter.endsWith(QChar(0x2026)) && words.startsWith(shorter.chopped(1)));
            QVERIFY(ui::wordsWidth(painter, shorter) <= whole / 2);
        });
    }

    void keepsTheEndOfAPath()
    {
        drawn(ui::Theme::textFont(12), [](QPainter &painter) {
            const QString path = u"/home/u/repo/cmd/entire/cli/strategy/manual_commit_test.go"_s;
            const double name = ui::wordsWidth(painter, u"manual_commit_test.go"_s);
            QCOMPARE(ui::elidedPath(painter, path, std::ceil(ui::wordsWidth(painter, path))), path);
            QVERIFY(ui::elidedPath(painter, path, name + 20).endsWith(u"manual_commit_test.go"_s));
            const QString narrow = ui::elidedPath(painter, path, name / 2);
            QVERIFY2(narrow.startsWith(u"ma"_s) && narrow.endsWith(u"go"_s), qPrintable(narrow));
            QVERIFY(ui::elidedPath(painter, u"a quoted text / of words"_s, 60).startsWith(u"a q"_s));
        });
    }

    void shapesOnce()
    {
        const QFont font = ui::Theme::textFont(13);
        const ui::ShapedWords *first = &ui::shapedWords(font, u"once"_s);
        QCOMPARE(&ui::shapedWords(ui::Theme::textFont(13), u"once"_s), first);
        QVERIFY(
            ui::shapedWords(ui::Theme::textFont(26), u"once"_s).width > 1.5 * ui::shapedWords(font, u"once"_s).width);
    }
};

PALIMPSEST_TEST(TestShapedWords)
#include "tst_shaped_words.moc"
