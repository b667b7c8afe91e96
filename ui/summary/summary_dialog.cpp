// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/summary/summary_dialog.h"

#include "ui/text/text_surface.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRestMilliseconds = 250; ///< without a change of the form, before the request is made again

/// The two texts of a request, with the secrets marked.
PreparedSummary prepared(core::SummaryPlan made)
{
    PreparedSummary result;
    result.plan = std::make_shared<const core::SummaryPlan>(std::move(made));
    const core::SummaryPlan &plan = *result.plan;
    const std::string head = "--- system ---\n" + plan.prompt.system + "\n--- user ---\n";
    // What is masked is shorter or longer than the secret.
    const size_t transcript = head.size() + std::string("BEGIN " + plan.input.key + "\n").size();
    int64_t shift = 0;
    for (const core::SecretSpan &each : plan.input.secrets) {
        const size_t begin = static_cast<size_t>(static_cast<int64_t>(transcript + each.begin) + shift);
        size_t size = each.end - each.begin;
        if (plan.choice.secrets == core::Secrets::Masked) {
            const size_t masked = std::string("[masked: ]").size() + each.kind.size();
            shift += static_cast<int64_t>(masked) - static_cast<int64_t>(size);
            size = masked;
        }
        result.secrets.push_back({ { begin, begin + size }, MarkRole::Note });
    }
    auto content = std::make_shared<TextContent>();
    content->document = std::make_shared<const TextDocument>(head + plan.prompt.user);
    result.text = std::move(content);
    return result;
}

} // namespace

SummaryDialog::SummaryDialog(ViewState &state, QWidget *parent)
    : QDialog(parent)
    , m_state(state)
    , m_form(new SummaryForm(state.workspace().plan().policy ? state.workspace().plan().policy->id : "", this))
    , m_facts(new WrappedLabel(this))
    , m_text(new TextSurface(this))
    , m_notes(new NotePair(this))
    , m_pages(new QTabWidget(this))
    , m_words(new WrappedLabel(this))
    , m_send(new QPushButton(tr("Send"), this))
    , m_use(new QPushButton(tr("Use as Summary"), this))
{
    setWindowTitle(tr("Write the Summary with a Model"));
    setObjectName(u"summaryDialog"_s);
    m_facts->setObjectName(u"summaryFacts"_s);
    m_words->setObjectName(u"summaryWords"_s);
    m_send->setObjectName(u"summarySend"_s);
    m_use->setObjectName(u"summaryUse"_s);
    m_text->setWrapping(true);
    auto *close = new QPushButton(tr("Close"), this);
    for (QPushButton *button : { m_send, m_use, close })
        button->setAutoDefault(false);

    m_pages->addTab(m_text, tr("What Is Sent"));
    m_pages->addTab(m_notes, tr("Notes"));
    auto *right = new QWidget(this);
    auto *column = new QVBoxLayout(right);
    column->setContentsMargins(10, 0, 0, 0);
    column->addWidget(m_facts);
    column->addWidget(m_pages, 1);
    auto *split = new QSplitter(this);
    split->addWidget(m_form);
    split->addWidget(right);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(1, 1);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_words, 1);
    for (QPushButton *button : { m_send, m_use, close })
        buttons->addWidget(button);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(split, 1);
    layout->addLayout(buttons);
    resize(1100, 720);
    split->setSizes({ 340, 740 });

    m_delay.setSingleShot(true);
    m_delay.setInterval(kRestMilliseconds);
    connect(&m_delay, &QTimer::timeout, this, &SummaryDialog::prepare);
    connect(m_form, &SummaryForm::changed, this, [this] {
        m_plan = nullptr;
        m_delay.start();
        refreshButtons();
    });
    connect(&m_state, &ViewState::pictureChanged, this, &SummaryDialog::followPlan);
    connect(m_send, &QPushButton::clicked, this, [this] { m_call.isRunning() ? m_call.cancel() : send(); });
    connect(m_use, &QPushButton::clicked, this, &SummaryDialog::use);
    connect(close, &QPushButton::clicked, this, &QWidget::close);
    connect(m_notes, &NotePair::noteChanged, this, &SummaryDialog::refreshButtons);
    connect(&m_call, &SummaryCall::textAdded, m_notes, &NotePair::addText);
    connect(&m_call, &SummaryCall::waits, this, [this](std::chrono::milliseconds time) {
        say(tr("The server reports an error. The request is sent again in %1 s.").arg((time.count() + 999) / 1000));
    });
    connect(&m_call, &SummaryCall::finished, this, &SummaryDialog::takeNote);
    connect(&m_state, &ViewState::themeChanged, this, [this] { setTheme(m_state.theme()); });
    setTheme(state.theme());
    followPlan();
}

