// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/text/text_content.h"
#include "ui/text/text_look.h"

#include <QDeadlineTimer>
#include <QHash>
#include <QPalette>

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/State>

#include <memory>
#include <unordered_map>
#include <vector>

namespace ui {

using SyntaxPtr = std::shared_ptr<KSyntaxHighlighting::Repository>;

/// The syntax definitions. Loading them takes some milliseconds, so all surfaces share one set as long as any surface
/// exists. GUI thread only.
[[nodiscard]] SyntaxPtr sharedSyntax();

/// Highlights the lines of a content lazily, by language. A line can be highlighted only after all lines before it in
/// its language have been read; `advance` does that in slices. Stores one state a line and caches recent looks. Lines
/// longer than `kMaxLineSize` bytes stay plain. GUI thread only.
class TextHighlighter final : private KSyntaxHighlighting::AbstractHighlighter {
public:
    static constexpr size_t kMaxLineSize = 20'000;

    explicit TextHighlighter(SyntaxPtr syntax);
    ~TextHighlighter() override;

    void setContent(TextContentPtr content);
    /// Chooses a colour theme for the palette's background and makes its colours legible on it.
    void setPalette(const QPalette &palette);

    /// True if `line` can be highlighted now, or has no language.
    [[nodiscard]] bool isReady(size_t line) const;
    /// Reads towards `line` until it is ready or the deadline has passed; returns whether it is ready.
    bool advance(size_t line, QDeadlineTimer deadline);
    /// The looks of a ready line, sorted; empty for other lines. Valid until the next call.
    [[nodiscard]] const std::vector<TextLookSpan> &looks(size_t line);

    /// The language name of a line; empty if it has no known language.
    [[nodiscard]] QString languageOf(size_t line) const;

private:
    /// Lines [first, end) in one language.
    struct Section {
        size_t first = 0;
        size_t end = 0;
        KSyntaxHighlighting::Definition definition;
        std::vector<KSyntaxHighlighting::State> states; ///< at the start of line first + i
    };

    void applyFormat(int offset, int length, const KSyntaxHighlighting::Format &format) override;
    [[nodiscard]] const Section *sectionOf(size_t line) const;
    [[nodiscard]] Section *sectionOf(size_t line)
    {
        return const_cast<Section *>(std::as_const(*this).sectionOf(line));
    }
    KSyntaxHighlighting::State readLine(const Section &section, size_t line);
    [[nodiscard]] const TextLook &lookOfFormat(const KSyntaxHighlighting::Format &format);

    SyntaxPtr m_syntax;
    TextContentPtr m_content;
    std::vector<Section> m_sections;
    QColor m_ground;
    QHash<int, TextLook> m_formats;
    std::unordered_map<size_t, std::vector<TextLookSpan>> m_looks;
    // Used while a line is read:
    std::vector<TextLookSpan> *m_target = nullptr;
    QString m_line;
    std::vector<size_t> m_offsets;
};

} // namespace ui
