// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/findings_report.h"
#include "ui/hub/session_findings.h"
#include "ui/look/theme.h"

#include <QAbstractTableModel>

namespace ui {

/// The findings of a session as a table, the most important first: those of the list, or the smaller ones.
class FindingsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Where, Tokens, Money, Help, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setFindings(FindingsPtr findings);
    /// Shows the findings that are too small for the list, instead of the list.
    void setShowsSmaller(bool showsSmaller);
    [[nodiscard]] bool showsSmaller() const { return m_showsSmaller; }
    void setTheme(const Theme &theme) { m_theme = theme; }

    [[nodiscard]] const core::Finding &finding(int row) const;
    /// The parts of the text of `Where`.
    [[nodiscard]] std::vector<core::WhereSegment> segments(int row) const;
    [[nodiscard]] QColor rankColour(int row) const;
    [[nodiscard]] static bool isFigure(int column) { return column == Tokens || column == Money; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString tip(int row, int column) const;

    [[nodiscard]] const std::vector<core::Finding> &list() const
    {
        return m_showsSmaller ? m_findings->smaller : m_findings->findings;
    }

    FindingsPtr m_findings;
    bool m_showsSmaller = false;
    Theme m_theme = Theme::make(Appearance::Light);
};

} // namespace ui
