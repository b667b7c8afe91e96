// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/money/prices.h"
#include "core/replay/forecast.h"
#include "core/tokens/array_sums.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace core {

/// A call of a session that is followed.
struct WatchedCall {
    CallIndex call;
    uint64_t line = 0; ///< of its record
    std::optional<Timestamp> time;
    TokenFigure context;               ///< what it sent
    std::optional<TokenFigure> change; ///< since the call before
    /// A block that no earlier call sent.
    struct Entered {
        std::string what; ///< `result Bash`
        std::string subject;
        TokenFigure tokens;
    };
    std::vector<Entered> entered;      ///< the heaviest first
    std::optional<uint64_t> cacheRead; ///< nullopt if no call of the thread reports its cache
    std::optional<double> cost;        ///< in dollars; nullopt without a price
};

/// A recorded compaction of a session that is followed.
struct WatchedCompaction {
    CompactionKind kind = CompactionKind::Summary;
    std::string trigger;
    CallIndex after; ///< the last call before it
    uint64_t line = 0;
    std::optional<TokenFigure> before;
    std::optional<TokenFigure> sent; ///< the context of the call after it, if that is there
};

/// One line of `palimpsest watch`.
using WatchLine = std::variant<WatchedCall, WatchedCompaction, Forecast>;

/// Says what is new in a thread that is followed: calls and compactions, each once, and the forecast after them.
class Watch final {
public:
    Watch(ThreadIndex thread, Prices prices)
        : m_thread(thread)
        , m_prices(std::move(prices))
    {
    }

    /// What is new. Leaves out the newest call until a record follows its response, because the response may still be
    /// growing. `isResting` says that nothing follows for now.
    [[nodiscard]] std::vector<WatchLine> news(const SessionPtr &session, const BlockTokensPtr &tokens, bool isResting);
    /// Leaves out the first calls, and the compactions between them, as if `news` had returned them. Call it again when
    /// the session was read anew and its ids may have changed.
    void skip(const Session &session, size_t calls);
    /// The number of calls that were returned or skipped.
    [[nodiscard]] size_t callCount() const { return m_calls; }

private:
    [[nodiscard]] std::vector<WatchedCall::Entered> entering(
        const Session &session, const Call &call, const BlockTokens &tokens);

    ThreadIndex m_thread;
    Prices m_prices;
    size_t m_calls = 0;
    size_t m_compactions = 0;
    std::vector<bool> m_sent; ///< by BlockId: a call that was returned or skipped sent it
};

/// The names of the columns of `watchText`.
[[nodiscard]] std::string watchHead();
[[nodiscard]] std::string watchText(const WatchLine &line);
/// An object of schema `palimpsest.watch/1`.
[[nodiscard]] nlohmann::ordered_json watchJson(const WatchLine &line);
/// The first object: which session it is.
[[nodiscard]] nlohmann::ordered_json watchedSessionJson(
    const std::string &file, const Session &session, ThreadIndex thread);
/// An object without figures: the file was removed, read again, or has ended.
[[nodiscard]] nlohmann::ordered_json watchedEventJson(std::string_view kind, const std::string &file);

} // namespace core
