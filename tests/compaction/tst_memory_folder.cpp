// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/memory_folder.h"
#include "tests/joined.h"
#include "tests/memory_files.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

using namespace core;
using namespace Qt::StringLiterals;
using testing::Folder;
using testing::Lines;
using testing::pathsOf;

namespace fs = std::filesystem;

namespace {

/// The words of an ASCII text.
Lines wordsOf(const std::string &text)
{
    Lines words(1);
    for (const char c : text) {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (isLetter || (c >= 'A' && c <= 'Z'))
            words.back() += static_cast<char>(isLetter ? c : c | 0x20);
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

/// The score of each file for a text, by the formula in the documentation of SQLite's bm25(): the sum over the words of
/// IDF × f × (k1 + 1) / (f + k1 × (1 − b + b × D / avgdl)), with IDF = ln((N − n + 0.5) / (n + 0.5)), or 0.000001 if
/// that is not above 0.
std::map<std::string, double> scores(const std::map<std::string, std::string> &files, const std::string &text)
{
    constexpr double kOne = 1.2;
    constexpr double kB = 0.75;
    std::map<std::string, Lines> words;
    double all = 0;
    for (const auto &[path, body] : files) {
        words[path] = wordsOf(path + "\n" + body);
        all += static_cast<double>(words[path].size());
    }
    const auto count = static_cast<double>(files.size());
    std::map<std::string, double> made;
    const Lines asked = wordsOf(text);
    for (const std::string &word : std::set<std::string>(asked.begin(), asked.end())) {
        const auto with = static_cast<double>(
            std::ranges::count_if(words, [&](const auto &file) { return std::ranges::contains(file.second, word); }));
        const double usual = std::log((count - with + 0.5) / (with + 0.5));
        const double idf = usual > 0 ? usual : 1e-6;
        for (const auto &[path, own] : words) {
            const auto f = static_cast<double>(std::ranges::count(own, word));
            const double length = static_cast<double>(own.size()) / (all / count);
            made[path] += idf * f * (kOne + 1) / (f + kOne * (1 - kB + kB * length));
        }
    }
    return made;
}

/// The files with a score that says something, best first, ties by path.
Lines rankedBy(const std::map<std::string, double> &scores)
{
    std::vector<std::pair<double, std::string>> order;
    for (const auto &[path, score] : scores) {
        if (score >= 0.001)
            order.emplace_back(-score, path);
    }
    std::ranges::sort(order);
    Lines paths;
    for (const auto &[score, path] : order)
        paths.push_back(path);
    return paths;
}

} // namespace

/// The files of a folder, ranked against a text.
class MemoryFolderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sixFilesAreRankedByBm25();
    void theRankIsThatOfTheFormula();
    void equalFilesStandByPath();
    void aWordOfManyFilesSaysNothing();
    void aTagIsPathAndTitle_data();
    void aTagIsPathAndTitle();
    void hostileFilesAreLeftOut();
    void aFolderOfManyFilesIsCut();
};

void MemoryFolderTest::sixFilesAreRankedByBm25()
{
    const std::map<std::string, std::string> files {
        { "cache.md", "cache rules of the providers, and what breaks a cache. The cache is cheap to read." },
        { "long.md",
            "cache " +
                [] {
                    std::string words;
                    for (int i = 0; i < 60; ++i)
                        words += "filler" + std::to_string(i) + " ";
                    return words;
                }() },
        { "deploy.txt", "how to deploy the service" },
        { "people.md", "who works on what" },
        { "notes/tests.md", "tests run offscreen and read the folder" },
        { "style.md", "plain words and short lines" },
    };
    const Folder folder;
    for (const auto &[path, text] : files)
        folder.write(path, text);
    const std::string asked = "Does the deploy break the cache? The tests say so.";
    const Lines expected = rankedBy(scores(files, asked));
    // One file of six has `deploy` and one `tests`, the longer one; two have `cache`. Half of them have `the`.
    QVERIFY(expected == Lines({ "deploy.txt", "notes/tests.md", "cache.md", "long.md" }));
    QVERIFY(pathsOf(folder.read()->tags(asked, 20)) == expected);
    QVERIFY(pathsOf(folder.read()->tags(asked, 2)) == Lines(expected.begin(), expected.begin() + 2));
}

void MemoryFolderTest::theRankIsThatOfTheFormula()
{
    std::mt19937_64 random = seededRandom();
    const auto text = [&](size_t most) {
        std::string words;
        for (size_t i = random() % most + 1; i > 0; --i)
            words += "w" + std::to_string(random() % (random() % 40 + 1)) + " ";
        return words;
    };
    for (int i = 0; i < caseCount(30); ++i) {
        const Folder folder;
        std::map<std::string, std::string> files;
        for (size_t file = 3 + random() % 8; file > 0; --file) {
            const std::string path = "f" + std::to_string(file) + ".md";
            files[path] = text(80);
            folder.write(path, files[path]);
        }
        const std::string asked = text(20);
        const std::map<std::string, double> known = scores(files, asked);
        const Lines found = pathsOf(folder.read()->tags(asked, 20));
        const Lines expected = rankedBy(known);
        const auto isWeak
            = [](const auto &each) { return std::abs(each.second - 0.001) < 1e-9; }; // on the edge: either is right
        if (std::ranges::any_of(known, isWeak))
            continue;
        QCOMPARE(found.size(), expected.size());
        for (size_t place = 0; place < found.size(); ++place) // scores that differ by less than a rounding are equal
            QVERIFY2(std::abs(known.at(found[place]) - known.at(expected[place])) < 1e-9, asked.c_str());
    }
}

void MemoryFolderTest::equalFilesStandByPath()
{
    const Folder folder;
    for (const char *name : { "m.md", "z.md", "a.md", "k/b.md" })
        folder.write(name, "the otter");
    for (const char *name : { "n1.md", "n2.md", "n3.md", "n4.md", "n5.md" })
        folder.write(name, "nothing here");
    const MemoryFolderPtr read = folder.read();
    const Lines expected { "a.md: the otter", "m.md: the otter", "z.md: the otter", "k/b.md: the otter" };
    QVERIFY(read->tags("Otter!", 20) == expected);      // a path of more words makes a file longer
    QVERIFY(read->tags("otter otter", 20) == expected); // a word counts once
    QVERIFY(folder.read()->tags("Otter!", 20) == expected);
}

void MemoryFolderTest::aWordOfManyFilesSaysNothing()
{
    const Folder folder;
    folder.write("a.md", "the heron");
    folder.write("b.md", "the otter");
    // In one file of two no word is rare.
    QVERIFY(pathsOf(folder.read()->tags("the heron", 20)).front() == "a.md");
    QCOMPARE(folder.read()->tags("the heron", 20).size(), size_t(2));
    folder.write("c.md", "the badger");
    QVERIFY(pathsOf(folder.read()->tags("the heron", 20)) == Lines { "a.md" });
    QVERIFY(folder.read()->tags("the", 20).empty());
    QVERIFY(folder.read()->tags("", 20).empty());
    QVERIFY(folder.read()->tags("\" OR NOT ( * ^", 20).empty()); // words, not an expression of SQLite
    QVERIFY(pathsOf(folder.read()->tags("\" HERON* AND", 20)) == Lines { "a.md" });
}

void MemoryFolderTest::aTagIsPathAndTitle_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("title");
    const auto row = [](const char *name, const char *text, const QString &title) {
        QTest::newRow(name) << QByteArray(text) << title;
    };
    row("a heading", "See below.\n\n## Otters ##\nText", u": Otters"_s);
    row("the first line", "\n\n  Otters live here.  \nMore", u": Otters live here."_s);
    row("no heading", "#Otters\n#\n####### x", u": #Otters"_s);
    row("a title in front", "---\nname: otter\ntitle: \"All otters\"\n---\n# Other", u": All otters"_s);
    row("a name in front", "---\r\ndescription: d\r\nname: otter\r\n---\r\n# Other", u": otter"_s);
    row("a description in front", "---\ndescription: What they eat\nmeta:\n  title: no\n---\n", u": What they eat"_s);
    row("nothing in front", "---\ntype: x\n---\n# Otters", u": Otters"_s);
    row("a front that never ends", "---\ntitle: x\n# Otters", u": Otters"_s);
    row("a mark of UTF-8", "\xEF\xBB\xBF# Otters", u": Otters"_s);
    row("nothing", "", u""_s);
    row("controls", "# Ot\x1B[31mter \xE2\x80\xAE{time}", u": Ot␛[31mter ⟨RLO⟩{time}"_s);
    row("bytes that are no UTF-8", "# Ot\xFFters", u": Ot\uFFFDters"_s);
}

