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

/// Why a request reads less than the request before it left in the cache.
enum class CacheCause : uint8_t {
    None, ///< it reads all of it
    // Causes that arrays and times show.
    FirstCall,    ///< there is no earlier request
    Idle,         ///< the entry's lifetime had ended
    Compaction,   ///< a summary or a new history replaced the prefix
    Clearing,     ///< the bodies of single blocks were rewritten
    Rewind,       ///< the user rewound, or continued from an earlier place
    NewTurn,      ///< at a new user message the provider drops earlier thinking
    ModelChange,  ///< each model has its own cache
    Prelude,      ///< another system prompt or other tools
    Options,      ///< other request options; they are part of the cache key of messages, not of system prompt and tools
    BelowMinimum, ///< the prompt is shorter than the minimum that is cached
    Lookback,     ///< the request added more blocks than the provider looks back from a breakpoint
    Parallel,     ///< the earlier request, which writes the entry, had no response yet
    // Causes that only recorded figures show.
    Kept,       ///< all was read although arrays and times predict a loss
    Unlogged,   ///< the prompt is shorter although the array only grew: something was cleared without a log entry
    OlderEntry, ///< an older request's entry was read instead: not every machine has the newest
    Others,     ///< the request read more than the logged requests wrote: a request outside the log wrote the entry
    Unknown,
};

/// One or two words: `idle`, `compaction`.
[[nodiscard]] std::string_view nameOf(CacheCause cause);
/// False for None, FirstCall, Kept and Others.
[[nodiscard]] bool breaksCache(CacheCause cause);

/// A place in a prompt. The cache stores the prefix up to it.
struct CacheMark {
    double tokens = 0;   ///< size of the prefix, system prompt and tools included
    uint32_t blocks = 0; ///< blocks of the array in the prefix; system prompt and tools do not count
    friend bool operator==(const CacheMark &, const CacheMark &) = default;
};

/// A few marks, stored inline: at most four, as providers allow, plus the mark that a cache sets itself.
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

/// One request as the cache sees it: sizes and times, no text. Made from a recorded thread (recorded_requests.h) or
/// from the arrays of a replayed policy.
struct CacheCall {
    static constexpr size_t kNone = static_cast<size_t>(-1);

    std::optional<Timestamp> sent;       ///< nullopt: as if no time had passed
    std::optional<Timestamp> responding; ///< start of its response, when its writes become readable; nullopt: `sent`
    uint32_t model = 0;                  ///< equal numbers mean the same model
    uint32_t options = 0; ///< equal numbers mean the same options that are part of the messages' cache key (thinking,
                          ///< effort, tool choice)
    CacheMark end;        ///< the end of the prompt
    double prelude = 0;   ///< tokens of system prompt and tools; their end is a mark of every request
    /// Index of the earlier request that shares most of its beginning with this one, or `kNone`.
    size_t base = kNone;
    double shared = 0; ///< tokens of the shared beginning; at most the prompt of `base`
    /// Why `shared` is less than the prompt of `base`; None if it is not.
    CacheCause change = CacheCause::None;
    /// The marks that the harness sets, in ascending order. Does not contain the mark of the prelude, nor the mark
    /// that some caches set at the end. At most four in all.
    CacheMarks marks;
    Timestamp lifetime = 0;        ///< of the entries it writes; 0: the lifetime of the rules
    Timestamp preludeLifetime = 0; ///< of system prompt and tools, if longer
};

/// The cache result of one request. Read, written and uncached tokens add up to the prompt.
struct CacheReading {
    double read = 0;
    double written = 0;  ///< billed as a cache write
    double uncached = 0; ///< billed as input; an OpenAI cache before GPT-5.6 stores it all the same
    double left = 0;     ///< the tokens up to the last mark of the previous request, which this request could read
    CacheCause cause = CacheCause::None;
    std::optional<Timestamp> idle; ///< time since the previous response began
};

/// The cached entries of one request.
struct CacheEntry {
    std::optional<Timestamp> sent;
    std::optional<Timestamp> readable; ///< when its writes became readable
    Timestamp lifetime = 0;
    Timestamp preludeLifetime = 0;
    uint32_t model = 0;
    uint32_t options = 0;
    CacheMark end;
    size_t base = CacheCall::kNone;
    double shared = 0;
    CacheMarks marks;
    double least = 0;   ///< position, in tokens, of the first mark: the smallest over this request and those that it
                        ///< continues, without marks of preludes
    double prelude = 0; ///< position of the last mark of a prelude: the largest over the same requests
};

/// A provider's cache over the requests of one thread. To find the prefix that two requests share, follow `base` from
/// the later to the earlier request and take the smallest `shared`. Reading a prefix refreshes all marks within it (a
/// shorter prefix is stored as a part of the longer one; the vendors do not document this explicitly). The model knows
/// when a request was sent and when its response began, but not when in between the cache was used; lifetimes count
/// from the response. A request costs O(1) while the array grows. After a change it costs O(requests since the last
/// one with a mark that is still valid).
class CacheModel final {
public:
    explicit CacheModel(CacheRules rules)
        : m_rules(rules)
    {
    }

    CacheReading add(const CacheCall &call);
    /// Records the actual read of the latest request, if it is less than predicted. Removes the longer entries: later
    /// requests that continue this one cannot read them either.
    void learn(double read);
    /// Empties the cache; keeps the memory.
    void clear() { m_calls.clear(); }

    [[nodiscard]] const CacheRules &rules() const { return m_rules; }
    [[nodiscard]] size_t callCount() const { return m_calls.size(); }

private:
    [[nodiscard]] CacheCause causeOf(const CacheCall &call, double read) const;

    CacheRules m_rules;
    std::vector<CacheEntry> m_calls;
};

} // namespace core
