# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
#
# Asks fish what it completes. The argument is the file with the completions.

source $argv[1]

# try LINE EXPECTED
function try
    set -l offered (complete --do-complete $argv[1] | string split --fields 1 \t)
    if not contains -- $argv[2] $offered
        echo "fish does not complete “$argv[1]” with $argv[2], but with: $offered"
        exit 1
    end
end

try 'palimpsest sw' sweep
try 'palimpsest --la' --latest
try 'palimpsest show --po' --policy
try 'palimpsest show --policy deep-a' deep-agents
try 'palimpsest shoot --view heav' heaviest
try 'palimpsest completions fi' fish
