// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/format.h"
#include "core/base/shell_word.h"
#include "core/base/visible.h"
#include "core/diff/unified_patch.h"
#include "core/findings/kinds.h"
#include "core/report/document_parts.h"
#include "core/report/loss_report.h"
#include "core/report/markup.h"
#include "core/report/report_words.h"
#include "core/report/session_report.h"
#include "core/report/show_drawing.h"
#include "core/session/slot_label.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace core {

namespace {

using Look = PageSpan::Look;

constexpr size_t kMostRows = 200;  ///< of a list about a compaction
constexpr size_t kMostNested = 12; ///< below one of them, as in the terminal

std::string callAnchor(uint32_t call) { return "call-" + std::to_string(call); }
std::string messageAnchor(MessageId message) { return "message-" + std::to_string(message.value()); }
std::string editAnchor(size_t edit) { return "edit-" + std::to_string(edit); }
std::string compactionAnchor(size_t number) { return "compaction-" + std::to_string(number); }
std::string numberOf(MessageId message) { return "#" + std::to_string(message.value()); }

PageText plain(std::string text) { return { { std::move(text) } }; }
PageText code(std::string text) { return { { std::move(text), Look::Code } }; }

/// The note of a line; the number of the message in it, or behind it, is the link.
void addNote(const std::string &note, const PageSpan &link, PageText &text)
{
    size_t at = link.text.empty() ? std::string::npos : note.find(link.text);
    if (at != std::string::npos && std::isdigit(static_cast<unsigned char>(note[at + link.text.size()])) != 0)
        at = std::string::npos; // `#12` in `#123`
    if (!note.empty())
        text.push_back({ " · " + note.substr(0, at), Look::Faint });
    if (link.text.empty())
        return;
    if (at == std::string::npos)
        text.push_back({ " · ", Look::Faint });
    text.push_back(link);
    if (at != std::string::npos)
        text.push_back({ note.substr(at + link.text.size()), Look::Faint });
}

std::vector<double> slotWeights(const Shown &shown)
{
    std::vector<double> weights;
    for (const Slot &slot : shown.transcript.slots())
        weights.push_back(shown.weights.of(shown.transcript, slot));
    return weights;
}

/// Builds the page of one session, section by section.
class SessionPage final {
public:
    SessionPage(
        const SessionReport &report, ReportTexts texts, const ReportPictures &pictures, const Redaction &redaction)
        : m_report(report)
        , m_session(*report.shown.session)
        , m_texts(texts)
        , m_pictures(pictures)
        , m_redaction(redaction)
    {
        m_command = "palimpsest " + shellWord(visibleText(report.file));
        if (const uint32_t thread = report.shown.position.thread.value(); thread > 0)
            m_command += " --thread " + std::to_string(thread);
    }

    Page make()
    {
        addHead();
        addFindings();
        addTimeline();
        addArray();
        addCompactions();
        addEdits();
        addNamed();
        return std::move(m_page);
    }

private:
    [[nodiscard]] bool hasTexts() const { return m_texts == ReportTexts::Included; }
    [[nodiscard]] const Thread &thread() const { return m_report.shown.thread(); }

    template <typename Content>
    void add(Content content, std::string place = {})
    {
        m_page.parts.push_back({ std::move(content), std::move(place) });
    }
    void say(std::string text) { add(PageParagraph { { { std::move(text), Look::Faint } } }); }
    void sayOpening(const std::string &what, const std::string &option)
    {
        add(PageParagraph { { { what + " opens in the program with ", Look::Faint },
            { m_command + " " + option, Look::Code }, { ".", Look::Faint } } });
    }

    /// A link to a message; its row is on the page, or will be below `Messages named above`.
    PageSpan linkTo(MessageId message)
    {
        m_named.insert(message);
        return { numberOf(message), Look::Plain, messageAnchor(message) };
    }

