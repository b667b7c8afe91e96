// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/edited_ground.h"

#include "core/compaction/text_edits.h"

#include <unordered_map>

namespace core {

namespace {

/// Rewrites a log step by step. Each block of the log stands for itself or its edited text, followed by the texts
/// inserted behind it.
class LogEditor final {
public:
    LogEditor(const AppendLog &log, const Overrides &overrides, BlockPool &pool)
        : m_log(log)
        , m_session(*log.session)
    {
        for (const TextEdit &each : overrides.replace)
            m_edited[each.block] = pool.addChanged(each.block, editOf(pool, each.block, each.text));
        for (const TextInsertion &each : overrides.insert)
            (each.after.isValid() ? m_inserted[m_session.block(each.after).message] : m_atStart)
                .push_back(pool.addMessage(each.text, each.role, log.thread));
    }

    [[nodiscard]] AppendLog edited()
    {
        AppendLog result = m_log;
        result.steps.clear();
        result.added.clear();
        std::vector<uint32_t> ends; // by block of the old array: the size of the new array behind it
        for (size_t i = 0; i < m_log.steps.size(); ++i) {
            ends.resize(m_log.steps[i].kept);
            LogStep step { ends.empty() ? 0 : ends.back(), static_cast<uint32_t>(result.added.size()), 0 };
            const auto added = m_log.addedAt(i);
            if (ends.empty() && !added.empty())
                result.added.insert(result.added.end(), m_atStart.begin(), m_atStart.end());
            for (size_t k = 0; k < added.size(); ++k) {
                add(added[k], k + 1 < added.size() ? added[k + 1] : BlockId(), result.added);
                ends.push_back(step.kept + static_cast<uint32_t>(result.added.size()) - step.first);
            }
            step.count = static_cast<uint32_t>(result.added.size()) - step.first;
            result.steps.push_back(step);
        }
        return result;
    }

    /// The new blocks.
    [[nodiscard]] std::vector<BlockId> made() const
    {
        std::vector<BlockId> all = m_atStart;
        for (const auto &[block, edit] : m_edited)
            all.push_back(edit);
        for (const auto &[message, texts] : m_inserted)
            all.insert(all.end(), texts.begin(), texts.end());
        return all;
    }

private:
    void add(BlockId id, BlockId next, std::vector<BlockId> &added) const
    {
        const auto edit = m_edited.find(id);
        added.push_back(edit == m_edited.end() ? id : edit->second);
        const MessageId message = m_session.block(id).message;
        if (next.isValid() && m_session.block(next).message == message)
            return;
        if (const auto texts = m_inserted.find(message); texts != m_inserted.end())
            added.insert(added.end(), texts->second.begin(), texts->second.end());
    }

    const AppendLog &m_log;
    const Session &m_session;
    std::unordered_map<BlockId, BlockId> m_edited;
    std::unordered_map<MessageId, std::vector<BlockId>> m_inserted;
    std::vector<BlockId> m_atStart; ///< texts before all messages
};

} // namespace

ReplayGroundPtr editedGround(const ReplayGroundPtr &ground, ReplayOptions &options)
{
    auto result = std::make_shared<ReplayGround>(*ground);
    BlockPool pool(ground->log.session, *ground->tokens);
    LogEditor editor(ground->log, options.overrides, pool);
    result->log = editor.edited();
    auto session = std::make_shared<Session>(
        *pool.finish(ground->log.thread, ground->session().thread(ground->log.thread).end, result->tokens));
    session->threads = ground->session().threads;
    result->log.session = std::move(session);
    for (const TextEdit &each : options.overrides.replace)
        std::erase(options.overrides.keep, each.block);
    const std::vector<BlockId> made = editor.made();
    options.overrides.keep.insert(options.overrides.keep.end(), made.begin(), made.end());
    options.overrides.replace.clear();
    options.overrides.insert.clear();
    options.memo = nullptr;
    return result;
}

} // namespace core
