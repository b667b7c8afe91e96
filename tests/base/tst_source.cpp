// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/source.h"
#include "tests/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace core;
using namespace Qt::StringLiterals;

namespace {

constexpr size_t kLarge = Source::kMapThreshold + 12345;
constexpr size_t kPage = 4096;

/// Bytes that differ from place to place, none of them zero.
std::string pattern(size_t size)
{
    std::string bytes(size, '\0');
    for (size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<char>('!' + (i * 7 + i / kPage) % 90);
    return bytes;
}

void changeModificationTime(const std::string &path)
{
    const std::array<timespec, 2> times { { { 1'000'000'000, 0 }, { 1'000'000'000, 5 } } };
    QCOMPARE(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
}

} // namespace

/// Files as bytes that stay readable whatever happens to the file.
class SourceTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void bytesAreThoseOfTheFile_data();
    void bytesAreThoseOfTheFile();
    void whatIsNoFileIsASentence_data();
    void whatIsNoFileIsASentence();
    void aFileThatMayNotBeReadIsASentence();
    void aChangeIsNoticed_data();
    void aChangeIsNoticed();
    void aGrownFileIsOpenedAgain();
    void aFileThatDoesNotGoOnIsNotOpenedAgain();
    void aMappedFileThatShrinksReadsAsZeros();
    void whatIsHeldStays();
    void whatIsHeldCostsNoMemoryAfterwards();
    void tornPagesAreFoundFromAnyThread();
    void onlyTheTornSourceIsTorn();
    void aFaultThatIsNotOursStillEndsTheProcess();
    void beyondTheTableFilesAreRead();
    void ownBytesAreNeverChanged();

private:
    std::string write(const std::string &bytes, const char *name = "session.jsonl") const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void SourceTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

std::string SourceTest::write(const std::string &bytes, const char *name) const
{
    QFile file(m_folder->filePath(QString::fromUtf8(name)));
    const bool isWritten = file.open(QIODevice::WriteOnly)
        && file.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size());
    return isWritten ? file.fileName().toStdString() : std::string();
}

void SourceTest::bytesAreThoseOfTheFile_data()
{
    QTest::addColumn<qulonglong>("size");
    QTest::addColumn<bool>("isMapped");
    QTest::newRow("no bytes") << 0ULL << false;
    QTest::newRow("one byte") << 1ULL << false;
    QTest::newRow("a page") << qulonglong(kPage) << false;
    QTest::newRow("just below the threshold") << qulonglong(Source::kMapThreshold - 1) << false;
    QTest::newRow("at the threshold, whole pages") << qulonglong(Source::kMapThreshold) << true;
    QTest::newRow("above the threshold") << qulonglong(kLarge) << true;
}

void SourceTest::bytesAreThoseOfTheFile()
{
    QFETCH(qulonglong, size);
    QFETCH(bool, isMapped);
    const std::string bytes = pattern(size);
    const std::string path = write(bytes);
    const auto source = Source::open(path);
    QVERIFY2(source, source ? "" : source.error().sentence().c_str());
    QVERIFY((*source)->bytes() == bytes);
    QCOMPARE((*source)->isMapped(), isMapped);
    QCOMPARE((*source)->name(), path);
    QVERIFY(!(*source)->isTorn());
    QVERIFY(!(*source)->hasChanged());
    // simdjson reads beyond the end: those bytes can be read, and hold nothing that looks like JSON.
    const char *end = (*source)->bytes().data() + size;
    for (size_t i = 0; i < Source::kPadding; ++i)
        QCOMPARE(end[i], '\0');
}

void SourceTest::whatIsNoFileIsASentence_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("nothing of that name") << u"missing"_s << int(ErrorKind::NotFound) << u"There is no such file."_s;
    QTest::newRow("a file as folder") << u"below a file"_s << int(ErrorKind::NotFound) << u"There is no such file."_s;
    QTest::newRow("a link that leads nowhere")
        << u"dangling"_s << int(ErrorKind::NotFound) << u"There is no such file."_s;
    QTest::newRow("a folder") << u"folder"_s << int(ErrorKind::NotAFile)
                              << u"This is a folder; choose a session file in it."_s;
    QTest::newRow("a pipe that nobody writes to")
        << u"pipe"_s << int(ErrorKind::NotAFile) << u"This is not a regular file."_s;
    QTest::newRow("a socket") << u"socket"_s << int(ErrorKind::NotAFile) << u"This is not a regular file."_s;
    QTest::newRow("a device") << u"device"_s << int(ErrorKind::NotAFile) << u"This is not a regular file."_s;
}

