// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/json/text_parts.h"
#include "core/session/session.h"
#include "core/tokens/pieces.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// A string in a JSON value that holds a base64 image or document: the text between the quotes.
struct Media {
    size_t begin = 0;
    size_t end = 0;
    bool isImage = false;
};

/// The next such string of at least 1,024 bytes from offset `from` on. Recognised by the first base64 characters of the
/// known formats.
[[nodiscard]] std::optional<Media> nextMedia(std::string_view json, size_t from);

/// Decodes the text of bodies a part at a time, so that no whole body is in memory. Parts end at safe cuts (see
/// `lastSafeCut`), so counts of the parts add up to the count of the whole. One object per thread.
class BodyParts final {
public:
    /// Decodes `raw` with `coding` and calls `onText` for each part. For each image and document in a JSON value it
    /// calls `onMedia` with the base64 and whether it is an image; their base64 is not passed to `onText`. A base64
    /// body has no text. Stops early when `progress` is cancelled.
    template <typename OnText, typename OnMedia>
    void read(
        std::string_view raw, Coding coding, const Progress *progress, const OnText &onText, const OnMedia &onMedia)
    {
        const auto asItStands = [](std::string &out, std::string_view rest, size_t wanted) {
            out.append(rest.substr(0, wanted));
            return std::min(rest.size(), wanted);
        };
        switch (coding) {
        case Coding::Empty:
        case Coding::Base64:
            return;
        case Coding::Plain:
            return readText(raw, asItStands, progress, onText);
        case Coding::JsonString:
            return readText(raw, appendJsonString, progress, onText);
        case Coding::TextParts: // providers count each part alone
            for (JsonTextParts parts(raw); const auto part = parts.next();)
                readText(*part, appendJsonString, progress, onText);
            return;
        case Coding::JsonValue:
            break;
        }
        bool isInString = false;
        const auto inValue = [&](std::string &out, std::string_view rest, size_t wanted) {
            return appendCanonicalJson(out, rest, wanted, isInString);
        };
        while (const auto media = nextMedia(raw, 0)) {
            readText(raw.substr(0, media->begin), inValue, progress, onText);
            onMedia(raw.substr(media->begin, media->end - media->begin), media->isImage);
            raw.remove_prefix(media->end);
            isInString = true; // the string around the media is still open
        }
        readText(raw, inValue, progress, onText);
    }

private:
    /// Bytes of text decoded at once; fits into the processor's cache.
    static constexpr size_t kPart = 64U << 10U;

    /// `append(buffer, rest of raw, wanted)` appends the next part and returns how many bytes of raw it read.
    template <typename Append, typename OnText>
    void readText(std::string_view raw, const Append &append, const Progress *progress, const OnText &onText)
    {
        m_buffer.clear();
        for (size_t i = 0; i < raw.size();) {
            const size_t known = m_buffer.size();
            i += append(m_buffer, raw.substr(i), kPart);
            if (i >= raw.size() || (progress != nullptr && progress->isCancelled()))
                break;
            // The earlier text has no safe cut: otherwise the last pass would have cut there.
            const size_t from = known > 0 ? known - 1 : 0;
            const size_t cut = lastSafeCut(std::string_view(m_buffer).substr(from));
            if (cut == 0)
                continue;
            onText(std::string_view(m_buffer).substr(0, from + cut));
            m_buffer.erase(0, from + cut);
        }
        onText(std::string_view(m_buffer));
    }

    std::string m_buffer;
};

} // namespace core
