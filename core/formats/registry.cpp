// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/reading/archive.h"
#include "core/formats/reading/database.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/unpack.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr size_t kHead = 64U << 10U;
constexpr size_t kSampleRecords = 60;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

#define PALIMPSEST_ADDRESS_OF(name) &(name),
constexpr auto kFormats = std::to_array<const Format *>({ PALIMPSEST_FORMATS(PALIMPSEST_ADDRESS_OF) });
constexpr auto kOnFixtures = std::to_array<const Format *>({ PALIMPSEST_FORMATS_ON_FIXTURES(PALIMPSEST_ADDRESS_OF) });
#undef PALIMPSEST_ADDRESS_OF

/// Describes the first bytes, for the error about an unknown format.
std::string_view describe(std::string_view bytes)
{
    if (bytes.starts_with("\x89PNG") || bytes.starts_with("\xFF\xD8\xFF") || bytes.starts_with("GIF8"))
        return "It is an image.";
    if (bytes.starts_with("{\"sqlite\":")) // as text
        return "It is an SQLite database without sessions.";
    if (bytes.starts_with("%PDF"))
        return "It is a PDF document.";
    if (bytes.starts_with("\x1F\x8B"))
        return "It is compressed with gzip; unpack it first.";
    const std::string_view head = bytes.substr(0, kHead);
    if (head.find('\0') != std::string_view::npos)
        return "It is a binary file.";
    const size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return "It contains only blanks.";
    if (head[first] == '{' || head[first] == '[')
        return "It is JSON in an unknown format.";
    return "It is text in an unknown format.";
}

/// Adds the beginnings of the lines behind a head that ends inside a record.
void sampleBehind(std::string_view all, size_t at, std::vector<std::string_view> &records)
{
    constexpr size_t kMaxLines = 16;
    for (size_t i = 0; i < kMaxLines; ++i) {
        const size_t newline = all.find('\n', at);
        at = newline == std::string_view::npos ? newline
                                               : all.find_first_not_of(std::string_view(" \t\r\n\0", 5), newline);
        if (at == std::string_view::npos)
            return;
        const std::string_view window = all.substr(at, kHead);
        if (window.front() == '{')
            records.push_back(window.substr(0, endOfJsonValue(window, 0).value_or(window.size())));
    }
}

} // namespace

std::span<const Format *const> formats() { return kFormats; }

bool isProven(const Format &format) { return !std::ranges::contains(kOnFixtures, &format); }

Sample sampleOf(std::string_view bytes)
{
    if (bytes.starts_with(kByteOrderMark))
        bytes.remove_prefix(kByteOrderMark.size());
    Sample sample;
    sample.all = bytes;
    sample.head = bytes.substr(0, kHead);
    size_t at = 0;
    while (sample.records.size() < kSampleRecords) {
        // Damage in the head must not hide later records: continue at the next line.
        while (at < sample.head.size() && sample.head[at] != '{' && sample.head[at] != '[')
            ++at;
        if (at >= sample.head.size())
            break;
        const auto end = endOfJsonValue(sample.head, at);
        if (!end) {
            sample.records.push_back(sample.head.substr(at));
            const size_t newline = sample.head.find('\n', at);
            const bool isFirst = sample.records.size() == 1;
            if (isFirst && newline != std::string_view::npos) {
                // Decides by the next line whether this is one value larger than the head or a damaged first line.
                const size_t next = sample.head.find_first_not_of(" \t\r\n", newline);
                sample.isSingleValue = next == std::string_view::npos || sample.head[next] != sample.head[at];
                if (sample.isSingleValue)
                    break;
            } else if (isFirst) {
                sample.isSingleValue = sample.all.find('\n') == std::string_view::npos
                    || sample.all.find("\n{") == std::string_view::npos;
            }
            if (newline == std::string_view::npos) {
                if (!sample.isSingleValue)
                    sampleBehind(sample.all, at, sample.records);
                break;
            }
            at = newline + 1;
            continue;
        }
        sample.records.push_back(sample.head.substr(at, *end - at));
        at = *end;
    }
    if (sample.records.size() == 1 && !sample.isSingleValue) {
        const auto *behind = sample.records.front().data() + sample.records.front().size();
        const std::string_view rest = bytes.substr(static_cast<size_t>(behind - bytes.data()));
        sample.isSingleValue
            = rest.substr(0, kHead).find_first_not_of(std::string_view(" \t\r\n\0", 5)) == std::string_view::npos;
    }
    return sample;
}

Result<const Format *> recognise(std::string_view bytes, std::string_view name)
{
    if (bytes.empty())
        return failure(ErrorKind::Empty, "The file is empty.", std::string(name));
    const Sample sample = sampleOf(bytes);
    const Format *best = nullptr;
    Likeness most = Likeness::No;
    for (const Format *format : kFormats) {
        const Likeness likeness = format->sniff(sample);
        if (likeness > most) {
            most = likeness;
            best = format;
        }
        if (most == Likeness::Certain)
            break;
    }
    if (best == nullptr) {
        return failure(ErrorKind::UnknownFormat,
            "This is not a session that Palimpsest can read. " + std::string(describe(bytes))
                + " `palimpsest formats` lists the known formats.",
            std::string(name));
    }
    return best;
}

