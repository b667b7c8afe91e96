// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/edit_basis.h"

#include "core/base/counted.h"
#include "core/base/visible.h"
#include "core/evidence/phrase_finder.h"
#include "core/evidence/shown_text.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace core {

namespace {

/// Looks up which blocks were in the context of a call.
class Context final {
public:
    explicit Context(const ContextSpans &spans)
        : m_spans(spans)
    {
    }

    /// The first call that sent the block; nullopt if none did.
    [[nodiscard]] std::optional<uint32_t> entered(BlockId block) const
    {
        const auto own = of(block);
        return own.empty() ? std::nullopt : std::optional(own.front().from);
    }
    [[nodiscard]] bool holds(BlockId block, CallIndex call) const
    {
        return std::ranges::any_of(
            of(block), [&](const ContextSpan &span) { return span.from <= call.value() && call.value() < span.to; });
    }
    [[nodiscard]] bool holdsSurely(BlockId block, CallIndex call) const
    {
        return holds(block, call) && !m_spans.mayBeMissing(block, call.value());
    }
    /// The newest summary in a call's context that shows all of these texts; invalid if none does.
    [[nodiscard]] BlockId summaryWith(const std::vector<std::string> &texts, CallIndex call) const
    {
        BlockId newest;
        for (const ContextSpan &span : m_spans.spans) {
            const Block &block = m_spans.session->block(span.block);
            if (!block.is(BlockFlag::Summary) || call.value() < span.from || call.value() >= span.to)
                continue;
            const std::string shown = shownText(*m_spans.session, block).text;
            if (!texts.empty()
                && std::ranges::all_of(texts, [&](const std::string &text) { return shown.contains(text); }))
                newest = span.block;
        }
        return newest;
    }

private:
    [[nodiscard]] std::span<const ContextSpan> of(BlockId block) const
    {
        const auto [begin, end] = std::ranges::equal_range(m_spans.spans, block, {}, &ContextSpan::block);
        return { begin, end };
    }

    const ContextSpans &m_spans;
};

/// The texts that a patch replaces: the old lines of each hunk.
std::vector<std::string> oldLines(const Session &session, const Edit &edit)
{
    std::vector<std::string> texts;
    for (const FileChange &asked : askedChanges(session, edit)) {
        for (const PatchHunk &hunk : asked.hunks) {
            std::string text;
            for (const std::string &line : hunk.before)
                text += (text.empty() ? "" : "\n") + line;
            if (!text.empty())
                texts.push_back(std::move(text));
        }
    }
    return texts;
}

/// Which carriers of a quote come first: whether they must be surely in context, and of the edit's own file.
constexpr std::array<std::pair<bool, bool>, 4> kPreferences { { { true, true }, { true, false }, { false, true },
    { false, false } } };

class BasisFinder final {
public:
    BasisFinder(const Edits &edits, ThreadIndex thread, const Uses &uses, const ContextSpans &spans, BasisContext world)
        : m_edits(edits)
        , m_session(*edits.session)
        , m_thread(thread)
        , m_uses(uses)
        , m_spans(spans)
        , m_context(spans)
        , m_world(world)
    {
        for (const Edit &edit : edits.edits) {
            std::vector<std::string> &files = m_filesOf[edit.use];
            files.push_back(edit.path);
            if (!edit.movedTo.empty())
                files.push_back(edit.movedTo);
        }
        for (size_t i = 0; i < uses.uses.size(); ++i) {
            if (uses.uses[i].kind != UseKind::Quote)
                continue;
            m_quotesOf[uses.uses[i].by].push_back(i);
            std::vector<BlockId> &quoting = m_quotedBy[uses.carrier(uses.uses[i])];
            if (!uses.uses[i].isTogether && (quoting.empty() || quoting.back() != uses.uses[i].by))
                quoting.push_back(uses.uses[i].by);
        }
    }

