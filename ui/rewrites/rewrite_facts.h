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

/// Facts about one rewrite that take time to find: the artifact that the harness keeps, and the places from which the
/// harness can have the text back.
class RewriteFactsFinder final : public QObject {
    Q_OBJECT

public:
    explicit RewriteFactsFinder(QObject *parent = nullptr);

    /// Another compaction is shown. Its recoveries are looked for after a moment of stillness, so not for the plans of
    /// a drag. `options` say from where; their folder is filled in here.
    void setCompaction(const core::CompactionPtr &compaction, const core::RecoveryOptions &options);
    /// Another rewrite is shown; nullptr for none.
    void setRewrite(const core::Rewrite *rewrite);

    /// `artifact: …`, and for a rewritten block where it can be had back; empty until the artifact is read.
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
