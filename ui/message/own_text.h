// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/plan_history.h"
#include "ui/message/toggle_button.h"

#include <optional>
#include <string>

namespace ui {

/// The button that shows the recorded text of a block that the user gave another text. Without it the text of the user
/// is shown, as the array of the plan has it. Hidden for other blocks.
class OwnText final : public ToggleButton {
    Q_OBJECT

public:
    explicit OwnText(QWidget *parent);

    /// Reads the plan. Switches the button off for another block.
    void setBlock(const PlanHistory &plans, core::BlockId block);
    /// The text to show; nullopt if it is the recorded one.
    [[nodiscard]] std::optional<std::string> shown() const { return isChecked() ? std::nullopt : m_text; }

private:
    core::BlockId m_block;
    std::optional<std::string> m_text; ///< that the user wrote
};

} // namespace ui
