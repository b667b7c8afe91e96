// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/tokens/estimate.h"
#include "core/tokens/image_tokens.h"
#include "core/tokens/pieces.h"
#include "core/tokens/weights.h"
#include "tests/session_text.h"
#include "tests/test_program.h"

#include <QTest>

#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace core;

namespace {

std::string fileText(const std::string &path)
{
    std::ifstream file(std::string(PALIMPSEST_SOURCE_DIR) + "/tests/" + path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

std::string repeated(std::string_view part, size_t count)
{
    std::string text;
    text.reserve(part.size() * count);
    for (size_t i = 0; i < count; ++i)
        text += part;
    return text;
}

/// Text with what matters to decoding: escapes, scripts, line breaks, long words.
std::string randomText(std::mt19937_64 &random, size_t parts)
{
    static const std::vector<std::string> kParts { "word ", "two\n", "\"quoted\"", "\\back", "\t", "été", "中文字",
        "😀", "123456", "\x01", "/", " ", "\r\n", "identifierWithHumps", "a", "'s", "{}: ,", "\u2028" };
    std::string text;
    for (size_t i = 0; i < parts; ++i)
        text += kParts[random() % kParts.size()];
    return text;
}

/// Between the quotes of a JSON string; each character beyond ASCII, and each that may be, is escaped by chance.
std::string escaped(const std::string &text, std::mt19937_64 &random)
{
    const bool isAscii = random() % 2 == 0;
    std::string json = nlohmann::json(text).dump(-1, ' ', isAscii);
    json = json.substr(1, json.size() - 2);
    if (random() % 2 == 0) {
        std::string slashes;
        for (const char c : json)
            slashes += c == '/' ? std::string("\\/") : std::string(1, c);
        json = slashes;
    }
    return json;
}

/// One block of one body, in a session of `model`.
struct OneBlock {
    explicit OneBlock(std::string raw, Coding coding, BlockKind kind = BlockKind::Text, std::string_view model = {})
    {
        SessionBuilder builder;
        builder.session().model = model;
        const ThreadIndex thread = builder.addThread(ThreadKind::Main);
        const SourceId source = builder.addSource(Source::own(std::move(raw), "test"));
        const std::string_view bytes = builder.sourceBytes(source);
        Body body;
        if (coding == Coding::Plain)
            body = builder.plainBody(source, bytes);
        else if (coding == Coding::JsonString)
            body = builder.jsonStringBody(source, bytes);
        else if (coding == Coding::JsonValue)
            body = builder.jsonValueBody(source, bytes);
        else if (coding == Coding::TextParts)
            body = builder.textPartsBody(source, bytes);
        else if (coding == Coding::Base64)
            body = builder.base64Body(source, bytes);
        MessageDraft draft;
        draft.blocks = { builder.makeBlock(kind, body, builder.intern(kind == BlockKind::ToolCall ? "Read" : "")) };
        builder.addMessage(thread, draft);
        session = builder.finish();
    }
    [[nodiscard]] double tokens() const { return BlockEstimator(*session).tokensOf(session->blocks.front()); }

    SessionPtr session;
};

double tokensOfText(std::string_view text) { return static_cast<double>(milliTokens(text)) / 1000; }

/// How canonical JSON is defined: strings quoted anew, `, ` and `: `, no other blanks. Slow and plain.
std::string canonicalByDefinition(const nlohmann::ordered_json &value)
{
    if (value.is_object() || value.is_array()) {
        std::string out(1, value.is_object() ? '{' : '[');
        bool isFirst = true;
        for (const auto &[key, item] : value.items()) {
            out += isFirst ? "" : ", ";
            isFirst = false;
            if (value.is_object())
                out += quoteJson(key) + ": ";
            out += canonicalByDefinition(item);
        }
        return out + (value.is_object() ? '}' : ']');
    }
    return value.is_string() ? quoteJson(value.get<std::string>()) : value.dump();
}

nlohmann::ordered_json randomValue(std::mt19937_64 &random, int depth)
{
    switch (random() % (depth > 3 ? 4U : 6U)) {
    case 0:
        return random() % 1000;
    case 1:
        return random() % 2 == 0;
    case 2:
        return nullptr;
    case 3:
        return randomText(random, random() % 8);
    case 4: {
        auto list = nlohmann::ordered_json::array();
        for (size_t i = random() % 4; i > 0; --i)
            list.push_back(randomValue(random, depth + 1));
        return list;
    }
    default: {
        auto object = nlohmann::ordered_json::object();
        for (size_t i = random() % 4; i > 0; --i)
            object[randomText(random, 1 + random() % 2)] = randomValue(random, depth + 1);
        return object;
    }
    }
}

/// The first bytes of pictures of 1,234 × 567 pixels, as an image library wrote them.
const std::string kPng = "iVBORw0KGgoAAAANSUhEUgAABNIAAAI3CAIAAADRNOGPAAAACXBIWXMAAA7EAAAO";
const std::string kJpegBegin = "/9j/4AAQSkZJRgABAQEAYABgAAD//gE3Q29tbWVudDog"; // a comment of 300 letters follows
const std::string kJpegTables
    = "/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGh"
      "ovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj";
const std::string kJpeg = kJpegBegin + repeated("eHh4", 100) + kJpegTables + "/8AAEQgCNwTSAwEi";
const std::string kProgressiveJpeg = kJpegBegin + repeated("eHh4", 100) + kJpegTables + "/8IAEQgCNwTSAwEi";
const std::string kWebpLossless = "UklGRv4GAABXRUJQVlA4TPEGAAAv0YSNAOpR27YNI/9/uZ06RsQEoCuSIlIeEwMj";
const std::string kWebpLossy = "UklGRgoIAABXRUJQVlA4IP4HAAAwtQCdASrSBDcCP5nM4mq5Mi4ooTVIAyAzCWlu";
const std::string kWebpExtended = "UklGRuYJAABXRUJQVlA4WAoAAAAQAAAA0QQANgIAQUxQSBgCAAARFyAQSJLdH2GN";
const std::string kGif = "R0lGODlh0gQ3AvAAAAAAAAAAACH5BAAAAAAALAAAAADSBDcC";

} // namespace

Q_DECLARE_METATYPE(std::optional<core::ImageSize>)

/// Tokens from texts: decoding in parts, images, threads, and how far the figures are from exact ones.
class EstimateTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void estimatesAreNearTheExactCount_data();
    void estimatesAreNearTheExactCount();
    void aLongPieceIsManyTokens();
    void partsAddUp();
    void stringsDecodeInParts();
    void valuesDecodeInParts();
    void aCutInsideAnEscapeIsMovedBehindIt();
    void everyCodingOfATextWeighsTheSame();
    void aToolCallIsItsNameAndArguments();
    void theModelsTokenizerCounts();
    void pictureHeadersTellTheSize_data();
    void pictureHeadersTellTheSize();
    void aPictureCostsWhatItsProviderSays_data();
    void aPictureCostsWhatItsProviderSays();
    void base64IsNeverReadAsText();
    void mediaInsideAValueIsNotText();
    void partsAreCountedAlone();
    void threadsDoNotChangeTheResult();
    void everyIndexIsWorkedOnOnce();
    void aCancelledEstimateIsNone();
    void progressEndsAtOne();
    void longBodiesAreEstimated_data();
    void longBodiesAreEstimated();
};

void EstimateTest::estimatesAreNearTheExactCount_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<double>("exact");
    QTest::addColumn<double>("tolerance");
    // Exact counts by tiktoken 1.0.22 (npm) with o200k_base.
    const auto row = [](const char *file, double exact, double tolerance) {
        QTest::newRow(file) << QByteArray(file) << exact << tolerance;
    };
    row("samples/run/parse.py.txt", 3498, 0.1);
    row("samples/run/lexer.py.txt", 3610, 0.1);
    row("samples/run/test_tallybook.py.txt", 1872, 0.1);
    row("samples/run/pytest-fail.txt", 882, 0.1);
    row("samples/run/edit-old.txt", 271, 0.1);
    row("pieces/texts/code.txt", 8980, 0.1);
    row("pieces/texts/cjk.txt", 7423, 0.15);
    row("pieces/texts/emoji.txt", 2335, 0.25);
    row("pieces/texts/blanks.txt", 989, 0.2);
    row("pieces/texts/latin.txt", 1012, 0.25); // more accents than any language has
}

