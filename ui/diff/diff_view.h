// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/diff/change_map.h"
#include "ui/diff/compared_texts.h"
#include "ui/diff/diff_matches.h"
#include "ui/hub/job.h"
#include "ui/look/theme.h"
#include "ui/text/text_surface.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <optional>
#include <vector>

class QLabel;

namespace ui {

class DiffHead;

/// The current difference when a comparison is first shown.
enum class DiffStart : uint8_t { First, Last };

/// Shows two texts and their differences: side by side (old left, new right) or unified, a single text always unified.
/// Differing words are marked, unchanged parts are folded, and a map at the right edge shows the positions of the
/// differences. Alt+Up and Alt+Down go to the next difference. Small texts are compared at once, others in a job; the
/// latest input wins.
class DiffView final : public QWidget {
    Q_OBJECT

public:
    /// Texts with at most this many bytes together are compared at once.
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

    /// nullptr until the texts are compared.
    [[nodiscard]] const std::shared_ptr<const core::LineDiff> &diff() const { return m_shown.diff; }
    [[nodiscard]] size_t differenceCount() const { return m_shown.differenceCount(); }
    [[nodiscard]] std::optional<size_t> currentDifference() const { return m_current; }
    void goTo(size_t difference) { arriveAt(difference, Arrival::Asked); }
    /// Goes to the first difference of one of several files; does nothing if there is none.
    void goToFile(const std::string &fileName);
    /// The name of the file in sight, in the row above the texts; empty unless there are several.
    [[nodiscard]] QString shownFile() const;
    /// Returns false if there is no further difference; then the owner can go to its next text (`ended`).
    bool nextDifference() { return step(1); }
    bool previousDifference() { return step(-1); }

    /// Marks the texts in the lines that are shown (`diffMatches`) and goes to the first match. While a search is on,
    /// the next input opens at its first match (going backwards: at its last). Empty: ends the search.
    void setFind(std::vector<core::Needle> needles);
    [[nodiscard]] const std::vector<DiffMatch> &matches() const { return m_find.matches; }
    [[nodiscard]] std::optional<size_t> currentMatch() const { return m_find.current; }
    void goToMatch(size_t match);
    /// Returns false if there is no further match in this direction, 1 for down and -1 for up.
    bool stepMatch(int direction);

    /// The surface of the old or new text; unified both are the same surface.
    [[nodiscard]] TextSurface *beforeSurface() const;
    [[nodiscard]] TextSurface *afterSurface() const;
    [[nodiscard]] ChangeMap *map() const { return m_map; }
    /// `difference 2 of 3 · +4 −2`, or the sentence that replaces the diff.
    [[nodiscard]] QString status() const;

    [[nodiscard]] bool isBusy() const;
    /// For pictures and tests: waits for all jobs.
    void finish();

    [[nodiscard]] QSize sizeHint() const override { return { 800, 300 }; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 360, 100 }; }

Q_SIGNALS:
    void compared(); ///< the texts of the latest input are shown
    void currentDifferenceChanged();
    void modeChanged();
    void matchesChanged(); ///< the matches or the current one
    /// There is no further difference in this direction, 1 for down and -1 for up.
    void ended(int direction);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void connectSurface(TextSurface *surface);
    void compare(DiffStart start);
    /// An opened text is scrolled to the left edge; a requested difference to its first word.
    enum class Arrival : uint8_t { Opened, Asked };
    void apply(ComparedTexts shown, std::optional<size_t> difference, Arrival arrival, DiffStart start);
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
    /// Of several files the one whose differences are at the top of the view; empty for one.
    [[nodiscard]] QString fileInSight() const;
    void refreshStatus();
    /// True if the texts are compared and no sentence replaces them.
    [[nodiscard]] bool isShown() const;
    /// Then goes to the first or last match, if asked to.
    void findMatches(std::optional<DiffStart> start);
    void takeMatches(std::vector<DiffMatch> matches, std::optional<DiffStart> start);
    void markMatches();
    void forgetMatches();
    [[nodiscard]] TextSurface *surfaceOf(size_t pane) const { return m_surfaces[paneCount() == 1 ? 1 : pane]; }
    [[nodiscard]] size_t paneOf(const TextSurface *surface) const { return surface == m_surfaces[0] ? 0 : 1; }
    [[nodiscard]] size_t paneCount() const { return m_shown.contents.panes.size(); }
    /// The pane with the lines of a difference.
    [[nodiscard]] size_t paneWith(size_t difference) const;
    [[nodiscard]] std::array<QString, 2> titles() const { return { m_input.before.title, m_input.after.title }; }

    Theme m_theme = Theme::make(Appearance::Light);
    DiffInput m_input;
    DiffMode m_mode = DiffMode::SideBySide;
    core::Whitespace m_whitespace = core::Whitespace::Exact;
    ComparedTexts m_shown;
    std::optional<size_t> m_current;
    bool m_isFollowing = false; ///< we are scrolling a surface to follow the other

    struct Find {
        std::vector<core::Needle> needles;
        std::vector<DiffMatch> matches;
        std::optional<size_t> current; ///< index of the current match
        Job<std::vector<DiffMatch>> job;
    };
    Find m_find;

    DiffHead *m_head;
    std::array<TextSurface *, 2> m_surfaces {};
    ChangeMap *m_map = nullptr;
    QLabel *m_sentence = nullptr;
    Job<ComparedTexts> m_job;
    QTimer m_busyTimer;
};

} // namespace ui
