// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"
#include "ui/look/theme.h"

#include <QComboBox>

#include <vector>

namespace ui {

/// The list of policies: as recorded, presets by their evidence, own policies, and others that were loaded.
class PolicyChooser final : public QComboBox {
    Q_OBJECT

public:
    explicit PolicyChooser(QWidget *parent = nullptr);

    /// Reads the own policies anew.
    void fill();
    /// The shown policy, nullptr as recorded. Adds one that is not in the list.
    void setPolicy(const core::PolicyPtr &policy);
    /// The shown policy differs from the one of that name in the list.
    [[nodiscard]] bool isEdited() const { return m_isEdited; }
    void setTheme(const Theme &theme);

    /// Description, source and evidence of a policy.
    [[nodiscard]] static QString aboutText(const core::Policy &policy);

Q_SIGNALS:
    /// A person chose a policy; nullptr as recorded.
    void chosen(const core::PolicyPtr &policy);

protected:
    void paintEvent(QPaintEvent *event) override;
    /// Ignores it: the panel scrolls.
    void wheelEvent(QWheelEvent *event) override;

private:
    void addHeading(const QString &words);
    void add(const core::PolicyPtr &policy);
    [[nodiscard]] static QString headingOf(const std::string &evidence);

    std::vector<core::PolicyPtr> m_policies; ///< by the data of an item
    Theme m_theme = Theme::make(Appearance::Light);
    bool m_isEdited = false;
};

} // namespace ui
