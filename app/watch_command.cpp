// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/index_options.h"
#include "app/session_options.h"
#include "core/base/file_watch.h"
#include "core/formats/follower.h"
#include "core/json/json.h"
#include "core/report/head_line.h"
#include "core/report/watch_report.h"
#include "core/session/growth.h"
#include "core/tokens/counted_tokens.h"

#include <array>
#include <cstdio>

namespace app {

namespace {

constexpr size_t kToldBefore = 10;                     ///< calls that are there already
constexpr std::chrono::milliseconds kResting { 1000 }; ///< without a new record

constexpr auto kOptions = std::to_array<Option>({
    kThreadOption,
    { "last", "N", "first prints the last N calls that the file already has. N is a number or \"all\". Default: 10" },
    { "once", "", "ends at the end of the file instead of waiting for more" },
    { "until-removed", "", "ends when the file is removed instead of waiting for it to come back" },
    kPricesOption,
    { "json", "", "prints a line of JSON for each call, compaction and forecast, schema palimpsest.watch/1" },
});

/// Follows one file and prints what is new.
class Watcher final {
public:
    Watcher(const Arguments &arguments, core::Prices prices)
        : m_file(arguments.files.front())
        , m_isJson(arguments.has("json"))
        , m_prices(std::move(prices))
        , m_watch(m_thread, m_prices)
        , m_follower(m_file, threadCount())
    {
    }

    /// Reads the file and finds the thread.
    core::Result<void> read(const Arguments &arguments)
    {
        const auto session = m_follower.read();
        if (!session)
            return std::unexpected(session.error());
        const auto position = parsePosition(**session, arguments);
        if (!position)
            return std::unexpected(position.error());
        m_thread = position->thread;
        m_watch = core::Watch(m_thread, m_prices);
        return {};
    }

    /// Begins with the last calls of the session that was read.
    int begin(size_t last)
    {
        const core::SessionPtr &session = m_follower.session();
        count();
        const size_t calls = session->thread(m_thread).calls.size();
        m_watch.skip(*session, calls - std::min(calls, last));
        m_shown = session;
        if (m_isJson)
            return printLine(core::watchedSessionJson(m_file, *session, m_thread));
        const core::ArraySumsPtr sums = core::arraySums(*session, m_thread, *m_count.table);
        const core::HeadLine head = core::headLine(*session, { m_thread, {} }, *m_count.table, *sums);
        return flushed(printVisibly(head.harness + "  " + head.facts + "\n" + core::watchHead()));
    }

    int tell(bool isResting)
    {
        for (const core::WatchLine &line : m_watch.news(m_follower.session(), m_count.table, isResting)) {
            if (const int code = m_isJson ? printLine(core::watchJson(line)) : printVisibly(core::watchText(line));
                code != Done)
                return code;
        }
        return flushed(Done);
    }

    [[nodiscard]] size_t toldCount() const { return m_watch.callCount(); }

    /// Reads what is new and tells it. nullopt: go on.
    std::optional<int> look(bool endsWhenRemoved)
    {
        const auto news = m_follower.follow();
        if (!news && news.error().kind == core::ErrorKind::NotFound) {
            if (!std::exchange(m_isRemoved, true))
                say("removed", "The file was removed.");
            return endsWhenRemoved ? std::optional<int>(Done) : std::nullopt;
        }
        if (!news) // it is being written; the next look comes
            return std::nullopt;
        m_isRemoved = false;
        if (*news == core::Follower::News::None)
            return std::nullopt;
        takeSession();
        const int code = tell(false);
        return code == Done ? std::nullopt : std::optional(code);
    }

private:
    /// After a change: another session, the same one read anew, or more of it.
    void takeSession()
    {
        const core::SessionPtr before = std::exchange(m_shown, m_follower.session());
        if (!core::beginsAlike(*before, *m_shown) || m_thread.index() >= m_shown->threads.size()) {
            say("replaced", "The file holds another session now.");
            m_thread = core::ThreadIndex(0U);
            m_watch = core::Watch(m_thread, m_prices);
        }
        if (!core::continues(*before, *m_shown)) {
            m_count = {};
            m_watch.skip(*m_shown, m_watch.callCount());
        }
        count();
    }

    void count() { m_count = core::countTokens(*m_follower.session(), threadCount(), nullptr, m_count); }

    void say(std::string_view kind, const std::string &sentence)
    {
        if (m_isJson)
            (void)printLine(core::watchedEventJson(kind, m_file));
        else
            note(sentence);
    }

    static int printLine(const core::Json &json) { return flushed(print(core::jsonText(json, -1) + "\n")); }
    /// Each line is for a reader who waits for it.
    static int flushed(int code)
    {
        std::fflush(stdout);
        return code;
    }

    std::string m_file;
    bool m_isJson;
    core::ThreadIndex m_thread { 0U };
    core::Prices m_prices;
    core::Watch m_watch;
    core::Follower m_follower;
    core::TokenCount m_count;
    core::SessionPtr m_shown; ///< the session that was told last
    bool m_isRemoved = false;
};

core::Result<size_t> parseLast(const Arguments &arguments)
{
    const auto text = arguments.value("last");
    if (!text)
        return kToldBefore;
    return *text == "all" ? core::Result<size_t>(SIZE_MAX) : parseNumber("last", *text);
}

int follow(Watcher &watcher, core::FileWatch &watch, bool endsWhenRemoved)
{
    std::chrono::milliseconds quiet { 0 };
    while (true) {
        const size_t told = watcher.toldCount();
        if (const auto end = watcher.look(endsWhenRemoved))
            return *end;
        if (watcher.toldCount() != told)
            quiet = {};
        const std::chrono::milliseconds longest = quiet < kResting ? kResting : core::FileWatch::kLookAnyway;
        const bool isChange = watch.wait(longest) && watch.isWatching();
        if (isChange) {
            quiet = {};
            continue;
        }
        quiet += watch.isWatching() ? longest : core::FileWatch::kPollEvery;
        if (quiet < kResting)
            continue;
        if (const int code = watcher.tell(true); code != Done)
            return code;
    }
}

int runWatch(const Arguments &asked)
{
    Arguments arguments = asked;
    if (arguments.files.empty()) {
        auto latest = latestSession(".");
        if (!latest)
            return report(latest.error());
        note("Following " + *latest + ".");
        arguments.files.push_back(std::move(*latest));
    }
    const auto last = parseLast(arguments);
    if (!last)
        return report(last.error());
    auto prices = parsePrices(arguments);
    if (!prices)
        return report(prices.error());
    core::FileWatch watch(arguments.files.front()); // before reading: no change is missed
    Watcher watcher(arguments, std::move(*prices));
    if (const auto read = watcher.read(arguments); !read)
        return report(read.error());
    if (const int code = watcher.begin(*last); code != Done)
        return code;
    if (const int code = watcher.tell(arguments.has("once")); code != Done || arguments.has("once"))
        return code;
    return follow(watcher, watch, arguments.has("until-removed"));
}

} // namespace

const Command kWatch { "watch", "[FILE]", 0, 1,
    "follows a session while it grows: prints a line for each call and each compaction, and says when the next "
    "compaction would come",
    kOptions, runWatch };

} // namespace app
