// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/spilled_output.h"
#include "ui/message/toggle_button.h"

namespace ui {

/// The button that shows a tool output as the harness saved it, in place of the part that it sent. Hidden where the
/// block names no such file or artifact.
class WholeOutput final : public ToggleButton {
    Q_OBJECT

public:
    explicit WholeOutput(QWidget *parent);

    /// Sets the block. Switches the button off for another block: the block is shown as it was sent.
    void setBlock(const core::SessionPtr &session, core::BlockId block);
    /// What to show; nullopt if the block is shown as it was sent.
    [[nodiscard]] std::optional<core::SpilledOutput> shown() const { return isChecked() ? m_output : std::nullopt; }

private:
    core::SessionPtr m_session;
    core::BlockId m_block;
    std::optional<core::SpilledOutput> m_output;
};

} // namespace ui
