// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/cumulated_patch.h"
#include "core/edits/edits.h"
#include "tests/claude_log.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <format>
#include <sstream>
#include <string>
#include <vector>

using namespace core;
using testing::ClaudeLog;
using namespace Qt::StringLiterals;

namespace {

using Lines = std::vector<std::string>;

std::string joined(const Lines &lines, size_t first = 0, size_t end = std::string::npos)
{
    std::string text;
    for (size_t i = first; i < std::min(end, lines.size()); ++i)
        text += lines[i] + "\n";
    return text;
}

/// What Claude Code shows of the output of a command: without blank lines at the beginning and blanks at the end.
std::string trimmed(std::string text)
{
    text.erase(text.find_last_not_of(" \t\n") + 1);
    const size_t first = text.find_first_not_of(" \t\n");
    const size_t feed = first == std::string::npos ? first : text.rfind('\n', first);
    return feed == std::string::npos ? text : text.substr(feed + 1);
}

std::string numberedLines(const Lines &lines, size_t first, size_t end)
{
    std::string text;
    for (size_t i = first; i < std::min(end, lines.size()); ++i)
        text += std::format("{:6}\t{}\n", i + 1, lines[i]);
    return text;
}

Edits editsOf(const ClaudeLog &log)
{
    const SessionPtr session = log.load();
    return session ? *findEdits(session) : Edits();
}

/// The changes outside the log, a line each.
QByteArray outside(const Edits &edits)
{
    std::string text;
    for (const Edit &edit : edits.edits) {
        if (edit.origin == EditOrigin::Outside)
            text += std::format("{} +{} -{}\n", edit.path, edit.added, edit.removed);
    }
    return QByteArray::fromStdString(text);
}

/// The lines that a patch removes.
QByteArray removedLines(const std::string &patch)
{
    std::istringstream lines(patch);
    std::string removed;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('-') && !line.starts_with("--- "))
            removed += line.substr(1) + "\n";
    }
    return QByteArray::fromStdString(removed);
}

Lines someLines(size_t count)
{
    Lines lines;
    for (size_t i = 0; i < count; ++i)
        lines.push_back(std::format("line {}", i + 1));
    return lines;
}

} // namespace

/// What views of a part of a file tell of the rest of it: nothing.
class FileViewsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aViewOfSomeLinesIsNoChange_data();
    void aViewOfSomeLinesIsNoChange();
    void aShorterFileIsAChange();
    void viewsOfAnUnchangedFileAreNeverAChange();
};

void FileViewsTest::aViewOfSomeLinesIsNoChange_data()
{
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("shown");
    Lines file = someLines(300);
    file[19] = file[20] = file[199] = "";
    const auto bash = [](const char *command, const std::string &shown) {
        const std::string arguments = ClaudeLog::Json { { "command", command } }.dump();
        QTest::newRow(command) << u"Bash"_s << QString::fromStdString(arguments) << QString::fromStdString(shown);
    };
    bash("head -5 a.txt", trimmed(joined(file, 0, 5)));
    bash("head -n 5 a.txt", trimmed(joined(file, 0, 5)));
    bash("head -n5 a.txt", trimmed(joined(file, 0, 5)));
    bash("head --lines=5 a.txt", trimmed(joined(file, 0, 5)));
    bash("head a.txt", trimmed(joined(file, 0, 10)));
    bash("head -n -290 a.txt", trimmed(joined(file, 0, 10)));
    bash("head -c 20 a.txt", "line 1\nline 2\nline 3");
    bash("head -c20 a.txt", "line 1\nline 2\nline 3");
    bash("sed -n 1,5p a.txt", trimmed(joined(file, 0, 5)));
    bash("sed -n '10,15p' a.txt", trimmed(joined(file, 9, 15)));
    bash("sed -n '10,20p' a.txt", trimmed(joined(file, 9, 20)));
    bash("sed -n '20,25p' a.txt", trimmed(joined(file, 19, 25)));
    bash("sed -n '20,21p;30p' a.txt", "line 30");
    bash("tail -5 a.txt", trimmed(joined(file, 295)));
    bash("tail -n 5 a.txt", trimmed(joined(file, 295)));
    bash("cat a.txt | head -5", trimmed(joined(file, 0, 5)));
    bash("cat -n a.txt | sed -n '1,20p'", trimmed(numberedLines(file, 0, 20)));
    bash("nl -ba a.txt | sed -n '1,5p'", trimmed(numberedLines(file, 0, 5)));
    bash("cat a.txt", trimmed(joined(file, 0, 40)) + "\n\n... [220 lines truncated] ...\n\n" + joined(file, 260));
    bash("cat ./a.txt", "<persisted-output>\nOutput too large (58KB). Full output saved to: /x\n\nline 1\nline 2");
    bash("cd /work && sed -n '1,5p' a.txt", trimmed(joined(file, 0, 5)) + "\nShell cwd was reset to /");
    bash("for i in 1 2; do cat a.txt; done", trimmed(joined(file) + joined(file)));
    const auto read = [](const char *name, const ClaudeLog::Json &arguments, const std::string &shown) {
        ClaudeLog::Json all { { "path", "/work/a.txt" } };
        all.update(arguments);
        QTest::newRow(name) << u"read_file"_s << QString::fromStdString(all.dump()) << QString::fromStdString(shown);
    };
    read("start_line and end_line", { { "start_line", 1 }, { "end_line", 5 } }, joined(file, 0, 5));
    read("lines further down", { { "start_line", 10 }, { "end_line", 15 } }, trimmed(joined(file, 9, 15)));
    read("numbered lines up to end_line", { { "end_line", 5 } }, numberedLines(file, 0, 5));
    read("offset and limit", { { "offset", 10 }, { "limit", 6 } }, trimmed(joined(file, 9, 15)));
    read("a range of numbered lines", { { "view_range", { 1, 5 } } }, numberedLines(file, 0, 5));
    read("a bound of another name", { { "max_lines", 5 } }, numberedLines(file, 0, 5));
    read("lines from the end", { { "offset", -5 } }, joined(file, 295));
    read("a tool that reads 100 lines", ClaudeLog::Json::object(), numberedLines(file, 0, 100));
    read("a tool that says that it cut the text", ClaudeLog::Json::object(),
        "IMPORTANT: The file content has been truncated.\nStatus: Showing lines 1-2 of 300\n\nline 1\nline 2");
}

