// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/test_program.h"

#include <QCoreApplication>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryFile>
#include <QTest>

#include <map>

using namespace Qt::StringLiterals;

namespace {

QString printed(const QStringList &words)
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s, words);
    const bool isDone = process.waitForFinished() && process.exitCode() == 0;
    return isDone ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
}

/// The options that `palimpsest COMMAND --help` explains, by command; those of the program under the empty name.
std::map<QString, QStringList> optionsOfHelp()
{
    static const QRegularExpression kCommand(u"^  ([a-z]+) "_s, QRegularExpression::MultilineOption);
    static const QRegularExpression kOption(u"^  (?:-\\w, )?--([a-z-]+)"_s, QRegularExpression::MultilineOption);
    const auto optionsOf = [](const QString &help) {
        QStringList options;
        for (auto it = kOption.globalMatch(help); it.hasNext();)
            options << it.next().captured(1);
        return options;
    };
    const QString help = printed({ u"--help"_s });
    std::map<QString, QStringList> options { { QString(), optionsOf(help) } };
    for (auto it = kCommand.globalMatch(help); it.hasNext();) {
        const QString command = it.next().captured(1);
        options[command] = optionsOf(printed({ command, u"--help"_s }));
    }
    return options;
}

/// What bash offers for the unfinished last word.
QStringList offeredByBash(const QStringList &words)
{
    QTemporaryFile script;
    if (!script.open())
        return {};
    script.write(printed({ u"completions"_s, u"bash"_s }).toUtf8());
    script.flush();
    QProcess bash;
    bash.start(u"bash"_s,
        QStringList { u"-c"_s,
            u"source \"$0\"; COMP_WORDS=(palimpsest \"$@\"); COMP_CWORD=$#; _palimpsest; printf '%s\\n' \"${COMPREPLY[@]}\""_s,
            script.fileName() }
            + words);
    if (!bash.waitForFinished() || bash.exitCode() != 0)
        return {};
    return QString::fromUtf8(bash.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
}

} // namespace

/// What a shell completes, and the manual page, are all that the help explains.
class TestCompletions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bashOffersWhatTheHelpExplains();
    void bashOffersValues();
    void zshAndFishNameEveryOption();
    void theManualPageNamesEveryOption();
    void otherShellsAreRefused();
};

void TestCompletions::bashOffersWhatTheHelpExplains()
{
    const auto options = optionsOfHelp();
    QVERIFY(options.size() > 20);
    const QStringList first = offeredByBash({ QString() });
    for (const auto &[command, names] : options) {
        QVERIFY2(command.isEmpty() || first.contains(command), qPrintable(command));
        const QStringList offered
            = offeredByBash(command.isEmpty() ? QStringList { u"--"_s } : QStringList { command, u"--"_s });
        for (const QString &name : names)
            QVERIFY2(offered.contains(u"--"_s + name), qPrintable(command + u" --"_s + name));
        // And no other.
        QStringList known = names;
        if (!known.contains(u"help"_s))
            known << u"help"_s;
        QCOMPARE(
            QSet<QString>(offered.begin(), offered.end()).size(), QSet<QString>(known.begin(), known.end()).size());
    }
}

void TestCompletions::bashOffersValues()
{
    QCOMPARE(
        offeredByBash({ u"show"_s, u"--policy"_s, u"deep-agents-n"_s }), QStringList { u"deep-agents-no-profile"_s });
    QCOMPARE(offeredByBash({ u"policies"_s, u"goo"_s }), QStringList { u"goose"_s });
    QCOMPARE(offeredByBash({ u"completions"_s, u"f"_s }), QStringList { u"fish"_s });
    QCOMPARE(offeredByBash({ u"shoot"_s, u"--view"_s, u"heav"_s }), QStringList { u"heaviest"_s });
    // A number is nothing that can be offered, a file of the folder least of all.
    QCOMPARE(offeredByBash({ u"show"_s, u"--call"_s, QString() }), QStringList());
}

void TestCompletions::zshAndFishNameEveryOption()
{
    const QString zsh = printed({ u"completions"_s, u"zsh"_s });
    const QString fish = printed({ u"completions"_s, u"fish"_s });
    QVERIFY(zsh.startsWith(u"#compdef palimpsest\n"_s));
    for (const auto &[command, names] : optionsOfHelp()) {
        const qsizetype start = zsh.indexOf(u"\n    "_s + (command.isEmpty() ? u"*"_s : command) + u")\n"_s);
        QVERIFY2(start >= 0, qPrintable(command));
        const QString part = zsh.mid(start, zsh.indexOf(u";;"_s, start) - start);
        const QString where
            = command.isEmpty() ? u"__fish_use_subcommand"_s : u"'__fish_seen_subcommand_from %1'"_s.arg(command);
        for (const QString &name : names) {
            QVERIFY2(part.contains(QRegularExpression(u"--%1[=[]"_s.arg(name))), qPrintable(command + u' ' + name));
            QVERIFY2(fish.contains(u"-n %1 -l %2 "_s.arg(where, name)), qPrintable(command + u' ' + name));
        }
    }
}

void TestCompletions::theManualPageNamesEveryOption()
{
    const QString page = printed({ u"man"_s });
    QVERIFY(page.contains(u"\n.TH PALIMPSEST 1 "_s));
    for (const auto &[command, names] : optionsOfHelp()) {
        const qsizetype start
            = command.isEmpty() ? page.indexOf(u"\n.SH OPTIONS\n"_s) : page.indexOf(u"\n.SS palimpsest "_s + command);
        QVERIFY2(start >= 0, qPrintable(command));
        const QString part = page.mid(start, page.indexOf(QRegularExpression(u"\n\\.S[SH] "_s), start + 1) - start);
        for (QString name : names) {
            name.replace(u'-', u"\\-"_s);
            QVERIFY2(part.contains(u"\\-\\-"_s + name), qPrintable(command + u' ' + name));
        }
    }
}

void TestCompletions::otherShellsAreRefused()
{
    QProcess process;
    process.start(QCoreApplication::applicationDirPath() + u"/palimpsest"_s, { u"completions"_s, u"tcsh"_s });
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("bash, zsh and fish"));
}

PALIMPSEST_TEST(TestCompletions)
#include "tst_completions.moc"
