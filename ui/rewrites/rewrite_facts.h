// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/recovery.h"
#include "ui/hub/job.h"
#include "ui/rewrites/rewrite_texts.h"

#include <QObject>
#include <QTimer>

#include <optional>

namespace ui {

/// Facts about one rewrite that take time to compute: the harness's artifact, and where the harness can get the text
/// back from.
class RewriteFactsFinder final : public QObject {
    Q_OBJECT

public:
    explicit RewriteFactsFinder(QObject *parent = nullptr);

    /// Sets another compaction. Looks for recoveries after a pause, and so not during a drag. Fills in the folder of
    /// `options`.
    void setCompaction(const core::CompactionPtr &compaction, const core::RecoveryOptions &options);
    /// Sets another rewrite; nullptr for none.
    void setRewrite(const core::Rewrite *rewrite);

    /// `artifact: …`, and for a rewritten block where the harness can get it back from; empty until the artifact is
    /// read.
    [[nodiscard]] QStringList words(const core::Rewrite &rewrite, int row) const;
    /// The artifact of the current rewrite is known.
    [[nodiscard]] bool isKnown() const { return m_facts.has_value(); }
    [[nodiscard]] bool isRunning() const;

Q_SIGNALS:
    void changed();

private:
    void look();
    [[nodiscard]] QString recoveryWords(size_t row) const;

    core::CompactionPtr m_compaction;
    core::RecoveryOptions m_options;
    std::optional<RewriteFacts> m_facts;
    std::optional<core::Recoveries> m_recoveries; ///< of all rewrites
    QTimer m_lookTimer;
    Job<core::Recoveries> m_looking;
    Job<RewriteFacts> m_reading;
};

} // namespace ui
