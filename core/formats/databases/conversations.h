// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text.h"
#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/orphan_results.h"
#include "core/formats/reading/thread_log.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace core {

/// The conversations of a database. `Log` holds the messages of one: it has `isEmpty()` and `write(builder, thread)`.
template <typename Log>
class Conversations final {
public:
    struct Conversation {
        std::string id;
        std::string parent; ///< the conversation with the call that started it
        std::string title;
        std::string folder;
        uint64_t updated = 0;
        Log log;
    };

    Conversation &at(const std::string &id)
    {
        const auto [place, isNew] = m_byId.try_emplace(id, m_all.size());
        if (isNew)
            m_all.emplace_back().id = id;
        return m_all[place->second];
    }

    /// Adds every conversation as a thread: first the one that was updated last. After each come those that its calls
    /// started. `callOf` names the call that started a child.
    template <typename CallOf>
    void write(SessionBuilder &builder, CallOf &&callOf) const
    {
        std::vector<const Conversation *> roots;
        for (const Conversation &each : m_all) {
            if ((each.parent == each.id || !m_byId.contains(each.parent)) && hasMessages(each))
                roots.push_back(&each);
        }
        std::ranges::stable_sort(roots, std::greater(), &Conversation::updated);
        const ThreadKind kind = roots.size() > 1 ? ThreadKind::Run : ThreadKind::Main;
        for (const Conversation *root : roots) {
            const ThreadIndex thread = root == roots.front() ? ThreadIndex(0U) : builder.addThread(kind);
            builder.thread(thread).kind = kind;
            writeOne(builder, *root, thread, callOf);
        }
        if (!roots.empty()) {
            builder.session().title = snippet(roots.front()->title, kTitleCodePoints);
            builder.session().workingFolder = roots.front()->folder;
        }
        linkToolResults(builder.session());
        noteOrphanResults(builder);
        setTypedTitle(builder);
    }

private:
    /// Whether it or one that it started has messages.
    [[nodiscard]] bool hasMessages(const Conversation &own) const
    {
        return !own.log.isEmpty() || std::ranges::any_of(m_all, [&](const Conversation &each) {
            return each.parent == own.id && !each.log.isEmpty();
        });
    }

    template <typename CallOf>
    void writeOne(SessionBuilder &builder, const Conversation &own, ThreadIndex thread, CallOf &callOf) const
    {
        builder.thread(thread).id = own.id;
        builder.thread(thread).title = snippet(own.title, kTitleCodePoints);
        std::vector<Block> &blocks = builder.session().blocks;
        const size_t first = blocks.size();
        own.log.write(builder, thread);
        if (builder.thread(thread).kind == ThreadKind::Subagent) // an agent wrote its prompts
            std::ranges::for_each(blocks.begin() + static_cast<std::ptrdiff_t>(first), blocks.end(), setInjected);
        for (const Conversation &child : m_all) {
            if (child.parent != own.id || child.id == own.id || child.log.isEmpty())
                continue;
            const ThreadIndex below = builder.addThread(ThreadKind::Subagent);
            writeOne(builder, child, below, callOf);
            builder.thread(below).parentCall = callOfId(builder, callOf(own, child));
        }
    }

    static void setInjected(Block &block)
    {
        if (!block.is(BlockFlag::Typed))
            return;
        block.flags = static_cast<uint16_t>(block.flags & ~static_cast<unsigned>(BlockFlag::Typed));
        block.set(BlockFlag::Injected);
    }

    std::vector<Conversation> m_all;
    std::unordered_map<std::string, size_t> m_byId;
};

} // namespace core
