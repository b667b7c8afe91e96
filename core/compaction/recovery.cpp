// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/recovery.h"

#include "core/compaction/texts.h"
#include "core/git/repository_texts.h"
#include "core/json/json_probe.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace core {

namespace {

constexpr uint64_t kTellingCharacters = 40;
constexpr size_t kTellingLine = 12;
constexpr size_t kMostReadings = 64;

/// Removes line numbers that tools put before each line; unchanged unless all lines have them.
std::string withoutLineNumbers(std::string_view text)
{
    std::string result;
    for (size_t at = 0; at < text.size();) {
        const size_t newline = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, newline - at);
        const size_t number = lineNumberSize(line);
        if (number == 0)
            return std::string(text);
        result += line.substr(number);
        if (newline < text.size())
            result += '\n';
        at = newline + 1;
    }
    return result;
}

/// Hashes of the lines that are distinctive.
std::vector<Hash> tellingLines(std::string_view text)
{
    std::vector<Hash> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t newline = std::min(text.find('\n', at), text.size());
        if (newline - at >= kTellingLine)
            lines.push_back(hashOf(text.substr(at, newline - at)));
        at = newline + 1;
    }
    return lines;
}

/// A removed text; equal texts share one entry.
struct Removed {
    std::vector<size_t> rewrites;
    StringId path; ///< of the call that showed or wrote it
    std::vector<Hash> lines;
    Recovery recovery;
};

class Search final {
public:
    Search(const Compaction &compaction, const RecoveryOptions &options)
        : m_compaction(compaction)
        , m_session(*compaction.before.session())
        , m_options(options)
    {
        m_result.rewrites.resize(compaction.rewrites.size());
        m_result.artifacts.resize(compaction.artifacts.size());
    }

    Recoveries run()
    {
        m_artifactTexts.reserve(m_compaction.artifacts.size()); // reserved, because finders point into it
        for (const Artifact &artifact : m_compaction.artifacts)
            m_artifacts.emplace_back(m_artifactTexts.emplace_back(m_compaction.textOf(artifact)));
        for (const SavedText &saved : m_session.savedTexts)
            m_saved.insert(hashOf(m_session.text(saved.body)));
        findOverwritten();
        collect();
        findLaterSlots();
        findFetches();
        for (const Removed &each : m_removed) {
            for (const size_t rewrite : each.rewrites) {
                Recovery &recovery = m_result.rewrites[rewrite];
                recovery.from.insert(recovery.from.end(), each.recovery.from.begin(), each.recovery.from.end());
                recovery.fetchedBackAt = each.recovery.fetchedBackAt;
            }
        }
        for (size_t i = 0; i < m_result.artifacts.size(); ++i) {
            std::vector<std::string> &from = m_result.artifacts[i].from;
            if (!m_isOverwritten[i])
                from.insert(from.begin(), "artifact");
        }
        return std::move(m_result);
    }

private:
    /// Finds artifacts that a later one with the same name overwrites: Deep Agents writes the results of `a/b` and
    /// `a_b` to the same file.
    void findOverwritten()
    {
        const std::vector<Artifact> &artifacts = m_compaction.artifacts;
        m_isOverwritten.assign(artifacts.size(), false);
        std::unordered_map<std::string_view, size_t> lastOf;
        for (size_t i = artifacts.size(); i-- > 0;) {
            if (artifacts[i].isAppended)
                continue;
            const auto [last, isLast] = lastOf.try_emplace(artifacts[i].name, i);
            m_isOverwritten[i] = !isLast && m_artifactTexts[i] != m_artifactTexts[last->second];
        }
    }

    /// The removed text: the block's, or one member of the arguments.
    [[nodiscard]] std::string removedText(const Rewrite &rewrite) const
    {
        const Block &block = m_session.block(rewrite.block);
        std::string text = m_session.text(block.body);
        if (rewrite.pointer.empty())
            return text;
        const JsonMembers members(text);
        const std::string_view raw = members.raw(std::string_view(rewrite.pointer).substr(1));
        return isJsonString(raw) ? decodeJsonString(jsonString(raw)) : std::string(raw);
    }

