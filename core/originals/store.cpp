// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/originals/store.h"

#include "core/base/counted.h"
#include "core/base/visible.h"
#include "core/git/commit_files.h"
#include "core/git/git_handle.h"
#include "core/git/tree_names.h"
#include "core/originals/store_lock.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <unistd.h>
#include <unordered_set>

namespace core {

namespace {

namespace fs = std::filesystem;

constexpr const char *kMain = "refs/heads/main";
constexpr const char *kPending = "refs/palimpsest/pending"; ///< the commit being verified before main moves
constexpr const char *kMark = "palimpsest.store";           ///< in the repository's configuration: the store's version
constexpr int kStoreVersion = 1;

/// The files of a commit: path to blob.
struct Folder {
    std::map<std::string, Folder> folders;
    std::map<std::string, git_oid> files;
};

/// The expected content of a commit.
struct Expected {
    std::string path;
    std::string_view bytes;
};

/// A write error with the message of the system or of libgit2.
std::unexpected<Error> writeFailure(const fs::path &path)
{
    return gitFailure(ErrorKind::NotWritable, "The store could not be written", path.string());
}

Result<GitRepository> openRepository(const fs::path &path)
{
    GitRepository repository;
    if (git_repository_open_ext(repository.out(), path.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr) != 0)
        return gitFailure(ErrorKind::NotReadable, "The store could not be opened", path.string());
    return repository;
}

/// Creates an empty store in a new folder beside `path` and renames it in one step, so that no one sees an incomplete
/// store. If another process was faster, its store is used. Does not create parent folders, so that a typing error does
/// not create a tree of folders.
Result<void> create(const fs::path &path)
{
    std::error_code error;
    const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const auto kind = fs::status(parent, error).type();
    if (kind == fs::file_type::not_found || (kind != fs::file_type::directory && !error))
        return failure(ErrorKind::NotWritable, "There is no folder “" + parent.string() + "” to make the store in.",
            path.string());
    std::string folder = path.string() + ".new-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) {
        return failure(ErrorKind::NotWritable,
            std::string("The store could not be made: ") + std::strerror(errno) + ".", path.string());
    }
    const auto fill = [&]() -> Result<void> {
        git_repository_init_options options;
        git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
        options.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_NO_REINIT;
        options.initial_head = "main";
        options.description = "Originals and artifacts of compactions, kept by Palimpsest\n";
        GitRepository repository;
        GitConfig config;
        const bool isMade = git_repository_init_ext(repository.out(), folder.c_str(), &options) == 0
            && git_repository_config(config.out(), repository.get()) == 0
            && git_config_set_int32(config.get(), kMark, kStoreVersion) == 0;
        if (!isMade)
            return gitFailure(ErrorKind::NotWritable, "The store could not be made", path.string());
        return {};
    };
    Result<void> result = fill();
    if (result) {
        fs::rename(folder, path, error);
        if (!error)
            return {};
        if (error != std::errc::directory_not_empty && error != std::errc::file_exists)
            result = failure(
                ErrorKind::NotWritable, "The store could not be made: " + error.message() + ".", path.string());
    }
    fs::remove_all(folder, error);
    return result;
}

} // namespace

std::string objectIdOf(std::string_view bytes)
{
    static const GitLibrary library; // initialising takes milliseconds, and plans call this for each original
    git_oid oid {};
    git_odb_hash(&oid, bytes.data(), bytes.size(), GIT_OBJECT_BLOB);
    return hexOf(oid);
}

class Store::Private final {
public:
    Private(fs::path path, const Options &options)
        : m_path(std::move(path))
        , m_options(options)
    {
    }

    /// Checks that this is a store of ours in a supported version.
    [[nodiscard]] Result<void> load()
    {
        auto repository = openRepository(m_path);
        if (!repository)
            return std::unexpected(repository.error());
        m_repository = std::move(*repository);
        GitConfig config;
        GitConfig snapshot;
        int32_t version = 0;
        const bool isMarked = git_repository_config(config.out(), m_repository.get()) == 0
            && git_config_snapshot(snapshot.out(), config.get()) == 0
            && git_config_get_int32(&version, snapshot.get(), kMark) == 0;
        m_isOurs = isMarked && git_repository_is_bare(m_repository.get()) == 1;
        if (m_isOurs && version > kStoreVersion) {
            return failure(ErrorKind::Malformed,
                "The store was made by a newer version of Palimpsest (store version " + std::to_string(version)
                    + "); this one reads up to " + std::to_string(kStoreVersion) + ".",
                m_path.string());
        }
        return {};
    }