void EstimateTest::estimatesAreNearTheExactCount()
{
    QFETCH(QByteArray, file);
    QFETCH(double, exact);
    QFETCH(double, tolerance);
    const double estimate = tokensOfText(fileText(file.toStdString()));
    const QByteArray figures = QByteArray::number(estimate) + " for " + QByteArray::number(exact);
    QVERIFY2(std::abs(estimate - exact) <= tolerance * exact, figures);
}

void EstimateTest::aLongPieceIsManyTokens()
{
    QCOMPARE(milliTokens(""), 0U);
    QCOMPARE(milliTokens("hello"), 1110U);
    QCOMPARE(milliTokens("hello world"), 2220U);
    QCOMPARE(milliTokens("fifteen_letters"), 3330U - 1110U);
    QCOMPARE(milliTokens(std::string(15, 'a')), 1110U);
    QCOMPARE(milliTokens(std::string(16, 'a')), 1410U);
    QCOMPARE(milliTokens(std::string(100, '-')), 1110U + 85 * 30);
    QCOMPARE(milliTokens("}" + std::string(20, '\n')), 1110U + 6 * 30); // found by the quick path, and as long
    QCOMPARE(milliTokens("中"), 1110U);
    QCOMPARE(milliTokens("中文字"), 1110U + 2 * 700);
    QCOMPARE(milliTokens("한국어"), 1110U + 2 * 400);
    QCOMPARE(milliTokens("été"), 1110U + 200);
    QCOMPARE(milliTokens("😀😀"), 1110U + 1800);
}

