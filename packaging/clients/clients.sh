# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # variables of packaging/dev
#
# Installs the coding agents' own programs and starts the comparison. Sourced by packaging/dev, which provides
# $repository, $cache_home, $enter, $log, step, stop, stop_with_log.

clients_folder=$cache_home/clients

require_clients() {
    local tool missing=()
    for tool in node npm python3 unshare ip; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    ((${#missing[@]} == 0)) || stop "The clients need ${missing[*]}: install these with the system's package manager."
    clients_python=$(python3 -c 'import sys; print(sys.executable)')
    clients_path=$PATH # of the host, which the build environment changes
    mkdir -p -- "$clients_folder"
    cmp -s -- "$repository/packaging/clients/package.json" "$clients_folder/installed.json" || install_clients
}

# No script of a package runs. What is installed is remembered last, so that an interrupted installation begins anew.
install_clients() {
    step "Installing the clients, about 2.5 GB, in $clients_folder"
    cp -- "$repository/packaging/clients/package.json" "$clients_folder/package.json"
    (cd -- "$clients_folder" && npm install --ignore-scripts --no-package-lock --no-audit --no-fund) </dev/null \
        >"$log" 2>&1 || stop_with_log "npm could not install the clients."
    cp -- "$clients_folder/package.json" "$clients_folder/installed.json"
}

# The clients start in a network namespace that has loopback alone. Root needs no user namespace for that.
compare_clients() {
    local corpus=${PALIMPSEST_CORPUS:-$repository/../shared/corpus} alone=(unshare --net)
    [[ -r $corpus/INDEX.tsv ]] || stop "There is no corpus in $corpus: name its folder in PALIMPSEST_CORPUS."
    ((EUID == 0)) || alone=(unshare --map-root-user --net)
    PATH=$clients_path exec "${alone[@]}" "$clients_python" "$repository/packaging/clients/run.py" \
        --corpus "$corpus" --packages "$clients_folder/node_modules" --output "$repository/build/clients" \
        --palimpsest "${enter[*]@Q} ${repository@Q}/build/release/bin/palimpsest" "$@"
}
