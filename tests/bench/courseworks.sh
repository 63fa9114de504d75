#!/bin/sh
# courseworks.sh [--wrong] [ID...]: what a check of each coursework's solution costs; default: all.
#
# Points of the solution and of the template on the emulated device, seconds of a check without
# anything in the cache and with it (medians of 3), and the most memory that a process of it had.
# With --wrong what wrong submissions cost beside it: processor seconds of a check of the solution,
# and how many times as many those of quick.txt take, the median and the most; all with the cache.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
cd "$REPO" || exit 3
mode=right
if [ "${1:-}" = --wrong ]; then
    mode=wrong
    shift
fi
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

# processor_seconds FOLDER RUBRIC: of a check that has been made before.
processor_seconds() {
    for _ in 1 2; do
        /usr/bin/time -f '%U %S' -o "$SCRATCH/time" "$GPUGRADE" check "$1" --rubric "$2" \
            --device emulated --seed 1 >/dev/null 2>&1 </dev/null
    done
    tail -n 1 "$SCRATCH/time" | awk '{ print $1 + $2 }'
}

# wrong_ratios ID: "RATIO NAME" of the wrong submissions in quick.txt, the least first.
wrong_ratios() {
    sed -n 's,^wrong/,,p' "tests/submissions/$1/quick.txt" | while read -r name; do
        fixture=tests/submissions/$1/wrong/$name
        folder=$SCRATCH/$1/$name
        rubric=rubrics/$1.json
        [ ! -f "$fixture/rubric" ] || rubric=$(cat "$fixture/rubric")
        base=reference/$1/solution
        [ ! -f "$fixture/base" ] || base=$(cat "$fixture/base")
        mkdir -p "$folder"
        cp -r "$base/." "$folder"
        find "$fixture" -type f ! -name expect ! -name guilty ! -name base ! -name rubric \
            -exec cp {} "$folder" \;
        processor_seconds "$folder" "$rubric" | awk -v of="$right" -v name="$name" \
            '{ printf "%.2f %s\n", $1 / of, name }'
    done | sort -g
}

if [ "$mode" = wrong ]; then
    printf '| coursework | s, solution | wrong | median | most | which |\n|---|---|---|---|---|---|\n'
    for id in "$@"; do
        right=$(processor_seconds "reference/$id/solution" "rubrics/$id.json")
        wrong_ratios "$id" >"$SCRATCH/ratios"
        awk -v id="$id" -v right="$right" '{ ratio[NR] = $1; name[NR] = $2 }
            END { printf "| %s | %s | %d | %s | %s | %s |\n", id, right, NR,
                  ratio[int((NR + 1) / 2)], ratio[NR], name[NR] }' "$SCRATCH/ratios"
    done
    exit 0
fi

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
