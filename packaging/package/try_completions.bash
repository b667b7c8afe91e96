# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Asks bash what it completes. The argument is the file with the completions.

set -euo pipefail
# It works only while bash completes.
compopt() { :; }
# shellcheck source=/dev/null
source "$1"

# try WORD… EXPECTED: after the words, the last of which is unfinished, EXPECTED is offered.
try() {
    local expected=${*: -1}
    COMP_WORDS=(palimpsest "${@:1:$#-1}")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _palimpsest
    [[ " ${COMPREPLY[*]} " == *" $expected "* ]] || {
        echo "bash does not complete \"${COMP_WORDS[*]}\" with $expected, but with: ${COMPREPLY[*]}"
        exit 1
    }
}

try sw sweep
try --la --latest
try show --po --policy
try show --policy deep-a deep-agents
try show --policy = pi pi
try shoot --view heav heaviest
try completions zs zsh
cd -- /
try show us usr
