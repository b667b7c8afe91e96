// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/calibration_report.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/visible.h"
#include "core/json/json.h"
#include "core/report/document_parts.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr double kToBeExplained = 0.05;

double share(double value) { return std::round(value * 1e5) / 1e5; }

std::string tokens(double value) { return groupedNumber(static_cast<uint64_t>(std::llround(std::abs(value)))); }

std::string_view nameOf(Departure::Sign sign)
{
    switch (sign) {
    case Departure::Sign::Resumed:
        return "resumed";
    case Departure::Sign::NoUserRecord:
        return "no_user_record";
    case Departure::Sign::Rewritten:
        return "rewritten";
    case Departure::Sign::Extended:
        return "extended";
    case Departure::Sign::None:
        return "none";
    }
    return "none";
}

std::string reasonOf(const Departure &departure)
{
    switch (departure.sign) {
    case Departure::Sign::Resumed:
        return "the session was resumed before this call, and not everything was sent again";
    case Departure::Sign::NoUserRecord:
        return "the log has no user message before this call, so a turn is missing";
    case Departure::Sign::Rewritten:
        return "the cache was read only up to token " + groupedNumber(departure.cacheRead)
            + ", so later text was cleared or changed without a record";
    case Departure::Sign::Extended:
        return "added without a record";
    case Departure::Sign::None:
        return "removed without a record";
    }
    return {};
}

std::string sentenceOf(const Departure &departure)
{
    return "call " + std::to_string(departure.call.value()) + " sent " + tokens(departure.excess) + " tokens "
        + (departure.excess < 0 ? "less" : "more") + " than the log contains: " + reasonOf(departure);
}

/// Sessions with enough calls.
std::vector<const CalibrationReport *> withEnoughCalls(std::span<const CalibrationReport> reports)
{
    std::vector<const CalibrationReport *> chosen;
    for (const CalibrationReport &report : reports) {
        if (report.trial && report.trial->hasEnoughCalls())
            chosen.push_back(&report);
    }
    return chosen;
}

double medianOf(std::span<const CalibrationReport *const> reports, double CalibrationTrial::*figure)
{
    std::vector<double> values;
    for (const CalibrationReport *report : reports)
        values.push_back((*report->trial).*figure);
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

Json departuresJson(const CalibrationTrial &trial)
{
    Json list = Json::array();
    for (const Departure &departure : trial.departures) {
        list.push_back({ { "call", departure.call.value() }, { "excess_tokens", std::llround(departure.excess) },
            { "sign", nameOf(departure.sign) }, { "cache_read", departure.cacheRead } });
    }
    return list;
}

Json trialJson(const CalibrationTrial &trial)
{
    Json entry { { "thread", trial.thread.value() }, { "predicted_calls", trial.later.size() },
        { "median", share(trial.median) }, { "p90", share(trial.p90) }, { "band", share(trial.band) },
        { "median_between_departures", share(trial.medianBetween) },
        { "p90_between_departures", share(trial.p90Between) }, { "fitted_growths", trial.fitted.growths } };
    for (size_t i = 0; i < kTokenKinds; ++i)
        entry["rates"][std::string(nameOf(static_cast<TokenKind>(i)))] = share(trial.fitted.rates[i]);
    entry["departures"] = departuresJson(trial);
    entry["small_gains"] = { { "calls", trial.smallGains }, { "tokens", std::llround(trial.smallGainTokens) } };
    entry["explanations"] = explanationsOf(trial);
    return entry;
}

/// `Fitted tokens for each o200k_base token: text 1.18, …; for each tool call 63; for each user text 15`
std::string ratesText(const KindValues &rates)
{
    std::string text = "Fitted tokens for each o200k_base token: ";
    constexpr auto kAmounts = static_cast<size_t>(TokenKind::CallFraming);
    for (size_t i = 0; i < kAmounts; ++i) {
        std::string name(nameOf(static_cast<TokenKind>(i)));
        std::ranges::replace(name, '_', ' ');
        text += formatted("{}{} {:.2f}", i == 0 ? "" : ", ", name, rates[i]);
    }
    return text
        + formatted("; for each tool call {:.0f}; for each user text {:.0f}", rates[kAmounts],
            rates[static_cast<size_t>(TokenKind::TurnFraming)]);
}

std::string drawOne(const CalibrationReport &report)
{
    const std::string name = visibleText(report.file);
    if (!report.trial)
        return formatted("{:>5}  {:>8}  {:>8}  {:>8}  {}\n", report.calls, "–", "–", "–", name);
    const CalibrationTrial &trial = *report.trial;
    std::string text = formatted("{:>5}  {:>8}  {:>8}  {:>8}  {}\n", report.calls, shareText(trial.median),
        shareText(trial.p90), "±" + shareText(trial.band), name);
    if (!trial.hasEnoughCalls())
        return text;
    text += "       " + ratesText(trial.fitted.rates) + "\n";
    for (const std::string &sentence : explanationsOf(trial))
        text += "       " + sentence + "\n";
    return text;
}

} // namespace

