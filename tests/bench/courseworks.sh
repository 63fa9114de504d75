#!/bin/sh
# courseworks.sh [ID...]: what a check of each coursework's solution costs; default: all.
#
# Points of the solution and of the template on the emulated device, seconds of a check without
# anything in the cache and with it (medians of 3), and the most memory that a process of it had.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
cd "$REPO" || exit 3
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # ids without spaces
    set -- $("$GPUGRADE" courses | sed -n 's/^\([a-z_]*\): .*/\1/p')
fi

# points FOLDER: the score of one submission.
points() {
    "$GPUGRADE" check "$1" --coursework "$id" --device emulated --seed 1 --json "$SCRATCH/score" \
        >/dev/null 2>&1 </dev/null
    jq -r '"\(.score)/\(.measurable_max)"' "$SCRATCH/score"
}

# seconds: of one check of the solution; adds its memory to $SCRATCH/memory.
seconds() {
    /usr/bin/time -f '%e %M' -o "$SCRATCH/time" "$GPUGRADE" check "reference/$id/solution" \
        --coursework "$id" --device emulated --seed 1 >/dev/null 2>&1 </dev/null
    cut -d ' ' -f 2 "$SCRATCH/time" >>"$SCRATCH/memory"
    cut -d ' ' -f 1 "$SCRATCH/time"
}

median() {
    sort -g | sed -n 2p
}

printf '| coursework | solution | template | s, no cache | s, cache | MiB |\n|---|---|---|---|---|---|\n'
for id in "$@"; do
    : >"$SCRATCH/memory"
    cold=$(for _ in 1 2 3; do
        GPUGRADE_CACHE=$(mktemp -d "$SCRATCH/cache.XXXXXX")
        export GPUGRADE_CACHE
        seconds
    done | median)
    seconds >/dev/null
    warm=$(for _ in 1 2 3; do seconds; done | median)
    printf '| %s | %s | %s | %s | %s | %s |\n' "$id" "$(points "reference/$id/solution")" \
        "$(points "student_template/$id")" "$cold" "$warm" \
        "$(($(sort -g "$SCRATCH/memory" | tail -n 1) / 1024))"
done
