// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/show_drawing.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/visible.h"
#include "core/report/document_parts.h"
#include "core/report/head_line.h"
#include "core/session/earlier_messages.h"
#include "core/session/slot_label.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace core {

namespace {

using Colours = ShowDrawingOptions::Colours;

constexpr size_t kMinColumns = 40;
constexpr size_t kMaxProblems = 3;

/// The roles of colours; the first eight are the materials, in order.
enum class Ink : uint8_t { Text = kMaterialCount, Secondary, Accent, Hot };

Ink inkOf(Material material) { return static_cast<Ink>(material); }

/// The window's colours for terminals.
uint32_t colourOf(Ink ink, Colours colours)
{
    static constexpr std::array<std::array<uint32_t, 2>, kMaterialCount + 4> kInks { { { 0xE1E3DC, 0x56534D },
        { 0xC9C2BB, 0x77746D }, { 0x7AB698, 0x3F8A66 }, { 0xE6A381, 0xC7744F }, { 0xEED1F7, 0x8573B3 },
        { 0x7CBDDC, 0x3F87AD }, { 0xB9C4D0, 0x61707F }, { 0xECC97C, 0xC0932F }, { 0x1F2023, 0xE7E5E1 },
        { 0x6C6E73, 0x9A9CA1 }, { 0x2F66D0, 0x7AA5FF }, { 0xB3261E, 0xFF8A80 } } };
    return kInks[static_cast<size_t>(ink)][colours == Colours::OnDark ? 1 : 0];
}

std::string repeated(std::string_view sign, size_t count)
{
    std::string text;
    for (size_t i = 0; i < count; ++i)
        text += sign;
    return text;
}

/// `12 %`; a share that rounds to zero is `<1 %`.
std::string percent(double share)
{
    const auto rounded = std::lround(share * 100);
    return rounded == 0 && share > 0 ? "<1 %" : std::to_string(rounded) + " %";
}

/// A bar in eighths of a column; at least one eighth for a positive share.
std::string barOf(double share, size_t columns)
{
    static constexpr std::array<std::string_view, 8> kEighths { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
    if (share <= 0)
        return {};
    const auto eighths = std::max<size_t>(
        1, static_cast<size_t>(std::lround(std::min(share, 1.0) * static_cast<double>(columns) * 8)));
    return repeated("█", eighths / 8) + std::string(kEighths[eighths % 8]);
}

/// Cuts to `columns`; a path keeps its end, where paths differ.
std::string fittedSubject(const std::string &text, size_t columns)
{
    const bool isPath = text.find(' ') == std::string::npos && text.find('/') != std::string::npos;
    if (!isPath || columnsOf(text) <= columns)
        return fitted(text, columns);
    for (size_t slash = text.find('/', 1); slash != std::string::npos; slash = text.find('/', slash + 1)) {
        if (columnsOf(std::string_view(text).substr(slash)) + 1 <= columns)
            return "…" + text.substr(slash);
    }
    return fitted(text.substr(text.rfind('/') + 1), columns);
}

std::string hatchOf(double share, size_t columns, std::string_view sign)
{
    if (share <= 0)
        return {};
    return repeated(sign, std::max<size_t>(1, static_cast<size_t>(std::lround(share * static_cast<double>(columns)))));
}

/// Chooses the slots with a separate line; the others are folded by run. Runs do not cross the keep boundary.
std::vector<bool> chooseLines(const Shown &shown, const std::vector<double> &weights, size_t rows)
{
    const size_t count = weights.size();
    std::vector<bool> chosen(count, false);
    const auto isHidden = [&](size_t i, size_t neighbour) {
        const bool isSameSide = (i < shown.cutoff) == (neighbour < shown.cutoff);
        return neighbour < count && isSameSide && !chosen[neighbour];
    };
    const auto hiddenBeside
        = [&](size_t i) { return (i > 0 && isHidden(i, i - 1) ? 1U : 0U) + (isHidden(i, i + 1) ? 1U : 0U); };
    std::vector<size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](size_t a, size_t b) {
        const bool isHotA = shown.hot.of(SlotIndex(a)) != nullptr;
        const bool isHotB = shown.hot.of(SlotIndex(b)) != nullptr;
        return isHotA != isHotB ? isHotA : weights[a] > weights[b];
    });
    size_t lines = shown.cutoff > 0 && shown.cutoff < count ? 2 : 1;
    for (const size_t i : order) {
        // A separate line splits its run into none, one or two.
        const size_t more = hiddenBeside(i);
        if (lines + more > rows)
            continue;
        chosen[i] = true;
        lines += more;
    }
    for (size_t i = 0; i < count; ++i) {
        if (!chosen[i] && hiddenBeside(i) == 0)
            chosen[i] = true; // a run of one slot takes a line anyway
    }
    return chosen;
}

