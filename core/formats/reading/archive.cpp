// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/archive.h"

#include "core/base/text.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <memory>
#include <vector>
#include <zip.h>

namespace core {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr size_t kNameCodePoints = 100;

struct ArchiveCloser {
    void operator()(zip_t *archive) const { zip_discard(archive); }
};
struct MemberCloser {
    void operator()(zip_file_t *file) const { zip_fclose(file); }
};

/// The files of one archive, unpacked on demand. All of them together have a limit.
class Archive final {
public:
    Archive(std::string_view bytes, uint64_t most)
        : m_left(most)
    {
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t *source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
        if (source != nullptr)
            m_archive.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
        if (m_archive == nullptr) {
            m_reason = zip_error_strerror(&error);
            zip_source_free(source);
        }
        zip_error_fini(&error);
    }

    [[nodiscard]] bool isOpen() const { return m_archive != nullptr; }
    /// Why the last step failed.
    [[nodiscard]] const std::string &reason() const { return m_reason; }
    /// The limit was reached.
    [[nodiscard]] bool isFull() const { return m_isFull; }

    /// The names of the files; empty where the archive has none for an entry.
    [[nodiscard]] std::vector<std::string> names() const
    {
        std::vector<std::string> names;
        const zip_int64_t count = zip_get_num_entries(m_archive.get(), 0);
        for (zip_int64_t i = 0; i < count; ++i) {
            const char *name = zip_get_name(m_archive.get(), static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW);
            names.emplace_back(name == nullptr ? "" : name);
        }
        return names;
    }

    /// The JSON object in a file, without the blanks around it; empty if there is none.
    std::string objectAt(size_t index)
    {
        std::string text;
        if (!unpack(index, text))
            return {};
        const size_t begin = text.find_first_not_of(kBlanks);
        const size_t end = text.find_last_not_of(kBlanks);
        text = begin == std::string::npos ? std::string() : text.substr(begin, end + 1 - begin);
        if (isJsonObject(text) && skipJson(text, 0) == text.size())
            return text;
        m_reason = "it is not JSON";
        return {};
    }

private:
    bool unpack(size_t index, std::string &text)
    {
        constexpr size_t kPiece = 64U << 10U;
        const std::unique_ptr<zip_file_t, MemberCloser> file(zip_fopen_index(m_archive.get(), index, 0));
        if (file == nullptr) {
            m_reason = zip_strerror(m_archive.get());
            return false;
        }
        std::string piece(kPiece, '\0');
        while (true) {
            const zip_int64_t count = zip_fread(file.get(), piece.data(), piece.size());
            if (count < 0) {
                m_reason = zip_file_strerror(file.get());
                return false;
            }
            if (count == 0)
                return true;
            if (static_cast<uint64_t>(count) > m_left) {
                m_isFull = true;
                return false;
            }
            m_left -= static_cast<uint64_t>(count);
            text.append(piece, 0, static_cast<size_t>(count));
        }
    }

    std::unique_ptr<zip_t, ArchiveCloser> m_archive;
    uint64_t m_left;
    std::string m_reason;
    bool m_isFull = false;
};

/// The members of the log beside its samples, with a comma behind them. A run that has not ended has no state yet.
std::string headOf(Archive &archive, const std::vector<std::string> &names, std::string &damage)
{
    for (const std::string_view wanted : { "header.json", "_journal/start.json" }) {
        // Of files with the same name the last one counts, as everywhere in ZIP archives.
        const auto place = std::ranges::find(names.rbegin(), names.rend(), wanted);
        if (place == names.rend())
            continue;
        const std::string text = archive.objectAt(static_cast<size_t>(names.rend() - place) - 1);
        if (text.empty())
            continue;
        const bool isEnded = wanted == "header.json";
        if (!isEnded)
            damage = "The archive has no header, because it was written before the run ended. ";
        const std::string_view members = std::string_view(text).substr(1, text.size() - 2);
        const bool isBare = members.find_first_not_of(kBlanks) == std::string_view::npos;
        return std::string(isEnded ? "" : R"("status":"started",)") + std::string(members) + (isBare ? "" : ",");
    }
    return {};
}

} // namespace

bool isArchive(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

Result<Unpacked> archiveText(std::string_view bytes, const std::string &name, uint64_t most)
{
    Archive archive(bytes, most);
    if (!archive.isOpen())
        return failure(ErrorKind::Malformed, "The ZIP archive cannot be read: " + archive.reason() + ".", name);
    const std::vector<std::string> names = archive.names();
    Unpacked log;
    log.text = "{" + headOf(archive, names, log.damage) + "\"samples\":[";
    if (log.text.size() <= std::string_view(R"({"samples":[)").size() && !archive.isFull()) {
        return failure(ErrorKind::UnknownFormat,
            "This is not a session that Palimpsest can read. It is a ZIP archive without the header of an Inspect log. "
            "`palimpsest formats` lists the known formats.",
            name);
    }
    size_t lost = 0;
    std::string firstLost;
    bool isFirst = true;
    for (size_t i = 0; i < names.size() && !archive.isFull(); ++i) {
        if (!names[i].starts_with("samples/") || !names[i].ends_with(".json"))
            continue;
        const std::string sample = archive.objectAt(i);
        if (sample.empty()) {
            firstLost = lost++ == 0 ? snippet(names[i], kNameCodePoints) + " (" + archive.reason() + ")" : firstLost;
            continue;
        }
        // No line begins with a bracket: the document would look like rows.
        log.text += (isFirst ? "" : "\n,") + sample;
        isFirst = false;
    }
    if (archive.isFull()) {
        return failure(ErrorKind::NotReadable,
            "The archive contains more than " + groupedNumber(most)
                + " bytes. Write its log as JSON with `inspect log convert` and open the result.",
            name);
    }
    log.text += "]}";
    if (lost > 0)
        log.damage += groupedNumber(lost) + (lost == 1 ? " sample" : " samples")
            + " of the archive could not be read; the first is " + firstLost + ".";
    while (log.damage.ends_with(' '))
        log.damage.pop_back();
    return log;
}

} // namespace core
