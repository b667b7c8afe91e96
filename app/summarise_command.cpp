// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/compaction_options.h"
#include "core/base/new_file.h"
#include "core/base/time_text.h"
#include "core/compaction/export.h"
#include "core/findings/simulated_loss.h"
#include "core/json/json.h"
#include "core/report/loss_report.h"
#include "core/report/summary_report.h"
#include "ui/summary/summary_call.h"
#include "ui/summary/summary_key.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <array>

namespace app {

namespace {

std::string templateNames()
{
    std::string names;
    for (const core::SummaryTemplate &each : core::summaryTemplates())
        names += (names.empty() ? "" : ", ") + each.id;
    return names;
}

constexpr auto kOptions = std::to_array<Option>({
    kPolicyOption,
    kSetOption,
    kCallOption,
    kThreadOption,
    kOverridesOption,
    kAsIfFiredOption,
    { "api", "API",
        "the API that writes the note: anthropic, openai-chat, openai-responses or gemini. Most local "
        "servers understand openai-chat" },
    { "model", "M", "the model that writes the note" },
    { "url", "U",
        "the base address of the server. For OpenAI and local servers it ends with /v1, for example "
        "http://localhost:11434/v1. Default: the address of the provider" },
    { "template", "T",
        "what the note is to hold: a template, or a file with an instruction. Default: the template of "
        "the policy's harness. There are",
        '\0', templateNames },
    { "max-tokens", "N", "the largest number of tokens that the note may have. Default: 4096" },
    { "key-env", "VAR",
        "the environment variable with the key. Default: ANTHROPIC_API_KEY, OPENAI_API_KEY or "
        "GEMINI_API_KEY. A server on this computer needs none" },
    { "key-command", "CMD", "a command that prints the key" },
    { "allow-secrets", "", "sends possible secrets unmasked; without this option they are masked" },
    { "allow-http", "", "allows plain http to another computer" },
    { "send", "", "sends the request. Without this option the command prints what it would send, and sends nothing" },
    { "output", "NOTE", "with --send: a new file for the note", 'o' },
    { "store", "DIR",
        "with --send: the folder (a git repository) that keeps the removed texts. Default: NOTE.originals.git" },
    { "note", "FILE",
        "sends nothing: says what the compaction would keep with this note as its summary. May be given "
        "several times, to compare notes" },
    kPricesOption,
    { "json", "", "prints JSON of schema palimpsest.summary/1, or of palimpsest.note-coverage/1 with --note" },
});

core::Result<std::string> readText(const std::string &path)
{
    const auto source = core::Source::open(path);
    if (!source)
        return std::unexpected(source.error());
    return std::string((*source)->bytes());
}

core::Result<core::SummaryTemplate> parseTemplate(const Arguments &arguments, const core::Policy &policy)
{
    const auto name = arguments.value("template");
    if (!name)
        return core::templateFor(policy.id);
    if (const core::SummaryTemplate *known = core::summaryTemplate(*name))
        return *known;
    auto text = readText(*name);
    if (!text) {
        return core::failure(core::ErrorKind::Usage,
            "There is no template and no file \"" + *name + "\". The templates: " + templateNames() + ".");
    }
    return core::SummaryTemplate { *name, *name, std::move(*text), 0 };
}

core::Result<core::SummaryChoice> parseChoice(const Arguments &arguments, const core::Policy &policy)
{
    const auto usage = [](const std::string &sentence) { return core::failure(core::ErrorKind::Usage, sentence); };
    core::SummaryChoice choice;
    const auto api = core::summaryApiNamed(arguments.value("api").value_or(""));
    if (!api)
        return usage("summarise needs --api: anthropic, openai-chat, openai-responses or gemini.");
    choice.target.api = *api;
    choice.target.model = arguments.value("model").value_or("");
    if (choice.target.model.empty())
        return usage("summarise needs --model, the name of the model.");
    choice.target.url = arguments.value("url").value_or("");
    choice.target.allowsPlainHttp = arguments.has("allow-http");
    if (const auto text = arguments.value("max-tokens")) {
        const auto number = parseNumber("max-tokens", *text);
        if (!number)
            return std::unexpected(number.error());
        if (*number == 0 || *number > 1'000'000)
            return usage("--max-tokens takes 1 to 1000000.");
        choice.target.outputLimit = *number;
    }
    auto form = parseTemplate(arguments, policy);
    if (!form)
        return std::unexpected(form.error());
    choice.form = std::move(*form);
    choice.secrets = arguments.has("allow-secrets") ? core::Secrets::Sent : core::Secrets::Masked;
    return choice;
}

ui::SummaryKeySource parseKeySource(const Arguments &arguments, core::SummaryApi api)
{
    return { arguments.value("key-env").value_or(std::string(core::defaultKeyVariable(api))),
        arguments.value("key-command").value_or("") };
}

/// A session, its policy and prices: what all ways of this command share.
struct Ground {
    const Arguments &arguments;
    PlannedCompaction planned;
    core::Prices prices;
};

/// What the compaction loses with a note as its summary. Its blocks are those of the session after the compaction.
struct NoteLoss {
    core::SessionPtr after;
    core::CompactionLoss loss;
};
core::Result<NoteLoss> lossWith(const Ground &ground, std::string_view note)
{
    const core::Compaction &planned = ground.planned.compaction;
    const auto policy = core::withNote(*planned.policy, note);
    if (!policy)
        return std::unexpected(policy.error());
    const core::Compaction made = core::compact(
        planned.before, std::make_shared<const core::Policy>(*policy), *ground.planned.tokens, ground.planned.options);
    const auto loss
        = core::simulatedLoss(made, ground.planned.opened.position, ground.planned.opened.tokens, ground.prices);
    return NoteLoss { made.after.session(), *loss }; // only a cancelled job has none
}

/// Sends the request and waits for the note.
core::Result<core::WrittenNote> ask(const Ground &ground, const core::SummaryPlan &plan, const std::string &key)
{
    ui::SummaryCall call;
    QEventLoop loop;
    QObject::connect(&call, &ui::SummaryCall::waits, &loop, [](std::chrono::milliseconds time) {
        note("The server reports an error; the request is sent again in " + std::to_string((time.count() + 999) / 1000)
            + " s.");
    });
    QObject::connect(&call, &ui::SummaryCall::finished, &loop, &QEventLoop::quit, Qt::QueuedConnection);
    call.start(plan.request, plan.choice.target.api, key);
    loop.exec();
    core::WrittenNote written;
    written.usage = call.usage();
    if (written.usage)
        written.cost = core::noteCost(*written.usage, plan.choice.target.model, ground.prices, core::timeNow());
    const auto checked = call.result().and_then([&](const std::string &text) { return core::checkedNote(text, plan); });
    if (!checked) {
        if (written.usage)
            note(core::usageSentence(written));
        return std::unexpected(checked.error());
    }
    written.text = *checked;
    return written;
}

/// Archives the originals first, then sends, then writes the note.
int send(const Ground &ground, const core::SummaryPlan &plan)
{
    const Arguments &arguments = ground.arguments;
    const auto file = arguments.value("output");
    if (!file)
        return report({ core::ErrorKind::Usage, "--send needs -o NOTE, a new file for the note.", {} });
    if (const auto free = core::NewFile::check(*file); !free)
        return report(free.error());
    const auto key = ui::readSummaryKey(parseKeySource(arguments, plan.choice.target.api), plan.request.isLoopback);
    if (!key)
        return report(key.error());
    core::ExportOptions target;
    target.position = ground.planned.opened.position;
    target.store = arguments.value("store").value_or(*file + ".originals.git");
    target.seconds = core::timeNow() / 1000;
    const auto stored = core::exportCompaction(ground.planned.compaction, target);
    if (!stored)
        return report(stored.error());
    const auto written = ask(ground, plan, *key);
    if (!written)
        return report(written.error());
    if (const auto placed = core::writeNewFile(*file, written->text + "\n"); !placed)
        return report(placed.error());
    const auto loss = lossWith(ground, written->text);
    if (!loss)
        return report(loss.error());
    if (arguments.has("json")) {
        core::Json document = core::summaryJson(plan);
        core::addNoteJson(document, *written, *loss->after, loss->loss);
        core::addExportedJson(document, *stored);
        return printJson(document);
    }
    return printVisibly(core::drawLoss(*loss->after, loss->loss) + "\n" + core::usageSentence(*written)
        + "\n  note      " + *file + "\n" + core::drawExported(*stored, {})
        + "  use it    palimpsest compact FILE --policy " + arguments.value("policy").value_or("")
        + " --set summary.text=\"$(cat " + *file + ")\"\n");
}

/// Says what the compaction would keep with each of the notes.
int compareNotes(const Ground &ground)
{
    std::vector<core::NoteCoverage> notes;
    for (const std::string &name : ground.arguments.values("note")) {
        const auto text = readText(name);
        if (!text)
            return report(text.error());
        auto loss = lossWith(ground, *text);
        if (!loss)
            return report(loss.error());
        notes.push_back({ name, std::move(loss->loss) });
    }
    return ground.arguments.has("json") ? printJson(core::coverageJson(notes))
                                        : printVisibly(core::drawCoverage(notes));
}

int runSummarise(const Arguments &arguments)
{
    if (!arguments.has("policy")) {
        return report(
            { core::ErrorKind::Usage, "summarise needs a --policy; `palimpsest policies` lists the presets.", {} });
    }
    const auto prices = parsePrices(arguments);
    if (!prices)
        return report(prices.error());
    auto planned = planCompaction(arguments);
    if (!planned)
        return report(planned.error());
    const Ground ground { arguments, std::move(*planned), *prices };
    if (arguments.has("note"))
        return compareNotes(ground);
    const auto choice = parseChoice(arguments, *ground.planned.compaction.policy);
    if (!choice)
        return report(choice.error());
    const auto plan = core::summaryPlan(ground.planned.compaction, *choice, *prices, core::timeNow());
    if (!plan)
        return report({ plan.error().kind, plan.error().message, arguments.files.front() });
    int count = 1;
    std::array<char, 11> name { "palimpsest" };
    std::array<char *, 2> words { name.data(), nullptr };
    const QCoreApplication application(count, words.data());
    if (arguments.has("send"))
        return send(ground, *plan);
    if (arguments.has("json"))
        return printJson(core::summaryJson(*plan));
    const ui::SummaryKeySource key = parseKeySource(arguments, choice->target.api);
    const bool wantsKey = key.isSet() || !plan->request.isLoopback;
    return printVisibly(core::drawSummaryPlan(*plan, wantsKey ? key.words() : std::string())
        + "Nothing was sent. --send sends this.\n");
}

} // namespace

const Command kSummarise { "summarise", "FILE", 1, 1,
    "lets a model write the summary of a policy; prints what it would send, and sends only with --send", kOptions,
    runSummarise };

} // namespace app
