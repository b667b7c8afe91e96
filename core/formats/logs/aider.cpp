// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The chat history that Aider writes in Markdown. Source: two histories of 2025.
//
//     # aider chat started at 2025-10-20 21:49:17
//     #### a prompt; each of its lines has these marks
//     > what Aider prints
//     and the answer.

#include "core/base/text.h"
#include "core/base/text_lines.h"
#include "core/base/time_text.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/thread_log.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace core {

namespace {

constexpr std::string_view kStart = "# aider chat started at ";
constexpr std::string_view kPrompt = "####";

/// One chat: what is between two starts of Aider.
struct AiderChat {
    ThreadLog log;
    std::string start;
    StringId model;
};

/// Reads the lines of a history. A prompt was sent if an answer follows it; a prompt that begins with `/` is a command,
/// and most commands are not sent. What Aider prints is no part of the array.
class AiderReader final {
public:
    AiderReader(SessionBuilder &builder, SourceId source)
        : m_builder(builder)
        , m_source(source)
        , m_bytes(builder.sourceBytes(source))
    {
    }

    void read()
    {
        const TextLines lines(m_bytes);
        for (size_t i = 0; i < lines.count(); ++i) {
            const std::string_view line = lines.span(i).of(m_bytes);
            m_line = i + 1;
            if (line.starts_with(kStart)) {
                endAnswer();
                endPrompt(false);
                m_chats.emplace_back().start = withoutBlanks(line.substr(kStart.size()));
            } else if (line.starts_with("#### ") || withoutBlanks(line) == kPrompt) {
                endAnswer();
                addPromptLine(line);
            } else if (line.starts_with('>')) {
                addPrinted(line);
            } else if (withoutBlanks(line).empty()) {
                m_isPromptOpen = false;
            } else {
                addAnswerLine(line);
            }
        }
        endAnswer();
        endPrompt(false);
    }

    /// Adds the chats with messages as threads, the last one first.
    [[nodiscard]] bool write()
    {
        std::erase_if(m_chats, [](const AiderChat &each) { return each.log.isEmpty(); });
        const ThreadKind kind = m_chats.size() > 1 ? ThreadKind::Run : ThreadKind::Main;
        for (auto each = m_chats.rbegin(); each != m_chats.rend(); ++each)
            each->log.write(m_builder, m_builder.addThread(kind, each->start, each->start));
        return !m_chats.empty();
    }

private:
    AiderChat &chat()
    {
        if (m_chats.empty())
            m_chats.emplace_back(); // the file begins within a chat
        return m_chats.back();
    }

    void addPromptLine(std::string_view line)
    {
        if (!m_isPromptOpen)
            endPrompt(false);
        m_isPromptOpen = true;
        if (m_prompt.empty())
            m_promptLine = m_line;
        m_prompt.push_back(line);
    }

    void addPrinted(std::string_view line)
    {
        m_isPromptOpen = false;
        const std::string_view words = withoutBlanks(line.substr(1));
        for (const std::string_view label : { "Main model: ", "Model: " }) {
            if (words.starts_with(label))
                chat().model = m_builder.intern(words.substr(label.size(), words.find(" with ") - label.size()));
        }
        if (words.starts_with("Tokens: ")) // ends each answer
            endAnswer();
        m_printed += line.size();
    }

    void addAnswerLine(std::string_view line)
    {
        m_isPromptOpen = false;
        if (m_answer.empty())
            m_answerLine = m_line;
        else
            m_printed = 0; // lines between those of an answer belong to it
        const char *begin = m_answer.empty() ? line.data() : m_answer.data();
        const std::string_view text = line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
        m_answer = { begin, static_cast<size_t>(text.data() + text.size() - begin) };
    }

    void endAnswer()
    {
        m_builder.session().sideBytes += std::exchange(m_printed, 0);
        if (m_answer.empty())
            return;
        endPrompt(true);
        LoggedMessage message;
        message.draft.role = Role::Assistant;
        message.draft.line = m_answerLine;
        message.draft.model = chat().model;
        message.isResponse = true;
        message.draft.blocks.push_back(blockOf(m_builder.plainBody(m_source, m_answer), m_answer, m_answerLine));
        chat().log.add(std::move(message));
        m_answer = {};
    }

