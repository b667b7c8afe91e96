// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/formats/mutation.h"

#include "tests/session_testing.h"
#include "tests/sourcedir.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <tuple>

namespace testing {

namespace {

/// A lexeme of JSON: a bracket, colon, comma, string or another literal. Damaged text gives lexemes, too.
struct Lexeme {
    char kind = 0; ///< its first character; `0` for numbers, true, false, null and everything unknown
    size_t begin = 0;
    size_t end = 0;
};

size_t endOfString(std::string_view text, size_t begin)
{
    for (size_t at = begin + 1; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at + 1;
        else if (text[at] == '\n')
            return at;
    }
    return text.size();
}

std::vector<Lexeme> lexemesOf(std::string_view text)
{
    constexpr std::string_view kMarks = "{}[]:,";
    std::vector<Lexeme> lexemes;
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            ++at;
            continue;
        }
        Lexeme lexeme { c, at, at + 1 };
        if (c == '"') {
            lexeme.end = endOfString(text, at);
        } else if (kMarks.find(c) == std::string_view::npos) {
            lexeme.kind = '0';
            lexeme.end = std::min(text.find_first_of("{}[]:,\" \t\r\n", at), text.size());
        }
        at = lexeme.end;
        lexemes.push_back(lexeme);
    }
    return lexemes;
}

bool opens(const Lexeme &lexeme) { return lexeme.kind == '{' || lexeme.kind == '['; }
bool closes(const Lexeme &lexeme) { return lexeme.kind == '}' || lexeme.kind == ']'; }

/// Index of the last lexeme of the value that starts at `first`.
size_t lastOfValue(const std::vector<Lexeme> &lexemes, size_t first)
{
    size_t depth = 0;
    for (size_t i = first; i < lexemes.size(); ++i) {
        if (opens(lexemes[i]))
            ++depth;
        else if (closes(lexemes[i]))
            depth -= depth > 0 ? 1 : 0;
        if (depth == 0)
            return i;
    }
    return lexemes.size() - 1;
}

/// A string lexeme with its quotes, cut to about `most` bytes: not inside of an escape or a character.
std::string shortened(std::string_view string, size_t most)
{
    if (string.size() <= most || string.size() < 2)
        return std::string(string);
    size_t at = 1;
    while (at < most) {
        size_t next = at + 1;
        if (string[at] == '\\')
            next = at + (string.substr(at + 1, 1) == "u" ? 6 : 2);
        while (next < string.size() && (static_cast<unsigned char>(string[next]) & 0xC0U) == 0x80U)
            ++next;
        at = next;
    }
    return std::string(string.substr(0, std::min(at, string.size() - 1))) + "\"";
}

/// A smaller file of the same structure: long strings cut, what follows after `most` bytes dropped, at a line if there
/// is one, else behind a value, and open brackets closed.
std::string condensed(std::string_view text, size_t most)
{
    constexpr size_t kMostOfString = 300;
    std::string result;
    std::string open;
    size_t copied = 0;
    for (const Lexeme &lexeme : lexemesOf(text)) {
        result += text.substr(copied, lexeme.begin - copied);
        const std::string_view own = text.substr(lexeme.begin, lexeme.end - lexeme.begin);
        result += lexeme.kind == '"' ? shortened(own, kMostOfString) : std::string(own);
        copied = lexeme.end;
        if (opens(lexeme))
            open += lexeme.kind == '{' ? '}' : ']';
        else if (closes(lexeme) && !open.empty())
            open.pop_back();
        if (result.size() < most)
            continue;
        const size_t line = result.rfind("\n{", most);
        if (line != std::string::npos && line > 0)
            return result.substr(0, line + 1);
        if (closes(lexeme)) {
            std::ranges::reverse(open);
            return result + open;
        }
    }
    return result + std::string(text.substr(copied));
}

/// Applies changes to one text.
class Changes final {
public:
    Changes(const std::vector<MutationSeed> &seeds, std::mt19937_64 &random, std::string text)
        : m_seeds(seeds)
        , m_random(random)
        , m_text(std::move(text))
    {
    }

