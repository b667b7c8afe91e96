// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/eviction.h"

#include "core/compaction/handoff_note.h"
#include "core/compaction/recall.h"
#include "core/compaction/stages/media.h"
#include "core/session/constraints.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

constexpr double kCharactersPerToken = 4; ///< where a harness cuts a text to a number of tokens

/// The input of the Genkit recipe's summariser: the newest evicted messages that fit into the budget.
std::string trimmedTranscript(const Draft &draft, std::span<const Draft::Message> evicted, uint64_t budget)
{
    std::vector<std::string> parts;
    uint64_t used = 0;
    for (size_t i = evicted.size(); i > 0; --i) {
        if (evicted[i - 1].isSummary)
            continue;
        std::string text;
        for (const Draft::Element &element : draft.elementsOf(evicted[i - 1])) {
            if (!element.isGone && draft.block(element.block).kind == BlockKind::Text)
                text += draft.text(element.block);
        }
        const uint64_t length = textLengths(text).codePoints;
        if (used + length > budget)
            break;
        used += length;
        const std::string_view body = stripped(text);
        if (body.empty())
            continue;
        const Role role = evicted[i - 1].role;
        const std::string name = role == Role::Assistant ? "model"
            : role == Role::Tool                         ? "tool"
            : role == Role::System                       ? "system"
                                                         : "user";
        parts.push_back("[" + name + "] " + std::string(body));
    }
    std::string result;
    for (const std::string &part : std::ranges::reverse_view(parts))
        result += (result.empty() ? "" : "\n\n") + part;
    return result;
}

std::string summaryText(const StageRun &run, const Draft &draft, std::span<const Draft::Message> evicted)
{
    if (std::string given = run.text("summary.text"); !given.empty())
        return given;
    const std::string source = run.text("summary.source");
    if (source == "recipe") {
        const ClipRule rule { 2000, 500, "…[truncated] ({n} chars total)", LengthUnit::CodePoints, true };
        const std::string transcript
            = trimmedTranscript(draft, evicted, static_cast<uint64_t>(run.number("summary.trim")) * 4);
        const TextLengths lengths = textLengths(transcript);
        return "### Goal\nunknown (no summary_model configured)\n\n### What happened\n"
            + (rule.clips(lengths) ? rule.clipped(transcript, lengths) : transcript);
    }
    return structuralNote(draft, evicted);
}

/// What stays of the messages before `end`, by element.
CarriedBlocks carriedBefore(const StageRun &run, size_t end)
{
    const Draft &draft = run.draft();
    CarriedBlocks carried(run);
    const size_t first = carried.firstMessages(DraftArray(draft, run.policy()), end);
    for (size_t i = 0; i < first; ++i) {
        for (size_t k = 0; k < draft.messages()[i].count; ++k) {
            const size_t element = draft.messages()[i].first + k;
            if (!draft.elements()[element].isGone)
                carried.addFirst(element);
        }
    }
    for (size_t i = end; i > first && carried.takesMore(); --i) {
        const Draft::Message &message = draft.messages()[i - 1];
        for (size_t k = message.first + message.count; k > message.first && carried.takesMore(); --k) {
            const Draft::Element &element = draft.elements()[k - 1];
            if (!element.isGone)
                carried.add(k - 1, draft.pool(), element.block);
        }
    }
    return carried;
}

/// Whether something of the log goes with these messages, other than summaries. A replay asks the same.
bool hasNew(const Draft &draft, std::span<const Draft::Message> evicted, const std::vector<size_t> &carried)
{
    return std::ranges::any_of(evicted, [&](const Draft::Message &message) {
        bool goes = false;
        for (size_t k = message.first; k < message.first + message.count; ++k) {
            const Draft::Element &element = draft.elements()[k];
            goes = goes
                || (!element.isGone && element.origin.isValid() && !draft.block(element.block).is(BlockFlag::Summary)
                    && !std::ranges::binary_search(carried, k));
        }
        return goes;
    });
}

