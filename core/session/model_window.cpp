// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/model_window.h"

namespace core {

std::optional<uint64_t> knownWindow(std::string_view model)
{
    if (model.contains("[1m]"))
        return 1'000'000;
    if (model.contains("claude"))
        return 200'000;
    if (model.starts_with("gpt-5"))
        return 272'000;
    if (model.starts_with("gpt-4.1"))
        return 1'047'576;
    if (model.starts_with("gpt-4o"))
        return 128'000;
    if (model.starts_with("o3") || model.starts_with("o4") || model.starts_with("o1"))
        return 200'000;
    if (model.starts_with("gemini-")) // tokenLimits.ts of Gemini CLI
        return 1'048'576;
    return std::nullopt;
}

} // namespace core
