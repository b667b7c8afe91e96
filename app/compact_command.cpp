// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"
#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/base/visible.h"
#include "core/compaction/export.h"
#include "core/compaction/overrides.h"
#include "core/compaction/validity.h"
#include "core/json/json.h"
#include "core/report/compaction_report.h"

#include <array>
#include <cstdio>

namespace app {

namespace {

constexpr std::array<Option, 12> kOptions { {
    { "policy", "P", "a preset (see `palimpsest policies`) or a policy file" },
    { "set", "KEY=VALUE", "change a setting: window, keep, trigger, STAGE=on|off, STAGE.PARAMETER; may be repeated" },
    { "call", "N", "the array that call N was sent; \"end\", as without it: after the last record" },
    { "thread", "N", "another thread of the session" },
    { "overrides", "F",
        "blocks to keep or drop whatever the policy says, by their keys in --json; schema palimpsest.overrides/1" },
    { "output", "OUT",
        "write the session with the array so changed to a new file, its originals beside it; with --call it ends there",
        'o' },
    { "as", "SHAPE", "-o writes the array alone, as messages of another API: anthropic, openai, langchain or genkit" },
    { "force", "", "-o writes the array although a provider would refuse it" },
    { "store", "DIR", "where the originals go; without it OUT.originals.git" },
    { "repo", "DIR",
        "where the session's files are looked for now; without it the session's own folder, if it is here" },
    { "as-if-fired", "", "run every stage, whether its trigger is reached or not" },
    { "json", "", "as a document of schema palimpsest.compaction/1" },
} };

core::Result<core::ReadOverrides> readOverrides(const core::Session &session, const std::string &path)
{
    const auto source = core::Source::open(path);
    if (!source)
        return std::unexpected(source.error());
    return core::parseOverrides(session, (*source)->bytes(), path);
}

/// What the store holds, in the place of what the plan would keep.
void addStored(core::Json &document, const core::Exported &exported)
{
    const auto store = core::Store::open(exported.store);
    const auto ledger
        = store ? store->ledger(exported.commit) : core::Result<core::Ledger>(std::unexpected(store.error()));
    if (!ledger)
        return;
    document["store"] = { { "path", exported.store.string() }, { "commit", exported.commit.oid } };
    document["originals"] = core::Json::array();
    for (const core::LedgerOriginal &original : ledger->originals)
        document["originals"].push_back(
            { { "name", original.name }, { "oid", original.oid }, { "bytes", original.bytes }, { "stored", true } });
}

/// What `--as` says.
core::Result<std::optional<core::MessagesShape>> parseShape(const Arguments &arguments)
{
    const auto name = arguments.value("as");
    if (!name)
        return std::optional<core::MessagesShape>();
    const auto shape = core::messagesShapeOf(*name);
    if (!shape)
        return core::failure(
            core::ErrorKind::Usage, "--as wants anthropic, openai, langchain or genkit, not \"" + *name + "\".");
    if (!arguments.has("output"))
        return core::failure(core::ErrorKind::Usage, "--as wants -o OUT, the file to write.");
    return shape;
}

/// Asks for --force where what is to be written would be refused.
core::Result<void> checkValidity(const core::Compaction &compaction, const Arguments &arguments)
{
    const auto refusals = core::refusalsOf(compaction);
    if (refusals.empty() || !arguments.has("output") || arguments.has("force"))
        return {};
    const core::Violation &first = refusals.front();
    const std::string place = first.slot.isValid() ? " at [" + std::to_string(first.slot.value()) + "]" : "";
    const std::string sentence = refusals.size() == 1 ? "A provider would refuse the array after," + place
                                                      : "A provider would refuse the array after, in "
            + core::groupedNumber(refusals.size()) + " places, the first" + place;
    return core::failure(core::ErrorKind::Malformed,
        sentence + ": " + first.sentence + " Nothing was written; --force writes it all the same.",
        arguments.files.front());
}

/// What the session's own format cannot hold, another shape can.
core::Error withShape(core::Error error, const core::Session &session, const Arguments &arguments)
{
    const bool isOfFormat = error.kind == core::ErrorKind::Internal || error.kind == core::ErrorKind::UnknownFormat;
    if (isOfFormat && arguments.has("output") && !arguments.has("as"))
        error.message
            += " `--as " + std::string(core::nameOf(core::nearestShape(session.format))) + "` writes the array alone.";
    return error;
}

core::Result<core::Exported> exportArray(
    const core::Compaction &compaction, core::ExportOptions target, const Arguments &arguments)
{
    target.file = arguments.value("output").value_or("");
    target.store = arguments.value("store").value_or("");
    target.seconds = core::timeNow() / 1000;
    if (const auto valid = checkValidity(compaction, arguments); !valid)
        return std::unexpected(valid.error());
    auto written = core::exportCompaction(compaction, target);
    if (!written)
        return std::unexpected(withShape(written.error(), *compaction.before.session(), arguments));
    for (const std::string &each : written->notes)
        note(each);
    return written;
}

int runCompact(const Arguments &arguments)
{
    if (!arguments.has("policy"))
        return report(
            { core::ErrorKind::Usage, "compact wants a --policy; `palimpsest policies` lists the presets.", {} });
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return report(policy.error());
    const auto shape = parseShape(arguments);
    if (!shape)
        return report(shape.error());
    const auto folder = parseFolder(arguments);
    if (!folder)
        return report(folder.error());
    const auto opened = openSession(arguments);
    if (!opened)
        return report(opened.error());
    const auto &[session, position, tokens] = *opened;
    const core::Transcript array(session, core::rangesAt(*session, position));
    core::CompactOptions options;
    options.position = position;
    options.ignoresTriggers = arguments.has("as-if-fired");
    if (const auto file = arguments.value("overrides")) {
        auto overrides = readOverrides(*session, *file);
        if (!overrides)
            return report(overrides.error());
        for (const std::string &member : overrides->unknownMembers)
            note("The overrides say “" + member + "”, which this program does not know; it does nothing.");
        for (const std::string &key : overrides->unknown)
            note("The session has no block " + key + "; this override was left out.");
        options.overrides = std::move(overrides->overrides);
    }
    const core::Compaction compaction = core::compact(array, *policy, *tokens, options);
    if (const auto torn = session->torn())
        return report(*torn);
    std::optional<core::Exported> exported;
    if (arguments.has("output") || arguments.has("store")) {
        core::ExportOptions target;
        target.position = position;
        target.shape = *shape;
        target.folder = *folder;
        auto written = exportArray(compaction, std::move(target), arguments);
        if (!written)
            return report(written.error());
        exported = std::move(*written);
    }
    if (!arguments.has("json")) {
        std::string text = core::drawCompaction(compaction, *tokens);
        if (exported && exported->file)
            text += "  written   " + *arguments.value("output") + "\n";
        if (exported)
            text += "  originals " + exported->store.string() + ", commit " + exported->commit.oid.substr(0, 10) + "\n";
        return print(text);
    }
    const core::Recoveries recoveries
        = core::recoveriesOf(compaction, { position.thread, position.call, core::folderOf(*session, *folder) });
    auto document = core::compactionJson(compaction, *tokens, &recoveries);
    if (exported)
        addStored(document, *exported);
    return printJson(document);
}

} // namespace

const Command kCompact { "compact", "FILE", 1, 1, "what a policy makes of an array; with -o written to a new file",
    kOptions, runCompact };

} // namespace app
