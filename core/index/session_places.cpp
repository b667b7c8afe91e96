// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/session_places.h"

#include "core/base/source.h"
#include "core/base/text_lines.h"
#include "core/session/user_message.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace core {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kEndings { ".jsonl", ".json", ".jsonl.zst", ".jsonl.zstd", ".db", ".traj",
    ".eval" };

std::string orElse(const std::string &value, const std::string &otherwise) { return value.empty() ? otherwise : value; }

bool isWithin(const fs::path &path, const std::vector<fs::path> &folders)
{
    return std::ranges::any_of(folders, [&](const fs::path &folder) {
        const auto [end, rest] = std::ranges::mismatch(folder, path);
        return end == folder.end();
    });
}

/// A path to compare with others: absolute, without `..` and a slash at the end.
fs::path plain(const fs::path &path)
{
    std::error_code error;
    fs::path normal = fs::absolute(path, error).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

} // namespace

std::optional<SessionFile> sessionFileAt(const std::string &path)
{
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return std::nullopt;
    const auto nanoseconds = [](const struct stat &file) {
        return static_cast<int64_t>(file.st_mtim.tv_sec) * 1'000'000'000 + file.st_mtim.tv_nsec;
    };
    SessionFile found { path, static_cast<uint64_t>(status.st_size), nanoseconds(status) };
    if (path.ends_with(".db")) {
        // What a harness wrote last may still be in the log beside its database.
        if (struct stat log {}; ::stat((path + "-wal").c_str(), &log) == 0) {
            found.size += static_cast<uint64_t>(log.st_size);
            found.changed = std::max(found.changed, nanoseconds(log));
        }
    }
    return found;
}

std::string processEnvironment(const char *name)
{
    const char *value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

SessionPlaces SessionPlaces::known(const Environment &environment)
{
    SessionPlaces places;
    const std::string home = environment("HOME");
    const std::string data = orElse(environment("XDG_DATA_HOME"), home + "/.local/share");
    const std::string configuration = orElse(environment("XDG_CONFIG_HOME"), home + "/.config");
    const std::string claude = orElse(environment("CLAUDE_CONFIG_DIR"), home + "/.claude");
    const std::string codex = orElse(environment("CODEX_HOME"), home + "/.codex");
    const std::string code = configuration + "/Code/User/globalStorage";
    for (const std::string &folder : { claude + "/projects", configuration + "/claude/projects",
             configuration + "/Claude/local-agent-mode-sessions", codex + "/sessions", codex + "/archived_sessions",
             home + "/.pi/agent/sessions", home + "/.omp/agent/sessions", home + "/.gemini/tmp", home + "/.qwen/tmp",
             home + "/.qwen/projects", home + "/.copilot/session-state", home + "/.kimi/sessions", data + "/opencode",
             data + "/crush", data + "/goose/sessions", configuration + "/goose/sessions", home + "/.goose/sessions",
             home + "/.cursor/projects", home + "/.factory/sessions", home + "/.cline/data/tasks",
             code + "/saoudrizwan.claude-dev/tasks", code + "/rooveterinaryinc.roo-cline/tasks",
             home + "/.openhands/sessions", home + "/.openhands/conversations" }) {
        std::error_code error;
        if (fs::is_directory(folder, error) && !std::ranges::contains(places.folders, fs::path(folder)))
            places.folders.emplace_back(folder);
    }
    if (const auto list = Source::open(fs::path(configuration) / "palimpsest" / "excluded-folders")) {
        const std::string_view text = (*list)->bytes();
        const TextLines lines(text);
        for (size_t i = 0; i < lines.count(); ++i) {
            const std::string_view line = withoutBlanks(lines.span(i).of(text));
            if (!line.empty())
                places.excluded.push_back(plain(line));
        }
    }
    return places;
}

std::vector<SessionFile> sessionFiles(const SessionPlaces &places)
{
    std::vector<SessionFile> files;
    for (const fs::path &place : places.folders) {
        const fs::path folder = plain(place);
        if (isWithin(folder, places.excluded))
            continue;
        std::error_code error;
        auto entry = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            const std::string &path = entry->path().native();
            const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
            std::error_code gone; // the file vanished meanwhile
            if (name.starts_with('.') || (entry->is_directory(gone) && isWithin(entry->path(), places.excluded))) {
                entry.disable_recursion_pending();
                continue;
            }
            const bool isNamedLikeOne
                = std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
            if (!isNamedLikeOne)
                continue;
            if (auto file = sessionFileAt(path))
                files.push_back(std::move(*file));
        }
    }
    std::ranges::sort(files, [](const SessionFile &a, const SessionFile &b) {
        return a.changed != b.changed ? a.changed > b.changed : a.path < b.path;
    });
    const auto again = std::ranges::unique(files, {}, &SessionFile::path);
    files.erase(again.begin(), again.end());
    return files;
}

fs::path indexFolder(const Environment &environment)
{
    const std::string home = environment("HOME");
    const std::string cache = orElse(environment("XDG_CACHE_HOME"), home.empty() ? "" : home + "/.cache");
    return cache.empty() ? fs::path() : fs::path(cache) / "palimpsest";
}

} // namespace core
