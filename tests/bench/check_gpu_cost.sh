#!/bin/sh
# check_gpu_cost.sh [ROUNDS]: what a real GPU adds to the time of a whole check of the reference solution.
#
# Each round checks it once with --device emulated and once with --device auto, so a machine that changes
# its speed changes both; which of the two comes first alternates. Prints every round, the medians and
# their difference (the goal: at most 5 s). It judges nothing: a benchmark is no test. Without a GPU it
# says so.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$REPO/tests/gpu/gpu_lib.sh"

rounds=${1:-5}

milliseconds() {
    echo $(($(date +%s%N) / 1000000))
}

# timed DEVICE: one check; the milliseconds become a line of $SCRATCH/DEVICE.
timed() {
    start=$(milliseconds)
    check "$SOLUTION" "$SCRATCH/$1.json" --device "$1" || {
        cat "$SCRATCH/$1.json.screen"
        exit 1
    }
    echo $(($(milliseconds) - start)) >>"$SCRATCH/$1"
}

median() {
    sort -n "$1" | awk '{value[NR] = $1} END {print value[int((NR + 1) / 2)]}'
}

if ! gpu_is_there; then
    echo 'skipped: there is no GPU here'
    exit 0
fi
echo "$(gpu_words), $(nproc) cores"
timed auto # the first one fills the cache of what is built of the coursework
timed emulated
rm "$SCRATCH/auto" "$SCRATCH/emulated"
round=1
while [ "$round" -le "$rounds" ]; do
    if [ $((round % 2)) -eq 1 ]; then
        timed emulated
        timed auto
    else
        timed auto
        timed emulated
    fi
    echo "round $round: emulated $(tail -n 1 "$SCRATCH/emulated") ms, auto $(tail -n 1 "$SCRATCH/auto") ms"
    round=$((round + 1))
done
emulated=$(median "$SCRATCH/emulated")
auto=$(median "$SCRATCH/auto")
echo "median: emulated $emulated ms, auto $auto ms, difference $((auto - emulated)) ms (goal: at most 5000)"