    void addHead();
    void addFindings();
    [[nodiscard]] PageItem itemOf(const Finding &finding);
    void addTimeline();
    [[nodiscard]] PageTable callTable() const;
    void addArray();
    [[nodiscard]] PageTable materialTable() const;
    [[nodiscard]] PageTable slotTable();
    [[nodiscard]] PageTable::Row slotRow(const Slot &slot, std::vector<PageText> cells, double bar);
    void addCompactions();
    void addLoss(const CompactionLoss &loss);
    [[nodiscard]] std::vector<PageItem> itemsOf(const std::vector<LossRow> &rows, size_t most, bool showsTexts);
    void addEdits();
    [[nodiscard]] PageFold foldOf(size_t number);
    /// That asks for the edit; of a change outside of the log the one that shows it.
    [[nodiscard]] MessageId messageOf(const Edit &edit) const
    {
        const BlockId block = edit.origin == EditOrigin::Outside ? edit.result : edit.use;
        return block.isValid() ? m_session.block(block).message : MessageId();
    }
    void addDiff(const Edit &edit, PageFold &fold);
    void addNamed();

    const SessionReport &m_report;
    const Session &m_session;
    ReportTexts m_texts;
    const ReportPictures &m_pictures;
    const Redaction &m_redaction;
    std::string m_command; ///< that opens the session
    Page m_page;
    std::set<MessageId> m_named; ///< that a link leads to
    std::set<MessageId> m_rows;  ///< that have a row
    size_t m_diffBytes = 0;
    size_t m_lossLines = 0;
};

void SessionPage::addHead()
{
    const std::string title = hasTexts() && !m_session.title.empty() ? snippet(m_session.title, 120) : m_report.file;
    m_page.title = title;
    add(PageHeading { 1, title, "top" }, "title");
    add(PageParagraph { { { m_report.file, Look::Faint }, { " · a report by Palimpsest", Look::Faint } } });
    add(PageParagraph {
        plain("This page is about one recorded session of a coding agent. With each call the agent sends "
              "a list of messages to the model: what the person typed, what the model answered, and what "
              "the tools returned. This list is the array. It grows until the agent's program (the "
              "harness) compacts it: then it removes messages or puts a summary in their place.") });
    PageTable table;
    table.columns = { { "" }, { "" } };
    const auto row = [&](std::string name, std::string value) {
        if (!value.empty())
            table.rows.push_back({ { { { std::move(name), Look::Faint } }, plain(std::move(value)) } });
    };
    const ArraySums &sums = *m_report.shown.threadSums;
    double peak = 0;
    for (const ArraySum &sum : sums.calls)
        peak = std::max(peak, sum.isRecorded() ? sum.recorded : 0);
    row("Harness", m_session.harness.empty() ? m_session.format : m_session.harness);
    row("Model", m_session.model);
    const bool isDerived = !thread().calls.empty() && thread().calls.front().isDerived;
    row("Calls", groupedNumber(thread().calls.size()) + (isDerived ? ", derived: the file records none" : ""));
    const std::string window
        = m_session.windowTokens ? groupedNumber(*m_session.windowTokens) + " tokens" : std::string("not known");
    if (peak > 0)
        row("Largest prompt",
            groupedNumber(static_cast<uint64_t>(peak)) + " tokens; the window of the model: " + window);
    else
        row("Array at the end", shown(sums.end.total()) + " tokens; the window of the model: " + window);
    std::string money = recordedMoney(*m_report.figures);
    if (const std::string subagents = m_report.figures->byThread.words(); !money.empty() && !subagents.empty())
        money += " · " + subagents;
    const std::string unpriced = m_report.figures->sessionCost.unpricedNames();
    const std::string reason = unpriced.empty() ? "no usage is recorded" : "no known price for " + unpriced;
    row("Cost", money.empty() ? "not known: " + reason : money);
    row("Compactions", m_report.losses.empty() ? "none is recorded" : compactionWords(m_report.losses));
    row("Typed messages", typedWords(m_report));
    row("To open it", m_command);
    table.rows.back().cells.back().front().look = Look::Code;
    add(std::move(table));
}

PageItem SessionPage::itemOf(const Finding &finding)
{
    PageItem item;
    const FindingKind *kind = findingKind(finding.kind);
    std::string what = hasTexts() || kind == nullptr
        ? finding.what
        : groupedNumber(finding.count) + " · " + std::string(kind->several);
    if (finding.thread.index() > 0)
        what += " (thread " + std::to_string(finding.thread.value()) + ")";
    item.text
        = { { std::string(nameOf(finding.rank)) + "  ", finding.rank == FindingRank::Lost ? Look::Hot : Look::Faint },
              { std::move(what), Look::Strong } };
    if (finding.tokens)
        item.text.push_back({ " · " + shown(*finding.tokens) + " tokens" });
    if (finding.money)
        item.text.push_back({ " · " + dollars(*finding.money) });
    PageText where;
    for (const WhereSegment &segment : whereSegments(m_session, finding)) {
        PageSpan span { segment.text };
        if (segment.link) {
            const FindingLink &link = finding.links[*segment.link];
            const bool isHere = finding.thread == m_report.shown.position.thread;
            if (link.target == FindingLink::Target::Block)
                span = linkTo(m_session.block(BlockId(link.number)).message);
            else if (link.target == FindingLink::Target::Edit)
                span.link = editAnchor(link.number);
            else if (isHere)
                span.link = link.target == FindingLink::Target::Call ? callAnchor(link.number)
                                                                     : compactionAnchor(link.number);
        }
        where.push_back(std::move(span));
    }
    // The last segment can quote a text.
    if (!hasTexts() && !finding.where.empty() && !where.empty())
        where.pop_back();
    if (!where.empty())
        item.items.push_back({ std::move(where) });
    if (!finding.help.empty())
        item.items.push_back({ plain("What would have helped: " + finding.help) });
    return item;
}

void SessionPage::addFindings()
{
    add(PageHeading { 2, "Findings", "findings" });
    const Findings &findings = m_report.findings.findings;
    if (findings.findings.empty()) {
        say("Nothing that the program looks for went wrong in this session.");
        return;
    }
    say("What went wrong, the most important first. “lost”: the model no longer had something that it may need. "
        "“costs”: tokens that were probably not needed, and their cost.");
    PageList list;
    for (const Finding &finding : findings.findings)
        list.items.push_back(itemOf(finding));
    add(std::move(list), "findings");
    for (const std::string &sentence : { moneySentence(findings), leftOutSentence(findings) }) {
        if (!sentence.empty())
            add(PageParagraph { plain(sentence + (sentence.ends_with('.') ? "" : ".")) }, "findings");
    }
}

PageTable SessionPage::callTable() const
{
    std::map<uint32_t, std::optional<double>> costs;
    for (const CallCost &cost : m_report.figures->sessionCost.calls) {
        if (cost.position.thread == m_report.shown.position.thread)
            costs[cost.position.call.value()] = cost.recorded;
    }
    PageTable table;
    table.columns = { { "call", true }, { "prompt", true }, { "from cache", true }, { "answer", true },
        { "cost", true }, { "time (UTC)" }, { "open" } };
    const std::vector<Call> &calls = thread().calls;
    for (size_t i = 0; i < std::min(calls.size(), kMostReportCalls); ++i) {
        const Call &call = calls[i];
        const auto cost = costs.find(static_cast<uint32_t>(i));
        const std::string number = std::to_string(i);
        table.rows.push_back({ { plain(number), plain(shown(m_report.shown.threadSums->calls[i].total())),
                                   plain(call.usage ? groupedNumber(call.usage->cacheRead) : "—"),
                                   plain(call.usage ? groupedNumber(call.usage->output) : "—"),
                                   plain(cost != costs.end() && cost->second ? dollars(*cost->second) : "—"),
                                   plain(call.time ? minuteText(*call.time) : "—"), code("--call " + number) },
            callAnchor(static_cast<uint32_t>(i)), "call " + number });
    }
    return table;
}

void SessionPage::addTimeline()
{
    add(PageHeading { 2, "Timeline", "timeline" });
    if (thread().calls.empty()) {
        say("The session has no calls.");
        return;
    }
    say("The size of the array at every call, in tokens. A number in a circle is a compaction, a triangle on the axis "
        "a "
        "clearing (single results were taken out; an open triangle: no record says so), an arrow a rewind. The band "
        "below: how much of each prompt the provider's cache held; a red mark is a broken cache. Dashes: estimated.");
    add(PagePicture { m_pictures.timeline, "Timeline: the size of the array at every call" });
    sayOpening("A call", "--call N");
    PageFold fold { plain("All " + counted(thread().calls.size(), "call")), "calls", {} };
    fold.parts.push_back({ callTable() });
    if (thread().calls.size() > kMostReportCalls)
        fold.parts.push_back({ PageParagraph {
            plain("The table ends here: " + counted(thread().calls.size() - kMostReportCalls, "more call") + ".") } });
    add(std::move(fold));
}

PageTable SessionPage::materialTable() const
{
    const Transcript &array = m_report.shown.transcript;
    std::array<double, kMaterialCount> sums {};
    std::array<size_t, kMaterialCount> counts {};
    for (const Slot &slot : array.slots()) {
        const auto material = static_cast<size_t>(materialOf(array, slot));
        sums[material] += m_report.shown.weights.of(array, slot);
        ++counts[material];
    }
    const double most = std::max(1.0, *std::ranges::max_element(sums));
    PageTable table;
    table.columns = { { "what it is" }, { "slots", true }, { "tokens", true } };
    for (size_t i = 0; i < kMaterialCount; ++i) {
        if (counts[i] == 0)
            continue;
        const std::string name(wordsOf(static_cast<Material>(i)).name);
        table.rows.push_back(
            { { plain(name), plain(groupedNumber(counts[i])), plain(m_report.shown.weights.shown(sums[i])) }, {}, {},
                sums[i] / most, "m" + std::to_string(i) });
    }
    return table;
}

PageTable::Row SessionPage::slotRow(const Slot &slot, std::vector<PageText> cells, double bar)
{
    m_rows.insert(slot.id);
    return { std::move(cells), messageAnchor(slot.id), numberOf(slot.id), bar,
        "m" + std::to_string(static_cast<size_t>(materialOf(m_report.shown.transcript, slot))) };
}

PageTable SessionPage::slotTable()
{
    const Transcript &array = m_report.shown.transcript;
    const std::vector<double> weights = slotWeights(m_report.shown);
    double most = 1;
    for (const double weight : weights)
        most = std::max(most, weight);
    PageTable table;
    table.columns = { { "slot", true }, { "message", true }, { "what" }, { "about", false, true }, { "open" },
        { "tokens", true } };
    if (!hasTexts())
        table.columns.erase(table.columns.begin() + 3);
    for (const size_t i : listedSlots(m_report.shown)) {
        const Slot &slot = array.slots()[i];
        const SlotLabel label = labelOf(array, slot);
        const HotBlock *hot = m_report.shown.hot.of(SlotIndex(i));
        PageText what = plain(label.text());
        if (hot != nullptr)
            what.push_back({ hasTexts() ? " · hot: " + hot->reason : std::string(" · hot"), Look::Hot });
        std::vector<PageText> cells { plain("[" + std::to_string(i) + "]"), plain(numberOf(slot.id)), std::move(what) };
        if (hasTexts())
            cells.push_back(plain(label.subject));
        cells.push_back(code("--message " + std::to_string(slot.id.value())));
        cells.push_back(plain(m_report.shown.weights.shown(weights[i], array.blocksOf(slot))));
        table.rows.push_back(slotRow(slot, std::move(cells), weights[i] / most));
    }
    return table;
}

void SessionPage::addArray()
{
    const Shown &shownArray = m_report.shown;
    const std::string name
        = shownArray.position.isEnd() ? "at the end" : "at call " + std::to_string(shownArray.position.call.value());
    add(PageHeading { 2, "The array " + name, "array" });
    const size_t count = shownArray.transcript.slotCount();
    const ArraySum &sum = shownArray.sum();
    std::string text = counted(count, "message") + " (slots), " + shown(sum.total()) + " tokens in all";
    text += ": the slots " + shownArray.weights.shown(sum.slots) + ", system prompt and tools "
        + shown({ sum.prelude, Basis::Estimated, 0 });
    if (sum.unloggedWithFraming() >= 0.5)
        text += ", sent but not in the file " + shown({ sum.unloggedWithFraming(), Basis::Estimated, 0 });
    text += ". Each piece is a slot, from the first to the last, as wide as it is heavy. “~” is an estimate, “±” a "
            "calibrated figure.";
    say(text);
    if (count == 0)
        return;
    add(PagePicture { m_pictures.array, "The slots of the array, as wide as they are heavy" });
    add(materialTable());
    sayOpening("A message", "--message N");
    PageTable table = slotTable();
    PageFold fold { plain(count > table.rows.size()
                            ? "The " + groupedNumber(table.rows.size()) + " heaviest slots of " + groupedNumber(count)
                            : "All " + counted(count, "slot")),
        "slots", {} };
    fold.parts.push_back({ std::move(table) });
    add(std::move(fold));
}

std::vector<PageItem> SessionPage::itemsOf(const std::vector<LossRow> &rows, size_t most, bool showsTexts)
{
    std::vector<PageItem> items;
    for (const LossRow &row : rows) {
        if (items.size() == most || m_lossLines >= kMostReportLosses) {
            items.push_back({ plain("and " + groupedNumber(rows.size() - items.size()) + " more") });
            break;
        }
        ++m_lossLines;
        PageText text;
        if (row.mark != LossRow::Mark::None)
            text.push_back(
                { std::string(signOf(row.mark)) + " ", row.mark == LossRow::Mark::Gone ? Look::Hot : Look::Plain });
        if (!row.figure.empty())
            text.push_back({ row.figure + " ", Look::Strong });
        PageSpan link;
        if (row.block.isValid() && m_session.block(row.block).message.isValid())
            link = linkTo(m_session.block(row.block).message);
        std::string place = link.text;
        if (showsTexts) {
            text.push_back({ row.text });
            addNote(row.note, link, text);
        } else if (!link.text.empty()) {
            text.push_back(std::move(link));
        }
        items.push_back({ std::move(text), hasTexts() ? itemsOf(row.rows, kMostNested, true) : std::vector<PageItem>(),
            std::move(place) });
    }
    return items;
}

void SessionPage::addLoss(const CompactionLoss &loss)
{
    const auto lists = lossLists(m_session, loss);
    const std::string place = lists[0].title;
    for (size_t i = 0; i < lists.size(); ++i) {
        const LossList &list = lists[i];
        if (i == 0) {
            add(PageHeading { 3, list.title + (list.detail.empty() ? "" : " · " + list.detail),
                    compactionAnchor(loss.number) },
                place);
            if (loss.call.isValid())
                sayOpening("The array before it", "--call " + std::to_string(loss.call.value()));
        } else {
            add(PageParagraph { { { list.title, Look::Strong },
                    { list.detail.empty() ? "" : " · " + list.detail, Look::Faint } } },
                place);
        }
        // The first list has sums in the program's words; rows of the others begin with texts.
        add(PageList { itemsOf(list.rows, kMostRows, hasTexts() || i == 0) }, place);
    }
}

void SessionPage::addCompactions()
{
    add(PageHeading { 2, "Compactions", "compactions" });
    if (m_report.losses.empty()) {
        say("No compaction is recorded: nothing was taken out of the array, as far as the file says.");
        return;
    }
    say("What each compaction kept and lost. ✓ is still in the array word for word, ◐ in part, ✗ gone, ? not known.");
    for (const CompactionLoss &loss : m_report.losses)
        addLoss(loss);
}

/// The bodies are masked as a whole, so that no line of a key is missed.
void SessionPage::addDiff(const Edit &edit, PageFold &fold)
{
    if (edit.outcome == EditOutcome::Failed || edit.outcome == EditOutcome::Interrupted)
        return fold.parts.push_back({ PageParagraph { plain("It changed nothing.") } });
    const auto bodyOf = [&](const FileBody &body) -> std::optional<std::string> {
        return body.isAbsent ? std::nullopt : std::optional(m_redaction.masked(body.text.readable()));
    };
    const auto before = bodyOf(edit.before);
    const auto after = bodyOf(edit.after);
    if (!before && !after)
        return fold.parts.push_back({ PageParagraph { plain("The file does not exist, before and after.") } });
    const auto patch = unifiedPatch("file", before, after);
    if (!patch || patch->empty())
        return fold.parts.push_back({ PageParagraph { plain("The file shows no difference.") } });
    // Without the lines with names: the title has them.
    size_t at = patch->find("\n@@");
    if (at == std::string::npos)
        return fold.parts.push_back({ PageParagraph { plain("The diff has no lines of text.") } });
    ++at;
    PageDiff diff;
    size_t written = 0;
    while (at < patch->size()) {
        const size_t end = std::min(patch->find('\n', at), patch->size());
        std::string line = patch->substr(at, end - at);
        const size_t cost = escapedMarkup(line).size() + 24;
        if (written + cost > kMostReportDiff || m_diffBytes + cost > kMostReportDiffs)
            break;
        written += cost;
        m_diffBytes += cost;
        diff.lines.push_back(std::move(line));
        at = end + 1;
    }
    if (!diff.lines.empty())
        fold.parts.push_back({ std::move(diff) });
    if (at < patch->size())
        fold.parts.push_back({ PageParagraph {
            plain("The diff is cut here: " + counted(patch->size() - at, "byte") + " are left out.") } });
}

PageFold SessionPage::foldOf(size_t number)
{
    const Edit &edit = m_report.edits.edits.edits[number];
    const MessageId message = messageOf(edit);
    PageFold fold;
    fold.anchor = editAnchor(number);
    const std::string counts = (edit.isCountKnown ? "" : "at least ") + formatted("+{} −{}", edit.added, edit.removed);
    fold.title = { { "edit " + std::to_string(number) + " · ", Look::Faint } };
    fold.title.push_back(hasTexts() ? PageSpan { visibleText(edit.path) } : PageSpan { "a file" });
    fold.title.push_back({ " · " + counts, Look::Faint });
    PageText opening { { "Opens with ", Look::Faint },
        { m_command + " --edit " + std::to_string(number), Look::Code } };
    if (message.isValid()) {
        opening.push_back({ " · message " });
        opening.push_back(linkTo(message));
    }
    if (edit.call.isValid() && edit.thread == m_report.shown.position.thread) {
        opening.push_back({ " · call " });
        opening.push_back({ std::to_string(edit.call.value()), Look::Plain, callAnchor(edit.call.value()) });
    }
    if (hasTexts())
        fold.parts.push_back({ PageParagraph { plain(editSentence(m_report.edits, number)) } });
    fold.parts.push_back({ PageParagraph { std::move(opening) } });
    if (hasTexts())
        addDiff(edit, fold);
    return fold;
}

void SessionPage::addEdits()
{
    const std::vector<Edit> &edits = m_report.edits.edits.edits;
    add(PageHeading { 2, "Edits", "edits" });
    if (edits.empty()) {
        say("The session has no changes to files.");
        return;
    }
    say(counted(edits.size(), "change")
        + " of files, in the order of the session, subagents included. The diffs are "
          "rebuilt from what the session shows; they are not compared with files of this computer.");
    for (size_t i = 0; i < std::min(edits.size(), kMostReportEdits); ++i) {
        const MessageId message = messageOf(edits[i]);
        const std::string place
            = "edit " + std::to_string(i) + (message.isValid() ? " (" + numberOf(message) + ")" : "");
        add(foldOf(i), place);
    }
    if (edits.size() > kMostReportEdits)
        say("The list ends here: " + counted(edits.size() - kMostReportEdits, "more edit") + ".");
}

/// Messages that links lead to and that the table of slots does not have.
void SessionPage::addNamed()
{
    PageTable table;
    table.columns = { { "message", true }, { "what" }, { "about", false, true }, { "open" } };
    if (!hasTexts())
        table.columns.erase(table.columns.begin() + 2);
    for (const MessageId id : m_named) {
        if (m_rows.contains(id) || id.index() >= m_session.messages.size() || m_session.message(id).count == 0)
            continue;
        const SlotLabel label = labelOf(m_session, m_session.block(m_session.message(id).first));
        std::vector<PageText> cells { plain(numberOf(id)), plain(label.text()) };
        if (hasTexts())
            cells.push_back(plain(label.subject));
        cells.push_back(code("--message " + std::to_string(id.value())));
        table.rows.push_back({ std::move(cells), messageAnchor(id), numberOf(id) });
    }
    if (table.rows.empty())
        return;
    add(PageHeading { 2, "Other messages named above", "messages" });
    say("They are not among the slots of the array that this page shows.");
    add(std::move(table));
}

} // namespace

std::vector<size_t> listedSlots(const Shown &shown)
{
    const std::vector<double> weights = slotWeights(shown);
    std::vector<size_t> listed(weights.size());
    std::iota(listed.begin(), listed.end(), size_t(0));
    std::ranges::stable_sort(listed, std::greater(), [&](size_t i) { return weights[i]; });
    listed.resize(std::min(listed.size(), kMostReportSlots));
    std::ranges::sort(listed);
    return listed;
}

Page pageOf(const SessionReport &report, ReportTexts texts, const ReportPictures &pictures, Redaction &redaction)
{
    Page page = SessionPage(report, texts, pictures, redaction).make();
    visitTexts(page, [&](std::string &text, const std::string &place) { text = redaction.masked(text, place); });
    page.parts.push_back(reportFoot(texts, redaction.places()));
    resolveLinks(page);
    return page;
}

} // namespace core
