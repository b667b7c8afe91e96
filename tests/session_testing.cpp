// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/session_testing.h"

#include "core/base/text.h"
#include "core/session/transcript.h"
#include "tests/session_text.h"
#include "tests/sourcedir.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

using namespace core;

namespace testing {

namespace {

std::string_view nameOf(Role role)
{
    static constexpr std::array<std::string_view, 4> kNames { "system", "user", "assistant", "tool" };
    return kNames[static_cast<size_t>(role)];
}

std::string_view nameOf(BlockKind kind)
{
    static constexpr std::array<std::string_view, 7> kNames { "text", "thinking", "call", "result", "image", "document",
        "opaque" };
    return kNames[static_cast<size_t>(kind)];
}

std::string describe(const Session &session, const Block &block)
{
    static constexpr std::array<std::pair<BlockFlag, std::string_view>, 9> kFlags { { { BlockFlag::Typed, "typed" },
        { BlockFlag::Injected, "injected" }, { BlockFlag::Summary, "summary" }, { BlockFlag::Error, "error" },
        { BlockFlag::Encrypted, "encrypted" }, { BlockFlag::CacheMark, "mark" }, { BlockFlag::Stub, "stub" },
        { BlockFlag::Tools, "tools" }, { BlockFlag::TypedPart, "typed part" } } };
    std::string text(nameOf(block.kind));
    for (const auto &[flag, word] : kFlags)
        text += block.is(flag) ? "+" + std::string(word) : "";
    if (block.name.isValid())
        text += " " + std::string(session.string(block.name));
    if (block.callId.isValid())
        text += "#" + std::string(session.string(block.callId));
    return text + " \"" + session.text(block.body) + "\"";
}

bool isInPool(const Session &session, const BlockRanges &ranges)
{
    bool isInside = true;
    ranges.forEachRange([&](BlockRange range) {
        isInside = isInside && range.begin < range.end && range.end <= session.blocks.size();
    });
    return isInside;
}

std::string brokenBody(const Session &session, const Block &block)
{
    const Body &body = block.body;
    if (body.coding == Coding::Empty)
        return body.lengths == TextLengths() ? "" : "An empty body has a length.";
    if (body.source.index() >= session.sources.size())
        return "A body's source does not exist.";
    const uint64_t size = session.sources[body.source.index()]->bytes().size();
    if (body.offset > size || body.size > size - body.offset)
        return "A body lies outside of its source.";
    if (block.recordOffset > size || block.recordSize > size - block.recordOffset)
        return "A record lies outside of its source.";
    const bool isOfReader = block.is(BlockFlag::Stub) && block.recordSize == 0; // its own words
    const bool isInside
        = body.offset >= block.recordOffset && body.offset + body.size <= block.recordOffset + block.recordSize;
    if (!isInside && !isOfReader)
        return "A body lies outside of its record.";
    const std::string text = session.text(body);
    TextLengths lengths = body.coding == Coding::Base64 ? TextLengths { 0, 0, text.size() } : textLengths(text);
    if (lengths != body.lengths)
        return "A text is not as long as stored: " + snippet(text, 60);
    if (block.kind == BlockKind::ToolCall)
        lengths += textLengths(session.string(block.name));
    return lengths == block.lengths ? "" : "A block does not weigh what its body and name do: " + snippet(text, 60);
}

std::string brokenResult(const Session &session)
{
    for (const Thread &thread : session.threads) {
        std::set<StringId> calls;
        std::optional<std::string> broken;
        thread.end.forEach([&](BlockId id) {
            const Block &block = session.block(id);
            if (block.kind == BlockKind::ToolCall)
                calls.insert(block.callId);
            // Genkit's results need no id, and its reader does not say that one lacks it.
            else if (block.kind == BlockKind::ToolResult && !calls.contains(block.callId)
                && !(session.format == "genkit" && session.string(block.callId).empty()))
                broken = session.string(block.callId);
        });
        if (!broken)
            continue;
        const bool isSaid = std::ranges::any_of(session.diagnostics, [&](const Diagnostic &each) {
            return each.reason.find(broken->empty() ? "tool result" : *broken) != std::string::npos
                || each.reason.find("more results have no call") != std::string::npos;
        });
        if (!isSaid)
            return "No call stands before the result of \"" + *broken + "\", and no diagnostic says so.";
    }
    return {};
}

} // namespace

namespace {

/// Compares what a session holds, field by field, and remembers where the first difference is.
class Comparison final {
public:
    Comparison(const Session &a, const Session &b)
        : m_a(a)
        , m_b(b)
    {
    }

