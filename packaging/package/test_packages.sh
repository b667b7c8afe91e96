# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # variables shared with packaging/dev
#
# Tries the packages in bare Debian roots: the Debian package in Debian 13, the archive in Debian 12 and 13. Each is installed,
# prints its version and an array, opens a window that is read and typed into, and leaves nothing behind. Sourced by
# packaging/dev after package.sh. Only the installation of the Debian package uses the network.

test_packages() {
    trap end_tests EXIT
    tests_folder=$(mktemp -d /var/tmp/palimpsest-packages.XXXXXX)
    start_display
    local suite
    for suite in trixie bookworm; do
        bare_root "$suite"
        test_archive "$suite"
    done
    test_debian_package
    step "The packages work. Pictures of their windows: $packages/pictures"
}

end_tests() {
    local id
    for id in ${window_id:-} ${display_id:-}; do
        kill "$id" 2>/dev/null || true
    done
    [[ -z ${tests_folder:-} ]] || rm -rf --one-file-system -- "$tests_folder"
}

# --- roots ---------------------------------------------------------------------------------------------------------

# bare_root SUITE: a fresh copy of the smallest root that apt works in, as $root.
bare_root() {
    local suite=$1 pristine=$cache_home/bare-$1
    if [[ ! -x $pristine/usr/bin/apt-get ]]; then
        step "Making a bare root of Debian $suite"
        make_root "$pristine" "$suite" --variant=minbase
    fi
    root=$tests_folder/$suite
    cp -a --reflink=auto -- "$pristine" "$root"
    mkdir -p -- "$root/packages" "$root/home/somebody" "$root/sample" "$root/tmp/.X11-unix"
    chmod 777 -- "$root/home/somebody"
}

# in_root WORD… COMMAND: runs it in $root with further words for bwrap.
in_root() {
    bwrap --bind "$root" / --dev /dev --proc /proc --tmpfs /run --die-with-parent --clearenv --setenv LANG C.UTF-8 \
        --setenv PATH /usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin --ro-bind "$packages" /packages \
        --ro-bind "$repository/resources/manual" /sample "$@"
}

# With the rights to install, and the network.
as_root() {
    local ids=() file
    ((EUID == 0)) || ids=(--unshare-user --uid 0 --gid 0)
    for file in /etc/resolv.conf /etc/hosts; do
        [[ -e $file ]] && ids+=(--ro-bind "$file" "$file")
    done
    in_root "${ids[@]}" --cap-add ALL --setenv DEBIAN_FRONTEND noninteractive --chdir / -- "$@" </dev/null
}

# Without rights and without a network.
as_somebody() {
    in_root --unshare-user --uid 1000 --gid 1000 --unshare-net --unshare-pid --unshare-ipc --setenv HOME /home/somebody \
        --bind /tmp/.X11-unix /tmp/.X11-unix --setenv DISPLAY ":$display" --chdir /home/somebody -- "$@" </dev/null
}

# --- packages ------------------------------------------------------------------------------------------------------

test_archive() {
    local suite=$1 archive=("$packages"/palimpsest-*-x86_64.tar.gz) folder
    step "The archive in Debian $suite"
    as_somebody tar --extract --file="/packages/${archive[0]##*/}"
    # Where it lies does not matter, nor that the folder has a blank in its name.
    folder='/home/somebody/some folder'
    mv -- "$root/home/somebody/$(basename "${archive[0]}" .tar.gz)" "$root$folder"
    ln -s -- "$folder/palimpsest" "$root/home/somebody/link"
    expect 'the name of the launcher' "'$folder/palimpsest' statusline" as_somebody ./link hooks
    try_program "archive-$suite" "$folder/palimpsest"
    # Its own loader and libraries, and none of the system.
    ! as_somebody "$folder/lib/ld-linux-x86-64.so.2" --library-path "$folder/lib" --list "$folder/libexec/palimpsest" |
        grep ' => ' | grep -v -F " => $folder/lib/" || stop "The archive takes libraries from the system."
}