/// The evicted messages for the archive, with references for media; adds their blocks to the artifact.
std::vector<ArchivedMessage> archived(
    StageRun &run, std::span<const Draft::Message> evicted, MediaFiles &media, Artifact &artifact)
{
    std::vector<ArchivedMessage> messages;
    for (const Draft::Message &message : evicted) {
        if (message.isSummary)
            continue;
        ArchivedMessage each { message.role, {}, {} };
        for (const Draft::Element &element : run.draft().elementsOf(message)) {
            if (element.isGone)
                continue;
            each.blocks.push_back(element.block);
            if (auto reference = media.referenceTo(element))
                each.references[element.block] = std::move(*reference);
            if (element.origin.isValid())
                artifact.blocks.push_back(element.origin);
        }
        messages.push_back(std::move(each));
    }
    return messages;
}

/// Keeps the evicted part under the archive's name; returns the artifact's index.
size_t keepArchive(
    StageRun &run, std::span<const Draft::Message> evicted, const std::string &name, const std::string &summary)
{
    Artifact artifact;
    artifact.name = name;
    artifact.isAppended = true;
    MediaFiles media(run);
    std::vector<ArchivedMessage> messages = archived(run, evicted, media, artifact);
    const ArchiveFormat format = run.text("archive-format") == "xml" ? ArchiveFormat::Xml : ArchiveFormat::Genkit;
    const std::string header = filled(run.text("archive-header"), { { "time", run.context().time } });
    if (run.text("archive-format") == "summary") {
        artifact.text = [summary](const Session &) { return summary; };
        artifact.blocks.clear();
    } else {
        artifact.text = [messages = std::move(messages), format, header](
                            const Session &after) { return header + archiveText(after, messages, format) + "\n\n"; };
    }
    const size_t number = run.keepArtifact(std::move(artifact));
    media.keep();
    return number;
}

} // namespace

CarriedBlocks::CarriedBlocks(const StageParameters &parameters)
    : m_parameters(parameters)
    , m_counter(parameters.policy(), parameters.session())
    , m_budget(parameters.number("user-messages"))
    , m_textsLeft(parameters.count("user-messages-most") > 0 ? parameters.count("user-messages-most") : SIZE_MAX)
    , m_prefersConstraints(parameters.text("user-messages-first") == "constraints")
    , m_takesTexts(m_budget > 0)
    , m_firstMessages(parameters.count("first-messages"))
    , m_filesLeft(parameters.count("files"))
    , m_fileBudget(parameters.number("files-all"))
{
}

size_t CarriedBlocks::firstMessages(const MessageArray &array, size_t evicted) const
{
    size_t first = std::min(evicted, m_firstMessages);
    if (!m_parameters.isOn("opening"))
        return first;
    const std::vector<Message> &messages = m_parameters.session().messages;
    const auto isOpening = [&](size_t message) {
        bool isOfHarness = true;
        array.forEachBlock(message, [&](const Block &block) {
            const size_t at = block.message.index();
            const bool isOfSystem = at < messages.size() && messages[at].role == Role::System;
            isOfHarness = isOfHarness && (isOfSystem || block.is(BlockFlag::Injected)) && !block.is(BlockFlag::Summary);
        });
        return isOfHarness;
    };
    while (first < evicted && isOpening(first))
        ++first;
    return first;
}

double CarriedBlocks::tokensOf(const BlockPool &pool, BlockId block) const
{
    // Other counters add something for each message.
    return m_parameters.policy().counter.kind == Counter::Kind::JsonQuarter
        ? m_counter.factsOf(pool, Role::User, std::span(&block, 1)).tokens
        : pool.tokens(block);
}

void CarriedBlocks::add(size_t place, const BlockPool &pool, BlockId block)
{
    if (pool.block(block).is(BlockFlag::Typed))
        addText(place, pool, block);
    else
        addFile(pool, block);
}

