// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/sessions/facet_list.h"

#include "core/findings/kinds.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRow = 22;
constexpr int kHeading = 30;
constexpr int kMargin = 14;
constexpr size_t kProjects = 8; ///< shown at first

using Counts = std::vector<std::pair<std::string, size_t>>;

/// The largest first.
Counts sorted(const std::map<std::string, size_t> &counts)
{
    Counts rows(counts.begin(), counts.end());
    std::ranges::stable_sort(rows, std::ranges::greater {}, &std::pair<std::string, size_t>::second);
    return rows;
}

std::set<std::string> harnessesOf(const core::SessionEntry &entry) { return { std::string(entry.harnessName()) }; }

std::set<std::string> foldersOf(const core::SessionEntry &entry) { return { entry.folder }; }

std::set<std::string> findingsOf(const core::SessionEntry &entry)
{
    std::set<std::string> kinds;
    for (const core::EntryFinding &finding : entry.findings.value_or(std::vector<core::EntryFinding>()))
        kinds.insert(finding.kind);
    return kinds;
}

/// How many of the sessions that a filter accepts have each value.
std::map<std::string, size_t> valuesOf(std::span<const core::ListedSession *const> sessions,
    const SessionFilter &filter, std::set<std::string> (*valuesIn)(const core::SessionEntry &))
{
    std::map<std::string, size_t> counts;
    for (const core::ListedSession *session : sessions) {
        if (!filter.accepts(*session->entry))
            continue;
        for (const std::string &value : valuesIn(*session->entry))
            ++counts[value];
    }
    return counts;
}

/// The last part of a path, with the one before it if another project has the same name.
std::string projectName(const std::string &folder, const Counts &projects)
{
    const auto nameOf = [](const std::string &path) {
        core::SessionEntry entry;
        entry.folder = path;
        return std::string(entry.project());
    };
    std::string name = nameOf(folder);
    const auto alike
        = std::ranges::count_if(projects, [&](const auto &project) { return nameOf(project.first) == name; });
    if (alike < 2)
        return name;
    const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    const std::filesystem::path above = path.has_filename() ? path.parent_path() : path.parent_path().parent_path();
    return above.filename().string() + "/" + name;
}

} // namespace

class FacetList::Delegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    Theme theme = Theme::make(Appearance::Light);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool isHeading = index.data(KindRole).toInt() == static_cast<int>(Kind::Heading);
        const bool isMore = index.data(KindRole).toInt() == static_cast<int>(Kind::More);
        painter->save();
        const QRect row = option.rect.adjusted(kMargin - 6, 0, -kMargin + 6, 0);
        if (index.data(ChosenRole).toBool()) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.accentGround);
            painter->drawRoundedRect(row, 3, 3);
        } else if (option.state.testFlag(QStyle::State_HasFocus)) {
            painter->setPen(theme.accent);
            painter->drawRect(row.adjusted(0, 0, -1, -1));
        }
        QRect text = row.adjusted(6, 0, -6, 0);
        painter->setFont(isHeading ? Theme::strongFont(12) : Theme::textFont(12));
        painter->setPen(isMore ? theme.accent : theme.text);
        if (isHeading)
            text.setTop(text.bottom() - kRow);
        const QString count = index.data(CountRole).toString();
        int countWidth = 0;
        if (!count.isEmpty()) {
            painter->save();
            painter->setFont(Theme::figureFont(11));
            painter->setPen(theme.secondary);
            countWidth = painter->fontMetrics().horizontalAdvance(count) + 8;
            painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, count);
            painter->restore();
        }
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, text.width() - countWidth));
        painter->restore();
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        return { 60, index.data(KindRole).toInt() == static_cast<int>(Kind::Heading) ? kHeading : kRow };
    }
};

FacetList::FacetList(QWidget *parent)
    : QListView(parent)
    , m_model(new QStandardItemModel(this))
    , m_delegate(new Delegate(this))
{
    setObjectName(u"facets"_s);
    setAccessibleName(tr("Filter by harness, project and findings"));
    setModel(m_model);
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::NoSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    viewport()->setAutoFillBackground(false); // the page paints the ground
}

void FacetList::setTheme(const Theme &theme)
{
    m_delegate->theme = theme;
    viewport()->update();
}

void FacetList::setContents(const SessionsModel &model)
{
    m_list = model.list();
    m_found = model.found();
    m_filter = model.filter();
    refill();
}

