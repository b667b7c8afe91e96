// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/user_message.h"

#include <algorithm>
#include <array>

namespace core {

std::string_view withoutBlanks(std::string_view text)
{
    constexpr std::string_view kBlanks(" \t\r\n\0", 5);
    const size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::string_view typedPartOf(std::string_view text)
{
    struct Rejection {
        std::string_view begin;
        std::string_view said; ///< stands before what the person typed
    };
    static constexpr auto kRejections = std::to_array<Rejection>({
        { "The user doesn't want to proceed with this tool use.", "the user said:" },
        { "Permission for this tool use was denied.", "The user said:" }, // in a subagent
    });
    constexpr std::string_view kInterrupted = "[Request interrupted by user";
    constexpr std::string_view kArguments = "<command-args>";
    constexpr std::string_view kQueued = "The user sent a new message while you were working:";
    constexpr std::string_view kReminder = "\n\nIMPORTANT: ";
    constexpr size_t kHead = 100; ///< `<system-reminder>` stands before it
    for (const auto &[begin, said] : kRejections) {
        if (!text.starts_with(begin))
            continue;
        const size_t at = text.find(said);
        return at == std::string_view::npos ? std::string_view() : withoutBlanks(text.substr(at + said.size()));
    }
    if (const size_t queued = text.substr(0, kHead).find(kQueued); queued != std::string_view::npos) {
        const std::string_view rest = text.substr(queued + kQueued.size());
        return withoutBlanks(rest.substr(0, std::min(rest.rfind(kReminder), rest.find("</system-reminder>"))));
    }
    if (text.starts_with(kInterrupted))
        return withoutBlanks(text.substr(std::min(text.find(']'), text.size() - 1) + 1));
    const size_t begin = text.starts_with("<command-") ? text.find(kArguments) : std::string_view::npos;
    if (begin == std::string_view::npos)
        return {};
    const std::string_view rest = text.substr(begin + kArguments.size());
    return withoutBlanks(rest.substr(0, rest.find("</command-args>")));
}

} // namespace core
