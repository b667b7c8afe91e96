// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/bookmarks.h"

#include "ui/hub/session_keys.h"
#include "ui/hub/workspace.h"

#include <QPointer>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace ui {

using core::Json;
using namespace Qt::StringLiterals;

namespace {

BookmarkNotes notesOf(const Json &document)
{
    BookmarkNotes notes;
    const auto all = document.find("bookmarks");
    if (all == document.end() || !all->is_array())
        return notes;
    for (const Json &each : *all) {
        if (each.is_object() && !textMember(each, "block").empty())
            notes[textMember(each, "block")] = textMember(each, "note");
    }
    return notes;
}

void put(const BookmarkNotes &notes, Json &document)
{
    Json &all = document["bookmarks"] = Json::array();
    for (const auto &[key, note] : notes) {
        all.push_back({ { "block", key } });
        if (!note.empty())
            all.back()["note"] = note;
    }
}

bool isBlank(const std::string &text) { return text.find_first_not_of(" \t\n") == std::string::npos; }

/// Changes without a note remove the bookmark.
void apply(const std::map<std::string, std::optional<std::string>> &changes, BookmarkNotes &notes)
{
    for (const auto &[key, note] : changes) {
        if (note)
            notes[key] = *note;
        else
            notes.erase(key);
    }
}

} // namespace

