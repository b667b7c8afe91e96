// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "generate.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

namespace bench {

namespace {

constexpr size_t kLongestPiece = 60'000;

class Writer final {
public:
    Writer(std::ofstream &out, const std::vector<std::string> &texts, uint32_t seed, double scale = 1)
        : m_out(out)
        , m_texts(texts)
        , m_scale(scale)
        , m_random(seed)
    {
    }

    /// One turn step: the agent calls a tool, the result comes back.
    void step()
    {
        if (m_generated.calls % 40 == 0) {
            const std::string prompt = piece(60, 900);
            record("user", R"("message":{"role":"user","content":)" + quoted(prompt) + "}");
            // A prompt that follows tool results stands in one slot with them.
            m_generated.slots += m_generated.calls == 0 ? 1 : 0;
        }
        const uint32_t kind = pick(100);
        const std::string id = "toolu_" + std::to_string(m_generated.calls);
        std::string name;
        std::string input;
        std::string result;
        std::string side;
        std::string inputText;
        if (kind < 45) {
            name = "Read";
            input = R"({"file_path":"/home/user/project/src/file)" + std::to_string(pick(200)) + R"(.cpp"})";
            result = numbered(piece(800, 14000));
            side = R"({"type":"text","file":{"filePath":"x","content":)" + quoted(result) + "}}";
        } else if (kind < 70) {
            name = "Bash";
            input = R"({"command":"grep -rn pattern src | head -50","description":"Search"})";
            result = piece(200, 6000);
            side = R"({"stdout":)" + quoted(result) + R"(,"stderr":"","interrupted":false,"isImage":false})";
        } else if (kind < 92) {
            name = "Edit";
            inputText = piece(200, 2400);
            input = R"({"file_path":"/home/user/project/src/a.cpp","old_string":)" + quoted(inputText)
                + R"(,"new_string":)" + quoted(piece(200, 2400)) + "}";
            result = "The file /home/user/project/src/a.cpp has been updated.\n" + numbered(piece(300, 1500));
            side = R"({"filePath":"x","originalFile":)" + quoted(piece(2000, static_cast<uint32_t>(kLongestPiece)))
                + R"(,"structuredPatch":[]})";
        } else {
            name = "Write";
            input = R"({"file_path":"/home/user/project/src/b.cpp","content":)" + quoted(piece(1000, 12000)) + "}";
            result = "File created successfully at: /home/user/project/src/b.cpp";
            side = R"({"type":"create","filePath":"x","content":"","structuredPatch":[],"originalFile":null})";
        }
        const std::string message = "msg_" + std::to_string(m_generated.calls);
        const std::string said = piece(40, 700);
        const auto response = [&](const std::string &block) {
            record("assistant",
                R"("message":{"model":"claude-opus-4-5-20251101","id":")" + message
                    + R"(","type":"message","role":"assistant","content":[)" + block
                    + R"(],"stop_reason":null,"usage":{"input_tokens":4,"cache_creation_input_tokens":)"
                    + std::to_string(scaled(900 + pick(4000))) + R"(,"cache_read_input_tokens":)"
                    + std::to_string(scaled(static_cast<uint32_t>(20000 + m_generated.calls % 140 * 900)))
                    + R"(,"output_tokens":)" + std::to_string(1 + pick(600))
                    + R"(,"service_tier":"standard"}},"requestId":"req_)" + std::to_string(m_generated.calls) + '"');
        };
        response(R"({"type":"text","text":)" + quoted(said) + "}");
        response(R"({"type":"tool_use","id":")" + id + R"(","name":")" + name + R"(","input":)" + input + "}");
        if (pick(4) == 0) {
            record("progress",
                R"("data":{"type":"bash_progress","output":"","elapsedTimeSeconds":2},"toolUseID":"bash-progress-1","parentToolUseID":")"
                    + id + '"');
        }
        record("user",
            R"("message":{"role":"user","content":[{"tool_use_id":")" + id + R"(","type":"tool_result","content":)"
                + quoted(result) + R"(}]},"toolUseResult":)" + side);
        m_generated.slots += 2;
        ++m_generated.calls;
        m_generated.textBytes += said.size() + result.size() + core::canonicalJson(input).size();
    }

