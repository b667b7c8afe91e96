# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
#
# Asks zsh what it completes, in a terminal that it makes. The argument is the folder with the completions.

zmodload zsh/zpty
folder=$1

# try LINE EXPECTED: Tab after the unfinished line writes EXPECTED.
try() {
    local output line
    zpty shell zsh -f -i
    zpty -w shell "PS1=; fpath=(${(q)folder} \$fpath); autoload -U compinit; compinit -u -D; unsetopt beep; cd /; print READY"
    while zpty -r shell line; do [[ $line != READY* ]] || break; done
    zpty -n -w shell "$1"$'\t'$'\C-a''print -r -- "RESULT '$'\C-e''"'$'\n'
    while zpty -r shell line; do
        output=$line
        [[ $line != RESULT* ]] || break
    done
    zpty -d shell
    [[ $output == *"$2"* ]] || { print "zsh does not complete “$1” with $2: $output"; exit 1 }
}

try 'palimpsest swe' 'palimpsest sweep'
try 'palimpsest --lat' 'palimpsest --latest'
try 'palimpsest show --pol' 'palimpsest show --policy'
try 'palimpsest show --policy deep-agents-n' 'deep-agents-no-profile'
try 'palimpsest shoot --view heav' 'heaviest'
try 'palimpsest completions fi' 'completions fish'
