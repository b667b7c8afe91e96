// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string>
#include <vector>

namespace testing {

inline std::string joined(const std::vector<std::string> &parts, const std::string &between = ", ")
{
    std::string text;
    for (size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : between) + parts[i];
    return text;
}

} // namespace testing
