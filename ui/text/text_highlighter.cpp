// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_highlighter.h"

#include "ui/text/utf16.h"

#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Theme>

#include <algorithm>

namespace ui {

namespace {

constexpr size_t kRememberedLines = 1000;

KSyntaxHighlighting::Definition definitionOf(
    const KSyntaxHighlighting::Repository &syntax, const TextLanguage &language)
{
    if (!language.definition.empty())
        return syntax.definitionForName(QString::fromStdString(language.definition));
    if (!language.fileName.empty())
        return syntax.definitionForFileName(QString::fromStdString(language.fileName));
    return {};
}

} // namespace

SyntaxPtr sharedSyntax()
{
    static std::weak_ptr<KSyntaxHighlighting::Repository> shared;
    SyntaxPtr syntax = shared.lock();
    if (!syntax)
        shared = syntax = std::make_shared<KSyntaxHighlighting::Repository>();
    return syntax;
}

TextHighlighter::TextHighlighter(SyntaxPtr syntax)
    : m_syntax(std::move(syntax))
    , m_content(std::make_shared<const TextContent>())
{
}

TextHighlighter::~TextHighlighter() = default;

void TextHighlighter::setContent(TextContentPtr content)
{
    m_content = std::move(content);
    m_sections.clear();
    m_looks.clear();
    const std::vector<TextLanguage> &languages = m_content->languages;
    for (size_t i = 0; i < languages.size(); ++i) {
        const size_t end = i + 1 < languages.size() ? languages[i + 1].line : m_content->document->lineCount();
        Section section { languages[i].line, end, definitionOf(*m_syntax, languages[i]), {} };
        if (section.definition.isValid() && section.first < section.end)
            m_sections.push_back(std::move(section));
    }
}

void TextHighlighter::setPalette(const QPalette &palette)
{
    setTheme(m_syntax->themeForPalette(palette));
    m_formats.clear();
    m_looks.clear();
}

const TextHighlighter::Section *TextHighlighter::sectionOf(size_t line) const
{
    const auto next = std::ranges::upper_bound(m_sections, line, {}, &Section::first);
    if (next == m_sections.begin())
        return nullptr;
    const Section &section = *std::prev(next);
    return line < section.end ? &section : nullptr;
}

bool TextHighlighter::isReady(size_t line) const
{
    const Section *section = sectionOf(line);
    return section == nullptr || line - section->first < section->states.size();
}

bool TextHighlighter::advance(size_t line, QDeadlineTimer deadline)
{
    Section *section = sectionOf(line);
    if (section == nullptr)
        return true;
    if (definition() != section->definition)
        setDefinition(section->definition);
    if (section->states.empty())
        section->states.emplace_back();
    m_target = nullptr;
    while (line - section->first >= section->states.size()) {
        if (deadline.hasExpired())
            return false;
        section->states.push_back(readLine(*section, section->first + section->states.size() - 1));
    }
    return true;
}

const std::vector<TextLookSpan> &TextHighlighter::looks(size_t line)
{
    static const std::vector<TextLookSpan> kPlain;
    const Section *section = sectionOf(line);
    if (section == nullptr || !isReady(line))
        return kPlain;
    if (const auto known = m_looks.find(line); known != m_looks.end())
        return known->second;
    if (m_looks.size() >= kRememberedLines)
        m_looks.clear();
    std::vector<TextLookSpan> &looks = m_looks[line];
    if (definition() != section->definition)
        setDefinition(section->definition);
    m_target = &looks;
    readLine(*section, line);
    m_target = nullptr;
    return looks;
}

QString TextHighlighter::languageOf(size_t line) const
{
    const Section *section = sectionOf(line);
    return section == nullptr ? QString() : section->definition.name();
}

KSyntaxHighlighting::State TextHighlighter::readLine(const Section &section, size_t line)
{
    const KSyntaxHighlighting::State &state = section.states[line - section.first];
    const TextDocument &document = *m_content->document;
    const size_t end = document.lineEnd(line);
    size_t at = document.lineStart(line);
    if (end - at > kMaxLineSize)
        return state;
    m_line.resize(0);
    m_offsets.clear();
    const std::vector<TextSpan> &hidden = m_content->hidden;
    auto skip = std::ranges::upper_bound(hidden, at, {}, &TextSpan::end);
    for (; skip != hidden.end() && skip->begin < end; ++skip) {
        appendUtf16(document.bytes().substr(at, skip->begin - at), at, m_line, m_offsets);
        at = skip->end;
    }
    appendUtf16(document.bytes().substr(at, end - at), at, m_line, m_offsets);
    m_offsets.push_back(end);
    return highlightLine(m_line, state);
}

void TextHighlighter::applyFormat(int offset, int length, const KSyntaxHighlighting::Format &format)
{
    if (m_target == nullptr || length <= 0)
        return;
    const TextLook &look = lookOfFormat(format);
    if (look != TextLook {})
        m_target->push_back(
            { m_offsets[static_cast<size_t>(offset)], m_offsets[static_cast<size_t>(offset + length)], look });
}

const TextLook &TextHighlighter::lookOfFormat(const KSyntaxHighlighting::Format &format)
{
    const auto known = m_formats.constFind(format.id());
    if (known != m_formats.constEnd())
        return *known;
    TextLook look;
    if (format.hasTextColor(theme()))
        look.foreground = format.textColor(theme());
    look.isBold = format.isBold(theme());
    look.isItalic = format.isItalic(theme());
    look.isUnderlined = format.isUnderline(theme());
    look.isStruck = format.isStrikeThrough(theme());
    return *m_formats.insert(format.id(), look);
}

} // namespace ui
