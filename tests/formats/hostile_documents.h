// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace testing {

/// What another program or person wrote, other than a session: examples to damage, and what reads it. `fault` is empty
/// if the reader takes the document or refuses it with a sentence.
struct HostileKind {
    const char *name;
    std::vector<std::string> seeds;
    std::function<std::string(const std::string &document)> fault;
    size_t most = 16'384; ///< bytes of an input
};

[[nodiscard]] const std::vector<HostileKind> &hostileKinds();

} // namespace testing
