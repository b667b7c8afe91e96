// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/settings/setting_choosers.h"

#include "ui/hub/workspace.h"
#include "ui/widgets/widget_name.h"

#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

SegmentedControl *compactChooser(const QString &objectName, const QString &accessibleName, QWidget *parent)
{
    auto *made = new SegmentedControl({ u"…"_s }, parent);
    addName(made, objectName, accessibleName);
    made->setCompact(true);
    return made;
}

SettingChoosers::SettingChoosers(SweptSettings &settings, Workspace &workspace, const QString &prefix, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_words { new QLabel(tr("across"), this), new QLabel(tr("up"), this) }
    , m_choosers { compactChooser(prefix + u'X', tr("Setting across"), this),
        compactChooser(prefix + u'Y', tr("Setting upwards"), this) }
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (size_t i = 0; i < m_choosers.size(); ++i) {
        m_words[i]->setFont(Theme::textFont(12));
        row->addWidget(m_words[i]);
        row->addWidget(m_choosers[i]);
        connect(m_choosers[i], &SegmentedControl::chosen, this, [this, i](int index) {
            const std::vector<std::string> all = m_settings.all();
            if (static_cast<size_t>(index) < all.size())
                m_settings.set(static_cast<SweptSettings::Axis>(i), all[static_cast<size_t>(index)]);
        });
    }
    connect(&settings, &SweptSettings::changed, this, &SettingChoosers::refresh);
    connect(&workspace, &Workspace::planChanged, this, &SettingChoosers::refresh);
    refresh();
}

void SettingChoosers::refresh()
{
    const std::vector<std::string> all = m_settings.all();
    QStringList words;
    for (const std::string &setting : all)
        words << displayText(core::settingWords(setting));
    for (size_t i = 0; i < m_choosers.size(); ++i) {
        const std::string &now = m_settings.at(static_cast<SweptSettings::Axis>(i));
        m_choosers[i]->setWords(words);
        m_choosers[i]->setCurrent(static_cast<int>(std::ranges::find(all, now) - all.begin()));
    }
}

void SettingChoosers::setWordsShown(bool areShown)
{
    for (QLabel *label : m_words)
        label->setVisible(areShown);
}

void SettingChoosers::setChooserWidth(int width)
{
    for (SegmentedControl *chooser : m_choosers)
        chooser->setFixedWidth(width);
}

void SettingChoosers::applyTheme(const Theme &theme)
{
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    for (size_t i = 0; i < m_choosers.size(); ++i) {
        m_words[i]->setPalette(quiet);
        m_choosers[i]->setTheme(theme);
    }
}

} // namespace ui