    void endPrompt(bool isAnswered)
    {
        const std::vector<std::string_view> lines = std::exchange(m_prompt, {});
        if (lines.empty())
            return;
        std::string text;
        for (const std::string_view line : lines)
            text += (text.empty() ? "" : "\n") + std::string(wordsOf(line));
        if (!isAnswered && (text.starts_with('/') || text.empty())) {
            m_builder.session().sideBytes += text.size();
            return;
        }
        LoggedMessage message;
        message.draft.line = m_promptLine;
        if (lines.size() == 1) {
            const std::string_view words = wordsOf(lines.front());
            message.draft.blocks.push_back(blockOf(m_builder.plainBody(m_source, words), words, m_promptLine));
        } else {
            // The marks of its lines are no part of a prompt: its text is not in the file as it is.
            const Body body = m_builder.ownedBody(text, "a prompt of Aider");
            Block block = m_builder.makeBlock(BlockKind::Text, body);
            block.recordLine = m_promptLine;
            block.recordSize = text.size();
            message.draft.blocks.push_back(block);
        }
        message.draft.blocks.back().set(BlockFlag::Typed);
        chat().log.add(std::move(message));
    }

    /// A prompt's line without its marks, and without the blanks that break lines in Markdown.
    static std::string_view wordsOf(std::string_view line)
    {
        std::string_view words = line.substr(std::min(line.size(), kPrompt.size()));
        if (words.starts_with(' '))
            words.remove_prefix(1);
        return words.substr(0, words.find_last_not_of(" \t\r\n") + 1);
    }

    [[nodiscard]] Block blockOf(const Body &body, std::string_view record, uint64_t line) const
    {
        Block block = m_builder.makeBlock(BlockKind::Text, body);
        block.recordLine = line;
        block.recordOffset = static_cast<uint64_t>(record.data() - m_bytes.data());
        block.recordSize = record.size();
        return block;
    }

    SessionBuilder &m_builder;
    SourceId m_source;
    std::string_view m_bytes;
    std::deque<AiderChat> m_chats;
    std::vector<std::string_view> m_prompt; ///< lines of the prompt that is not in the log yet
    std::string_view m_answer;
    uint64_t m_printed = 0; ///< bytes of lines that Aider printed behind the answer
    uint64_t m_line = 0;
    uint64_t m_promptLine = 0;
    uint64_t m_answerLine = 0;
    bool m_isPromptOpen = false; ///< the line before was one of the prompt
};

/// The source, or a copy without the bytes that are not UTF-8.
SourceId readableSource(SessionBuilder &builder, SourceId source, const std::string &name)
{
    const std::string_view bytes = builder.sourceBytes(source);
    if (isValidUtf8(bytes))
        return source;
    std::string copy(bytes);
    const TextLines lines(bytes);
    for (size_t i = 0; i < lines.count(); ++i) {
        const ByteSpan span = lines.span(i);
        if (isValidUtf8(span.of(bytes)))
            continue;
        std::replace_if(
            copy.begin() + static_cast<std::ptrdiff_t>(span.begin),
            copy.begin() + static_cast<std::ptrdiff_t>(span.end),
            [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
        builder.warn(i + 1, "The line holds bytes that are not UTF-8; a question mark stands for each.");
    }
    return builder.addSource(Source::own(std::move(copy), name));
}

Result<SessionPtr> readAider(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = readableSource(builder, builder.addSource(context.source), context.name());
    setFormat(builder.session(), kAider);
    builder.session().harness = "Aider";
    AiderReader reader(builder, source);
    reader.read();
    if (!reader.write()) {
        return failure(
            ErrorKind::Malformed, "This chat history of Aider has no prompt that was sent to a model.", context.name());
    }
    setTypedTitle(builder);
    builder.note(0,
        "Aider records neither the files of a chat nor its map of the repository nor the system prompt: what it sent "
        "was larger than what is shown.");
    return builder.finish();
}

Likeness sniffAider(const Sample &sample)
{
    constexpr size_t kLooked = 4096;
    const std::string_view head = sample.head.substr(0, kLooked);
    const size_t at = head.find(kStart);
    const bool isLine = at != std::string_view::npos && (at == 0 || head[at - 1] == '\n');
    return isLine ? Likeness::Certain : Likeness::No;
}

} // namespace

const Format kAider { "aider", "Aider chat history",
    ".aider.chat.history.md in the repository: prompts and answers; Palimpsest cannot export to this format",
    sniffAider, openWhole<readAider>, {} };

} // namespace core
