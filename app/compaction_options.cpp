// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/compaction_options.h"

#include "core/compaction/overrides.h"
#include "core/compaction/validity.h"
#include "core/tokens/array_weights.h"

namespace app {

namespace {

core::Result<core::Overrides> readOverrides(const core::Session &session, const std::string &path)
{
    const auto source = core::Source::open(path);
    if (!source)
        return std::unexpected(source.error());
    auto read = core::parseOverrides(session, (*source)->bytes(), path);
    if (!read)
        return std::unexpected(read.error());
    for (const std::string &member : read->unknownMembers)
        note("The overrides have a member “" + member + "”, which this program does not know; it is ignored.");
    for (const std::string &key : read->missing.keys())
        note("The session has no block " + key + "; this override is ignored.");
    return std::move(read->overrides);
}

} // namespace

core::Result<PlannedCompaction> planCompaction(const Arguments &arguments)
{
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return std::unexpected(policy.error());
    auto opened = openSession(arguments);
    if (!opened)
        return std::unexpected(opened.error());
    const auto &[session, position, counted] = *opened;
    const core::BlockTokensPtr tokens = core::tokensAt(*session, core::rangesAt(*session, position), counted);
    core::CompactOptions options;
    options.position = position;
    options.ignoresTriggers = arguments.has("as-if-fired");
    options.sums = core::arraySums(*session, position.thread, *counted);
    if (const auto file = arguments.value("overrides")) {
        auto overrides = readOverrides(*session, *file);
        if (!overrides)
            return std::unexpected(overrides.error());
        options.overrides = std::move(*overrides);
    }
    const core::Transcript array(session, core::rangesAt(*session, position));
    core::Compaction compaction = core::compact(array, *policy, *tokens, options);
    const core::ArraySum sum = options.sums->at(position);
    const core::CompactionSums sums { sum, core::sumAfter(compaction, sum, *counted) };
    if (auto torn = session->torn())
        return std::unexpected(std::move(*torn));
    return PlannedCompaction { std::move(*opened), tokens, std::move(compaction), sums, std::move(options) };
}

core::Result<void> checkValidity(const core::Compaction &compaction, const Arguments &arguments)
{
    const auto refusals = core::refusalsOf(compaction);
    if (refusals.empty() || arguments.has("force"))
        return {};
    return core::failure(core::ErrorKind::Malformed,
        core::refusalSentence(refusals) + " Nothing was written; --force writes it anyway.", arguments.files.front());
}

} // namespace app
