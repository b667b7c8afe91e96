// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <map>
#include <string>

namespace testing {

struct ProgramRun {
    int exitCode = -1; ///< -1 for a crash
    std::string output;
    std::string error;
    int64_t memory = 0; ///< the most that the program held, in bytes
};

/// Runs the program. Not a QProcess, which cannot say how much memory one program used.
[[nodiscard]] ProgramRun runProgram(const QStringList &words);

/// The commands and how they are run. FILE and OTHER are sessions, POLICY is a policy, PRESET the name of one, STORE
/// the store of an export, OUT a new name, FOLDER the folder of all these.
[[nodiscard]] const std::map<QString, QStringList> &waysOfCommands();

/// A folder in which the ways are run. While it lives, it holds the home of the user, too.
class CommandGround final {
public:
    CommandGround();
    CommandGround(const CommandGround &) = delete;
    CommandGround &operator=(const CommandGround &) = delete;
    ~CommandGround();

    /// What a word of the ways stands for; by default a sample or a preset.
    void setPlace(const QString &place, const QString &value) { m_places[place] = value; }
    /// The same with a new file of the folder.
    void write(const QString &place, const QString &name, const std::string &bytes);
    /// The words of a way. Makes the store if the command needs it.
    [[nodiscard]] QStringList words(const QString &command, const QString &way, const QString &out);

private:
    QTemporaryDir m_folder;
    QByteArray m_home;
    std::map<QString, QString> m_places;
};

} // namespace testing