    Generated &generated() { return m_generated; }

private:
    uint32_t pick(uint32_t below) { return static_cast<uint32_t>(m_random() % below); }

    [[nodiscard]] uint32_t scaled(uint32_t length) const
    {
        return static_cast<uint32_t>(std::max(1.0, std::round(length * m_scale)));
    }

    /// A stretch of some text, of a length that favours short ones.
    std::string piece(uint32_t shortest, uint32_t longest)
    {
        shortest = scaled(shortest);
        longest = scaled(longest);
        const std::string &text = m_texts[pick(static_cast<uint32_t>(m_texts.size()))];
        const uint32_t a = pick(longest - shortest + 1);
        const uint32_t b = pick(longest - shortest + 1);
        const size_t length = std::min<size_t>(shortest + std::min(a, b), text.size());
        const size_t from = pick(static_cast<uint32_t>(text.size() - length + 1));
        std::string cut = text.substr(from, length);
        while (!cut.empty() && (static_cast<unsigned char>(cut.front()) & 0xC0U) == 0x80U)
            cut.erase(0, 1);
        while (!cut.empty() && !core::isValidUtf8(cut))
            cut.pop_back();
        return cut;
    }

    static std::string numbered(const std::string &text)
    {
        std::istringstream lines(text);
        std::string line;
        std::string out;
        for (int number = 1; std::getline(lines, line); ++number)
            out += "     " + std::to_string(number) + "→" + line + '\n';
        return out;
    }

    std::string quoted(const std::string &text) { return core::quoteJson(text); }

    void record(const std::string &type, const std::string &rest)
    {
        const std::string uuid = "00000000-0000-4000-8000-" + std::to_string(100'000'000'000ULL + m_generated.records);
        const std::string parent = m_lastUuid.empty() ? "null" : '"' + m_lastUuid + '"';
        m_out
            << R"({"parentUuid":)" << parent
            << R"(,"isSidechain":false,"userType":"external","cwd":"/home/user/project","sessionId":"0d9a0a52-7c8e-4c57-9d4e-0a7d6c1b2f3e","version":"2.1.20","gitBranch":"main","type":")"
            << type << "\"," << rest << R"(,"uuid":")" << uuid << R"(","timestamp":"2026-02-01T10:00:00.000Z"})"
            << '\n';
        m_lastUuid = uuid;
        ++m_generated.records;
    }

    std::ofstream &m_out;
    const std::vector<std::string> &m_texts;
    double m_scale;
    std::mt19937 m_random;
    std::string m_lastUuid;
    Generated m_generated;
};

} // namespace

std::vector<std::string> sourceTexts(const std::filesystem::path &folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        const auto extension = entry.path().extension();
        if (entry.is_regular_file()
            && (extension == ".cpp" || extension == ".h" || extension == ".py" || extension == ".md"))
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<std::string> texts;
    for (const auto &file : files) {
        std::ifstream in(file, std::ios::binary);
        std::ostringstream all;
        all << in.rdbuf();
        if (all.str().size() > 4000)
            texts.push_back(all.str());
    }
    return texts;
}

Generated writeClaudeSession(
    const std::filesystem::path &file, uint64_t bytes, const std::vector<std::string> &texts, uint32_t seed)
{
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    Writer writer(out, texts, seed);
    while (static_cast<uint64_t>(out.tellp()) < bytes)
        writer.step();
    writer.generated().bytes = static_cast<uint64_t>(out.tellp());
    return writer.generated();
}

Generated writeClaudeCalls(
    const std::filesystem::path &file, uint64_t calls, double scale, const std::vector<std::string> &texts)
{
    // Long enough for the longest bodies.
    std::vector<std::string> scaled = texts;
    for (size_t i = 0; i < texts.size(); ++i) {
        for (double length = 1; length < scale; ++length)
            scaled[i] += texts[i];
    }
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    Writer writer(out, scaled, 1, scale);
    while (writer.generated().calls < calls)
        writer.step();
    writer.generated().bytes = static_cast<uint64_t>(out.tellp());
    return writer.generated();
}

} // namespace bench