    std::vector<EditBasis> find()
    {
        findRefused();
        findUnread();
        if (m_world == BasisContext::Recorded)
            findUnsent();
        std::vector<EditBasis> bases(m_edits.edits.size());
        for (size_t i = 0; i < bases.size(); ++i) {
            const Edit &edit = m_edits.edits[i];
            if (edit.thread != m_thread || edit.origin == EditOrigin::Outside)
                continue;
            bases[i] = basisOf(edit);
            if (edit.kind != ChangeKind::Patch)
                continue;
            for (const BlockId carrier : bases[i].carriers) // patches quote lines, which are not uses
                m_quotedBy[carrier].push_back(edit.use);
        }
        for (size_t i = 0; i < bases.size(); ++i) {
            const auto quoting = m_quotedBy.find(m_edits.edits[i].use);
            if (m_edits.edits[i].thread == m_thread && quoting != m_quotedBy.end())
                bases[i].quotedBy = quoting->second;
        }
        return bases;
    }

private:
    [[nodiscard]] EditBasis basisOf(const Edit &edit) const
    {
        if (edit.kind == ChangeKind::Patch)
            return patched(edit);
        const auto quotes = m_quotesOf.find(edit.use);
        if (quotes != m_quotesOf.end() && !isRefused(quotes->second, edit.call))
            return quoted(edit, quotes->second);
        if (isSearchedFor(edit))
            return searched(edit, oldTexts(m_session, m_session.block(edit.use)), {});
        const bool isUnshown = std::ranges::find(m_uses.unshown, edit.use) != m_uses.unshown.end();
        return isUnshown ? withoutCarrier(edit, oldTexts(m_session, m_session.block(edit.use)), {}) : EditBasis();
    }

    /// For each quote the newest of its carriers in context.
    [[nodiscard]] EditBasis quoted(const Edit &edit, const std::vector<size_t> &quotes) const
    {
        std::vector<BlockId> carriers;
        for (const size_t i : quotes) {
            const Use &use = m_uses.uses[i];
            const auto all = m_uses.carriersOf(use);
            const auto inContext
                = [&](BlockId block) { return !m_refused.contains(block) && m_context.holds(block, edit.call); };
            const auto isSure = [&](BlockId block) { return m_context.holdsSurely(block, edit.call); };
            const auto isOwn = [&](BlockId block) { return otherFileOf(block, edit).empty(); };
            auto newest = all.end();
            for (const auto &[wantsSure, wantsOwn] : kPreferences) {
                if (newest == all.end())
                    newest = std::ranges::find_if(all, [&](BlockId block) {
                        return inContext(block) && (!wantsSure || isSure(block)) && (!wantsOwn || isOwn(block));
                    });
            }
            const bool isThere = use.isTogether ? std::ranges::all_of(all, inContext) : newest != all.end();
            if (!isThere) {
                const auto last = std::ranges::find_if(all, [&](BlockId block) { return !isOwnAnswer(block, edit); });
                return withoutCarrier(
                    edit, oldTexts(m_session, m_session.block(edit.use)), last == all.end() ? BlockId() : *last);
            }
            if (use.isTogether)
                carriers.insert(carriers.end(), all.begin(), all.end());
            else
                carriers.push_back(*newest);
        }
        return resting(edit, std::move(carriers));
    }

    [[nodiscard]] EditBasis patched(const Edit &edit) const
    {
        return searched(edit, oldLines(m_session, edit), edit.basis);
    }

    /// The basis from the blocks of a rebuilt body; without any, from the blocks that show the texts.
    [[nodiscard]] EditBasis searched(
        const Edit &edit, const std::vector<std::string> &texts, std::vector<BlockId> carriers) const
    {
        if (texts.empty())
            return {};
        const bool isOfBody = !carriers.empty();
        for (size_t i = 0; !isOfBody && i < texts.size(); ++i) {
            const std::vector<BlockId> shown = unreadCarriers(texts[i], edit.call);
            carriers.insert(carriers.end(), shown.begin(), shown.end());
        }
        const bool isThere = !carriers.empty()
            && std::ranges::all_of(carriers, [&](BlockId block) { return m_context.holds(block, edit.call); });
        return isThere ? resting(edit, std::move(carriers))
                       : withoutCarrier(edit, texts, carriers.empty() ? lastShown(texts, edit) : carriers.front());
    }

