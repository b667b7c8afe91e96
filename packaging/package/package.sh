# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # variables shared with packaging/dev
#
# The Debian package and the archive that runs anywhere, into build/packages. Sourced by packaging/dev.

package_folder=$repository/packaging/package
packages=$repository/build/packages

# make_packages: equal sources give equal bytes. The time in them is that of the commit.
make_packages() {
    local build=build/package version stage=$repository/build/package/stage
    cd -- "$repository" || exit 1
    umask 022
    export LC_ALL=C.UTF-8 TZ=UTC
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(time_of_sources)}
    export SOURCE_DATE_EPOCH
    step "Building in $build"
    "${enter[@]}" cmake --preset package >"$log" 2>&1 || stop_with_log "CMake could not configure the build."
    "${enter[@]}" cmake --build --preset package --target palimpsest >&2 ||
        stop "The build failed: the compiler's words are above."
    version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
    # A folder of this machine in the program would make its bytes depend on the folder.
    ! grep --text --quiet --fixed-strings -- "$repository" "$build/bin/palimpsest" ||
        stop "The program contains the folder in which it was built."

    rm -rf -- "$packages" "$stage"
    mkdir -p -- "$packages"
    step "Making the Debian package"
    "${enter[@]}" cpack --config "$build/CPackConfig.cmake" -B "$packages" >"$log" 2>&1 ||
        stop_with_log "CPack could not make the Debian package."
    rm -rf -- "$packages/_CPack_Packages"
    step "Making the archive"
    DESTDIR=$stage "${enter[@]}" cmake --install "$build" >"$log" 2>&1 || stop_with_log "CMake could not install."
    "${enter[@]}" "$package_folder/archive.sh" "$stage" "$packages/palimpsest-$version-x86_64.tar.gz" >&2 ||
        stop "The archive could not be made."
    rm -rf -- "$packages/palimpsest-$version-x86_64"
    (cd -- "$packages" && sha256sum -- *)
}

# Of the commit; outside of a clone, of the newest source.
time_of_sources() {
    git -C "$repository" -c safe.directory='*' log -1 --format=%ct 2>/dev/null ||
        find "$repository" -path "$repository/build" -prune -o -type f -printf '%T@\n' | sort -n | sed -n '$s/\..*//p'
}

# --- checking ------------------------------------------------------------------------------------------------------

# check WHAT COMMAND…: runs it in the root for packages; all of its words are shown.
check() {
    local what=$1
    shift
    step "Checking $what"
    "${enter[@]}" "$@" >&2 || stop "$what: see above."
}

check_packages() {
    local stage=$repository/build/package/stage share mime=$repository/build/package/mime
    share=$stage/usr/share
    check 'the rules of Debian' lintian --fail-on warning,error --info --allow-root "$packages"/palimpsest_*.deb
    check 'the desktop entry' desktop-file-validate "$share/applications/palimpsest.desktop"
    check 'the metadata' appstreamcli validate --no-net --explain "$share"/metainfo/*.metainfo.xml
    check 'the icon' xmllint --noout "$share/icons/hicolor/scalable/apps/palimpsest.svg"
    rm -rf -- "$mime"
    mkdir -p -- "$mime"
    "${enter[@]}" cp -r /usr/share/mime "$mime/"
    cp -- "$share/mime/packages/palimpsest.xml" "$mime/mime/packages/"
    check 'the MIME types' update-mime-database "$mime/mime"
    check_type application/x-agent-transcript "$repository/resources/manual/session.jsonl"
    check_type application/x-agent-transcript "$repository/resources/samples/messages-21.codex.jsonl"
    check_type application/json "$repository/resources/samples/messages-21.genkit.json"
    # shellcheck disable=SC2016 # the inner shell expands
    check 'the manual page' env MANWIDTH=80 sh -c 'man --warnings -E UTF-8 -l "$1" 2>&1 >/dev/null | (! grep .)' sh \
        "$share/man/man1/palimpsest.1.gz"
    check 'completions of bash' bash "$package_folder/try_completions.bash" "$share/bash-completion/completions/palimpsest"
    check 'completions of fish' fish "$package_folder/try_completions.fish" \
        "$share/fish/vendor_completions.d/palimpsest.fish"
    check 'completions of zsh' zsh -f "$package_folder/try_completions.zsh" "$share/zsh/vendor-completions"
}

# check_type TYPE FILE: as a desktop finds it.
check_type() {
    local found
    found=$("${enter[@]}" env XDG_DATA_HOME="$repository/build/package/mime" gio info --attributes=standard::content-type "$2" |
        sed -n 's/.*content-type: //p')
    [[ $found == "$1" ]] || stop "${2##*/} has the type $found, not $1."
}