void EstimateTest::partsAddUp()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(500); ++i) {
        const std::string text = randomText(random, 1 + random() % 60);
        for (size_t prefix = 1; prefix <= text.size(); prefix += 1 + random() % 9) {
            const size_t cut = lastSafeCut(std::string_view(text).substr(0, prefix));
            QCOMPARE(
                milliTokens(std::string_view(text).substr(0, cut)) + milliTokens(std::string_view(text).substr(cut)),
                milliTokens(text));
        }
    }
}

void EstimateTest::stringsDecodeInParts()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(300); ++i) {
        const std::string text = randomText(random, 1 + random() % 40);
        const std::string raw = escaped(text, random);
        QCOMPARE(decodeJsonString(raw), text);
        const size_t wanted = 1 + random() % 20;
        std::string parts;
        for (size_t at = 0; at < raw.size();) {
            const size_t before = parts.size();
            const size_t taken = appendJsonString(parts, std::string_view(raw).substr(at), wanted);
            QVERIFY(taken > 0 && parts.size() > before && parts.size() < before + wanted + 4);
            at += taken;
        }
        QCOMPARE(parts, text);
    }
}

void EstimateTest::valuesDecodeInParts()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(300); ++i) {
        const nlohmann::ordered_json value = randomValue(random, 0);
        const std::string raw = value.dump(random() % 2 == 0 ? -1 : 2, ' ', random() % 2 == 0);
        const std::string expected = canonicalByDefinition(value);
        QCOMPARE(canonicalJson(raw), expected);
        QCOMPARE(textLengths(expected), jsonValueLengths(raw));
        const size_t wanted = 1 + random() % 20;
        std::string parts;
        bool isInString = false;
        for (size_t at = 0; at < raw.size();)
            at += appendCanonicalJson(parts, std::string_view(raw).substr(at), wanted, isInString);
        QCOMPARE(parts, expected);
        QVERIFY(!isInString);
    }
}

void EstimateTest::aCutInsideAnEscapeIsMovedBehindIt()
{
    const std::string raw = R"(a\u00e9\ud83d\ude00\n)";
    std::string out;
    QCOMPARE(appendJsonString(out, raw, 2), size_t(7));
    QCOMPARE(appendJsonString(out, raw.substr(7), 1), size_t(12));
    QCOMPARE(out, std::string("aé😀"));
    out.clear();
    QCOMPARE(appendJsonString(out, raw, 0), size_t(0));
    QCOMPARE(appendJsonString(out, "", 10), size_t(0));
}

