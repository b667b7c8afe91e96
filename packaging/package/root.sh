# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # variables shared with packaging/dev
#
# The Debian 13 root in which packages are made and checked, whatever this system is: equal sources give equal packages.
# It holds what the build environment holds, the tools, and the copyright files of all. Sourced by packaging/dev.

use_package_root() {
    local lists=("$repository/packaging/packages.txt" "$repository/packaging/package/tools.txt") hash root
    hash=$(package_names "${lists[@]}" | sha256sum)
    root=$cache_home/package-${hash:0:12}
    mkdir -p -- "$cache_home"
    require_root_tools
    root_is_whole "$root" || with_lock make_package_root_once "$root" "${lists[@]}"
    enter_root "$root"
    share_compiler_cache
    # Which package a file is from.
    unset 'enter[-1]'
    enter+=(--ro-bind "$root/var/lib/dpkg" /var/lib/dpkg --)
}

make_package_root_once() {
    local root=$1 packages
    shift
    root_is_whole "$root" && return
    packages=$(package_names "$@" | paste -sd,)
    require_space "$cache_home"
    step "Making the Debian 13 root for packages, about two minutes and 2 GB, in $root"
    make_root "$root" "$root_suite" --include="$packages" --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-include=/usr/share/doc/*/copyright'
}