    std::string run()
    {
        same("format", m_a.format, m_b.format);
        same("harness", m_a.harness, m_b.harness);
        same("model", m_a.model, m_b.model);
        same("title", m_a.title, m_b.title);
        same("working folder", m_a.workingFolder, m_b.workingFolder);
        same("window", m_a.windowTokens, m_b.windowTokens);
        same("traits", m_a.traits, m_b.traits);
        same("records", m_a.recordCount, m_b.recordCount);
        same("side bytes", m_a.sideBytes, m_b.sideBytes);
        same("diagnostics", diagnosticsOf(m_a), diagnosticsOf(m_b));
        each("source", m_a.sources, m_b.sources, [this](const SourcePtr &x, const SourcePtr &y) {
            same("name", x->name(), y->name());
            same("bytes", x == m_a.sources.front() || x->bytes() == y->bytes(), true);
        });
        each("block", m_a.blocks, m_b.blocks, [this](const Block &x, const Block &y) { block(x, y); });
        each("message", m_a.messages, m_b.messages, [this](const Message &x, const Message &y) { message(x, y); });
        each("thread", m_a.threads, m_b.threads, [this](const Thread &x, const Thread &y) { thread(x, y); });
        return m_difference;
    }

private:
    template <typename T>
    void same(std::string_view what, const T &x, const T &y)
    {
        if (m_difference.empty() && !(x == y))
            m_difference = m_where + std::string(what) + shown(x, y);
    }
    template <typename T>
    static std::string shown(const T &x, const T &y)
    {
        if constexpr (std::is_convertible_v<T, std::string_view>)
            return ": " + std::string(x) + " | " + std::string(y);
        else if constexpr (std::is_integral_v<T>)
            return ": " + std::to_string(x) + " | " + std::to_string(y);
        else
            return " differs";
    }
    void name(std::string_view what, StringId x, StringId y) { same(what, m_a.string(x), m_b.string(y)); }

    template <typename T, typename Compare>
    void each(std::string_view what, const std::vector<T> &x, const std::vector<T> &y, Compare &&compare)
    {
        same(std::string(what) + " count", x.size(), y.size());
        const std::string outer = m_where;
        for (size_t i = 0; i < x.size() && m_difference.empty(); ++i) {
            m_where = outer + std::string(what) + " " + std::to_string(i) + ": ";
            compare(x[i], y[i]);
        }
        m_where = outer;
    }

    void block(const Block &x, const Block &y)
    {
        same("kind", x.kind, y.kind);
        same("flags", x.flags, y.flags);
        same("source", x.body.source, y.body.source);
        same("coding", x.body.coding, y.body.coding);
        same("offset", x.body.offset, y.body.offset);
        same("size", x.body.size, y.body.size);
        same("body's lengths", x.body.lengths, y.body.lengths);
        same("lengths", x.lengths, y.lengths);
        name("name", x.name, y.name);
        name("call id", x.callId, y.callId);
        name("subject", x.subject, y.subject);
        same("message", x.message, y.message);
        same("hash", x.content, y.content);
        same("side bytes", x.sideBytes, y.sideBytes);
        same("line", x.recordLine, y.recordLine);
        same("record", x.recordOffset, y.recordOffset);
        same("record size", x.recordSize, y.recordSize);
    }
    void message(const Message &x, const Message &y)
    {
        same("role", x.role, y.role);
        same("first block", x.first, y.first);
        same("block count", x.count, y.count);
        same("line", x.line, y.line);
        same("time", x.time, y.time);
        name("id", x.externalId, y.externalId);
        name("model", x.model, y.model);
        same("thread", x.thread, y.thread);
    }
    void thread(const Thread &x, const Thread &y)
    {
        same("kind", x.kind, y.kind);
        same("id", x.id, y.id);
        same("title", x.title, y.title);
        same("starter", x.parentCall, y.parentCall);
        same("end", x.end, y.end);
        same("prelude", x.prelude, y.prelude);
        each("call", x.calls, y.calls, [this](const Call &a, const Call &b) { call(a, b); });
        each("compaction", x.compactions, y.compactions,
            [this](const RecordedCompaction &a, const RecordedCompaction &b) { compaction(a, b); });
    }
    void call(const Call &x, const Call &y)
    {
        same("input", x.input, y.input);
        same("output", x.output, y.output);
        same("prelude", x.prelude, y.prelude);
        same("usage", x.usage, y.usage);
        same("time", x.time, y.time);
        name("model", x.model, y.model);
        name("response", x.responseId, y.responseId);
        same("derived", x.isDerived, y.isDerived);
        same("line", x.line, y.line);
    }
    void compaction(const RecordedCompaction &x, const RecordedCompaction &y)
    {
        same("kind", x.kind, y.kind);
        same("call", x.call, y.call);
        same("trigger", x.trigger, y.trigger);
        same("before", x.before, y.before);
        same("after", x.after, y.after);
        same("tokens before", x.beforeTokens, y.beforeTokens);
        same("tokens after", x.afterTokens, y.afterTokens);
        same("line", x.line, y.line);
        each("figure", x.figures, y.figures, [this](const RecordedFigure &a, const RecordedFigure &b) {
            same("name", a.name, b.name);
            same("value", a.value, b.value);
        });
    }

