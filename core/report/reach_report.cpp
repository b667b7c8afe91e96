// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/reach_report.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/report/document_parts.h"
#include "core/report/json_lines.h"
#include "core/tokens/weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace core {

namespace {

constexpr double kMostUses = 0.95; ///< largest share of uses for which a keep is shown
constexpr auto kTold = std::to_array<double>({ 5e3, 10e3, 20e3, 40e3, 80e3 });

/// Rounds shares for documents: further digits would exceed the number of uses.
double rounded(double share) { return std::round(share * 1e4) / 1e4; }

std::string tokensText(double tokens) { return shown({ tokens, Basis::Estimated }); }

constexpr std::string_view kReachSchema = "palimpsest.reach_session/1";
constexpr std::array kKinds { UseKind::Quote, UseKind::Repeat, UseKind::SameCall, UseKind::Name };

/// The two halves of a hash, as hexadecimal numbers.
std::string hexOf(Hash hash) { return formatted("{:016x}{:016x}", hash.high, hash.low); }

Hash hashOfHex(const std::string &text)
{
    constexpr size_t kHalf = 16;
    if (text.size() != 2 * kHalf || text.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw std::invalid_argument("a hash");
    return { std::stoull(text.substr(kHalf), nullptr, 16), std::stoull(text.substr(0, kHalf), nullptr, 16) };
}

bool counts(const SessionReach &session) { return session.reach.useCount() >= ReachSummary::kFewestUses; }

/// Draws the curves as a grid of characters: a column per step; the median covers the spread, which covers single
/// sessions.
class ReachChart final {
public:
    explicit ReachChart(const ReachSummary &summary)
        : m_cells(kRows + 1, std::vector<std::string>(kReachSteps, " "))
    {
        const auto steps = reachSteps();
        const auto spread = summary.spread();
        const bool isOne = summary.sessionCount() == 1;
        for (size_t i = 0; i < kReachSteps; ++i) {
            for (size_t row = rowOf(spread.high[i]); row <= rowOf(spread.low[i]) && !isOne; ++row)
                m_cells[row][i] = "░";
            for (const SessionReach &each : summary.sessions) {
                if (counts(each))
                    m_cells[rowOf(each.reach.shareWithin(steps[i]))][i] = "·";
            }
            m_cells[rowOf(spread.median[i])][i] = "●";
        }
    }

    [[nodiscard]] std::string text() const
    {
        std::string text;
        for (size_t row = 0; row <= kRows; ++row) {
            const bool isNamed = row % 5 == 0;
            text += formatted("  {:>5} ", isNamed ? wholeShareText(1 - static_cast<double>(row) / kRows) : "");
            for (const std::string &cell : m_cells[row])
                text += cell;
            text.erase(text.find_last_not_of(' ') + 1);
            text += "\n";
        }
        return text + "        " + axis() + "\n";
    }

private:
    static constexpr size_t kRows = 20;

    [[nodiscard]] static size_t rowOf(double share)
    {
        return kRows - static_cast<size_t>(std::lround(std::clamp(share, 0.0, 1.0) * kRows));
    }
    /// Labels such as `5k` below their step.
    [[nodiscard]] static std::string axis()
    {
        const auto steps = reachSteps();
        std::string text(kReachSteps + 8, ' ');
        for (const double tokens : kTold) {
            const auto at = static_cast<size_t>(std::ranges::find(steps, tokens) - steps.begin());
            const std::string name = std::to_string(static_cast<int>(tokens / 1000)) + "k";
            text.replace(at, name.size(), name);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text + " tokens back";
    }

    std::vector<std::vector<std::string>> m_cells; ///< rows from 100 % down, by step
};

std::string sessionLines(const ReachSummary &summary)
{
    std::string text = formatted("  {:>6}  {:>9}  file\n", "uses", "keep 95 %");
    for (const SessionReach &each : summary.sessions) {
        if (each.reach.useCount() == 0)
            continue;
        text += formatted("  {:>6}  {:>9}  {}{}{}\n", groupedNumber(each.reach.useCount()),
            tokensText(each.reach.keepFor(kMostUses)), visibleText(each.file),
            (each.copies > 0 ? formatted(" ({} left out: copied from an earlier session)", groupedNumber(each.copies))
                             : std::string())
                + (each.unsure > 0 ? formatted(" ({} left out: perhaps cleared before)", groupedNumber(each.unsure))
                                   : std::string()),
            counts(each) ? "" : " (too few)");
    }
    return text;
}

} // namespace

std::string_view nameOf(UseKind kind)
{
    switch (kind) {
    case UseKind::Quote:
        return "quote";
    case UseKind::Repeat:
        return "repeat";
    case UseKind::SameCall:
        return "same-call";
    case UseKind::Name:
        return "name";
    }
    return "quote";
}

std::optional<UseKind> useKindNamed(std::string_view name)
{
    const auto *const found = std::ranges::find(kKinds, name, [](UseKind kind) { return nameOf(kind); });
    return found == kKinds.end() ? std::nullopt : std::optional(*found);
}

std::string reachLine(UseKind kind, const SessionUses &uses)
{
    Json line { { "schema", kReachSchema }, { "file", uses.file }, { "kind", nameOf(kind) },
        { "unsure_uses", uses.unsure } };
    line["uses"] = Json::array();
    for (const SessionUses::Use &use : uses.uses)
        line["uses"].push_back({ hexOf(use.needer), use.distance });
    return jsonText(line, -1) + "\n";
}

Result<void> ReachLines::add(const Json &line, const std::string &where)
{
    if (auto checked = checkSchema(line, kReachSchema, where); !checked)
        return checked;
    const auto kind = useKindNamed(line.at("kind").get<std::string>());
    if (!kind || kind != m_kind.value_or(*kind))
        return failure(
            ErrorKind::Malformed, "The kind of use of this line differs from that of the first line.", where);
    m_kind = kind;
    SessionUses uses { line.at("file").get<std::string>(), {}, wholeNumber<size_t>(line.at("unsure_uses")) };
    for (const Json &use : line.at("uses"))
        uses.uses.push_back({ hashOfHex(use.at(0).get<std::string>()), use.at(1).get<double>() });
    const auto [known, isNew] = m_uses.emplace(uses.file, uses);
    if (!isNew && known->second != uses)
        return differentFigures(uses.file, where);
    return {};
}

ReachSummary ReachLines::summary() const
{
    ReachCollector collector({ .kind = m_kind.value_or(UseKind::Quote) });
    for (const auto &[file, uses] : m_uses)
        collector.add(uses);
    return collector.summary();
}

Json reachJson(const ReachSummary &summary)
{
    const auto steps = reachSteps();
    Json document { { "schema", "palimpsest.reach/1" }, { "kind", nameOf(summary.kind) }, { "basis", "estimated" },
        { "fewest_uses", ReachSummary::kFewestUses } };
    document["sessions"] = Json::array();
    for (const SessionReach &each : summary.sessions) {
        Json entry { { "file", each.file }, { "uses", each.reach.useCount() }, { "copied_uses", each.copies },
            { "unsure_uses", each.unsure } };
        entry["keep_95"]
            = each.reach.useCount() > 0 ? figureJson(each.reach.keepFor(kMostUses), Basis::Estimated) : Json(nullptr);
        entry["curve"] = Json::array();
        for (size_t i = 0; i < kReachSteps && each.reach.useCount() > 0; ++i)
            entry["curve"].push_back({ steps[i], rounded(each.reach.shareWithin(steps[i])) });
        document["sessions"].push_back(std::move(entry));
    }
    const Reach all = summary.all();
    const auto spread = summary.spread();
    document["uses"] = all.useCount();
    for (const char *member : { "all", "median", "spread" })
        document[member] = Json::array();
    for (size_t i = 0; i < kReachSteps && all.useCount() > 0; ++i)
        document["all"].push_back({ steps[i], rounded(all.shareWithin(steps[i])) });
    for (size_t i = 0; i < kReachSteps && summary.sessionCount() > 0; ++i) {
        document["median"].push_back({ steps[i], rounded(spread.median[i]) });
        document["spread"].push_back({ steps[i], rounded(spread.low[i]), rounded(spread.high[i]) });
    }
    const std::vector<double> keeps = summary.keepsFor(kMostUses);
    document["keep_95"] = keeps.empty() ? Json(nullptr)
                                        : Json { { "least", figureJson(keeps.front(), Basis::Estimated) },
                                              { "median", figureJson(quantile(keeps, 0.5), Basis::Estimated) },
                                              { "most", figureJson(keeps.back(), Basis::Estimated) } };
    return document;
}

std::string reachCsv(const ReachSummary &summary)
{
    const auto steps = reachSteps();
    const auto spread = summary.spread();
    std::string text = "file,uses,keep_95";
    for (const double tokens : steps)
        text += "," + std::to_string(std::lround(tokens));
    text += "\n";
    // Without uses share and keep are unknown: empty fields, not zeros.
    for (const SessionReach &each : summary.sessions) {
        const bool isKnown = each.reach.useCount() > 0;
        text += formatted("{},{},{}", csvField(each.file), each.reach.useCount(),
            isKnown ? formatted("{:.0f}", each.reach.keepFor(kMostUses)) : "");
        for (const double tokens : steps)
            text += isKnown ? formatted(",{:.4f}", each.reach.shareWithin(tokens)) : ",";
        text += "\n";
    }
    const std::vector<double> keeps = summary.keepsFor(kMostUses);
    const auto line = [&](std::string_view name, double share, const std::array<double, kReachSteps> &shares) {
        text += formatted("{},,{}", name, keeps.empty() ? "" : formatted("{:.0f}", quantile(keeps, share)));
        for (const double each : shares)
            text += keeps.empty() ? "," : formatted(",{:.4f}", each);
        text += "\n";
    };
    line("p10", 0.1, spread.low);
    line("median", 0.5, spread.median);
    line("p90", 0.9, spread.high);
    return text;
}

std::string drawReach(const ReachSummary &summary)
{
    const Reach all = summary.all();
    std::string text = formatted("{} with {} of kind {}. The medians count only sessions with {} or more uses: {}.\n",
        counted(summary.sessions.size(), "session"), counted(all.useCount(), "use"), nameOf(summary.kind),
        ReachSummary::kFewestUses, counted(summary.sessionCount(), "session"));
    if (all.useCount() == 0)
        return text;
    text += "within the last";
    for (size_t i = 0; i < kTold.size(); ++i)
        text += formatted("{} {}k {}", i == 0 ? "" : " ·", kTold[i] / 1000, wholeShareText(all.shareWithin(kTold[i])));
    text += "\n\n";
    const std::vector<double> keeps = summary.keepsFor(kMostUses);
    if (!keeps.empty()) {
        text += ReachChart(summary).text() + "\n";
        text += "To keep the texts of 95 % of its uses, a session needs a keep of " + tokensText(keeps.front());
        if (keeps.size() > 1)
            text += " to " + tokensText(keeps.back()) + " tokens, median " + tokensText(quantile(keeps, 0.5)) + ".\n\n";
        else
            text += " tokens.\n\n";
    }
    return text + sessionLines(summary);
}

std::string skippedSentence(std::span<const std::string> skipped, size_t all)
{
    constexpr size_t kMost = 3;
    std::string names;
    for (const std::string &name : skipped.first(std::min(kMost, skipped.size())))
        names += (names.empty() ? "" : ", ") + name;
    if (skipped.size() > kMost)
        names += " and " + groupedNumber(skipped.size() - kMost) + " more";
    return groupedNumber(skipped.size()) + " of " + counted(all, "file") + " could not be read as sessions: " + names
        + ".";
}

} // namespace core