    void applyOne()
    {
        using Change = void (Changes::*)();
        static constexpr auto kOfStructure = std::to_array<Change>({ &Changes::swapKeys, &Changes::swapValues,
            &Changes::oddNumber, &Changes::cutString, &Changes::otherValue, &Changes::dropValue, &Changes::repeatValue,
            &Changes::otherKey, &Changes::copyValue, &Changes::nestValue, &Changes::otherString });
        static constexpr auto kOfLines = std::to_array<Change>({ &Changes::shuffleLines, &Changes::repeatLines,
            &Changes::glueLines, &Changes::dropLines, &Changes::cutLine, &Changes::foreignLines });
        static constexpr auto kOfBytes = std::to_array<Change>(
            { &Changes::flipBytes, &Changes::insertBytes, &Changes::dropBytes, &Changes::cutEnd });
        const size_t kind = below(10);
        if (kind < 6)
            chooseSpan();
        (this->*(kind < 6 ? oneOf(kOfStructure) : kind < 8 ? oneOf(kOfLines) : oneOf(kOfBytes)))();
    }

    std::string take(size_t most)
    {
        if (m_text.size() > most)
            m_text.resize(most);
        return std::move(m_text);
    }

private:
    size_t below(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(m_random() % limit); }
    template <typename Range>
    typename Range::value_type oneOf(const Range &range)
    {
        return range[below(range.size())];
    }

    // --- structure ---

    /// Takes the lexemes of some lines in a row, or of a text without many lines.
    void chooseSpan()
    {
        constexpr size_t kMost = 8000;
        const size_t at = below(m_text.size());
        size_t begin = at == 0 ? 0 : m_text.rfind('\n', at - 1) + 1; // npos + 1 is 0
        if (at - begin > kMost)
            begin = 0;
        size_t end = m_text.find('\n', at + below(kMost));
        end = end == std::string::npos ? m_text.size() : end;
        m_lexemes = lexemesOf(std::string_view(m_text).substr(begin, end - begin));
        m_keys.clear();
        m_values.clear();
        m_strings.clear();
        for (Lexeme &each : m_lexemes) {
            each.begin += begin;
            each.end += begin;
        }
        for (size_t i = 0; i < m_lexemes.size(); ++i) {
            const char kind = m_lexemes[i].kind;
            const bool isKey = kind == '"' && i + 1 < m_lexemes.size() && m_lexemes[i + 1].kind == ':';
            if (isKey)
                m_keys.push_back(i);
            else if (kind == '"' || kind == '0' || opens(m_lexemes[i]))
                m_values.push_back(i);
            if (kind == '"' && !isKey)
                m_strings.push_back(i);
        }
    }

    struct Range {
        size_t begin = 0;
        size_t end = 0;
    };
    [[nodiscard]] Range rangeOfValue(size_t first) const
    {
        return { m_lexemes[first].begin, m_lexemes[lastOfValue(m_lexemes, first)].end };
    }
    [[nodiscard]] Range rangeOfLexeme(size_t index) const { return { m_lexemes[index].begin, m_lexemes[index].end }; }
    /// The value with its key.
    [[nodiscard]] Range rangeOfChild(size_t first) const
    {
        Range range = rangeOfValue(first);
        if (first >= 2 && m_lexemes[first - 1].kind == ':')
            range.begin = m_lexemes[first - 2].begin;
        return range;
    }
    /// The lexeme of the key of a value, or npos.
    [[nodiscard]] std::string_view keyOf(size_t first) const
    {
        if (first < 2 || m_lexemes[first - 1].kind != ':')
            return {};
        return textOf(rangeOfLexeme(first - 2));
    }
    [[nodiscard]] std::string_view textOf(Range range) const
    {
        return std::string_view(m_text).substr(range.begin, range.end - range.begin);
    }
    void replace(Range range, const std::string &text) { m_text.replace(range.begin, range.end - range.begin, text); }
    void exchange(Range a, Range b)
    {
        if (a.begin > b.begin)
            std::swap(a, b);
        if (a.end > b.begin)
            return;
        const std::string first(textOf(a));
        const std::string second(textOf(b));
        replace(b, first);
        replace(a, second);
    }
    std::optional<size_t> someValue()
    {
        return m_values.empty() ? std::nullopt : std::optional(m_values[below(m_values.size())]);
    }

