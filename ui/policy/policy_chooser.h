// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"
#include "ui/look/theme.h"

#include <QComboBox>

#include <vector>

namespace ui {

/// The combo box of policies: as recorded, presets by their evidence, the user's own policies, and loaded ones.
class PolicyChooser final : public QComboBox {
    Q_OBJECT

public:
    explicit PolicyChooser(QWidget *parent = nullptr);

    /// Reloads the user's own policies.
    void fill();
    /// Sets the presets of the session's harness, which stand first.
    void setOfHarness(std::vector<core::PolicyPtr> presets);
    /// Sets the shown policy; nullptr as recorded. Adds it to the list if it is missing.
    void setPolicy(const core::PolicyPtr &policy);
    /// The policy of the list that the shown one began as; nullptr if they do not differ.
    [[nodiscard]] const core::PolicyPtr &editedFrom() const { return m_editedFrom; }
    void showPopup() override;
    void setTheme(const Theme &theme);

    /// Description, source and evidence of a policy.
    [[nodiscard]] static QString aboutText(const core::Policy &policy);
    /// The heading over the presets with this evidence.
    [[nodiscard]] static QString headingOf(const std::string &evidence);

Q_SIGNALS:
    /// The user chose a policy; nullptr as recorded.
    void chosen(const core::PolicyPtr &policy);

protected:
    void paintEvent(QPaintEvent *event) override;
    /// Ignored, so that the panel scrolls.
    void wheelEvent(QWheelEvent *event) override;

private:
    void addHeading(const QString &words);
    void add(const core::PolicyPtr &policy);

    std::vector<core::PolicyPtr> m_policies;  ///< indexed by an item's data
    std::vector<core::PolicyPtr> m_ofHarness; ///< presets of the session's harness
    Theme m_theme = Theme::make(Appearance::Light);
    core::PolicyPtr m_editedFrom;
};

} // namespace ui
