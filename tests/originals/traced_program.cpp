// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "tests/originals/traced_program.h"

#include "tests/file_bytes.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <set>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace testing {

namespace {

namespace fs = std::filesystem;

/// System calls whose first argument is the file they write bytes to.
constexpr auto kWriting = std::to_array<uint64_t>({ SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev });
/// System calls whose first argument is the file they change otherwise.
constexpr auto kOfFiles
    = std::to_array<uint64_t>({ SYS_ftruncate, SYS_fchmod, SYS_fsync, SYS_fdatasync, SYS_syncfs, SYS_fallocate });
/// System calls that change names.
constexpr auto kOfNames = std::to_array<uint64_t>({
    SYS_linkat,
    SYS_unlinkat,
    SYS_mkdirat,
    SYS_renameat2,
    SYS_renameat,
#ifdef SYS_rename
    SYS_rename,
    SYS_link,
    SYS_unlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_chmod,
    SYS_symlink,
#endif
});

bool isOneOf(uint64_t number, std::span<const uint64_t> list) { return std::ranges::find(list, number) != list.end(); }

/// A program under ptrace, from its first instruction to its end.
class Trace final {
public:
    Trace(pid_t process, std::string folder, const Disturbance *disturbance)
        : m_process(process)
        , m_folder(std::move(folder))
        , m_disturbance(disturbance)
    {
    }

    /// Lets the program run to its end or to its death.
    TracedRun follow()
    {
        int status = 0;
        if (::waitpid(m_process, &status, 0) != m_process || !WIFSTOPPED(status))
            return m_run;
        ::ptrace(PTRACE_SETOPTIONS, m_process, nullptr,
            PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC
                | PTRACE_O_EXITKILL);
        ::ptrace(PTRACE_SYSCALL, m_process, nullptr, 0);
        while (true) {
            const pid_t thread = ::waitpid(-1, &status, __WALL);
            if (thread < 0)
                break;
            if (WIFSTOPPED(status))
                goOn(thread, status);
            else if (thread == m_process && WIFEXITED(status))
                m_run.exitCode = WEXITSTATUS(status);
            else if (thread == m_process && WIFSIGNALED(status))
                m_run.signal = WTERMSIG(status);
        }
        return m_run;
    }

private:
    void goOn(pid_t thread, int status)
    {
        int signal = WSTOPSIG(status);
        if (signal == (SIGTRAP | 0x80)) {
            signal = 0;
            if (!stopAtCall(thread))
                return;
        } else if (signal == SIGTRAP || (signal == SIGSTOP && m_threads.insert(thread).second)) {
            signal = 0; // an event of ptrace, or a new thread
        }
        ::ptrace(PTRACE_SYSCALL, thread, nullptr, signal);
    }

    /// False if the program is dead.
    bool stopAtCall(pid_t thread)
    {
        __ptrace_syscall_info info {};
        if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0)
            return true;
        if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
            if (thread == m_dying)
                return kill();
            if (m_refused.erase(thread) > 0)
                setResult(thread, -m_disturbance->error);
            return true;
        }
        if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !isChange(thread, info.entry.nr, info.entry.args))
            return true;
        const bool isDisturbed = m_disturbance != nullptr && m_run.changes >= m_disturbance->from;
        ++m_run.changes;
        return !isDisturbed || disturb(thread, info.entry.nr);
    }

    /// At a change that is to be disturbed, or behind it.
    bool disturb(pid_t thread, uint64_t number)
    {
        using Kind = Disturbance::Kind;
        const Kind kind = m_disturbance->kind;
        if (kind == Kind::RefuseSpace || kind == Kind::RefuseAll) {
            if (kind == Kind::RefuseAll || needsSpace(number))
                refuse(thread);
            return true;
        }
        if (m_dying >= 0)
            return true; // another thread goes on until the first has had its call
        if (kind == Kind::KillBefore || (kind == Kind::KillWithin && !shorten(thread, number)))
            return kill();
        m_dying = thread;
        return true;
    }

    bool kill()
    {
        ::kill(m_process, SIGKILL);
        m_run.isKilled = true;
        return false;
    }

    static bool needsSpace(uint64_t number)
    {
        constexpr auto kNames = std::to_array<uint64_t>({
            SYS_openat,
            SYS_linkat,
            SYS_mkdirat,
            SYS_fallocate,
#ifdef SYS_open
            SYS_open,
            SYS_link,
            SYS_mkdir,
#endif
        });
        return isOneOf(number, kWriting) || isOneOf(number, kNames);
    }