void SourceTest::whatIsNoFileIsASentence()
{
    QFETCH(QString, kind);
    QFETCH(int, error);
    QFETCH(QString, sentence);
    std::string path = m_folder->filePath(u"x"_s).toStdString();
    int open = -1;
    if (kind == u"below a file") {
        path = write("x") + "/session.jsonl";
    } else if (kind == u"dangling") {
        QCOMPARE(::symlink("/nowhere/at/all", path.c_str()), 0);
    } else if (kind == u"folder") {
        path = m_folder->path().toStdString();
    } else if (kind == u"pipe") {
        QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    } else if (kind == u"socket") {
        open = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address {};
        address.sun_family = AF_UNIX;
        QVERIFY(path.size() < sizeof address.sun_path);
        path.copy(address.sun_path, path.size());
        sockaddr generic {};
        static_assert(sizeof generic <= sizeof address);
        QCOMPARE(::bind(open, static_cast<const sockaddr *>(static_cast<const void *>(&address)), sizeof address), 0);
    } else if (kind == u"device") {
        path = "/dev/zero";
    }
    const auto source = Source::open(path);
    if (open >= 0)
        ::close(open);
    QVERIFY(!source);
    QCOMPARE(int(source.error().kind), error);
    QCOMPARE(QString::fromStdString(source.error().message), sentence);
    QCOMPARE(source.error().where, path);
}

void SourceTest::aFileThatMayNotBeReadIsASentence()
{
    const std::string path = write("{}");
    QCOMPARE(::chmod(path.c_str(), 0), 0);
    QCOMPARE(::chmod(m_folder->path().toUtf8().constData(), 0755), 0);
    const bool isRoot = ::geteuid() == 0;
    if (isRoot && ::seteuid(65534) != 0)
        QSKIP("Runs as root, whom nothing is forbidden, and cannot become somebody else.");
    const auto source = Source::open(path);
    if (isRoot)
        QCOMPARE(::seteuid(0), 0);
    QVERIFY(!source);
    QCOMPARE(int(source.error().kind), int(ErrorKind::NotReadable));
    QCOMPARE(source.error().message, "You have no permission to read this file.");
}

void SourceTest::aChangeIsNoticed_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("isLarge");
    for (const bool isLarge : { false, true }) {
        for (const char *change : { "grows", "shrinks", "is emptied", "is replaced", "vanishes", "is written again" })
            QTest::addRow("%s file %s", isLarge ? "a mapped" : "a small", change)
                << QString::fromUtf8(change) << isLarge;
    }
}

void SourceTest::aChangeIsNoticed()
{
    QFETCH(QString, change);
    QFETCH(bool, isLarge);
    const std::string bytes = pattern(isLarge ? kLarge : 5000);
    const std::string path = write(bytes);
    const auto source = Source::open(path);
    QVERIFY(source);
    QCOMPARE((*source)->isMapped(), isLarge);
    QVERIFY(!(*source)->hasChanged());
    const QString file = QString::fromStdString(path);
    bool isWhole = true;
    if (change == u"grows") {
        QFile more(file);
        QVERIFY(more.open(QIODevice::Append));
        more.write("more");
    } else if (change == u"shrinks" || change == u"is emptied") {
        QVERIFY(QFile::resize(file, change == u"shrinks" ? static_cast<qint64>(bytes.size() / 2) : 0));
        isWhole = !isLarge; // what was read into memory stays
    } else if (change == u"is replaced") {
        const std::string other = write(std::string(bytes.size(), 'x'), "other.jsonl");
        QCOMPARE(::rename(other.c_str(), path.c_str()), 0);
    } else if (change == u"vanishes") {
        QVERIFY(QFile::remove(file));
    } else {
        changeModificationTime(path); // same size, same inode
    }
    QVERIFY((*source)->hasChanged());
    if (isWhole)
        QVERIFY((*source)->bytes() == bytes);
}

void SourceTest::aGrownFileIsOpenedAgain()
{
    for (const size_t size : { size_t(0), size_t(10), kPage + 5, kLarge }) {
        const std::string bytes = pattern(size + 3 * kPage);
        const auto before = Source::open(write(bytes.substr(0, size)));
        QVERIFY(before);
        QVERIFY((*before)->reopen());
        QVERIFY((*(*before)->reopen())->bytes() == (*before)->bytes());
        QFile file(QString::fromStdString((*before)->name()));
        QVERIFY(file.open(QIODevice::Append));
        file.write(bytes.data() + size, static_cast<qint64>(bytes.size() - size));
        file.close();
        const auto grown = (*before)->reopen();
        QVERIFY(grown && (*grown)->isMapped());
        QVERIFY((*grown)->bytes() == bytes);
        QCOMPARE((*before)->bytes().size(), size);
        QVERIFY((*before)->hasChanged() && !(*grown)->hasChanged());
    }
}

