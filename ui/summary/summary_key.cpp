// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/summary/summary_key.h"

#include "core/summary/summary_request.h"

#include <QProcess>

#include <cstdlib>

using namespace Qt::StringLiterals;

namespace ui {

namespace {

constexpr int kLongestCommand = 30'000; ///< milliseconds

core::Result<std::string> keyFromCommand(const std::string &command)
{
    QProcess process;
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardErrorFile(QProcess::nullDevice());
    process.start(u"/bin/sh"_s, { u"-c"_s, QString::fromStdString(command) });
    if (!process.waitForFinished(kLongestCommand))
        return core::failure(core::ErrorKind::NotReadable, "The command for the key did not end in half a minute.");
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
        return core::failure(core::ErrorKind::NotReadable,
            "The command for the key failed with code " + std::to_string(process.exitCode()) + ".");
    }
    const QByteArray output = process.readAllStandardOutput();
    return output.left(output.indexOf('\n') < 0 ? output.size() : output.indexOf('\n')).trimmed().toStdString();
}

} // namespace

std::string SummaryKeySource::words() const
{
    if (!command.empty())
        return "the key from a command";
    return variable.empty() ? std::string() : "the key in " + variable;
}

bool SummaryKeySource::isSet() const
{
    if (!command.empty())
        return true;
    const char *value = variable.empty() ? nullptr : std::getenv(variable.c_str());
    return value != nullptr && *value != '\0';
}

core::Result<std::string> readSummaryKey(const SummaryKeySource &source, bool isOptional)
{
    if (!source.isSet()) {
        if (isOptional)
            return std::string();
        return core::failure(core::ErrorKind::Usage,
            source.variable.empty() ? "There is no key: name an environment variable or a command."
                                    : "The environment variable " + source.variable + " holds no key.");
    }
    core::Result<std::string> key
        = source.command.empty() ? std::string(std::getenv(source.variable.c_str())) : keyFromCommand(source.command);
    if (!key)
        return key;
    if (key->empty())
        return core::failure(core::ErrorKind::NotReadable, "The command for the key printed nothing.");
    if (const auto good = core::checkKey(*key); !good)
        return core::failure(good.error().kind, good.error().message, source.words());
    return key;
}

} // namespace ui
