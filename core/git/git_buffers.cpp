// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/git/git_buffers.h"

#include "core/git/git_handle.h"

#include <memory>

namespace core {

namespace {

void ensureLibrary() { static const GitLibrary library; }

struct PatchDeleter {
    void operator()(git_patch *patch) const { git_patch_free(patch); }
};
using PatchPtr = std::unique_ptr<git_patch, PatchDeleter>;

class GitBuffer final {
public:
    GitBuffer() = default;
    GitBuffer(const GitBuffer &) = delete;
    GitBuffer &operator=(const GitBuffer &) = delete;
    ~GitBuffer() { git_buf_dispose(&m_buffer); }

    [[nodiscard]] git_buf *out() { return &m_buffer; }
    [[nodiscard]] std::string text() const { return { m_buffer.ptr, m_buffer.size }; }

private:
    git_buf m_buffer = GIT_BUF_INIT;
};

/// The error of the last call. Copied, because it belongs to the thread and the next call replaces it.
std::unexpected<Error> lastFailure(const std::string &where)
{
    const git_error *error = git_error_last();
    return failure(ErrorKind::Internal, error != nullptr ? error->message : "The texts could not be compared.", where);
}

git_diff_options optionsFor(Whitespace whitespace, uint32_t contextLines)
{
    git_diff_options options {};
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.context_lines = contextLines;
    options.interhunk_lines = 0;
    options.max_size = -1;
    options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
    switch (whitespace) {
    case Whitespace::Exact:
        break;
    case Whitespace::IgnoreAtEnd:
        options.flags |= GIT_DIFF_IGNORE_WHITESPACE_EOL;
        break;
    case Whitespace::IgnoreAmount:
        options.flags |= GIT_DIFF_IGNORE_WHITESPACE_CHANGE;
        break;
    case Whitespace::IgnoreAll:
        options.flags |= GIT_DIFF_IGNORE_WHITESPACE;
        break;
    }
    return options;
}

/// Converts "lines 5, 2 of them" to a range; without lines, the number is that of the line above.
LineRange rangeOf(int start, int count)
{
    const auto first = static_cast<size_t>(count > 0 ? start - 1 : start);
    return { first, first + static_cast<size_t>(count) };
}

int takeHunk(const git_diff_delta * /*delta*/, const git_diff_hunk *hunk, void *payload)
{
    auto *hunks = static_cast<std::vector<LineHunk> *>(payload);
    hunks->push_back({ rangeOf(hunk->old_start, hunk->old_lines), rangeOf(hunk->new_start, hunk->new_lines) });
    return 0;
}

/// An empty buffer needs an address: nullptr would mean a missing file.
const char *addressOf(std::string_view text) { return text.data() == nullptr ? "" : text.data(); }

} // namespace

std::optional<std::vector<LineHunk>> lineHunks(std::string_view before, std::string_view after, Whitespace whitespace)
{
    ensureLibrary();
    const git_diff_options options = optionsFor(whitespace, 0);
    std::vector<LineHunk> hunks;
    const int status = git_diff_buffers(addressOf(before), before.size(), "text", addressOf(after), after.size(),
        "text", &options, nullptr, nullptr, takeHunk, nullptr, &hunks);
    if (status != 0)
        return std::nullopt;
    return hunks;
}

Result<std::string> bufferPatch(std::optional<std::string_view> before, std::optional<std::string_view> after,
    const std::string &path, uint32_t contextLines)
{
    ensureLibrary();
    const git_diff_options options = optionsFor(Whitespace::Exact, contextLines);
    git_patch *raw = nullptr;
    const auto dataOf = [](const std::optional<std::string_view> &text) { return text ? addressOf(*text) : nullptr; };
    const auto sizeOf = [](const std::optional<std::string_view> &text) { return text ? text->size() : 0; };
    if (git_patch_from_buffers(
            &raw, dataOf(before), sizeOf(before), path.c_str(), dataOf(after), sizeOf(after), path.c_str(), &options)
        != 0)
        return lastFailure(path);
    const PatchPtr patch(raw);
    GitBuffer buffer;
    if (git_patch_to_buf(buffer.out(), patch.get()) != 0)
        return lastFailure(path);
    return buffer.text();
}

} // namespace core