void MemoryFolderTest::aTagIsPathAndTitle()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, title);
    const Folder folder;
    folder.write("sub/wanted.md", { text.data(), static_cast<size_t>(text.size()) });
    const Lines tags = folder.read()->tags("wanted", 20); // a word of the path
    QCOMPARE(tags.size(), size_t(1));
    QCOMPARE(QString::fromStdString(tags.front()), u"sub/wanted.md"_s + title);
}

void MemoryFolderTest::hostileFilesAreLeftOut()
{
    const Folder folder;
    folder.write("large.md", "# Large\n" + std::string(40'000, ' ') + "heron");
    fs::resize_file(
        folder.write("huge.md", "heron"), uint64_t(1) << 30U); // 1 GiB of NUL bytes, of which none is stored
    folder.write("binary.md", std::string("heron\0\1\2", 8));
    folder.write("broken.md", "\xC3 heron \xF0\x9F\xFF\xED\xA0\x80 # \xFE");
    folder.write("line\nend \x1B[2J\xE2\x80\xAE.md", "the heron");
    folder.write("upper.MD", "the heron");
    folder.write("sub/deep/in.txt", "the heron");
    folder.write("image.png", "the heron");
    folder.write(".hidden.md", "the heron");
    folder.write(".git/in.md", "the heron");
    folder.write("quiet.md", std::string(100'000, '\n'));
    for (int i = 0; i < 8; ++i)
        folder.write("other" + std::to_string(i) + ".md", "nothing");
    const Folder outside;
    fs::create_symlink(outside.write("out.md", "the heron"), folder.path() / "out.md");
    fs::create_directory_symlink(outside.path(), folder.path() / "outside");
    fs::create_directory_symlink(folder.path(), folder.path() / "sub" / "loop");
    QCOMPARE(::mkfifo((folder.path() / "pipe.md").c_str(), 0600), 0);
    fs::permissions(folder.write("locked.md", "the heron"), fs::perms::none);
    const bool readsAll = ::geteuid() == 0;

    const MemoryFolderPtr read = folder.read();
    QVERIFY(read);
    Lines tags = read->tags("heron", 20);
    Lines paths = pathsOf(tags);
    std::ranges::sort(paths);
    Lines expected { "broken.md", "line␊end ␛[2J⟨RLO⟩.md", "sub/deep/in.txt", "upper.MD" };
    if (readsAll)
        expected.insert(expected.begin() + 2, "locked.md");
    QCOMPARE(
        QString::fromStdString(testing::joined(paths, "|")), QString::fromStdString(testing::joined(expected, "|")));
    for (const std::string &tag : tags)
        QVERIFY2(std::ranges::none_of(tag, [](char c) { return static_cast<unsigned char>(c) < 0x20; }), tag.c_str());
    QCOMPARE(QString::fromStdString(read->note()).section(u": "_s, 1),
        u"{memory} leaves out %1 files without readable text."_s.arg(readsAll ? 2 : 3));
    fs::permissions(folder.path() / "locked.md", fs::perms::owner_all);
}

void MemoryFolderTest::aFolderOfManyFilesIsCut()
{
    const Folder folder;
    const auto name = [](int number) { return "f" + std::to_string(1000 + number) + ".md"; };
    for (int i = 0; i < 501; ++i)
        folder.write(name(i), i >= 499 ? "the heron" : "nothing");
    const MemoryFolderPtr read = folder.read();
    QVERIFY(pathsOf(read->tags("heron", 20)) == Lines { name(499) });
    QVERIFY2(
        read->note().ends_with("Of 501 text files, {memory} knows only the first 500 by path."), read->note().c_str());
    fs::remove(folder.path() / name(0));
    QVERIFY(pathsOf(folder.read()->tags("heron", 20)) == Lines({ name(499), name(500) }));
    QCOMPARE(folder.read()->note(), std::string());
    const Folder empty;
    empty.write("a.png", "x");
    QCOMPARE(memoryFiles(empty.path()).error().message, std::string("The folder has no .md or .txt file."));
}

PALIMPSEST_TEST(MemoryFolderTest)
#include "tst_memory_folder.moc"