void CarriedBlocks::addText(size_t place, const BlockPool &pool, BlockId block)
{
    if (!m_takesTexts)
        return;
    const double tokens = tokensOf(pool, block);
    if (m_prefersConstraints) {
        m_texts.push_back({ place, tokens, !constraintsIn(pool.text(block)).empty() });
        return;
    }
    const double left = m_budget - m_used;
    m_used += tokens;
    m_takesTexts = m_used <= m_budget;
    if (m_takesTexts) {
        m_texts.push_back({ place, tokens, false });
        m_takesTexts = --m_textsLeft > 0;
        return;
    }
    const std::string marker = m_parameters.text("user-messages-cut");
    const auto length = static_cast<uint64_t>(left * kCharactersPerToken);
    if (marker.empty() || length == 0 || pool.block(block).kind != BlockKind::Text)
        return;
    const std::string whole = pool.text(block);
    const LengthUnit unit = m_parameters.unit();
    const uint64_t all = lengthIn(textLengths(whole), unit);
    if (all <= length)
        return;
    const double removed = static_cast<double>(all - length) / kCharactersPerToken;
    std::string text = headOf(whole, length / 2, unit)
        + filled(marker, { { "n", std::to_string(static_cast<uint64_t>(std::ceil(removed))) } })
        + tailOf(whole, length - length / 2, unit);
    m_changes.emplace(
        place, pool.textChange(block, std::move(text), Fate::Shortened, "more than the typed messages that stay"));
    m_texts.push_back({ place, left, false });
}

/// A file that is read again: only its newest reading counts.
void CarriedBlocks::addFile(const BlockPool &pool, BlockId id)
{
    const Block &block = pool.block(id);
    if (m_filesLeft == 0 || block.kind != BlockKind::ToolResult || !block.subject.isValid()
        || toolDeed(pool.string(block.name)) != ToolDeed::Read || !m_paths.insert(block.subject).second)
        return;
    --m_filesLeft;
    const std::string path(pool.string(block.subject));
    const double tokens = tokensOf(pool, id);
    const bool isWhole
        = !block.is(BlockFlag::Stub) && tokens <= m_parameters.number("files-each") && tokens <= m_fileBudget;
    m_fileBudget -= isWhole ? tokens : 0;
    m_files.push_back(path + (isWhole ? "\n" + pool.text(id) : ""));
}

void CarriedBlocks::takeTexts()
{
    std::ranges::reverse(m_texts);
    if (!m_prefersConstraints) {
        for (const Text &each : m_texts)
            m_places.push_back(each.place);
        return;
    }
    std::vector<bool> comesFirst;
    for (const Text &each : m_texts)
        comesFirst.push_back(each.comesFirst);
    for (const size_t i : recallOrder(comesFirst)) {
        if (m_used + m_texts[i].tokens > m_budget || m_textsLeft == 0)
            continue;
        m_used += m_texts[i].tokens;
        --m_textsLeft;
        m_places.push_back(m_texts[i].place);
    }
}

std::vector<size_t> CarriedBlocks::take()
{
    takeTexts();
    std::ranges::sort(m_places);
    const auto [first, last] = std::ranges::unique(m_places);
    m_places.erase(first, last);
    return std::move(m_places);
}

std::string archiveName(const StageParameters &parameters)
{
    return filled(parameters.text("archive"), { { "session", parameters.context().sessionId } });
}

bool archivesMessages(const StageParameters &parameters)
{
    return !parameters.text("archive").empty() && parameters.text("archive-format") != "summary";
}

std::string summaryMessage(const StageParameters &parameters, const std::string &summary)
{
    const std::string archive = archiveName(parameters);
    return filled(parameters.text(archive.empty() ? "template-bare" : "template"),
        { { "summary", summary }, { "archive", archive } });
}

bool writesSummary(const StageParameters &parameters)
{
    return !parameters.text(archiveName(parameters).empty() ? "template-bare" : "template").empty();
}

SummaryPlace summaryPlace(const StageParameters &parameters)
{
    return parameters.text("summary-place") == "last" ? SummaryPlace::Last : SummaryPlace::First;
}

bool makesMore(const StageParameters &parameters)
{
    return parameters.count("files") > 0
        || (parameters.number("user-messages") > 0 && !parameters.text("user-messages-cut").empty());
}

bool hasNewBefore(const StageRun &run, size_t cut)
{
    const Draft &draft = run.draft();
    return hasNew(draft, std::span(draft.messages()).first(cut), carriedBefore(run, cut).take());
}

