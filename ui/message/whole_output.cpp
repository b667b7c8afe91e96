// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/whole_output.h"

#include <QLocale>

namespace ui {

using namespace Qt::StringLiterals;

WholeOutput::WholeOutput(QWidget *parent)
    : ToggleButton(tr("Whole Output"), Kind::Toggle, parent)
{
    setObjectName(u"wholeOutput"_s);
    hide();
}

void WholeOutput::setBlock(const core::SessionPtr &session, core::BlockId block)
{
    if (session == m_session && block == m_block)
        return;
    m_session = session;
    m_block = block;
    m_output = session && block.isValid() ? core::spilledOutput(*session, block) : std::nullopt;
    setChecked(false);
    setVisible(m_output.has_value());
    setEnabled(m_output && m_output->isThere());
    if (!m_output)
        return;
    const QString path = displayText(m_output->path);
    const QString size = QLocale().formattedDataSize(static_cast<qint64>(m_output->bytes));
    setToolTip(toolTipText(m_output->saved
            ? tr("Shows the %1 that the session file holds as the artifact %2. The call sent a part of it.")
                  .arg(size, path)
            : m_output->file.empty()
            ? tr("The harness saved the whole output in a file that is not beside this session: %1").arg(path)
            : tr("Shows the %1 that the harness saved in %2. The call sent a part of it.")
                  .arg(size, displayText(m_output->file))));
}

} // namespace ui
