// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/pseudo_locale.h"

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

QString PseudoLocale::translate(const char *, const char *source, const char *, int) const
{
    return pseudo(QString::fromUtf8(source));
}

QString PseudoLocale::pseudo(const QString &text)
{
    static const QString kPlain = u"aeiouyAEIOUY"_s;
    static const QString kAccented = u"áéíóúýÁÉÍÓÚÝ"_s;
    if (text.isEmpty())
        return text;
    QString changed;
    bool isMarkup = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar letter = text[i];
        if (letter == u'<' || letter == u'>')
            isMarkup = letter == u'<';
        const bool isArgument = i > 0 && text[i - 1] == u'%'; // `%n`
        const qsizetype place = isMarkup || isArgument ? -1 : kPlain.indexOf(letter);
        changed += place < 0 ? letter : kAccented[place];
    }
    return u"["_s + changed + u' ' + QString(std::max<qsizetype>(1, text.size() / 3), u'~') + u"]"_s;
}

} // namespace ui
