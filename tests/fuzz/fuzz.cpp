// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT
//
// The program of `packaging/dev fuzz`. PALIMPSEST_FUZZ names the target. `palimpsest_fuzz --prepare FOLDER` writes the
// seeds of all targets, a dictionary for them, and the list of targets.

#include "tests/formats/fuzz_targets.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <string_view>

namespace {

namespace fs = std::filesystem;

const testing::FuzzTarget *target = nullptr;

/// Damages the structure of texts; none where the inputs are binary.
std::optional<testing::Mutator> structure;

/// The names of members in a text.
void addKeys(std::string_view text, std::set<std::string> &keys)
{
    constexpr size_t kLongest = 40;
    for (size_t end = text.find("\":"); end != std::string_view::npos; end = text.find("\":", end + 2)) {
        const size_t quote = end == 0 ? std::string_view::npos : text.rfind('"', end - 1);
        const std::string_view key = quote == std::string_view::npos ? "" : text.substr(quote + 1, end - quote - 1);
        const bool isPlain = std::ranges::all_of(key, [](char c) { return c > ' ' && c < '\x7f' && c != '\\'; });
        if (!key.empty() && key.size() < kLongest && isPlain)
            keys.emplace(key);
    }
}

void prepare(const fs::path &folder)
{
    std::set<std::string> keys;
    fs::create_directories(folder);
    std::ofstream names(folder / "targets");
    for (const testing::FuzzTarget &each : testing::fuzzTargets()) {
        names << each.name << ' ' << each.most << '\n';
        const fs::path seeds = folder / "seeds" / each.name;
        fs::create_directories(seeds);
        for (size_t i = 0; i < each.seeds.size(); ++i) {
            std::ofstream(seeds / std::to_string(i), std::ios::binary) << each.seeds[i];
            addKeys(each.seeds[i], keys);
        }
    }
    std::ofstream dictionary(folder / "keys.dict");
    for (const std::string &key : keys)
        dictionary << "\"\\\"" << key << "\\\":\"\n";
}

} // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    if (*argc == 3 && std::string_view((*argv)[1]) == "--prepare") {
        prepare((*argv)[2]);
        std::exit(0); // NOLINT(concurrency-mt-unsafe)
    }
    const char *name = std::getenv("PALIMPSEST_FUZZ"); // NOLINT(concurrency-mt-unsafe)
    for (const testing::FuzzTarget &each : testing::fuzzTargets()) {
        if (name != nullptr && each.name == name)
            target = &each;
    }
    if (target == nullptr) {
        std::fputs("PALIMPSEST_FUZZ names no target.\n", stderr);
        std::exit(2); // NOLINT(concurrency-mt-unsafe)
    }
    if (std::ranges::none_of(target->seeds, [](const std::string &seed) { return seed.contains('\0'); }))
        structure = testing::mutatorOf(*target);
    return 0;
}

/// Every second change is one of libFuzzer's own, to bytes.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed)
{
    std::mt19937_64 random(seed);
    if (!structure || random() % 2 == 0)
        return LLVMFuzzerMutate(data, size, most);
    const std::string text = structure->damaged(std::string(reinterpret_cast<const char *>(data), size), random, most);
    if (text.empty())
        return LLVMFuzzerMutate(data, size, most);
    std::ranges::copy(text, data);
    return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const std::string fault = target->fault(std::string(reinterpret_cast<const char *>(data), size));
    if (!fault.empty()) {
        std::fprintf(stderr, "Fault: %s\n", fault.c_str());
        std::abort();
    }
    return 0;
}