void FacetList::add(Kind kind, const QString &name, const std::string &key, std::optional<size_t> count, bool isChosen)
{
    auto *item = new QStandardItem(name);
    item->setData(static_cast<int>(kind), KindRole);
    item->setData(QByteArray::fromStdString(key), KeyRole);
    if (count)
        item->setData(groupedText(*count), CountRole);
    item->setData(isChosen, ChosenRole);
    if (kind == Kind::Heading)
        item->setFlags(Qt::NoItemFlags);
    else
        item->setToolTip(toolTipText(kind == Kind::Folder ? displayText(key) : name));
    m_model->appendRow(item);
}

void FacetList::refill()
{
    const int current = currentIndex().row();
    m_model->clear();
    std::vector<const core::ListedSession *> all;
    for (const core::ListedSession &session :
        m_list ? std::span<const core::ListedSession>(m_list->sessions) : std::span<const core::ListedSession>())
        all.push_back(&session);
    // The order is that of all sessions: it stays while filters are chosen.
    const Counts harnesses = sorted(valuesOf(all, {}, harnessesOf));
    const Counts projects = sorted(valuesOf(all, {}, foldersOf));
    const Counts findings = sorted(valuesOf(all, {}, findingsOf));
    SessionFilter others = m_filter;
    others.harnesses.clear();
    auto counts = valuesOf(m_found, others, harnessesOf);
    add(Kind::Heading, tr("Harness"), {}, std::nullopt, false);
    add(Kind::All, tr("All"), {}, m_found.size(), m_filter.isEmpty());
    for (const auto &[name, sessions] : harnesses)
        add(Kind::Harness, displayText(name), name, counts[name], m_filter.harnesses.contains(name));
    others = m_filter;
    others.folders.clear();
    addProjects(projects, valuesOf(m_found, others, foldersOf));
    if (!findings.empty())
        add(Kind::Heading, tr("Found"), {}, std::nullopt, false);
    others = m_filter;
    others.findings.clear();
    counts = valuesOf(m_found, others, findingsOf);
    for (const auto &[id, sessions] : findings) {
        const core::FindingKind *kind = core::findingKind(id);
        if (kind == nullptr)
            continue;
        std::string words(kind->chip);
        std::ranges::replace(words, '*', 's');
        add(Kind::Finding, displayText(words), id, counts[id], m_filter.findings.contains(id));
    }
    if (current >= 0)
        setCurrentIndex(m_model->index(std::min(current, m_model->rowCount() - 1), 0));
}

void FacetList::addProjects(
    const std::vector<std::pair<std::string, size_t>> &projects, std::map<std::string, size_t> counts)
{
    add(Kind::Heading, tr("Project"), {}, std::nullopt, false);
    size_t listed = 0;
    size_t rest = 0;
    for (const auto &[folder, sessions] : projects) {
        const bool isChosen = m_filter.folders.contains(folder);
        if (listed >= kProjects && !m_showsAllProjects && !isChosen) {
            rest += 1;
            continue;
        }
        ++listed;
        add(Kind::Folder, folder.empty() ? tr("not recorded") : displayText(projectName(folder, projects)), folder,
            counts[folder], isChosen);
    }
    if (rest > 0)
        add(Kind::More, tr("%1 more").arg(rest), {}, std::nullopt, false);
}

void FacetList::toggle(const QModelIndex &index, bool isAdding)
{
    const auto kind = static_cast<Kind>(index.data(KindRole).toInt());
    const std::string key = index.data(KeyRole).toByteArray().toStdString();
    SessionFilter filter = m_filter;
    const auto apply = [&](std::set<std::string> &values) {
        const bool wasChosen = values.contains(key);
        const bool wasAlone = values.size() == 1;
        if (!isAdding)
            values.clear();
        if (!wasChosen || (!isAdding && !wasAlone))
            values.insert(key);
        else
            values.erase(key);
    };
    switch (kind) {
    case Kind::Heading:
        return;
    case Kind::More:
        m_showsAllProjects = true;
        return refill();
    case Kind::All:
        filter = {};
        break;
    case Kind::Harness:
        apply(filter.harnesses);
        break;
    case Kind::Folder:
        apply(filter.folders);
        break;
    case Kind::Finding:
        apply(filter.findings);
        break;
    }
    Q_EMIT filterChosen(filter);
}

void FacetList::mousePressEvent(QMouseEvent *event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && index.isValid()) {
        setCurrentIndex(index);
        toggle(index, event->modifiers().testFlag(Qt::ControlModifier));
    }
}

void FacetList::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (currentIndex().isValid())
            toggle(currentIndex(), event->modifiers().testFlag(Qt::ControlModifier));
        return;
    }
    QListView::keyPressEvent(event);
}

} // namespace ui
