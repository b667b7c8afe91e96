// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/session_report.h"

#include "core/base/counted.h"
#include "core/compaction/keep_window.h"
#include "core/report/loss_report.h"
#include "core/tokens/array_weights.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace core {

namespace {

/// Members whose strings are words of the program, of the harness or of the model: never text of the session.
constexpr auto kWordMembers = std::to_array<std::string_view>(
    { "schema", "format", "harness", "model", "kind", "rank", "known", "basis", "role", "label", "material", "trigger",
        "state", "how", "origin", "tool", "outcome", "begin", "end", "time", "measure", "key", "flags", "block" });

} // namespace

SessionReport sessionReport(const std::string &file, const SessionPtr &session, Position position,
    const BlockTokensPtr &tokens, const Prices &prices, unsigned threads)
{
    SessionReport report;
    report.file = std::filesystem::path(file).filename().string();
    report.shown = shownAt(session, position, Weights(tokens, WeightUnit::Tokens), openingKeep(*session));
    report.atEnd = userMessagesAt(session, { position.thread, {} });
    report.findings = { report.file, *findFindings(session, tokens, prices) };
    report.losses = *recordedLosses(session, position.thread, tokens, prices);
    report.edits = editsReport(session, { .folder = {}, .policy = nullptr, .threads = threads });
    report.figures = recordedFigures(replayGround(session, position.thread, tokens), prices);
    return report;
}

void leaveOutTexts(Json &document)
{
    if (document.is_array()) {
        for (Json &each : document) {
            if (each.is_string())
                each = nullptr;
            else
                leaveOutTexts(each);
        }
    } else if (document.is_object()) {
        for (auto &[name, value] : document.items()) {
            const bool isWord = std::ranges::contains(kWordMembers, name);
            if (value.is_string() && !isWord)
                value = nullptr;
            else if (name != "flags")
                leaveOutTexts(value);
        }
    }
}

Json maskedJson(const std::vector<RedactedPlace> &places)
{
    Json masked = Json::object();
    for (const RedactedPlace &each : places) {
        if (!each.isSuspicious)
            masked[each.rule] = masked.value(each.rule, 0) + 1;
    }
    return masked;
}

Json reportJson(const SessionReport &report, ReportTexts texts, Redaction &redaction)
{
    const Session &session = *report.shown.session;
    Json document { { "schema", "palimpsest.report/1" }, { "file", report.file } };
    document["without_texts"] = texts == ReportTexts::LeftOut;
    Json findings = findingsJson(std::vector<Json> { sessionFindingsJson(report.findings) });
    Json losses = lossesJson(session, report.losses, report.shown.position.thread);
    Json edits = editsJson(report.edits);
    Json array = showJson(report.shown);
    array["file"] = report.file;
    const auto take = [&](const char *name, Json &part) {
        if (texts == ReportTexts::LeftOut)
            leaveOutTexts(part);
        redaction.mask(part, name);
        document[name] = std::move(part);
    };
    take("findings", findings);
    take("losses", losses);
    take("edits", edits);
    take("array", array);
    document["masked"] = maskedJson(redaction.places());
    return document;
}

PagePart reportFoot(ReportTexts texts, const std::vector<RedactedPlace> &places)
{
    size_t masked = 0;
    for (const RedactedPlace &each : places)
        masked += each.isSuspicious ? 0 : 1;
    std::string text = texts == ReportTexts::LeftOut
        ? "This report holds figures and labels only: texts, names of files and diffs are left out. "
        : std::string();
    text += masked == 0 ? "No secret was found."
                        : counted(masked, "place") + " with a possible secret " + (masked == 1 ? "is" : "are")
            + " masked: [masked: …] stands in its place.";
    text += " The rules know shapes only, and can miss a secret.";
    return { PageParagraph { { { text, PageSpan::Look::Faint } } } };
}

} // namespace core
