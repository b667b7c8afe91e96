// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/stage.h"
#include "ui/look/theme.h"

#include <QWidget>

namespace ui {

/// The parameters of one stage, each with its unit and range.
class ParameterForm final : public QWidget {
    Q_OBJECT

public:
    explicit ParameterForm(const core::StageKind &kind, QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    /// Shows the values of the stage; a text field with unconfirmed input keeps it.
    void setSpec(const core::StageSpec &spec);

Q_SIGNALS:
    /// `value` as `withStageSetting` parses it.
    void parameterChanged(const QString &name, const QString &value);

private:
    QWidget *makeEditor(const core::ParameterSpec &parameter);

    const core::StageKind &m_kind;
    bool m_isSetting = false;
    std::vector<QWidget *> m_editors; ///< by parameter
};

} // namespace ui