    [[nodiscard]] const fs::path &path() const { return m_path; }
    [[nodiscard]] bool isOurs() const { return m_isOurs; }

    [[nodiscard]] Result<CommitInfo> commit(const StoredCompaction &compaction)
    {
        if (!m_isOurs)
            return failure(ErrorKind::NotWritable,
                "This is a copy of a store, or another repository: it is read, but not written to.", m_path.string());
        const auto lock = StoreLock::take(m_path, m_options.lockTimeout);
        if (!lock)
            return std::unexpected(lock.error());
        if (lock->wasLeftBehind())
            removeStaleLocks();
        const auto before = commits();
        if (!before)
            return std::unexpected(before.error());

        Ledger ledger = compaction.ledger;
        std::vector<Expected> expected;
        Folder root;
        auto stored = storeFiles(compaction, ledger, root, expected);
        if (!stored)
            return std::unexpected(stored.error());
        const std::string json = writeLedger(ledger);
        for (const auto &[path, bytes] :
            { std::pair<std::string_view, std::string_view> { TreeNames::kPolicy, compaction.policy },
                { TreeNames::kLedger, json } }) {
            const auto oid = addFile(root, path, bytes);
            if (!oid)
                return std::unexpected(oid.error());
            expected.push_back({ std::string(path), bytes });
        }

        const size_t number = before->size() + 1;
        const std::string parent = before->empty() ? std::string() : before->back().oid;
        const auto oid = writeCommit(root, messageOf(ledger, number), compaction.seconds, parent);
        if (!oid)
            return std::unexpected(oid.error());
        if (auto same = readBack(*oid, expected); !same)
            return std::unexpected(same.error());
        if (auto moved = moveMain(*oid, parent); !moved)
            return std::unexpected(moved.error());
        return CommitInfo { hexOf(*oid), subjectOf(ledger, number), compaction.seconds, number };
    }

    [[nodiscard]] Result<std::vector<CommitInfo>> commits() const
    {
        std::vector<CommitInfo> result;
        git_oid oid;
        const int found = git_reference_name_to_id(&oid, m_repository.get(), kMain);
        if (found == GIT_ENOTFOUND)
            return result;
        GitCommit commit;
        if (found != 0 || git_commit_lookup(commit.out(), m_repository.get(), &oid) != 0)
            return damaged();
        while (true) {
            const char *summary = git_commit_summary(commit.get());
            result.push_back({ hexOf(*git_commit_id(commit.get())), summary == nullptr ? "" : summary,
                git_commit_time(commit.get()), 0 });
            if (git_commit_parentcount(commit.get()) == 0)
                break;
            GitCommit parent;
            if (git_commit_parent(parent.out(), commit.get(), 0) != 0)
                return damaged();
            commit = std::move(parent);
        }
        std::ranges::reverse(result);
        for (size_t i = 0; i < result.size(); ++i)
            result[i].number = i + 1;
        return result;
    }

    [[nodiscard]] Result<std::string> readPath(const CommitInfo &commit, std::string_view path) const
    {
        if (!m_files || m_files->oid() != commit.oid)
            m_files.emplace(m_repository, commit.oid, m_path.string());
        return m_files->read(path);
    }

private:
    [[nodiscard]] std::unexpected<Error> damaged() const
    {
        return gitFailure(ErrorKind::Malformed, "The store is damaged", m_path.string());
    }

    /// Removes locks of libgit2 that only our own writer takes and that a killed writer left.
    void removeStaleLocks() const
    {
        std::error_code ignored;
        for (const char *name : { kMain, kPending })
            fs::remove(m_path / (std::string(name) + ".lock"), ignored);
    }

