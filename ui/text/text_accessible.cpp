// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_accessible.h"

#include "ui/text/text_surface.h"
#include "ui/text/utf16.h"

#include <QAccessibleWidget>

#include <algorithm>

namespace ui {

namespace {

/// Longer texts expose only their beginning: every query would cost a pass over the whole text.
constexpr size_t kToldBytes = 4U << 20U;

class TextAccessible final : public QAccessibleWidget, public QAccessibleTextInterface {
public:
    explicit TextAccessible(TextSurface *surface)
        : QAccessibleWidget(surface, QAccessible::EditableText)
        , m_surface(surface)
    {
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TextInterface)
            return static_cast<QAccessibleTextInterface *>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = true;
        state.multiLine = true;
        state.selectableText = true;
        return state;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? told() : QAccessibleWidget::text(kind);
    }

    void selection(int index, int *start, int *end) const override
    {
        const TextSpan selected = index == 0 ? m_surface->selection() : TextSpan {};
        *start = unitOf(selected.begin);
        *end = unitOf(selected.end);
    }
    [[nodiscard]] int selectionCount() const override
    {
        const TextSpan selected = m_surface->selection();
        return selected.begin < selected.end ? 1 : 0;
    }
    void addSelection(int start, int end) override { m_surface->select(byteOf(start), byteOf(end)); }
    void removeSelection(int) override { m_surface->select(m_surface->caret(), m_surface->caret()); }
    void setSelection(int, int start, int end) override { addSelection(start, end); }
    [[nodiscard]] int cursorPosition() const override { return unitOf(m_surface->caret()); }
    void setCursorPosition(int position) override { m_surface->select(byteOf(position), byteOf(position)); }
    [[nodiscard]] QString text(int start, int end) const override { return told().mid(start, end - start); }
    [[nodiscard]] int characterCount() const override { return static_cast<int>(told().size()); }
    [[nodiscard]] QRect characterRect(int offset) const override
    {
        const QRect local = m_surface->rectOf(byteOf(offset)).toRect();
        return local.isEmpty() ? QRect() : local.translated(m_surface->viewport()->mapToGlobal(QPoint()));
    }
    [[nodiscard]] int offsetAtPoint(const QPoint &point) const override
    {
        return unitOf(m_surface->offsetAt(m_surface->viewport()->mapFromGlobal(QPointF(point))));
    }
    void scrollToSubstring(int start, int) override { m_surface->reveal(byteOf(start)); }
    [[nodiscard]] QString attributes(int offset, int *start, int *end) const override
    {
        *start = offset;
        *end = characterCount();
        return {};
    }

private:
    [[nodiscard]] std::string_view toldBytes() const
    {
        return m_surface->content()->document->bytes().substr(0, kToldBytes);
    }
    const QString &told() const
    {
        if (m_toldOf != m_surface->content()->document) {
            m_toldOf = m_surface->content()->document;
            m_told = toUtf16(toldBytes());
        }
        return m_told;
    }
    [[nodiscard]] int unitOf(size_t byte) const
    {
        return static_cast<int>(toUtf16(toldBytes().substr(0, byte)).size());
    }
    [[nodiscard]] size_t byteOf(int unit) const
    {
        QString ignored;
        std::vector<size_t> offsets;
        appendUtf16(toldBytes(), 0, ignored, offsets);
        const auto index = static_cast<size_t>(std::max(0, unit));
        return index < offsets.size() ? offsets[index] : toldBytes().size();
    }

    TextSurface *m_surface;
    mutable TextDocumentPtr m_toldOf;
    mutable QString m_told;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *surface = qobject_cast<TextSurface *>(object);
    return surface != nullptr ? new TextAccessible(surface) : nullptr;
}

} // namespace

void installTextAccessibility() { QAccessible::installFactory(makeInterface); }

} // namespace ui
