// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/base/new_file.h"
#include "core/base/source.h"
#include "core/formats/reading/format.h"
#include "core/report/folder_report.h"
#include "core/report/session_report.h"
#include "core/session/heaviest_call.h"
#include "core/tokens/counted_tokens.h"
#include "ui/look/theme_css.h"
#include "ui/mainwindow/report_file.h"

#include <array>
#include <filesystem>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "output", "OUT", "the new file. Its ending chooses the kind of file: .html, .md, .json, or .svg for the drawings",
        'o' },
    { "call", "N", "the call whose array is shown, counted from 0. Default: the heaviest call" },
    kThreadOption,
    { "review", "",
        "writes no file: lists each place that is masked, and each that looks as if it should be. Exits with 3 if "
        "there is any" },
    { "redact", "TEXT", "masks this text, too. May be repeated" },
    { "redact-file", "FILE", "masks every line of this file, too" },
    { "without-texts", "", "leaves out all texts, names of files and diffs: the report has figures and labels only" },
    kPricesOption,
    kVerboseOption,
});

/// What the user asks for.
struct ReportRequest {
    std::string output; ///< empty with `--review` alone
    ui::ReportKind kind = ui::ReportKind::Html;
    core::ReportTexts texts = core::ReportTexts::Included;
    core::Redaction redaction;
};

core::Result<std::vector<std::string>> ownSecrets(const Arguments &arguments)
{
    std::vector<std::string> texts = arguments.values("redact");
    for (const std::string &file : arguments.values("redact-file")) {
        const auto source = core::Source::open(file);
        if (!source)
            return std::unexpected(source.error());
        std::string_view rest = (*source)->bytes();
        while (!rest.empty()) {
            std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            if (line.ends_with('\r'))
                line.remove_suffix(1);
            texts.emplace_back(line);
        }
    }
    return texts;
}

core::Result<ReportRequest> requestOf(const Arguments &arguments)
{
    ReportRequest request;
    request.output = arguments.value("output").value_or("");
    if (request.output.empty() && !arguments.has("review"))
        return core::failure(core::ErrorKind::Usage, "-o OUT is missing. It names the file of the report.");
    if (!request.output.empty()) {
        const auto kind = ui::reportKindOf(request.output);
        if (!kind)
            return std::unexpected(kind.error());
        request.kind = *kind;
        if (const auto free = core::NewFile::check(request.output); !free && !arguments.has("review"))
            return std::unexpected(free.error());
    }
    if (arguments.has("without-texts"))
        request.texts = core::ReportTexts::LeftOut;
    auto own = ownSecrets(arguments);
    if (!own)
        return std::unexpected(own.error());
    request.redaction = core::Redaction(std::move(*own));
    return request;
}

/// Lists what is masked, or writes the file if nothing in it matches a rule any more.
int finish(const Arguments &arguments, ReportRequest &request, const std::string &text)
{
    if (arguments.has("review")) {
        const auto &places = request.redaction.places();
        const int printed = print(core::drawReview(places));
        return printed == Done && !places.empty() ? FindingsFail : printed;
    }
    if (const auto leak = request.redaction.leakIn(text))
        return report({ core::ErrorKind::NotWritable, *leak, request.output });
    if (const auto written = core::writeNewFile(request.output, text); !written)
        return report(written.error());
    note(core::redactionSentence(request.redaction.places()) + " --review lists them.");
    return print(request.output + "\n");
}

int reportSession(const Arguments &arguments, ReportRequest &request, const core::Prices &prices)
{
    const auto opened = openSession(arguments);
    if (!opened)
        return report(opened.error());
    core::Position position = opened->position;
    if (!arguments.has("call"))
        position = core::heaviestPosition(*opened->session, position.thread);
    request.redaction.learn(*opened->session);
    const core::SessionReport made = core::sessionReport(
        arguments.files.front(), opened->session, position, opened->tokens, prices, threadCount());
    const std::string text = ui::reportText(made, request.kind, request.texts, request.redaction);
    // Files may have changed while they were read.
    if (const auto torn = opened->session->torn())
        return report(*torn);
    return finish(arguments, request, text);
}

int reportFolder(const Arguments &arguments, ReportRequest &request, const core::Prices &prices)
{
    for (const char *option : { "call", "thread" }) {
        if (arguments.has(option))
            return report({ core::ErrorKind::Usage, std::string("--") + option + " is for one session.", {} });
    }
    if (request.kind == ui::ReportKind::Svg)
        return report({ core::ErrorKind::Usage, "The drawings are of one session; a folder has none.", {} });
    const std::filesystem::path folder(arguments.files.front());
    core::FolderReport made;
    const std::filesystem::path whole = (std::filesystem::absolute(folder) / "").lexically_normal().parent_path();
    made.folder = whole.filename().string(); // also of `.` and `DIR/`
    const int read = eachSessionFile(arguments, [&](const std::string &file) -> std::optional<core::Error> {
        const auto session = core::loadSession(file, nullptr, {}, threadCount());
        if (!session) {
            ++made.skipped;
            return session.error();
        }
        request.redaction.learn(**session);
        const size_t before = made.entries.size();
        core::addTo(made, *session, std::filesystem::path(file).lexically_relative(folder).string(),
            core::countedTokens(**session, threadCount(), nullptr), prices);
        // Files may have changed while they were read.
        auto torn = (*session)->torn();
        if (torn)
            made.entries.erase(made.entries.begin() + static_cast<std::ptrdiff_t>(before), made.entries.end());
        return torn;
    });
    if (made.entries.empty())
        return read == Done ? report({ core::ErrorKind::Empty, "There is no session in this folder.", folder.string() })
                            : read;
    core::sort(made);
    std::string text;
    if (request.kind == ui::ReportKind::Json) {
        text = core::jsonText(core::reportJson(made, request.texts, request.redaction)) + "\n";
    } else {
        const core::Page page = core::pageOf(made, request.texts, request.redaction);
        text = request.kind == ui::ReportKind::Markdown ? core::writeMarkdown(page)
                                                        : core::writeHtml(page, ui::themeCss());
    }
    return std::max(read, finish(arguments, request, text));
}

int runReport(const Arguments &arguments)
{
    auto request = requestOf(arguments);
    if (!request)
        return report(request.error());
    const auto prices = parsePrices(arguments);
    if (!prices)
        return report(prices.error());
    std::error_code error;
    return std::filesystem::is_directory(arguments.files.front(), error) ? reportFolder(arguments, *request, *prices)
                                                                         : reportSession(arguments, *request, *prices);
}

} // namespace

const Command kReport { "report", "FILE|DIR", 1, 1,
    "writes one page about a session or a folder, for people who do not have the program", kOptions, runReport };

} // namespace app
