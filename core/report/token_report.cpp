// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/token_report.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/report/document_parts.h"
#include "core/session/slot_label.h"
#include "core/tokens/estimate.h"
#include "core/tokens/model_family.h"
#include "core/tokens/weights.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

/// A sum over blocks: the counted tokens, and the estimate for the blocks' other content.
struct Sum {
    uint64_t tokens = 0;
    double more = 0;
    size_t blocks = 0;
    size_t notWhole = 0;

    /// False without any text: nothing was counted, which differs from zero tokens.
    [[nodiscard]] bool isCounted() const { return tokens > 0 || notWhole < blocks || blocks == 0; }
    [[nodiscard]] double whole() const { return static_cast<double>(tokens) + more; }
};

/// Adds up the blocks of one report.
class Adder final {
public:
    explicit Adder(const TokenReport &report)
        : m_report(report)
        , m_estimator(*report.transcript.session())
    {
    }

    void add(Sum &sum, BlockId id)
    {
        const ExactCount count = m_report.counts->of(id);
        ++sum.blocks;
        sum.tokens += count.tokens;
        if (count.isWhole)
            return;
        ++sum.notWhole;
        // The provider's rule for the image's size; if the block has text, the estimate includes it.
        const double estimate = m_estimator.tokensOf(m_report.transcript.block(id));
        sum.more += std::max(0.0, estimate - static_cast<double>(count.tokens));
    }

    Sum of(std::span<const BlockId> blocks)
    {
        Sum sum;
        for (const BlockId id : blocks)
            add(sum, id);
        return sum;
    }

private:
    const TokenReport &m_report;
    BlockEstimator m_estimator;
};

Sum sumOf(const TokenReport &report) { return Adder(report).of(report.transcript.blocks()); }

struct KindSum {
    BlockKind kind = BlockKind::Text;
    Sum sum;
};

/// By kind, in the order of declaration, without absent kinds.
std::vector<KindSum> sumsByKind(const TokenReport &report)
{
    std::vector<KindSum> sums;
    for (size_t kind = 0; kind <= static_cast<size_t>(BlockKind::Opaque); ++kind)
        sums.push_back({ static_cast<BlockKind>(kind), {} });
    Adder adder(report);
    for (const BlockId id : report.transcript.blocks())
        adder.add(sums[static_cast<size_t>(report.transcript.block(id).kind)].sum, id);
    std::erase_if(sums, [](const KindSum &each) { return each.sum.blocks == 0; });
    return sums;
}

std::optional<Encoding> modelEncoding(const TokenReport &report)
{
    return encodingOf(report.transcript.session()->model);
}

/// Whether the figures are in the model's own tokens; o200k_harmony counts text like o200k_base.
bool isModelEncoding(const TokenReport &report)
{
    const auto isO200k = [](Encoding encoding) { return encoding != Encoding::Cl100kBase; };
    const auto own = modelEncoding(report);
    return own && isO200k(*own) == isO200k(report.encoding);
}

/// The estimate in the model's tokens, if the encoding is not the model's own; the factors are for o200k.
std::optional<double> modelTokens(const TokenReport &report, const Sum &sum)
{
    if (report.transcript.session()->model.empty() || modelEncoding(report) || report.encoding == Encoding::Cl100kBase)
        return std::nullopt;
    const TokenizerFamily family = tokenizerFamily(report.transcript.session()->model);
    if (family == TokenizerFamily::Other)
        return std::nullopt;
    // Estimates are in the model's tokens already.
    const auto text = static_cast<double>(report.tokens);
    return text * tokenFactor(family) + sum.more;
}

void addSum(Json &into, const Sum &sum)
{
    into["tokens"] = sum.isCounted() ? figureJson(static_cast<double>(sum.tokens), Basis::Exact) : Json(nullptr);
    into["with_estimates"] = sum.notWhole > 0 ? figureJson(sum.whole(), Basis::Estimated) : Json(nullptr);
    into["blocks"] = sum.blocks;
    into["not_counted"] = sum.notWhole;
}

Json sessionJson(const TokenReport &report)
{
    const Session &session = *report.transcript.session();
    Json entry { { "file", report.file }, { "kind", "session" }, { "format", session.format },
        { "model", session.model }, { "encoding", nameOf(report.encoding) } };
    const auto own = modelEncoding(report);
    entry["model_encoding"] = own ? Json(nameOf(*own)) : Json(nullptr);
    const Sum sum = sumOf(report);
    const auto estimate = modelTokens(report, sum);
    entry["model_tokens"] = estimate ? figureJson(*estimate, Basis::Estimated)
        : isModelEncoding(report)    ? figureJson(sum.whole(), sum.notWhole > 0 ? Basis::Estimated : Basis::Exact)
                                     : Json(nullptr);
    entry["thread"] = report.position.thread.value();
    entry["call"] = report.position.isEnd() ? Json(nullptr) : Json(report.position.call.value());
    addSum(entry, sum);
    entry["kinds"] = Json::array();
    for (const KindSum &each : sumsByKind(report)) {
        Json kind { { "kind", nameOf(each.kind) } };
        addSum(kind, each.sum);
        entry["kinds"].push_back(std::move(kind));
    }
    Adder adder(report);
    entry["slots"] = Json::array();
    for (size_t i = 0; i < report.transcript.slotCount(); ++i) {
        const Slot &slot = report.transcript.slots()[i];
        Json line { { "index", i }, { "id", slot.id.value() }, { "role", nameOf(slot.role) },
            { "kind", nameOf(session.block(heaviestBlock(report.transcript, slot)).kind) },
            { "label", labelOf(report.transcript, slot).text() } };
        addSum(line, adder.of(report.transcript.blocksOf(slot)));
        entry["slots"].push_back(std::move(line));
    }
    return entry;
}