#ifdef __x86_64__
    template <typename Change>
    static bool changeRegisters(pid_t thread, const Change &change)
    {
        user_regs_struct registers {};
        if (::ptrace(PTRACE_GETREGS, thread, nullptr, &registers) != 0)
            return false;
        change(registers);
        return ::ptrace(PTRACE_SETREGS, thread, nullptr, &registers) == 0;
    }
    /// Makes the call write fewer bytes. False if it writes none.
    [[nodiscard]] bool shorten(pid_t thread, uint64_t number) const
    {
        return (number == SYS_write || number == SYS_pwrite64) && changeRegisters(thread, [&](auto &registers) {
            registers.rdx = static_cast<unsigned long long>(static_cast<double>(registers.rdx) * m_disturbance->share);
        });
    }
    /// Turns the call into none.
    void refuse(pid_t thread)
    {
        changeRegisters(thread, [](auto &registers) { registers.orig_rax = ~0ULL; });
        m_refused.insert(thread);
    }
    static void setResult(pid_t thread, long result)
    {
        changeRegisters(thread, [&](auto &registers) { registers.rax = static_cast<unsigned long long>(result); });
    }
#else
    static bool shorten(pid_t, uint64_t) { return false; }
    static void refuse(pid_t) { }
    static void setResult(pid_t, long) { }
#endif

    template <typename Words>
    bool isChange(pid_t thread, uint64_t number, const Words &words) const
    {
        if (isOneOf(number, kOfNames))
            return true;
        if (number == SYS_openat)
            return (words[2] & (O_CREAT | O_TRUNC)) != 0 || (words[2] & O_TMPFILE) == O_TMPFILE;
#ifdef SYS_open
        if (number == SYS_open)
            return (words[1] & (O_CREAT | O_TRUNC)) != 0;
#endif
        if (!isOneOf(number, kWriting) && !isOneOf(number, kOfFiles))
            return false;
        std::error_code error;
        const fs::path link = "/proc/" + std::to_string(thread) + "/fd/" + std::to_string(words[0]);
        return fs::read_symlink(link, error).string().starts_with(m_folder);
    }

    pid_t m_process;
    std::string m_folder;
    const Disturbance *m_disturbance;
    std::set<pid_t> m_threads; ///< that have begun
    std::set<pid_t> m_refused; ///< whose call is turned into none
    pid_t m_dying = -1;        ///< the thread at whose next stop the program is killed
    TracedRun m_run;
};

/// In the new process, between `fork` and `exec`.
[[noreturn]] void becomeProgram(
    const std::string &output, const std::string &error, char *const *words, char *const *environment)
{
    for (const auto &[descriptor, path] : { std::pair(STDOUT_FILENO, &output), std::pair(STDERR_FILENO, &error) }) {
        const int file = ::open(path->c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (file < 0 || ::dup2(file, descriptor) < 0)
            ::_exit(126);
    }
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
        ::_exit(125);
    ::raise(SIGSTOP);
    ::execve(words[0], words, environment);
    ::_exit(127);
}

std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    for (std::string &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

} // namespace

bool TracedProgram::isPossible()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
    int status = -1;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TracedRun TracedProgram::run(const std::vector<std::string> &words, const Disturbance *disturbance) const
{
    std::vector<std::string> arguments {
        (QCoreApplication::applicationDirPath() + QStringLiteral("/palimpsest")).toStdString()
    };
    arguments.insert(arguments.end(), words.begin(), words.end());
    std::map<std::string, std::string> all = m_variables;
    for (char **each = environ; *each != nullptr; ++each) {
        const std::string text(*each);
        const size_t equals = text.find('=');
        all.try_emplace(text.substr(0, equals), text.substr(std::min(text.size(), equals + 1)));
    }
    all["ASAN_OPTIONS"] += ":detect_leaks=0"; // that check works under no other tracer
    std::vector<std::string> environment;
    for (const auto &[name, value] : all) {
        if (!value.empty())
            environment.push_back(name + "=" + value);
    }
    const std::string output = m_folder.string() + ".output";
    const std::string error = m_folder.string() + ".error";
    const std::vector<char *> argumentPointers = pointersTo(arguments);
    const std::vector<char *> environmentPointers = pointersTo(environment);
    const pid_t process = ::fork();
    if (process < 0)
        qFatal("fork failed");
    if (process == 0)
        becomeProgram(output, error, argumentPointers.data(), environmentPointers.data());
    TracedRun run = Trace(process, m_folder.string() + "/", disturbance).follow();
    run.output = testing::bytesOf(output);
    run.error = testing::bytesOf(error);
    return run;
}

} // namespace testing