bool evictBefore(StageRun &run, size_t cut, bool isStored)
{
    Draft &draft = run.draft();
    cut = std::min(cut, draft.messages().size());
    const auto evicted = std::span(draft.messages()).first(cut);
    CarriedBlocks staying = carriedBefore(run, cut);
    const std::vector<size_t> carried = staying.take();
    if (!hasNew(draft, evicted, carried))
        return false;
    const std::string summary = summaryText(run, draft, evicted);
    Rewrite common;
    common.stage = run.index();
    common.why = "before the keep window";
    const std::string archive = archiveName(run);
    if (!archive.empty())
        common.artifact = keepArchive(run, evicted, archive, summary);
    if (isStored)
        return true;
    for (const auto &[element, change] : staying.changes()) {
        if (!draft.elements()[element].isPinned)
            run.change(element, change);
    }
    draft.evict(cut,
        { summaryMessage(run, summary), run.number("summary.tokens"), staying.files(), carried, summaryPlace(run) },
        common);
    return true;
}

std::vector<ParameterSpec> evictionParameters()
{
    return {
        { "summary.text", Type::Text, "Text of the summary; empty generates one", std::string() },
        { "summary.source", Type::Choice,
            "What Palimpsest writes in place of a model's summary. structure: a note with goal, files and commands. "
            "recipe: the text that the Genkit recipe writes if it has no summary model",
            std::string("structure"), 0, 0, {}, { "structure", "recipe" } },
        { "summary.tokens", Type::Count,
            "Size of the summary; 0: the size of summary.text or, without a text, an assumed size", 0.0, 0, 1e6,
            "tokens" },
        { "summary.trim", Type::Count, "Source recipe: how much of the removed messages goes into the summary", 4000.0,
            0, 1e7, "tokens" },
        { "user-messages", Type::Count, "Keeps typed messages of the user, word for word, up to this size", 0.0, 0, 1e7,
            "tokens" },
        { "user-messages-first", Type::Choice,
            "Which of them it keeps first. newest: the newest. constraints: those with a constraint, then the newest, "
            "as "
            "`palimpsest recall` does",
            std::string("newest"), 0, 0, {}, { "newest", "constraints" } },
        { "user-messages-most", Type::Count, "Keeps at most this many of them; 0: no limit", 0.0, 0, 1e6 },
        { "user-messages-cut", Type::Text,
            "Keeps the beginning and the end of the message that does not fit, with this text between them; {n} is the "
            "number of removed tokens. Empty: drops the message",
            std::string() },
        { "first-messages", Type::Count, "Keeps this many messages at the beginning of the array", 0.0, 0, 1e6,
            "messages" },
        { "opening", Type::Switch, "Keeps what the harness put in before the first message of the user", false },
        { "files", Type::Count, "Puts back this many files, those read last, as messages of the user", 0.0, 0, 1e6,
            "files" },
        { "files-each", Type::Count, "Largest file that is put back whole. Of a larger file only the path is put back",
            5000.0, 0, 1e7, "tokens" },
        { "files-all", Type::Count,
            "Largest size of all these files together. Of files that do not fit only the paths are put back", 50000.0,
            0, 1e7, "tokens" },
        { "summary-place", Type::Choice,
            "first: the summary stands before the old messages that stay. last: behind them", std::string("first"), 0,
            0, {}, { "first", "last" } },
        { "archive", Type::Text, "File for the removed messages; empty for none. {session} is the id of the session",
            std::string() },
        { "archive-format", Type::Choice, "Format of that file", std::string("genkit"), 0, 0, {},
            { "genkit", "xml", "summary" } },
        { "archive-header", Type::Text, "Heading of each section in that file; {time} is the time",
            std::string("--- archived turns ({time}) ---\n\n") },
        { "template", Type::Text,
            "Message that replaces the removed messages; {summary} is the summary, {archive} the file. Empty: no "
            "message",
            std::string("{summary}") },
        { "template-bare", Type::Text,
            "Message that replaces the removed messages if archive is empty; {summary} is the summary",
            std::string("{summary}") },
        { "media", Type::Text,
            "File for each image or document of the removed messages; empty for none. {hash} is the hash of its bytes, "
            "{extension} its type",
            std::string() },
        { "media-reference", Type::Text,
            "Replaces an image or document in the archive; {kind} is image or file, {path} its file",
            std::string("<{kind} url=\"{path}\" />") },
        { "media-lost", Type::Text, "Replaces an image or document in the archive if its data is not base64",
            std::string("<{kind} error=\"lost\" />") },
    };
}

} // namespace core::stages
