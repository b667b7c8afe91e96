// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/summary/note_pair.h"
#include "ui/summary/summary_call.h"
#include "ui/summary/summary_form.h"
#include "ui/text/text_content.h"
#include "ui/text/text_look.h"
#include "ui/widgets/wrapped_label.h"

#include <QDialog>

class QPushButton;
class QTabWidget;

namespace ui {

class TextSurface;

/// A request that is ready to be sent, and its texts as they are shown.
struct PreparedSummary {
    std::shared_ptr<const core::SummaryPlan> plan;
    TextContentPtr text;
    std::vector<TextMark> secrets;
};

/// Lets a model write the summary of the plan's policy. Shows what will be sent and where; only Send sends it. The note
/// can be edited. Use makes it the text of the policy's summary, as one undo step.
class SummaryDialog final : public QDialog {
    Q_OBJECT

public:
    explicit SummaryDialog(ViewState &state, QWidget *parent = nullptr);

    /// For tests: bounds of the request.
    void setLimits(const SummaryLimits &limits) { m_limits = limits; }
    /// Whether something is being computed or sent.
    [[nodiscard]] bool isBusy() const;
    void setTheme(const Theme &theme);

private:
    void followPlan();
    void prepare();
    void showRequest(const core::Result<PreparedSummary> &made);
    void send();
    void start(const core::Result<std::string> &key);
    void takeNote();
    void use();
    void refreshButtons();
    void say(const QString &sentence);

    ViewState &m_state;
    SummaryForm *m_form;
    WrappedLabel *m_facts;
    TextSurface *m_text;
    NotePair *m_notes;
    QTabWidget *m_pages;
    WrappedLabel *m_words;
    QPushButton *m_send;
    QPushButton *m_use;
    SummaryGround m_ground;
    std::shared_ptr<const core::SummaryPlan> m_plan; ///< what Send sends; null while it is being made
    std::shared_ptr<const core::SummaryPlan> m_sent; ///< what was sent last
    SummaryLimits m_limits;
    SummaryCall m_call;
    QTimer m_delay;
    Job<core::Result<PreparedSummary>> m_planning;
    Job<core::Result<std::string>> m_keyReading;
};

} // namespace ui
