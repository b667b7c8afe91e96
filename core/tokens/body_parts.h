// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/base/text.h"
#include "core/session/session.h"
#include "core/tokens/pieces.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// A string of a JSON value that is an image or document in base64, between its quotes.
struct Media {
    size_t begin = 0;
    size_t end = 0;
    bool isImage = false;
};

/// The next such string of at least 1,024 bytes that opens at or behind `from`, known by how base64 of those formats
/// begins.
[[nodiscard]] std::optional<Media> nextMedia(std::string_view json, size_t from);

/// Reads the text of bodies a part at a time, so that none stands in memory whole. Between two parts there is a safe
/// cut (see `lastSafeCut`): what is counted in the parts adds up to what is counted in the whole text. One for each
/// thread.
class BodyParts final {
public:
    /// Calls `onText` with each part of what `raw`, coded as `coding`, stands for, and `onMedia` with the base64 of
    /// each image and document in a JSON value and whether it is an image; that is not read as text. Base64 has no
    /// text. Ends early when `progress` is cancelled.
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
            isInString = true; // the string that held it is still to be closed
        }
        readText(raw, inValue, progress, onText);
    }

private:
    /// How much text is decoded at once; it stays in the processor's cache.
    static constexpr size_t kPart = 64U << 10U;

    /// `append(buffer, rest of raw, wanted)` decodes the next part into the buffer and returns how much of raw it took.
    template <typename Append, typename OnText>
    void readText(std::string_view raw, const Append &append, const Progress *progress, const OnText &onText)
    {
        m_buffer.clear();
        for (size_t i = 0; i < raw.size();) {
            const size_t known = m_buffer.size();
            i += append(m_buffer, raw.substr(i), kPart);
            if (i >= raw.size() || (progress != nullptr && progress->isCancelled()))
                break;
            // What was there before has no cut in it, or it would have been cut there.
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
