// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace core {

enum class FactKind : uint8_t {
    Path,   ///< `core/session.h`, `session.h`, a URL
    Name,   ///< a code-shaped name: `findUses`, `max_tokens`
    Number, ///< three digits or more: `155,023`, `v2.1.7`, `#1234`
};

/// A piece of a text that another text either has, too, or does not know: no model is needed to compare them.
struct Fact {
    FactKind kind = FactKind::Path;
    std::string text;
};

/// The facts of a text, each once, in order. A path with a line number (`a.cpp:12`) is one without it. Words of a
/// sentence, versions such as `1.2`, and list numbers are no facts.
[[nodiscard]] std::vector<Fact> factsOf(std::string_view text);

/// Collects texts and says which facts they hold.
class FactFinder final {
public:
    /// Costs O(text).
    void read(std::string_view text);
    /// Whether a text that was read holds the fact between characters that are no part of a word. The last part of a
    /// path is enough, and thousands separators do not matter.
    [[nodiscard]] bool holds(const Fact &fact) const;

private:
    std::vector<std::string> m_texts; ///< lower-case
};

} // namespace core
