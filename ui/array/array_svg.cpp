// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_svg.h"

#include "core/base/format.h"
#include "core/session/slot_label.h"
#include "ui/array/column_layout.h"

#include <algorithm>

namespace ui {

std::string arraySvg(const core::SessionReport &report, core::PictureLinks links)
{
    using core::formatted;
    constexpr double kLength = 1000;
    constexpr double kHeight = 56;
    constexpr double kLeastName = 26; ///< width from which a slot shows its place
    const core::Transcript &array = report.shown.transcript;
    std::vector<double> weights;
    for (const core::Slot &slot : array.slots())
        weights.push_back(report.shown.weights.of(array, slot));
    const ColumnLayout layout(weights, 0, 0, fittingScale(weights, 0, 0, kLength, kLength));
    const std::vector<size_t> listed = core::listedSlots(report.shown);
    std::string svg = formatted(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"slots\" viewBox=\"0 0 {} {}\">\n", kLength, kHeight + 18);
    for (const ColumnLayout::Span &span : layout.spans(0, layout.totalHeight(1), 1)) {
        const core::Slot &slot = array.slots()[span.heaviest];
        double sum = 0;
        for (size_t i = span.first; i < span.last; ++i)
            sum += weights[i];
        const std::string name = span.isMerged()
            ? formatted("[{}] to [{}]: {} slots", span.first, span.last - 1, span.last - span.first)
            : formatted("[{}] #{}", span.first, slot.id.value());
        const bool isLink = links == core::PictureLinks::ToRows && std::ranges::binary_search(listed, span.heaviest);
        svg += isLink ? formatted("<a href=\"#message-{}\">", slot.id.value()) : std::string();
        svg += formatted("<rect class=\"m{}\" x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"{}\"><title>{}, {} "
                         "tokens</title></rect>{}\n",
            static_cast<size_t>(core::materialOf(array, slot)), span.top, span.height, kHeight, name,
            report.shown.weights.shown(sum), isLink ? "</a>" : "");
        if (!span.isMerged() && span.height >= kLeastName)
            svg += formatted("<text class=\"c\" x=\"{:.1f}\" y=\"{}\">{}</text>\n", span.top + span.height / 2,
                kHeight + 14, span.first);
    }
    return svg + "</svg>\n";
}

} // namespace ui
