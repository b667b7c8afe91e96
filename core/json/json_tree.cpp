// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/json/json_tree.h"

#include "core/json/blank.h"
#include "core/json/json_probe.h"

namespace core {

namespace {

constexpr int kMaxDepth = 1024;

} // namespace

std::optional<JsonTree> JsonTree::parse(std::string_view text, uint64_t begin)
{
    JsonTree tree;
    tree.m_text = text;
    uint64_t at = begin;
    if (!tree.parseValue(at, kNone, 0, 0, 0, 0))
        return std::nullopt;
    return tree;
}

void JsonTree::skipBlanks(uint64_t &at) const
{
    while (at < m_text.size() && isBlank(m_text[at]))
        ++at;
}

bool JsonTree::skipString(uint64_t &at) const
{
    const auto end = at < m_text.size() && m_text[at] == '"' ? skipJsonString(m_text, at) : std::nullopt;
    at = end.value_or(m_text.size());
    return end.has_value();
}

bool JsonTree::parseValue(uint64_t &at, uint32_t parent, uint32_t place, uint64_t keyBegin, uint64_t keyEnd, int depth)
{
    skipBlanks(at);
    if (at >= m_text.size() || depth > kMaxDepth)
        return false;
    const auto self = static_cast<uint32_t>(m_nodes.size());
    const char opening = m_text[at];
    m_nodes.push_back({ opening, at, 0, keyBegin, keyEnd, parent, place });
    if (opening == '{' || opening == '[') {
        ++at;
        if (!parseChildren(at, self, depth + 1))
            return false;
    } else if (opening == '"') {
        if (!skipString(at))
            return false;
    } else {
        const uint64_t begin = at;
        while (at < m_text.size() && !isBlank(m_text[at]) && !std::string_view(",:]}[{\"").contains(m_text[at]))
            ++at;
        if (at == begin)
            return false;
    }
    m_nodes[self].end = at;
    return true;
}

/// On entry `at` is behind the opening bracket, on return behind the closing one.
bool JsonTree::parseChildren(uint64_t &at, uint32_t self, int depth)
{
    const bool isObject = m_nodes[self].opening == '{';
    const char closing = isObject ? '}' : ']';
    skipBlanks(at);
    if (at < m_text.size() && m_text[at] == closing) {
        ++at;
        return true;
    }
    for (uint32_t place = 0;; ++place) {
        uint64_t keyBegin = 0;
        uint64_t keyEnd = 0;
        if (isObject) {
            skipBlanks(at);
            keyBegin = at;
            if (!skipString(at))
                return false;
            keyEnd = at;
            skipBlanks(at);
            if (at >= m_text.size() || m_text[at] != ':')
                return false;
            ++at;
        }
        if (!parseValue(at, self, place, keyBegin, keyEnd, depth))
            return false;
        skipBlanks(at);
        if (at >= m_text.size())
            return false;
        const char c = m_text[at++];
        if (c == closing)
            return true;
        if (c != ',')
            return false;
    }
}

std::vector<uint32_t> JsonTree::children(uint32_t index) const
{
    std::vector<uint32_t> found;
    for (uint32_t i = index + 1; i < m_nodes.size() && m_nodes[i].begin < m_nodes[index].end; ++i) {
        if (m_nodes[i].parent == index)
            found.push_back(i);
    }
    return found;
}

uint32_t JsonTree::innermost(uint64_t begin, uint64_t end) const
{
    uint32_t found = kNone;
    for (uint32_t i = 0; i < m_nodes.size() && m_nodes[i].begin <= begin; ++i) {
        if (end <= m_nodes[i].end)
            found = i; // nodes are sorted by their start, so a later match is inside
    }
    return found;
}

uint32_t JsonTree::member(uint32_t object, std::string_view key) const
{
    for (const uint32_t child : children(object)) {
        if (keyOf(child) == key)
            return child;
    }
    return kNone;
}

std::string_view JsonTree::keyOf(uint32_t index) const
{
    const Node &each = m_nodes[index];
    return each.isMember() ? m_text.substr(each.keyBegin + 1, each.keyEnd - each.keyBegin - 2) : std::string_view();
}

std::vector<std::vector<uint64_t>> openContainersAt(
    std::string_view text, uint64_t begin, std::span<const uint64_t> offsets)
{
    std::vector<std::vector<uint64_t>> found;
    std::vector<uint64_t> open;
    size_t at = begin;
    const auto answer = [&](uint64_t limit) {
        while (found.size() < offsets.size() && offsets[found.size()] <= limit)
            found.push_back(open);
    };
    while (at < text.size() && found.size() < offsets.size()) {
        answer(at);
        const char c = text[at];
        if (c == '"') {
            const auto end = skipJsonString(text, at);
            if (!end)
                break;
            at = *end;
            continue;
        }
        if (c == '{' || c == '[')
            open.push_back(at);
        else if ((c == '}' || c == ']') && !open.empty())
            open.pop_back();
        ++at;
    }
    answer(text.size());
    found.resize(offsets.size());
    return found;
}

} // namespace core
