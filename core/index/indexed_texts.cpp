// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/index/indexed_texts.h"

#include "core/formats/reading/unpack.h"
#include "core/index/session_index.h"
#include "core/index/session_places.h"
#include "core/search/search.h"
#include "core/session/user_message.h"

#include <zstd.h>

namespace core {

namespace {

constexpr int kPackingLevel = 1; ///< texts are indexed as fast as they are read

std::string packed(std::string_view text)
{
    std::string bytes(ZSTD_compressBound(text.size()), '\0');
    bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), kPackingLevel));
    return bytes;
}

bool standsInFile(const Session &session, const Body &body, const std::string &path)
{
    if (body.coding == Coding::Empty)
        return true;
    const Source &source = *session.sources[body.source.index()];
    return source.isFile() && source.name() == path;
}

} // namespace

std::vector<IndexedBlock> indexedBlocks(const Session &session)
{
    std::vector<IndexedBlock> blocks;
    for (uint32_t i = 0; i < std::min<size_t>(session.blocks.size(), SessionIndex::kBlocksOfFile); ++i) {
        const Block &block = session.blocks[i];
        IndexedBlock row { BlockId(i), isSearchable(block) ? session.text(block.body) : std::string(), {} };
        if (block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult)
            row.names.append("\n")
                .append(session.string(block.name))
                .append("\n")
                .append(session.string(block.subject));
        blocks.push_back(std::move(row));
    }
    return blocks;
}

void TextWriter::put(int64_t file, const std::string &path, const Session &session, const BlockLives &lives,
    const std::vector<IndexedBlock> &blocks)
{
    m_find.bind(file);
    const bool isWaiting = m_find.step();
    m_find.reset();
    if (!isWaiting)
        return;
    for (const IndexedBlock &row : blocks) {
        const Block &block = session.block(row.id);
        const BlockLife &life = lives.of(row.id);
        const int64_t id = file * SessionIndex::kBlocksOfFile + row.id.value();
        const bool isKept = !row.text.empty() && !standsInFile(session, block.body, path);
        m_putBlock.bind(id)
            .bind(int64_t { life.thread.isValid() ? life.thread.value() : 0 })
            .bind(block.message.isValid() ? int64_t { block.message.value() } : int64_t { -1 })
            .bind(static_cast<int64_t>(roleOf(session, block)))
            .bind(static_cast<int64_t>(block.kind))
            .bind(int64_t { block.flags })
            .bind(session.string(block.name))
            .bind(session.string(block.subject))
            .bind(life.first != BlockLife::kNever ? int64_t { life.first } : int64_t { -1 })
            .bind(life.wasSent ? int64_t { life.last } : int64_t { -1 })
            .bind(life.isAtEnd          ? int64_t { 1 }
                    : life.isSummarised ? int64_t { 2 }
                                        : int64_t { 0 })
            .bind(static_cast<int64_t>(block.lengths.bytes))
            .bind(int64_t { isKept })
            .bind(static_cast<int64_t>(block.body.coding))
            .bind(static_cast<int64_t>(block.body.offset))
            .bind(static_cast<int64_t>(block.body.size));
        m_putBlock.run();
        if (!row.text.empty() || !row.names.empty())
            m_putText.bind(id).bind(row.text + row.names).run();
        if (isKept)
            m_keep.bind(id).bindBytes(packed(row.text)).run();
    }
    m_mark.bind(file).run();
}

bool TextReader::open(const std::string &path, uint64_t size)
{
    m_path = path;
    m_file.sources.clear();
    const auto file = sessionFileAt(path);
    return file && file->size == size;
}

std::string TextReader::text(int64_t id, bool isKept, const Body &body)
{
    if (!isKept) {
        if (m_file.sources.empty()) {
            const auto source = Source::openMapped(m_path);
            if (!source)
                return {};
            m_file.sources = { *source };
        }
        const bool isThere = body.offset + body.size <= m_file.sources.front()->bytes().size();
        return isThere ? m_file.text(body) : std::string();
    }
    m_kept.bind(id);
    auto text = m_kept.step() ? unpackZstd(m_kept.text(0), {}) : Result<Unpacked>(Unpacked {});
    m_kept.reset();
    return text ? std::move(text->text) : std::string();
}

} // namespace core
