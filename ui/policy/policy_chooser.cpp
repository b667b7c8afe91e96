// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/policy_chooser.h"

#include "ui/files/own_policies.h"

#include <QAbstractItemView>
#include <QStandardItemModel>
#include <QStylePainter>
#include <QStyledItemDelegate>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

/// The chooser itself is bold.
QFont nameFont()
{
    QFont font = Theme::textFont(13);
    font.setWeight(QFont::Normal);
    return font;
}

constexpr int kBesideName = 4;

} // namespace

PolicyChooser::PolicyChooser(QWidget *parent)
    : QComboBox(parent)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(14);
    setMaxVisibleItems(24);
    setItemDelegate(new QStyledItemDelegate(this)); // the style sheet decides the height of a row
    connect(this, &QComboBox::activated, this, [this](int row) {
        const int index = itemData(row).toInt();
        Q_EMIT chosen(index < 0 ? nullptr : m_policies[static_cast<size_t>(index)]);
    });
}

QString PolicyChooser::aboutText(const core::Policy &policy)
{
    const core::Provenance &from = policy.provenance;
    QStringList lines;
    if (!policy.description.empty())
        lines << displayText(policy.description);
    if (!from.source.empty())
        lines << tr("Source: %1").arg(displayText(from.source));
    if (!from.evidence.empty() || !from.date.empty())
        lines << (from.date.empty()
                ? tr("Preset: %1").arg(displayText(from.evidenceWords()))
                : tr("Preset: %1, checked on %2").arg(displayText(from.evidenceWords()), displayText(from.date)));
    return lines.join(u'\n');
}

QString PolicyChooser::headingOf(const std::string &evidence)
{
    if (evidence == "source")
        return tr("Matches published code");
    if (evidence == "documentation")
        return tr("Follows the documentation");
    return tr("Our approximation");
}

void PolicyChooser::addHeading(const QString &words)
{
    addItem(words);
    QStandardItem *item = qobject_cast<QStandardItemModel *>(model())->item(count() - 1);
    item->setFlags(Qt::NoItemFlags);
    item->setFont(Theme::strongFont(12));
}

void PolicyChooser::add(const core::PolicyPtr &policy)
{
    m_policies.push_back(policy);
    addItem(displayText(policy->name), static_cast<int>(m_policies.size()) - 1);
    setItemData(count() - 1, aboutText(*policy), Qt::ToolTipRole);
    setItemData(count() - 1, nameFont(), Qt::FontRole);
}

void PolicyChooser::setOfHarness(std::vector<core::PolicyPtr> presets)
{
    if (presets == m_ofHarness)
        return;
    m_ofHarness = std::move(presets);
    fill();
}

void PolicyChooser::fill()
{
    clear();
    m_policies.clear();
    addItem(tr("As recorded"), -1);
    setItemData(0, nameFont(), Qt::FontRole);
    if (!m_ofHarness.empty())
        addHeading(tr("The harness of this session"));
    for (const core::PolicyPtr &policy : m_ofHarness)
        add(policy);
    for (const std::string evidence : { "source", "documentation", "interpretation" }) {
        bool isFirst = true;
        for (const core::PolicyPtr &policy : core::presets()) {
            if (policy->id == "none" || policy->provenance.evidence != evidence
                || std::ranges::contains(m_ofHarness, policy))
                continue;
            if (std::exchange(isFirst, false))
                addHeading(headingOf(evidence));
            add(policy);
        }
    }
    bool isFirst = true;
    for (const core::PolicyPtr &policy : ownPolicies()) {
        if (std::exchange(isFirst, false))
            addHeading(tr("Own policies"));
        add(policy);
    }
}

void PolicyChooser::setPolicy(const core::PolicyPtr &policy)
{
    m_editedFrom = nullptr;
    setToolTip(policy ? aboutText(*policy) : QString());
    if (!policy)
        return setCurrentIndex(0);
    for (int row = 1; row < count(); ++row) {
        const QVariant index = itemData(row);
        const core::PolicyPtr listed = index.isValid() ? m_policies[static_cast<size_t>(index.toInt())] : nullptr;
        if (!listed || listed->id != policy->id)
            continue;
        if (listed->document != policy->document) {
            m_editedFrom = listed;
            setToolTip(tr("Before the changes: %1").arg(aboutText(*listed)));
        }
        return setCurrentIndex(row);
    }
    // A policy from another file stays in the list, so it can be chosen again.
    m_policies.push_back(policy);
    addItem(displayText(policy->name), static_cast<int>(m_policies.size()) - 1);
    setCurrentIndex(count() - 1);
}

void PolicyChooser::showPopup()
{
    constexpr int kScrollBar = 24;
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + kScrollBar); // no name is cut
    QComboBox::showPopup();
}

void PolicyChooser::setTheme(const Theme &theme)
{
    m_theme = theme;
    update();
}

/// Elides the name, and draws the arrow in the colours of the theme.
void PolicyChooser::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - kBesideName);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.accent, 1.6));
    const QPointF tip(width() - 14, height() / 2.0 + 2);
    painter.drawPolyline(QPolygonF({ tip + QPointF(-4, -4), tip, tip + QPointF(4, -4) }));
}

void PolicyChooser::wheelEvent(QWheelEvent *event) { event->ignore(); }

} // namespace ui