    /// Finds the calls without a landed edit: no file had their texts because of them.
    void findRefused()
    {
        for (const Edit &edit : m_edits.edits) {
            if (edit.outcome == EditOutcome::Failed || edit.outcome == EditOutcome::Interrupted)
                m_refused.insert(edit.use);
        }
        for (const Edit &edit : m_edits.edits) {
            if (edit.outcome == EditOutcome::Landed || edit.outcome == EditOutcome::Untold)
                m_refused.erase(edit.use);
        }
    }

    /// Whether the only carriers of a quote in context are calls that changed nothing.
    [[nodiscard]] bool isRefused(const std::vector<size_t> &quotes, CallIndex call) const
    {
        return std::ranges::any_of(quotes, [&](size_t i) {
            const Use &use = m_uses.uses[i];
            const auto all = m_uses.carriersOf(use);
            const auto isSuch = [&](BlockId block) { return m_refused.contains(block); };
            const auto isOther = [&](BlockId block) { return !isSuch(block) && m_context.holds(block, call); };
            return std::ranges::any_of(all, isSuch) && (use.isTogether || std::ranges::none_of(all, isOther));
        });
    }

    /// Whether `uses` cannot give the basis: they have no quotes of failed calls, and count failed calls as carriers.
    [[nodiscard]] bool isSearchedFor(const Edit &edit) const
    {
        if (edit.kind != ChangeKind::Replace || std::ranges::find(m_uses.unshown, edit.use) != m_uses.unshown.end())
            return false;
        const auto quotes = m_quotesOf.find(edit.use);
        return quotes == m_quotesOf.end() ? m_refused.contains(edit.use) : isRefused(quotes->second, edit.call);
    }

    /// Finds carriers for patches whose old lines are in no rebuilt body, because a search or a diff showed them.
    void findUnread()
    {
        for (const Edit &edit : m_edits.edits) {
            const bool isPatch = edit.kind == ChangeKind::Patch && edit.basis.empty();
            if (edit.thread != m_thread || (!isPatch && !isSearchedFor(edit)))
                continue;
            for (const std::string &text :
                isPatch ? oldLines(m_session, edit) : oldTexts(m_session, m_session.block(edit.use))) {
                addUnread(text);
                forEachTrimmedLine(text, [&](std::string_view line) { addUnread(line); });
            }
        }
        m_unread.prepare();
        m_holders.resize(m_unread.size());
        BlockId last;
        for (const ContextSpan &span : m_spans.spans) {
            const Block &block = m_spans.session->block(span.block);
            const bool carries = !block.is(BlockFlag::Summary) && !block.is(BlockFlag::Stub)
                && !block.is(BlockFlag::Tools) && !m_refused.contains(span.block);
            if (m_unread.size() == 0 || span.block == std::exchange(last, span.block) || !carries)
                continue;
            for (const uint32_t phrase : m_unread.find(shownText(*m_spans.session, block).text))
                m_holders[phrase].push_back(span.block);
        }
    }

    void addUnread(std::string_view text)
    {
        if (!text.empty())
            m_numberOf.try_emplace(std::string(text), m_unread.add(text));
    }

    /// The newest block that shows the whole text, else the newest blocks of its lines if all are shown; else empty.
    [[nodiscard]] std::vector<BlockId> unreadCarriers(const std::string &text, CallIndex call) const
    {
        if (const BlockId whole = newestThatShows(text, call); whole.isValid())
            return { whole };
        std::vector<BlockId> carriers;
        bool areAll = true;
        forEachTrimmedLine(text, [&](std::string_view line) {
            if (line.empty())
                return;
            carriers.push_back(newestThatShows(std::string(line), call));
            areAll = areAll && carriers.back().isValid();
        });
        return areAll ? carriers : std::vector<BlockId>();
    }

    /// The newest block before an edit that showed one of these texts, in context or not.
    [[nodiscard]] BlockId lastShown(const std::vector<std::string> &texts, const Edit &edit) const
    {
        BlockId last;
        for (const std::string &text : texts) {
            const auto number = m_numberOf.find(text);
            if (number == m_numberOf.end())
                continue;
            for (const BlockId holder : m_holders[number->second]) {
                if (holder < edit.use && !isOwnAnswer(holder, edit) && (!last.isValid() || last < holder))
                    last = holder;
            }
        }
        return last;
    }