Result<SessionPtr> loadSession(
    const std::filesystem::path &path, Progress *progress, const Publish &publish, unsigned threads)
{
    auto source = Source::open(path);
    if (!source)
        return std::unexpected(source.error());
    return loadSession(*source, progress, publish, threads);
}

namespace {

/// The text of a file, and what it was made from.
struct Content {
    SourcePtr text;
    std::vector<SourcePtr> made; ///< so that changes of the files on disk are detected; empty if `text` is the file
    std::string damage;
};

/// Unpacks compressed files and archives, and reads the rows of databases.
Result<Content> contentOf(const SourcePtr &source)
{
    Content content { source, {}, {} };
    if (isZstd(source->bytes())) {
        auto unpacked = unpackZstd(source->bytes(), source->name());
        if (!unpacked)
            return std::unexpected(unpacked.error());
        content = { Source::own(std::move(unpacked->text), source->name()), { source }, std::move(unpacked->damage) };
    }
    if (isArchive(content.text->bytes())) {
        auto log = archiveText(content.text->bytes(), source->name());
        if (!log)
            return std::unexpected(log.error());
        return Content { Source::own(std::move(log->text), source->name()), { source }, std::move(log->damage) };
    }
    if (!isDatabase(content.text->bytes()))
        return content;
    std::vector<SourcePtr> made { source };
    if (auto log = Source::open(source->name() + "-wal"); log && content.made.empty())
        made.insert(made.begin(), std::move(*log));
    const std::string_view log = made.size() > 1 ? made.front()->bytes() : std::string_view();
    auto rows = databaseText(content.text->bytes(), log, source->name());
    if (!rows)
        return std::unexpected(rows.error());
    return Content { Source::own(std::move(rows->text), source->name()), std::move(made), std::move(rows->damage) };
}

/// Takes from the reader the session of all that it was given. A file that may go on with more records keeps the
/// reader.
Result<OpenedFile> sessionOf(std::unique_ptr<Reader> reader, const Content &content, const SourcePtr &source)
{
    const bool mayGoOn = content.made.empty() && content.damage.empty() && reader->resumes()
        && (source->bytes().ends_with('\n') || source->hasChanged());
    auto session = mayGoOn ? reader->snapshot() : reader->end();
    if (!session)
        return std::unexpected(session.error());
    return OpenedFile { std::move(*session), source, mayGoOn ? std::move(reader) : nullptr };
}

/// Reads a source that does not change meanwhile.
Result<OpenedFile> readUnchanged(
    const SourcePtr &source, Progress *progress, const Publish &publish, unsigned threads, bool keepsReader)
{
    const auto content = contentOf(source);
    if (!content)
        return std::unexpected(content.error());
    const auto &[text, made, damage] = *content;
    const auto format = recognise(text->bytes(), source->name());
    if (!format)
        return std::unexpected(format.error());
    auto reader = (*format)->open({ text, progress, publish, threads });
    if (const auto appended = reader->append(text); !appended)
        return std::unexpected(appended.error());
    Result<OpenedFile> opened;
    if (keepsReader) {
        opened = sessionOf(std::move(reader), *content, source);
    } else if (auto session = reader->end(); session) {
        opened = OpenedFile { std::move(*session), source, nullptr };
    } else {
        opened = std::unexpected(session.error());
    }
    if (!opened || (damage.empty() && made.empty()))
        return opened;
    auto whole = std::make_shared<Session>(*opened->session);
    if (!damage.empty())
        whole->diagnostics.push_back({ Severity::Warning, 0, damage });
    whole->sources.insert(whole->sources.end(), made.begin(), made.end());
    if (auto torn = whole->torn())
        return std::unexpected(std::move(*torn));
    opened->session = std::move(whole);
    return opened;
}

std::unexpected<Error> changedMeanwhile(const Source &source)
{
    return failure(ErrorKind::Changed, "The file changed while it was being read; load it again.", source.name());
}

} // namespace

Result<SessionPtr> loadSession(const SourcePtr &source, Progress *progress, const Publish &publish, unsigned threads)
{
    auto opened = readUnchanged(source, progress, publish, threads, false);
    const bool isCancelled = !opened && opened.error().kind == ErrorKind::Cancelled;
    if (!isCancelled && (source->isTorn() || source->hasChanged()))
        return changedMeanwhile(*source);
    if (!opened)
        return std::unexpected(opened.error());
    return std::move(opened->session);
}

Result<OpenedFile> openGrowing(const SourcePtr &source, Progress *progress, const Publish &publish, unsigned threads)
{
    auto opened = readUnchanged(source, progress, publish, threads, true);
    const bool isCancelled = !opened && opened.error().kind == ErrorKind::Cancelled;
    // A file that only grew meanwhile still begins with what was read.
    const bool onlyGrew = opened && opened->reader && !source->isTorn() && source->reopen();
    if (!isCancelled && !onlyGrew && (source->isTorn() || source->hasChanged()))
        return changedMeanwhile(*source);
    return opened;
}

} // namespace core