    const Session &m_a;
    const Session &m_b;
    std::string m_where;
    std::string m_difference;
};

} // namespace

std::string differenceOf(const Session &a, const Session &b) { return Comparison(a, b).run(); }

Result<SessionPtr> load(std::string text) { return loadSession(Source::own(std::move(text), "document")); }

SessionPtr sound(const std::string &text)
{
    const auto session = load(text);
    if (!session)
        qFatal("%s", session.error().sentence().c_str());
    const std::string broken = brokenRule(**session);
    if (!broken.empty())
        qFatal("%s", broken.c_str());
    return *session;
}

std::string problemOfGrowing(const Format &format, const std::string &whole)
{
    const SessionPtr expected = sound(whole);
    for (size_t cut = 100; cut < whole.size(); cut += 37) {
        const auto reader = format.open({});
        if (!reader->append(Source::own(whole.substr(0, cut), "document")))
            return "the first append failed";
        [[maybe_unused]] const auto soFar = reader->snapshot(); // must not disturb what comes
        if (!reader->append(Source::own(whole, "document")))
            return "the second append failed";
        const auto grown = reader->end();
        if (!grown)
            return grown.error().message;
        if (std::string difference = differenceOf(**grown, *expected); !difference.empty())
            return difference;
    }
    return {};
}

std::string formatOf(const std::string &text)
{
    const auto format = recognise(text, "document");
    return format ? std::string((*format)->id) : std::string();
}

std::string describe(const Session &session, size_t thread)
{
    std::string text;
    MessageId previous;
    session.threads.at(thread).end.forEach([&](BlockId id) {
        const Block &block = session.block(id);
        if (block.message != previous) {
            text += (text.empty() ? "" : "} ") + std::string(nameOf(session.message(block.message).role)) + "{";
            previous = block.message;
        } else {
            text += ", ";
        }
        text += describe(session, block);
    });
    return text.empty() ? text : text + "}";
}

std::string diagnosticsOf(const Session &session)
{
    std::string text;
    for (const Diagnostic &each : session.diagnostics)
        text += std::to_string(each.line) + ": " + each.reason + "\n";
    return text;
}

std::string brokenRule(const Session &session)
{
    uint64_t sideBytes = 0;
    for (const Block &block : session.blocks) {
        std::string broken = brokenBody(session, block);
        if (!broken.empty())
            return broken;
        if (!block.message.isValid() || block.message.index() >= session.messages.size())
            return "A block belongs to no message.";
        sideBytes += block.sideBytes;
    }
    if (sideBytes > session.sideBytes)
        return "The side bytes of the blocks are not in those of the session.";
    uint32_t next = 0;
    const auto skipStubs = [&](uint32_t end) { // they are beside their messages
        while (next < end && session.blocks[next].is(BlockFlag::Stub))
            ++next;
    };
    for (const Message &message : session.messages) {
        skipStubs(std::min(message.first.value(), static_cast<uint32_t>(session.blocks.size())));
        const bool mayBeEmpty = message.role == Role::Assistant; // a response of which nothing was logged
        if (message.first.value() != next || (message.count == 0 && !mayBeEmpty))
            return "The messages do not cover the pool.";
        for (uint32_t i = 0; i < message.count; ++i, ++next) {
            if (next >= session.blocks.size() || session.message(session.blocks[next].message).first != message.first)
                return "A block does not belong to the message that covers it.";
        }
    }
    skipStubs(static_cast<uint32_t>(session.blocks.size()));
    if (next != session.blocks.size())
        return "A block is covered by no message.";
    if (session.threads.empty())
        return "There is no thread.";
    for (const Thread &thread : session.threads) {
        if (!isInPool(session, thread.end))
            return "The array at the end is not in the pool.";
        for (const Call &call : thread.calls) {
            if (!isInPool(session, call.input) || call.output.end > session.blocks.size())
                return "A call is not in the pool.";
            if (call.prelude && call.prelude->end > session.blocks.size())
                return "A prelude is not in the pool.";
        }
        for (const RecordedCompaction &each : thread.compactions) {
            if (!isInPool(session, each.before) || !isInPool(session, each.after))
                return "A compaction is not in the pool.";
        }
    }
    return brokenResult(session);
}

size_t slotsAtEnd(const SessionPtr &session, size_t thread)
{
    return Transcript(session, session->threads.at(thread).end).slotCount();
}

size_t slotsInLife(const SessionPtr &session, size_t thread)
{
    std::set<MessageId> messages;
    const auto add = [&](BlockId id) { messages.insert(session->block(id).message); };
    for (const Call &call : session->threads.at(thread).calls) {
        call.input.forEach(add);
        for (uint32_t i = call.output.begin; i < call.output.end; ++i)
            add(BlockId(i));
    }
    session->threads[thread].end.forEach(add);
    return messages.size();
}

std::filesystem::path corpus()
{
    const char *named = std::getenv("PALIMPSEST_CORPUS");
    const std::filesystem::path path = named != nullptr
        ? std::filesystem::path(named)
        : std::filesystem::path(PALIMPSEST_SOURCE_DIR) / ".." / "shared" / "corpus";
    return std::filesystem::is_directory(path) ? path : std::filesystem::path();
}

std::vector<std::string> corpusFiles(const std::vector<std::string> &folders)
{
    std::vector<std::string> files;
    const std::filesystem::path root = corpus();
    if (root.empty())
        return files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(root)) {
        const std::filesystem::path relative = entry.path().lexically_relative(root);
        const std::string folder = relative.begin()->string();
        const bool isWanted = folders.empty() || std::ranges::find(folders, folder) != folders.end();
        if (isWanted && entry.is_regular_file() && relative.has_parent_path())
            files.push_back(relative.string());
    }
    std::ranges::sort(files);
    return files;
}

