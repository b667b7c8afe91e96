// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/known_text.h"

#include "core/base/counted.h"

#include <algorithm>

namespace core {

namespace {

uint64_t lineEnds(std::string_view text) { return static_cast<uint64_t>(std::ranges::count(text, '\n')); }

/// Offset behind `count` line ends; npos if there are fewer.
size_t behindLines(std::string_view text, uint64_t count)
{
    size_t at = 0;
    for (; count > 0; --count) {
        at = text.find('\n', at);
        if (at == std::string_view::npos)
            return at;
        ++at;
    }
    return at;
}

} // namespace

KnownText KnownText::of(std::string text, BlockId from)
{
    KnownText made;
    const size_t size = text.size();
    made.append(Part { std::make_shared<const std::string>(std::move(text)), 0, size, from, std::nullopt });
    return made;
}

KnownText KnownText::gap(std::optional<uint64_t> lines)
{
    KnownText made;
    made.append(Part { nullptr, 0, 1, {}, lines });
    return made;
}

size_t KnownText::gapCount() const
{
    return static_cast<size_t>(std::ranges::count_if(m_parts, [](const Part &part) { return part.isGap(); }));
}

uint64_t KnownText::knownBytes() const
{
    uint64_t bytes = 0;
    for (const Part &part : m_parts)
        bytes += part.isGap() ? 0 : part.size;
    return bytes;
}

std::string KnownText::flat() const
{
    std::string text;
    for (const Part &part : m_parts)
        text += part.view();
    return text;
}

std::string KnownText::lines() const
{
    std::string text;
    for (const Part &part : m_parts) {
        if (part.isGap() && !text.empty() && !text.ends_with('\n'))
            text += '\n';
        text += part.view();
        if (part.isGap())
            text += '\n';
    }
    return text;
}

std::string KnownText::readable() const
{
    std::string text;
    for (const Part &part : m_parts) {
        if (!part.isGap()) {
            text += part.view();
            continue;
        }
        text += text.empty() || text.ends_with('\n') ? "" : "\n";
        text += "[… " + (part.lines ? counted(*part.lines, "line") : std::string("lines")) + " not known]\n";
    }
    return text;
}

std::vector<BlockId> KnownText::origins(size_t begin, size_t end) const
{
    std::vector<BlockId> blocks;
    size_t at = 0;
    for (const Part &part : m_parts) {
        const bool overlaps = at < end && at + part.size > begin;
        if (overlaps && !part.isGap() && std::ranges::find(blocks, part.from) == blocks.end())
            blocks.push_back(part.from);
        at += part.size;
    }
    return blocks;
}

void KnownText::append(Part part)
{
    if (part.size == 0 || (part.isGap() && part.lines == 0))
        return;
    if (!m_parts.empty()) {
        Part &last = m_parts.back();
        if (last.isGap() && part.isGap()) {
            last.lines = last.lines && part.lines ? std::optional(*last.lines + *part.lines) : std::nullopt;
            return;
        }
        if (last.text == part.text && last.from == part.from && last.offset + last.size == part.offset) {
            last.size += part.size;
            return;
        }
    }
    m_parts.push_back(std::move(part));
}

void KnownText::append(const KnownText &other)
{
    for (const Part &part : other.m_parts)
        append(part);
}

KnownText KnownText::slice(size_t begin, size_t end) const
{
    KnownText made;
    size_t at = 0;
    for (const Part &part : m_parts) {
        const size_t from = std::max(begin, at);
        const size_t to = std::min(end, at + part.size);
        if (from < to) {
            Part cut = part;
            cut.offset += from - at;
            cut.size = to - from;
            // Two parts of a split gap must stay separate; appending would merge them.
            if (cut.isGap())
                made.m_parts.push_back(std::move(cut));
            else
                made.append(std::move(cut));
        }
        at += part.size;
    }
    return made;
}

void KnownText::replace(size_t begin, size_t end, const KnownText &by)
{
    KnownText made = slice(0, begin);
    made.append(by);
    made.append(slice(end, std::string::npos));
    *this = std::move(made);
}

std::optional<size_t> KnownText::cutAtLine(uint64_t line)
{
    size_t at = 0;
    uint64_t before = 0;
    for (size_t i = 0; i < m_parts.size(); ++i) {
        const Part &part = m_parts[i];
        if (before == line && (at == 0 || part.isGap()))
            return at;
        if (!part.isGap()) {
            const uint64_t ends = lineEnds(part.view());
            if (before + ends >= line)
                return at + behindLines(part.view(), line - before);
            before += ends;
        } else if (part.lines ? before + *part.lines >= line : i + 1 == m_parts.size()) {
            if (part.lines && before + *part.lines == line) {
                at += 1;
                return at;
            }
            const uint64_t inside = line - before;
            Part rest = part;
            rest.lines = part.lines ? std::optional(*part.lines - inside) : std::nullopt;
            m_parts[i].lines = inside;
            m_parts.insert(m_parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(rest));
            return at + 1;
        } else if (!part.lines) {
            return std::nullopt;
        } else {
            before += *part.lines;
        }
        at += part.size;
    }
    return before == line ? std::optional(at) : std::nullopt;
}

bool KnownText::fits(std::string_view whole) const
{
    size_t at = 0;
    bool floats = false; // the number of earlier lines is unknown
    for (size_t i = 0; i < m_parts.size();) {
        if (m_parts[i].isGap()) {
            const size_t skipped = m_parts[i].lines ? behindLines(whole.substr(at), *m_parts[i].lines) : 0;
            if (skipped == std::string_view::npos)
                return false;
            at += skipped;
            floats = floats || !m_parts[i].lines;
            ++i;
            continue;
        }
        std::string known;
        for (; i < m_parts.size() && !m_parts[i].isGap(); ++i)
            known += m_parts[i].view();
        const bool isLast = i == m_parts.size();
        if (isLast && floats)
            return whole.substr(at).ends_with(known);
        const size_t found = floats ? whole.find(known, at) : whole.substr(at).starts_with(known) ? at : whole.npos;
        if (found == std::string_view::npos || (isLast && found + known.size() != whole.size()))
            return false;
        at = found + known.size();
        floats = false;
    }
    return m_parts.empty() ? whole.empty() : floats || at == whole.size();
}

} // namespace core
