// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json.h"
#include "core/session/session.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace core {

/// A place of a report where a text was masked, or looks as if it should be.
struct RedactedPlace {
    std::string place;         ///< `#42`, `edit 3 (#41)`, `findings`
    std::string rule;          ///< `password`, `home folder`
    std::string context;       ///< one line, masked
    bool isSuspicious = false; ///< it stays in the report; else it is masked
};

/// Masks what a report must not contain: secrets by the rules of `secretsIn`, and strings that the user names. Values
/// that a rule finds anywhere in the session are masked wherever they stand, also where a label cuts them.
class Redaction final {
public:
    /// Shorter values of a session are masked only where a rule finds them: they may be common words.
    static constexpr size_t kLeastValue = 8;

    explicit Redaction(std::vector<std::string> own = {});
    /// Takes the secrets of all texts of a session. O(texts).
    void learn(const Session &session);
    void learn(std::string_view text);

    /// The text with all secrets masked.
    [[nodiscard]] std::string masked(std::string_view text) const;
    /// The same for a text of the report: notes each mask at `place`, and what is suspicious in the rest.
    [[nodiscard]] std::string masked(std::string_view text, const std::string &place);
    /// All strings and names of members of a document.
    void mask(Json &document, const std::string &place);
    /// The places so far, in order; equal ones once.
    [[nodiscard]] const std::vector<RedactedPlace> &places() const { return m_places; }
    /// Where a rule or a value still matches in a finished file: as it is, with its markup and escapes undone, or with
    /// control and invisible characters left out. One sentence; nullopt if nothing matches.
    [[nodiscard]] std::optional<std::string> leakIn(std::string_view written) const;

private:
    /// Bytes `[begin, end)` of a text, and the rule that finds them.
    struct Hit {
        size_t begin = 0;
        size_t end = 0;
        std::string rule;
    };
    void addValue(std::string_view value, std::string_view rule);
    /// Whether the user's own strings count.
    enum class Own : uint8_t { Skipped, Found };
    void findValues(std::string_view text, Own own, std::vector<Hit> &hits) const;
    [[nodiscard]] std::vector<Hit> hitsIn(std::string_view text, Own own = Own::Found) const;
    void note(RedactedPlace place);
    /// What looks like a name, an address or a key of a shape that the rules do not know.
    void noteSuspicious(const std::string &masked, const std::string &place);

    std::vector<std::string> m_own;
    std::vector<std::pair<std::string, std::string>> m_values;  ///< value and rule
    std::unordered_map<uint64_t, std::vector<size_t>> m_byHead; ///< of `m_values`, by their first eight bytes
    std::vector<RedactedPlace> m_places;
    std::set<std::string> m_known; ///< the places and values so far
};

/// `3 places are masked: 2 password, 1 GitHub token. 4 places are suspicious.`
[[nodiscard]] std::string redactionSentence(const std::vector<RedactedPlace> &places);
/// For the terminal: a line for each place.
[[nodiscard]] std::string drawReview(const std::vector<RedactedPlace> &places);

} // namespace core