test_debian_package() {
    local left
    bare_root_again trixie
    step "The Debian package in Debian trixie"
    # It needs no more than what it says.
    {
        as_root apt-get update
        as_root apt-get install --yes --no-install-recommends "/packages/$(basename "$packages"/palimpsest_*.deb)"
    } >"$log" 2>&1 || stop_with_log "The Debian package could not be installed."
    try_program deb-trixie palimpsest
    as_root apt-get purge --yes palimpsest >"$log" 2>&1 || stop_with_log "The Debian package could not be removed."
    left=$(cd -- "$root" && find etc opt usr var/lib -iname '*palimpsest*')
    [[ -z $left ]] || stop "The Debian package leaves behind: $left"
    ! as_root dpkg --status palimpsest >/dev/null 2>&1 || stop "The Debian package is still known after its removal."
}

bare_root_again() {
    rm -rf --one-file-system -- "${tests_folder:?}/$1"
    bare_root "$1"
}

# --- the program ---------------------------------------------------------------------------------------------------

# expect WHAT TEXT COMMAND…
expect() {
    local what=$1 text=$2 printed
    shift 2
    printed=$("$@" 2>&1) || stop "$what: it ends with $?: $printed"
    [[ $printed == *"$text"* ]] || stop "$what: there is no $text in: $printed"
}

# try_program NAME PROGRAM
try_program() {
    local name=$1 program=$2 version
    version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$repository/build/package/CMakeCache.txt")
    expect 'the version' "palimpsest $version" as_somebody "$program" --version
    expect 'show' '98 calls' as_somebody "$program" show /sample/session.jsonl
    try_window "$name" "$program"
}

# A display without a screen, in the root for packages.
start_display() {
    local numbers=$tests_folder/display
    mkfifo -- "$numbers"
    "${enter[@]}" Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>"$numbers" >/dev/null 2>&1 &
    display_id=$!
    read -r -t 30 display <"$numbers" || stop "Xvfb does not start."
    screen=("${enter[@]}" env "DISPLAY=:$display")
}

# The window shows text that can be read, has an icon, and takes keys.
try_window() {
    local name=$1 program=$2 window picture=$packages/pictures/$1.png
    mkdir -p -- "${picture%/*}"
    as_somebody "$program" /sample/session.jsonl 2>"$tests_folder/$name.log" &
    window_id=$!
    window=$(wait_for 'a window' "${screen[@]}" xdotool search --onlyvisible --name 'session\.jsonl') || exit 1
    window=${window%%$'\n'*}
    "${screen[@]}" xdotool windowmove "$window" 0 0 windowsize "$window" 1400 900 windowfocus "$window"
    wait_for 'readable text' reads_words "$picture" Help Policy session >/dev/null
    expect 'the icon of the window' 'Icon (' "${screen[@]}" xprop -id "$window" _NET_WM_ICON
    "${screen[@]}" xdotool key F2
    wait_for 'the legend behind F2' "${screen[@]}" xdotool search --onlyvisible --name '^Legend' >/dev/null
    kill "$window_id" 2>/dev/null
    wait "$window_id" 2>/dev/null || true
    window_id=
    step "$name: version, array, window with text and icon, keys"
}

# wait_for WHAT COMMAND…: prints what the command prints once it succeeds.
wait_for() {
    local what=$1 end=$((SECONDS + 120))
    shift
    until "$@" 2>/dev/null; do
        ((SECONDS < end)) || stop "There is not $what: $(cat -- "$tests_folder"/*.log)"
        kill -0 "$window_id" 2>/dev/null || stop "The program ended: $(cat -- "$tests_folder"/*.log)"
        read -r -t 0.5 <><(:) || true
    done
}

# reads_words PICTURE WORD…: takes a picture of the screen, and reads it.
reads_words() {
    local picture=$1 word text
    shift
    "${screen[@]}" import -window root "$picture"
    text=$("${enter[@]}" convert "$picture" -resize 200% -colorspace gray "$tests_folder/large.png" &&
        "${enter[@]}" tesseract "$tests_folder/large.png" - --psm 11)
    for word in "$@"; do
        grep -q -F -- "$word" <<<"$text" || return 1
    done
}
