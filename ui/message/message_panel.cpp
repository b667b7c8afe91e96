// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/message_panel.h"

#include "core/base/text.h"
#include "core/compaction/text_edits.h"
#include "core/session/slot_label.h"
#include "ui/files/save_bytes.h"
#include "ui/hub/searched_texts.h"
#include "ui/message/block_facts.h"
#include "ui/message/body_file.h"
#include "ui/widgets/forward_focus.h"

#include <QApplication>
#include <QEventLoop>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace ui {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

/// Bodies up to this size are shown at once.
constexpr uint64_t kAtOnce = TextSurface::kAtOnce;
/// Longer rows of prose are tiring.
constexpr size_t kProseColumns = 120;
constexpr auto kBusyAfter = 200ms;

} // namespace

MessagePanel::MessagePanel(ViewState &state, QWidget *parent)
    : Panel(parent)
    , m_state(state)
{
    setObjectName(u"messagePanel"_s);
    makeHead();
    m_surface = new TextSurface(this);
    m_surface->setObjectName(u"messageBody"_s);
    m_image = new ImageView(this);
    m_image->setObjectName(u"messageImage"_s);
    m_sentence = new QLabel(this);
    m_sentence->setObjectName(u"messageSentence"_s);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_sentence->setContentsMargins(24, 12, 24, 12);
    m_sentence->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_editor = new TextEditor(m_state, this);
    m_stack = new QStackedWidget(this);
    for (QWidget *page : std::initializer_list<QWidget *> { m_surface, m_image, m_sentence, m_editor })
        m_stack->addWidget(page);
    m_notice = new QLabel(this);
    m_notice->setObjectName(u"messageNotice"_s);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setContentsMargins(14, 4, 14, 6);
    m_notice->hide();

    auto *controls = new QHBoxLayout;
    controls->setSpacing(4);
    controls->addWidget(m_facts, 1);
    controls->addSpacing(8);
    for (QWidget *each : std::initializer_list<QWidget *> { m_matchCount, m_previousMatch, m_nextMatch, m_edit, m_own,
             m_original, m_whole, m_pretty, m_wrap, m_bodyOrRaw })
        controls->addWidget(each);
    auto *head = new QVBoxLayout;
    head->setContentsMargins(14, 6, 10, 4);
    head->setSpacing(0);
    head->addWidget(m_title);
    head->addLayout(controls);
    auto *tabs = new QHBoxLayout;
    tabs->setContentsMargins(5, 0, 10, 0);
    tabs->addWidget(m_tabs, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(tabs);
    column->addSpacing(1); // the hairline
    column->addWidget(m_stack, 1);
    column->addWidget(m_notice);
    new ForwardFocus(this, m_surface);

    m_busyTimer.setSingleShot(true);
    m_busyTimer.setInterval(kBusyAfter);
    connect(&m_busyTimer, &QTimer::timeout, this,
        [this] { say(tr("Reading %1 bytes…").arg(groupedText(m_shown ? m_shown->size : 0))); });
    connect(&m_state, &ViewState::currentChanged, this, &MessagePanel::refresh);
    connect(&m_state, &ViewState::addedBlockChosen, this, &MessagePanel::refresh);
    connect(&m_state, &ViewState::pictureChanged, this, &MessagePanel::refresh);
    connect(&m_state, &ViewState::hotChanged, this, &MessagePanel::refresh);
    connect(&m_state, &ViewState::matchesChanged, this, &MessagePanel::refreshFind);
    connect(&m_state, &ViewState::themeChanged, this, &MessagePanel::applyTheme);
    connect(&m_calls, &BlockCalls::counted, this, &MessagePanel::refreshHead);
    connect(m_surface, &TextSurface::matchesChanged, this, &MessagePanel::refreshControls);
    connect(m_edit, &QAbstractButton::clicked, this, &MessagePanel::editText);
    connect(m_editor, &TextEditor::closed, this, [this] {
        const bool hadFocus = m_editor->isAncestorOf(QApplication::focusWidget());
        m_shown.reset();
        refreshBody();
        if (hadFocus)
            m_surface->setFocus();
    });
    connectMenus();
    applyTheme();
    refresh();
}

MessagePanel::~MessagePanel() = default;

void MessagePanel::connectMenus()
{
    connect(m_surface, &TextSurface::contextMenuAboutToShow, this, [this](QMenu *menu) {
        menu->addSeparator();
        menu->addAction(m_isRaw ? tr("Copy Record") : tr("Copy All"), this, &MessagePanel::copyAll);
        menu->addAction(m_isRaw ? tr("Save Record As…") : tr("Save Body As…"), this, &MessagePanel::chooseFile);
    });
    for (QWidget *page : { static_cast<QWidget *>(m_image), static_cast<QWidget *>(m_sentence) }) {
        page->setContextMenuPolicy(Qt::ActionsContextMenu);
        auto *save = new QAction(tr("Save Body As…"), page);
        connect(save, &QAction::triggered, this, &MessagePanel::chooseFile);
        page->addAction(save);
    }
}

void MessagePanel::makeHead()
{
    m_title = new FactsLine(this);
    m_title->setObjectName(u"messageTitle"_s);
    m_facts = new FactsLine(this);
    m_facts->setObjectName(u"messageFacts"_s);
    m_tabs = new BlockTabs(this);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab >= 0 && static_cast<size_t>(tab) < m_tabBlocks.size())
            chooseTab(m_tabBlocks[static_cast<size_t>(tab)]);
    });
    m_matchCount = new QLabel(this);
    m_matchCount->setObjectName(u"matchCount"_s);
    m_previousMatch = new ToggleButton(u"‹"_s, ToggleButton::Kind::Push, this);
    m_previousMatch->setObjectName(u"previousMatch"_s);
    m_previousMatch->setToolTip(tr("Previous match (Shift+F3)"));
    m_previousMatch->setAccessibleName(tr("Previous Match"));
    m_nextMatch = new ToggleButton(u"›"_s, ToggleButton::Kind::Push, this);
    m_nextMatch->setObjectName(u"nextMatch"_s);
    m_nextMatch->setToolTip(tr("Next match (F3)"));
    m_nextMatch->setAccessibleName(tr("Next Match"));
    m_edit = new ToggleButton(tr("Edit Text"), ToggleButton::Kind::Push, this);
    m_edit->setObjectName(u"editText"_s);
    m_edit->setToolTip(tr("Writes another text for this block into the array; the session file stays as it is"));
    m_whole = new WholeOutput(this);
    m_own = new OwnText(this);
    m_original = new OriginalText(m_state, this);
    m_pretty = new ToggleButton(tr("Pretty"), ToggleButton::Kind::Toggle, this);
    m_pretty->setObjectName(u"prettyToggle"_s);
    m_pretty->setToolTip(tr("Indents the JSON without changing any string"));
    m_wrap = new ToggleButton(tr("Wrap"), ToggleButton::Kind::Toggle, this);
    m_wrap->setObjectName(u"wrapToggle"_s);
    m_wrap->setToolTip(tr("Wraps long lines"));
    m_bodyOrRaw = new SegmentedControl({ tr("Body"), tr("Raw") }, this);
    m_bodyOrRaw->setObjectName(u"bodyOrRaw"_s);
    m_bodyOrRaw->setToolTip(tr("Raw shows the record exactly as in the file"));

    connect(m_previousMatch, &QAbstractButton::clicked, this, [this] { m_surface->findPrevious(); });
    connect(m_nextMatch, &QAbstractButton::clicked, this, [this] { m_surface->findNext(); });
    connect(m_bodyOrRaw, &SegmentedControl::chosen, this, [this](int index) { setRaw(index == 1); });
    connect(m_whole, &QAbstractButton::clicked, this, &MessagePanel::refreshBody);
    connect(m_own, &QAbstractButton::clicked, this, &MessagePanel::refreshBody);
    connect(m_pretty, &QAbstractButton::clicked, this, [this](bool isPretty) {
        (m_isRaw ? m_rawIndent : m_bodyIndent) = isPretty ? Indent::Pretty : Indent::AsItStands;
        refreshBody();
    });
    connect(m_wrap, &QAbstractButton::clicked, this, [this](bool wraps) {
        (m_form.isProse ? m_wrapsProse : m_wrapsCode) = wraps;
        m_surface->setWrapping(wraps);
    });
}

