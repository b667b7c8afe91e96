// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"
#include "ui/message/block_calls.h"
#include "ui/message/body_form.h"
#include "ui/widgets/facts_line.h"

#include <vector>

namespace ui {

/// The blocks of the slot that holds the shown block, in order; empty if it is in neither array.
[[nodiscard]] std::vector<core::BlockId> blocksBeside(const ViewState &state, core::BlockId id);

/// Its places in the array and in the session, and what it is: `[12] #340 result Bash  make test`.
[[nodiscard]] std::vector<FactsLine::Part> blockTitle(const ViewState &state, core::BlockId id);

/// The size of a block in each unit, the chosen unit first.
[[nodiscard]] std::vector<FactsLine::Part> blockSizes(const ViewState &state, core::BlockId block);

/// The line below the title: all that is known of the block, and its sizes except the first, which is in the title.
[[nodiscard]] std::vector<FactsLine::Part> blockFacts(const ViewState &state, core::BlockId id,
    const BlockCalls::Count &calls, const std::vector<FactsLine::Part> &sizeParts);

/// The sentence that stands in place of a body; empty for a body that is shown as text or picture. `file` is that of a
/// whole output.
[[nodiscard]] QString bodySentence(
    const BodyForm &form, const core::Session &session, core::BlockId id, bool isRaw, std::string_view file);

} // namespace ui
