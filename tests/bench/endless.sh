#!/bin/sh
# endless.sh [COURSEWORK/NAME...]: what programs cost that never end, as a Markdown table of processor
# and wall seconds (the goal: at most 3 s each).
#
# Each is a fixture of tests/submissions, "matmul/wrong/kernel_loop" (default: those listed below). It is
# graded twice with a cache of its own: the first time builds, the second one is measured, so that
# compilers do not count. A row "right" for each coursework says what its reference solution costs.
# It judges no time: a benchmark is no test. Status 1 if a fixture did not get what it expects.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"

GPUGRADE_CACHE=$SCRATCH/cache
export GPUGRADE_CACHE
submissions=$REPO/tests/submissions

[ $# -gt 0 ] || set -- \
    matmul/wrong/kernel_loop \
    matmul/wrong/flag_never_set \
    matmul/wrong/library_barrier_one_too_many \
    matmul/wrong/dynamic_step_of_zero \
    matmul/wrong/endless_for_narrow_b \
    matmul/wrong/host_loop \
    matmul/wrong/host_sleeps \
    matmul/wrong/host_locks_twice \
    matmul_lab/wrong/loop_without_a_step

# Runs a command; adds a row "| NAME | processor seconds | wall seconds |" for name $1.
measured() {
    name=$1
    shift
    (
        start=$(date +%s%N)
        "$@" >"$SCRATCH/screen" 2>&1 || exit 1
        end=$(date +%s%N)
        times >"$SCRATCH/times"
        # Its second line is of the children: "0m1.23s 0m0.45s".
        awk -v name="$name" -v wall=$((end - start)) '
            function seconds(time) { split(time, part, /[ms]/); return 60 * part[1] + part[2] }
            NR == 2 { printf "| %s | %.1f | %.1f |\n", name, seconds($1) + seconds($2), wall / 1e9 }
        ' "$SCRATCH/times"
    )
}

# Grades the fixture $2 of coursework $1.
fixture() {
    COURSEWORK=$1 JOBS=1 sh "$submissions/run.sh" "$2"
}

# Grades the reference solution of coursework $1.
reference() {
    "${GPUGRADE:-$REPO/gpugrade}" check "$REPO/reference/$1/solution" --coursework "$1" \
        --device emulated --seed 0x5eed1234
}

# row NAME COMMAND...: builds, then measures.
row() {
    if ! "$2" "$3" ${4+"$4"} >"$SCRATCH/screen" 2>&1 || ! measured "$@"; then
        echo "$1: another verdict than expected" >&2
        cat "$SCRATCH/screen" >&2
        status=1
    fi
}

status=0
seen=' '
echo '| program | processor seconds | wall seconds |'
echo '|---|---|---|'
for path in "$@"; do
    coursework=${path%%/*}
    case $seen in
    *" $coursework "*) ;;
    *)
        row "$coursework/right" reference "$coursework"
        seen="$seen$coursework "
        ;;
    esac
    row "$path" fixture "$coursework" "${path#*/}"
done
exit "$status"
