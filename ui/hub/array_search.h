// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QString>

#include <vector>

namespace ui {

class Workspace;

/// Finds the slots of an array in which a block, or the name of its tool, contains a text. Case-insensitive for ASCII.
class ArraySearch final : public QObject {
    Q_OBJECT

public:
    explicit ArraySearch(Workspace &workspace)
        : m_workspace(workspace)
    {
    }

    [[nodiscard]] const QString &text() const { return m_text; }
    /// Ascending; results of the search before while a search runs.
    [[nodiscard]] const std::vector<core::SlotIndex> &matches() const { return m_matches; }

    /// Searches the array in a job. Without text or session there are no matches.
    void search(const QString &text, const core::Transcript &array);

Q_SIGNALS:
    void changed(); ///< a search ended

private:
    Workspace &m_workspace;
    QString m_text;
    std::vector<core::SlotIndex> m_matches;
    Job<std::vector<core::SlotIndex>> m_job;
};

} // namespace ui