    /// Whether a block is of the answer that wrote the edit: its thinking can repeat the old text.
    [[nodiscard]] bool isOwnAnswer(BlockId block, const Edit &edit) const
    {
        if (!edit.call.isValid())
            return block == edit.use;
        const BlockRange output = m_session.thread(edit.thread).calls[edit.call.index()].output;
        return output.begin <= block.index() && block.index() < output.end;
    }

    [[nodiscard]] BlockId newestThatShows(const std::string &text, CallIndex call) const
    {
        const auto number = m_numberOf.find(text);
        if (number == m_numberOf.end())
            return {};
        const auto holders = std::views::reverse(m_holders[number->second]);
        auto newest = std::ranges::find_if(holders, [&](BlockId block) { return m_context.holdsSurely(block, call); });
        if (newest == holders.end())
            newest = std::ranges::find_if(holders, [&](BlockId block) { return m_context.holds(block, call); });
        return newest == holders.end() ? BlockId() : *newest;
    }

    /// Finds what no call sent: a result just before a compaction.
    void findUnsent()
    {
        std::unordered_set<BlockId> sent;
        for (const ContextSpan &span : m_spans.spans)
            sent.insert(span.block);
        for (size_t i = 0; i < m_session.blocks.size(); ++i) {
            const Block &block = m_session.blocks[i];
            const bool carries = !block.is(BlockFlag::Summary) && !block.is(BlockFlag::Stub)
                && !block.is(BlockFlag::Tools) && !m_refused.contains(BlockId(i));
            if (carries && block.message.isValid() && m_session.message(block.message).thread == m_thread
                && !sent.contains(BlockId(i)))
                m_unsent.push_back(BlockId(i));
        }
    }

    /// The newest block before an edit that no call sent and that shows all of these texts.
    [[nodiscard]] BlockId lastUnsent(const std::vector<std::string> &texts, const Edit &edit) const
    {
        for (const BlockId block : std::views::reverse(m_unsent)) {
            if (texts.empty() || edit.use < block || isOwnAnswer(block, edit))
                continue;
            const std::string shown = shownText(m_session, m_session.block(block)).text;
            if (std::ranges::all_of(texts, [&](const std::string &text) { return shown.contains(text); }))
                return block;
        }
        return {};
    }

    [[nodiscard]] EditBasis withoutCarrier(
        const Edit &edit, const std::vector<std::string> &texts, BlockId lastShown) const
    {
        if (m_world == BasisContext::Recorded) {
            const BlockId unsent = lastUnsent(texts, edit);
            if (unsent.isValid() && (!lastShown.isValid() || lastShown < unsent))
                lastShown = unsent;
        }
        EditBasis basis;
        const BlockId summary = m_context.summaryWith(texts, edit.call);
        const bool isTaken = m_world == BasisContext::Simulated && lastShown.isValid();
        basis.kind = summary.isValid() ? BasisKind::SummaryOnly : isTaken ? BasisKind::Lost : BasisKind::NotLogged;
        if (summary.isValid() || lastShown.isValid())
            basis.carriers = { summary.isValid() ? summary : lastShown };
        return basis;
    }

    /// The file that a block reads, writes or edits, if that is not the file of the edit; else empty. What a command or
    /// a search shows may be of any file.
    [[nodiscard]] std::string otherFileOf(BlockId id, const Edit &edit) const
    {
        const Block &block = m_session.block(id);
        if (block.kind == BlockKind::ToolCall) {
            const auto own = m_filesOf.find(id);
            const bool isOther = own != m_filesOf.end() && !std::ranges::contains(own->second, edit.path);
            return isOther ? own->second.front() : std::string();
        }
        const bool isRead = toolDeed(m_session.string(block.name)) == ToolDeed::Read;
        const std::string_view path = m_session.pathInFolder(m_session.string(block.subject));
        return isRead && path != edit.path ? std::string(path) : std::string();
    }

