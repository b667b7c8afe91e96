// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/diff/line_diff.h"
#include "ui/diff/change_map.h"
#include "ui/diff/diff_content.h"
#include "ui/diff/diff_sections.h"
#include "ui/hub/job.h"
#include "ui/look/theme.h"
#include "ui/text/text_surface.h"
#include "ui/widgets/segmented_control.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QToolButton;

namespace ui {

/// One of the two texts that a diff view compares.
struct DiffSide {
    QString title; ///< `before · #341`
    /// Reads the text; called once, on a worker thread. An error is shown in place of the diff. None: no text.
    std::function<core::Result<TextDocumentPtr>()> read;
    TextDocumentPtr document; ///< a text that is there already, in place of `read`

    [[nodiscard]] static DiffSide of(QString title, std::string text);
};

/// What a diff view shows.
struct DiffInput {
    DiffSide before;
    DiffSide after;
    /// Of both texts; with neither a definition nor a file name it is guessed from their beginning.
    TextLanguage language;
    /// Long lines are wrapped in the unified view.
    bool isProse = false;
    /// Reads several files in place of two texts, each compared for itself under a heading; called once, on a worker
    /// thread. The sides have titles only.
    std::function<core::Result<DiffTexts>()> readSections = {};
};

/// Which difference is gone to when a comparison is shown.
enum class DiffStart : uint8_t { First, Last };

/// Two texts and how they differ: side by side, old left and new right, or unified. Words that differ are marked,
/// unchanged parts are folded, and a map at the right edge shows where the differences are. Alt+Up and Alt+Down go from
/// one difference to the next. Texts are read and compared in a job unless they are small; the latest input wins.
class DiffView final : public QWidget {
    Q_OBJECT

public:
    /// Texts of together so many bytes are compared at once.
    static constexpr size_t kAtOnce = 64U << 10U;

    explicit DiffView(QWidget *parent = nullptr);
    ~DiffView() override;

    void setInput(DiffInput input, DiffStart start = DiffStart::First);
    /// Shows nothing.
    void clear();
    void setTheme(const Theme &theme);

    [[nodiscard]] DiffMode mode() const { return m_mode; }
    void setMode(DiffMode mode);
    [[nodiscard]] core::Whitespace whitespace() const { return m_whitespace; }
    void setWhitespace(core::Whitespace whitespace);

    /// Null until the texts are compared.
    [[nodiscard]] const std::shared_ptr<const core::LineDiff> &diff() const { return m_shown.diff; }
    [[nodiscard]] size_t differenceCount() const { return m_shown.diff ? m_shown.diff->differences.size() : 0; }
    /// The difference where the reader stands.
    [[nodiscard]] std::optional<size_t> currentDifference() const { return m_current; }
    void goTo(size_t difference) { arriveAt(difference, Arrival::Asked); }
    /// To the first difference of one of several files; stays where there is none.
    void goToFile(const std::string &fileName);
    /// False if there is no further difference; then an owner may go on with its next text (`ended`).
    bool nextDifference() { return step(1); }
    bool previousDifference() { return step(-1); }

    /// Side by side the one of the old text, or the one of the new text; unified both are the same.
    [[nodiscard]] TextSurface *beforeSurface() const;
    [[nodiscard]] TextSurface *afterSurface() const;
    [[nodiscard]] ChangeMap *map() const { return m_map; }
    /// "difference 2 of 3 · +4 −2", or the sentence that stands in place of the diff.
    [[nodiscard]] QString status() const;

    [[nodiscard]] bool isBusy() const;
    /// For pictures and tests: returns when everything is there.
    void finish();

    [[nodiscard]] QSize sizeHint() const override { return { 800, 300 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 360, 100 }; }

Q_SIGNALS:
    void compared(); ///< the texts of the latest input are shown
    void currentDifferenceChanged();
    void modeChanged();
    /// There is no further difference in this direction, 1 for down and -1 for up.
    void ended(int direction);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    /// What a job makes; values only.
    struct Shown {
        TextDocumentPtr before;
        TextDocumentPtr after;
        std::vector<DiffSection> sections;
        std::shared_ptr<const core::LineDiff> diff;
        TextLanguage language;
        DiffContents contents;
        std::string error;
    };
    struct Order;

    static void readTexts(const DiffInput &input, Shown &shown);
    [[nodiscard]] static Shown make(const Order &order, const core::Progress *progress);
    void makeHead();
    void connectSurface(TextSurface *surface);
    void compare(DiffStart start);
    /// Who opens a text reads its lines from their left edge; who asks for a difference is shown its first word.
    enum class Arrival : uint8_t { Opened, Asked };
    void take(Shown shown, std::optional<size_t> difference, Arrival arrival);
    void arriveAt(size_t difference, Arrival arrival);
    void layOut();
    void say(const QString &sentence);
    bool step(int direction);
    void setCurrent(std::optional<size_t> difference);
    void followCaret(const TextSurface *surface);
    void followScroll(TextSurface *leader);
    void followLayout();
    void scrollTo(size_t difference, Arrival arrival);
    void refreshMap();
    void refreshStatus();
    [[nodiscard]] QString nameOf(size_t difference) const;
    /// The status where there is little room: "2 of 3".
    [[nodiscard]] QString shortStatus() const;
    [[nodiscard]] size_t paneOf(const TextSurface *surface) const { return surface == m_surfaces[0] ? 0 : 1; }
    [[nodiscard]] size_t paneCount() const { return m_shown.contents.panes.size(); }
    /// The pane that has lines of a difference.
    [[nodiscard]] size_t paneWith(size_t difference) const;
    [[nodiscard]] std::array<QRect, 2> titleRects() const;
    [[nodiscard]] std::array<QString, 2> titles() const;

    Theme m_theme = Theme::make(Appearance::Light);
    DiffInput m_input;
    DiffMode m_mode = DiffMode::SideBySide;
    core::Whitespace m_whitespace = core::Whitespace::Exact;
    Shown m_shown;
    std::optional<size_t> m_current;
    bool m_isFollowing = false; ///< a surface is being moved by us

    std::array<TextSurface *, 2> m_surfaces {};
    ChangeMap *m_map = nullptr;
    QLabel *m_sentence = nullptr;
    QLabel *m_status = nullptr;
    QToolButton *m_previous = nullptr;
    QToolButton *m_next = nullptr;
    SegmentedControl *m_modes = nullptr;
    Job<Shown> m_job;
    QTimer m_busyTimer;
};

} // namespace ui
