// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder/folder_model.h"
#include "ui/widgets/tick_box.h"

#include <QWidget>

#include <array>

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QTextEdit;
class QPushButton;
class QVBoxLayout;

namespace ui {

/// The limits of a suggestion, the policies to choose from, and the suggestion in sentences from core: the answer, the
/// statistics when asked for, and links to its worst runs.
class SuggestionView final : public QWidget {
    Q_OBJECT

public:
    explicit SuggestionView(FolderModel &model, QWidget *parent = nullptr);

    /// All its sentences; until there is one, what it waits for.
    [[nodiscard]] const QString &answer() const { return m_answer; }
    /// Whether the answer is shown somewhere else: then this view has only the details.
    void setAnswerElsewhere(bool isElsewhere);

Q_SIGNALS:
    void answerChanged();
    void runRequested(const QString &file, uint thread);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    /// A numeric limit; an empty field sets none.
    struct Field {
        core::SweepMetric metric = core::SweepMetric::LostUses;
        QString unit;
        QLineEdit *edit = nullptr;
    };
    [[nodiscard]] QVBoxLayout *makeLimits();
    [[nodiscard]] QHBoxLayout *makeWorst();
    void applyLimits();
    /// In empty fields, the limits that apply.
    void showUsualLimits();
    void fillPolicies();
    [[nodiscard]] QString policiesWords() const;
    void refresh();
    void refreshWorst();
    /// Hides the runs that have no room.
    void fitWorst();
    /// The words as long as there is no answer.
    [[nodiscard]] QString stateWords() const;
    /// The first sentences; the statistics below them.
    [[nodiscard]] QString answerWords(const core::PolicyChoice &made) const;
    [[nodiscard]] QString statisticsWords(const core::PolicyChoice &made) const;
    void showText(const QString &answer, const QString &statistics);
    void applyTheme();

    FolderModel &m_model;
    std::array<Field, 3> m_fields;
    TickBox *m_noBytes;
    QList<QLabel *> m_names;
    QPushButton *m_policies;
    QMenu *m_policyMenu;
    QPushButton *m_take;
    QTextEdit *m_text;
    QPushButton *m_statistics; ///< checked while the statistics are shown
    bool m_isAnswerElsewhere = false;
    QString m_answer; ///< as shown
    QString m_shownStatistics;
    std::array<QPushButton *, 3> m_worst {};
    QBoxLayout *m_parts; ///< the limits, and the sentences
    QLabel *m_worstTitle;
};

} // namespace ui
