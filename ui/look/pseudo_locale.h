// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QTranslator>

namespace ui {

/// A language that nobody speaks, for looking at the window: every text that can be translated is in brackets, with
/// accents, and a third longer. Text without brackets is of a session, of the core, or was forgotten. Install it before
/// the first widget is made.
class PseudoLocale final : public QTranslator {
public:
    using QTranslator::QTranslator;

    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(
        const char *context, const char *source, const char *disambiguation, int count) const override;

    /// `Next Call` becomes `[Néxt Cáll ~~~]`; places of arguments, markup and mnemonics stay.
    [[nodiscard]] static QString pseudo(const QString &text);
};

} // namespace ui
