# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared with packaging/dev
#
# Where the build happens: on this system when it has the libraries, else in a Debian 13 root. Sourced by
# packaging/dev after root.sh. The decision is kept in build/environment, so that a call costs milliseconds.

decision_file=$repository/build/environment

# Fills `enter`, the words to put before a command to run it in the environment, sets the environment up if need be.
use_environment() {
    local decision=
    [[ -r $decision_file ]] && decision=$(<"$decision_file")
    if [[ -n ${PALIMPSEST_INSIDE:-} ]]; then
        decision=host
    elif ! decision_holds "$decision"; then
        decide
    fi
    case $decision in
        host) enter=(env --) ;;
        *) enter_root "$decision" ;;
    esac
    share_compiler_cache
}

# Clones and worktrees share what is compiled.
share_compiler_cache() {
    export CCACHE_BASEDIR=$repository CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
}

# A decision is void once a file that it was made from is newer, or its root is gone.
decision_holds() {
    [[ -n $1 && $decision_file -nt $repository/packaging/packages.txt &&
        $decision_file -nt $repository/packaging/environment.sh ]] || return 1
    [[ $1 == host ]] || root_is_whole "$1"
}

decide() {
    mkdir -p -- "${decision_file%/*}" "$cache_home" ||
        stop "The folders build and $cache_home must be writable: check who owns them."
    if host_has_libraries; then
        decision=host
    elif host_is_new_debian; then
        install_on_host
        decision=host
    else
        decision=$(root_folder)
        require_root_tools
        root_is_whole "$decision" || with_lock make_root_once "$decision"
    fi
    printf '%s\n' "$decision" >"$decision_file"
}

# CMakeLists.txt is the one place that says which libraries in which versions: it is asked, in a folder of its own.
host_has_libraries() {
    [[ ${PALIMPSEST_ENVIRONMENT:-} != root ]] || return 1
    command -v cmake ninja >/dev/null || return 1
    local probe result=0
    probe=$(mktemp -d)
    cmake -S "$repository" -B "$probe" -G Ninja -D PALIMPSEST_PROBE=ON >"$log" 2>&1 || result=1
    rm -rf -- "$probe"
    return "$result"
}

# Debian 13, Ubuntu 24.10 and what follows them or is made from them: their archive has every package of the list.
host_is_new_debian() {
    [[ ${PALIMPSEST_ENVIRONMENT:-} != root ]] && command -v apt-get >/dev/null || return 1
    local id version
    # shellcheck source=/dev/null
    read -r id version < <(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-0}")
    case $id in
        debian) ((${version%%.*} >= 13)) && return ;;
        ubuntu) ((${version%%.*} > 24 || 10#${version#*.} == 2410)) && return ;;
    esac
    apt-cache show libkf6syntaxhighlighting-dev >/dev/null 2>&1
}

# Packages are the user's business; only a build machine gets them without being asked.
install_on_host() {
    local packages
    mapfile -t packages < <(package_names)
    [[ -n ${CI:-} && $EUID == 0 ]] || stop "Some libraries are missing: sudo apt install ${packages[*]}"
    step "Installing ${#packages[@]} packages"
    install_as_root "${packages[@]}"
}

# Two first runs at once: the second waits, then finds the root made.
with_lock() {
    exec {lock}>"$cache_home/lock"
    if ! flock --nonblock "$lock"; then
        step "Another run is making the build environment: waiting for it"
        flock "$lock"
    fi
    # What is started meanwhile does not inherit the lock: a process that stays behind would keep it.
    "$@" {lock}>&-
    exec {lock}>&-
}

make_root_once() {
    root_is_whole "$1" || make_build_root "$1"
}
