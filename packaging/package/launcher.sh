#!/bin/sh
# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
#
# Starts Palimpsest with the loader and the libraries that lie beside this script, wherever that is.

here=$(dirname -- "$(readlink -f -- "$0")")
export PALIMPSEST_LAUNCHER="$here/palimpsest"
# Fonts of the system, and those carried here.
export FONTCONFIG_FILE="${FONTCONFIG_FILE:-$here/share/palimpsest/fonts.conf}"
# Tables of keys come from the system where it has them.
[ -d /usr/share/X11/xkb ] || export XKB_CONFIG_ROOT="${XKB_CONFIG_ROOT:-$here/share/X11/xkb}"
# Plugins of another Qt do not fit.
unset QT_PLUGIN_PATH
exec "$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib" --argv0 "$0" "$here/libexec/palimpsest" "$@"