    /// Writes originals and artifacts, and their places into the ledger.
    [[nodiscard]] Result<void> storeFiles(
        const StoredCompaction &compaction, Ledger &ledger, Folder &root, std::vector<Expected> &expected) const
    {
        TreeNames names;
        ledger.originals.clear();
        ledger.artifacts.clear();
        ledger.policyHash = contentHash(compaction.policy);
        for (const StoredOriginal &original : compaction.originals) {
            LedgerOriginal entry;
            entry.name = original.name;
            entry.path = names.addOriginal(original.name);
            entry.bytes = original.bytes.size();
            entry.coding = original.coding;
            const auto oid = addFile(root, entry.path, original.bytes);
            if (!oid)
                return std::unexpected(oid.error());
            entry.oid = *oid;
            expected.push_back({ entry.path, original.bytes });
            ledger.originals.push_back(std::move(entry));
        }
        for (const StoredArtifact &artifact : compaction.artifacts) {
            LedgerArtifact entry = artifact.entry;
            entry.path = names.addArtifact(entry.name);
            entry.bytes = artifact.bytes.size();
            const auto oid = addFile(root, entry.path, artifact.bytes);
            if (!oid)
                return std::unexpected(oid.error());
            entry.oid = *oid;
            expected.push_back({ entry.path, artifact.bytes });
            ledger.artifacts.push_back(std::move(entry));
        }
        return checkNames(ledger);
    }

    /// Checks that every name in the ledger exists.
    [[nodiscard]] Result<void> checkNames(const Ledger &ledger) const
    {
        std::unordered_set<std::string_view> originals { "" };
        std::unordered_set<std::string_view> artifacts { "" };
        for (const LedgerOriginal &each : ledger.originals) {
            if (!originals.insert(each.name).second)
                return failure(
                    ErrorKind::Internal, "Two originals have the name “" + each.name + "”.", m_path.string());
        }
        for (const LedgerArtifact &each : ledger.artifacts)
            artifacts.insert(each.name);
        const auto missing = [&](const std::string &name) {
            return failure(ErrorKind::Internal, "There is no text to store as “" + name + "”.", m_path.string());
        };
        for (const LedgerRewrite &each : ledger.rewrites) {
            if (!originals.contains(each.original))
                return missing(each.original);
            if (!artifacts.contains(each.artifact))
                return missing(each.artifact);
        }
        for (const LedgerSplice &each : ledger.splices) {
            if (!originals.contains(each.original))
                return missing(each.original);
        }
        return {};
    }

