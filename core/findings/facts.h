// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace core {

enum class FactKind : uint8_t {
    Path,   ///< `core/session.h`, `session.h`, a URL
    Name,   ///< a code-shaped name: `findUses`, `max_tokens`
    Number, ///< three digits or more: `155,023`, `v2.1.7`, `#1234`
    // Whole lines, which `factsOf` skips:
    Error,      ///< `error: no such file`, `--- FAIL: TestParse`, `ValueError: bad input`
    Constraint, ///< a sentence with "must" or "should not" in it, or a clause that begins with "never", "do not", "no"
    Task,       ///< an item of a list below "Pending Tasks", "Next Steps", "TODO", or `- [ ] an item`
};
inline constexpr size_t kFactKindCount = static_cast<size_t>(FactKind::Task) + 1;

/// A piece of a text that another text either contains or does not. Comparing needs no model.
struct Fact {
    FactKind kind = FactKind::Path;
    std::string text;
};

/// The facts of a text, each once, in order. A path with a line number (`a.cpp:12`) becomes the path alone. Words of a
/// sentence, members of objects (`entry.total`), versions such as `1.2`, and list numbers are not facts.
[[nodiscard]] std::vector<Fact> factsOf(std::string_view text);

/// The lines of a text that report an error, each once. For the output of commands: code and prose have such lines,
/// too.
[[nodiscard]] std::vector<Fact> errorsOf(std::string_view text);
/// The constraints in a text that a person or a summary wrote, each once. Questions and lines of code are not
/// constraints.
[[nodiscard]] std::vector<Fact> constraintsOf(std::string_view text);
/// The open tasks in a text that a person or a summary wrote, each once. Ticked items are not open.
[[nodiscard]] std::vector<Fact> tasksOf(std::string_view text);

/// The key that equal facts share; for a path its last part, in lower case.
[[nodiscard]] std::string keyOf(const Fact &fact);

/// Collects texts and says which facts they hold.
class FactFinder final {
public:
    /// Costs O(text).
    void read(std::string_view text);
    /// Whether one of the texts contains the fact, between characters that are not part of a word. The last part of a
    /// path is enough, and thousands separators do not matter. A line must be there word for word; blanks and capitals
    /// do not matter.
    [[nodiscard]] bool holds(const Fact &fact) const;

private:
    std::vector<std::string> m_texts;       ///< lower-case
    std::unordered_set<std::string> m_keys; ///< of the facts in the texts: found without a search
};

} // namespace core
