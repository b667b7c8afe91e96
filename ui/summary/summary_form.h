// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/summary/summary_plan.h"
#include "ui/summary/summary_key.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace ui {

/// Who writes the note, and what it is to hold. The settings remember API, address, model and the name of the key's
/// variable; they never hold a key.
class SummaryForm final : public QWidget {
    Q_OBJECT

public:
    /// Begins with the template of the policy's harness.
    explicit SummaryForm(std::string_view policy, QWidget *parent = nullptr);

    [[nodiscard]] core::SummaryChoice choice() const;
    [[nodiscard]] SummaryKeySource keySource() const;
    void remember() const;

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] core::SummaryApi api() const;
    void takeTemplate();
    void showDefaults();

    QComboBox *m_api;
    QLineEdit *m_model;
    QLineEdit *m_address;
    QLineEdit *m_variable;
    QComboBox *m_template;
    QPlainTextEdit *m_instruction;
    QCheckBox *m_sendsSecrets;
};

} // namespace ui
