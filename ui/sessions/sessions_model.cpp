// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/sessions/sessions_model.h"

#include "core/base/counted.h"
#include "core/money/cost.h"
#include "core/report/head_line.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <map>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr core::Timestamp kInUse = 2 * 60'000;

QString linesOf(QStringList lines)
{
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace

std::optional<int> dayOf(const core::SessionEntry &entry)
{
    return entry.end ? std::optional(static_cast<int>(*entry.end / core::kDayLength)) : std::nullopt;
}

bool isInUse(const core::SessionEntry &entry)
{
    const core::Timestamp age = core::timeNow() - entry.end.value_or(0);
    return age >= 0 && age < kInUse;
}

QString whenText(const core::SessionEntry &entry)
{
    if (!entry.end)
        return {};
    if (isInUse(entry))
        return QObject::tr("now");
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(*entry.end);
    const QDate today = QDate::currentDate();
    const qint64 days = time.date().daysTo(today);
    const QLocale locale = QLocale::c();
    if (days == 0)
        return locale.toString(time.time(), u"HH:mm"_s);
    if (days == 1)
        return QObject::tr("yesterday");
    if (days > 1 && days < 7)
        return locale.toString(time.date(), u"ddd"_s);
    return locale.toString(time.date(), time.date().year() == today.year() ? u"d MMM"_s : u"d MMM yyyy"_s);
}

bool SessionFilter::accepts(const core::SessionEntry &entry) const
{
    if (!harnesses.empty() && !harnesses.contains(std::string(entry.harnessName())))
        return false;
    if (!folders.empty() && !folders.contains(entry.folder))
        return false;
    if (days) {
        const auto day = dayOf(entry);
        if (!day || *day < days->first || *day > days->second)
            return false;
    }
    return findings.empty()
        || (entry.findings && std::ranges::any_of(*entry.findings, [&](const core::EntryFinding &finding) {
               return findings.contains(finding.kind);
           }));
}

void SessionsModel::setContents(LibraryListPtr list, LibrarySearchPtr search)
{
    m_list = std::move(list);
    m_search = std::move(search);
    rebuild();
}

void SessionsModel::setFilter(const SessionFilter &filter)
{
    if (m_filter == filter)
        return;
    m_filter = filter;
    rebuild();
}

void SessionsModel::rebuild()
{
    beginResetModel();
    m_rows.clear();
    m_found.clear();
    if (m_list) {
        std::map<std::pair<std::string_view, uint32_t>, const core::SessionHits *> hits;
        if (m_search) {
            for (const core::SessionHits &each : m_search->found.sessions)
                hits[{ each.entry.file, each.entry.thread }] = &each;
        }
        for (const core::ListedSession &session : m_list->sessions) {
            Row row { &session, nullptr };
            if (m_search) {
                auto found = hits.find({ session.entry->file, session.entry->thread });
                for (size_t i = 0; found == hits.end() && i < session.subagents.size(); ++i)
                    found = hits.find({ session.subagents[i]->file, session.subagents[i]->thread });
                if (found == hits.end())
                    continue;
                row.hits = found->second;
            }
            m_found.push_back(&session);
            if (m_filter.accepts(*session.entry))
                m_rows.push_back(row);
        }
    }
    sortRows();
    endResetModel();
}

void SessionsModel::sortRows()
{
    const auto keyOf = [this](const Row &row) {
        const core::SessionEntry &entry = *row.session->entry;
        if (m_search && m_sortColumn == Session) // as the search found them
            return static_cast<double>(m_search->found.sessions.data() - row.hits);
        switch (m_sortColumn) {
        case Calls:
            return static_cast<double>(entry.calls);
        case Peak:
            return entry.peak;
        case Cost:
            return row.session->cost().value_or(-1);
        case Found:
            return static_cast<double>(entry.findings ? entry.findings->size() : 0);
        default:
            return static_cast<double>(entry.end.value_or(0));
        }
    };
    std::ranges::stable_sort(m_rows, [&](const Row &a, const Row &b) {
        return m_order == Qt::DescendingOrder ? keyOf(a) > keyOf(b) : keyOf(a) < keyOf(b);
    });
}

void SessionsModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_order = order;
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    const std::vector<Row> rows = m_rows;
    sortRows();
    QModelIndexList after;
    for (const QModelIndex &index : before) {
        const auto *session = rows[static_cast<size_t>(index.row())].session;
        const auto place = std::ranges::find(m_rows, session, &Row::session);
        after << createIndex(static_cast<int>(place - m_rows.begin()), index.column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

int SessionsModel::rowOf(const std::string &file, uint32_t thread) const
{
    const auto row = std::ranges::find_if(m_rows,
        [&](const Row &each) { return each.session->entry->file == file && each.session->entry->thread == thread; });
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

std::vector<const core::ListedSession *> SessionsModel::shown() const
{
    std::vector<const core::ListedSession *> sessions;
    for (const Row &row : m_rows)
        sessions.push_back(row.session);
    return sessions;
}

QString SessionsModel::title(int row) const
{
    const core::SessionEntry &entry = *session(row).entry;
    if (entry.title.empty())
        return entry.isHead ? tr("(being read)") : tr("(no typed message)");
    return displayText(entry.title);
}

QString SessionsModel::name(int row) const
{
    const core::SessionHits *found = hits(row);
    return displayText(found != nullptr && !found->name.empty() ? found->name : session(row).name);
}

QString SessionsModel::copiesTip(int row) const
{
    const core::ListedSession &listed = session(row);
    const uint64_t calls = listed.copiedCalls();
    return calls == 0
        ? QString()
        : tr("This session contains %1 of an earlier session, which cost %2. The sums of days count them "
             "once.")
              .arg(counted(calls, tr("call"), tr("calls")), displayText(core::dollars(listed.copiedCost())));
}

QString SessionsModel::subtitle(int row) const
{
    const core::ListedSession &listed = session(row);
    const core::SessionEntry &entry = *listed.entry;
    // The list is ordered by the time: it stands where it is never cut off.
    const uint64_t copied = listed.copiedCalls();
    QStringList parts { whenText(entry),
        copied > 0 ? tr("%1 copied").arg(counted(copied, tr("call"), tr("calls"))) : QString(),
        displayText(entry.harnessName()), displayText(core::shortModel(entry.model)), displayText(entry.project()),
        displayText(entry.branch), displayText(core::listedDuration(entry)) };
    if (const uint64_t count = listed.subagentCount(); count > 0)
        parts << counted(count, tr("subagent"), tr("subagents"));
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

int SessionsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SessionsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int { ColumnCount }; }

QVariant SessionsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const core::ListedSession &listed = session(index.row());
    const core::SessionEntry &entry = *listed.entry;
    const bool isFigure = index.column() == Calls || index.column() == Peak || index.column() == Cost;
    if (role == Qt::ToolTipRole) {
        if (isFigure && entry.isHead)
            return toolTipText(tr("Only the beginning and the end of this file have been read so far."));
        if (index.column() == Session)
            return toolTipText(linesOf({ title(index.row()), displayText(entry.file), copiesTip(index.row()) }));
        if (index.column() == Cost) {
            const QString partial = entry.isCostPartial
                ? tr("Some calls are to a model without a known price; they are not counted.")
                : QString();
            const QString subagents = listed.subagentCount() > 0
                ? tr("With %1.").arg(counted(listed.subagentCount(), tr("subagent"), tr("subagents")))
                : QString();
            return toolTipText(linesOf({ subagents, partial, copiesTip(index.row()) }));
        }
        return {};
    }
    if (role == Qt::AccessibleTextRole && index.column() == Session) {
        QStringList parts { title(index.row()), name(index.row()), subtitle(index.row()) };
        parts.removeAll(QString());
        return parts.join(u", "_s);
    }
    if (role != Qt::DisplayRole)
        return {};
    if (isFigure && entry.isHead)
        return u"…"_s;
    switch (index.column()) {
    case Session:
        return title(index.row());
    case Calls:
        return groupedText(entry.calls);
    case Peak:
        return entry.peak > 0 ? (entry.isPeakRecorded ? u""_s : u"~"_s) + displayText(core::shortNumber(entry.peak))
                              : u"–"_s;
    case Cost: {
        const auto cost = listed.cost();
        return cost ? (entry.isCostPartial ? u"≥ "_s : QString()) + displayText(core::dollars(*cost)) : u"–"_s;
    }
    default:
        return {};
    }
}

QVariant SessionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole) {
        const bool isFigure = section == Calls || section == Peak || section == Cost;
        return QVariant::fromValue(Qt::Alignment((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role == Qt::InitialSortOrderRole)
        return Qt::DescendingOrder; // the newest and the largest first
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Session: {
        const bool hasPhrase = m_search && std::ranges::any_of(m_search->found.sessions, &core::SessionHits::hasPhrase);
        return hasPhrase ? tr("session, exact phrase first, then newest") : tr("session, by time");
    }
    case Context:
        return tr("context");
    case Calls:
        return tr("calls");
    case Peak:
        return tr("peak");
    case Cost:
        return tr("cost");
    default:
        return tr("found");
    }
}

} // namespace ui
