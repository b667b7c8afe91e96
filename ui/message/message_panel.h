// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/panel.h"
#include "ui/hub/view_state.h"
#include "ui/message/block_calls.h"
#include "ui/message/block_tabs.h"
#include "ui/message/body_form.h"
#include "ui/message/image_view.h"
#include "ui/message/original_text.h"
#include "ui/message/own_text.h"
#include "ui/message/text_editor.h"
#include "ui/message/toggle_button.h"
#include "ui/message/whole_output.h"
#include "ui/text/text_surface.h"
#include "ui/widgets/facts_line.h"
#include "ui/widgets/segmented_control.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTimer>

#include <functional>
#include <optional>
#include <string>

namespace ui {

/// The body of the current block: label, size, and the text in a form that fits its kind, or its record as in the file.
/// Slots with several blocks have a row of tabs. Nothing in a body is executed or fetched.
class MessagePanel final : public Panel {
    Q_OBJECT

public:
    explicit MessagePanel(ViewState &state, QWidget *parent = nullptr);
    ~MessagePanel() override;

    [[nodiscard]] bool isRaw() const { return m_isRaw; }
    void setRaw(bool isRaw);
    /// The shown form; Empty while a large body is read.
    [[nodiscard]] FormKind form() const { return m_form.kind; }
    [[nodiscard]] TextSurface *surface() const { return m_surface; }
    /// The sentence that replaces a body; empty if a body is shown.
    [[nodiscard]] QString sentence() const
    {
        return m_stack->currentWidget() == m_sentence ? m_sentence->text() : QString();
    }

    /// Edits the text of the current block, or of the inserted message that was chosen; a notice says why not.
    void editText();
    /// Writes a message behind the current slot.
    void insertMessage();
    /// Opens the editor for a new message before the first of the array.
    void insertFirstMessage();
    [[nodiscard]] TextEditor *editor() const { return m_editor; }

    /// The context menu of the head and the block tabs.
    void setBlockActions(const QList<QAction *> &actions);

    void showForPicture(const QString &name) override { setRaw(name == QStringLiteral("raw")); }
    void waitForContent() override;

    /// Writes the exact bytes of the body, or of the record if that is shown, in a job. The panel shows errors. Never
    /// writes to a file of the session.
    void saveTo(const QString &path);
    void copyAll();

Q_SIGNALS:
    void contentShown();
    void saved(const QString &path);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    /// Inputs of a form; the form is kept while they are equal.
    struct Key {
        core::SourcePtr source; ///< kept alive, so that no other source gets the same address
        uint64_t offset = 0;
        uint64_t size = 0;
        core::BlockId block;
        std::string words;                        ///< kind, flags, tool, subject
        std::optional<core::SpilledOutput> whole; ///< shown instead
        std::optional<std::string> own;           ///< shown instead: the user's text
        bool isRaw = false;
        Indent indent = Indent::AsItStands;
        friend bool operator==(const Key &, const Key &) = default;
    };

    void makeHead();
    void connectMenus();
    void applyTheme();
    void refresh();
    void refreshHead();
    void chooseTab(core::BlockId block);
    void refreshTabs();
    void refreshBody();
    void refreshControls();
    void refreshFind();
    void takeForm(BodyForm form);
    void showPicture();
    void say(const QString &sentence);
    void tell(const QString &notice);
    void showEditor(const QString &whyNot);
    void chooseFile();
    [[nodiscard]] core::BlockId block() const;
    /// The block whose body is shown: `block()`, or what stands in its place after the compaction.
    [[nodiscard]] std::pair<core::SessionPtr, core::BlockId> bodyBlock() const;
    [[nodiscard]] Key key() const;
    /// The exact bytes of what is shown, for saving and copying. Any thread.
    [[nodiscard]] std::function<std::string()> bytesShown() const;
    [[nodiscard]] Indent indent() const { return m_isRaw ? m_rawIndent : m_bodyIndent; }

    ViewState &m_state;
    FactsLine *m_title = nullptr;
    FactsLine *m_facts = nullptr;
    BlockTabs *m_tabs = nullptr;
    QLabel *m_matchCount = nullptr;
    ToggleButton *m_previousMatch = nullptr;
    ToggleButton *m_nextMatch = nullptr;
    ToggleButton *m_edit = nullptr;
    WholeOutput *m_whole = nullptr;
    OwnText *m_own = nullptr;
    OriginalText *m_original = nullptr;
    ToggleButton *m_pretty = nullptr;
    ToggleButton *m_wrap = nullptr;
    SegmentedControl *m_bodyOrRaw = nullptr;
    QStackedWidget *m_stack = nullptr;
    TextSurface *m_surface = nullptr;
    ImageView *m_image = nullptr;
    QLabel *m_sentence = nullptr;
    TextEditor *m_editor = nullptr;
    QLabel *m_notice = nullptr;

    bool m_isRaw = false;
    bool m_wrapsProse = true;
    bool m_wrapsCode = false;
    Indent m_bodyIndent = Indent::Pretty;
    Indent m_rawIndent = Indent::AsItStands;
    std::optional<Key> m_shown;
    BodyForm m_form;
    std::vector<core::BlockId> m_tabBlocks;
    Job<BodyForm> m_formJob;
    Job<core::Result<MessagePicture>> m_pictureJob;
    Job<core::Result<void>> m_saveJob;
    QTimer m_busyTimer;
    BlockCalls m_calls;
};

} // namespace ui
