// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "growth_bench.h"

#include "core/diff/line_diff.h"
#include "core/tokens/pieces.h"
#include "measure.h"

#include <functional>
#include <string>

namespace bench {

namespace {

constexpr int kRounds = 5;
constexpr double kMost = 8; ///< for four times the text

enum class Shape : uint8_t { TenthLine, EveryLine, OneBlock, OneLine };

/// `count` lines, or words of one line.
std::string textOf(Shape shape, size_t count, bool isAfter)
{
    const auto isChanged = [&](size_t i) {
        switch (shape) {
        case Shape::TenthLine:
            return i % 10 == 0;
        case Shape::EveryLine:
            return true;
        case Shape::OneBlock:
            return i > count / 3 && i < count / 2;
        case Shape::OneLine:
            return i % 100 == 0;
        }
        return false;
    };
    std::string text;
    for (size_t i = 0; i < count; ++i) {
        text += "    value[" + std::to_string(i)
            + "] = " + (isAfter && isChanged(i) ? "make(first, second);" : "compute(first, second);");
        text += shape == Shape::OneLine ? ' ' : '\n';
    }
    return text;
}

void growth(const std::string &what, size_t size, const std::function<std::function<void()>(size_t)> &workOf)
{
    const auto timeOf = [&](size_t each) { return median(processorSecondsOf(kRounds, workOf(each))); };
    const double times = timeOf(4 * size) / timeOf(size);
    report(what + ", four times the text", fixed(times, 1) + " times", "< " + fixed(kMost, 0), times < kMost);
}

} // namespace

void benchGrowth()
{
    const auto compare = [](Shape shape) {
        return [shape](size_t count) -> std::function<void()> {
            return [before = textOf(shape, count, false), after = textOf(shape, count, true)] {
                (void)core::diffLines(before, after);
            };
        };
    };
    constexpr size_t kLines = 4'000;
    growth("every tenth line edited", kLines, compare(Shape::TenthLine));
    growth("every line edited", kLines, compare(Shape::EveryLine));
    growth("one block of other lines", kLines, compare(Shape::OneBlock));
    growth("one long line, a word in a hundred another", kLines, compare(Shape::OneLine));
    for (const char part : { 'a', ' ', '!', '\n' }) {
        growth(std::string("pieces of one character, ") + std::to_string(static_cast<int>(part)), 1'000'000,
            [part](size_t size) -> std::function<void()> {
                return [text = std::string(size, part)] { (void)core::countPieces(text); };
            });
    }
}

} // namespace bench
