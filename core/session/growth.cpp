// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/growth.h"

#include <algorithm>

namespace core {

namespace {

bool isSame(const Block &a, const Block &b)
{
    return a.kind == b.kind && a.message == b.message && a.callId == b.callId && a.body.source == b.body.source
        && a.body.offset == b.body.offset && a.body.size == b.body.size && a.body.coding == b.body.coding;
}

bool isSame(const Message &a, const Message &b)
{
    return a.first == b.first && a.thread == b.thread && a.role == b.role && a.count <= b.count;
}

bool isSame(const Thread &a, const Thread &b)
{
    const auto isSameCall = [](const Call &x, const Call &y) { return x.line == y.line && x.input == y.input; };
    return a.kind == b.kind && a.calls.size() <= b.calls.size() && a.compactions.size() <= b.compactions.size()
        && std::ranges::equal(a.calls, std::span(b.calls).first(a.calls.size()), isSameCall);
}

} // namespace

bool beginsAlike(const Session &before, const Session &now)
{
    if (before.blocks.empty() || now.blocks.empty())
        return before.blocks.empty();
    const auto idOf = [](const Session &session) { return session.string(session.messages.front().externalId); };
    return idOf(before) == idOf(now) && before.blocks.front().kind == now.blocks.front().kind
        && before.blocks.front().lengths.bytes == now.blocks.front().lengths.bytes;
}

bool continues(const Session &before, const Session &grown)
{
    const auto begins = [](const auto &first, const auto &all) {
        return first.size() <= all.size()
            && std::equal(
                first.begin(), first.end(), all.begin(), [](const auto &a, const auto &b) { return isSame(a, b); });
    };
    return begins(before.blocks, grown.blocks) && begins(before.messages, grown.messages)
        && begins(before.threads, grown.threads);
}

} // namespace core