void MessagePanel::applyTheme()
{
    const Theme &theme = m_state.theme();
    setPalette(theme.palette());
    m_title->setTheme(theme);
    m_facts->setTheme(theme);
    m_tabs->setTheme(theme);
    m_surface->setTheme(theme);
    m_image->setTheme(theme);
    m_editor->setTheme(theme);
    m_bodyOrRaw->setTheme(theme);
    for (ToggleButton *each : std::initializer_list<ToggleButton *> {
             m_previousMatch, m_nextMatch, m_edit, m_own, m_original, m_whole, m_pretty, m_wrap })
        each->setTheme(theme);
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.secondary);
    m_sentence->setPalette(quiet);
    m_sentence->setFont(Theme::textFont(13));
    m_matchCount->setPalette(quiet);
    m_matchCount->setFont(Theme::textFont(12));
    quiet.setColor(QPalette::WindowText, theme.hot);
    m_notice->setPalette(quiet);
    m_notice->setFont(Theme::textFont(12));
    refreshTabs();
    update();
}

void MessagePanel::setRaw(bool isRaw)
{
    m_isRaw = isRaw;
    m_bodyOrRaw->setCurrent(isRaw ? 1 : 0);
    refreshBody();
}

core::BlockId MessagePanel::block() const
{
    const core::BlockId current = m_state.shownBlock();
    const bool isThere
        = m_state.shownSession() && current.isValid() && current.index() < m_state.shownSession()->blocks.size();
    return isThere ? current : core::BlockId();
}