    /// Writes a blob, adds it to the tree being built, and returns its oid.
    [[nodiscard]] Result<std::string> addFile(Folder &root, std::string_view path, std::string_view bytes) const
    {
        git_oid oid;
        if (git_blob_create_from_buffer(&oid, m_repository.get(), bytes.data(), bytes.size()) != 0)
            return writeFailure(m_path);
        Folder *folder = &root;
        for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
            folder = &folder->folders[std::string(path.substr(0, slash))];
            path.remove_prefix(slash + 1);
        }
        folder->files.insert_or_assign(std::string(path), oid);
        return hexOf(oid);
    }

    [[nodiscard]] Result<git_oid> writeTree(const Folder &folder) const
    {
        GitTreeBuilder builder;
        if (git_treebuilder_new(builder.out(), m_repository.get(), nullptr) != 0)
            return writeFailure(m_path);
        for (const auto &[name, oid] : folder.files) {
            if (git_treebuilder_insert(nullptr, builder.get(), name.c_str(), &oid, GIT_FILEMODE_BLOB) != 0)
                return writeFailure(m_path);
        }
        for (const auto &[name, content] : folder.folders) {
            const auto oid = writeTree(content);
            if (!oid)
                return oid;
            if (git_treebuilder_insert(nullptr, builder.get(), name.c_str(), &*oid, GIT_FILEMODE_TREE) != 0)
                return writeFailure(m_path);
        }
        git_oid oid;
        if (git_treebuilder_write(&oid, builder.get()) != 0)
            return writeFailure(m_path);
        return oid;
    }

    static std::string subjectOf(const Ledger &ledger, size_t number)
    {
        std::string subject = "Compaction " + std::to_string(number);
        if (!ledger.session.file.empty())
            subject += " of " + ledger.session.file;
        if (!ledger.policy.empty())
            subject += " by " + ledger.policy;
        return visibleText(subject);
    }

    static std::string messageOf(const Ledger &ledger, size_t number)
    {
        return subjectOf(ledger, number) + "\n\n" + counted(ledger.rewrites.size(), "rewrite") + ", "
            + counted(ledger.originals.size(), "original") + ", " + counted(ledger.artifacts.size(), "artifact")
            + ".\n";
    }

    /// Author, time and text are fixed, so that the same input makes the same commit. Only the temporary ref, which the
    /// next writer overwrites, refers to it.
    [[nodiscard]] Result<git_oid> writeCommit(
        const Folder &root, const std::string &message, int64_t seconds, const std::string &parent) const
    {
        const auto treeOid = writeTree(root);
        if (!treeOid)
            return treeOid;
        GitTree tree;
        GitSignature author;
        GitCommit before;
        git_oid parentOid;
        std::vector<const git_commit *> parents;
        const bool isReady = git_tree_lookup(tree.out(), m_repository.get(), &*treeOid) == 0
            && git_signature_new(author.out(), "Palimpsest", "palimpsest@localhost", seconds, 0) == 0
            && (parent.empty()
                || (git_oid_fromstr(&parentOid, parent.c_str()) == 0
                    && git_commit_lookup(before.out(), m_repository.get(), &parentOid) == 0));
        if (!isReady)
            return writeFailure(m_path);
        if (before)
            parents.push_back(before.get());
        git_oid oid;
        GitReference pending;
        const bool isWritten = git_commit_create(&oid, m_repository.get(), nullptr, author.get(), author.get(), nullptr,
                                   message.c_str(), tree.get(), parents.size(), parents.data())
                == 0
            && git_reference_create(pending.out(), m_repository.get(), kPending, &oid, 1, nullptr) == 0;
        if (!isWritten)
            return writeFailure(m_path);
        return oid;
    }

    /// Reads the commit through a new handle without caches and compares every byte.
    [[nodiscard]] Result<void> readBack(const git_oid &commit, const std::vector<Expected> &expected) const
    {
        const auto repository = openRepository(m_path);
        if (!repository)
            return std::unexpected(repository.error());
        CommitFiles files(*repository, hexOf(commit), m_path.string());
        for (const Expected &each : expected) {
            const auto bytes = files.read(each.path);
            if (bytes && *bytes == each.bytes)
                continue;
            return failure(ErrorKind::Malformed,
                "“" + each.path + "” could not be read back as it was written, so nothing was committed"
                    + (bytes ? std::string(".") : ": " + bytes.error().message),
                m_path.string());
        }
        return {};
    }

    /// Flushes everything to disk, then moves `main` atomically if it is still where it was.
    [[nodiscard]] Result<void> moveMain(const git_oid &oid, const std::string &parent) const
    {
        if (auto flushed = flush(); !flushed)
            return flushed;
        git_oid parentOid;
        GitReference main;
        const bool isMoved = parent.empty()
            ? git_reference_create(main.out(), m_repository.get(), kMain, &oid, 0, nullptr) == 0
            : git_oid_fromstr(&parentOid, parent.c_str()) == 0
                && git_reference_create_matching(main.out(), m_repository.get(), kMain, &oid, 1, &parentOid, nullptr)
                    == 0;
        if (!isMoved)
            return writeFailure(m_path);
        git_reference_remove(m_repository.get(), kPending); // harmless if it stays
        return flush();
    }

    [[nodiscard]] Result<void> flush() const
    {
        if (!m_options.flushes)
            return {};
        const int folder = ::open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        const bool isFlushed = folder >= 0 && ::syncfs(folder) == 0;
        const int code = errno;
        if (folder >= 0)
            ::close(folder);
        if (isFlushed)
            return {};
        return failure(ErrorKind::NotWritable,
            std::string("The store could not be written to the disk: ") + std::strerror(code) + ".", m_path.string());
    }

    GitLibrary m_library; ///< must outlive the handles
    fs::path m_path;
    Options m_options;
    GitRepository m_repository;
    mutable std::optional<CommitFiles> m_files; ///< of the commit read last
    bool m_isOurs = false;
};

