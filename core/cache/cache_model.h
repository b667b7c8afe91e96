// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_rules.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace core {

/// Why a request reads less than the one before it left in the cache.
enum class CacheCause : uint8_t {
    None, ///< it does not
    // What the arrays and the times tell.
    FirstCall,    ///< there is no request before it
    Idle,         ///< the entry's lifetime was over
    Compaction,   ///< a summary or a new history took the place of the prefix
    Clearing,     ///< single bodies were rewritten
    Rewind,       ///< the person took turns back, or went on from an older place
    NewTurn,      ///< with a new user message the provider leaves out what the model thought before
    ModelChange,  ///< caches are one for each model
    Prelude,      ///< another system prompt or other tools
    Options,      ///< other options of the request: messages are cached apart, system prompt and tools are not
    BelowMinimum, ///< the prompt is shorter than what is cached at all
    Lookback,     ///< more blocks came than a mark looks back
    Parallel,     ///< it was sent before the response that wrote the entry began
    // What only recorded figures can show.
    Kept,     ///< all was read although the arrays and the times tell that it was lost
    Unlogged, ///< the prompt is shorter although the array only grew: something was cleared that the log does not hold
    OlderEntry, ///< what an older request left was read instead: not every machine holds the newest
    Others,     ///< more was read than these requests left: others, which are not in the log, left it
    Unknown,
};

/// One word or two: `idle`, `compaction`.
[[nodiscard]] std::string_view nameOf(CacheCause cause);
/// Something broke the cache: not that it was the first request, nor that others had left more.
[[nodiscard]] bool breaksCache(CacheCause cause);

/// A place in a prompt up to which the cache keeps what it was sent.
struct CacheMark {
    double tokens = 0;   ///< of the prompt up to here, system prompt and tools included
    uint32_t blocks = 0; ///< of the array up to here; system prompt and tools are none
    friend bool operator==(const CacheMark &, const CacheMark &) = default;
};

/// A few marks, in place: four at most, as providers have it, and room for the one that a cache sets itself.
class CacheMarks final {
public:
    static constexpr size_t kMost = 5;

    CacheMarks() = default;
    CacheMarks(std::initializer_list<CacheMark> marks)
    {
        for (const CacheMark &mark : marks)
            push_back(mark);
    }

    void push_back(const CacheMark &mark)
    {
        assert(m_count < kMost);
        m_marks[m_count++] = mark;
    }
    void clear() { m_count = 0; }
    [[nodiscard]] bool empty() const { return m_count == 0; }
    [[nodiscard]] size_t size() const { return m_count; }
    [[nodiscard]] const CacheMark *begin() const { return m_marks.data(); }
    [[nodiscard]] const CacheMark *end() const { return m_marks.data() + m_count; }
    [[nodiscard]] CacheMark *begin() { return m_marks.data(); }
    [[nodiscard]] CacheMark *end() { return m_marks.data() + m_count; }
    [[nodiscard]] const CacheMark &front() const { return m_marks.front(); }
    [[nodiscard]] const CacheMark &back() const { return m_marks[m_count - 1]; }
    [[nodiscard]] CacheMark &front() { return m_marks.front(); }
    [[nodiscard]] CacheMark &back() { return m_marks[m_count - 1]; }

    template <typename Predicate>
    void eraseIf(const Predicate &predicate)
    {
        const auto *const last = std::remove_if(begin(), end(), predicate);
        m_count = static_cast<size_t>(last - begin());
    }

private:
    std::array<CacheMark, kMost> m_marks;
    size_t m_count = 0;
};

/// One request as a cache sees it: sizes and times, no text. The same numbers come from a recorded thread
/// (recorded_cache.h) and from a replayed policy's arrays.
struct CacheCall {
    static constexpr size_t kNone = static_cast<size_t>(-1);

    std::optional<Timestamp> sent; ///< nothing: as if no time had passed
    std::optional<Timestamp>
        responding;       ///< when its response began, and what it wrote could be read; `sent` if not told
    uint32_t model = 0;   ///< equal numbers are the same model
    uint32_t options = 0; ///< the same of what is part of the key for messages (thinking, effort, tool choice)
    CacheMark end;        ///< the whole prompt
    double prelude = 0;   ///< tokens of system prompt and tools: a mark of every request
    /// The earlier request of which most of the beginning is sent again, by its index; `kNone`: none is.
    size_t base = kNone;
    double shared = 0; ///< tokens of that beginning; up to the prompt of `base`
    /// Why that is not all of it; None if it is.
    CacheCause change = CacheCause::None;
    /// Marks besides the prelude's and, for caches that set their own, besides the end's; increasing. Four at most in
    /// all.
    CacheMarks marks;
    Timestamp lifetime = 0;        ///< of what it writes; 0: that of the rules
    Timestamp preludeLifetime = 0; ///< of system prompt and tools, where it is longer
};

/// What a cache makes of a request. The three parts are the whole prompt.
struct CacheReading {
    double read = 0;
    double written = 0;  ///< billed as a cache write
    double uncached = 0; ///< billed as input; an OpenAI cache before GPT-5.6 keeps it all the same
    double left = 0;     ///< what the request before it left to be read: its last mark
    CacheCause cause = CacheCause::None;
    std::optional<Timestamp> idle; ///< since the response before began
};

/// What a cache keeps of a request.
struct CacheEntry {
    std::optional<Timestamp> sent;
    std::optional<Timestamp> readable; ///< when what it wrote could be read
    Timestamp lifetime = 0;
    Timestamp preludeLifetime = 0;
    uint32_t model = 0;
    uint32_t options = 0;
    CacheMark end;
    size_t base = CacheCall::kNone;
    double shared = 0;
    CacheMarks marks;
    /// Of it and all requests that it goes on from: no mark but those of system prompt and tools is shorter than this,
    double least = 0;
    double prelude = 0; ///< and none of those is longer.
};

/// A provider's cache, request after request of one thread. Two requests have in common what the chain of `base` from
/// the later to the earlier one keeps. Reading a prefix keeps alive all marks within it (a shorter prefix is stored as
/// a part of the longer; the vendors do not say so in as many words). Of a request it is known when it was sent and
/// when its response began, not when in between the cache was used: an entry's lifetime counts from the latter. A
/// request costs O(1) while the array grows, and O(requests back to a mark that still stands) where it was changed.
class CacheModel final {
public:
    explicit CacheModel(CacheRules rules)
        : m_rules(rules)
    {
    }

    CacheReading add(const CacheCall &call);
    /// What the latest request read in truth, where that is less than foreseen: no more of what came before it was
    /// there, so requests that go on from it cannot read more of that either.
    void learn(double read);
    /// Nothing is in the cache again; the memory is kept.
    void clear() { m_calls.clear(); }

    [[nodiscard]] const CacheRules &rules() const { return m_rules; }
    [[nodiscard]] size_t callCount() const { return m_calls.size(); }

private:
    [[nodiscard]] CacheCause causeOf(const CacheCall &call, double read) const;

    CacheRules m_rules;
    std::vector<CacheEntry> m_calls;
};

} // namespace core
