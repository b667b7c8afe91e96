// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/git/repository_texts.h"

#include "core/base/source.h"
#include "core/git/git_handle.h"

#include <algorithm>

namespace core {

namespace {

constexpr uint64_t kLargestFile = 64U << 20U;

} // namespace

class RepositoryTexts::Private {
public:
    explicit Private(const std::filesystem::path &folder)
    {
        std::error_code error;
        m_folder = std::filesystem::canonical(folder, error);
        if (error || !std::filesystem::is_directory(m_folder, error)) {
            m_folder.clear();
            return;
        }
        const bool isOpen = git_repository_open_ext(m_repository.out(), m_folder.c_str(), 0, nullptr) == 0;
        if (isOpen && git_repository_odb(m_odb.out(), m_repository.get()) != 0)
            m_odb.reset();
    }

    std::optional<std::string_view> fileAt(const std::string &path)
    {
        if (m_folder.empty() || path.empty() || path.find('\0') != std::string::npos)
            return std::nullopt;
        if (path != m_path) {
            m_path = path;
            m_source = read(path);
        }
        return m_source ? std::optional(m_source->bytes()) : std::nullopt;
    }

    [[nodiscard]] bool hasBlob(std::string_view bytes) const
    {
        git_oid oid {};
        return m_odb && git_odb_hash(&oid, bytes.data(), bytes.size(), GIT_OBJECT_BLOB) == 0
            && git_odb_exists(m_odb.get(), &oid) == 1;
    }

private:
    [[nodiscard]] SourcePtr read(const std::string &path) const
    {
        std::error_code error;
        const std::filesystem::path file = std::filesystem::canonical(m_folder / path, error);
        if (error)
            return nullptr;
        const auto [end, ignored] = std::ranges::mismatch(m_folder, file);
        if (end != m_folder.end() || !std::filesystem::is_regular_file(file, error) || error
            || std::filesystem::file_size(file, error) > kLargestFile)
            return nullptr;
        auto source = Source::open(file);
        return source ? *source : nullptr;
    }

    GitLibrary m_library;
    std::filesystem::path m_folder; ///< empty: no folder
    GitRepository m_repository;
    GitOdb m_odb;
    std::string m_path; ///< the last one asked for
    SourcePtr m_source;
};

RepositoryTexts::RepositoryTexts(const std::filesystem::path &folder)
    : m_private(std::make_unique<Private>(folder))
{
}

RepositoryTexts::~RepositoryTexts() = default;
RepositoryTexts::RepositoryTexts(RepositoryTexts &&) noexcept = default;
RepositoryTexts &RepositoryTexts::operator=(RepositoryTexts &&) noexcept = default;

std::optional<std::string_view> RepositoryTexts::fileAt(const std::string &path) { return m_private->fileAt(path); }

bool RepositoryTexts::hasBlob(std::string_view bytes) const { return m_private->hasBlob(bytes); }

} // namespace core
