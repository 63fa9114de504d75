#!/bin/sh
# courseworks.sh [--record FOLDER] [ID...]: each coursework's solution on a GPU; default: all.
#
# One whole check: all points. Then REPEATS (10) checks of what is timed: how many times as fast as the
# baseline the solution is, and its share of what the reference reaches in the same check, which marks
# are made from. Both with their spread (max - min over median); goal for the share: 0.5 %.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
REPEATS=${REPEATS:-10}
GOAL_PERCENT=0.5
gpu_options "$@"
[ "${1:-}" != --record ] || shift 2
gpu_demand courseworks
# shellcheck disable=SC2046 # ids without spaces
[ $# -gt 0 ] || set -- $("$GPUGRADE" courses | sed -n 's/^\([a-z_]*\): .*/\1/p')

# grade ID SCORE SEED OPTIONS...: one check of the solution.
grade() {
    id=$1 score=$2 seed=$3
    shift 3
    "$GPUGRADE" check "$REPO/reference/$id/solution" --coursework "$id" --device auto --seed "$seed" \
        --json "$score" "$@" >"$SCRATCH/$id.txt" 2>&1 </dev/null
}

# middle_of COLUMN: the median and the spread in percent of a column of the figures.
middle_of() {
    cut -d ' ' -f "$1" "$SCRATCH/figures" | sort -g | awk '{ value[NR] = $1 } END {
        if (NR > 0) { middle = value[int((NR + 1) / 2)]
            printf "%.4g %.3f", middle, 100 * (value[NR] - value[1]) / middle } }'
}

# judge ID CRITERION: a row of what REPEATS checks have measured.
judge() {
    jq -r --arg id "$2" '.criteria[] | select(.id == $id and .measured.speedup != null)
        | "\(.measured.speedup) \(.measured.of_reference) \(.points)"' "$SCRATCH/$1"-*.json \
        >"$SCRATCH/figures"
    points=$(cut -d ' ' -f 3 "$SCRATCH/figures" | sort -u | paste -s -d ' ' -)
    speedup=$(middle_of 1)
    share=$(middle_of 2)
    count=$(wc -l <"$SCRATCH/figures")
    row "| $1 | $2 | $count | ${speedup% *} | ${speedup#* } % | ${share#* } % | $points |"
    if [ "$count" -ne "$REPEATS" ]; then
        fail "$1 $2: $REPEATS checks measure a speedup" "$(jq -r --arg id "$2" \
            '.criteria[] | select(.id == $id) | "\(.status) \(.error // .cause.message // "")"' \
            "$SCRATCH/$1"-*.json | sort | uniq -c)"
    elif awk -v spread="${share#* }" -v goal="$GOAL_PERCENT" 'BEGIN { exit !(spread <= goal) }'; then
        pass "$1 $2: its share of the reference spreads by ${share#* } %"
    else
        fail "$1 $2: its share of the reference spreads by at most $GOAL_PERCENT %" \
            "$(cat "$SCRATCH/figures")"
    fi
}

table courseworks "solutions; $REPEATS checks of what is timed" \
    '| coursework | criterion | checks | median speedup | its spread | spread of its share of the reference | points |'
for id in "$@"; do
    grade "$id" "$SCRATCH/$id.json" "$SEED"
    if jq -e 'all(.criteria[]; .status == "passed" and .points == .max_points)' \
        "$SCRATCH/$id.json" >/dev/null 2>&1; then
        pass "$id: $(jq -r '"\(.score) of \(.max_score)"' "$SCRATCH/$id.json") points"
    else
        fail "$id: all points" "$(cat "$SCRATCH/$id.txt")"
    fi
    timed=$(jq -r '.criteria[] | select(.kind == "speedup") | .id' "$REPO/rubrics/$id.json")
    [ -n "$timed" ] || continue
    for one in $timed; do
        for run in $(seq "$REPEATS"); do
            grade "$id" "$SCRATCH/$id-$run.json" "$run" --only "$one"
        done
        judge "$id" "$one"
    done
done
finish