void EstimateTest::everyCodingOfATextWeighsTheSame()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(12); ++i) {
        // Some of them are decoded in several parts of 64 KiB.
        const std::string text = randomText(random, i % 3 == 0 ? 60'000 : random() % 300);
        const double expected = tokensOfText(text);
        QCOMPARE(OneBlock(text, Coding::Plain).tokens(), expected);
        QCOMPARE(OneBlock(escaped(text, random), Coding::JsonString).tokens(), expected);
        const OneBlock value(
            nlohmann::json({ { "key", text }, { "n", { 1, 2 } } }).dump(i % 2 == 0 ? -1 : 4), Coding::JsonValue);
        QCOMPARE(value.tokens(), tokensOfText(value.session->text(value.session->blocks.front().body)));
    }
    QCOMPARE(OneBlock("", Coding::Plain).tokens(), 0.0);
}

void EstimateTest::aToolCallIsItsNameAndArguments()
{
    const OneBlock call(R"({"path":"a.py"})", Coding::JsonValue, BlockKind::ToolCall);
    QCOMPARE(call.tokens(), tokensOfText(R"({"path": "a.py"})") + tokensOfText("Read"));
    const OneBlock bare("", Coding::Empty, BlockKind::ToolCall);
    QCOMPARE(bare.tokens(), tokensOfText("Read"));
}

void EstimateTest::theModelsTokenizerCounts()
{
    const std::string text = fileText("samples/run/parse.py.txt");
    const double openAi = OneBlock(text, Coding::Plain, BlockKind::Text, "gpt-5-codex").tokens();
    QCOMPARE(openAi, tokensOfText(text));
    QCOMPARE(OneBlock(text, Coding::Plain, BlockKind::Text, "claude-opus-4-5").tokens(), openAi * 1.18);
    QCOMPARE(OneBlock(text, Coding::Plain, BlockKind::Text, "claude-opus-5-5").tokens(), openAi * 1.53);
}

void EstimateTest::pictureHeadersTellTheSize_data()
{
    QTest::addColumn<std::string>("base64");
    QTest::addColumn<std::optional<ImageSize>>("size");
    const std::optional<ImageSize> expected = ImageSize { 1234, 567 };
    const std::optional<ImageSize> none;
    QTest::newRow("PNG") << kPng << expected;
    QTest::newRow("JPEG") << kJpeg << expected;
    QTest::newRow("progressive JPEG") << kProgressiveJpeg << expected;
    QTest::newRow("WebP, lossless") << kWebpLossless << expected;
    QTest::newRow("WebP, lossy") << kWebpLossy << expected;
    QTest::newRow("WebP, extended") << kWebpExtended << expected;
    QTest::newRow("GIF") << kGif << expected;
    QTest::newRow("a data address") << "data:image/png;base64," + kPng << expected;
    std::string withEscapes;
    for (size_t i = 0; i < kJpeg.size(); ++i)
        withEscapes += (i % 76 == 75 ? "\\n" : "") + (kJpeg[i] == '/' ? std::string("\\/") : std::string(1, kJpeg[i]));
    QTest::newRow("escaped slashes and line breaks") << withEscapes << expected;
    QTest::newRow("an address") << std::string("https://example.org/a.png") << none;
    QTest::newRow("nothing") << std::string() << none;
    QTest::newRow("a PNG cut before its size") << kPng.substr(0, 28) << none;
    QTest::newRow("a JPEG cut before its frame") << kJpeg.substr(0, 500) << none;
    QTest::newRow("a WebP cut before its size") << kWebpLossy.substr(0, 36) << none;
    QTest::newRow("a PNG of no width") << kPng.substr(0, 20) + "AAAAAAAAAAI3" << none;
    QTest::newRow("a JPEG with a damaged segment") << kJpegBegin + repeated("eHh4", 99) + kJpegTables << none;
    QTest::newRow("something else") << std::string("JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoKPDwvTGVuZ3Ro") << none;
}

void EstimateTest::pictureHeadersTellTheSize()
{
    QFETCH(std::string, base64);
    QFETCH(std::optional<ImageSize>, size);
    QVERIFY(imageSizeOfBase64(base64) == size);
}

