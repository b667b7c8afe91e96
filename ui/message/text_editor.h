// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QPlainTextEdit>
#include <QWidget>

#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QToolButton;

namespace ui {

/// Writes another text for a block, or a message after it, into the plan: one undo step each. Apply (Ctrl+Enter) does
/// so, Discard (Esc) does not. Text goes in and out byte for byte, except line ends of several kinds, which become line
/// feeds.
class TextEditor final : public QWidget {
    Q_OBJECT

public:
    explicit TextEditor(ViewState &state, QWidget *parent = nullptr);

    /// Longer texts are not edited here: the field would block the window.
    static constexpr uint64_t kMostBytes = 1U << 20U;

    /// Opens with the block's text as the plan has it. Returns a sentence instead if the block cannot be edited.
    [[nodiscard]] QString edit(core::BlockId block);
    /// Opens for a new message after the message of the block. Returns a sentence instead if none can be inserted
    /// there.
    [[nodiscard]] QString insertBehind(core::BlockId block);
    /// Opens for a new first message of the array.
    void insertAtStart();
    /// Opens with the text and role of a message that the plan inserts.
    void editInsertion(const core::TextInsertion &insertion);
    [[nodiscard]] bool isOpen() const { return m_session != nullptr; }
    /// Whether it was opened while this block of the current session was shown.
    [[nodiscard]] bool isOpenFor(core::BlockId block) const
    {
        return isOpen() && m_shown == block && m_session == m_state.session();
    }

    /// Whether the text of this block, or this inserted message, is being edited.
    [[nodiscard]] bool isEditing(core::BlockId block) const
    {
        return isOpenFor(m_shown) && !m_isNew && m_block == block;
    }
    [[nodiscard]] bool isEditing(const core::TextInsertion &insertion) const
    {
        return isOpenFor(m_shown) && m_isNew && m_edited == insertion;
    }

    /// Writes the text into the plan and closes. Stays open with a sentence if a provider would refuse the text.
    void apply();
    void discard();
    /// Call before the panel shows or edits something else: applies the changed text if it is valid, else discards it.
    void leave();

    void setTheme(const Theme &theme);

    /// Small: the panel must not grow for an editor that is not open.
    [[nodiscard]] QSize minimumSizeHint() const override { return { 120, 60 }; }

Q_SIGNALS:
    void closed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void open(core::BlockId block, const std::string &text, const QString &words);
    void openInsertion(const core::TextInsertion &insertion, const QString &words);
    void close();
    [[nodiscard]] std::string text() const;
    [[nodiscard]] core::Role role() const;
    /// Why the text is not valid; empty if it is.
    [[nodiscard]] QString fault() const;

    ViewState &m_state;
    QLabel *m_words;
    QComboBox *m_role;
    QLabel *m_fault;
    QToolButton *m_apply;
    QToolButton *m_discard;
    QPlainTextEdit *m_field;
    core::SessionPtr m_session;                  ///< of the blocks; nullptr: closed
    core::BlockId m_shown;                       ///< the current block when it was opened
    core::BlockId m_block;                       ///< invalid: before the first message
    bool m_isNew = false;                        ///< a message behind the block
    std::optional<core::TextInsertion> m_edited; ///< the inserted message that is edited
    bool m_endsInReturns = false;                ///< every line of the recorded text ends with CR LF
};

} // namespace ui
