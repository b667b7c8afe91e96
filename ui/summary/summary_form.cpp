// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/summary/summary_form.h"

#include "ui/files/settings.h"
#include "ui/look/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalBlocker>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

QString apiTitle(core::SummaryApi api)
{
    switch (api) {
    case core::SummaryApi::Anthropic:
        return u"Anthropic Messages"_s;
    case core::SummaryApi::OpenAiChat:
        return SummaryForm::tr("OpenAI Chat, and local servers");
    case core::SummaryApi::OpenAiResponses:
        return u"OpenAI Responses"_s;
    case core::SummaryApi::Gemini:
        return u"Gemini"_s;
    }
    return {};
}

} // namespace

SummaryForm::SummaryForm(std::string_view policy, QWidget *parent)
    : QWidget(parent)
    , m_api(new QComboBox(this))
    , m_model(new QLineEdit(this))
    , m_address(new QLineEdit(this))
    , m_variable(new QLineEdit(this))
    , m_template(new QComboBox(this))
    , m_instruction(new QPlainTextEdit(this))
    , m_sendsSecrets(new QCheckBox(tr("Send possible secrets unmasked"), this))
{
    const QSettings settings = openSettings();
    for (const core::SummaryApi each : core::kSummaryApis)
        m_api->addItem(apiTitle(each), static_cast<int>(each));
    const auto known = core::summaryApiNamed(settings.value(u"summary/api"_s).toString().toStdString());
    m_api->setCurrentIndex(static_cast<int>(known.value_or(core::SummaryApi::Anthropic)));
    m_model->setText(settings.value(u"summary/model"_s).toString());
    m_address->setText(settings.value(u"summary/url"_s).toString());
    m_variable->setText(settings.value(u"summary/key-variable"_s).toString());
    for (const core::SummaryTemplate &each : core::summaryTemplates())
        m_template->addItem(displayText(each.title), QString::fromStdString(each.id));
    m_template->setCurrentIndex(m_template->findData(QString::fromStdString(core::templateFor(policy).id)));
    m_instruction->setFont(Theme::figureFont());
    m_instruction->setTabChangesFocus(true);
    m_model->setPlaceholderText(tr("the name of a model"));
    m_variable->setToolTip(toolTipText(tr("The environment variable that holds the key. The key itself is stored "
                                          "nowhere. A server on this computer needs none.")));
    m_api->setObjectName(u"summaryApi"_s);
    m_model->setObjectName(u"summaryModel"_s);
    m_address->setObjectName(u"summaryAddress"_s);
    m_variable->setObjectName(u"summaryVariable"_s);
    m_template->setObjectName(u"summaryTemplate"_s);
    m_instruction->setObjectName(u"summaryInstruction"_s);

    auto *layout = new QFormLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    layout->addRow(tr("API"), m_api);
    layout->addRow(tr("Model"), m_model);
    layout->addRow(tr("Address"), m_address);
    layout->addRow(tr("Key in variable"), m_variable);
    layout->addRow(tr("Template"), m_template);
    layout->addRow(m_instruction);
    layout->addRow(m_sendsSecrets);

    connect(m_api, &QComboBox::currentIndexChanged, this, [this] {
        showDefaults();
        Q_EMIT changed();
    });
    connect(m_template, &QComboBox::currentIndexChanged, this, [this] {
        takeTemplate();
        Q_EMIT changed();
    });
    for (QLineEdit *field : { m_model, m_address, m_variable })
        connect(field, &QLineEdit::textChanged, this, &SummaryForm::changed);
    connect(m_instruction, &QPlainTextEdit::textChanged, this, &SummaryForm::changed);
    connect(m_sendsSecrets, &QCheckBox::toggled, this, &SummaryForm::changed);
    takeTemplate();
    showDefaults();
}

core::SummaryApi SummaryForm::api() const { return static_cast<core::SummaryApi>(m_api->currentData().toInt()); }

void SummaryForm::takeTemplate()
{
    const QSignalBlocker blocker(m_instruction);
    if (const auto *form = core::summaryTemplate(m_template->currentData().toString().toStdString()))
        m_instruction->setPlainText(QString::fromStdString(form->instruction));
}

void SummaryForm::showDefaults()
{
    m_address->setPlaceholderText(QString::fromUtf8(core::defaultUrl(api())));
    m_variable->setPlaceholderText(QString::fromUtf8(core::defaultKeyVariable(api())));
}

core::SummaryChoice SummaryForm::choice() const
{
    core::SummaryChoice choice;
    choice.target.api = api();
    choice.target.url = m_address->text().trimmed().toStdString();
    choice.target.model = m_model->text().trimmed().toStdString();
    if (const auto *form = core::summaryTemplate(m_template->currentData().toString().toStdString()))
        choice.form = *form;
    choice.form.instruction = m_instruction->toPlainText().toStdString();
    choice.secrets = m_sendsSecrets->isChecked() ? core::Secrets::Sent : core::Secrets::Masked;
    return choice;
}

SummaryKeySource SummaryForm::keySource() const
{
    const std::string variable = m_variable->text().trimmed().toStdString();
    return { variable.empty() ? std::string(core::defaultKeyVariable(api())) : variable, {} };
}

void SummaryForm::remember() const
{
    QSettings settings = openSettings();
    settings.setValue(u"summary/api"_s, QString::fromUtf8(core::nameOf(api())));
    settings.setValue(u"summary/model"_s, m_model->text().trimmed());
    settings.setValue(u"summary/url"_s, m_address->text().trimmed());
    settings.setValue(u"summary/key-variable"_s, m_variable->text().trimmed());
}

} // namespace ui
