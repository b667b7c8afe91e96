// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/own_text.h"

namespace ui {

using namespace Qt::StringLiterals;

OwnText::OwnText(QWidget *parent)
    : ToggleButton(tr("Recorded Text"), Kind::Toggle, parent)
{
    setObjectName(u"recordedText"_s);
    setToolTip(tr("Shows the text in the session file. The array has the text that you wrote"));
    hide();
}

void OwnText::setBlock(const PlanHistory &plans, core::BlockId block)
{
    const std::string *text = block.isValid() ? plans.textOf(block) : nullptr;
    if (block != m_block || text == nullptr)
        setChecked(false);
    m_block = block;
    m_text = text != nullptr ? std::optional(*text) : std::nullopt;
    setVisible(m_text.has_value());
}

} // namespace ui
