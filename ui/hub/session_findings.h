// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/findings/findings.h"
#include "ui/hub/background_pool.h"
#include "ui/hub/job.h"

#include <QObject>

namespace ui {

class Workspace;

using FindingsPtr = std::shared_ptr<const core::Findings>;

/// The findings of the open session. Computed after the picture, and again when the tokens change.
class SessionFindings final : public QObject {
    Q_OBJECT

public:
    explicit SessionFindings(Workspace &workspace);
    ~SessionFindings() override;

    /// nullptr until computed.
    [[nodiscard]] const FindingsPtr &get() const { return m_findings; }
    /// For pictures and tests: waits until they are there.
    void waitForFindings() { m_find.wait(); }
    /// Asks the list of findings to show one, by its index in `Findings::findings`.
    void choose(size_t finding) { Q_EMIT chosen(finding); }

    /// Says that a link of a finding was followed to a compaction, so that views show what the finding is about.
    void follow(const core::Finding &finding, size_t compaction) { Q_EMIT followed(finding, compaction); }

Q_SIGNALS:
    void changed();
    void chosen(size_t finding);
    void followed(const core::Finding &finding, size_t compaction); ///< its number in the thread, from 1

private:
    void find();
    void keep();

    Workspace &m_workspace;
    FindingsPtr m_findings;
    BackgroundPool m_pool; ///< separate, so that replays and figures do not wait for it
    Job<FindingsPtr> m_find { &m_pool };
};

} // namespace ui