/// `o200k_base, the encoding of gpt-5`
std::string encodingText(const TokenReport &report)
{
    const std::string encoding(nameOf(report.encoding));
    const std::string &model = report.transcript.session()->model;
    if (model.empty())
        return encoding + "; the model is not recorded";
    const std::string name = snippet(model, 60);
    if (isModelEncoding(report))
        return encoding + ", the encoding of " + name;
    if (const auto own = modelEncoding(report))
        return encoding + "; " + name + " has " + std::string(nameOf(*own));
    std::string text = encoding + "; the encoding of " + name + " is not published";
    if (const auto estimate = modelTokens(report, sumOf(report)))
        text += ". Estimated tokens for this model: " + shown({ *estimate, Basis::Estimated });
    return text;
}

/// The text behind an indented count: its subject, and the content it does not include.
std::string line(const Sum &sum, size_t width, std::string_view what)
{
    const std::string estimate = shown({ sum.whole(), Basis::Estimated });
    std::string text = formatted("  {:>{}}  {}", sum.isCounted() ? groupedNumber(sum.tokens) : estimate, width, what);
    if (sum.notWhole > 0)
        text += formatted(" ({} of {} {} not counted, or {} only partly counted{})", sum.notWhole,
            counted(sum.blocks, "block"), sum.notWhole == 1 ? "is" : "are", sum.notWhole == 1 ? "is" : "are",
            sum.isCounted() ? "; " + estimate + " tokens for all blocks" : "");
    return text + "\n";
}

std::string drawSession(const TokenReport &report, TokenDetail detail)
{
    const std::string where = report.position.isEnd()
        ? std::string("at the end")
        : "sent with call " + std::to_string(report.position.call.value());
    std::string text
        = formatted("  {} {}, {}\n", counted(report.transcript.slotCount(), "slot"), where, encodingText(report));
    const size_t width = groupedNumber(report.tokens).size();
    if (detail == TokenDetail::Kinds) {
        for (const KindSum &each : sumsByKind(report)) {
            const std::string name(nameOf(each.kind));
            text += line(
                each.sum, width, each.sum.notWhole > 0 ? name : name + ", " + counted(each.sum.blocks, "block"));
        }
        return text;
    }
    Adder adder(report);
    for (size_t i = 0; i < report.transcript.slotCount(); ++i) {
        const Slot &slot = report.transcript.slots()[i];
        const SlotLabel label = labelOf(report.transcript, slot);
        const std::string what
            = formatted("[{}]  {}{}{}", i, label.text(), label.subject.empty() ? "" : "  ", snippet(label.subject, 60));
        text += line(adder.of(report.transcript.blocksOf(slot)), width, visibleText(what));
    }
    return text;
}

} // namespace

TokenReport tokenReport(std::string file, const SessionPtr &session, Position position, ExactTokensPtr counts)
{
    TokenReport report;
    report.file = std::move(file);
    report.encoding = counts->encoding();
    report.position = position;
    report.transcript = Transcript(session, rangesAt(*session, position));
    report.counts = std::move(counts);
    for (const BlockId id : report.transcript.blocks())
        report.tokens += report.counts->of(id).tokens;
    return report;
}

Json tokensJson(std::span<const TokenReport> reports)
{
    Json document { { "schema", "palimpsest.tokens/1" } };
    document["files"] = Json::array();
    for (const TokenReport &report : reports) {
        if (report.isSession()) {
            document["files"].push_back(sessionJson(report));
            continue;
        }
        document["files"].push_back({ { "file", report.file }, { "kind", "text" },
            { "encoding", nameOf(report.encoding) }, { "bytes", report.bytes },
            { "tokens", figureJson(static_cast<double>(report.tokens), Basis::Exact) } });
    }
    return document;
}

std::string drawTokens(std::span<const TokenReport> reports, TokenDetail detail)
{
    size_t width = 0;
    for (const TokenReport &report : reports)
        width = std::max(width, std::to_string(report.tokens).size());
    std::string text;
    for (const TokenReport &report : reports) {
        text += formatted("{:>{}}  {}\n", report.tokens, width, visibleText(report.file));
        if (report.isSession())
            text += drawSession(report, detail);
    }
    return text;
}

} // namespace core
