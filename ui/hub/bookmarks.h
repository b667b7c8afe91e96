// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "ui/files/session_document.h"
#include "ui/hub/job.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ui {

class SessionKeys;
class Workspace;

/// The notes of bookmarks by block key; an empty note is a bookmark without one.
using BookmarkNotes = std::map<std::string, std::string>;

/// The user's bookmarks of messages, each with a note of any number of lines. They are kept in the user's data folder,
/// in a document `palimpsest.bookmarks/1` for each session file. The key of a message's first block names its bookmark,
/// so that a session that grew keeps its bookmarks. Every change is an undo step. If several windows show one session,
/// the bookmarks of all of them are kept.
class Bookmarks final : public QObject {
    Q_OBJECT

public:
    Bookmarks(Workspace &workspace, SessionKeys &keys);
    ~Bookmarks() override;

    /// The bookmarked messages of the session by their first blocks, ascending.
    [[nodiscard]] const std::vector<core::BlockId> &places() const { return m_places; }
    /// The number of bookmarks of messages that the session does not have.
    [[nodiscard]] size_t lostCount() const { return m_notes.size() - m_places.size(); }
    /// Whether there are any; while a session is read again, whether there were.
    [[nodiscard]] bool hasAny() const { return !m_notes.empty() || m_hadAny; }
    /// Whether the message of this block has a bookmark.
    [[nodiscard]] bool has(core::BlockId block) const;
    /// The note on the message of this block; empty without one.
    [[nodiscard]] std::string noteOf(core::BlockId block) const;
    /// False until the bookmarks of the session are known, and if they cannot be read.
    [[nodiscard]] bool canChange() const { return m_canChange; }
    void toggle(core::BlockId block);
    /// Changes the note, and makes a bookmark if there is none. Changes of the same one in a row are one undo step.
    void setNote(core::BlockId block, const std::string &note);

    [[nodiscard]] static SessionDocument document(const std::filesystem::path &session);
    /// For pictures and tests: waits until all is read and written.
    void wait();

Q_SIGNALS:
    void changed();

private:
    class Command;
    /// nullopt: no bookmark.
    using Note = std::optional<std::string>;
    using Changes = std::map<std::string, Note>;

    [[nodiscard]] core::BlockId placeOf(core::BlockId block) const;
    [[nodiscard]] Note noteAt(const std::string &key) const;
    void push(core::BlockId block, const Note &note, const QString &words, bool merges);
    void put(const std::string &key, const Note &note);
    void forget();
    void read();
    void keep();
    void take(BookmarkNotes notes);

    static constexpr int kStillness = 150; ///< ms to wait after the last change

    Workspace &m_workspace;
    SessionKeys &m_keys;
    SessionDocument m_document;
    bool m_canChange = false;
    bool m_hadAny = false; ///< before the session was read again; until its bookmarks are known
    BookmarkNotes m_notes;
    std::vector<core::BlockId> m_places;
    Changes m_changes; ///< of this window, not yet written
    QTimer m_stillness;
    QThreadPool m_pool; ///< one thread, so that writes keep their order
    Job<core::Result<BookmarkNotes>> m_read { &m_pool };
    Job<core::Result<BookmarkNotes>> m_write { &m_pool };
};

} // namespace ui
