// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cuts/cut_costing.h"

#include "core/cuts/cut_track.h"

#include <algorithm>
#include <limits>

namespace core {

namespace {

void add(BilledTokens &sum, const BilledTokens &tokens, double factor = 1)
{
    sum.input += factor * tokens.input;
    sum.cacheRead += factor * tokens.cacheRead;
    sum.cacheWrite5m += factor * tokens.cacheWrite5m;
    sum.cacheWrite1h += factor * tokens.cacheWrite1h;
    sum.output += factor * tokens.output;
}

} // namespace

CutCosting::CutCosting(CutTablesPtr tables, const CostGround &ground)
    : m_tables(std::move(tables))
    , m_ground(ground)
{
    for (size_t i = 0; i < ground.calls.size(); ++i) {
        m_takings.push_back(takingOf(i));
        m_unpricedCalls += ground.calls[i].prices == nullptr ? 1 : 0;
    }
    sumUp();
}

/// For any array that extends the one before.
CutCosting::Taking CutCosting::takingOf(size_t call) const
{
    if (!m_ground.rules)
        return Taking::Cold;
    if (call == 0)
        return Taking::Unknown;
    const CacheRules &rules = *m_ground.rules;
    const CostGround::Call &one = m_ground.calls[call];
    const CostGround::Call &before = m_ground.calls[call - 1];
    const CutGrowth &growth = m_tables->growth;
    const Timestamp pause = cachewalk::between(before.responding, one.sent);
    if (one.model != before.model || one.options != before.options || pause < 0)
        return Taking::Unknown;
    if (pause > cacheLifetime(rules, before.lifetime))
        return Taking::Cold;
    if (rules.kind == CacheKind::Steps)
        return Taking::Warm;
    const uint32_t added = growth.blocks[call] - std::min(growth.blocks[call], growth.blocks[call - 1]);
    const bool isFound = (rules.lookback == 0 || added <= rules.lookback)
        && growth.blocks[call] >= growth.blocks[call - 1]
        && growth.prompts[call] + cachewalk::kSlack / 2 >= growth.prompts[call - 1];
    return isFound ? Taking::Warm : Taking::Unknown;
}

void CutCosting::sumUp()
{
    m_sums.resize(m_takings.size() + 1);
    const CutGrowth &growth = m_tables->growth;
    const bool isInSteps = m_ground.rules && m_ground.rules->kind == CacheKind::Steps;
    for (size_t i = 0; i < m_takings.size(); ++i) {
        const CostGround::Call &call = m_ground.calls[i];
        Sums &sums = m_sums[i + 1];
        sums = m_sums[i];
        sums.otherPrices += i > 0 && call.prices != m_ground.calls[i - 1].prices ? 1 : 0;
        // Reads in whole steps cannot be summed.
        if (m_takings[i] == Taking::Unknown || (isInSteps && m_takings[i] == Taking::Warm)) {
            ++sums.unknown;
            continue;
        }
        CacheReading reading;
        CacheReading more;
        if (m_takings[i] == Taking::Warm) {
            reading.read = std::min(growth.prompts[i - 1], growth.prompts[i]);
            more.read = 1;
        }
        const bool isWritten = m_ground.rules && !isInSteps;
        (isWritten ? reading.written : reading.uncached) = growth.prompts[i] - reading.read;
        (isWritten ? more.written : more.uncached) = 1 - more.read;
        add(sums.tokens, billedTokens(reading, call.answer, call.lifetime));
        add(sums.more, billedTokens(more, 0, call.lifetime));
    }
}

// --- a run's requests ----------------------------------------------------------------------------------------------

void CutCosting::start(const CutReplay &run)
{
    const CutGrowth &growth = m_tables->growth;
    m_pieces = run.pieces();
    m_piece = 0;
    m_cost = {};
    m_shared.clear();
    m_least.clear();
    double least = std::numeric_limits<double>::infinity();
    for (const CutPiece &piece : m_pieces) {
        m_shared.push_back(sharedAtFirst(piece));
        const double own = piece.track != nullptr ? -piece.track->least.largest(piece.first, piece.end)
                                                  : piece.morePrompt - growth.least.largest(piece.first, piece.end);
        least = std::min(least, own);
        m_least.push_back(least);
    }
}

/// O(1) near the last look-up.
size_t CutCosting::pieceOf(size_t call) const
{
    while (m_pieces[m_piece].first > call)
        --m_piece;
    while (m_pieces[m_piece].end <= call)
        ++m_piece;
    return m_piece;
}

double CutCosting::promptAt(size_t call) const
{
    const CutPiece &piece = m_pieces[pieceOf(call)];
    return piece.track != nullptr ? piece.track->calls[call].tokens : piece.morePrompt + m_tables->growth.prompts[call];
}

/// The part of the previous prompt that this prompt starts with, in tokens of the previous prompt.
double CutCosting::sharedAtFirst(const CutPiece &piece) const
{
    if (piece.first == 0)
        return 0;
    if (piece.track != nullptr)
        return piece.track->costs.shared[piece.first];
    const size_t call = piece.first - 1;
    const double before = promptAt(call);
    const double beside = m_ground.calls[call].beside;
    const CutPiece &last = m_pieces[pieceOf(call)];
    const double less = last.track != nullptr ? last.track->calls[call].lessTokens : last.call.lessTokens;
    // As in RunCosting: an array that only grew shares the whole prompt. Text that a clearing left out of it, and
    // thinking that weighs otherwise, are in the prompt but not in the sum of the parts.
    constexpr double kGrain = 1e-6;
    if (piece.call.unchangedTokens + kGrain >= before - beside + less)
        return before;
    return std::min(before, beside + piece.call.unchangedTokens);
}

CutCosting::Request CutCosting::requestAt(size_t call) const
{
    const size_t index = pieceOf(call);
    const CutPiece &piece = m_pieces[index];
    if (piece.track != nullptr) {
        const CutCall &of = piece.track->calls[call];
        return { of.tokens, of.blockCount, piece.track->costs.shared[call] };
    }
    const CutGrowth &growth = m_tables->growth;
    return { piece.morePrompt + growth.prompts[call], static_cast<uint32_t>(piece.moreBlocks + growth.blocks[call]),
        call == piece.first ? m_shared[index] : piece.morePrompt + growth.prompts[call - 1] };
}

/// The mark is on the last block: see RunCosting.
CacheCall CutCosting::cacheCall(size_t call, const Request &request) const
{
    const CostGround::Call &of = m_ground.calls[call];
    CacheCall made;
    made.sent = of.sent;
    made.responding = of.responding;
    made.model = of.model;
    made.options = of.options;
    made.end = { request.tokens, request.blocks };
    made.prelude = m_ground.prelude;
    made.lifetime = of.lifetime;
    made.marks = { made.end };
    if (call > 0) {
        made.base = call - 1;
        made.shared = request.shared;
    }
    return made;
}

/// The entry that `CacheModel` would make from `cacheCall`, computed directly because a cell needs thousands.
CacheEntry CutCosting::entryAt(size_t call) const
{
    const CacheRules &rules = *m_ground.rules;
    const CostGround::Call &of = m_ground.calls[call];
    const Request request = requestAt(call);
    const Timestamp lifetime = cacheLifetime(rules, of.lifetime);
    CacheEntry entry { .sent = of.sent,
        .readable = of.responding,
        .lifetime = lifetime,
        .preludeLifetime = lifetime,
        .model = of.model,
        .options = of.options,
        .end = { request.tokens, request.blocks },
        .marks = {},
        .least = m_least[pieceOf(call)],
        .prelude = m_ground.prelude >= rules.minimum ? m_ground.prelude : 0 };
    if (call > 0) {
        entry.base = call - 1;
        entry.shared = request.shared;
    }
    if (entry.prelude > 0)
        entry.marks.push_back({ entry.prelude, 0 });
    if (request.tokens >= rules.minimum)
        entry.marks.push_back(entry.end);
    return entry;
}

// --- cache reads ---------------------------------------------------------------------------------------------------

/// For a warm call; nullopt if the prompt is below the cache's minimum.
std::optional<double> CutCosting::readWhenWarm(const Request &request, double before) const
{
    const CacheRules &rules = *m_ground.rules;
    const double common = std::min(request.tokens, before);
    if (rules.kind != CacheKind::Steps)
        return common >= rules.minimum ? std::optional(common) : std::nullopt;
    const double whole = cachewalk::wholeSteps(rules, common);
    return whole >= rules.minimum && whole > 0 ? std::optional(whole) : std::nullopt;
}

CacheReading CutCosting::readingAt(size_t call, size_t *reach)
{
    const CutPiece &piece = m_pieces[pieceOf(call)];
    if (piece.track != nullptr && isTold(piece, call, call + 1))
        return piece.track->costs.readings[call];
    const Request request = requestAt(call);
    if (!m_ground.rules)
        return partsOf(0, request.tokens, 0);
    if (m_takings[call] == Taking::Warm && piece.track == nullptr && call > piece.first) {
        if (const auto read = readWhenWarm(request, request.shared))
            return partsOf(*read, request.tokens, request.tokens);
    }
    const CacheRules &rules = *m_ground.rules;
    const CacheCall of = cacheCall(call, request);
    const CacheMarks marks = cacheMarks(rules, of);
    const CacheFind found = findReadable(rules, of, marks, [&](size_t index) { return entryAt(index); });
    if (reach != nullptr)
        *reach = std::min(found.first, call);
    const double read = call == 0 ? std::max(found.read, m_ground.readOfFirst(request.tokens)) : found.read;
    return partsOf(read, request.tokens, marks.empty() ? 0 : marks.back().tokens);
}

/// Splits a prompt: `read` tokens are read, and the cache stores it up to `kept`.
CacheReading CutCosting::partsOf(double read, double prompt, double kept) const
{
    CacheReading reading;
    reading.read = read;
    fillParts(reading, m_ground.rules.value_or(CacheRules()), prompt, kept);
    return reading;
}

// --- costs ---------------------------------------------------------------------------------------------------------

CacheReading CutCosting::addOne(size_t call, size_t *reach)
{
    ++m_visits;
    const CostGround::Call &of = m_ground.calls[call];
    const CacheReading reading = readingAt(call, reach);
    const double prompt = promptAt(call);
    const BilledTokens tokens = billedTokens(reading, of.answer, of.lifetime);
    m_cost.readTokens += tokens.cacheRead;
    m_cost.promptTokens += tokens.prompt();
    if (!of.prices)
        return reading;
    const Price &price = of.prices->of(prompt);
    m_cost.dollars += core::costOf(tokens, price);
    const CutPiece &piece = m_pieces[pieceOf(call)];
    const double summary = piece.track != nullptr ? piece.track->calls[call].writtenSummary
        : call == piece.first                     ? piece.call.writtenSummary
                                                  : 0;
    if (summary > 0 && call > 0)
        m_cost.dollars += core::costOf(summaryTokens(m_ground, promptAt(call - 1), summary), price);
    return reading;
}

/// Whether cache and prices treat all calls of a growing array alike.
bool CutCosting::isEven(const CutPiece &piece, size_t from, size_t to) const
{
    const Sums &first = m_sums[from];
    if (m_sums[to].unknown != first.unknown || m_sums[to].otherPrices != m_sums[from + 1].otherPrices)
        return false;
    const CutGrowth &growth = m_tables->growth;
    const double least = piece.morePrompt - growth.least.largest(from - 1, to);
    if (m_ground.rules && least < m_ground.rules->minimum)
        return false;
    const CostGround::Call &call = m_ground.calls[from];
    return !call.prices || call.prices->tiers.size() < 2
        || &call.prices->of(least) == &call.prices->of(piece.morePrompt + growth.most.largest(from, to));
}

void CutCosting::addGrown(const CutPiece &piece, size_t from, size_t to)
{
    if (from >= to)
        return;
    if (!isEven(piece, from, to)) {
        if (from + 1 == to) {
            addOne(from);
            return;
        }
        const size_t middle = (from + to) / 2;
        addGrown(piece, from, middle);
        return addGrown(piece, middle, to);
    }
    const Sums &first = m_sums[from];
    const Sums &last = m_sums[to];
    BilledTokens tokens = last.tokens;
    add(tokens, first.tokens, -1);
    add(tokens, last.more, piece.morePrompt);
    add(tokens, first.more, -piece.morePrompt);
    m_cost.readTokens += tokens.cacheRead;
    m_cost.promptTokens += tokens.prompt();
    const CostGround::Call &call = m_ground.calls[from];
    if (call.prices)
        m_cost.dollars += core::costOf(tokens, call.prices->of(piece.morePrompt + m_tables->growth.prompts[from]));
}

/// Whether the readings of the calls equal the track's, because the piece has everything they depend on.
bool CutCosting::isTold(const CutPiece &piece, size_t from, size_t to) const
{
    return piece.first == 0 || -piece.track->costs.reach.largest(from, to) > piece.first;
}

void CutCosting::addTrack(const CutPiece &piece, size_t from, size_t to)
{
    if (from >= to)
        return;
    const CutTrack &track = *piece.track;
    if (!isTold(piece, from, to)) {
        if (from + 1 == to) {
            addOne(from);
            return;
        }
        const size_t middle = (from + to) / 2;
        addTrack(piece, from, middle);
        return addTrack(piece, middle, to);
    }
    m_cost.readTokens += track.costs.readTokens[to] - track.costs.readTokens[from];
    m_cost.promptTokens += track.tokens[to] - track.tokens[from];
    m_cost.dollars += track.costs.dollars[to] - track.costs.dollars[from];
}

void CutCosting::addPiece(size_t index)
{
    const CutPiece &piece = m_pieces[index];
    const size_t end = std::min<size_t>(piece.end, m_ground.calls.size());
    if (piece.track != nullptr)
        return addTrack(piece, piece.first, end);
    if (piece.first < end)
        addOne(piece.first);
    addGrown(piece, piece.first + 1, end);
}

CutCost CutCosting::costOf(const CutReplay &run, std::span<const CutReplay::Losses::Fetch> fetches)
{
    start(run);
    for (size_t i = 0; i < m_pieces.size(); ++i)
        addPiece(i);
    for (const auto &[call, tokens] : fetches) {
        const CostGround::Call &of = m_ground.calls[call];
        if (!of.prices)
            continue;
        RunCall fetched;
        fetched.tokens = billedTokens(readingAt(call), 0, of.lifetime);
        fetched.price = of.prices->of(promptAt(call));
        const double without = fetched.cost();
        fetched.refetched = tokens;
        m_cost.dollars += fetched.cost() - without;
    }
    return m_cost;
}

CutTrackCosts CutCosting::trackCosts(const CutReplay &run)
{
    start(run);
    CutTrackCosts costs;
    costs.dollars.push_back(0);
    costs.readTokens.push_back(0);
    std::vector<double> reach;
    for (size_t i = 0; i < m_pieces.size(); ++i) {
        costs.shared.push_back(m_shared[i]);
        if (i >= m_ground.calls.size())
            break;
        size_t first = i;
        costs.readings.push_back(addOne(i, &first));
        reach.push_back(-static_cast<double>(first));
        costs.dollars.push_back(m_cost.dollars);
        costs.readTokens.push_back(m_cost.readTokens);
    }
    costs.reach = RangeMaxima(std::move(reach));
    return costs;
}

} // namespace core
