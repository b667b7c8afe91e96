// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/files/own_policies.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 kLargest = 4'000'000; ///< bytes; larger files are not read as policies

} // namespace

QString ownPolicyFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/palimpsest/policies"_s;
}

bool isPolicyFile(const QString &path)
{
    constexpr qint64 kBeginning = 4096;
    QFile file(path);
    return path.endsWith(u".json"_s, Qt::CaseInsensitive) && file.open(QIODevice::ReadOnly)
        && file.read(kBeginning).contains("\"palimpsest.policy/");
}

core::Result<core::Policy> loadPolicy(const QString &path)
{
    QFile file(path);
    const auto fail = [&](const std::string &why) {
        return core::failure(
            core::ErrorKind::NotReadable, "The policy cannot be read: " + why + ".", path.toStdString());
    };
    if (!file.open(QIODevice::ReadOnly))
        return fail(file.errorString().toStdString());
    if (file.size() > kLargest)
        return fail("it has more than 4,000,000 bytes");
    return core::parsePolicy(file.readAll().toStdString(), path.toStdString());
}

core::Result<core::Policy> savePolicy(const core::Policy &policy, const QString &path)
{
    const std::string name = QFileInfo(path).completeBaseName().toStdString();
    core::Policy named = core::withName(policy, name, name);
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(named.document)) < 0 || !file.commit())
        return core::failure(core::ErrorKind::NotReadable,
            "The policy cannot be written: " + file.errorString().toStdString() + ".", path.toStdString());
    return named;
}

std::vector<core::PolicyPtr> ownPolicies()
{
    std::vector<core::PolicyPtr> policies;
    const auto files = QDir(ownPolicyFolder()).entryInfoList({ u"*.json"_s }, QDir::Files, QDir::Name);
    for (const QFileInfo &file : files) {
        if (auto policy = loadPolicy(file.filePath()))
            policies.push_back(std::make_shared<const core::Policy>(std::move(*policy)));
    }
    return policies;
}

} // namespace ui
