// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/folder/folder_model.h"
#include "ui/widgets/tick_box.h"

#include <QWidget>

#include <array>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QTextEdit;
class QPushButton;
class QVBoxLayout;

namespace ui {

/// The limits of a suggestion, the policies to choose from, and the suggestion itself in sentences from core, with
/// links to its worst runs.
class SuggestionView final : public QWidget {
    Q_OBJECT

public:
    explicit SuggestionView(FolderModel &model, QWidget *parent = nullptr);

Q_SIGNALS:
    void runRequested(const QString &file, uint thread);

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
    void fillPolicies();
    [[nodiscard]] QString policiesWords() const;
    void refresh();
    void refreshWorst();
    [[nodiscard]] QString words() const;
    void applyTheme();

    FolderModel &m_model;
    std::array<Field, 3> m_fields;
    TickBox *m_noBytes;
    QList<QLabel *> m_names;
    QPushButton *m_policies;
    QMenu *m_policyMenu;
    QPushButton *m_take;
    QTextEdit *m_text;
    QString m_words; ///< text of the suggestion
    std::array<QPushButton *, 3> m_worst {};
    QLabel *m_worstTitle;
};

} // namespace ui
