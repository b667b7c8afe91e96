// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace testing {

/// A whole file to make damaged ones from.
struct MutationSeed {
    std::string name;
    std::string text;
};

/// The samples of the repository, and the files of the corpus and of earlier faults where there are any and they are
/// wanted. Their long strings are cut and their ends are closed, so that `most` bytes hold much structure.
[[nodiscard]] std::vector<MutationSeed> mutationSeeds(size_t most, bool isWithCorpus = true);

/// Makes damaged session files: one to eight changes to one of the seeds. Structure is damaged as such: keys, values,
/// elements and lines are exchanged, dropped, repeated and nested, and stay well-formed JSON. Bytes are damaged, too.
/// Equal seeds and numbers give equal files.
class Mutator final {
public:
    explicit Mutator(std::vector<MutationSeed> seeds)
        : m_seeds(std::move(seeds))
    {
    }

    struct Input {
        std::string name; ///< of the file it is made from, and its number
        std::string text;
    };
    /// Input `number` of the run that starts from `seed`, of at most `most` bytes.
    [[nodiscard]] Input make(uint64_t seed, size_t number, size_t most) const;
    /// One to eight changes to a text that is like the seeds.
    [[nodiscard]] std::string damaged(std::string text, std::mt19937_64 &random, size_t most) const;

private:
    std::vector<MutationSeed> m_seeds;
};

} // namespace testing
