// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "tests/formats/mutation.h"

#include <functional>
#include <string>
#include <vector>

namespace testing {

/// Something that reads bytes of others: what libFuzzer and the test of its findings call.
struct FuzzTarget {
    std::string name;
    std::vector<std::string> seeds;
    /// What is wrong with what is made of the bytes; empty if nothing is.
    std::function<std::string(const std::string &bytes)> fault;
    size_t most = 16'384; ///< bytes of an input
};

/// A target for each reader of sessions, for each kind of hostile document, and for what lies beneath and above them:
/// packed files, databases, images, diffs, terminal colours, the masks of reports, the index.
[[nodiscard]] const std::vector<FuzzTarget> &fuzzTargets();

/// Damages inputs of a target as if they were text.
[[nodiscard]] Mutator mutatorOf(const FuzzTarget &target);

} // namespace testing