CalibrationReport calibrationReport(std::string file, const Session &session, const RanksPtr &o200k, unsigned threads)
{
    CalibrationReport report { std::move(file), session.model, 0, std::nullopt };
    const Thread &thread = session.thread(mostRecordedThread(session));
    report.calls = static_cast<size_t>(
        std::ranges::count_if(thread.calls, [](const Call &call) { return call.prompt().has_value(); }));
    if (report.calls > 0)
        report.trial = tryCalibration(session, *exactTokens(session, o200k, threads));
    return report;
}

std::vector<std::string> explanationsOf(const CalibrationTrial &trial)
{
    std::vector<std::string> sentences;
    if (!(trial.p90 > kToBeExplained))
        return sentences;
    std::vector<Departure> departures = trial.departures;
    std::ranges::stable_sort(departures, std::greater(), [](const Departure &each) { return std::abs(each.excess); });
    for (const Departure &departure : departures)
        sentences.push_back(sentenceOf(departure));
    if (!departures.empty())
        sentences.push_back("if the prediction restarts at each of these calls: median error "
            + shareText(trial.medianBetween) + ", 90th percentile " + shareText(trial.p90Between));
    if (trial.p90Between > kToBeExplained && trial.smallGains > 0) {
        sentences.push_back(std::to_string(trial.smallGains) + " further calls sent " + tokens(trial.smallGainTokens)
            + " tokens more than the log contains, "
            + tokens(trial.smallGainTokens / static_cast<double>(trial.smallGains))
            + " each: reminders or files added without a record");
    }
    if (sentences.empty())
        sentences.emplace_back("the recording does not show why");
    return sentences;
}

Json calibrationJson(std::span<const CalibrationReport> reports)
{
    Json document { { "schema", "palimpsest.calibration/1" } };
    const auto counted = withEnoughCalls(reports);
    document["sessions_counted"] = counted.size();
    document["median_of_medians"] = share(medianOf(counted, &CalibrationTrial::median));
    document["median_of_p90s"] = share(medianOf(counted, &CalibrationTrial::p90));
    document["median_of_medians_between_departures"] = share(medianOf(counted, &CalibrationTrial::medianBetween));
    document["median_of_p90s_between_departures"] = share(medianOf(counted, &CalibrationTrial::p90Between));
    document["sessions"] = Json::array();
    for (const CalibrationReport &report : reports) {
        document["sessions"].push_back({ { "file", report.file }, { "model", report.model }, { "calls", report.calls },
            { "has_enough_calls", report.trial && report.trial->hasEnoughCalls() },
            { "trial", report.trial ? trialJson(*report.trial) : Json(nullptr) } });
    }
    return document;
}

std::string drawCalibration(std::span<const CalibrationReport> reports)
{
    std::string text = formatted("{:>5}  {:>8}  {:>8}  {:>8}  session\n", "calls", "median", "p90", "band");
    std::string apart;
    for (const CalibrationReport &report : reports) {
        const bool counts = report.trial && report.trial->hasEnoughCalls();
        if (counts || report.calls > 0)
            (counts ? text : apart) += drawOne(report);
    }
    const auto counted = withEnoughCalls(reports);
    if (!counted.empty()) {
        text += formatted(
            "{}. Medians over the sessions: half of the errors of a session are at most {}, nine of ten at most {}. "
            "If the prediction starts again after every call whose prompt the log does not explain, these two numbers "
            "are {} and {}.\n",
            core::counted(counted.size(), "session"), shareText(medianOf(counted, &CalibrationTrial::median)),
            shareText(medianOf(counted, &CalibrationTrial::p90)),
            shareText(medianOf(counted, &CalibrationTrial::medianBetween)),
            shareText(medianOf(counted, &CalibrationTrial::p90Between)));
    }
    if (!apart.empty())
        text += formatted("fewer than {} calls with usage:\n", CalibrationTrial::kEnoughCalls) + apart;
    return text;
}

} // namespace core
