// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/export.h"
#include "core/originals/restore.h"
#include "tests/session_testing.h"
#include "tests/session_text.h"
#include "tests/sourcedir.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

std::string bytesOf(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The array as texts by slot.
std::vector<std::string> slotsOf(const Transcript &transcript)
{
    std::vector<std::string> texts;
    for (const Slot &slot : transcript.slots()) {
        std::string text(1, static_cast<char>('0' + static_cast<int>(slot.role)));
        for (const BlockId id : transcript.blocksOf(slot))
            text += "|" + transcript.session()->text(transcript.block(id).body);
        texts.push_back(text);
    }
    return texts;
}

} // namespace

/// What leaves by export comes back, and says what the plan said.
class ExportTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void samples_data();
    void samples();
    void corpus_data();
    void corpus();
    void anExistingFileStays();
    void storeBeforeCut();
    void onlyTheEndIsWritten();

private:
    void check(const std::filesystem::path &file, const PolicyPtr &policy);
    size_t m_written = 0;
    size_t m_refused = 0;
};

/// Exports, reads the export again, and restores the input out of export and store.
void ExportTest::check(const std::filesystem::path &file, const PolicyPtr &policy)
{
    const auto loaded = loadSession(file);
    if (!loaded)
        return;
    const SessionPtr session = *loaded;
    const Transcript end(session, session->threads.front().end);
    CompactOptions options;
    options.ignoresTriggers = true;
    const Compaction compaction = compact(end, policy, *roughTokens(*session), options);
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    const auto exported = exportCompaction(compaction, target);
    if (!exported) {
        // A sentence, and nothing written.
        QVERIFY(!exported.error().message.empty());
        QVERIFY(!std::filesystem::exists(target.file));
        ++m_refused;
        qInfo("%s, %s: %s", file.filename().c_str(), policy->id.c_str(), exported.error().sentence().c_str());
        return;
    }
    ++m_written;
    const auto again = loadSession(target.file);
    QVERIFY2(again.has_value() || compaction.after.isEmpty(), again ? "" : again.error().sentence().c_str());
    if (again && exported->notes.empty()) {
        const Transcript back(*again, (*again)->threads.front().end);
        QCOMPARE(slotsOf(back), slotsOf(compaction.after));
    }
    const auto store = Store::open(exported->store);
    QVERIFY(store.has_value());
    const auto ledger = store->ledger(exported->commit);
    QVERIFY(ledger.has_value());
    // Every block that lost something has its original, byte for byte.
    for (const BlockId id : rewrittenBlocks(compaction)) {
        const auto original = store->read(exported->commit, originalName(*session, id));
        QVERIFY2(original.has_value(), original ? "" : original.error().sentence().c_str());
        QCOMPARE(std::string_view(*original), session->rawBody(session->block(id).body));
    }
    std::vector<std::string> removed;
    std::vector<std::string_view> views;
    std::vector<InverseSplice> inverse;
    for (const LedgerSplice &splice : ledger->splices)
        removed.push_back(
            splice.original.empty() ? std::string() : store->read(exported->commit, splice.original).value());
    for (size_t i = 0; i < removed.size(); ++i) {
        views.emplace_back(removed[i]);
        const LedgerSplice &splice = ledger->splices[i];
        inverse.push_back({ splice.at, splice.length, splice.originalOffset, removed[i].size() });
    }
    const auto restored = unsplice(bytesOf(target.file), inverse, views);
    QVERIFY(restored.has_value());
    QVERIFY(std::string_view(*restored) == session->sources.front()->bytes());
    if (compaction.changesNothing())
        QVERIFY(bytesOf(target.file) == session->sources.front()->bytes());
}

void ExportTest::samples_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("policy");
    for (const char *file : { "genkit.json", "claude-code.jsonl", "codex.jsonl" }) {
        for (const PolicyPtr &policy : presets())
            QTest::addRow("%s, %s", file, policy->id.c_str())
                << u"messages-21."_s + QString::fromLatin1(file) << QString::fromStdString(policy->id);
    }
}

void ExportTest::samples()
{
    QFETCH(const QString, file);
    QFETCH(const QString, policy);
    check(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples" / file.toStdString(),
        preset(policy.toStdString()));
    QCOMPARE(m_refused, size_t(0));
}

void ExportTest::corpus_data()
{
    QTest::addColumn<QString>("file");
    std::mt19937_64 random = seededRandom();
    const bool all = qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES");
    for (const std::string &file : testing::corpusFiles()) {
        if (all || random() % 12 == 0)
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
    if (testing::corpusFiles().empty())
        QTest::newRow("no corpus") << QString();
}

void ExportTest::corpus()
{
    QFETCH(const QString, file);
    if (file.isEmpty())
        QSKIP("There is no corpus beside the repository.");
    m_refused = 0;
    std::mt19937_64 random = seededRandom();
    const bool all = qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES");
    for (const PolicyPtr &policy : presets()) {
        if (!all && random() % 4 != 0)
            continue;
        check(testing::corpus() / file.toStdString(), policy);
        if (QTest::currentTestFailed()) {
            qWarning("under %s", policy->id.c_str());
            return;
        }
    }
}

namespace {

Compaction ofSample()
{
    const auto session
        = loadSession(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "resources/samples/messages-21.genkit.json");
    return compact(
        Transcript(*session, (*session)->threads.front().end), preset("genkit-recipe-figure"), *roughTokens(**session));
}

} // namespace

void ExportTest::anExistingFileStays()
{
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    std::ofstream(target.file) << "mine";
    QVERIFY(!exportCompaction(ofSample(), target));
    QCOMPARE(bytesOf(target.file), "mine");
    QVERIFY(!std::filesystem::exists(target.file.string() + ".originals.git"));
}

/// Where the originals cannot be stored nothing is cut.
void ExportTest::storeBeforeCut()
{
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    target.store = (folder.path() + u"/file"_s).toStdString();
    std::ofstream(target.store) << "not a folder";
    QVERIFY(!exportCompaction(ofSample(), target));
    QVERIFY(!std::filesystem::exists(target.file));
}

void ExportTest::onlyTheEndIsWritten()
{
    const QTemporaryDir folder;
    ExportOptions target;
    target.file = (folder.path() + u"/out"_s).toStdString();
    target.position.call = CallIndex(1U);
    const auto exported = exportCompaction(ofSample(), target);
    QVERIFY(!exported);
    QCOMPARE(exported.error().kind, ErrorKind::Usage);
}

QTEST_APPLESS_MAIN(ExportTest)
#include "tst_export.moc"
