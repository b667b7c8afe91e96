// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/tuning_pages.h"

#include "ui/tuning/folder/folder_page.h"
#include "ui/tuning/map/map_view.h"
#include "ui/tuning/session/tuning_page.h"
#include "ui/widgets/segmented_control.h"

#include <QDir>
#include <QFileInfo>
#include <QStackedLayout>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr QPoint kHeadAt(14, 8); ///< the corner of the pages' heads
constexpr int kGap = 12;

} // namespace

TuningPages::TuningPages(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_session(new TuningPage(state, this))
    , m_folder(new FolderPage(state, this))
    , m_switch(new SegmentedControl({ tr("This session"), tr("Folder") }, this))
    , m_pages(new QStackedLayout(this))
{
    m_switch->setObjectName(u"tuningSwitch"_s);
    m_switch->setAccessibleName(tr("Tune on this session or on a folder"));
    m_switch->resize(m_switch->sizeHint());
    m_pages->setContentsMargins(0, 0, 0, 0);
    m_pages->addWidget(m_session);
    m_pages->addWidget(m_folder);
    connect(m_switch, &SegmentedControl::chosen, this, [this](int index) { setPage(static_cast<Page>(index)); });
    connect(&state.workspace(), &Workspace::sessionChanged, this, &TuningPages::refresh);
    const auto applyTheme = [this, &state] { m_switch->setTheme(state.theme()); };
    connect(&state, &ViewState::themeChanged, this, applyTheme);
    applyTheme();
    setPage(Page::Session);
}

TuningPages::Page TuningPages::page() const { return static_cast<Page>(m_pages->currentIndex()); }

void TuningPages::setPage(Page page)
{
    m_pages->setCurrentIndex(static_cast<int>(page));
    m_switch->setCurrent(static_cast<int>(page));
    refresh();
    Q_EMIT pageChanged();
}

bool TuningPages::hasFolder() const { return !m_folder->model().sweeps().choice().places.empty(); }

bool TuningPages::isOfOtherSessions() const
{
    const auto pathOf = [](const std::filesystem::path &path) {
        return QDir::cleanPath(QFileInfo(QString::fromStdString(path.string())).absoluteFilePath());
    };
    const QString file = pathOf(m_state.workspace().path());
    const auto holdsFile = [&](const std::filesystem::path &place) {
        const QString path = pathOf(place);
        return file == path || file.startsWith(path + u'/');
    };
    return page() == Page::Folder && hasFolder()
        && std::ranges::none_of(m_folder->model().sweeps().choice().places, holdsFile);
}

QString TuningPages::folderPath() const { return m_folder->model().sweeps().choice().folder(); }

bool TuningPages::isProject() const { return !m_folder->model().sweeps().choice().name.isEmpty(); }

QString TuningPages::folderName() const { return m_folder->model().sweeps().choice().folderName(); }

void TuningPages::tune(std::vector<std::filesystem::path> places, const QString &name)
{
    FolderSweeps &sweeps = m_folder->model().sweeps();
    FolderSweeps::Choice choice = sweeps.choice();
    const bool hasPlaces = !places.empty();
    choice.places = std::move(places);
    choice.name = name;
    sweeps.setChoice(std::move(choice));
    setPage(hasPlaces ? Page::Folder : Page::Session);
}

void TuningPages::focusMap()
{
    MapView &map = page() == Page::Session ? m_session->map() : m_folder->map();
    map.setFocus();
}

void TuningPages::refresh()
{
    const bool hasBoth = hasFolder() && m_state.session();
    m_switch->setVisible(hasBoth);
    m_switch->move(kHeadAt);
    m_switch->raise();
    const int room = hasBoth ? m_switch->width() + kGap : 0;
    m_session->setHeadRoom(room);
    m_folder->setHeadRoom(room);
}

void TuningPages::waitForMap()
{
    if (page() == Page::Session)
        m_session->waitForMap();
    else
        m_folder->waitForMap();
}

} // namespace ui