/// The file is written as a whole, a part of it shown, and one line edited: the patch changes that line alone.
void FileViewsTest::aViewOfSomeLinesIsNoChange()
{
    QFETCH(QString, tool);
    QFETCH(QString, arguments);
    QFETCH(QString, shown);
    Lines file = someLines(300);
    file[19] = file[20] = file[199] = "";
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", joined(file));
    log.edit("/work/a.txt", "line 150", "line one hundred and fifty");
    log.call(tool.toStdString(), ClaudeLog::Json::parse(arguments.toStdString()));
    log.result(shown.toStdString());
    log.edit("/work/a.txt", "line 160", "line one hundred and sixty");
    const Edits edits = editsOf(log);
    QCOMPARE(outside(edits), "");
    QCOMPARE(edits.edits.size(), 2U);
    file[149] = "line one hundred and fifty";
    file[159] = "line one hundred and sixty";
    QCOMPARE(edits.edits[1].after.text.flat(), joined(file));
    const auto patch = cumulatedPatch(edits);
    QVERIFY(patch);
    QCOMPARE(removedLines(patch->text), "line 150\nline 160\n");
}

/// A view that ends long before the lines it asked for shows that the file is shorter now.
void FileViewsTest::aShorterFileIsAChange()
{
    ClaudeLog log;
    log.typed("Go.");
    log.read("/work/a.txt", joined(someLines(300)));
    log.call("Bash", { { "command", "head -100 a.txt" } });
    log.result(trimmed(joined(someLines(40))));
    QCOMPARE(outside(editsOf(log)), "a.txt +0 -260\n");
}

/// Whatever is shown and edited in whatever order, nothing changed outside the log.
void FileViewsTest::viewsOfAnUnchangedFileAreNeverAChange()
{
    std::mt19937_64 random = seededRandom();
    const auto below = [&](size_t count) { return static_cast<size_t>(random() % count); };
    for (int round = 0; round < caseCount(60); ++round) {
        Lines lines = someLines(20 + below(60));
        for (size_t i = below(7); i < lines.size(); i += 2 + below(9))
            lines[i] = below(3) == 0 ? "  " : "";
        lines.front() = "the beginning";
        lines.back() = "the end";
        ClaudeLog log;
        log.typed("Go.");
        if (below(2) == 0)
            log.write("/work/a.txt", joined(lines));
        QStringList steps;
        for (size_t step = 0; step < 12; ++step) {
            const size_t first = below(lines.size());
            const size_t count = 1 + below(30);
            const size_t end = first + count;
            std::string command;
            std::string shown;
            switch (below(6)) {
            case 0:
                command = "cat a.txt";
                shown = joined(lines);
                break;
            case 1:
                command = std::format("head -n {} a.txt", count);
                shown = joined(lines, 0, count);
                break;
            case 2:
                command = std::format("sed -n '{},{}p' a.txt", first + 1, end);
                shown = joined(lines, first, end);
                break;
            case 3:
                command = std::format("nl -ba a.txt | sed -n '{},{}p'", first + 1, end);
                shown = numberedLines(lines, first, end);
                break;
            case 4:
                log.call("Read", { { "file_path", "/work/a.txt" }, { "offset", first + 1 }, { "limit", count } });
                shown = joined(lines, first, end);
                if (end <= lines.size()) // else the tool shows the empty line behind the last line end
                    shown.pop_back();
                log.result(ClaudeLog::numbered(shown, first + 1));
                steps.append(u"Read %1 %2"_s.arg(first + 1).arg(count));
                continue;
            default:
                const auto named = std::ranges::find_if(lines, [](const auto &line) { return line.contains("line"); });
                if (named == lines.end())
                    continue;
                std::string old = *named;
                *named = std::format("edited {} in round {}", step, round);
                log.edit("/work/a.txt", old + "\n", *named + "\n");
                continue;
            }
            steps.append(QString::fromStdString(command));
            log.call("Bash", { { "command", command } });
            log.result(trimmed(shown));
        }
        const Edits edits = editsOf(log);
        const QByteArray told = outside(edits);
        QVERIFY2(told.isEmpty(), (steps.join(u'\n') + u'\n').toUtf8() + told);
        if (!edits.edits.empty())
            QVERIFY2(edits.edits.back().after.text.fits(joined(lines)),
                (steps.join(u'\n').toStdString() + "\n" + edits.edits.back().after.text.readable()).c_str());
    }
}

PALIMPSEST_TEST(FileViewsTest)
#include "tst_file_views.moc"
