// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A session in one line, for tests that need no file: `session("u:10 a:200 t:5000* a:70")`.
///
/// Items stand between blanks; each is one message, `#0`, `#1`, … in order. An item is one or more parts joined by `+`;
/// a part is a letter, `:`, a size in characters, and `*` if the test calls it hot. The first part says whose message
/// it is:
///
///     u  a text that the person typed        a  a text of the model
///     t  a tool result                       s  a text of the system
///     c  a tool call of the model            k  thinking of the model       i  an image of the user, size in bytes
///
/// A tool call is of tool `run`, its size is that of name and arguments and at least 20. A result answers the oldest
/// call that has none yet; where there is no call (`a:200 t:5000`), the model's message before it gets one, taken out
/// of its text, so that the message keeps its size; one without a text of 20 characters grows. Texts are words of
/// plain ASCII and the same for the same line; no two texts of 8 characters or more are equal unless their part ends in
/// `=n`: parts with the same n and size hold the same text (`t:500=1`). Calls are derived, one for each message of the
/// model. Sizes are pinned by tst_weights.
[[nodiscard]] SessionPtr session(std::string_view line);

/// The slots of the array at the end that hold a part marked `*`.
[[nodiscard]] std::vector<SlotIndex> markedSlots(std::string_view line);

/// A line for `session` with `messages` messages: turns of a person, a model that thinks and calls tools, and results,
/// sizes from 0 to 20,000 characters, most of them small.
[[nodiscard]] std::string randomLine(std::mt19937_64 &random, size_t messages);

/// The generator of a test's random cases: from PALIMPSEST_SEED, else a fixed seed.
[[nodiscard]] std::mt19937_64 seededRandom();

/// How many random cases a test draws: `few`, or ten times as many with PALIMPSEST_ALL_CASES (`packaging/dev test
/// --all`).
[[nodiscard]] int caseCount(int few);

} // namespace core
