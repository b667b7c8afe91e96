// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/formats/fuzz_targets.h"

#include "core/diff/line_diff.h"
#include "core/diff/unified_patch.h"
#include "core/formats/reading/archive.h"
#include "core/formats/reading/database.h"
#include "core/formats/reading/format.h"
#include "core/index/index_search.h"
#include "core/json/json.h"
#include "core/money/prices.h"
#include "core/report/redaction.h"
#include "core/search/query.h"
#include "core/tokens/image_tokens.h"
#include "tests/file_bytes.h"
#include "tests/formats/hostile_documents.h"
#include "tests/formats/session_faults.h"
#include "tests/sourcedir.h"
#include "ui/text/ansi.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sqlite3.h>
#include <unistd.h>
#include <zip.h>
#include <zstd.h>

using namespace core;

namespace testing {

namespace {

namespace fs = std::filesystem;

using Fault = std::string;

constexpr uint64_t kMostUnpackedHere = uint64_t { 4 } << 20U;
constexpr size_t kPage = 512; ///< of databases

void write(const fs::path &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// A folder of this process, in memory where that is possible; removed at the end.
class Scratch final {
public:
    Scratch()
        : m_path((fs::is_directory("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path())
              / ("palimpsest-fuzz-" + std::to_string(::getpid())))
    {
        fs::remove_all(m_path); // of a process that crashed
        fs::create_directories(m_path);
    }
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;
    ~Scratch()
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    [[nodiscard]] const fs::path &path() const { return m_path; }

private:
    fs::path m_path;
};

const fs::path &scratch()
{
    static const Scratch folder;
    return folder.path();
}

Fault firstOf(const std::vector<std::string> &faults)
{
    const auto found = std::ranges::find_if(faults, [](const std::string &each) { return !each.empty(); });
    return found == faults.end() ? Fault() : *found;
}

Fault faultOfUnpacked(const Result<Unpacked> &unpacked)
{
    if (!unpacked)
        return unpacked.error().message.ends_with('.') ? Fault() : "The refusal is no sentence";
    return unpacked->text.size() > kMostUnpackedHere ? "More is unpacked than allowed" : Fault();
}

/// The first byte says how many pages the database has; behind them is its log.
Fault faultOfDatabaseWithLog(const std::string &bytes)
{
    if (bytes.empty())
        return {};
    const std::string_view all = std::string_view(bytes).substr(1);
    const size_t middle = std::min(all.size(), kPage * static_cast<unsigned char>(bytes.front()));
    return faultOfUnpacked(databaseText(all.substr(0, middle), all.substr(middle), "a", kMostUnpackedHere));
}

/// The first byte says where the text before the change ends.
Fault faultOfDiff(const std::string &bytes)
{
    if (bytes.empty())
        return {};
    const std::string_view text = std::string_view(bytes).substr(1);
    const size_t middle = text.size() * static_cast<unsigned char>(bytes.front()) / 256;
    const std::string_view before = text.substr(0, middle);
    const std::string_view after = text.substr(middle);
    for (const Whitespace whitespace : { Whitespace::Exact, Whitespace::IgnoreAll }) {
        const LineDiff diff = diffLines(before, after, { whitespace, WordMarks::Found });
        size_t lines = 0;
        for (const DiffRun &run : diff.runs)
            lines += run.before.count();
        if (lines != diff.before.count())
            return "The runs do not cover the lines";
    }
    const auto patch = unifiedPatch("a/b", before, after);
    if (!patch)
        return "No patch is made: " + patch.error().message;
    return patch->empty() == (before == after) ? Fault() : "The patch says something else than the texts";
}

Fault faultOfAnsi(const std::string &bytes)
{
    const ui::AnsiText text = ui::parseAnsi(bytes);
    size_t at = 0;
    for (const ui::TextSpan &span : text.hidden) {
        if (span.begin < at || span.end <= span.begin || span.end > bytes.size())
            return "A hidden span is out of order";
        at = span.end;
    }
    at = 0;
    for (const ui::TextStyleSpan &span : text.styles) {
        if (span.begin < at || span.end < span.begin || span.end > bytes.size())
            return "A style is out of order";
        at = span.end;
    }
    return ui::hasAnsiColours(bytes) == text.hidden.empty() ? "The colours are found once only" : Fault();
}

/// What was masked does not match again. The look for leaks takes its input for a page or a document, where a text has
/// no bare `<` and no bare backslash, so what it says of any bytes is no fault.
Fault faultOfMask(const std::string &bytes)
{
    Redaction redaction;
    redaction.learn(bytes);
    const std::string masked = redaction.masked(bytes);
    (void)redaction.leakIn(masked);
    return redaction.masked(masked) == masked ? Fault() : "A masked text matches again";
}

Fault faultOfImage(const std::string &bytes)
{
    const auto size = imageSize(bytes);
    (void)imageSizeOfBase64(bytes);
    const double tokens = imageTokens("claude-opus-4", size) + imageTokens("gpt-5", size);
    return tokens >= 0 && tokens < 1e9 ? Fault() : "An image weighs " + std::to_string(tokens);
}

// --- the index ---

fs::path sessionsOfIndex()
{
    const fs::path folder = scratch() / "sessions";
    if (!fs::exists(folder)) {
        fs::create_directories(folder);
        const fs::path samples = fs::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed";
        fs::copy_file(samples / "claude-plain.jsonl", folder / "one.jsonl");
        fs::copy_file(samples / "codex-plain.jsonl", folder / "two.jsonl");
    }
    return folder;
}

fs::path indexFile()
{
    for (const auto &each : fs::directory_iterator(scratch() / "index")) {
        if (each.path().extension() == ".sqlite")
            return each.path();
    }
    return {};
}

/// Opens the index, brings it up to date, lists and searches. The titles of what it lists.
Result<std::string> titlesOfIndex()
{
    auto index = SessionIndex::open(scratch() / "index");
    if (!index)
        return std::unexpected(index.error());
    if (const auto updated = index->update({ { sessionsOfIndex() }, {} }, Prices::bundled(), {}); !updated)
        return std::unexpected(updated.error());
    if (const auto added = index->addTexts({}); !added)
        return std::unexpected(added.error());
    if (const auto added = index->addFindings(Prices::bundled(), {}); !added)
        return std::unexpected(added.error());
    const IndexedSessions known = index->sessions();
    (void)searchIndex(*index, known, *parseQuery("the role:user"), {});
    (void)index->latest({ { sessionsOfIndex() }, {} }, "/work");
    std::string titles;
    for (const SessionEntry &entry : known.entries)
        titles += entry.title + "\n";
    return titles;
}

const std::string &wholeIndex()
{
    static const std::string bytes = [] {
        fs::remove_all(scratch() / "index");
        if (!titlesOfIndex())
            std::abort();
        return testing::bytesOf(indexFile());
    }();
    return bytes;
}

/// A damaged index is made anew, or says what is wrong with it. The next one is whole.
Fault faultOfIndex(const std::string &bytes)
{
    static const fs::path file = (wholeIndex(), indexFile());
    for (const char *ending : { "-wal", "-shm" })
        fs::remove(file.string() + ending);
    write(file, bytes);
    const auto titles = titlesOfIndex();
    return titles || titles.error().message.ends_with('.') ? Fault() : "The refusal is no sentence";
}

// --- seeds ---

std::string zstdSeed()
{
    const std::string text
        = testing::bytesOf(fs::path(PALIMPSEST_SOURCE_DIR) / "tests/samples/malformed/codex-plain.jsonl");
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return packed;
}

std::string zipSeed(int method)
{
    const fs::path path = scratch() / "a.zip";
    zip_t *archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    const std::array<std::pair<const char *, std::string>, 3> members { {
        { "_journal/start.json",
            R"({"version":2,"eval":{"task":"t","model":"m","packages":{"inspect_ai":"0.3.150"}}})" },
        { "samples/1_epoch_1.json",
            R"({"id":"1","epoch":1,"messages":[{"id":"u","content":"go","source":"input","role":"user"}]})" },
        { "header.json", R"({"version":2,"status":"success","eval":{"task":"t","model":"m"}})" },
    } };
    for (const auto &[name, text] : members) {
        zip_source_t *source = zip_source_buffer(archive, text.data(), text.size(), 0);
        const auto place = static_cast<zip_uint64_t>(zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8));
        zip_set_file_compression(archive, place, method, 0);
    }
    zip_close(archive);
    return testing::bytesOf(path);
}

std::string databaseSeed(const std::string &statements)
{
    sqlite3 *database = nullptr;
    sqlite3_open(":memory:", &database);
    sqlite3_exec(database, "PRAGMA page_size = 512", nullptr, nullptr, nullptr);
    sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr);
    sqlite3_int64 size = 0;
    unsigned char *bytes = sqlite3_serialize(database, "main", &size, 0);
    std::string image(reinterpret_cast<const char *>(bytes), static_cast<size_t>(size));
    sqlite3_free(bytes);
    sqlite3_close_v2(database);
    return image;
}

/// A database whose rows are in its log only, in the form that `faultOfDatabaseWithLog` takes.
std::string databaseWithLog()
{
    const fs::path path = scratch() / "a.db";
    sqlite3 *database = nullptr;
    sqlite3_open(path.c_str(), &database);
    sqlite3_exec(database,
        "PRAGMA page_size = 512; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;"
        "CREATE TABLE messages(id TEXT, parts TEXT); INSERT INTO messages VALUES('m', '[]')",
        nullptr, nullptr, nullptr);
    const std::string bytes = testing::bytesOf(path);
    std::string whole = static_cast<char>(bytes.size() / kPage) + bytes + testing::bytesOf(path.string() + "-wal");
    sqlite3_close_v2(database);
    return whole;
}

/// Crush, or the older opencode, whose messages have no provider.
std::string seedOfCrush(bool hasProvider)
{
    return databaseSeed(
        std::string("CREATE TABLE sessions(id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, summary_message_id "
                    "TEXT); CREATE TABLE messages(id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model "
                    "TEXT, created_at INTEGER")
        + (hasProvider ? ", provider TEXT" : "")
        + "); INSERT INTO sessions VALUES('s', NULL, 'one', NULL); INSERT INTO messages VALUES('m', 's', 'user', "
          "'[{\"type\":\"text\",\"data\":{\"text\":\"go\"}}]', 'x', 1"
        + (hasProvider ? ", 'p')" : ")"));
}

std::vector<std::string> databaseSeeds()
{
    return {
        seedOfCrush(true),
        seedOfCrush(false),
        databaseSeed("CREATE TABLE session(id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_updated INTEGER);"
                     "CREATE TABLE message(id TEXT, session_id TEXT, data TEXT);"
                     "CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, data TEXT);"
                     "INSERT INTO session VALUES('s', NULL, '/w', 'one', 1); INSERT INTO message VALUES('m', 's', "
                     "'{\"role\":\"user\"}'); INSERT INTO part VALUES('p', 'm', 's', '{\"type\":\"text\",\"text\":"
                     "\"go\"}')"),
        databaseSeed("CREATE TABLE sessions(id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, "
                     "working_dir TEXT, updated_at TIMESTAMP, model_config_json TEXT);"
                     "CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, "
                     "role TEXT, content_json TEXT, created_timestamp INTEGER, tokens INTEGER, metadata_json TEXT);"
                     "INSERT INTO sessions VALUES('1', '', 'one', 'user', '/w', '2026-01-01 10:00:00', NULL);"
                     "INSERT INTO messages VALUES(NULL, 'm', '1', 'user', '[{\"type\":\"text\",\"text\":\"go\"}]', 5, "
                     "NULL, '{}')"),
    };
}

std::vector<std::string> sessionSeeds()
{
    constexpr size_t kMost = 6'000;
    std::vector<std::string> seeds;
    for (MutationSeed &seed : mutationSeeds(kMost))
        seeds.push_back(std::move(seed.text));
    for (const std::string &database : databaseSeeds()) {
        if (const auto unpacked = databaseText(database, {}, "a"))
            seeds.push_back(unpacked->text);
    }
    return seeds;
}

/// The seeds by the format that recognises them.
std::map<const Format *, std::vector<std::string>> seedsByFormat(const std::vector<std::string> &all)
{
    std::map<const Format *, std::vector<std::string>> seeds;
    for (const std::string &seed : all) {
        if (const auto found = recognise(seed, "seed"))
            seeds[*found].push_back(seed);
    }
    return seeds;
}

std::vector<FuzzTarget> makeTargets()
{
    std::vector<FuzzTarget> targets;
    for (const HostileKind &kind : hostileKinds()) {
        std::string name = kind.name;
        std::ranges::replace(name, ' ', '-');
        targets.push_back({ name, kind.seeds, kind.fault, kind.most });
    }
    const std::vector<std::string> sessions = sessionSeeds();
    targets.push_back({ "session", sessions, [](const std::string &bytes) {
                           std::mt19937_64 random(bytes.size());
                           return firstOf(faultsOfCommands(bytes, random));
                       } });
    auto seeds = seedsByFormat(sessions);
    for (const Format *format : formats()) {
        targets.push_back({ "reader-" + std::string(format->id), std::move(seeds[format]),
            [format](const std::string &bytes) { return firstOf(faultsOfReader(*format, bytes)); } });
    }
    targets.push_back({ "zstd", { zstdSeed() },
        [](const std::string &bytes) { return faultOfUnpacked(unpackZstd(bytes, "a", kMostUnpackedHere)); } });
    targets.push_back({ "archive", { zipSeed(ZIP_CM_DEFLATE), zipSeed(ZIP_CM_STORE) },
        [](const std::string &bytes) { return faultOfUnpacked(archiveText(bytes, "a", kMostUnpackedHere)); } });
    targets.push_back({ "database", databaseSeeds(),
        [](const std::string &bytes) { return faultOfUnpacked(databaseText(bytes, {}, "a", kMostUnpackedHere)); } });
    targets.push_back({ "database-log", { databaseWithLog() }, faultOfDatabaseWithLog });
    targets.push_back({ "image",
        { std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0", 24), std::string("GIF89a\1\0\1\0", 10),
            std::string("\xFF\xD8\xFF\xE0\0\4\0\0\xFF\xC0\0\x11\x08\0\1\0\1\3", 18),
            std::string("RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0\1\0\0\1\0\0", 30) },
        faultOfImage });
    targets.push_back({ "diff", { "\x80one\ntwo\nthree\none\n2\nthree\nfour" }, faultOfDiff, 4096 });
    targets.push_back(
        { "ansi", { "a\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mtrue\x1b[m\x1b[2Jx\x1b]0;t\a" }, faultOfAnsi });
    targets.push_back({ "mask",
        { "password=hunter2hunter2 AKIAIOSFODNN7EXAMPLE Bearer abcdefghijklmnopqrstuvwxyz\n/home/p/work "
          "https://u:secret@host/",
            "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----" },
        faultOfMask, 4096 });
    targets.push_back({ "index", { wholeIndex() }, faultOfIndex, 2 * wholeIndex().size() });
    return targets;
}

} // namespace

const std::vector<FuzzTarget> &fuzzTargets()
{
    static const std::vector<FuzzTarget> targets = makeTargets();
    return targets;
}

Mutator mutatorOf(const FuzzTarget &target)
{
    std::vector<MutationSeed> seeds;
    for (size_t i = 0; i < target.seeds.size(); ++i)
        seeds.push_back({ target.name + ", seed " + std::to_string(i), target.seeds[i] });
    return Mutator(std::move(seeds));
}

} // namespace testing