std::pair<core::SessionPtr, core::BlockId> MessagePanel::bodyBlock() const
{
    const core::BlockId change = m_isRaw ? core::BlockId() : m_state.shownChange();
    return change.isValid() ? std::pair(m_state.picture().after.session(), change)
                            : std::pair(m_state.shownSession(), block());
}

void MessagePanel::refresh()
{
    m_notice->hide();
    m_calls.count(m_state.workspace(), m_state.addedBlock().isValid() ? core::BlockId() : block());
    refreshHead();
    refreshTabs();
    refreshBody();
    refreshFind();
}

// Head

void MessagePanel::refreshHead()
{
    const core::BlockId id = block();
    if (!id.isValid()) {
        m_title->setParts({});
        m_facts->setParts({});
        return;
    }
    const std::vector<FactsLine::Part> sizeParts = blockSizes(m_state, id);
    m_title->setParts(blockTitle(m_state, id), { sizeParts.front() });
    m_surface->setAccessibleName(tr("Body of %1").arg(m_title->text()));
    m_facts->setParts(blockFacts(m_state, id, m_calls.of(m_state.shownSession(), id), sizeParts));
}

void MessagePanel::setBlockActions(const QList<QAction *> &actions)
{
    for (QWidget *each :
        { static_cast<QWidget *>(m_tabs), static_cast<QWidget *>(m_title), static_cast<QWidget *>(m_facts) }) {
        each->addActions(actions);
        each->setContextMenuPolicy(Qt::ActionsContextMenu);
    }
}

void MessagePanel::chooseTab(core::BlockId block)
{
    if (m_state.addedBlock().isValid())
        return m_state.chooseAddedBlock(block);
    const bool showsChange = m_state.shownChange().isValid();
    m_state.setCurrentBlock(block);
    m_state.setShowsChange(showsChange);
}

void MessagePanel::refreshTabs()
{
    const core::BlockId id = block();
    m_tabBlocks = blocksBeside(m_state, id);
    std::vector<BlockTabs::Tab> tabs;
    int current = -1;
    for (const core::BlockId each : m_tabBlocks) {
        const core::Session &session = *m_state.shownSession();
        const core::Block &entry = session.block(each);
        const bool isHot = m_state.picture().hotBlock(m_state.currentSlot(), each) != nullptr;
        if (each == id)
            current = static_cast<int>(tabs.size());
        tabs.push_back({ displayText(core::labelOf(session, entry).what),
            m_state.theme().of(core::materialOf(session, entry)), isHot });
    }
    m_tabs->setTabs(tabs, current);
    m_tabs->setVisible(tabs.size() > 1);
}

// Body

MessagePanel::Key MessagePanel::key() const
{
    Key key;
    key.block = block();
    key.isRaw = m_isRaw;
    key.indent = indent();
    if (!key.block.isValid())
        return key;
    const auto &[holder, id] = bodyBlock();
    const core::Session &session = *holder;
    const core::Block &shown = session.block(id);
    key.source = shown.body.source.isValid() ? session.sources[shown.body.source.index()] : nullptr;
    key.offset = m_isRaw ? shown.recordOffset : shown.body.offset;
    key.size = m_isRaw ? shown.recordSize : shown.body.size;
    key.words = std::to_string(static_cast<int>(shown.kind)) + ' ' + std::to_string(shown.flags) + ' '
        + std::string(session.string(shown.name)) + '\n' + std::string(session.string(shown.subject));
    if (!m_isRaw && m_whole->shown()) {
        key.whole = m_whole->shown();
        key.size = key.whole->bytes;
    } else if (!m_isRaw) {
        key.own = m_own->shown();
    }
    return key;
}

