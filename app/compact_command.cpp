// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/compaction_options.h"
#include "core/base/time_text.h"
#include "core/compaction/export.h"
#include "core/json/json.h"

#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    kPolicyOption,
    kSetOption,
    kCallOption,
    kThreadOption,
    kOverridesOption,
    { "output", "OUT",
        "writes the session with the new array to a new file, and the removed texts to a store beside it. With "
        "--call N the new file ends with the last message that call N sent",
        'o' },
    { "as", "SHAPE", "-o writes only the array, as messages of another API: anthropic, openai, langchain or genkit" },
    { "force", "", "-o writes the array even if a provider would refuse it" },
    { "store", "DIR", "the folder (a git repository) that keeps the removed texts. Default: OUT.originals.git" },
    kRepoOption,
    kAsIfFiredOption,
    { "json", "", "prints JSON of schema palimpsest.compaction/1" },
});

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
    if (!target.file.empty()) {
        if (const auto valid = checkValidity(compaction, arguments); !valid)
            return std::unexpected(valid.error());
    }
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
    const auto shape = parseShape(arguments);
    if (!shape)
        return report(shape.error());
    const auto folder = parseFolder(arguments);
    if (!folder)
        return report(folder.error());
    const auto planned = planCompaction(arguments);
    if (!planned)
        return report(planned.error());
    const auto &[opened, tokens, compaction, sums, options] = *planned;
    const auto &[session, position, counted] = opened;
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