std::ifstream independentTable(const char *name)
{
    std::ifstream table(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests" / "independent" / name);
    std::string head;
    std::getline(table, head);
    return table;
}

std::vector<Expected> expectedOf(const std::string &file)
{
    std::ifstream table(std::filesystem::path(PALIMPSEST_SOURCE_DIR) / "tests" / "independent" / "expected.tsv");
    const auto split = [](const std::string &line) {
        std::vector<std::string> cells;
        std::istringstream words(line);
        for (std::string cell; std::getline(words, cell, '\t');)
            cells.push_back(cell);
        return cells;
    };
    std::string line;
    std::getline(table, line);
    const std::vector<std::string> head = split(line);
    std::vector<Expected> rows;
    while (std::getline(table, line)) {
        const std::vector<std::string> cells = split(line);
        if (cells.size() != head.size() || (cells[0] != file && !cells[0].starts_with(file + "#")))
            continue;
        Expected row { cells[1], {} };
        for (size_t i = 2; i < head.size(); ++i)
            row.numbers[head[i]] = std::stoul(cells[i]);
        rows.push_back(std::move(row));
    }
    return rows;
}

void addCorpusRows(uint64_t oneIn)
{
    QTest::addColumn<QString>("file");
    std::mt19937_64 random = seededRandom();
    const bool all = qEnvironmentVariableIsSet("PALIMPSEST_ALL_CASES");
    const std::vector<std::string> files = corpusFiles();
    for (const std::string &file : files) {
        if (all || random() % oneIn == 0)
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
    if (files.empty())
        QTest::newRow("no corpus") << QString();
}

QString samplePath(const QString &name)
{
    return QString::fromUtf8(PALIMPSEST_SOURCE_DIR) + QStringLiteral("/resources/samples/") + name;
}

} // namespace testing
