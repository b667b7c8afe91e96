// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/session_head.h"

#include "core/base/source.h"
#include "core/formats/reading/archive.h"
#include "core/formats/reading/database.h"
#include "core/formats/reading/format.h"
#include "core/formats/reading/unpack.h"

#include <algorithm>

namespace core {

namespace {

/// A container of a JSON text that is not complete.
struct OpenValue {
    char closing = ']';
    size_t complete = 0; ///< the end of its last complete element or member; 0 without one
};

/// Walks over a JSON text. Of the text behind it, nothing is known.
class OpenValues final {
public:
    explicit OpenValues(std::string_view text)
        : m_text(text)
    {
        m_open.push_back({ '\0', 0 }); // the sequence of values
        while (m_at < text.size() && step()) { }
    }

    [[nodiscard]] const std::vector<OpenValue> &open() const { return m_open; }

private:
    bool step()
    {
        switch (const char c = m_text[m_at]) {
        case '{':
        case '[':
            m_open.push_back({ c == '{' ? '}' : ']', 0 });
            m_isKey = c == '{';
            ++m_at;
            return true;
        case '}':
        case ']':
            if (m_open.size() == 1)
                return false; // damage
            m_open.pop_back();
            ++m_at;
            return endValue();
        case '"':
            return skipString();
        case ',':
            m_isKey = m_open.back().closing == '}';
            ++m_at;
            return true;
        case ':':
            m_isKey = false;
            ++m_at;
            return true;
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            ++m_at;
            return true;
        default:
            return skipWord();
        }
    }
    bool endValue()
    {
        m_open.back().complete = m_at;
        return true;
    }
    bool skipString()
    {
        size_t at = m_at + 1;
        while (at < m_text.size() && m_text[at] != '"')
            at += m_text[at] == '\\' ? 2 : 1;
        if (at >= m_text.size())
            return false;
        m_at = at + 1;
        return m_isKey || endValue();
    }
    bool skipWord()
    {
        const size_t end = m_text.find_first_of(",]} \t\r\n", m_at);
        if (end == std::string_view::npos)
            return false;
        m_at = end;
        return endValue();
    }

    std::string_view m_text;
    size_t m_at = 0;
    bool m_isKey = false;
    std::vector<OpenValue> m_open; ///< outermost first
};

SourcePtr sourceOf(std::string_view bytes, const SessionFile &file)
{
    return Source::own(std::string(bytes), file.path);
}

Result<SessionPtr> readAs(const Format &format, const SourcePtr &source)
{
    const auto reader = format.open({ source, nullptr, {}, 1 });
    if (const auto appended = reader->append(source); !appended)
        return std::unexpected(appended.error());
    return reader->end();
}

bool isOfLines(const SessionFile &file) { return file.path.ends_with(".jsonl"); }

/// The last time in the lines at the end of a file.
std::optional<Timestamp> timeAtEnd(std::string_view end, const Format &format, const SessionFile &file)
{
    const size_t line = end.find('\n');
    if (line == std::string_view::npos)
        return std::nullopt;
    const auto session = readAs(format, sourceOf(end.substr(line + 1), file));
    if (!session)
        return std::nullopt;
    std::optional<Timestamp> last;
    for (const Message &message : (*session)->messages) {
        if (message.time)
            last = std::max(last.value_or(*message.time), *message.time);
    }
    return last;
}

/// The complete records in the beginning of a file.
std::string recordsIn(std::string_view beginning, const SessionFile &file)
{
    return isOfLines(file) ? std::string(beginning.substr(0, beginning.rfind('\n') + 1)) : completeJson(beginning);
}

} // namespace

std::string completeJson(std::string_view cut)
{
    const OpenValues values(cut);
    const std::vector<OpenValue> &open = values.open();
    const auto isList = [](const OpenValue &each) { return each.closing != '}' && each.complete > 0; };
    auto last = std::ranges::find_if(open, isList);
    if (last == open.end()) { // objects only: the innermost with a member
        for (auto each = open.begin(); each != open.end(); ++each)
            last = each->complete > 0 ? each : last;
    }
    if (last == open.end())
        return {};
    std::string text(cut.substr(0, last->complete));
    for (auto each = last + 1; each-- != open.begin();) {
        if (each->closing != '\0')
            text += each->closing;
    }
    return text;
}

SessionHead headOf(const SessionFile &file)
{
    SessionHead head;
    const auto source = Source::openMapped(file.path);
    if (!source)
        return head;
    const std::string_view all = (*source)->bytes();
    if (isZstd(all) || isArchive(all) || isDatabase(all))
        return head;
    const Format *format = nullptr;
    for (const uint64_t size : { SessionHead::kBytes, SessionHead::kMostBytes }) {
        const std::string_view beginning = all.substr(0, size);
        head.bytesRead += beginning.size();
        const std::string records = recordsIn(beginning, file);
        if (records.empty())
            continue; // the first one is longer
        const auto found = recognise(records, file.path);
        const auto session = found ? readAs(**found, sourceOf(records, file)) : Result<SessionPtr>();
        if (!found || !session)
            break;
        format = *found;
        head.entries = titlesOf(**session, file.path);
        // A file without times, such as a log of requests, may begin with another conversation.
        std::erase_if(head.entries, [](const SessionEntry &entry) { return !entry.begin; });
        if (head.entries.empty() || !head.entries.front().title.empty())
            break;
    }
    if (head.entries.empty())
        return head;
    std::optional<Timestamp> last;
    if (isOfLines(file) && head.entries.size() == 1) {
        for (const uint64_t size : { SessionHead::kBytes, SessionHead::kMostBytes }) {
            const std::string_view end = all.substr(all.size() - std::min(all.size(), size_t { size }));
            last = timeAtEnd(end, *format, file);
            head.bytesRead += end.size();
            if (last)
                break;
        }
    }
    for (SessionEntry &entry : head.entries)
        entry.end = last.value_or(file.changed / 1'000'000);
    if ((*source)->isTorn())
        head.entries.clear();
    return head;
}

} // namespace core
