// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/stages/media.h"

#include "core/base/base64.h"
#include "core/base/sha256.h"

#include <array>

namespace core::stages {

namespace {

constexpr size_t kHashDigits = 16;

/// The extension of a media type, with its point; empty for an unknown type.
std::string_view extensionOf(std::string_view type)
{
    struct Known {
        std::string_view type;
        std::string_view extension;
    };
    static constexpr auto kKnown = std::to_array<Known>({ { "image/png", ".png" }, { "image/jpeg", ".jpg" },
        { "image/gif", ".gif" }, { "image/webp", ".webp" }, { "image/svg+xml", ".svg" }, { "application/pdf", ".pdf" },
        { "audio/mpeg", ".mp3" }, { "audio/wav", ".wav" }, { "video/mp4", ".mp4" }, { "text/plain", ".txt" } });
    for (const Known &each : kKnown) {
        if (each.type == type)
            return each.extension;
    }
    return {};
}

} // namespace

std::optional<std::string> MediaFiles::referenceTo(const Draft::Element &element)
{
    const Block &block = m_run.draft().block(element.block);
    const bool isMedia = block.kind == BlockKind::Image || block.kind == BlockKind::Document;
    if (m_name.empty() || !isMedia || block.body.coding != Coding::Base64)
        return std::nullopt;
    const std::string kind = block.kind == BlockKind::Image ? "image" : "file";
    auto bytes = decodeBase64(m_run.draft().text(element.block));
    if (!bytes)
        return filled(m_run.text("media-lost"), { { "kind", kind } });
    const std::string hash = sha256Hex(*bytes).substr(0, kHashDigits);
    const std::string extension(extensionOf(m_run.draft().string(block.name)));
    const std::string path = filled(m_name, { { "hash", hash }, { "extension", extension } });
    File &file = m_files[path];
    file.bytes = std::move(*bytes);
    if (element.origin.isValid())
        file.blocks.push_back(element.origin);
    return filled(m_run.text("media-reference"), { { "kind", kind }, { "path", path } });
}

void MediaFiles::keep()
{
    for (auto &[name, file] : m_files) {
        Artifact artifact;
        artifact.name = name;
        artifact.blocks = std::move(file.blocks);
        artifact.text = [bytes = std::move(file.bytes)](const Session &) { return bytes; };
        m_run.keepArtifact(std::move(artifact));
    }
    m_files.clear();
}

} // namespace core::stages
