// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <git2.h>
#include <string>
#include <utility>

namespace core {

/// Initialises libgit2, which counts its initialisations. Every owner of handles holds a GitLibrary that outlives them.
class GitLibrary final {
public:
    GitLibrary() { git_libgit2_init(); }
    ~GitLibrary() { git_libgit2_shutdown(); }
    GitLibrary(const GitLibrary &) = delete;
    GitLibrary &operator=(const GitLibrary &) = delete;
};

/// Owns a libgit2 object and frees it with `Free`.
template <typename Object, auto Free>
class GitHandle final {
public:
    GitHandle() = default;
    ~GitHandle() { reset(); }
    GitHandle(GitHandle &&other) noexcept
        : m_object(std::exchange(other.m_object, nullptr))
    {
    }
    GitHandle &operator=(GitHandle &&other) noexcept
    {
        std::swap(m_object, other.m_object);
        return *this;
    }

    [[nodiscard]] Object *get() const { return m_object; }
    explicit operator bool() const { return m_object != nullptr; }
    /// For libgit2 functions with an output parameter; frees the object held before.
    [[nodiscard]] Object **out()
    {
        reset();
        return &m_object;
    }
    void reset()
    {
        if (m_object != nullptr)
            Free(std::exchange(m_object, nullptr));
    }

private:
    Object *m_object = nullptr;
};

using GitRepository = GitHandle<git_repository, git_repository_free>;
using GitReference = GitHandle<git_reference, git_reference_free>;
using GitCommit = GitHandle<git_commit, git_commit_free>;
using GitTree = GitHandle<git_tree, git_tree_free>;
using GitTreeEntry = GitHandle<git_tree_entry, git_tree_entry_free>;
using GitTreeBuilder = GitHandle<git_treebuilder, git_treebuilder_free>;
using GitBlob = GitHandle<git_blob, git_blob_free>;
using GitSignature = GitHandle<git_signature, git_signature_free>;
using GitConfig = GitHandle<git_config, git_config_free>;
using GitObject = GitHandle<git_object, git_object_free>;
using GitOdb = GitHandle<git_odb, git_odb_free>;

/// An error with libgit2's last message on this thread appended to `sentence` ("The store could not be opened"). Call
/// it directly after the failed call.
[[nodiscard]] inline std::unexpected<Error> gitFailure(ErrorKind kind, std::string sentence, std::string where)
{
    const git_error *error = git_error_last();
    if (error != nullptr && error->message != nullptr)
        sentence += std::string(": ") + error->message;
    return failure(kind, std::move(sentence) + ".", std::move(where));
}

[[nodiscard]] inline std::string hexOf(const git_oid &oid)
{
    std::string text(GIT_OID_SHA1_HEXSIZE, '0');
    git_oid_fmt(text.data(), &oid);
    return text;
}

} // namespace core
