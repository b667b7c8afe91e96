# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # variables of packaging/dev
#
# Runs libFuzzer on what reads bytes of others (tests/formats/fuzz_targets.cpp). The root with its compiler is made when
# this command is first used. Sourced by packaging/dev, which provides $repository, $enter, step, stop.

fuzz_folder=$repository/build/fuzz

make_fuzz_root() {
    step "Making the Debian 13 root with Clang, about two minutes and 2 GB, in $1"
    make_root "$1" "$root_suite" --include="$2" --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/man/*'
}

build_fuzz() {
    use_root_of fuzz "$repository/packaging/packages.txt" "$repository/packaging/fuzz/tools.txt"
    cd -- "$repository"
    if must_configure "$fuzz_folder/build.ninja"; then
        step "Configuring build/fuzz"
        "${enter[@]}" cmake --preset fuzz --fresh >"$log" 2>&1 || stop_with_log "CMake could not configure the build."
    fi
    step "Building palimpsest_fuzz in build/fuzz"
    "${enter[@]}" cmake --build --preset fuzz >&2 || stop "The build failed: the compiler's words are above."
}

# fuzz_targets SECONDS [TARGET…]: each target, all by default, for that long, as many at once as there are processors.
# What a run learns stays in build/fuzz/corpus, and the next one goes on from there. Seeds come from the repository
# alone.
fuzz_targets() {
    local seconds=$1 name most known=() failed=0 running=0
    shift
    local -x PALIMPSEST_CORPUS=/nowhere
    "${enter[@]}" "$fuzz_folder/bin/palimpsest_fuzz" --prepare "$fuzz_folder/made"
    mapfile -t known < <(cut -d ' ' -f 1 "$fuzz_folder/made/targets")
    for name in "$@"; do
        [[ " ${known[*]} " == *" $name "* ]] || stop "There is no target $name. The targets are: ${known[*]}."
    done
    printf '%-28s %8s %12s %9s %8s %s\n' target seconds executions 'a second' edges faults
    while read -r name most; do
        (($# == 0)) || [[ " $* " == *" $name "* ]] || continue
        if ((running == $(nproc))); then
            wait -n || failed=1
            running=$((running - 1))
        fi
        fuzz_target "$name" "$most" "$seconds" </dev/null &
        running=$((running + 1))
    done <"$fuzz_folder/made/targets"
    for ((; running > 0; --running)); do
        wait -n || failed=1
    done
    remove_scratch_of_crashes
    return "$failed"
}

remove_scratch_of_crashes() {
    local folder
    for folder in /dev/shm/palimpsest-fuzz-*; do
        [[ -e /proc/${folder##*-} ]] || rm -rf -- "$folder"
    done
}

# Prints a line of the table. The run ends at the first fault.
fuzz_target() {
    local name=$1 most=$2 seconds=$3 words=$fuzz_folder/logs/$1 found=$fuzz_folder/found/$1 faults
    local started=$SECONDS took executions seeds=("$fuzz_folder/made/seeds/$1")
    local lines=external_symbolizer_path=/usr/bin/addr2line
    local -x ASAN_OPTIONS=$lines UBSAN_OPTIONS=print_stacktrace=1:$lines
    [[ ! -d $repository/tests/fuzz/found/$name ]] || seeds+=("$repository/tests/fuzz/found/$name")
    rm -rf -- "$found"
    mkdir -p -- "$fuzz_folder/logs" "$found" "$fuzz_folder/corpus/$name"
    PALIMPSEST_FUZZ=$name nice -n 10 "${enter[@]}" "$fuzz_folder/bin/palimpsest_fuzz" -max_total_time="$seconds" \
        -max_len="$most" -timeout=20 -rss_limit_mb=3000 -dict="$fuzz_folder/made/keys.dict" -print_final_stats=1 \
        -artifact_prefix="$found/" "$fuzz_folder/corpus/$name" "${seeds[@]}" >"$words" 2>&1 || true
    took=$((SECONDS - started))
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$words")
    faults=$(find "$found" -type f ! -name 'slow-unit*' | wc -l)
    printf '%-28s %8d %12s %9d %8s %s\n' "$name" "$took" "$executions" $((${executions:-0} / (took > 0 ? took : 1))) \
        "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$words" | tail -n 1)" \
        "$faults$( ((faults == 0)) || grep -m 1 -E '^Fault: |SUMMARY: ' "$words" | sed 's/^/  /')"
    ((faults == 0))
}