void SourceTest::aFileThatDoesNotGoOnIsNotOpenedAgain()
{
    const auto kindOf = [](const Source &source) {
        const auto again = source.reopen();
        return again ? -1 : static_cast<int>(again.error().kind);
    };
    const auto source = Source::open(write("one\ntwo\n"));
    QVERIFY(source);
    write("one\n");
    QCOMPARE(kindOf(**source), int(ErrorKind::Changed));
    write("one\nTWO\nthree\n");
    QCOMPARE(kindOf(**source), int(ErrorKind::Changed));
    const std::string other = write("one\ntwo\nthree\n", "other.jsonl");
    QCOMPARE(::rename(other.c_str(), (*source)->name().c_str()), 0);
    QCOMPARE(kindOf(**source), int(ErrorKind::Changed));
    QCOMPARE(::unlink((*source)->name().c_str()), 0);
    QCOMPARE(kindOf(**source), int(ErrorKind::NotFound));
    QCOMPARE(kindOf(*Source::own("text", "buffer")), int(ErrorKind::Changed));
}

void SourceTest::aMappedFileThatShrinksReadsAsZeros()
{
    const std::string bytes = pattern(kLarge);
    const std::string path = write(bytes);
    const auto source = Source::open(path);
    QVERIFY(source);
    const size_t kept = 5 * kPage + 77;
    QVERIFY(QFile::resize(QString::fromStdString(path), static_cast<qint64>(kept)));
    const std::string_view view = (*source)->bytes();
    QCOMPARE(view.size(), kLarge);

    // The last page that is still there ends in zeros; that alone is no fault, only a change.
    QVERIFY(view.substr(0, kept) == std::string_view(bytes).substr(0, kept));
    QCOMPARE(view[kept], '\0');
    QVERIFY(!(*source)->isTorn());
    QVERIFY((*source)->hasChanged());

    // Somewhere in the middle, then before it, then to the very end.
    QCOMPARE(view[kLarge / 2], '\0');
    QVERIFY((*source)->isTorn());
    QCOMPARE(view[6 * kPage], '\0');
    QVERIFY(view.substr(6 * kPage).find_first_not_of('\0') == std::string_view::npos);
    QVERIFY(view.substr(0, kept) == std::string_view(bytes).substr(0, kept));
}

void SourceTest::whatIsHeldStays()
{
    const std::string bytes = pattern(kLarge);
    const std::string path = write(bytes);
    const auto source = Source::open(path);
    QVERIFY(source);
    const std::string_view view = (*source)->bytes();
    const size_t begin = 3 * kPage + 11;
    const size_t size = 40 * kPage;
    const auto held = [&] { return view.substr(begin, size); };
    SourceHold hold(**source);
    hold.hold(held());

    // Written over in place: seen everywhere but there.
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QCOMPARE(file.write(QByteArray(int(60 * kPage), '\1')), qint64(60 * kPage));
    file.close();
    QVERIFY(held() == std::string_view(bytes).substr(begin, size));
    QCOMPARE(view[2 * kPage], '\1');
    QCOMPARE(view[50 * kPage], '\1');

    // Gone: a page in front of it and one behind it are met first.
    QVERIFY(QFile::resize(QString::fromStdString(path), 0));
    QCOMPARE(view[0], '\0');
    QCOMPARE(view[50 * kPage], '\0');
    QVERIFY((*source)->isTorn());
    QVERIFY(held() == std::string_view(bytes).substr(begin, size));

    // Held when all has gone: zeros, and no fault that ends us.
    hold.hold(view.substr(100 * kPage, 3 * kPage));
    QCOMPARE(view[101 * kPage], '\0');
    // Let go, with the pages at its ends left to whoever else holds them.
    QVERIFY(held().substr(kPage, size - 2 * kPage).find_first_not_of('\0') == std::string_view::npos);
    hold.letGo();
}

