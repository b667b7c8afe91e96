// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/fields.h"

#include "core/base/text.h"
#include "ui/text/json_text.h"
#include "ui/text/text_guess.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace ui {

namespace {

constexpr size_t kLongString = 120;
/// Values up to this size are written on one line.
constexpr size_t kShortJson = 100;
constexpr size_t kMaxFields = 1000;
constexpr size_t kMaxDepth = 8;

constexpr auto kPathKeys = std::to_array<std::string_view>({ "file_path", "path", "notebook_path", "filePath",
    "absolute_path", "filename", "file", "target_file", "relative_path", "relative_workspace_path", "uri" });
constexpr auto kBodyKeys
    = std::to_array<std::string_view>({ "content", "contents", "file_text", "old_string", "new_string", "old_str",
        "new_str", "oldString", "newString", "insert_text", "new_source", "code_edit", "old_text", "new_text" });
constexpr auto kCommandKeys = std::to_array<std::string_view>({ "command", "cmd", "script", "commands" });
constexpr auto kProseKeys = std::to_array<std::string_view>(
    { "prompt", "description", "plan", "summary", "message", "thought", "instructions", "question", "body" });

bool isOneOf(std::string_view key, std::span<const std::string_view> keys)
{
    return std::ranges::find(keys, key) != keys.end();
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && core::isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && core::isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string_view betweenQuotes(std::string_view raw) { return raw.size() >= 2 ? raw.substr(1, raw.size() - 2) : ""; }

/// Visits the members of an object (with their keys between the quotes) or the elements of an array (with empty keys).
template <typename Visitor>
void forEachMember(std::string_view json, Visitor &&visit)
{
    const bool isObject = json.front() == '{';
    size_t i = 1;
    while (i < json.size()) {
        while (i < json.size() && (core::isBlank(json[i]) || json[i] == ','))
            ++i;
        std::string_view key;
        if (i >= json.size() || json[i] == '}' || json[i] == ']')
            return;
        if (isObject) {
            const size_t keyEnd = endOfJson(json, i);
            if (json[i] != '"')
                return;
            key = betweenQuotes(json.substr(i, keyEnd - i));
            i = keyEnd;
            while (i < json.size() && (core::isBlank(json[i]) || json[i] == ':'))
                ++i;
        }
        const size_t end = endOfJson(json, i);
        if (end <= i)
            return;
        visit(key, trimmed(json.substr(i, end - i)));
        i = end;
    }
}

/// The string of `{"type": "text", "text": "…"}`, an element of a list of parts; empty for anything else.
std::string_view textOfPart(std::string_view value)
{
    if (!value.starts_with('{'))
        return {};
    std::string_view text;
    bool isPart = true;
    forEachMember(value, [&](std::string_view key, std::string_view member) {
        if (key == "text" && member.starts_with('"'))
            text = member;
        else if (key != "type" || !member.ends_with("text\""))
            isPart = false;
    });
    return isPart ? text : std::string_view();
}

class FieldWriter final {
public:
    explicit FieldWriter(std::string_view fileName)
        : m_fileName(fileName)
    {
    }

    void write(std::string_view json)
    {
        forEachMember(json, [&](std::string_view key, std::string_view value) {
            if (isOneOf(key, kPathKeys) && value.starts_with('"'))
                m_path = core::decodeJsonString(betweenQuotes(value));
        });
        writeMembers(json, {}, 0);
    }

    TextContentPtr take()
    {
        addRules();
        m_content.document = std::make_shared<const TextDocument>(std::move(m_text));
        return std::make_shared<const TextContent>(std::move(m_content));
    }

private:
    void writeMembers(std::string_view json, const std::string &prefix, size_t depth)
    {
        size_t index = 0;
        const bool isObject = json.front() == '{';
        forEachMember(json, [&](std::string_view rawKey, std::string_view value) {
            const std::string key = core::decodeJsonString(rawKey);
            std::string label = prefix;
            if (!isObject)
                label += "[" + std::to_string(index++) + "]";
            else
                label += (prefix.empty() ? "" : ".") + key;
            writeValue(value, isObject ? key : m_key, label, depth);
        });
    }

    void writeValue(std::string_view value, const std::string &key, const std::string &label, size_t depth)
    {
        if (const std::string_view part = textOfPart(value); !part.empty())
            value = part;
        const bool isNested = value.starts_with('{') || value.starts_with('[');
        if (value.starts_with('"')) {
            writeString(core::decodeJsonString(betweenQuotes(value)), key, label);
        } else if (isNested && depth < kMaxDepth && m_content.labels.size() < kMaxFields && hasLongStrings(value)) {
            const std::string outer = std::exchange(m_key, key);
            writeMembers(value, label, depth + 1);
            m_key = outer;
        } else {
            writeJson(value, label);
        }
    }

    void writeString(const std::string &text, std::string_view key, const std::string &label)
    {
        begin(label);
        const size_t offset = m_text.size();
        if (hasAnsiColours(text)) {
            AnsiText ansi = parseAnsi(text);
            for (const TextSpan &each : ansi.hidden)
                m_content.hidden.push_back({ each.begin + offset, each.end + offset });
            for (const TextStyleSpan &each : ansi.styles)
                m_content.styles.push_back({ each.begin + offset, each.end + offset, each.style });
            m_content.languages.push_back({ m_line, {}, {} });
        } else {
            m_content.languages.push_back(languageOfField(text, key));
            addFolds(runFolds(text), offset);
        }
        append(text);
    }

    void writeJson(std::string_view value, const std::string &label)
    {
        begin(label);
        const size_t offset = m_text.size();
        std::string text = core::canonicalJson(value);
        if (text.size() > kShortJson)
            text = prettyJson(value);
        const bool isNested = text.starts_with('{') || text.starts_with('[');
        m_content.languages.push_back({ m_line, isNested ? "JSON" : "", {} });
        addFolds(jsonFolds(text), offset);
        append(text);
    }

    [[nodiscard]] TextLanguage languageOfField(std::string_view text, std::string_view key) const
    {
        const auto named
            = [&](std::string_view definition) { return TextLanguage { m_line, std::string(definition), {} }; };
        const std::string &path = m_path.empty() ? m_fileName : m_path;
        if (isOneOf(key, kPathKeys))
            return named({});
        if (isOneOf(key, kCommandKeys))
            return named(looksLikeDiff(text) ? "Diff" : "Bash");
        if (isOneOf(key, kBodyKeys) && !path.empty())
            return { m_line, {}, path };
        if (const std::string_view guessed = languageOf(text); !guessed.empty())
            return named(guessed);
        const bool isProse = isOneOf(key, kProseKeys) || looksLikeMarkdown(text);
        return named(isProse ? "Markdown" : "");
    }

    void begin(const std::string &label)
    {
        if (!m_content.labels.empty())
            append("\n");
        m_content.labels.push_back({ m_line, label });
    }

    /// A rule separates a field of several lines from its neighbours; short fields have none.
    void addRules()
    {
        const std::vector<TextLabel> &labels = m_content.labels;
        const auto isLong = [&](size_t field) {
            const size_t end = field + 1 < labels.size() ? labels[field + 1].line : m_line + 1;
            return end - labels[field].line > 1;
        };
        for (size_t field = 1; field < labels.size(); ++field) {
            if (isLong(field) || isLong(field - 1))
                m_content.insertions.push_back({ labels[field].line, TextInsertion::Kind::Rule, {} });
        }
    }

    void addFolds(std::vector<TextFold> folds, size_t offset)
    {
        for (TextFold &fold : folds) {
            fold.begin += offset;
            fold.end += offset;
            m_content.folds.push_back(std::move(fold));
        }
    }

    void append(std::string_view text)
    {
        m_text += text;
        m_line += static_cast<size_t>(std::ranges::count(text, '\n'));
    }

    TextContent m_content;
    std::string m_text;
    size_t m_line = 0;
    std::string m_fileName;
    std::string m_path;
    std::string m_key; ///< of the array or object that is being split
};

} // namespace

bool hasLongStrings(std::string_view json)
{
    size_t i = 0;
    while ((i = json.find('"', i)) != std::string_view::npos) {
        const size_t begin = ++i;
        for (; i < json.size() && json[i] != '"'; ++i) {
            if (json[i] != '\\')
                continue;
            if (i + 1 < json.size() && json[i + 1] == 'n')
                return true;
            ++i;
        }
        if (std::min(i, json.size()) - begin > kLongString)
            return true;
        ++i;
    }
    return false;
}

TextContentPtr fieldsOf(std::string_view json, std::string_view fileName)
{
    json = trimmed(json);
    FieldWriter writer(fileName);
    if (!json.empty() && (json.front() == '{' || json.front() == '['))
        writer.write(json);
    return writer.take();
}

} // namespace ui
