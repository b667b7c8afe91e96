// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/readable_folder.h"

#include <filesystem>
#include <system_error>

namespace core {

Result<void> readableFolder(const std::string &folder)
{
    std::error_code error;
    const std::filesystem::directory_iterator listed(folder, error);
    if (!error)
        return {};
    if (error == std::errc::no_such_file_or_directory)
        return failure(ErrorKind::NotFound, "There is no such folder.", folder);
    if (error == std::errc::not_a_directory)
        return failure(ErrorKind::NotFound, "This is a file; name a folder.", folder);
    if (error == std::errc::permission_denied)
        return failure(ErrorKind::NotFound, "You have no permission to read this folder.", folder);
    return failure(ErrorKind::NotFound, "The folder cannot be read: " + error.message() + ".", folder);
}

} // namespace core
