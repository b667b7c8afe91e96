// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/spilled_output.h"
#include "ui/message/toggle_button.h"

namespace ui {

/// The button that shows a tool output as the harness saved it, in place of the part that it sent. Hidden where the
/// block names no such file.
class WholeOutput final : public ToggleButton {
    Q_OBJECT

public:
    explicit WholeOutput(QWidget *parent);

    /// Sets the block. Switches the button off for another block: the block is shown as it was sent.
    void setBlock(const core::SessionPtr &session, core::BlockId block);
    /// Size of the file.
    [[nodiscard]] uint64_t bytes() const { return m_output ? m_output->bytes : 0; }
    /// The file to show; empty if the block is shown as it was sent.
    [[nodiscard]] std::string shownFile() const { return m_output && isChecked() ? m_output->file : std::string(); }

private:
    core::SessionPtr m_session;
    core::BlockId m_block;
    std::optional<core::SpilledOutput> m_output;
};

} // namespace ui
