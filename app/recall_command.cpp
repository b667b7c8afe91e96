// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/hook_input.h"
#include "core/findings/typed_recall.h"

#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "budget", "N", "how many tokens of messages to put back, estimated. Default: 2000" },
});

int runRecall(const Arguments &arguments)
{
    core::RecallLimits limits;
    if (const auto budget = arguments.value("budget")) {
        const auto number = parseNumber("budget", *budget);
        if (!number)
            return report(number.error());
        limits.tokens = static_cast<double>(*number);
    }
    const auto input = readHookInput(arguments);
    if (!input)
        return report(input.error());
    const auto session = readTranscript(*input);
    if (!session)
        return report(session.error());
    if (*session == nullptr)
        return Done;
    const core::TypedRecall typed = core::messagesToRecall(*session, input->promptId);
    return print(core::recalled(typed.messages, typed.cause, input->transcript, limits).text);
}

} // namespace

const Command kRecall { "recall", "[FILE]", 0, 1,
    "a hook: puts typed messages back into the context after a compaction", kOptions, runRecall, true };

} // namespace app
