// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A block's text as later texts would quote it. Plain text stays; of JSON (tool arguments, content lists) the decoded
/// string values. If lines are numbered (`12→`, `12` and a tab, or grep's `12:`, `a.py:12:`, `a.py-12-`), the same text
/// without the numbers follows.
struct ShownText {
    std::string text;     ///< UTF-8; NUL between parts, so that no match spans two parts
    size_t bareBegin = 0; ///< where the part without line numbers begins; 0 if no line is numbered

    /// The text without line numbers.
    [[nodiscard]] std::string_view bare() const { return std::string_view(text).substr(bareBegin); }
};

/// Images, documents and encrypted blocks give an empty text. Costs O(body).
[[nodiscard]] ShownText shownText(const Session &session, const Block &block);

/// The non-empty texts that a call of an edit tool asks to replace, in order: `old_string` of Claude Code, `oldText` of
/// pi, `old_str` of the text editor tools, also inside lists of edits. Patches have none. Costs O(body).
[[nodiscard]] std::vector<std::string> oldTexts(const Session &session, const Block &call);

/// The text without the reminders that a harness put behind it.
[[nodiscard]] std::string_view withoutReminders(std::string_view text);

/// Calls `visit` with each line and its size in bytes, both without surrounding blanks and without the line feed.
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
