// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/import_lines.h"

#include "core/evidence/shown_text.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

/// `"os/exec"` or `git "example.com/git"`: a line in the brackets of a Go import.
bool isGoPath(std::string_view line)
{
    const size_t quote = line.find('"');
    if (quote == std::string_view::npos || line.size() < quote + 3 || !line.ends_with('"'))
        return false;
    const std::string_view name = line.substr(0, quote);
    const std::string_view path = line.substr(quote + 1, line.size() - quote - 2);
    const bool isNamed = name.ends_with(' ') && name.find(' ') == name.size() - 1
        && name.find_first_of("=:([{,") == std::string_view::npos && name != "return ";
    return (name.empty() || isNamed) && std::ranges::all_of(path, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || std::string_view("./_-~").contains(c);
    });
}

} // namespace

bool isImportLine(std::string_view line)
{
    static constexpr auto kBeginnings = std::to_array<std::string_view>({ "import ", "import(", "import\t", "#include",
        "package ", "require ", "require(", "require_once ", "require_relative ", "extern crate ", "} from " });
    if (std::ranges::any_of(kBeginnings, [&](std::string_view each) { return line.starts_with(each); }))
        return true;
    const bool isStatement = line.ends_with(';') && (line.starts_with("use ") || line.starts_with("using "));
    const bool isPython = line.starts_with("from ") && line.contains(" import ");
    return isStatement || isPython || line.contains(" = require(") || isGoPath(line);
}

bool areImportLines(std::string_view text)
{
    bool hasSome = false;
    bool areAll = true;
    forEachTrimmedLine(text, [&](std::string_view line) {
        hasSome = hasSome || !line.empty();
        areAll = areAll && (line.empty() || isImportLine(line));
    });
    return hasSome && areAll;
}

} // namespace core
