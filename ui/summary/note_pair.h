// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/summary_report.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"

#include <QTimer>
#include <QWidget>

class QPlainTextEdit;
class QTableWidget;

namespace ui {

/// The compaction whose summary is written, with all that is needed to make it again with another note.
struct SummaryGround {
    core::CompactionPtr compaction; ///< nullptr if no policy acts
    core::CompactOptions options;
    core::BlockTokensPtr counted; ///< of the session
    std::shared_ptr<const core::Prices> prices;

    [[nodiscard]] static SummaryGround of(const ViewState &state);
    /// The summary as the compaction has it.
    [[nodiscard]] std::string currentNote() const;
};

/// Two notes side by side: the summary as it is, and the note of a model, which can be edited. A table below says how
/// much of the removed messages the array holds with each of them.
class NotePair final : public QWidget {
    Q_OBJECT

public:
    explicit NotePair(QWidget *parent = nullptr);

    void setGround(const SummaryGround &ground);
    void clearNote();
    void addText(const QString &text);
    void setEditable(bool isEditable);
    void setNote(const QString &text);
    [[nodiscard]] QString note() const;
    [[nodiscard]] bool isComparing() const { return m_job.isRunning() || m_delay.isActive(); }

Q_SIGNALS:
    void noteChanged();
    void compared();

private:
    void compare();
    void showCoverage(const std::vector<core::NoteCoverage> &notes);

    SummaryGround m_ground;
    QPlainTextEdit *m_current;
    QPlainTextEdit *m_note;
    QTableWidget *m_table;
    QTimer m_delay;
    Job<core::Result<std::vector<core::NoteCoverage>>> m_job;
};

} // namespace ui
