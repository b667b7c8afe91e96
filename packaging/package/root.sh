# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # variables shared with packaging/dev
#
# The Debian 13 root in which packages are made and checked, whatever this system is: equal sources give equal packages.
# It holds what the build environment holds, the tools, and the copyright files of all. Sourced by packaging/dev.

use_package_root() {
    use_root_of package "$repository/packaging/packages.txt" "$repository/packaging/package/tools.txt"
    # Which package a file is from.
    unset 'enter[-1]'
    enter+=(--ro-bind "$root/var/lib/dpkg" /var/lib/dpkg --)
}

make_package_root() {
    step "Making the Debian 13 root for packages, about two minutes and 2 GB, in $1"
    make_root "$1" "$root_suite" --include="$2" --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-include=/usr/share/doc/*/copyright'
}
