// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/diff/line_pairs.h"

#include "core/base/text.h"

#include <algorithm>

namespace core {

namespace {

/// Of a longer line only its beginning and end are compared.
constexpr size_t kLookedBytes = 1024;

} // namespace

void LinePairer::shapeOf(std::string_view line, Shape &shape)
{
    shape.clear();
    const auto addPairs = [&](std::string_view part) {
        unsigned previous = 0;
        for (const char c : part) {
            if (isBlank(c))
                continue;
            const unsigned byte = static_cast<unsigned char>(c);
            shape.push_back(static_cast<uint16_t>(previous << 8U | byte));
            previous = byte;
        }
    };
    if (line.size() <= kLookedBytes) {
        addPairs(line);
    } else {
        addPairs(line.substr(0, kLookedBytes / 2));
        addPairs(line.substr(line.size() - kLookedBytes / 2));
    }
    std::ranges::sort(shape);
}

double LinePairer::likeness(const Shape &before, const Shape &after)
{
    if (before.empty() && after.empty())
        return 1;
    size_t shared = 0;
    for (size_t i = 0, j = 0; i < before.size() && j < after.size();) {
        if (before[i] == after[j]) {
            ++shared;
            ++i;
            ++j;
        } else if (before[i] < after[j]) {
            ++i;
        } else {
            ++j;
        }
    }
    return 2.0 * static_cast<double>(shared) / static_cast<double>(before.size() + after.size());
}

double LinePairer::likeness(std::string_view before, std::string_view after)
{
    Shape first;
    Shape second;
    shapeOf(before, first);
    shapeOf(after, second);
    return likeness(first, second);
}

std::vector<std::pair<size_t, size_t>> LinePairer::pairs(std::string_view before, const TextLines &beforeLines,
    LineRange beforeRange, std::string_view after, const TextLines &afterLines, LineRange afterRange)
{
    std::vector<std::pair<size_t, size_t>> result;
    const size_t n = beforeRange.count();
    const size_t m = afterRange.count();
    if (n == 0 || m == 0)
        return result;
    const auto takeShapes
        = [](std::string_view text, const TextLines &lines, LineRange range, std::vector<Shape> &shapes) {
              size_t size = 0;
              shapes.resize(std::max(shapes.size(), range.count()));
              for (size_t i = 0; i < range.count(); ++i) {
                  shapeOf(lines.span(range.first + i).of(text), shapes[i]);
                  size += shapes[i].size();
              }
              return size;
          };
    const bool isShort = n * m <= kMostPairs && n <= kMostPairs && m <= kMostPairs;
    const size_t compared = isShort ? std::max(n, m) : std::min(n, m);
    const LineRange beforeLooked { beforeRange.first, beforeRange.first + std::min(n, compared) };
    const LineRange afterLooked { afterRange.first, afterRange.first + std::min(m, compared) };
    const size_t beforeSize = takeShapes(before, beforeLines, beforeLooked, m_beforeShapes);
    const size_t afterSize = takeShapes(after, afterLines, afterLooked, m_afterShapes);
    const size_t cost = beforeSize * m + afterSize * n;

    if (!isShort || cost > m_budget) {
        for (size_t i = 0; i < std::min(n, m); ++i) {
            if (likeness(m_beforeShapes[i], m_afterShapes[i]) >= kAlike)
                result.emplace_back(beforeRange.first + i, afterRange.first + i);
        }
        return result;
    }
    m_budget -= cost;

    // The ordered pairs with the largest total likeness: worth[i][j] is the best total of the lines from i and j on.
    std::vector<double> likenesses(n * m);
    std::vector<double> worth((n + 1) * (m + 1), 0.0);
    const auto at = [&](size_t i, size_t j) -> double & { return worth[i * (m + 1) + j]; };
    const auto worthOf = [&](size_t i, size_t j) {
        const size_t characters = std::min<size_t>(m_beforeShapes[i].size() + m_afterShapes[j].size(), 100);
        return likenesses[i * m + j] * static_cast<double>(1 + characters);
    };
    for (size_t i = n; i-- > 0;) {
        for (size_t j = m; j-- > 0;) {
            likenesses[i * m + j] = likeness(m_beforeShapes[i], m_afterShapes[j]);
            at(i, j) = std::max(at(i + 1, j), at(i, j + 1));
            if (likenesses[i * m + j] >= kAlike)
                at(i, j) = std::max(at(i, j), at(i + 1, j + 1) + worthOf(i, j));
        }
    }
    for (size_t i = 0, j = 0; i < n && j < m;) {
        if (likenesses[i * m + j] >= kAlike && at(i, j) == at(i + 1, j + 1) + worthOf(i, j)) {
            result.emplace_back(beforeRange.first + i, afterRange.first + j);
            ++i;
            ++j;
        } else if (at(i, j) == at(i + 1, j)) {
            ++i;
        } else {
            ++j;
        }
    }
    return result;
}

} // namespace core