bool SummaryDialog::isBusy() const
{
    return m_delay.isActive() || m_planning.isRunning() || m_keyReading.isRunning() || m_call.isRunning()
        || m_notes->isComparing() || m_state.isPlanning();
}

void SummaryDialog::setTheme(const Theme &theme) { m_text->setTheme(theme); }

void SummaryDialog::followPlan()
{
    if (m_state.isPlanning())
        return;
    SummaryGround ground = SummaryGround::of(m_state);
    if (ground.compaction == m_ground.compaction && m_plan)
        return;
    m_ground = std::move(ground);
    m_notes->setGround(m_ground);
    prepare();
}

void SummaryDialog::prepare()
{
    m_delay.stop();
    m_plan = nullptr;
    refreshButtons();
    if (!m_ground.compaction) {
        m_planning.cancel();
        return showRequest(
            core::failure(core::ErrorKind::Empty, "Choose a policy that summarises, and show its array."));
    }
    m_planning.start(
        this,
        [ground = m_ground, choice = m_form->choice(), now = QDateTime::currentMSecsSinceEpoch()](core::Progress &) {
            return core::summaryPlan(*ground.compaction, choice, *ground.prices, now).transform(prepared);
        },
        [this](const core::Result<PreparedSummary> &made) { showRequest(made); });
}

void SummaryDialog::showRequest(const core::Result<PreparedSummary> &made)
{
    m_plan = made ? made->plan : nullptr;
    m_text->setContent(made ? made->text : std::make_shared<const TextContent>());
    if (!made) {
        m_facts->setText(displayText(made.error().sentence()));
        return refreshButtons();
    }
    m_text->setMarks(made->secrets);
    const SummaryKeySource source = m_form->keySource();
    const bool wantsKey = source.isSet() || !m_plan->request.isLoopback;
    QStringList facts { displayText(core::destinationOf(*m_plan, wantsKey ? source.words() : std::string())) };
    for (const std::string &fact : core::factsOf(*m_plan))
        facts << displayText(fact);
    facts << displayText(core::settingsOf(*m_plan));
    m_facts->setText(facts.join(u'\n'));
    refreshButtons();
}

void SummaryDialog::send()
{
    if (!m_plan || m_keyReading.isRunning())
        return;
    m_form->remember();
    say({});
    m_keyReading.start(
        this,
        [source = m_form->keySource(), isOptional = m_plan->request.isLoopback](
            core::Progress &) { return readSummaryKey(source, isOptional); },
        [this](const core::Result<std::string> &key) { start(key); });
    refreshButtons();
}

void SummaryDialog::start(const core::Result<std::string> &key)
{
    if (!key || !m_plan) {
        say(key ? QString() : displayText(key.error().message));
        return refreshButtons();
    }
    m_notes->clearNote();
    m_notes->setEditable(false);
    m_pages->setCurrentWidget(m_notes);
    m_form->setEnabled(false);
    say(tr("The model writes…"));
    m_sent = m_plan;
    m_call.start(m_sent->request, m_sent->choice.target.api, *key, m_limits);
    refreshButtons();
}

/// A note that is of no use is taken away again.
void SummaryDialog::takeNote()
{
    m_notes->setEditable(true);
    m_form->setEnabled(true);
    core::WrittenNote written;
    written.usage = m_call.usage();
    if (written.usage) {
        written.cost = core::noteCost(
            *written.usage, m_sent->choice.target.model, *m_ground.prices, QDateTime::currentMSecsSinceEpoch());
    }
    const auto checked
        = m_call.result().and_then([&](const std::string &text) { return core::checkedNote(text, *m_sent); });
    if (checked)
        m_notes->setNote(QString::fromStdString(*checked));
    const QString usage = written.usage ? u' ' + displayText(core::usageSentence(written)) : QString();
    say((checked ? tr("The note is complete.") : displayText(checked.error().message)) + usage);
    if (!checked)
        m_notes->clearNote();
    refreshButtons();
}

void SummaryDialog::use()
{
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    if (!policy)
        return;
    const auto changed = core::withNote(*policy, m_notes->note().trimmed().toStdString());
    if (!changed)
        return say(displayText(changed.error().message));
    m_state.workspace().commitPlan(m_state.workspace().planWith(*changed), tr("Use Note as Summary"));
    say(tr("The summary has the text of the note. Undo takes it back."));
}

void SummaryDialog::refreshButtons()
{
    const bool isSending = m_call.isRunning();
    m_send->setText(isSending ? tr("Cancel") : tr("Send"));
    m_send->setEnabled(isSending || (m_plan && !m_keyReading.isRunning()));
    m_use->setEnabled(!isSending && m_ground.compaction && !m_notes->note().trimmed().isEmpty());
}

void SummaryDialog::say(const QString &sentence) { m_words->setText(sentence); }

} // namespace ui