    void swapKeys()
    {
        if (!m_keys.empty())
            exchange(rangeOfLexeme(oneOf(m_keys)), rangeOfLexeme(oneOf(m_keys)));
    }
    void swapValues()
    {
        if (!m_values.empty())
            exchange(rangeOfValue(oneOf(m_values)), rangeOfValue(oneOf(m_values)));
    }
    void oddNumber()
    {
        static constexpr auto kNumbers = std::to_array<const char *>({ "0", "-1", "-0.0", "0.5", "1e30", "1e308",
            "1e999", "-1e30", "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
            "18446744073709551615", "18446744073709551616", "1763917689000", "1763917689", "1e-320", "00", "1.", "-",
            "\"12\"", "NaN", "123456789012345678901234567890" });
        std::vector<size_t> numbers;
        for (const size_t value : m_values) {
            const char first = m_text[m_lexemes[value].begin];
            if (first == '-' || (first >= '0' && first <= '9'))
                numbers.push_back(value);
        }
        if (!numbers.empty())
            replace(rangeOfLexeme(oneOf(numbers)), oneOf(kNumbers));
    }
    void cutString()
    {
        if (m_strings.empty())
            return;
        const Range range = rangeOfLexeme(oneOf(m_strings));
        const std::string_view own = textOf(range);
        switch (below(3)) {
        case 0: // anywhere, also inside of an escape
            return replace(range, std::string(own.substr(0, 1 + below(own.size()))) + '"');
        case 1:
            return replace(range, R"("")");
        default:
            return replace(range, shortened(own, 1 + below(own.size())));
        }
    }
    void otherString()
    {
        static constexpr auto kStrings = std::to_array<const char *>(
            { R"("\ud800")", R"("\udc00\ud800")", R"("\u0000")", "\"\x01\"", "\"\xff\xfe\"", R"("../../x")", R"("/")",
                R"("\n")", R"("2026-13-45T99:99:99Z")", R"("-262144-01-01T00:00:00Z")",
                R"("99999999999999-01-01T00:00:00.000000000000Z")", R"("null")", R"("\u202e\u2066")",
                R"("data:image/png;base64,!!!!")", R"("{\"a\":")", R"("*** Begin Patch\n*** Update ")" });
        if (!m_strings.empty())
            replace(rangeOfLexeme(oneOf(m_strings)), oneOf(kStrings));
    }
    void otherValue()
    {
        static constexpr auto kValues = std::to_array<const char *>({ "null", "true", "false", "{}", "[]", "0", "-7",
            "\"\"", "\"text\"", "[[]]", "{\"a\":{}}", "[null]", "[\"a\",1,{}]", "{\"type\":\"text\",\"text\":\"t\"}" });
        if (const auto value = someValue())
            replace(rangeOfValue(*value), oneOf(kValues));
    }
    void dropValue()
    {
        const auto value = someValue();
        if (!value)
            return;
        Range range = rangeOfChild(*value);
        const size_t behind = lastOfValue(m_lexemes, *value) + 1;
        if (behind < m_lexemes.size() && m_lexemes[behind].kind == ',' && below(8) != 0)
            range.end = m_lexemes[behind].end;
        replace(range, {});
    }
    void repeatValue()
    {
        const auto value = someValue();
        if (!value)
            return;
        const Range range = rangeOfChild(*value);
        const std::string own(textOf(range));
        std::string copies;
        for (size_t i = countOfCopies(own.size()); i > 0; --i)
            copies += own + ",";
        m_text.insert(range.begin, copies);
    }
    void otherKey()
    {
        if (m_keys.empty())
            return;
        // A key of any file stands for what its reader knows.
        const std::string &other = m_seeds[below(m_seeds.size())].text;
        const size_t colon = other.find("\":", below(other.size()));
        const size_t quote = colon == std::string::npos || colon == 0 ? colon : other.rfind('"', colon - 1);
        if (quote != std::string::npos && quote < colon)
            replace(rangeOfLexeme(oneOf(m_keys)), other.substr(quote, colon + 1 - quote));
    }
    /// Overwrites a value by another, mostly by one of the same key: the id of one record by that of another.
    void copyValue()
    {
        const auto value = someValue();
        if (!value)
            return;
        std::vector<size_t> others;
        const std::string_view key = keyOf(*value);
        for (const size_t each : m_values) {
            if (each != *value && !key.empty() && keyOf(each) == key)
                others.push_back(each);
        }
        const size_t other = others.empty() || below(4) == 0 ? oneOf(m_values) : oneOf(others);
        const std::string copy(textOf(rangeOfValue(other)));
        replace(rangeOfValue(*value), copy);
    }
    void nestValue()
    {
        const auto value = someValue();
        if (!value)
            return;
        const Range range = rangeOfValue(*value);
        const std::string own(textOf(range));
        const size_t levels = below(3) == 0 ? 1 + below(3000) : 1 + below(4);
        std::string before;
        std::string after;
        const bool isObject = below(2) == 0;
        const std::string key = keyOf(*value).empty() ? "\"content\"" : std::string(keyOf(*value));
        for (size_t i = 0; i < levels; ++i) {
            before += isObject ? "{" + key + ":" : "[";
            after += isObject ? '}' : ']';
        }
        replace(range, before + own + after);
    }

    // --- lines ---

    [[nodiscard]] std::vector<std::string> lines() const
    {
        std::vector<std::string> all;
        for (size_t at = 0; at < m_text.size();) {
            const size_t end = std::min(m_text.find('\n', at), m_text.size() - 1) + 1;
            all.push_back(m_text.substr(at, end - at));
            at = end;
        }
        return all;
    }
    void join(const std::vector<std::string> &all)
    {
        m_text.clear();
        for (const std::string &line : all)
            m_text += line;
    }
    /// How often a text of this size is repeated: mostly once, sometimes so often that it fills a file.
    size_t countOfCopies(size_t size)
    {
        constexpr size_t kMost = 32'000;
        if (below(6) != 0)
            return 1 + below(3);
        return std::clamp<size_t>(kMost / std::max<size_t>(size, 1), 1, 4000);
    }

    void shuffleLines()
    {
        auto all = lines();
        const size_t first = below(all.size());
        const size_t count = std::min(all.size() - first, below(3) == 0 ? all.size() : 2 + below(8));
        std::shuffle(
            all.begin() + static_cast<ptrdiff_t>(first), all.begin() + static_cast<ptrdiff_t>(first + count), m_random);
        join(all);
    }
    void repeatLines()
    {
        auto all = lines();
        if (all.empty())
            return;
        const std::string line = oneOf(all);
        const size_t copies = countOfCopies(line.size());
        const bool isInPlace = below(2) == 0;
        const auto place = static_cast<ptrdiff_t>(below(all.size() + 1));
        if (isInPlace) {
            all.insert(all.begin() + place, copies, line);
        } else {
            for (size_t i = 0; i < std::min<size_t>(copies, 50); ++i)
                all.insert(all.begin() + static_cast<ptrdiff_t>(below(all.size() + 1)), line);
        }
        join(all);
    }
    void glueLines()
    {
        for (size_t count = 1 + below(4); count > 0; --count) {
            const size_t end = m_text.find('\n', below(m_text.size()));
            if (end != std::string::npos)
                m_text.erase(end, 1);
        }
    }
    void dropLines()
    {
        auto all = lines();
        const size_t first = below(all.size());
        const size_t count = std::min(all.size() - first, 1 + below(below(3) == 0 ? all.size() : 4));
        all.erase(all.begin() + static_cast<ptrdiff_t>(first), all.begin() + static_cast<ptrdiff_t>(first + count));
        join(all);
    }
    void cutLine()
    {
        static constexpr auto kEnds = std::to_array<const char *>({ "\n", "\r\n", "\n\n", "\r", "\xE2\x80\xA8" });
        m_text.insert(below(m_text.size() + 1), oneOf(kEnds));
    }
    void foreignLines()
    {
        const std::string &other = m_seeds[below(m_seeds.size())].text;
        const size_t begin = other.find('\n', below(other.size()));
        const size_t first = begin == std::string::npos ? 0 : begin + 1;
        const size_t end = other.find('\n', std::min(first + 1 + below(3000), other.size()));
        size_t place = m_text.find('\n', below(m_text.size()));
        place = place == std::string::npos ? m_text.size() : place + 1;
        m_text.insert(place, other.substr(first, end == std::string::npos ? 3000 : end + 1 - first));
    }

    // --- bytes ---

    void flipBytes()
    {
        for (size_t count = m_text.empty() ? 0 : 1 + below(6); count > 0; --count) {
            char &byte = m_text[below(m_text.size())];
            byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << below(8)));
        }
    }
    void insertBytes()
    {
        static constexpr auto kBytes
            = std::to_array<std::string_view>({ { "\0", 1 }, "\"", "\\", "{", "}", "[", "]", ",", ":", "\xff", "\xc3",
                "\xEF\xBB\xBF", "\x1b[2J", "\xed\xa0\x80", "\x7f", "}{", "\"\"", { "\0\0\0\0", 4 } });
        std::string bytes;
        for (size_t count = below(10) == 0 ? 1 + below(400) : 1; count > 0; --count)
            bytes += oneOf(kBytes);
        m_text.insert(below(m_text.size() + 1), bytes);
    }
    void dropBytes() { m_text.erase(below(m_text.size() + 1), 1 + below(below(4) == 0 ? 2000 : 10)); }
    void cutEnd()
    {
        m_text.resize(below(4) == 0 ? below(m_text.size() + 1) : m_text.size() - below(m_text.size() / 8));
    }

