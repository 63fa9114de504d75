#!/bin/sh
# spread.sh [--record FOLDER] [idle] [loaded]: how far repeated checks of one solution differ.
#
# REPEATS (20) checks of the reference and of three solutions of other speed, each with another seed;
# `loaded` while busy loops load every core of the host. Goals: the measured speedups of a solution
# spread by at most 0.2 % (max - min over median), and it gets the same points every time. SPREAD_JOBS
# (3) checks run at once: one builds while another one is timed; they wait for the GPU in turn.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
REPEATS=${REPEATS:-20}
GOAL_PERCENT=0.2

# --one FOLDER SEED: one check of FOLDER/student, to FOLDER/SEED.json.
if [ "${1:-}" = --one ]; then
    SEED=$3
    check "$2/student" "$2/$3.json" --device auto --only speedup.tiled
    exit 0
fi
gpu_options "$@"
[ "${1:-}" != --record ] || shift 2
gpu_demand spread
[ $# -gt 0 ] || set -- idle loaded

# One loop for each core, until they are stopped.
load_start() {
    loops=''
    for _ in $(seq "$(nproc)"); do
        while :; do :; done &
        loops="$loops $!"
    done
}

load_stop() {
    for loop in $loops; do
        kill "$loop"
    done
    wait
}

# A line "SPEEDUP REFERENCE POINTS" of each score of folder $1, sorted by speedup.
figures() {
    jq -r '.criteria[] | select(.id == "speedup.tiled" and .measured.speedup != null)
        | "\(.measured.speedup) \(.measured.reference) \(.points)"' "$1"/*.json | sort -g
}

# judge NAME FOLDER LOAD: prints and judges one row.
judge() {
    figures "$2" >"$SCRATCH/figures"
    points=$(cut -d ' ' -f 3 "$SCRATCH/figures" | sort -u | paste -s -d ' ' -)
    spread=$(awk '{ value[NR] = $1 } END {
        if (NR > 0) { printf "%.4f %.3f", value[int((NR + 1) / 2)],
                      100 * (value[NR] - value[1]) / value[int((NR + 1) / 2)] }
        }' "$SCRATCH/figures")
    took=$(jq -s 'map(.seconds.total) | add / length * 10 | round / 10' "$2"/*.json)
    count=$(wc -l <"$SCRATCH/figures")
    row "| $1 | $3 | $count | ${spread% *} | ${spread#* } % | $points | $took |"
    if [ "$count" -ne "$REPEATS" ]; then
        fail "$1, $3: $REPEATS checks measure a speedup" "$(for score in "$2"/*.json; do
            jq -r '.criteria[] | "\(.status) \(.cause.message // "")"' "$score"
        done | sort | uniq -c)"
    elif ! awk -v spread="${spread#* }" -v goal="$GOAL_PERCENT" 'BEGIN { exit !(spread <= goal) }'; then
        fail "$1, $3: speedups spread by at most $GOAL_PERCENT %, got ${spread#* } %" \
            "$(paste -s -d ';' "$SCRATCH/figures")"
    else
        pass "$1, $3: speedups spread by ${spread#* } %"
    fi
    if [ "$(echo "$points" | wc -w)" -eq 1 ]; then
        pass "$1, $3: always $points points"
    else
        fail "$1, $3: the same points every time" "$points"
    fi
}

table spread "$REPEATS checks each, ${SPREAD_JOBS:-3} at a time, $(nproc) cores" \
    '| solution | host | checks | median speedup | (max - min) / median | points | seconds a check |'
for load in "$@"; do
    [ "$load" != loaded ] || load_start
    for pair in reference:reference slower:right/padding conflicts:wrong/tiles_column_major \
        wide:right/tile_32; do
        name=${pair%%:*}
        folder=$SCRATCH/$load-$name
        student "${pair#*:}" "$folder/student"
        seq "$REPEATS" | xargs -P "${SPREAD_JOBS:-3}" -I SEED \
            sh "$REPO/tests/gpu/spread.sh" --one "$folder" SEED
        judge "$name" "$folder" "$load"
    done
    [ "$load" != loaded ] || load_stop
done
finish
