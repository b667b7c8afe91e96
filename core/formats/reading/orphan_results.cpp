// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/orphan_results.h"

#include "core/base/text.h"

#include <algorithm>
#include <iterator>

namespace core {

namespace {

constexpr size_t kListed = 20;

/// Collects results without a call, one for each call id.
class OrphanFinder final {
public:
    explicit OrphanFinder(const SessionBuilder &builder)
        : m_builder(builder)
        , m_isNoted(builder.stringCount() + 1)
    {
    }

    /// Starts an array: no call stands before its first block.
    void begin() { m_isCalled.assign(m_isNoted.size(), false); }

    void visit(const Block &block)
    {
        // The last place is that of blocks without an id.
        const size_t id = block.callId.isValid() ? block.callId.index() : m_isNoted.size() - 1;
        if (block.kind == BlockKind::ToolCall)
            m_isCalled[id] = true;
        if (block.kind != BlockKind::ToolResult || m_isCalled[id] || m_isNoted[id])
            return;
        m_isNoted[id] = true;
        if (++m_count <= kListed)
            m_notes.push_back({ Severity::Note, block.recordLine, sentence(block) });
    }

    [[nodiscard]] std::vector<Diagnostic> notes()
    {
        if (m_count > kListed)
            m_notes.push_back(
                { Severity::Note, 0, groupedNumber(m_count - kListed) + " more results have no call before them." });
        return std::move(m_notes);
    }

private:
    [[nodiscard]] std::string sentence(const Block &block) const
    {
        return block.callId.isValid()
            ? "The result of " + std::string(m_builder.string(block.callId)) + " has no call before it."
            : "A tool result names no call.";
    }

    const SessionBuilder &m_builder;
    std::vector<bool> m_isNoted;  ///< by call id
    std::vector<bool> m_isCalled; ///< by call id
    std::vector<Diagnostic> m_notes;
    size_t m_count = 0;
};

} // namespace

std::vector<Diagnostic> orphanResults(const SessionBuilder &builder, OrphansIn where)
{
    const Session &session = builder.session();
    OrphanFinder finder(builder);
    for (const Thread &thread : session.threads) {
        finder.begin();
        thread.end.forEach([&](BlockId id) { finder.visit(session.block(id)); });
    }
    if (where == OrphansIn::Ends)
        return finder.notes();
    finder.begin();
    for (const Block &block : session.blocks)
        finder.visit(block);
    return finder.notes();
}

void noteOrphanResults(SessionBuilder &builder, OrphansIn where)
{
    std::ranges::move(orphanResults(builder, where), std::back_inserter(builder.session().diagnostics));
}

} // namespace core