class Drawing final {
public:
    Drawing(const Shown &shown, const ShowDrawingOptions &options)
        : m_shown(shown)
        , m_session(*shown.session)
        , m_transcript(shown.transcript)
        , m_options(options)
        , m_columns(std::max(options.columns, kMinColumns))
    {
        for (const Slot &slot : m_transcript.slots())
            m_weights.push_back(m_shown.weights.of(m_transcript, slot));
        m_total = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    }

    std::string draw()
    {
        drawHead();
        drawCurve();
        drawPosition();
        layOut();
        line({});
        for (const Row &row : m_rows)
            drawRow(row);
        if (m_rows.empty())
            line({ { Ink::Secondary, "  The array is empty here." } });
        line({});
        drawMaterials();
        drawSavedTexts();
        drawProblems();
        return std::move(m_out);
    }

private:
    struct Span {
        Ink ink = Ink::Text;
        std::string text;
    };
    struct Row {
        enum class Kind : uint8_t { Slot, Fold, Prelude, Unlogged, Keep };
        Kind kind = Kind::Slot;
        size_t first = 0;
        size_t count = 1;
        double weight = 0;
        std::string text; ///< for rows other than slots
    };

    [[nodiscard]] bool isTokens() const { return m_shown.weights.unit() == WeightUnit::Tokens; }

    /// Writes one line without trailing blanks.
    void line(const std::vector<Span> &spans)
    {
        std::string text;
        for (const Span &span : spans) {
            const bool isPlain = m_options.colours == Colours::None || span.ink == Ink::Text
                || span.text.find_first_not_of(' ') == std::string::npos;
            if (isPlain) {
                text += span.text;
                continue;
            }
            const uint32_t colour = colourOf(span.ink, m_options.colours);
            text += formatted(
                "\x1b[38;2;{};{};{}m{}\x1b[0m", colour >> 16U, colour >> 8U & 0xFFU, colour & 0xFFU, span.text);
        }
        while (text.ends_with(' '))
            text.pop_back();
        m_out += text + "\n";
    }

    /// Writes facts joined by ` · `, on as many lines as needed.
    void facts(const std::string &text, Ink ink)
    {
        static constexpr std::string_view kJoint = " · ";
        std::string current;
        for (size_t at = 0; at <= text.size();) {
            const size_t end = std::min(text.find(kJoint, at), text.size());
            const std::string fact = text.substr(at, end - at);
            const bool fits = columnsOf(current) + kJoint.size() + columnsOf(fact) <= m_columns;
            if (!current.empty() && !fits) {
                line({ { ink, fitted(current, m_columns) } });
                current.clear();
            }
            current += (current.empty() ? "" : std::string(kJoint)) + fact;
            at = end + kJoint.size();
        }
        line({ { ink, fitted(current, m_columns) } });
    }

    void drawHead()
    {
        const HeadLine head = headLine(
            m_session, m_shown.position, *m_shown.weights.tokens(), *m_shown.threadSums, m_shown.userMessages);
        facts(visibleText(head.harness + (head.facts.empty() ? "" : " · " + head.facts)), Ink::Text);
        const std::string title = visibleText(snippet(m_shown.thread().title, 200));
        if (!title.empty())
            line({ { Ink::Secondary, fitted("“" + title, m_columns - 1) + "”" } });
    }

