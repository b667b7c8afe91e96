// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/search/needle.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// One condition of a filter line.
struct QueryTerm {
    enum class Key : uint8_t { Text, Role, Tool, Kind, File, Tokens, Call, Number, Error, Typed, Lost, Hot };
    enum class Compare : uint8_t { Less, LessOrEqual, Equal, GreaterOrEqual, Greater };

    Key key = Key::Text;
    bool isNegated = false;
    std::string value;                    ///< as written, without quotes
    std::shared_ptr<const Needle> needle; ///< of Text and File
    uint8_t choice = 0;                   ///< of Role and Kind: the place in its list of values
    Compare compare = Compare::Equal;     ///< of Tokens and Call
    double number = 0;                    ///< of Tokens, Call and Number
};

/// A parsed filter line: a block matches if all terms do. Without a term nothing matches.
struct Query {
    std::vector<QueryTerm> terms;

    [[nodiscard]] bool isEmpty() const { return terms.empty(); }
    /// The first text that a hit contains; nullptr if the query asks for none.
    [[nodiscard]] const Needle *firstText() const;
    [[nodiscard]] bool reads(QueryTerm::Key key) const;
};

/// Parses `role:tool tool:Bash error tokens>2k text:"…" call>100 lost`. Fails with Usage and one sentence, which says
/// the position in characters, from 1.
[[nodiscard]] Result<Query> parseQuery(std::string_view line);

/// The line with a term more, such as `tool:Bash`, or `-tool:Bash` to leave out what it finds. If the line has the term
/// already, with a minus or without, it is moved to the end.
[[nodiscard]] std::string withTerm(std::string_view line, std::string_view term, bool isNegated);

/// The line with its texts as one phrase, in the place of the first: `stable typed link` becomes `"stable link" typed`.
/// The line itself if it has fewer than two texts, a mistake, or a text with a quotation mark.
[[nodiscard]] std::string withPhrase(std::string_view line);

/// A word that begins a term of a filter line, and what the term finds. For completion and help.
struct QueryWord {
    std::string_view word;     ///< `role:`, `tokens>`, `lost`
    std::string_view sentence; ///< what it finds
};
[[nodiscard]] std::span<const QueryWord> queryWords();

/// The values of `role:` and `kind:`; empty for other words.
[[nodiscard]] std::span<const std::string_view> queryValues(std::string_view word);

} // namespace core
