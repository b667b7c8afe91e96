// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/database.h"

#include "core/base/sqlite.h"
#include "core/base/text.h"
#include "core/json/json_probe.h"

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <vector>

namespace core {

namespace {

constexpr size_t kDatabaseHeader = 100;
constexpr size_t kLeastPage = 512;
constexpr size_t kLogHeader = 32;
constexpr size_t kFrameHeader = 24;

uint32_t bigEndian(std::string_view bytes, size_t at)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i)
        value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

/// The running checksum of a write-ahead log, over pairs of 32-bit words. Source: SQLite's file format, section 4.2.
class LogChecksum final {
public:
    explicit LogChecksum(bool isBigEndian)
        : m_isBigEndian(isBigEndian)
    {
    }

    void add(std::string_view bytes)
    {
        for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
            m_first += word(bytes, i) + m_second;
            m_second += word(bytes, i + 4) + m_first;
        }
    }
    [[nodiscard]] bool isAt(std::string_view bytes, size_t at) const
    {
        return bigEndian(bytes, at) == m_first && bigEndian(bytes, at + 4) == m_second;
    }

private:
    [[nodiscard]] uint32_t word(std::string_view bytes, size_t at) const
    {
        const uint32_t value = bigEndian(bytes, at);
        return m_isBigEndian ? value : __builtin_bswap32(value);
    }

    bool m_isBigEndian;
    uint32_t m_first = 0;
    uint32_t m_second = 0;
};

/// The pages of the complete transactions by number, and the size of the database behind the last of them in pages.
struct Committed {
    std::map<uint32_t, std::string_view> pages;
    uint32_t pageCount = 0;
};

Committed committedPages(std::string_view log, size_t pageSize)
{
    constexpr uint32_t kMagic = 0x377F0682; // the last bit is set if checksums read big-endian words
    Committed done;
    if (log.size() < kLogHeader || (bigEndian(log, 0) & ~1U) != kMagic || bigEndian(log, 8) != pageSize)
        return done;
    LogChecksum sum((bigEndian(log, 0) & 1U) != 0);
    sum.add(log.substr(0, 24));
    if (!sum.isAt(log, 24))
        return done;
    std::map<uint32_t, std::string_view> open;
    for (size_t at = kLogHeader; at + kFrameHeader + pageSize <= log.size(); at += kFrameHeader + pageSize) {
        const std::string_view page = log.substr(at + kFrameHeader, pageSize);
        sum.add(log.substr(at, 8));
        sum.add(page);
        if (log.substr(at + 8, 8) != log.substr(16, 8) || !sum.isAt(log, at + 16))
            break;
        open[bigEndian(log, at)] = page;
        if (const uint32_t pageCount = bigEndian(log, at + 4); pageCount > 0) {
            for (const auto &[number, bytes] : open)
                done.pages[number] = bytes;
            open.clear();
            done.pageCount = pageCount;
        }
    }
    return done;
}

struct StatementCloser {
    void operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }
};

/// A text is written as JSON if it is an array or an object on its own.
std::string jsonOfText(std::string_view text)
{
    const bool isContainer = (isJsonArray(text) && text.ends_with(']')) || (isJsonObject(text) && text.ends_with('}'));
    if (!isContainer || skipJson(text, 0) != text.size())
        return "\"" + escapedJson(text) + "\"";
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
    if (std::ranges::none_of(text, isControl))
        return std::string(text);
    if (!nlohmann::json::accept(text))
        return "\"" + escapedJson(text) + "\"";
    std::string line(text); // line feeds between values
    std::ranges::replace_if(line, isControl, ' ');
    return line;
}

