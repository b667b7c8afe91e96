// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "index_bench.h"

#include "core/index/index_search.h"
#include "generate.h"
#include "measure.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <thread>

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kFiles = 200;
constexpr uint64_t kBytes = 500'000; ///< of a file
constexpr size_t kQueries = 200;
constexpr double kMegabyte = 1e6;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Words of at least four letters that stand in the texts, drawn evenly.
std::vector<std::string> wordsOf(const std::vector<std::string> &texts)
{
    std::set<std::string> all;
    for (const std::string &text : texts) {
        std::string word;
        for (const char c : text + " ") {
            const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (isLetter)
                word += c;
            else if (word.size() >= 4)
                all.insert(word);
            if (!isLetter)
                word.clear();
        }
    }
    std::vector<std::string> words(all.begin(), all.end());
    std::ranges::shuffle(words, std::mt19937(7)); // NOLINT: the same words every time
    words.resize(std::min(words.size(), kQueries));
    return words;
}

/// Seconds to read the files' bytes: what no index can do without.
double readAll(const core::SessionPlaces &places, uint64_t &bytes)
{
    const auto begin = Clock::now();
    std::string buffer(1U << 20U, '\0');
    for (const core::SessionFile &file : core::sessionFiles(places)) {
        std::ifstream stream(file.path, std::ios::binary);
        while (stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || stream.gcount() > 0)
            bytes += static_cast<uint64_t>(stream.gcount());
    }
    return secondsSince(begin);
}

} // namespace

void benchIndex(const std::filesystem::path &folder, const std::vector<std::string> &texts)
{
    core::SessionPlaces places;
    const char *named = std::getenv("PALIMPSEST_BENCH_SESSIONS");
    places.folders = { named != nullptr ? std::filesystem::path(named) : folder / "sessions" };
    if (named == nullptr) {
        std::filesystem::create_directories(places.folders.front());
        for (size_t i = 0; i < kFiles; ++i)
            writeClaudeSession(places.folders.front() / (std::to_string(i) + ".jsonl"), kBytes, texts);
    }
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const core::Prices prices = core::Prices::bundled();
    uint64_t bytes = 0;
    const double read = readAll(places, bytes);
    const double size = static_cast<double>(bytes) / kMegabyte;
    reference("reading the bytes of " + fixed(size, 0) + " MB of sessions", fixed(size / read, 0) + " MB/s");

    auto index = core::SessionIndex::open(folder / "index");
    if (!index) {
        std::fprintf(stderr, "bench: %s\n", index.error().sentence().c_str());
        std::exit(1);
    }
    auto begin = Clock::now();
    const auto first = index->update(places, prices, { threads, nullptr, {} });
    const double listed = secondsSince(begin);
    const auto known = index->sessions();
    if (!first || known.entries.empty()) {
        std::fprintf(stderr, "bench: no session was listed\n");
        std::exit(1);
    }
    report("  the first list, " + std::to_string(known.entries.size()) + " sessions of " + std::to_string(first->files)
            + " files in " + fixed(listed, 1) + " s",
        fixed(size / listed, 0) + " MB/s", "at least 180 MB/s", size / listed >= 180);
    begin = Clock::now();
    auto again = core::SessionIndex::open(folder / "index");
    const auto second = again->update(places, prices, { threads, nullptr, {} });
    const size_t count = again->sessions().entries.size();
    const double unchanged = secondsSince(begin);
    report("  an unchanged second start, " + std::to_string(count) + " sessions", fixed(unchanged * 1000, 0) + " ms",
        "below 300 ms", unchanged < 0.3 && second && second->read == 0 && count == known.entries.size());
    begin = Clock::now();
    const auto added = index->addTexts({ threads, nullptr, {} });
    const double texted = secondsSince(begin);
    report("  the words of all texts in " + fixed(texted, 1) + " s", fixed(size / texted, 0) + " MB of files/s",
        "at least 18 MB of text/s and core", added && size / texted >= 18);
    std::vector<double> milliseconds;
    size_t found = 0;
    for (const std::string &word : wordsOf(texts)) {
        const auto query = core::parseQuery(word);
        begin = Clock::now();
        const auto hits = core::searchIndex(*index, known, *query, { 100, 3 });
        milliseconds.push_back(secondsSince(begin) * 1000);
        found += hits ? hits->sessions.size() : 0;
    }
    report("  " + std::to_string(milliseconds.size()) + " searches for a word, p95, " + std::to_string(found)
            + " sessions found",
        fixed(p95(milliseconds), 1) + " ms", "below 50 ms", p95(milliseconds) < 50);
    const double memory = static_cast<double>(anonymousMemory()) / kMegabyte;
    report("  memory behind it", fixed(memory, 0) + " MB", "below 300 MB", memory < 300);
    uint64_t stored = 0;
    for (const auto &file : std::filesystem::directory_iterator(folder / "index"))
        stored += file.file_size();
    reference("  size of the index", fixed(static_cast<double>(stored) / kMegabyte, 0) + " MB");
}

} // namespace bench