    /// The context curve: one character per call, or the highest of several; below it the compactions and the current
    /// call.
    void drawCurve()
    {
        static constexpr std::array<std::string_view, 8> kLevels { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
        const ArraySums &curve = *m_shown.threadSums;
        const size_t calls = curve.calls.size();
        if (calls < 2 || curve.peak <= 0)
            return;
        const std::string name = curve.recordedCount > 0 ? "context  " : "context, estimated  ";
        const size_t width = std::min(calls, m_columns - columnsOf(name) - 1);
        const auto columnOf = [&](size_t call) { return call * width / calls; };
        std::vector<double> peaks(width, 0.0);
        for (size_t i = 0; i < calls; ++i)
            peaks[columnOf(i)] = std::max(peaks[columnOf(i)], curve.calls[i].value());
        std::string teeth;
        for (const double peak : peaks)
            teeth += kLevels[std::min<size_t>(7, static_cast<size_t>(peak / curve.peak * 8))];
        line({ { Ink::Secondary, name }, { Ink::Accent, teeth } });

        // A compaction is marked behind the call before it.
        std::vector<std::string> marks(width + 1, " ");
        bool isMarked = false;
        const auto mark = [&](size_t column, const std::string &sign) {
            marks[std::min(column, width)] = sign;
            isMarked = true;
        };
        const auto &compactions = m_shown.thread().compactions;
        for (size_t i = 0; i < compactions.size(); ++i) {
            if (compactions[i].call.isValid())
                mark(columnOf(compactions[i].call.index()) + 1, i < 20 ? utf8Of(0x2460 + i) : "*");
        }
        mark(m_shown.position.isEnd() ? width : columnOf(m_shown.position.call.index()), "▲");
        if (isMarked) {
            std::string text;
            for (const std::string &sign : marks)
                text += sign;
            line({ { Ink::Secondary, std::string(columnsOf(name), ' ') + text } });
        }
    }

    static std::string utf8Of(size_t codePoint)
    {
        std::string text;
        appendUtf8(text, static_cast<uint32_t>(codePoint));
        return text;
    }

    void drawPosition()
    {
        const size_t calls = m_shown.thread().calls.size();
        std::string text = m_shown.position.isEnd()
            ? std::string("array at the end")
            : formatted("array at call {} (calls 0 to {})", m_shown.position.call.value(), calls - 1);
        text += " · " + counted(m_transcript.slotCount(), "slot");
        const ArraySum &sum = m_shown.sum();
        text += " · " + (isTokens() ? core::shown(sum.total()) : m_shown.weights.shown(m_total)) + " "
            + std::string(m_shown.weights.unitName());
        if (isTokens() && sum.isRecorded())
            text += " as recorded";
        else if (sum.recorded > 0)
            text += " · " + groupedNumber(static_cast<uint64_t>(sum.recorded)) + " tokens recorded";
        if (sum.isDoubtful)
            text += ", a figure in doubt: the next prompts are as large as before";
        if (const auto *compaction = compactionAfter(m_session, m_shown.position)) {
            text += " · compacted after it";
            const auto prompt = sum.isRecorded() ? std::optional(static_cast<uint64_t>(sum.recorded)) : std::nullopt;
            const auto before = prompt ? prompt : compaction->beforeTokens;
            if (before && compaction->afterTokens)
                text += ", " + groupedNumber(*before) + " → " + groupedNumber(*compaction->afterTokens);
            if (compaction->beforeTokens && before != compaction->beforeTokens)
                text += " (its record says " + groupedNumber(*compaction->beforeTokens) + ")";
        }
        facts(text, Ink::Text);
    }

    void addBefore()
    {
        if (const auto range = m_shown.prelude()) {
            Row row { Row::Kind::Prelude, 0, range->size(), 0, "prelude · recorded" };
            for (uint32_t i = range->begin; i < range->end; ++i)
                row.weight += m_shown.weights.of(m_session, BlockId(i));
            m_rows.push_back(row);
        } else if (isTokens() && m_shown.sum().prelude > 0) {
            m_rows.push_back({ Row::Kind::Prelude, 0, 0, m_shown.sum().prelude,
                hasEarlierMessages(m_session, m_shown.position) ? "prelude and earlier messages · not in the file"
                                                                : "prelude · not recorded" });
        }
        const double unlogged = m_shown.sum().unloggedWithFraming();
        if (isTokens() && unlogged >= 0.5)
            m_rows.push_back({ Row::Kind::Unlogged, 0, 0, unlogged, "unlogged · sent, not in the log" });
    }

    /// The parts beside the slots, so that the rows add up to the total.
    void addAfter()
    {
        if (!isTokens())
            return;
        const ArraySum &sum = m_shown.sum();
        if (sum.notSent >= 0.5)
            m_rows.push_back({ Row::Kind::Unlogged, 0, 0, -sum.notSent, notSentText() });
        if (std::abs(sum.remainder) >= 0.5)
            m_rows.push_back(
                { Row::Kind::Unlogged, 0, 0, sum.remainder, "remainder · recorded prompt minus the parts" });
    }

    [[nodiscard]] std::string notSentText() const
    {
        const auto &events = m_shown.threadSums->events;
        const auto last = std::ranges::find_if(events.rbegin(), events.rend(), [&](const SumEvent &event) {
            return (event.kind == SumEvent::Kind::Cleared || event.kind == SumEvent::Kind::Recorded)
                && (m_shown.position.isEnd() || event.call <= m_shown.position.call);
        });
        return "logged, not sent" + (last == events.rend() ? "" : " · from call " + std::to_string(last->call.value()));
    }

    /// Decides the content and column widths of each line.
    void layOut()
    {
        addBefore();
        const size_t slots = m_transcript.slotCount();
        const std::vector<bool> chosen = m_options.showsAll || slots <= m_options.rows
            ? std::vector<bool>(slots, true)
            : chooseLines(m_shown, m_weights, m_options.rows);
        for (size_t i = 0; i < slots; ++i) {
            if (i == m_shown.cutoff)
                m_rows.push_back(keepRow());
            const bool continues = !chosen[i] && i > 0 && !chosen[i - 1] && i != m_shown.cutoff;
            if (continues) {
                ++m_rows.back().count;
                m_rows.back().weight += m_weights[i];
            } else {
                m_rows.push_back({ chosen[i] ? Row::Kind::Slot : Row::Kind::Fold, i, 1, m_weights[i], {} });
            }
        }
        if (slots > 0 && m_shown.cutoff >= slots)
            m_rows.push_back(keepRow());
        addAfter();
        for (const Row &row : m_rows) {
            m_scale = std::max(m_scale, std::abs(row.weight));
            if (row.kind != Row::Kind::Keep)
                m_weightWidth = std::max(m_weightWidth, columnsOf(weightText(row)));
        }
        const size_t last = slots == 0 ? 0 : slots - 1;
        m_indexWidth = std::to_string(last).size() + 2;
        for (const Row &row : m_rows) {
            if (row.kind == Row::Kind::Slot)
                m_idWidth = std::max(m_idWidth, idText(row).size());
        }
        const size_t left = 2 + m_indexWidth + 1 + m_idWidth + 1;
        // The rest of the width is for text; if that is little, the bar shrinks first.
        const size_t fixed = left + 3 + 1 + m_weightWidth;
        const size_t free = std::max<size_t>(m_columns, fixed + 8) - fixed;
        m_barWidth
            = std::max<size_t>(4, std::min({ size_t(60), m_columns * 28 / 100, free - std::min<size_t>(free, 12) }));
        m_textWidth = std::max<size_t>(4, free - m_barWidth);
    }

    [[nodiscard]] Row keepRow() const
    {
        const size_t kept = m_transcript.slotCount() - std::min(m_shown.cutoff, m_transcript.slotCount());
        double weight = 0;
        for (size_t i = m_shown.cutoff; i < m_weights.size(); ++i)
            weight += m_weights[i];
        const std::string what = kept == 0 ? "nothing"
            : kept == 1                    ? "the last slot, "
                                           : "the last " + counted(kept, "slot") + ", ";
        return { Row::Kind::Keep, 0, 0, 0,
            "keep " + m_shown.keep.words() + ": " + what + (kept == 0 ? "" : m_shown.weights.shown(weight)) };
    }

    [[nodiscard]] std::string idText(const Row &row) const
    {
        return "#" + std::to_string(m_transcript.slots()[row.first].id.value());
    }

    [[nodiscard]] std::string weightText(const Row &row) const
    {
        const bool isEstimate = row.kind == Row::Kind::Unlogged || (row.kind == Row::Kind::Prelude && row.count == 0);
        if (isEstimate)
            return core::shown(TokenFigure { row.weight, Basis::Estimated });
        if (row.kind != Row::Kind::Slot)
            return m_shown.weights.shown(row.weight);
        return m_shown.weights.shown(row.weight, m_transcript.blocksOf(m_transcript.slots()[row.first]));
    }

    void drawRow(const Row &row)
    {
        const double share = m_scale > 0 ? std::abs(row.weight) / m_scale : 0;
        const std::string weight = paddedLeft(weightText(row), m_weightWidth);
        const std::string noIndex(m_indexWidth + 1 + m_idWidth + 1, ' ');
        const auto withBar = [&](const Span &text, const std::string &bar, Ink ink) {
            line({ { Ink::Text, "  " + noIndex }, { text.ink, padded(fitted(text.text, m_textWidth), m_textWidth) },
                { ink, "   " + padded(bar, m_barWidth) + " " }, { Ink::Text, weight } });
        };
        switch (row.kind) {
        case Row::Kind::Slot:
            drawSlot(row, share, weight);
            return;
        case Row::Kind::Fold:
            withBar({ Ink::Secondary, "… " + counted(row.count, "slot") + foldedRoles(row) },
                hatchOf(share, m_barWidth, "▒"), Ink::Secondary);
            return;
        case Row::Kind::Prelude:
        case Row::Kind::Unlogged:
            withBar({ Ink::Secondary, row.text }, hatchOf(share, m_barWidth, "░"), Ink::Secondary);
            return;
        case Row::Kind::Keep: {
            const std::string text = fitted(row.text, m_columns - 6);
            line({ { Ink::Accent, "──── " + text + " " + repeated("─", m_columns - 6 - columnsOf(text)) } });
            return;
        }
        }
    }

    void drawSlot(const Row &row, double share, const std::string &weight)
    {
        const Slot &slot = m_transcript.slots()[row.first];
        const SlotLabel label = labelOf(m_transcript, slot);
        const HotBlock *hot = m_shown.hot.of(SlotIndex(row.first));
        const Material material = materialOf(m_transcript, slot);
        const std::string what = fitted(visibleText(label.text()), m_textWidth);
        const std::string more = visibleText(hot != nullptr ? hot->reason : label.subject);
        const size_t used = columnsOf(what) + 2;
        const std::string rest
            = used + 4 > m_textWidth || more.empty() ? std::string() : "  " + fittedSubject(more, m_textWidth - used);
        const std::string pad(m_textWidth - columnsOf(what) - columnsOf(rest), ' ');
        line({ { Ink::Hot, hot != nullptr ? "▌ " : "  " },
            { Ink::Secondary,
                paddedLeft("[" + std::to_string(row.first) + "]", m_indexWidth) + " " + padded(idText(row), m_idWidth)
                    + " " },
            { Ink::Text, what }, { hot != nullptr ? Ink::Hot : Ink::Secondary, rest },
            { Ink::Secondary, pad + " " + std::string(wordsOf(material).letter) + " " },
            { inkOf(material), padded(barOf(share, m_barWidth), m_barWidth) + " " }, { Ink::Text, weight } });
    }

    /// `: 17 model, 17 tool`
    [[nodiscard]] std::string foldedRoles(const Row &row) const
    {
        std::array<size_t, 4> counts {};
        for (size_t i = row.first; i < row.first + row.count; ++i) {
            const Slot &slot = m_transcript.slots()[i];
            const auto blocks = m_transcript.blocksOf(slot);
            const bool holdsResult = std::ranges::any_of(
                blocks, [&](BlockId id) { return m_session.block(id).kind == BlockKind::ToolResult; });
            const Role role = slot.role == Role::User && holdsResult ? Role::Tool : slot.role;
            ++counts[static_cast<size_t>(role)];
        }
        std::string text;
        for (size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] > 0)
                text += (text.empty() ? ": " : ", ") + groupedNumber(counts[i]) + " "
                    + std::string(nameOf(static_cast<Role>(i)));
        }
        return text;
    }

    /// The materials of the array by block, heaviest first.
    void drawMaterials()
    {
        std::array<double, kMaterialCount> sums {};
        for (const BlockId id : m_transcript.blocks())
            sums[static_cast<size_t>(materialOf(m_session, m_session.block(id)))] += m_shown.weights.of(m_session, id);
        std::vector<Material> order;
        for (size_t i = 0; i < kMaterialCount; ++i) {
            if (sums[i] > 0)
                order.push_back(static_cast<Material>(i));
        }
        std::ranges::stable_sort(
            order, std::greater {}, [&](Material each) { return sums[static_cast<size_t>(each)]; });
        constexpr size_t kName = 19;
        const size_t fixed = 4 + kName + m_weightWidth + 8;
        const size_t barWidth = std::min(m_barWidth, m_columns > fixed ? m_columns - fixed : 0);
        for (const Material material : order) {
            const double sum = sums[static_cast<size_t>(material)];
            const MaterialName words = wordsOf(material);
            line({ { Ink::Secondary, "  " + std::string(words.letter) + " " },
                { Ink::Text, padded(std::string(words.name), kName) },
                { Ink::Text, paddedLeft(m_shown.weights.shown(sum), m_weightWidth) },
                { Ink::Secondary, paddedLeft(percent(sum / m_total), 6) + (barWidth > 0 ? "  " : "") },
                { inkOf(material), barWidth > 0 ? barOf(sum / m_total, barWidth) : std::string() } });
        }
        const Shown::Sums totals = m_shown.totals();
        const Weights tokens(m_shown.weights.tokens(), WeightUnit::Tokens);
        facts("  " + tokens.shown(totals.tokens, m_transcript.blocks()) + " tokens in all · "
                + counted(totals.lengths.codePoints, "character") + " · " + counted(totals.lengths.bytes, "byte"),
            Ink::Secondary);
    }

    void drawSavedTexts()
    {
        if (m_session.savedTexts.empty())
            return;
        const std::vector<SavedText> &saved = m_session.savedTexts;
        line({});
        line({ { Ink::Secondary, "  The file also holds " + counted(saved.size(), "artifact") + ":" } });
        for (size_t i = 0; i < std::min(saved.size(), kMaxProblems); ++i) {
            const std::string size = counted(saved[i].body.lengths.bytes, "byte");
            line({ { Ink::Secondary, fitted("    " + visibleText(saved[i].name) + "  " + size, m_columns) } });
        }
        if (saved.size() > kMaxProblems)
            line({ { Ink::Secondary,
                "    and " + groupedNumber(saved.size() - kMaxProblems) + " more; --json lists them all" } });
    }

    void drawProblems()
    {
        const auto &diagnostics = m_session.diagnostics;
        if (diagnostics.empty())
            return;
        line({});
        for (size_t i = 0; i < std::min(diagnostics.size(), kMaxProblems); ++i) {
            const Diagnostic &each = diagnostics[i];
            const std::string place = each.line > 0 ? "line " + groupedNumber(each.line) + ": " : std::string();
            line({ { each.severity == Severity::Warning ? Ink::Hot : Ink::Secondary,
                fitted((each.severity == Severity::Warning ? "! " : "  ") + place + visibleText(each.reason),
                    m_columns) } });
        }
        if (diagnostics.size() > kMaxProblems)
            line({ { Ink::Secondary,
                "  and " + groupedNumber(diagnostics.size() - kMaxProblems) + " more; --json lists them all" } });
    }

    const Shown &m_shown;
    const Session &m_session;
    const Transcript &m_transcript;
    const ShowDrawingOptions &m_options;
    size_t m_columns;
    std::vector<double> m_weights; ///< by slot
    double m_total = 0;
    std::vector<Row> m_rows;
    double m_scale = 0; ///< weight of a full bar
    size_t m_weightWidth = 0;
    size_t m_indexWidth = 0;
    size_t m_idWidth = 0;
    size_t m_barWidth = 0;
    size_t m_textWidth = 0;
    std::string m_out;
};

} // namespace

MaterialName wordsOf(Material material)
{
    static constexpr std::array<MaterialName, kMaterialCount> kNames { { { "p", "prose" }, { "r", "tool calls" },
        { "b", "files and output" }, { "a", "arguments" }, { "t", "thinking" }, { "i", "images" }, { "s", "harness" },
        { "Σ", "summaries" } } };
    return kNames[static_cast<size_t>(material)];
}

std::string drawShow(const Shown &shown, const ShowDrawingOptions &options) { return Drawing(shown, options).draw(); }

} // namespace core
