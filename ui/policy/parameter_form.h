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
    /// Shows the values of the stage, but not in a field that has the focus.
    void setSpec(const core::StageSpec &spec);

Q_SIGNALS:
    /// A value as `withStageSetting` reads it.
    void parameterChanged(const QString &name, const QString &value);

private:
    QWidget *makeEditor(const core::ParameterSpec &parameter);

    const core::StageKind &m_kind;
    bool m_isSetting = false;
    std::vector<QWidget *> m_editors; ///< one for each parameter
};

} // namespace ui
