// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/edit_review.h"

#include "core/compaction/recovery.h"
#include "ui/hub/thread_facts.h"
#include "ui/hub/workspace.h"
#include "ui/look/theme.h"

#include <QEventLoop>
#include <QPointer>
#include <QUndoCommand>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

/// Marks edits by their names, which survive a reload.
class EditReview::VerdictCommand final : public QUndoCommand {
public:
    VerdictCommand(EditReview &review, Verdicts before, Verdicts after, const QString &words)
        : QUndoCommand(words)
        , m_review(&review)
        , m_before(std::move(before))
        , m_after(std::move(after))
    {
    }
    void undo() override { mark(m_before); }
    void redo() override { mark(m_after); }

private:
    void mark(const Verdicts &verdicts)
    {
        if (m_review != nullptr)
            m_review->mark(verdicts);
    }

    QPointer<EditReview> m_review; ///< the stack may live longer
    Verdicts m_before;
    Verdicts m_after;
};

class EditReview::CommentCommand final : public QUndoCommand {
public:
    CommentCommand(EditReview &review, EditName name, std::string before, std::string after, const QString &words)
        : QUndoCommand(words)
        , m_review(&review)
        , m_name(std::move(name))
        , m_before(std::move(before))
        , m_after(std::move(after))
    {
    }
    void undo() override { say(m_before); }
    void redo() override { say(m_after); }
    [[nodiscard]] int id() const override { return kId; }
    bool mergeWith(const QUndoCommand *next) override
    {
        const auto *other = static_cast<const CommentCommand *>(next);
        if (other->m_name != m_name)
            return false;
        m_after = other->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    static constexpr int kId = 0x636d6e74; ///< no other command of the window has it

    void say(const std::string &text)
    {
        if (m_review != nullptr)
            m_review->say(m_name, text);
    }

    QPointer<EditReview> m_review; ///< the stack may live longer
    EditName m_name;
    std::string m_before;
    std::string m_after;
};

EditReview::EditReview(Workspace &workspace)
    : m_workspace(workspace)
{
    m_pool.setMaxThreadCount(2);
    m_notesPool.setMaxThreadCount(1);
    for (QTimer *timer : { &m_planStillness, &m_notesStillness }) {
        timer->setSingleShot(true);
        timer->setInterval(kStillness);
    }
    connect(&m_planStillness, &QTimer::timeout, this, &EditReview::findPlanBases);
    connect(&m_notesStillness, &QTimer::timeout, this, &EditReview::keepNotes);
    connect(&workspace, &Workspace::sessionChanged, this, &EditReview::refresh);
    connect(&workspace, &Workspace::loadingChanged, this, &EditReview::refresh);
    const auto planLater = [this] { m_planStillness.start(); };
    connect(&workspace, &Workspace::planChanged, this, planLater);
    connect(&workspace, &Workspace::tokensChanged, this, [this] {
        refresh();
        findBases();
    });
}

EditReview::~EditReview()
{
    if (m_notesStillness.isActive())
        keepNotes();
    m_notesPool.waitForDone(); // all writes in order
}

void EditReview::setWanted(bool isWanted)
{
    m_isWanted = isWanted;
    if (isWanted)
        refresh();
}

const core::EditBasis *EditReview::basis(size_t edit) const { return edit < m_bases.size() ? &m_bases[edit] : nullptr; }

const core::EditBasis *EditReview::planBasis(size_t edit) const
{
    return edit < m_planBases.size() ? &m_planBases[edit] : nullptr;
}

bool EditReview::isLostUnderPlan(size_t edit) const
{
    const core::EditBasis *recorded = basis(edit);
    const core::EditBasis *planned = planBasis(edit);
    return recorded != nullptr && planned != nullptr && !core::isWithoutCarrier(*recorded)
        && core::isWithoutCarrier(*planned);
}

const core::EditStanding *EditReview::standing(size_t edit) const
{
    return edit < m_standings.size() ? &m_standings[edit] : nullptr;
}

// --- finding --------------------------------------------------------------------------------------------------------

void EditReview::forget()
{
    if (m_notesStillness.isActive())
        keepNotes();
    m_find.cancel();
    m_readNotes.cancel();
    m_findBases.cancel();
    m_findPlanBases.cancel();
    m_findStandings.cancel();
    m_found.reset();
    m_uses.clear();
    m_bases.clear();
    m_planBases.clear();
    m_standings.clear();
    m_notes = {};
    m_changes = {};
    m_canKeepNotes = false;
    m_folder.clear();
}

void EditReview::refresh()
{
    const core::SessionPtr &session = m_workspace.session();
    if ((session == m_session && (m_found || m_find.isRunning())) || m_workspace.isGrowing())
        return;
    if (m_session && session != m_session) {
        forget();
        m_session.reset();
        Q_EMIT editsChanged();
    }
    // A session that is still loading may get more edits.
    if (m_isWanted && session && !m_workspace.isLoading()) {
        m_session = session;
        find();
    }
}

void EditReview::find()
{
    m_find.start(
        this, [session = m_session](core::Progress &progress) { return foundEdits(session, &progress); },
        [this](const FoundEditsPtr &found) {
            if (!found)
                return;
            m_found = found;
            m_folder = core::folderOf(*m_session, {});
            readNotes();
            Q_EMIT editsChanged();
            findBases();
            findStandings();
        });
}

void EditReview::readNotes()
{
    m_document = reviewDocument(m_workspace.sessionPath());
    m_readNotes.start(
        this, [document = m_document](core::Progress &) { return readReviewNotes(document); },
        [this](core::Result<ReviewNotes> notes) { takeNotes(std::move(notes)); });
}

void EditReview::takeNotes(core::Result<ReviewNotes> notes)
{
    m_canKeepNotes = notes.has_value();
    m_problem = notes ? QString() : displayText(notes.error().sentence());
    m_notes = notes ? std::move(*notes) : ReviewNotes();
    m_changes.applyTo(m_notes); // what the user did before they were read
    if (!m_changes.isEmpty())
        m_notesStillness.start();
    if (const auto folder = core::folderOf(*m_session, m_notes.repository); folder != m_folder) {
        m_folder = folder;
        findStandings();
        Q_EMIT factsChanged();
    }
    Q_EMIT reviewedChanged();
    Q_EMIT problemChanged();
}

void EditReview::findBases()
{
    const core::SessionSumsPtr &sums = m_workspace.sessionSums();
    if (!m_found || !sums || m_session != m_workspace.session())
        return; // later, with the tokens
    core::EditUses known = m_uses;
    known.resize(m_session->threads.size());
    const core::ThreadIndex shown = m_workspace.shownThread();
    if (shown.index() < known.size() && !known[shown.index()])
        known[shown.index()] = m_workspace.facts().uses();
    m_findBases.start(
        this,
        [found = m_found, known, sums](core::Progress &progress) {
            Bases made;
            if (auto uses = core::usesOfEdits(found->edits, known, &progress)) {
                made.uses = std::move(*uses);
                made.bases = core::recordedBases(found->edits, made.uses, *sums);
            }
            return made;
        },
        [this](Bases made) {
            m_uses = std::move(made.uses);
            m_bases = std::move(made.bases);
            Q_EMIT factsChanged();
            findPlanBases();
        });
}

void EditReview::findPlanBases()
{
    const Plan &plan = m_workspace.plan();
    const core::BlockTokensPtr &tokens = m_workspace.tokens();
    if (!m_found || m_bases.empty() || !tokens || !plan.isSimulated()) {
        m_findPlanBases.cancel();
        if (!std::exchange(m_planBases, {}).empty())
            Q_EMIT factsChanged();
        return;
    }
    core::ReplayOptions options;
    options.overrides = plan.overrides;
    options.memo = m_workspace.memo();
    const core::PolicyPtr policy = plan.policy ? plan.policy : core::preset("none");
    const QString name = plan.policy ? displayText(policy->name) : tr("your changes");
    m_findPlanBases.start(
        this,
        [found = m_found, uses = m_uses, tokens, sums = m_workspace.sessionSums(), policy, options](
            core::Progress &progress) mutable {
            options.progress = &progress;
            return core::basesUnder(found->edits, uses, policy, tokens, *sums, options)
                .value_or(std::vector<core::EditBasis>());
        },
        [this, name](std::vector<core::EditBasis> bases) {
            m_planBases = std::move(bases);
            m_planName = name;
            Q_EMIT factsChanged();
        });
}

void EditReview::findStandings()
{
    m_standings.clear();
    m_findStandings.cancel();
    if (m_folder.empty() || !m_found)
        return;
    m_findStandings.start(
        this,
        [found = m_found, folder = m_folder](
            core::Progress &progress) { return core::editStandings(found->edits, folder, &progress); },
        [this](std::vector<core::EditStanding> standings) {
            m_standings = std::move(standings);
            Q_EMIT factsChanged();
        });
}

void EditReview::setFolder(const std::filesystem::path &folder)
{
    if (!m_found)
        return;
    m_changes.repository = m_notes.repository = folder.string();
    m_folder = core::folderOf(*m_session, folder);
    m_notesStillness.start();
    findStandings();
    Q_EMIT factsChanged();
}

// --- notes ----------------------------------------------------------------------------------------------------------

Verdict EditReview::verdict(size_t edit) const
{
    const EditName &name = m_found->names[edit];
    return m_notes.reviewed.contains(name) ? Verdict::Reviewed
        : m_notes.sentBack.contains(name)  ? Verdict::SentBack
                                           : Verdict::Open;
}

void EditReview::setReviewed(const std::vector<size_t> &edits, bool isReviewed)
{
    Verdicts before;
    Verdicts after;
    QString number;
    for (const size_t edit : edits) {
        if (m_found->isOutside(edit) || this->isReviewed(edit) == isReviewed)
            continue;
        before[m_found->names[edit]] = verdict(edit);
        after[m_found->names[edit]] = isReviewed ? Verdict::Reviewed : Verdict::Open;
        number = numberWords(edit);
    }
    if (after.empty())
        return;
    const int count = static_cast<int>(after.size());
    const QString words = count == 1 ? (isReviewed ? tr("Tick %1") : tr("Untick %1")).arg(number)
        : isReviewed                 ? tr("Tick %n Edits", nullptr, count)
                                     : tr("Untick %n Edits", nullptr, count);
    m_workspace.undoStack().push(new VerdictCommand(*this, std::move(before), std::move(after), words));
}

void EditReview::setSentBack(size_t edit, bool isSentBack)
{
    if (m_found->isOutside(edit) || this->isSentBack(edit) == isSentBack)
        return;
    const EditName &name = m_found->names[edit];
    const QString words = (isSentBack ? tr("Send Back %1") : tr("Do Not Send Back %1")).arg(numberWords(edit));
    m_workspace.undoStack().push(new VerdictCommand(
        *this, { { name, verdict(edit) } }, { { name, isSentBack ? Verdict::SentBack : Verdict::Open } }, words));
}

QString EditReview::numberWords(size_t edit) const
{
    return u"#%1"_s.arg(m_session->block(m_found->blockOf(edit)).message.value());
}

void EditReview::mark(const Verdicts &verdicts)
{
    for (const auto &[name, verdict] : verdicts) {
        m_changes.reviewed[name] = verdict == Verdict::Reviewed;
        m_changes.sentBack[name] = verdict == Verdict::SentBack;
    }
    m_changes.applyTo(m_notes);
    m_notesStillness.start();
    Q_EMIT reviewedChanged();
}

std::string EditReview::comment(size_t edit) const
{
    const auto known = m_notes.comments.find(m_found->names[edit]);
    return known == m_notes.comments.end() ? std::string() : known->second;
}

void EditReview::setComment(size_t edit, const std::string &text)
{
    const bool isBlank = text.find_first_not_of(" \t\n") == std::string::npos;
    const std::string after = isBlank ? std::string() : text;
    if (m_found->isOutside(edit) || comment(edit) == after)
        return;
    const QString words = tr("Comment on %1").arg(numberWords(edit));
    m_workspace.undoStack().push(new CommentCommand(*this, m_found->names[edit], comment(edit), after, words));
}

void EditReview::say(const EditName &name, const std::string &text)
{
    m_changes.comments[name] = text;
    m_changes.applyTo(m_notes);
    m_notesStillness.start();
    Q_EMIT reviewedChanged();
}

std::vector<size_t> EditReview::commented() const
{
    std::vector<size_t> edits;
    for (size_t i = 0; m_found && !m_notes.comments.empty() && i < m_found->count(); ++i) {
        if (!m_found->isOutside(i) && m_notes.comments.contains(m_found->names[i]))
            edits.push_back(i);
    }
    return edits;
}

std::vector<size_t> EditReview::noted() const
{
    std::vector<size_t> edits;
    for (size_t i = 0; m_found && i < m_found->count(); ++i) {
        if (!m_found->isOutside(i) && (isSentBack(i) || m_notes.comments.contains(m_found->names[i])))
            edits.push_back(i);
    }
    return edits;
}

size_t EditReview::countOf(Verdict verdict) const
{
    size_t count = 0;
    for (size_t i = 0; m_found && i < m_found->count(); ++i)
        count += !m_found->isOutside(i) && this->verdict(i) == verdict ? 1 : 0;
    return count;
}

void EditReview::keepNotes()
{
    m_notesStillness.stop();
    if (!m_canKeepNotes)
        return;
    // What the next start cancels is written all the same, and again by it.
    m_keepNotes.start(
        this,
        [changes = m_changes, document = m_document](core::Progress &) { return keepReviewChanges(document, changes); },
        [this, written = m_changes, session = m_session](const core::Result<ReviewNotes> &kept) {
            m_problem = kept ? QString() : displayText(kept.error().sentence());
            if (kept && session == m_session) {
                m_changes.remove(written);
                m_notes = *kept; // with what other windows wrote
                m_changes.applyTo(m_notes);
                Q_EMIT reviewedChanged();
            }
            Q_EMIT problemChanged();
        });
}

bool EditReview::isRunning() const
{
    return m_find.isRunning() || m_readNotes.isRunning() || m_findBases.isRunning() || m_findPlanBases.isRunning()
        || m_findStandings.isRunning();
}

void EditReview::waitForAll()
{
    setWanted(true);
    if (m_planStillness.isActive() || (m_found && m_planBases.empty() && !m_findPlanBases.isRunning())) {
        m_planStillness.stop();
        findPlanBases();
    }
    if (m_notesStillness.isActive())
        keepNotes();
    while (isRunning() || m_keepNotes.isRunning()) {
        QEventLoop loop;
        QTimer::singleShot(1, &loop, &QEventLoop::quit);
        loop.exec();
    }
}

} // namespace ui
