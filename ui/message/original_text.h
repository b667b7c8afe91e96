// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"
#include "ui/message/toggle_button.h"

namespace ui {

/// The button that changes between the recorded text of the current block (pressed) and the text that stands in its
/// place in the `after` array. Hidden if the array has no other text for the block.
class OriginalText final : public ToggleButton {
    Q_OBJECT

public:
    OriginalText(ViewState &state, QWidget *parent);

    /// Reads the view state.
    void refresh();

private:
    ViewState &m_state;
};

/// The word for what the compaction did to the block, and both sizes, if the panel shows the text after it; else empty.
[[nodiscard]] QString changeWords(const ViewState &state, core::BlockId block);
/// Where a block that only the `after` array has comes from: what the policy wrote, or put back beside its summary.
[[nodiscard]] QString addedWords(const ArrayPicture &picture, core::BlockId block);

} // namespace ui