    /// Reads every removed text once, and finds what does not need other texts.
    void collect()
    {
        const std::filesystem::path &folder = m_options.folder;
        std::optional<RepositoryTexts> files;
        if (!folder.empty())
            files.emplace(folder);
        std::unordered_map<Hash, size_t> byKey;
        for (size_t i = 0; i < m_compaction.rewrites.size(); ++i) {
            const Rewrite &rewrite = m_compaction.rewrites[i];
            if (!rewrite.block.isValid())
                continue;
            const Block &block = m_session.block(rewrite.block);
            if (block.body.coding == Coding::Base64)
                continue;
            const std::string text = removedText(rewrite);
            if (rewrite.artifact && !m_isOverwritten[*rewrite.artifact] && m_artifacts[*rewrite.artifact].holds(text))
                m_result.rewrites[i].from.emplace_back("artifact");
            if (isSaved(text))
                m_result.rewrites[i].from.emplace_back("artifact");
            const TextLengths lengths = textLengths(text);
            if (lengths.codePoints < kTellingCharacters)
                continue;
            const StringId path = block.subject;
            const Hash key = combine(hashOf(text), hashOf(m_session.string(path)));
            const auto [known, isNew] = byKey.try_emplace(key, m_removed.size());
            if (isNew) {
                m_removed.push_back({ {}, path, {}, {} });
                m_byText[hashOf(text)].push_back(known->second);
                m_lengths.insert(lengths.bytes);
                const std::string plain = withoutLineNumbers(text);
                m_removed.back().lines = tellingLines(plain);
                m_byPath[path].push_back(known->second);
                if (files)
                    lookInFiles(*files, std::string(m_session.string(path)), text, plain, m_removed.back().recovery);
            }
            m_removed[known->second].rewrites.push_back(i);
        }
    }

    /// Whether the session file holds the text as an artifact; also for the result of the tool that read it.
    [[nodiscard]] bool isSaved(const std::string &text) const
    {
        if (m_saved.empty())
            return false;
        const std::string_view content = JsonMembers(text).string("content");
        return m_saved.contains(hashOf(text))
            || (!content.empty() && m_saved.contains(hashOf(decodeJsonString(content))));
    }

    static void lookInFiles(RepositoryTexts &files, const std::string &path, const std::string &text,
        const std::string &plain, Recovery &recovery)
    {
        const auto file = files.fileAt(path);
        if (file && (file->find(plain) != std::string_view::npos || file->find(text) != std::string_view::npos))
            recovery.from.emplace_back("working tree");
        const bool isBlob = files.hasBlob(text) || files.hasBlob(text + "\n")
            || (plain != text && (files.hasBlob(plain) || files.hasBlob(plain + "\n")));
        if (isBlob)
            recovery.from.emplace_back("git object");
    }

    /// Finds blocks of the `after` array that contain a removed text.
    void findLaterSlots()
    {
        const Session &after = *m_compaction.after.session();
        std::unordered_set<size_t> found;
        for (const BlockId id : m_compaction.after.blocks()) {
            const Block &block = m_compaction.after.block(id);
            if (!m_lengths.contains(block.body.lengths.bytes) || block.body.coding == Coding::Base64)
                continue;
            const auto same = m_byText.find(hashOf(after.text(block.body)));
            if (same == m_byText.end())
                continue;
            for (const size_t each : same->second) {
                if (found.insert(each).second)
                    m_removed[each].recovery.from.emplace_back("later slot");
            }
        }
    }

    // --- later calls of the recorded run ---------------------------------------------------------------------------

    void findFetches()
    {
        const Thread &thread = m_session.thread(m_options.thread);
        if (!m_options.nextCall.isValid() || m_options.nextCall.index() >= thread.calls.size())
            return;
        const uint32_t begin = firstLaterBlock();
        for (size_t i = m_options.nextCall.index(); i < thread.calls.size(); ++i) {
            for (uint32_t k = thread.calls[i].output.begin; k < thread.calls[i].output.end; ++k) {
                const Block &block = m_session.blocks[k];
                if (block.kind == BlockKind::ToolCall && block.callId.isValid())
                    m_callOf[block.callId] = CallIndex(i);
            }
        }
        for (size_t i = 0; i < m_compaction.artifacts.size(); ++i) {
            if (!m_isOverwritten[i])
                m_artifactsOf[m_compaction.artifacts[i].name].push_back(i);
        }
        std::unordered_set<StringId> written;
        for (size_t i = begin; i < m_session.blocks.size(); ++i) {
            const Block &block = m_session.blocks[i];
            if (m_session.message(block.message).thread != m_options.thread || block.is(BlockFlag::Stub))
                continue;
            const auto call = block.callId.isValid() ? m_callOf.find(block.callId) : m_callOf.end();
            if (call == m_callOf.end())
                continue;
            if (block.kind == BlockKind::ToolCall) {
                const ToolDeed deed = toolDeed(m_session, block);
                if (deed == ToolDeed::Write || deed == ToolDeed::Edit)
                    written.insert(block.subject);
                else
                    findArtifacts(block, call->second);
            } else if (block.kind == BlockKind::ToolResult) {
                takeResult(block, call->second, written.contains(block.subject));
            }
        }
    }