void MessagePanel::refreshBody()
{
    if (m_editor->isOpen() && !m_editor->isOpenFor(block()))
        m_editor->leave(); // this may change the plan, and the block with it
    m_whole->setBlock(m_state.shownSession(), block());
    m_own->setBlock(m_state.workspace().plans(), m_state.addedBlock().isValid() ? core::BlockId() : block());
    const Key now = key();
    if ((m_shown == now && now.block.isValid()) || m_editor->isOpen())
        return;
    m_shown = now;
    m_formJob.cancel();
    m_pictureJob.cancel();
    m_busyTimer.stop();
    m_form = {};
    if (!now.block.isValid()) {
        say(!m_state.shownSession()                         ? tr("Open a session to read its messages here.")
                : m_state.picture().before.slotCount() == 0 ? tr("This array has no slots.")
                                                            : tr("Select a slot to read it here."));
        refreshControls();
        return;
    }
    const auto make = [body = bodyBlock(), isRaw = m_isRaw, indent = indent(), whole = now.whole, own = now.own] {
        const auto &[session, id] = body;
        return isRaw ? rawForm(*session, id, indent)
            : whole  ? wholeForm(*session, id, *whole, indent)
            : own    ? ownForm(*session, id, *own, indent)
                     : bodyForm(*session, id, indent);
    };
    if (now.size <= kAtOnce) {
        takeForm(make());
        return;
    }
    // Blank rather than the body of another block; words only if it takes a while.
    m_surface->setContent(std::make_shared<const TextContent>());
    m_stack->setCurrentWidget(m_surface);
    m_busyTimer.start();
    m_formJob.start(
        this, [make](core::Progress &progress) { return progress.isCancelled() ? BodyForm() : make(); },
        [this](BodyForm form) { takeForm(std::move(form)); });
    refreshControls();
}

void MessagePanel::takeForm(BodyForm form)
{
    m_busyTimer.stop();
    m_form = std::move(form);
    const auto &[session, id] = bodyBlock();
    const QString sentence
        = bodySentence(m_form, *session, id, m_isRaw, m_shown->whole ? m_shown->whole->file : std::string());
    if (!sentence.isEmpty()) {
        say(sentence);
    } else if (m_form.kind == FormKind::Image) {
        showPicture();
    } else {
        const bool wraps = m_form.isProse ? m_wrapsProse : m_wrapsCode;
        m_surface->setContent(m_form.content, wraps, m_form.kind == FormKind::Markdown ? kProseColumns : 0);
        m_stack->setCurrentWidget(m_surface);
    }
    refreshControls();
    Q_EMIT contentShown();
}

void MessagePanel::showPicture()
{
    say({});
    m_pictureJob.start(
        this,
        [session = m_state.shownSession(), id = block()](core::Progress &progress) {
            return progress.isCancelled() ? core::Result<MessagePicture>()
                                          : decodePicture(session->text(session->block(id).body));
        },
        [this](core::Result<MessagePicture> picture) {
            if (picture) {
                m_image->setPicture(std::move(*picture));
                m_stack->setCurrentWidget(m_image);
            } else {
                say(QString::fromStdString(picture.error().message));
            }
            Q_EMIT contentShown();
        });
}

void MessagePanel::say(const QString &sentence)
{
    m_sentence->setText(sentence);
    m_stack->setCurrentWidget(m_sentence);
}

void MessagePanel::tell(const QString &notice)
{
    m_notice->setText(notice);
    m_notice->show();
}

void MessagePanel::editText()
{
    const core::CompactionPtr &made = m_state.picture().simulated;
    const core::Overrides &overrides = m_state.workspace().plan().overrides;
    if (m_state.addedBlock().isValid() && made) {
        const auto index = core::insertionOf(*made, m_state.addedBlock(), overrides);
        if (!index)
            return tell(tr("The policy wrote this message, so it cannot be edited."));
        const core::TextInsertion insertion = overrides.insert[*index]; // leaving may change the plan
        if (!m_editor->isEditing(insertion)) {
            m_editor->leave();
            m_editor->editInsertion(insertion);
        }
        return showEditor({});
    }
    if (!m_state.currentSlot().isValid())
        return;
    if (m_editor->isEditing(block()))
        return showEditor({});
    m_editor->leave();
    showEditor(m_editor->edit(block()));
}

void MessagePanel::insertMessage()
{
    if (!m_state.currentSlot().isValid())
        return;
    m_editor->leave();
    const core::Transcript &array = m_state.picture().before;
    showEditor(m_editor->insertBehind(array.blocksOf(array.slot(m_state.currentSlot())).back())); // the whole slot
}