/// Reads the tables of one database.
class Tables final {
public:
    Tables(std::string image, uint64_t most)
        : m_image(std::move(image))
        , m_most(most)
    {
        sqlite3 *database = nullptr;
        const int opened = sqlite3_open_v2(
            ":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, nullptr);
        m_database.reset(database);
        if (opened != SQLITE_OK) {
            m_damage = sqlite3_errstr(opened);
            return;
        }
        // A database is data of somebody else: its schema must not do anything, and its cells are checked.
        sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
        sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
        const int taken = sqlite3_deserialize(database, "main", reinterpret_cast<unsigned char *>(m_image.data()),
            static_cast<sqlite3_int64>(m_image.size()), static_cast<sqlite3_int64>(m_image.size()),
            SQLITE_DESERIALIZE_READONLY);
        if (taken != SQLITE_OK) {
            m_damage = sqlite3_errstr(taken);
            return;
        }
        forEachRow("PRAGMA cell_size_check = ON", [](sqlite3_stmt *) { return true; });
    }

    /// What went wrong last; empty if nothing did.
    [[nodiscard]] const std::string &damage() const { return m_damage; }

    std::string read()
    {
        if (!m_damage.empty())
            return {};
        std::string text = schema();
        using Wanted = std::vector<std::pair<std::string, std::string>>; // tables, and how their rows are ordered
        const bool isOpencode = m_columns.contains("session") && m_columns.contains("part");
        const bool isPlural = m_columns.contains("sessions") && m_columns.contains("messages");
        const std::string time = has("messages", "created_timestamp") ? "created_timestamp" : "created_at";
        const Wanted wanted = isOpencode ? Wanted { { "session", "id" }, { "message", "id" }, { "part", "id" } }
            : isPlural                   ? Wanted { { "sessions", "rowid" }, { "messages", time + ", rowid" } }
                                         : Wanted {};
        for (const auto &[table, order] : wanted) {
            if (m_damage.empty())
                addRows(table, order, text);
        }
        return text;
    }

private:
    [[nodiscard]] bool has(const std::string &table, std::string_view column) const
    {
        const auto found = m_columns.find(table);
        return found != m_columns.end() && std::ranges::contains(found->second, column);
    }

    /// Returns false after an error, which is kept.
    template <typename Visit>
    bool forEachRow(const std::string &query, Visit &&visit)
    {
        sqlite3_stmt *prepared = nullptr;
        int result = sqlite3_prepare_v2(m_database.get(), query.c_str(), -1, &prepared, nullptr);
        const std::unique_ptr<sqlite3_stmt, StatementCloser> statement(prepared);
        while (result == SQLITE_OK || result == SQLITE_ROW) {
            result = sqlite3_step(prepared);
            if (result == SQLITE_ROW && !visit(prepared))
                return false;
        }
        if (result == SQLITE_DONE)
            return true;
        m_damage = sqlite3_errmsg(m_database.get());
        return false;
    }

    static std::string_view textOf(sqlite3_stmt *statement, int column)
    {
        const auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement, column));
        const auto size = static_cast<size_t>(sqlite3_column_bytes(statement, column));
        return bytes == nullptr ? std::string_view() : std::string_view(bytes, size);
    }

    std::string schema()
    {
        forEachRow("SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
            [&](sqlite3_stmt *row) {
                m_columns[std::string(textOf(row, 0))].emplace_back(textOf(row, 1));
                return true;
            });
        nlohmann::json tables = nlohmann::json::object();
        for (const auto &[table, columns] : m_columns)
            tables[table] = columns;
        return nlohmann::json { { "sqlite", tables } }.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
            + "\n";
    }

    void addRows(const std::string &table, const std::string &order, std::string &text)
    {
        forEachRow("SELECT * FROM " + table + " ORDER BY " + order, [&](sqlite3_stmt *row) {
            text += "{\"table\":\"" + table + "\"";
            for (int i = 0; i < sqlite3_column_count(row); ++i)
                text += ",\"" + escapedJson(sqlite3_column_name(row, i)) + "\":" + valueOf(row, i);
            text += "}\n";
            if (text.size() <= m_most)
                return true;
            m_damage = "it holds more than " + groupedNumber(m_most) + " bytes";
            return false;
        });
    }

    static std::string valueOf(sqlite3_stmt *row, int column)
    {
        switch (sqlite3_column_type(row, column)) {
        case SQLITE_INTEGER:
        case SQLITE_FLOAT:
        case SQLITE_TEXT:
        case SQLITE_BLOB:
            break;
        default:
            return "null";
        }
        const bool isText = sqlite3_column_type(row, column) >= SQLITE_TEXT;
        return isText ? jsonOfText(textOf(row, column)) : std::string(textOf(row, column));
    }

    std::string m_image;
    uint64_t m_most;
    DatabaseHandle m_database;
    std::map<std::string, std::vector<std::string>> m_columns; ///< by table
    std::string m_damage;
};

} // namespace

bool isDatabase(std::string_view bytes) { return bytes.starts_with(std::string_view("SQLite format 3\0", 16)); }

std::string databaseImage(std::string_view database, std::string_view log)
{
    std::string image(database);
    if (image.size() < kDatabaseHeader)
        return image;
    const size_t stored = bigEndian(database, 14) & 0xFFFFU; // bytes 16 and 17
    const size_t pageSize = stored == 1 ? 65536 : stored;
    Committed done = pageSize < kLeastPage ? Committed {} : committedPages(log, pageSize);
    const size_t size = static_cast<size_t>(done.pageCount) * pageSize;
    if (size > database.size() + log.size())
        done = {}; // new pages are in the log
    else if (size > 0)
        image.resize(size);
    for (const auto &[number, page] : done.pages) {
        if (number >= 1 && number <= done.pageCount)
            page.copy(image.data() + static_cast<size_t>(number - 1) * pageSize, pageSize);
    }
    image[18] = image[19] = 1; // not in WAL mode: there is no log beside a copy in memory
    return image;
}

Result<Unpacked> databaseText(std::string_view database, std::string_view log, const std::string &name, uint64_t most)
{
    Tables tables(databaseImage(database, log), most);
    Unpacked result { tables.read(), {} };
    if (tables.damage().empty())
        return result;
    const bool hasRows = std::ranges::count(result.text, '\n') > 1;
    if (!hasRows)
        return failure(ErrorKind::Malformed, "The database cannot be read: " + tables.damage() + ".", name);
    result.damage = "The database is damaged (" + tables.damage() + "); only the rows before the damage were read.";
    return result;
}

} // namespace core
