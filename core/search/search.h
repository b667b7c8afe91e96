// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/search/block_lives.h"
#include "core/search/query.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace core {

struct HotZones;

/// The first line of a hit in a list: blanks collapsed, other unseen characters as marks.
struct HitSnippet {
    std::string text;
    TextPlace match; ///< in `text`; empty if the hit has no match in its text
};

/// A block that matches a query.
struct SearchHit {
    BlockId block;
    TextPlace match; ///< of the first text of the query in the block's text; empty if the query has none, or if only
                     ///< the tool's name contains it
    HitSnippet snippet;
};

/// What is searched.
struct SearchGround {
    SessionPtr session;
    BlockTokensPtr tokens; ///< may be nullptr: then `tokens>N` counts bytes / 3.45
    BlockLivesPtr lives;
    std::vector<BlockId> hot; ///< ascending: what `hot` finds

    /// Computes the lives of the blocks, if they are missing. False if cancelled.
    [[nodiscard]] bool complete(unsigned threads, const Progress *progress);
};

/// The blocks of hot zones, ascending.
[[nodiscard]] std::vector<BlockId> blocksOf(const HotZones &zones);
/// The hot blocks of the array at a position, as `show` marks them. Ascending.
[[nodiscard]] std::vector<BlockId> hotBlocksAt(
    const SessionPtr &session, Position position, const BlockTokensPtr &tokens);

/// What a filter line may say to find the block and its like: `tool:Read`, `file:parser.cpp`, `role:tool`,
/// `kind:result`. Each term finds the block.
[[nodiscard]] std::vector<std::string> filterTermsOf(const Session &session, const Block &block);

/// Calls `deliver` with the hits found so far, in pool order; from several threads, but never from two at once. Each
/// hit comes once. Returns the bytes of bodies that were read. Terms without text decide first: only blocks that pass
/// them are read, and of most bodies only the undecoded bytes. Stops early when `progress` is cancelled.
uint64_t search(const SearchGround &ground, const Query &query, unsigned threads, Progress *progress,
    const std::function<void(std::vector<SearchHit>)> &deliver);

/// All hits in pool order.
[[nodiscard]] std::vector<SearchHit> searchAll(
    const SearchGround &ground, const Query &query, unsigned threads, Progress *progress = nullptr);

/// What the term `role:` compares: results are of the tool, whichever role carries them to the provider.
[[nodiscard]] Role roleOf(const Session &session, const Block &block);

/// Whether a block's text can be searched: not that of images, documents and encrypted bodies.
[[nodiscard]] bool isSearchable(const Block &block);

/// The text around `match`, or its beginning.
[[nodiscard]] HitSnippet snippetAround(std::string_view text, TextPlace match);

} // namespace core
