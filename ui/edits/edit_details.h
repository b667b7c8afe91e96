// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_review.h"
#include "ui/hub/view_state.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace ui {

/// Details of an edit: its basis as recorded and under the plan, its state, and links to its slots in the array.
class EditDetails final : public QWidget {
    Q_OBJECT

public:
    EditDetails(ViewState &state, const EditReview &review, QWidget *parent = nullptr);

    void setEdit(std::optional<size_t> edit);
    /// Updates the details of the same edit when more is known.
    void refresh();
    void setTheme(const Theme &theme);
    /// With some room it leaves out the title, the later edits and the array, with little room the prompt, too.
    enum class Room : uint8_t { Full, Some, Little };
    void setRoom(Room room);

Q_SIGNALS:
    void messageChosen(core::MessageId message);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    enum Row { Prompt, OldText, UnderPlan, Later, Repository, Array, RowCount };

    /// Shows words with their `#n` as links; hides the row without words. `isHot` marks a row that needs attention.
    void setRow(Row row, const QString &words, bool isHot = false);
    void setName(Row row, const QString &name);
    /// The list above keeps its height from edit to edit: the details never become lower in the same width.
    void keepHeight();
    /// The newest message that the user typed before the edit.
    [[nodiscard]] QString promptWords() const;
    [[nodiscard]] QString laterWords() const;
    [[nodiscard]] QString repositoryWords() const;
    [[nodiscard]] QString arrayWords() const;

    ViewState &m_state;
    const EditReview &m_review;
    Theme m_theme = Theme::make(Appearance::Light);
    std::optional<size_t> m_edit;
    QLabel *m_title;
    Room m_room = Room::Full;
    std::array<QLabel *, RowCount> m_names {};
    std::array<QLabel *, RowCount> m_values {};
};

} // namespace ui
