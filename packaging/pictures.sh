# SPDX-FileCopyrightText: 2026 Palimpsest contributors
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # variables shared with packaging/dev
#
# The pictures of the manual and the README, drawn by the built program. Sourced by packaging/dev.

pictures_folder=$repository/resources/manual/pictures

# picture NAME VIEW FILE OPTION…: one view, written to NAME.png. No picture names a folder of the machine that draws it.
picture() {
    local name=$1 view=$2 file=$3 folder=$repository/build/manual/$1
    shift 3
    rm -rf -- "$folder"
    "${enter[@]}" env HOME="$repository" palimpsest shoot "$file" --view "$view" -o "$folder" "$@" >/dev/null || stop "There is no picture $name."
    mv -- "$folder/$view-light.png" "$pictures_folder/$name.png"
}

draw_pictures() {
    local session=$repository/resources/manual/session.jsonl figure=$repository/resources/samples/messages-21.genkit.json
    # The window shows this path.
    local runs=/tmp/palimpsest/runs sentence='Do not rename anything public in parse.py: two other tools import it.'
    local wide=(--size 1440x900) tall=(--size 1280x1500) tuned=(--policy deep-agents --set trigger=40000tok --set keep=8000tok)
    local recipe=(--policy genkit-recipe-figure --slot 11 --size 1280x900)
    mkdir -p -- "$pictures_folder"
    rm -f -- "$pictures_folder"/*.png
    mkdir -p -- "$runs"
    "${enter[@]}" python3 "$repository/tests/samples/make_samples.py" --runs "$runs"

    picture sessions sessions "$repository/resources" "${wide[@]}"
    picture window window "$session" --call 81 --slot 0 --trace "$sentence" "${wide[@]}"
    picture timeline timeline "$session" --call 60 --trace "$sentence" "${tuned[@]}" --compare pi "${wide[@]}"
    picture array array "$session" --call 81 --slot 10 --size 1280x900
    picture simulated array "$figure" "${recipe[@]}"
    picture bars bars "$figure" "${recipe[@]}"
    picture outline outline "$session" --call 81 --slot 0 --size 1280x800
    picture message message "$session" --call 81 --slot 2 "${tall[@]}"
    picture search search "$session" --call 81 --find 'parse -tool:Bash' "${tall[@]}"
    picture weight weight "$session" --call 81 "${tall[@]}"
    picture calls calls "$session" --call 60 "${tuned[@]}" "${tall[@]}"
    picture policy policy "$figure" "${recipe[@]}"
    picture rewrites rewrites "$figure" "${recipe[@]}" "${tall[@]}"
    picture edits edits "$session" --call 81 "${wide[@]}"
    picture tuning tuning "$session" --call 60 "${tuned[@]}" "${wide[@]}"
    picture folder window "$runs" "${tuned[@]}" "${wide[@]}"
    local view
    for view in suggestion reach front; do
        picture "folder-$view" "$view" "$runs" "${tuned[@]}" "${wide[@]}"
    done
    "${enter[@]}" python3 "$repository/packaging/shrink_png.py" "$pictures_folder"/*.png
}
