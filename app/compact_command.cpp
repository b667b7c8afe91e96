// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/base/time_text.h"
#include "core/compaction/export.h"
#include "core/compaction/overrides.h"
#include "core/compaction/validity.h"
#include "core/json/json.h"
#include "core/report/compaction_report.h"
#include "core/tokens/array_weights.h"

#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    kPolicyOption,
    kSetOption,
    kCallOption,
    kThreadOption,
    { "overrides", "FILE",
        "a file of your own changes, which take precedence over the policy: blocks to keep, drop or rewrite, and "
        "messages to insert: {\"schema\": "
        "\"palimpsest.overrides/2\", \"keep\": [KEY…], \"drop\": [KEY…], \"replace\": [{\"block\": KEY, \"text\": "
        "TEXT}…], \"insert\": [{\"after\": KEY, \"role\": ROLE, \"text\": TEXT}…]}. --json lists the keys of the "
        "blocks under before_slots" },
    { "output", "OUT",
        "writes the session with the new array to a new file, and the removed originals to a store beside it. If a "
        "call is named, the new session ends there",
        'o' },
    { "as", "SHAPE", "-o writes only the array, as messages of another API: anthropic, openai, langchain or genkit" },
    { "force", "", "-o writes the array even if a provider would refuse it" },
    { "store", "DIR", "the folder of the removed originals. Default: OUT.originals.git" },
    kRepoOption,
    kAsIfFiredOption,
    { "json", "", "prints JSON of schema palimpsest.compaction/1" },
});

core::Result<core::ReadOverrides> readOverrides(const core::Session &session, const std::string &path)
{
    const auto source = core::Source::open(path);
    if (!source)
        return std::unexpected(source.error());
    return core::parseOverrides(session, (*source)->bytes(), path);
}

/// The value of `--as`.
core::Result<std::optional<core::MessagesShape>> parseShape(const Arguments &arguments)
{
    const auto name = arguments.value("as");
    if (!name)
        return std::optional<core::MessagesShape>();
    const auto shape = core::messagesShapeOf(*name);
    if (!shape)
        return core::failure(
            core::ErrorKind::Usage, "--as takes anthropic, openai, langchain or genkit, not \"" + *name + "\".");
    if (!arguments.has("output"))
        return core::failure(core::ErrorKind::Usage, "--as needs -o OUT, the file to write.");
    return shape;
}

/// Asks for --force if a provider would refuse the output.
core::Result<void> checkValidity(const core::Compaction &compaction, const Arguments &arguments)
{
    const auto refusals = core::refusalsOf(compaction);
    if (refusals.empty() || !arguments.has("output") || arguments.has("force"))
        return {};
    return core::failure(core::ErrorKind::Malformed,
        core::refusalSentence(refusals) + " Nothing was written; --force writes it anyway.", arguments.files.front());
}

/// Suggests `--as` if the session's own format cannot hold the change.
core::Error withShape(core::Error error, const core::Session &session, const Arguments &arguments)
{
    const bool isOfFormat = error.kind == core::ErrorKind::Internal || error.kind == core::ErrorKind::UnknownFormat;
    if (isOfFormat && arguments.has("output") && !arguments.has("as"))
        error.message += " `--as " + std::string(core::nameOf(session.traits->nearest)) + "` writes the array alone.";
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
            { core::ErrorKind::Usage, "compact needs a --policy; `palimpsest policies` lists the presets.", {} });
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
    const auto &[session, position, counted] = *opened;
    const core::Transcript array(session, core::rangesAt(*session, position));
    const core::BlockTokensPtr tokens = core::tokensAt(*session, core::rangesAt(*session, position), counted);
    core::CompactOptions options;
    options.position = position;
    options.ignoresTriggers = arguments.has("as-if-fired");
    options.sums = core::arraySums(*session, position.thread, *counted);
    if (const auto file = arguments.value("overrides")) {
        auto overrides = readOverrides(*session, *file);
        if (!overrides)
            return report(overrides.error());
        for (const std::string &member : overrides->unknownMembers)
            note("The overrides have a member “" + member + "”, which this program does not know; it is ignored.");
        for (const std::string &key : overrides->missing.keys())
            note("The session has no block " + key + "; this override is ignored.");
        options.overrides = std::move(overrides->overrides);
    }
    const core::Compaction compaction = core::compact(array, *policy, *tokens, options);
    const core::ArraySum sum = options.sums->at(position);
    const core::CompactionSums sums { sum, core::sumAfter(compaction, sum, *counted) };
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
        std::string text = core::drawCompaction(compaction, *tokens, nullptr, &sums);
        if (exported)
            text += core::drawExported(*exported, arguments.value("output").value_or(""));
        return print(text);
    }
    const core::Recoveries recoveries
        = core::recoveriesOf(compaction, { position.thread, position.call, core::folderOf(*session, *folder) });
    auto document = core::compactionJson(compaction, *tokens, &recoveries, nullptr, &sums);
    if (exported)
        core::addExportedJson(document, *exported);
    return printJson(document);
}

} // namespace

const Command kCompact { "compact", "FILE", 1, 1,
    "applies a policy to the array of one call; -o writes the result to a new file", kOptions, runCompact };

} // namespace app
