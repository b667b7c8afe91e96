// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/parameter_form.h"

#include "ui/widgets/tick_box.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QWheelEvent>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;
using Type = core::ParameterSpec::Type;

namespace {

/// Ends of lines have a mark in a field of one line.
constexpr QChar kLineEnd(0x21B5);

QString utf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// A field for numbers that the wheel does not change while the panel is scrolled.
class NumberField final : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;

protected:
    void wheelEvent(QWheelEvent *event) override
    {
        if (hasFocus())
            QDoubleSpinBox::wheelEvent(event);
        else
            event->ignore();
    }
};

QString wordsOf(const std::vector<std::string> &names)
{
    QStringList words;
    for (const std::string &name : names)
        words << QString::fromStdString(name);
    return words.join(u',');
}

} // namespace

ParameterForm::ParameterForm(const core::StageKind &kind, QWidget *parent)
    : QWidget(parent)
    , m_kind(kind)
{
    auto *form = new QFormLayout(this);
    form->setContentsMargins(24, 2, 0, 6);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(4);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const core::ParameterSpec &parameter : kind.parameters) {
        QWidget *editor = makeEditor(parameter);
        editor->setFont(Theme::textFont(12));
        editor->setToolTip(utf8(parameter.sentence));
        editor->setAccessibleName(utf8(parameter.name));
        editor->setObjectName(utf8(kind.id) + u'.' + utf8(parameter.name));
        auto *name = new QLabel(utf8(parameter.name), this);
        name->setFont(Theme::textFont(12));
        name->setToolTip(utf8(parameter.sentence));
        name->setBuddy(editor);
        form->addRow(name, editor);
        m_editors.push_back(editor);
    }
}

QWidget *ParameterForm::makeEditor(const core::ParameterSpec &parameter)
{
    const QString name = utf8(parameter.name);
    const auto changed = [this, name](const QString &value) {
        if (!m_isSetting)
            Q_EMIT parameterChanged(name, value);
    };
    switch (parameter.type) {
    case Type::Switch: {
        auto *box = new TickBox({}, this);
        connect(box, &TickBox::toggled, this, [changed](bool isOn) { changed(isOn ? u"on"_s : u"off"_s); });
        return box;
    }
    case Type::Count:
    case Type::Number: {
        auto *field = new NumberField(this);
        field->setKeyboardTracking(false);
        field->setDecimals(parameter.type == Type::Count ? 0 : 3);
        field->setRange(parameter.least, parameter.most);
        field->setGroupSeparatorShown(true);
        field->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        field->setMinimumWidth(60);
        if (!parameter.unit.empty())
            field->setSuffix(u' ' + utf8(parameter.unit));
        connect(field, &QDoubleSpinBox::valueChanged, this,
            [changed](double value) { changed(QString::number(value, 'g', 15)); });
        return field;
    }
    case Type::Choice: {
        auto *choice = new QComboBox(this);
        for (const std::string_view each : parameter.choices)
            choice->addItem(utf8(each));
        choice->setMinimumWidth(60);
        connect(choice, &QComboBox::textActivated, this, changed);
        return choice;
    }
    case Type::Text:
    case Type::Names:
        break;
    }
    auto *field = new QLineEdit(this);
    if (parameter.type == Type::Names)
        field->setPlaceholderText(tr("names, separated by commas"));
    connect(field, &QLineEdit::editingFinished, this, [field, changed] {
        if (field->isModified())
            changed(field->text().replace(kLineEnd, u'\n'));
        field->setModified(false);
    });
    return field;
}

void ParameterForm::setTheme(const Theme &theme)
{
    for (QWidget *editor : m_editors) {
        if (auto *box = qobject_cast<TickBox *>(editor))
            box->setTheme(theme);
    }
}

void ParameterForm::setSpec(const core::StageSpec &spec)
{
    const QScopedValueRollback setting(m_isSetting, true);
    for (size_t i = 0; i < m_editors.size(); ++i) {
        const core::ParameterSpec &parameter = m_kind.parameters[i];
        const auto own = spec.values.find(parameter.name);
        const core::ParameterValue &value = own == spec.values.end() ? parameter.initial : own->second;
        if (auto *box = qobject_cast<TickBox *>(m_editors[i])) {
            box->setChecked(std::get<bool>(value));
        } else if (auto *number = qobject_cast<QDoubleSpinBox *>(m_editors[i])) {
            number->setValue(std::get<double>(value));
        } else if (auto *choice = qobject_cast<QComboBox *>(m_editors[i])) {
            choice->setCurrentText(QString::fromStdString(std::get<std::string>(value)));
        } else if (auto *field = qobject_cast<QLineEdit *>(m_editors[i]); field != nullptr && !field->isModified()) {
            const auto *names = std::get_if<std::vector<std::string>>(&value);
            QString text = names != nullptr ? wordsOf(*names) : QString::fromStdString(std::get<std::string>(value));
            field->setText(text.replace(u'\n', kLineEnd));
            field->setCursorPosition(0);
        }
    }
}

} // namespace ui
