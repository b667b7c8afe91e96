// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/sessions/session_library.h"

#include "ui/widgets/painted_accessible.h"

#include <QWidget>

#include <map>
#include <optional>

namespace ui {

/// What the calls of each of the last thirty days cost, as bars; without prices, how many calls there were. A click or
/// a drag chooses days; a click on chosen days takes the choice back. Left and Right choose another day, with Shift
/// more days.
class DayBars final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    static constexpr int kDays = 30;

    explicit DayBars(QWidget *parent = nullptr);

    void setTheme(const Theme &theme);
    void setContents(const LibraryListPtr &list);
    void setChosen(std::optional<std::pair<int, int>> days);
    /// `$412 in 30 days`
    [[nodiscard]] QString sumText() const;
    /// Says why the rows of the list sum to more; empty if no session has calls of an earlier one.
    [[nodiscard]] QString copiesText() const;
    [[nodiscard]] QString copiesTip() const;
    [[nodiscard]] QSize sizeHint() const override { return { 180, 58 }; }

    // PaintedItems: the days.
    [[nodiscard]] int itemCount() const override { return kDays; }
    [[nodiscard]] QString itemName(int item) const override { return dayText(dayOf(item)).section(u'\n', 0, 0); }
    [[nodiscard]] QString itemTip(int item) const override { return dayText(dayOf(item)); }
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override;
    void activateItem(int item) override;
    [[nodiscard]] int currentItem() const override;

Q_SIGNALS:
    void chosen(std::optional<std::pair<int, int>> days);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct Day {
        double cost = 0;
        uint64_t calls = 0;
        std::map<std::string, double> models;   ///< cost by model
        std::map<std::string, double> projects; ///< cost by working folder
    };
    [[nodiscard]] int dayAt(double x) const;
    [[nodiscard]] int dayOf(int item) const { return m_last - kDays + 1 + item; }
    void choose(std::optional<std::pair<int, int>> days);
    void extend(int days);
    void addCopies(const core::ListedSession &session);
    [[nodiscard]] double heightOf(const Day &day) const
    {
        return m_hasCosts ? day.cost : static_cast<double>(day.calls);
    }
    [[nodiscard]] QString dayText(int day) const;

    Theme m_theme = Theme::make(Appearance::Light);
    int m_last = 0; ///< the last day, as days since 1970
    std::map<int, Day> m_days;
    bool m_hasCosts = false;
    size_t m_copies = 0;     ///< sessions with calls of an earlier session in these days
    double m_copiedCost = 0; ///< of these calls
    std::optional<std::pair<int, int>> m_chosen;
    std::optional<int> m_pressed;
    bool m_isFreeing = false;
    int m_moved = 0; ///< the end of the chosen days that keys move
};

} // namespace ui