    const std::vector<MutationSeed> &m_seeds;
    std::mt19937_64 &m_random;
    std::string m_text;
    std::vector<Lexeme> m_lexemes;
    std::vector<size_t> m_keys;    ///< lexemes that are keys
    std::vector<size_t> m_values;  ///< lexemes that start values
    std::vector<size_t> m_strings; ///< those of them that are strings
};

/// The first bytes of a file.
std::string headOf(const std::filesystem::path &path, size_t most)
{
    std::string bytes(most, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(most));
    bytes.resize(static_cast<size_t>(file.gcount()));
    return bytes;
}

} // namespace

std::vector<MutationSeed> mutationSeeds(size_t most, bool isWithCorpus)
{
    const std::filesystem::path repository(PALIMPSEST_SOURCE_DIR);
    std::vector<MutationSeed> seeds;
    std::vector folders { repository / "resources" / "samples", repository / "tests" / "samples",
        repository / "tests" / "golden" };
    if (isWithCorpus && !corpus().empty())
        folders.insert(folders.end(), { corpus(), corpus() / ".." / "faults" });
    for (const auto &folder : folders) {
        std::error_code error;
        for (const auto &entry : std::filesystem::recursive_directory_iterator(folder, error)) {
            const std::string ending = entry.path().extension().string();
            if (entry.is_regular_file() && (ending == ".json" || ending == ".jsonl" || ending == ".md"))
                seeds.push_back({ entry.path().filename().string(), condensed(headOf(entry.path(), 6 * most), most) });
        }
    }
    // Folders list their files in any order.
    std::ranges::sort(seeds, {}, [](const MutationSeed &seed) { return std::tie(seed.name, seed.text); });
    return seeds;
}

Mutator::Input Mutator::make(uint64_t seed, size_t number, size_t most) const
{
    std::seed_seq words { static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32U),
        static_cast<uint32_t>(number) };
    std::mt19937_64 random(words);
    const MutationSeed &from = m_seeds[random() % m_seeds.size()];
    return { from.name + ", input " + std::to_string(number), damaged(from.text, random, most) };
}

std::string Mutator::damaged(std::string text, std::mt19937_64 &random, size_t most) const
{
    Changes changes(m_seeds, random, std::move(text));
    size_t count = 1;
    while (count < 8 && random() % 3 != 0)
        ++count;
    for (size_t i = 0; i < count; ++i)
        changes.applyOne();
    return changes.take(most);
}

} // namespace testing