Store::Store(std::unique_ptr<Private> d)
    : m_private(std::move(d))
{
}

Store::~Store() = default;
Store::Store(Store &&) noexcept = default;
Store &Store::operator=(Store &&) noexcept = default;

Result<Store> Store::open(const fs::path &path, const Options &options)
{
    std::error_code error;
    if (!fs::exists(path, error))
        return failure(ErrorKind::NotFound, "There is no store here.", path.string());
    auto opened = std::make_unique<Private>(path, options);
    if (auto loaded = opened->load(); !loaded)
        return std::unexpected(loaded.error());
    return Store(std::move(opened));
}

Result<Store> Store::openOrCreate(const fs::path &path, const Options &options)
{
    const GitLibrary library;
    std::error_code error;
    const auto status = fs::status(path, error);
    const bool isFree = status.type() == fs::file_type::not_found
        || (status.type() == fs::file_type::directory && fs::is_empty(path, error));
    if (isFree) {
        // A path with a trailing slash has no file name for the temporary folder.
        fs::path plain = path.has_filename() ? path : path.parent_path();
        if (auto created = create(plain); !created)
            return std::unexpected(created.error());
    }
    auto store = open(path, options);
    if (store && !store->m_private->isOurs())
        return failure(ErrorKind::NotAFile, "This is a git repository, but not a Palimpsest store; name another place.",
            path.string());
    return store;
}

const fs::path &Store::path() const { return m_private->path(); }

Result<CommitInfo> Store::commit(const StoredCompaction &compaction) { return m_private->commit(compaction); }

Result<std::vector<CommitInfo>> Store::commits() const { return m_private->commits(); }

Result<CommitInfo> Store::find(std::string_view which) const
{
    constexpr size_t kFewestDigits = 7;
    const auto all = commits();
    if (!all)
        return std::unexpected(all.error());
    if (all->empty())
        return failure(ErrorKind::NotFound, "The store is empty: nothing was committed to it.", path().string());
    if (which.empty())
        return all->back();
    if (which.size() >= kFewestDigits) {
        const auto begins = [&](const CommitInfo &commit) { return commit.oid.starts_with(which); };
        const auto found = std::ranges::find_if(*all, begins);
        if (found != all->end() && std::ranges::count_if(*all, begins) == 1)
            return *found;
    } else {
        size_t number = 0;
        const auto [end, code] = std::from_chars(which.data(), which.data() + which.size(), number);
        if (code == std::errc() && end == which.data() + which.size() && number > 0 && number <= all->size())
            return (*all)[number - 1];
    }
    return failure(ErrorKind::NotFound,
        "The store has no compaction “" + std::string(which) + "”. "
            + (all->size() == 1 ? "Its only compaction is number 1"
                                : "Its compactions are numbered 1 to " + std::to_string(all->size()))
            + ". You can also give the first 7 digits of an id.",
        path().string());
}

Result<Ledger> Store::ledger(const CommitInfo &commit) const
{
    const auto json = readPath(commit, TreeNames::kLedger);
    if (!json)
        return std::unexpected(json.error());
    return parseLedger(*json, path().string());
}

Result<std::string> Store::read(const CommitInfo &commit, std::string_view name) const
{
    const auto entries = ledger(commit);
    if (!entries)
        return std::unexpected(entries.error());
    const auto pathOf = [&](const auto &list) -> const std::string * {
        const auto found
            = std::ranges::find_if(list, [&](const auto &each) { return each.path == name || each.name == name; });
        return found == list.end() ? nullptr : &found->path;
    };
    const std::string *path = pathOf(entries->originals);
    if (path == nullptr)
        path = pathOf(entries->artifacts);
    if (path == nullptr) {
        return failure(ErrorKind::NotFound,
            "Compaction " + std::to_string(commit.number) + " of the store has nothing with the name “"
                + std::string(name) + "”.",
            m_private->path().string());
    }
    return readPath(commit, *path);
}

Result<std::string> Store::readPath(const CommitInfo &commit, std::string_view path) const
{
    return m_private->readPath(commit, path);
}

} // namespace core