void SourceTest::whatIsHeldCostsNoMemoryAfterwards()
{
    const auto source = Source::open(write(pattern(kLarge)));
    QVERIFY(source);
    const std::string_view view = (*source)->bytes();
    const auto ownPages = [&] {
        // Private pages of the mapping and its pieces, as the system counts them.
        QFile maps(u"/proc/self/smaps"_s);
        if (!maps.open(QIODevice::ReadOnly))
            return -1;
        const auto first = reinterpret_cast<quintptr>(view.data());
        bool isOurs = false;
        int pages = 0;
        for (const QByteArray &line : maps.readAll().split('\n')) {
            bool isAddress = false;
            const auto start = line.first(std::max<qsizetype>(line.indexOf('-'), 0)).toULongLong(&isAddress, 16);
            if (isAddress)
                isOurs = start >= first && start < first + view.size();
            else if (isOurs && line.startsWith("Private_Dirty:"))
                pages += line.simplified().split(' ').at(1).toInt() * 1024 / int(kPage);
        }
        return pages;
    };
    SourceHold hold(**source);
    for (size_t begin = 0; begin < view.size(); begin += 100'000)
        hold.hold(view.substr(begin, 100'000));
    QVERIFY(ownPages() > 20);
    hold.letGo();
    // Two pages at the ends of each range may stay.
    QVERIFY(ownPages() >= 0);
    QVERIFY2(ownPages() <= int(2 * (view.size() / 100'000 + 1)), qPrintable(QString::number(ownPages())));
}

void SourceTest::tornPagesAreFoundFromAnyThread()
{
    const std::string path = write(pattern(kLarge));
    const auto source = Source::open(path);
    QVERIFY(source);
    QVERIFY(QFile::resize(QString::fromStdString(path), 0));
    std::array<uint64_t, 4> sums {};
    std::vector<std::thread> threads;
    for (uint64_t &sum : sums) {
        threads.emplace_back([&sum, &source] {
            for (const char c : (*source)->bytes())
                sum += static_cast<unsigned char>(c);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (const uint64_t sum : sums)
        QCOMPARE(sum, 0U);
    QVERIFY((*source)->isTorn());
}

void SourceTest::onlyTheTornSourceIsTorn()
{
    const std::string bytes = pattern(kLarge);
    const std::string whole = write(bytes, "whole.jsonl");
    const std::string cut = write(bytes, "cut.jsonl");
    auto gone = Source::open(whole);
    auto torn = Source::open(cut);
    const auto kept = Source::open(whole);
    QVERIFY(gone && torn && kept);
    gone = failure(ErrorKind::Internal, ""); // its place in the table is free again
    QVERIFY(QFile::resize(QString::fromStdString(cut), 0));
    QCOMPARE((*torn)->bytes().back(), '\0');
    QVERIFY((*torn)->isTorn());
    QVERIFY(!(*kept)->isTorn());
    QVERIFY((*kept)->bytes() == bytes);
}

void SourceTest::aFaultThatIsNotOursStillEndsTheProcess()
{
    const std::string path = write(pattern(kLarge));
    const auto source = Source::open(path); // installs the handler
    QVERIFY(source);
    const pid_t child = ::fork();
    if (child == 0) {
        const int null = ::open("/dev/null", O_WRONLY);
        ::dup2(null, STDERR_FILENO); // a sanitizer has much to say
        const int file = ::open((path + ".other").c_str(), O_RDWR | O_CREAT, 0600);
        if (::ftruncate(file, kPage) != 0)
            ::_exit(0);
        auto *mapping = static_cast<volatile char *>(::mmap(nullptr, kPage, PROT_READ, MAP_SHARED, file, 0));
        if (::ftruncate(file, 0) != 0)
            ::_exit(0);
        ::_exit(mapping[0] == 0 ? 0 : 0); // must not get here
    }
    QVERIFY(child > 0);
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY2(WIFSIGNALED(status) || WEXITSTATUS(status) != 0, "the fault was swallowed");
}

void SourceTest::beyondTheTableFilesAreRead()
{
    // The signal handler knows 256 mappings; from there on files are read into memory.
    const std::string path = m_folder->filePath(u"sparse"_s).toStdString();
    write("", "sparse");
    QVERIFY(QFile::resize(QString::fromStdString(path), static_cast<qint64>(kLarge)));
    std::vector<SourcePtr> sources;
    for (int i = 0; i < 258; ++i) {
        auto source = Source::open(path);
        QVERIFY(source);
        sources.push_back(std::move(*source));
    }
    QCOMPARE(std::ranges::count_if(sources, [](const SourcePtr &each) { return each->isMapped(); }), 256);
    for (const SourcePtr &each : sources) {
        QCOMPARE(each->bytes().size(), kLarge);
        QCOMPARE(each->bytes().back(), '\0');
    }
    sources.clear();
    const auto again = Source::open(path);
    QVERIFY(again);
    QVERIFY((*again)->isMapped());
}

void SourceTest::ownBytesAreNeverChanged()
{
    const SourcePtr source = Source::own(pattern(100), "unpacked");
    QCOMPARE(source->bytes(), pattern(100));
    QCOMPARE(source->name(), "unpacked");
    QVERIFY(!source->hasChanged());
    QVERIFY(!source->isTorn());
    for (size_t i = 0; i < Source::kPadding; ++i)
        QCOMPARE(source->bytes().data()[100 + i], '\0');
}

PALIMPSEST_TEST(SourceTest)
#include "tst_source.moc"
