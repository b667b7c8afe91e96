// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What a block shows to whoever reads it, as later texts would quote it: a text as it stands; of JSON (tool arguments,
/// lists of content) the strings that are values, decoded; where lines are numbered (`12→`, `12` and a tab, and what
/// grep writes: `12:`, `a.py:12:`, `a.py-12-`), behind that the same without the numbers.
struct ShownText {
    std::string text;     ///< UTF-8; NUL between parts, so that nothing is found across them
    size_t bareBegin = 0; ///< where the part without line numbers begins; 0 where no line is numbered

    /// The lines without numbers.
    [[nodiscard]] std::string_view bare() const { return std::string_view(text).substr(bareBegin); }
};

/// Images, documents and what is encrypted show nothing. Costs O(body).
[[nodiscard]] ShownText shownText(const Session &session, const Block &block);

/// The texts that a call of an edit tool asks to replace, in order, empty ones left out: `old_string` of Claude Code,
/// `oldText` of pi, `old_str` of the text editor tools, also within lists of edits. Patches name none. Costs O(body).
[[nodiscard]] std::vector<std::string> oldTexts(const Session &session, const Block &call);

/// Calls `visit` with each line and its number of bytes without the blanks around it, line feeds left out.
template <typename Visitor>
void forEachTrimmedLine(std::string_view text, const Visitor &visit)
{
    while (!text.empty()) {
        const size_t end = text.find_first_of(std::string_view("\n\0", 2));
        std::string_view line = text.substr(0, end);
        const size_t first = line.find_first_not_of(" \t\r");
        line = first == std::string_view::npos ? std::string_view() : line.substr(first);
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
        visit(line);
        if (end == std::string_view::npos)
            return;
        text.remove_prefix(end + 1);
    }
}

} // namespace core