void MessagePanel::insertFirstMessage()
{
    if (!m_state.currentSlot().isValid())
        return;
    m_editor->leave();
    m_editor->insertAtStart();
    showEditor({});
}

void MessagePanel::showEditor(const QString &whyNot)
{
    m_notice->hide();
    if (!whyNot.isEmpty())
        return tell(whyNot);
    m_formJob.cancel();
    m_pictureJob.cancel();
    m_busyTimer.stop();
    m_stack->setCurrentWidget(m_editor);
    m_editor->setFocus();
}

// Controls

void MessagePanel::refreshControls()
{
    const bool hasText = m_form.content != nullptr;
    m_original->refresh();
    m_pretty->setVisible(hasText && m_form.canIndent);
    m_pretty->setChecked(indent() == Indent::Pretty);
    m_wrap->setVisible(hasText);
    m_wrap->setChecked(m_surface->isWrapping());
    m_bodyOrRaw->setVisible(block().isValid());
    m_edit->setVisible(block().isValid());

    const bool isFinding = hasText && m_surface->isFinding();
    m_matchCount->setVisible(isFinding);
    m_previousMatch->setVisible(isFinding && m_surface->matchCount() > 0);
    m_nextMatch->setVisible(isFinding && m_surface->matchCount() > 0);
    if (!isFinding)
        return;
    const size_t count = m_surface->matchCount();
    m_matchCount->setText(count == 0 ? tr("no match")
            : m_surface->currentMatch()
            ? tr("%1 of %2").arg(groupedText(*m_surface->currentMatch() + 1), groupedText(count))
            : groupedText(count));
}

void MessagePanel::refreshFind()
{
    if (const auto needles = searchedTexts(m_state.search())) {
        std::vector<std::string> texts;
        for (const core::Needle &needle : *needles)
            texts.push_back(needle.text());
        if (texts.size() > 1) { // where they stand beside each other they are one match
            std::string phrase = texts.front();
            for (size_t i = 1; i < texts.size(); ++i)
                phrase += ' ' + texts[i];
            texts.push_back(std::move(phrase));
        }
        m_surface->setFind(std::move(texts));
    }
    refreshControls();
}

void MessagePanel::waitForContent()
{
    const auto isBusy = [this] {
        return m_formJob.isRunning() || m_pictureJob.isRunning() || m_calls.isRunning() || m_saveJob.isRunning();
    };
    if (isBusy()) {
        QEventLoop loop;
        QTimer poll;
        connect(&poll, &QTimer::timeout, &loop, [&] {
            if (!isBusy())
                loop.quit();
        });
        poll.start(1ms);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
    m_surface->finish();
}

// Out

std::function<std::string()> MessagePanel::bytesShown() const
{
    return [body = bodyBlock(), isRaw = m_isRaw, whole = key().whole, own = key().own] {
        return own ? *own : bytesToSave(*body.first, body.second, isRaw, whole);
    };
}

void MessagePanel::copyAll()
{
    if (block().isValid())
        TextSurface::copyBytes(std::make_shared<const std::string>(bytesShown()()));
}

void MessagePanel::chooseFile()
{
    if (!block().isValid())
        return;
    auto *dialog = new QFileDialog(this, m_isRaw ? tr("Save Record As") : tr("Save Body As"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->selectFile(suggestedFileName(*m_state.shownSession(), block(), m_isRaw));
    connect(dialog, &QFileDialog::fileSelected, this, &MessagePanel::saveTo);
    dialog->open();
}

void MessagePanel::saveTo(const QString &path)
{
    if (!block().isValid())
        return;
    m_notice->hide();
    m_saveJob.start(
        this,
        [session = m_state.shownSession(), bytes = bytesShown(), path](
            core::Progress &) { return saveBytes(*session, bytes(), path); },
        [this, path](core::Result<void> result) {
            if (!result)
                return tell(QString::fromStdString(result.error().sentence()));
            Q_EMIT saved(path);
        });
}

bool MessagePanel::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest)
        update(); // the hairline moves with the parts above it
    return QWidget::event(event);
}

void MessagePanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state.theme().base);
    if (block().isValid())
        painter.fillRect(QRect(0, m_stack->y() - 1, width(), 1), m_state.theme().hairline);
}

PanelKind messagePanel()
{
    return { u"message"_s, MessagePanel::tr("Message"), Qt::BottomDockWidgetArea, Qt::Key_2, makePanel<MessagePanel>,
        { u"raw"_s } };
}

} // namespace ui