    /// Earlier blocks of the thread existed when the compaction happened.
    [[nodiscard]] uint32_t firstLaterBlock() const
    {
        const Call &call = m_session.thread(m_options.thread).calls[m_options.nextCall.index()];
        return call.output.end > call.output.begin ? call.output.begin : 0;
    }

    static void fetch(Recovery &recovery, CallIndex call)
    {
        if (!recovery.fetchedBackAt.isValid() || call < recovery.fetchedBackAt)
            recovery.fetchedBackAt = call;
    }

    void takeResult(const Block &block, CallIndex call, bool isWritten)
    {
        const bool isOfLength = m_lengths.contains(block.body.lengths.bytes);
        const auto ofPath = block.subject.isValid() ? m_byPath.find(block.subject) : m_byPath.end();
        const bool isReading = ofPath != m_byPath.end() && !isWritten && ++m_readings[block.subject] <= kMostReadings;
        if (!isOfLength && !isReading)
            return;
        const std::string text = m_session.text(block.body);
        if (isOfLength) {
            const auto same = m_byText.find(hashOf(text));
            for (const size_t each : same == m_byText.end() ? std::vector<size_t>() : same->second)
                fetch(m_removed[each].recovery, call);
        }
        if (!isReading)
            return;
        const std::vector<Hash> lines = tellingLines(withoutLineNumbers(text));
        const std::unordered_set<Hash> shown(lines.begin(), lines.end());
        for (const size_t each : ofPath->second) {
            const std::vector<Hash> &wanted = m_removed[each].lines;
            const auto again = static_cast<size_t>(
                std::ranges::count_if(wanted, [&](const Hash &line) { return shown.contains(line); }));
            if (!wanted.empty() && again * 2 >= wanted.size())
                fetch(m_removed[each].recovery, call);
        }
    }

    /// Finds names of artifacts in the words of the arguments.
    void findArtifacts(const Block &block, CallIndex call)
    {
        if (m_artifactsOf.empty())
            return;
        const std::string text = m_session.text(block.body);
        constexpr std::string_view kBetween = " \t\r\n\"'`,;:=<>|()[]{}\\";
        for (size_t at = 0; at < text.size();) {
            const size_t begin = text.find_first_not_of(kBetween, at);
            if (begin == std::string::npos)
                return;
            const size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
            const auto named = m_artifactsOf.find(text.substr(begin, end - begin));
            if (named != m_artifactsOf.end()) {
                for (const size_t each : named->second)
                    fetch(m_result.artifacts[each], call);
            }
            at = end;
        }
    }

    const Compaction &m_compaction;
    const Session &m_session;
    const RecoveryOptions &m_options;
    Recoveries m_result;
    std::vector<std::string> m_artifactTexts;
    std::vector<OrderedFinder> m_artifacts;
    std::vector<bool> m_isOverwritten; ///< by artifact
    std::unordered_set<Hash> m_saved;  ///< artifacts in the session file
    std::vector<Removed> m_removed;
    std::unordered_map<Hash, std::vector<size_t>> m_byText;
    std::unordered_map<StringId, std::vector<size_t>> m_byPath;
    std::unordered_set<uint64_t> m_lengths; ///< lengths of removed texts in bytes
    std::unordered_map<StringId, CallIndex> m_callOf;
    std::unordered_map<std::string, std::vector<size_t>> m_artifactsOf; ///< by name: the artifacts in that file
    std::unordered_map<StringId, size_t> m_readings;
};

} // namespace

Recoveries recoveriesOf(const Compaction &compaction, const RecoveryOptions &options)
{
    if (!compaction.before.session() || !compaction.after.session())
        return {};
    Search search(compaction, options);
    Recoveries recoveries = search.run();
    // Reading an artifact fetches the text of its rewrites.
    for (size_t i = 0; i < compaction.rewrites.size(); ++i) {
        const auto &artifact = compaction.rewrites[i].artifact;
        Recovery &recovery = recoveries.rewrites[i];
        const bool holdsIt = artifact && !recovery.from.empty() && recovery.from.front() == "artifact";
        const CallIndex read = holdsIt ? recoveries.artifacts[*artifact].fetchedBackAt : CallIndex();
        if (read.isValid() && (!recovery.fetchedBackAt.isValid() || read < recovery.fetchedBackAt))
            recovery.fetchedBackAt = read;
    }
    return recoveries;
}

std::filesystem::path folderOf(const Session &session, const std::filesystem::path &named)
{
    std::error_code error;
    if (!named.empty())
        return named;
    const std::filesystem::path own = session.workingFolder;
    return own.is_absolute() && std::filesystem::is_directory(own, error) ? own : std::filesystem::path();
}

} // namespace core
