// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/eviction.h"

#include "core/compaction/handoff_note.h"
#include "core/compaction/recall.h"
#include "core/compaction/stages/media.h"
#include "core/session/constraints.h"

#include <algorithm>
#include <ranges>

namespace core::stages {

namespace {

using Type = ParameterSpec::Type;

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

/// Elements of the evicted user messages that stay, ascending.
std::vector<size_t> carriedTexts(const StageRun &run, const Draft &draft, size_t end)
{
    CarriedTexts carried(run);
    for (size_t i = end; i > 0 && carried.takesMore(); --i) {
        const Draft::Message &message = draft.messages()[i - 1];
        for (size_t k = message.first + message.count; k > message.first && carried.takesMore(); --k) {
            const Draft::Element &element = draft.elements()[k - 1];
            if (!element.isGone && draft.block(element.block).is(BlockFlag::Typed))
                carried.add(k - 1, draft.tokens(element.block), [&] { return draft.text(element.block); });
        }
    }
    return carried.take();
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

CarriedTexts::CarriedTexts(const StageParameters &parameters)
    : m_budget(parameters.number("user-messages"))
    , m_prefersConstraints(parameters.text("user-messages-first") == "constraints")
    , m_isOpen(m_budget > 0)
{
}

void CarriedTexts::add(size_t place, double tokens, const std::function<std::string()> &text)
{
    if (m_prefersConstraints) {
        m_candidates.push_back({ place, tokens, !constraintsIn(text()).empty() });
        return;
    }
    m_used += tokens;
    m_isOpen = m_used <= m_budget;
    if (m_isOpen)
        m_candidates.push_back({ place, tokens, false });
}

std::vector<size_t> CarriedTexts::take()
{
    std::ranges::reverse(m_candidates);
    std::vector<size_t> places;
    if (!m_prefersConstraints) {
        for (const Candidate &each : m_candidates)
            places.push_back(each.place);
        return places;
    }
    std::vector<bool> comesFirst;
    for (const Candidate &each : m_candidates)
        comesFirst.push_back(each.comesFirst);
    for (const size_t i : recallOrder(comesFirst)) {
        if (m_used + m_candidates[i].tokens > m_budget)
            continue;
        m_used += m_candidates[i].tokens;
        places.push_back(m_candidates[i].place);
    }
    std::ranges::sort(places);
    return places;
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

bool evictBefore(StageRun &run, size_t cut, bool isStored)
{
    Draft &draft = run.draft();
    cut = std::min(cut, draft.messages().size());
    const auto evicted = std::span(draft.messages()).first(cut);
    const bool hasNew = std::ranges::any_of(
        evicted, [&](const Draft::Message &message) { return !message.isSummary && !draft.isEmpty(message); });
    if (!hasNew)
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
    const std::string text = summaryMessage(run, summary);
    const std::vector<size_t> carried = carriedTexts(run, draft, cut);
    draft.evict(cut, text, carried, common, run.number("summary.tokens"));
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
        { "summary.trim", Type::Count, "With the source recipe: how much of the removed messages goes into the text",
            4000.0, 0, 1e7, "tokens" },
        { "user-messages", Type::Count, "Keeps typed messages of the user, word for word, up to this size", 0.0, 0, 1e7,
            "tokens" },
        { "user-messages-first", Type::Choice,
            "Which of them it keeps first. newest: the newest. constraints: those with a constraint, then the newest, "
            "as "
            "`palimpsest recall` does",
            std::string("newest"), 0, 0, {}, { "newest", "constraints" } },
        { "archive", Type::Text, "File for the removed messages; empty for none. {session} is the id of the session",
            std::string() },
        { "archive-format", Type::Choice, "Format of that file", std::string("genkit"), 0, 0, {},
            { "genkit", "xml", "summary" } },
        { "archive-header", Type::Text, "Heading of each section in that file; {time} is the time",
            std::string("--- archived turns ({time}) ---\n\n") },
        { "template", Type::Text,
            "Message that replaces the removed messages; {summary} is the summary, {archive} the file",
            std::string("{summary}") },
        { "template-bare", Type::Text, "The same message if there is no file", std::string("{summary}") },
        { "media", Type::Text,
            "File for each image or document of the removed messages; empty for none. {hash} is the hash of its bytes, "
            "{extension} its type",
            std::string() },
        { "media-reference", Type::Text,
            "Replaces an image or document in the archive; {kind} is image or file, {path} its file",
            std::string("<{kind} url=\"{path}\" />") },
        { "media-lost", Type::Text, "The same if its data is not base64", std::string("<{kind} error=\"lost\" />") },
    };
}

} // namespace core::stages
