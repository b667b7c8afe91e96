// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/mainwindow/row_menus.h"

#include "core/search/search.h"
#include "ui/hub/actions.h"
#include "ui/mainwindow/go_to.h"

#include <QMenu>

namespace ui {

using namespace Qt::StringLiterals;

RowMenus::RowMenus(ViewState &state, ActionRegistry &actions, QWidget *window)
    : QObject(window)
    , m_state(state)
    , m_actions(actions)
{
    for (const auto &id :
        { u"go.trace"_s, u"go.show-edit"_s, u"go.subagent"_s, u"edit.copy-link"_s, u"edit.bookmark"_s })
        m_onBlock << actions.action(id);
    auto *line = new QAction(this);
    line->setSeparator(true);
    m_onBlock << line << makeFilterMenu(u"edit.add-to-filter"_s, tr("Add to Filter"), false, window)
              << makeFilterMenu(u"edit.exclude-by-filter"_s, tr("Exclude by Filter"), true, window);
    QAction *subagent = actions.action(u"go.subagent"_s);
    subagent->setEnabled(false);
    QAction *edit = actions.action(u"go.show-edit"_s);
    edit->setEnabled(false);
    connect(&state, &ViewState::currentChanged, this, [this, subagent, edit] {
        subagent->setEnabled(subagentOf(m_state).has_value());
        edit->setEnabled(mayShowEdit(m_state));
    });
}

QAction *RowMenus::makeFilterMenu(const QString &id, const QString &title, bool isNegated, QWidget *window)
{
    auto *menu = new QMenu(title, window);
    menu->setObjectName(id);
    connect(menu, &QMenu::aboutToShow, this, [this, menu, isNegated] {
        menu->clear();
        const core::BlockId block = m_state.currentBlock();
        const core::SessionPtr &session = m_state.session();
        if (!session || !block.isValid() || block.index() >= session->blocks.size())
            return;
        for (const std::string &term : core::filterTermsOf(*session, session->block(block))) {
            menu->addAction(displayText(term).replace(u'&', u"&&"_s), this, [this, term, isNegated] {
                SessionSearch &search = m_state.search();
                search.setLine(QString::fromStdString(core::withTerm(search.line().toStdString(), term, isNegated)));
                Q_EMIT filtered();
            });
        }
    });
    return m_actions.adopt(id, tr("&Edit"), menu->menuAction(), {});
}

} // namespace ui