class Bookmarks::Command final : public QUndoCommand {
public:
    Command(Bookmarks &bookmarks, std::string key, Note before, Note after, const QString &words, bool merges)
        : QUndoCommand(words)
        , m_bookmarks(&bookmarks)
        , m_key(std::move(key))
        , m_before(std::move(before))
        , m_after(std::move(after))
        , m_merges(merges)
    {
    }
    void undo() override { put(m_before); }
    void redo() override { put(m_after); }
    [[nodiscard]] int id() const override { return m_merges ? kId : -1; }
    bool mergeWith(const QUndoCommand *next) override
    {
        const auto *other = static_cast<const Command *>(next);
        if (other->m_key != m_key)
            return false;
        m_after = other->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    static constexpr int kId = 0x626f6f6b; ///< no other command of the window has it

    void put(const Note &note)
    {
        if (m_bookmarks != nullptr)
            m_bookmarks->put(m_key, note);
    }

    QPointer<Bookmarks> m_bookmarks; ///< the stack may live longer
    std::string m_key;
    Note m_before;
    Note m_after;
    bool m_merges; ///< a note that is being typed
};

Bookmarks::Bookmarks(Workspace &workspace, SessionKeys &keys)
    : m_workspace(workspace)
    , m_keys(keys)
{
    m_pool.setMaxThreadCount(1);
    m_stillness.setSingleShot(true);
    m_stillness.setInterval(kStillness);
    connect(&m_stillness, &QTimer::timeout, this, &Bookmarks::keep);
    connect(&workspace, &Workspace::sessionChanged, this, [this](bool isNew) {
        if (isNew)
            forget();
    });
    connect(&keys, &SessionKeys::found, this, &Bookmarks::read);
}

Bookmarks::~Bookmarks()
{
    if (m_stillness.isActive())
        keep();
    m_pool.waitForDone();
}

SessionDocument Bookmarks::document(const std::filesystem::path &session)
{
    return SessionDocument::of(session, u"bookmarks"_s, "palimpsest.bookmarks/1", "list of bookmarks");
}

core::BlockId Bookmarks::placeOf(core::BlockId block) const
{
    const core::Session &session = *m_workspace.session();
    const core::MessageId message = session.block(block).message;
    return message.isValid() && session.message(message).count > 0 ? session.message(message).first : block;
}

Bookmarks::Note Bookmarks::noteAt(const std::string &key) const
{
    const auto found = m_notes.find(key);
    return found == m_notes.end() ? std::nullopt : Note(found->second);
}

bool Bookmarks::has(core::BlockId block) const
{
    return !m_places.empty() && std::ranges::binary_search(m_places, placeOf(block));
}

std::string Bookmarks::noteOf(core::BlockId block) const
{
    return has(block) ? noteAt(m_keys.get()->of(placeOf(block))).value_or(std::string()) : std::string();
}

void Bookmarks::toggle(core::BlockId block)
{
    if (!m_canChange || !block.isValid())
        return;
    if (has(block))
        push(block, std::nullopt, tr("Remove Bookmark"), false);
    else
        push(block, std::string(), tr("Bookmark"), false);
}

void Bookmarks::setNote(core::BlockId block, const std::string &note)
{
    if (m_canChange && block.isValid())
        push(block, isBlank(note) ? std::string() : note, tr("Note on Bookmark"), true);
}

void Bookmarks::push(core::BlockId block, const Note &note, const QString &words, bool merges)
{
    const core::BlockId place = placeOf(block);
    if (!m_keys.get() || place.index() >= m_keys.get()->count())
        return; // a record that has just come in: its key follows
    const std::string &key = m_keys.get()->of(place);
    const Note before = noteAt(key);
    if (before == note)
        return;
    const core::MessageId message = m_workspace.session()->block(place).message;
    const QString number = message.isValid() ? u" #%1"_s.arg(message.value()) : QString();
    m_workspace.undoStack().push(new Command(*this, key, before, note, words + number, merges));
}

void Bookmarks::put(const std::string &key, const Note &note)
{
    m_changes[key] = note;
    take(m_notes);
    if (!m_document.path.isEmpty())
        m_stillness.start();
}

void Bookmarks::take(BookmarkNotes notes)
{
    apply(m_changes, notes);
    m_notes = std::move(notes);
    m_places.clear();
    for (const auto &[key, note] : m_notes) {
        if (const core::BlockId block = m_keys.get() ? m_keys.get()->find(key) : core::BlockId(); block.isValid())
            m_places.push_back(block);
    }
    std::ranges::sort(m_places);
    Q_EMIT changed();
}

void Bookmarks::forget()
{
    if (m_stillness.isActive())
        keep();
    m_read.cancel();
    m_canChange = false;
    m_hadAny = m_workspace.isReloaded() && hasAny();
    m_notes.clear();
    m_places.clear();
    m_changes.clear();
    m_document = {};
    Q_EMIT changed();
}

void Bookmarks::read()
{
    if (m_workspace.sessionPath().empty()) { // a session in memory
        m_canChange = true;
        m_hadAny = false;
        return take({});
    }
    m_document = document(m_workspace.sessionPath());
    m_read.start(
        this, [document = m_document](core::Progress &) { return document.read().transform(notesOf); },
        [this](const core::Result<BookmarkNotes> &notes) {
            m_canChange = notes.has_value();
            m_hadAny = false;
            if (!notes) {
                Q_EMIT changed();
                return m_workspace.report(notes.error());
            }
            take(*notes);
            if (!m_changes.empty()) // undone since
                m_stillness.start();
        },
        m_workspace.reporter());
}

void Bookmarks::keep()
{
    m_stillness.stop();
    m_write.start(
        this,
        [document = m_document, changes = m_changes](core::Progress &) {
            return document
                .change([&changes](Json &json) -> core::Result<void> {
                    BookmarkNotes notes = notesOf(json);
                    apply(changes, notes);
                    ui::put(notes, json);
                    return {};
                })
                .transform(notesOf);
        },
        [this, written = m_changes, path = m_document.path](core::Result<BookmarkNotes> notes) {
            if (!notes)
                return m_workspace.report(notes.error());
            if (path != m_document.path)
                return; // another session is shown
            eraseWritten(m_changes, written);
            take(std::move(*notes)); // with those of other windows
        },
        m_workspace.reporter());
}

void Bookmarks::wait()
{
    m_keys.waitForKeys();
    m_read.wait();
    if (m_stillness.isActive())
        keep();
    m_write.wait();
}

} // namespace ui