    [[nodiscard]] EditBasis resting(const Edit &edit, std::vector<BlockId> carriers) const
    {
        std::ranges::sort(carriers, std::ranges::greater());
        const auto [repeated, end] = std::ranges::unique(carriers);
        carriers.erase(repeated, end);
        EditBasis basis;
        const bool isOwn = m_session.block(carriers.front()).kind == BlockKind::ToolCall;
        basis.kind = carriers.size() > 1 ? BasisKind::Pieces : isOwn ? BasisKind::OwnEdit : BasisKind::Shown;
        // A block is first sent by the call after the one that requested or wrote it.
        basis.otherFile = otherFileOf(carriers.front(), edit);
        basis.callsBefore = edit.call.value() + 1 - m_context.entered(carriers.front()).value_or(edit.call.value());
        basis.mayBeCleared
            = std::ranges::any_of(carriers, [&](BlockId block) { return !m_context.holdsSurely(block, edit.call); });
        basis.carriers = std::move(carriers);
        return basis;
    }

    const Edits &m_edits;
    const Session &m_session;
    ThreadIndex m_thread;
    const Uses &m_uses;
    const ContextSpans &m_spans;
    Context m_context;
    BasisContext m_world;
    PhraseFinder m_unread; ///< the old lines of patches and old texts, whole and line by line
    std::unordered_set<BlockId> m_refused;
    std::vector<BlockId> m_unsent; ///< ascending
    std::unordered_map<std::string, uint32_t> m_numberOf;
    std::vector<std::vector<BlockId>> m_holders;                     ///< by phrase, ascending
    std::unordered_map<BlockId, std::vector<std::string>> m_filesOf; ///< that a call changes
    std::unordered_map<BlockId, std::vector<size_t>> m_quotesOf;     ///< indices of uses by the quoting call
    std::unordered_map<BlockId, std::vector<BlockId>> m_quotedBy;    ///< calls by the quoted block
};

std::string numbersOf(const Session &session, const std::vector<BlockId> &blocks, std::string_view separator)
{
    std::string text;
    std::string last;
    for (const BlockId block : blocks) {
        const MessageId message = session.block(block).message;
        const std::string number
            = message.isValid() ? "#" + std::to_string(message.value()) : std::string("the prelude");
        if (number == last)
            continue;
        text += (text.empty() ? std::string() : std::string(separator)) + number;
        last = number;
    }
    return text;
}

} // namespace

std::vector<EditBasis> editBases(
    const Edits &edits, ThreadIndex thread, const Uses &uses, const ContextSpans &spans, BasisContext context)
{
    return BasisFinder(edits, thread, uses, spans, context).find();
}

bool isWithoutCarrier(const EditBasis &basis)
{
    return basis.kind == BasisKind::SummaryOnly || basis.kind == BasisKind::NotLogged || basis.kind == BasisKind::Lost;
}

std::string basisText(const Session &session, const EditBasis &basis)
{
    const std::string distance = (basis.otherFile.empty() ? "" : " of " + visibleText(basis.otherFile)) + ", "
        + counted(basis.callsBefore, "call") + " before, " + (basis.mayBeCleared ? "perhaps cleared" : "in context");
    switch (basis.kind) {
    case BasisKind::NotNeeded:
        return {};
    case BasisKind::Shown: {
        const bool isRead = toolDeed(session.string(session.block(basis.carriers.front()).name)) == ToolDeed::Read;
        return (isRead ? "read " : "shown by ") + numbersOf(session, basis.carriers, " ") + distance;
    }
    case BasisKind::OwnEdit:
        return "own edit " + numbersOf(session, basis.carriers, " ") + distance;
    case BasisKind::Pieces:
        return "pieces of " + numbersOf(session, basis.carriers, " ")
            + (basis.mayBeCleared ? ", some perhaps cleared" : "");
    case BasisKind::SummaryOnly:
        return "only in the summary";
    case BasisKind::NotLogged:
        return "not in the logged context";
    case BasisKind::Lost:
        return "lost: nothing in context shows it";
    }
    return {};
}

} // namespace core
