# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2154 # variables shared with packaging/dev
#
# The Debian 13 root, and other roots: where they lie, how they are made, how a command runs in one. Sourced by
# packaging/dev, which provides $repository, step, stop.

root_suite=trixie
[[ -n ${HOME:-} ]] || export HOME=~
cache_home=${XDG_CACHE_HOME:-$HOME/.cache}/palimpsest

# package_names [LIST…]: the names in some lists, by default in that of the build environment.
package_names() {
    (($#)) || set -- "$repository/packaging/packages.txt"
    sed 's/#.*//' "$@" | awk 'NF { print $1 }' | LC_ALL=C sort -u
}

# The root's folder depends on nothing but the set of packages, so all clones and worktrees share it.
root_folder() {
    local hash
    hash=$(package_names | sha256sum)
    printf '%s/root-%s\n' "$cache_home" "${hash:0:12}"
}

# Whether a root is there and nothing has been cleaned out of it.
root_is_whole() {
    [[ -x $1/usr/bin/g++ && -x $1/usr/bin/ctest && -e $1/etc/localtime && -d $1/usr/share/fonts ]]
}

# --- tools of the host ---------------------------------------------------------------------------------------------

# mmdebstrap makes the root and bwrap enters it; on other Debian-like systems the archive keys are a package, too.
require_root_tools() {
    local missing=()
    command -v mmdebstrap >/dev/null || missing+=(mmdebstrap)
    command -v bwrap >/dev/null || missing+=(bubblewrap)
    [[ -e /usr/share/keyrings/debian-archive-keyring.gpg ]] || missing+=(debian-archive-keyring)
    if ((${#missing[@]})); then
        get_root_tools "${missing[@]}"
    fi
    bwrap --ro-bind / / true 2>"$log" || stop_with_log "bwrap may not make namespaces here. In a container allow them" \
        "(--privileged); on a system that forbids them to users, run this as root; or build on Debian 13."
}

get_root_tools() {
    local missing=("$@")
    command -v apt-get >/dev/null ||
        stop "This system has neither the libraries nor ${missing[*]}: install these with its package manager."
    if ((EUID != 0)); then
        # An ordinary user's mmdebstrap maps a range of user ids, which newuidmap of uidmap sets up.
        command -v newuidmap >/dev/null || missing+=(uidmap)
        stop "The build environment needs two small tools: sudo apt install ${missing[*]}"
    fi
    step "Installing ${missing[*]}"
    install_as_root "${missing[@]}"
}

install_as_root() {
    {
        DEBIAN_FRONTEND=noninteractive apt-get update &&
            DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"
    } </dev/null >"$log" 2>&1 || stop_with_log "apt-get could not install $*: check the network and try again."
}

# --- making --------------------------------------------------------------------------------------------------------

# The host's own Debian mirror, so that the root comes from where the host's packages come from: the first source of
# the host's release in one-line (sources.list) or deb822 (*.sources) form. Nothing on hosts that are not Debian;
# mmdebstrap then takes its default.
host_mirror() {
    local codename file
    # shellcheck source=/dev/null
    codename=$(. /etc/os-release && [[ ${ID:-} == debian ]] && printf '%s' "${VERSION_CODENAME:-}") || return 0
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        [[ -r $file ]] || continue
        case $file in
            *.list) sed -n 's/^deb  *\(\[[^]]*\] *\)\{0,1\}//p' "$file" ;;
            *.sources) awk -v RS= '
                /(^|\n)Enabled: *no/ { next }
                {
                    uri = suite = ""
                    for (i = split($0, lines, "\n"); i; --i) {
                        split(lines[i], word, " ")
                        if (word[1] == "URIs:") uri = word[2]
                        if (word[1] == "Suites:") suite = word[2]
                    }
                    print uri, suite
                }' "$file" ;;
        esac
    done | awk -v suite="$codename" '$2 == suite { print $1; exit }' | {
        read -r uri || true
        # Cloud images name a local file that holds the mirrors.
        [[ ${uri:-} == mirror+file:* ]] && read -r uri _ <"${uri#mirror+file:}"
        printf '%s' "${uri%/}"
    }
}

# The host's proxy and transport settings in the form of mmdebstrap's options.
host_apt_options() {
    apt-config dump 2>/dev/null |
        grep -E '^Acquire::(https?::|Check-|Retries|ForceIPv)[^ ]* "[^"]+";$' |
        sed 's/^/--aptopt=/' || true
}

# The build environment.
make_build_root() {
    local packages
    packages=$(package_names | paste -sd,)
    require_space "$cache_home"
    step "Making the Debian 13 build environment, about a minute and 1.5 GB, in $1"
    # Documentation stays out: a sixth of the size, read by nobody.
    make_root "$1" "$root_suite" --include="$packages" --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/man/*'
    name_other_roots "$1"
}

# make_root FOLDER SUITE OPTION…: a root of that Debian release, with options of mmdebstrap.
make_root() {
    local root=$1 suite=$2 options=() mirror
    shift 2
    mirror=${PALIMPSEST_MIRROR:-$(host_mirror)}
    mapfile -t options < <(host_apt_options)
    # shellcheck disable=SC2016 # the hook's own shell expands
    # Translations stay out. The time zone is bound at run time.
    options+=(--variant=apt --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/locale/*'
        --customize-hook='rm -f "$1/etc/localtime" && touch "$1/etc/localtime"' "$@")

    remove_tree "$root.part" "$root"
    mkdir -- "$root.part"
    if ((EUID == 0)); then
        # In a mount namespace of its own, nothing stays mounted when it is interrupted.
        unshare --mount -- mmdebstrap --mode=root "${options[@]}" "$suite" "$root.part" ${mirror:+"$mirror"}
    else
        # The ids that mmdebstrap works under may not enter a private home folder, so the tree comes out as an archive.
        TMPDIR=/var/tmp mmdebstrap --mode=unshare "${options[@]}" "$suite" - ${mirror:+"$mirror"} |
            tar --extract --directory="$root.part" --exclude='./dev/*'
    fi </dev/null >"$log" 2>&1 || stop_with_log "mmdebstrap could not make the Debian root: $(root_remedy)"
    mv -T -- "$root.part" "$root"
}

# An unfinished or damaged root. Whatever is still mounted in it is not entered.
remove_tree() {
    rm -rf --one-file-system -- "$@" || stop "The remains of an earlier root cannot be removed: remove $* by hand."
}

# use_root_of NAME LIST…: enters a root of its own for some package lists, whatever this system is. `make_NAME_root ROOT
# PACKAGES` makes it if it is not there. Leaves its folder in `root`.
use_root_of() {
    local name=$1 hash
    shift
    hash=$(package_names "$@" | sha256sum)
    root=$cache_home/$name-${hash:0:12}
    mkdir -p -- "$cache_home"
    require_root_tools
    root_is_whole "$root" || with_lock make_root_of_once "$root" "$name" "$@"
    enter_root "$root"
    share_compiler_cache
}

make_root_of_once() {
    local root=$1 name=$2
    shift 2
    root_is_whole "$root" && return
    require_space "$cache_home"
    "make_${name}_root" "$root" "$(package_names "$@" | paste -sd,)"
}

# Roots of other package lists may serve other clones: they are named, not removed.
name_other_roots() {
    local others=()
    mapfile -t others < <(find "$cache_home" -maxdepth 1 -name 'root-*' ! -path "$1")
    ((${#others[@]} == 0)) || step "Made for other versions, to be removed where no clone needs it: ${others[*]}"
}

root_remedy() {
    if grep -qiE 'NO_PUBKEY|not signed|EXPKEYSIG' "$log"; then
        echo 'its signature is unknown here; update the keys with: sudo apt install debian-archive-keyring'
    elif grep -qiE 'unshare|uid|userns|user namespace' "$log"; then
        echo 'this system does not let users make namespaces; run the command as root, or install Debian 13.'
    elif grep -qiE 'Could not resolve|Unable to fetch|Failed to fetch|404|Release file' "$log"; then
        echo 'its mirror did not answer; check the network, or name another in PALIMPSEST_MIRROR.'
    else
        echo 'the reason is above.'
    fi
}

require_space() {
    local free
    free=$(df --output=avail --block-size=1M "$1" | tail -n 1)
    ((free > 2500)) || stop "The build environment takes 1.5 GB (2.5 GB while it is made), and $1 has $free MB:" \
        "free some space, or set XDG_CACHE_HOME to a folder on another disk."
}

# --- using ---------------------------------------------------------------------------------------------------------

# Fills `enter` with the bwrap command line: system folders of the root, every other folder of the host at its own
# path. No process is started here: `packaging/dev exec` passes through it on every call.
enter_root() {
    local root=$1 path top
    enter=(bwrap
        --ro-bind "$root/usr" /usr --ro-bind "$root/etc" /etc
        --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib --symlink usr/lib64 /lib64
        --ro-bind "$root/var/cache/fontconfig" /var/cache/fontconfig --bind /var/tmp /var/tmp
        --dev-bind /dev /dev --bind /proc /proc --ro-bind-try /sys /sys --dir /run)
    # The user's name, the network's names and the local time are the host's.
    for path in /etc/passwd /etc/group /etc/hosts /etc/resolv.conf /etc/localtime; do
        [[ -r $path && -e $root$path ]] && enter+=(--ro-bind "$path" "$path")
    done
    for path in /*/; do
        top=${path%/}
        case $top in
            /usr | /bin | /sbin | /lib | /lib32 | /lib64 | /libx32 | /etc | /var | /opt | /dev | /proc | /sys | /run | /boot) ;;
            *) [[ -x $top ]] && enter+=(--bind "$top" "$top") ;;
        esac
    done
    # What the user works on may lie in a system folder all the same; so do the sockets of the display.
    for path in "${XDG_RUNTIME_DIR:-}" "${XAUTHORITY:-}" "$HOME" "$repository" "$PWD"; do
        case $path in
            /var/* | /opt/* | /run/* | /boot/*) [[ -e $path ]] && enter+=(--bind "$path" "$path") ;;
        esac
    done
    enter+=(--) # and in the folder that is current when the command starts

    unset LD_LIBRARY_PATH LD_PRELOAD PYTHONHOME PYTHONPATH QT_PLUGIN_PATH CC CXX CPATH LIBRARY_PATH PKG_CONFIG_PATH \
        CMAKE_PREFIX_PATH
    export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 LC_ALL=C.UTF-8 PALIMPSEST_INSIDE=1
    export PALIMPSEST_ENTRY=$repository/packaging/dev # what `palimpsest hooks` tells an agent to call
}
