#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
#
# archive.sh STAGE ARCHIVE.tar.gz: packs a program installed below STAGE/usr with its loader, libraries, Qt plugins, fonts and
# all their licences. The archive runs wherever it is unpacked. Runs in the root for packages; equal input, equal bytes.

set -euo pipefail
export LC_ALL=C
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
stage=$1
archive=$2
name=$(basename -- "$archive" .tar.gz)
folder=$(dirname -- "$archive")/$name
libraries=/usr/lib/x86_64-linux-gnu
licences=$folder/share/doc/palimpsest/licences

plugins=(
    platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqminimal.so platforms/libqwayland-generic.so
    'wayland-shell-integration/*.so' 'wayland-decoration-client/*.so' 'iconengines/*.so' 'imageformats/*.so'
    'platforminputcontexts/*.so'
)
fonts=(
    opentype/inter/Inter-{Regular,Italic,SemiBold,Bold}.otf
    truetype/noto/NotoSans-{Regular,Bold}.ttf truetype/noto/NotoSansMono-{Regular,Bold}.ttf
    truetype/noto/NotoSans{Symbols,Symbols2,Math}-Regular.ttf
)
# What is taken from packages of the root: the package of each is named, with its licence.
taken=()

# take FILE FOLDER: copies a file, or what a link leads to, under the name of the link.
take() {
    install -D --mode=0644 -- "$1" "$2/${1##*/}"
    taken+=("$(readlink -f -- "$1")")
}

take_plugins() {
    local pattern file
    for pattern in "${plugins[@]}"; do
        # shellcheck disable=SC2086 # the pattern stands for several files
        for file in "$libraries"/qt6/plugins/$pattern; do
            mkdir -p -- "$folder/lib/plugins/${pattern%/*}"
            take "$file" "$folder/lib/plugins/${pattern%/*}"
        done
    done
    # The program that runs is the loader: Qt looks for its plugins beside it.
    printf '[Paths]\nPrefix=.\nPlugins=plugins\n' >"$folder/lib/qt.conf"
}

take_libraries() {
    local file
    while read -r file; do
        take "$file" "$folder/lib"
    done < <(find "$folder/libexec" "$folder/lib/plugins" -type f -exec ldd {} + |
        sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p; s/^\t\(\/[^ ]*\) (.*/\1/p' | sort -u)
    chmod 755 "$folder/lib/ld-linux-x86-64.so.2"
}

take_fonts() {
    local font
    for font in "${fonts[@]}"; do
        take "/usr/share/fonts/$font" "$folder/share/fonts"
    done
    install -D --mode=0644 -- "$here/fonts.conf" "$folder/share/palimpsest/fonts.conf"
}

take_keys() {
    mkdir -p -- "$folder/share/X11"
    cp -rL -- /usr/share/X11/xkb "$folder/share/X11/xkb"
    taken+=("$(readlink -f /usr/share/X11/xkb)/rules/evdev")
}

# The texts of the packages that something was taken from, and which package in which version that was.
take_licences() {
    local package
    mkdir -p -- "$licences"
    for package in $(dpkg-query --search "${taken[@]}" | sed 's/: .*//; s/:.*//' | sort -u); do
        cp -L -- "/usr/share/doc/$package/copyright" "$licences/$package"
        dpkg-query --show --showformat='${Package} ${Version}, from the Debian source package ${source:Package}\n' "$package"
    done >"$licences/PACKAGES"
    cp -rL -- /usr/share/common-licenses "$licences/common-licenses"
    cp -- "$here/../../LICENSE" "$here/../../resources/notices.md" "$folder/share/doc/palimpsest/"
}

rm -rf -- "$folder" "$archive"
mkdir -p -- "$folder"
install -D --mode=0755 -- "$stage/usr/bin/palimpsest" "$folder/libexec/palimpsest"
cp -r -- "$stage/usr/share" "$folder/share"
install --mode=0755 -- "$here/launcher.sh" "$folder/palimpsest"
take_plugins
take_libraries
take_fonts
take_keys
take_licences
tar --create --directory="${folder%/*}" --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
    --numeric-owner --mode='u=rwX,go=rX' -- "$name" | gzip -6n >"$archive"