void EstimateTest::aPictureCostsWhatItsProviderSays_data()
{
    QTest::addColumn<QByteArray>("model");
    QTest::addColumn<uint>("width");
    QTest::addColumn<uint>("height");
    QTest::addColumn<double>("tokens");
    const auto row = [](const char *model, uint width, uint height, double tokens) {
        QTest::addRow("%s %ux%u", model, width, height) << QByteArray(model) << width << height << tokens;
    };
    // The examples of the vendors' pages, then edges.
    row("claude-opus-4-5", 1920, 1080, 1560);
    row("claude-opus-4-7", 1920, 1080, 2691);
    row("claude-opus-4-7", 3840, 2160, 4784);
    row("claude-opus-4-7", 4032, 3024, 4740);
    row("claude-sonnet-4-5", 200, 200, 64);
    row("claude-sonnet-4-5", 1000, 1000, 1296);
    row("claude-haiku-5-5", 1920, 1080, 1560);
    row("claude-sonnet-4-5", 1, 8000, 56);
    row("claude-sonnet-4-5", 100'000, 100'000, 1521);
    row("gpt-4o", 1024, 1024, 765);
    row("gpt-4o", 2048, 4096, 1105);
    row("gpt-4o", 512, 512, 255);
    row("gpt-4.1", 4096, 8192, 1105);
    row("gpt-5", 1024, 1024, 630);
    row("o3", 1024, 1024, 675);
    row("gpt-4o-mini", 1024, 1024, 25'501);
    row("gpt-4.1-mini", 1024, 1024, 1659); // 1,024 patches
    row("gpt-4.1-mini", 1800, 2400, 2353); // 1,452 patches
    row("o4-mini", 1024, 1024, 1762);
    row("gpt-5-nano", 64, 32, 5);
    row("gemini-2.5-pro", 1024, 1024, 1500);
}

void EstimateTest::aPictureCostsWhatItsProviderSays()
{
    QFETCH(QByteArray, model);
    QFETCH(uint, width);
    QFETCH(uint, height);
    QFETCH(double, tokens);
    QCOMPARE(imageTokens(std::string_view(model), ImageSize { width, height }), tokens);
    QCOMPARE(imageTokens(std::string_view(model), std::nullopt), 1500.0);
}

void EstimateTest::base64IsNeverReadAsText()
{
    const std::string png = kPng + repeated("word ", 100'000);
    for (const Coding coding : { Coding::Base64, Coding::JsonString }) {
        QCOMPARE(OneBlock(png, coding, BlockKind::Image, "claude-opus-4-5").tokens(), 45.0 * 21);
        QCOMPARE(OneBlock("data:image/png;base64," + png, coding, BlockKind::Image, "gpt-4o").tokens(), 85 + 170.0 * 6);
    }
    QCOMPARE(OneBlock("", Coding::Empty, BlockKind::Image, "claude-opus-4-5").tokens(), 1500.0);
    QCOMPARE(OneBlock(repeated("JVBE", 25'000), Coding::Base64, BlockKind::Document).tokens(), 4500.0);
    OneBlock encrypted(repeated("gAAA", 1600), Coding::Base64, BlockKind::Thinking);
    auto changed = std::make_shared<Session>(*encrypted.session);
    changed->blocks.front().set(BlockFlag::Encrypted);
    QCOMPARE(BlockEstimator(*changed).tokensOf(changed->blocks.front()), 1000.0);
}

void EstimateTest::mediaInsideAValueIsNotText()
{
    const std::string picture = kPng + repeated("iVBORw0KGgo", 1000);
    const auto valueWith = [&](const std::string &media, const std::string &text) {
        return nlohmann::ordered_json::array({ { { "type", "text" }, { "text", text } },
                                                 { { "type", "image" }, { "data", media } }, { { "text", "after" } } })
            .dump();
    };
    const std::string text = "two words, \"" + repeated("quoted\" ", 2000);
    const double without = OneBlock(valueWith("", text), Coding::JsonValue).tokens();
    const double with = OneBlock(valueWith(picture, text), Coding::JsonValue).tokens();
    QVERIFY2(std::abs(with - without - 1500) < 3, QByteArray::number(with - without));
    const double claude
        = OneBlock(valueWith(picture, ""), Coding::JsonValue, BlockKind::Image, "claude-opus-4-5").tokens();
    QCOMPARE(claude, 45.0 * 21);
    const double pdf = OneBlock(valueWith("JVBERi0" + repeated("AAAA", 20'000), text), Coding::JsonValue).tokens();
    QVERIFY2(std::abs(pdf - without - 4500) < 3, QByteArray::number(pdf - without));
    // A short string, and one with blanks, is text however it begins.
    const std::string words = "/9j/ " + repeated("word ", 1000);
    QVERIFY(OneBlock(valueWith(words, ""), Coding::JsonValue).tokens() > 1000);
    QVERIFY(OneBlock(valueWith("iVBORw0KGgo", ""), Coding::JsonValue).tokens() < 60);
}

void EstimateTest::partsAreCountedAlone()
{
    const auto tokens = [](const std::string &raw, Coding coding) { return OneBlock(raw, coding).tokens(); };
    const std::string list = R"([{"type":"text","text":"some words"},{"type":"image","source":{}},"and more"])";
    QCOMPARE(tokens(list, Coding::TextParts),
        tokens("some words", Coding::JsonString) + tokens("and more", Coding::JsonString));
}

void EstimateTest::threadsDoNotChangeTheResult()
{
    std::mt19937_64 random = seededRandom();
    for (int i = 0; i < caseCount(4); ++i) {
        const SessionPtr made = session(randomLine(random, 400));
        const BlockTokensPtr alone = estimateTokens(*made, 1, nullptr);
        QCOMPARE(alone->tokens.size(), made->blocks.size());
        QCOMPARE(alone->basis, Basis::Estimated);
        QVERIFY(alone->isCounted);
        for (const unsigned threads : { 0U, 2U, 3U, 8U })
            QVERIFY(estimateTokens(*made, threads, nullptr)->tokens == alone->tokens);
        for (size_t k = 0; k < made->blocks.size(); ++k)
            QCOMPARE(alone->tokens[k], static_cast<float>(BlockEstimator(*made).tokensOf(made->blocks[k])));
    }
    QVERIFY(estimateTokens(*session(""), 2, nullptr)->tokens.empty());
}

void EstimateTest::everyIndexIsWorkedOnOnce()
{
    for (const unsigned threads : { 0U, 1U, 2U, 5U }) {
        for (const size_t count : { size_t(0), size_t(1), size_t(3), size_t(1000) }) {
            std::vector<std::atomic<int>> visits(count);
            parallelFor(count, threads,
                [&](unsigned worker, size_t i) { visits[i] += worker < std::max(threads, 1U) ? 1 : 100; });
            QVERIFY(std::ranges::all_of(visits, [](const auto &each) { return each == 1; }));
        }
    }
}

void EstimateTest::aCancelledEstimateIsNone()
{
    const SessionPtr made = session("u:10 a:200 t:5000");
    Progress progress;
    progress.cancel();
    QVERIFY(estimateTokens(*made, 2, &progress) == nullptr);

    // Cancelled inside a body, it does not go on to the end of it.
    const OneBlock large(repeated("word ", 4'000'000), Coding::Plain);
    BlockEstimator estimator(*large.session);
    QVERIFY(estimator.tokensOf(large.session->blocks.front(), &progress)
        < estimator.tokensOf(large.session->blocks.front()) / 2);
}

void EstimateTest::progressEndsAtOne()
{
    const SessionPtr made = session("u:10 a:200 t:5000 a:30");
    Progress progress;
    QVERIFY(estimateTokens(*made, 1, &progress) != nullptr);
    QCOMPARE(progress.fraction(), 1.0);
}

void EstimateTest::longBodiesAreEstimated_data()
{
    QTest::addColumn<std::string>("part");
    QTest::newRow("one letter") << std::string("a");
    QTest::newRow("base64") << std::string("TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5/+");
    QTest::newRow("blanks") << std::string(" ");
    QTest::newRow("line breaks, escaped") << std::string("\\n");
    QTest::newRow("escapes that are no ASCII") << std::string("\\u4e2d");
    QTest::newRow("backslashes") << std::string("\\\\");
}

void EstimateTest::longBodiesAreEstimated()
{
    QFETCH(std::string, part);
    const auto megabytes = static_cast<size_t>(std::min(10, caseCount(1)));
    const OneBlock body(repeated(part, megabytes * 1'000'000 / part.size()), Coding::JsonString);
    QVERIFY(body.tokens() > 1); // in quadratic time it would take hours
}

PALIMPSEST_TEST(EstimateTest)
#include "tst_estimate.moc"
