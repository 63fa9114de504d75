#!/bin/sh
# compilers.sh [ID]: time of a check by clang beside the same by nvcc, in one run.
#
#   first    an empty cache: harness, oracle and reference are built too, and clang's headers precompiled
#   edited   the student's sources have changed, all else is kept: what a student waits for
#   same     nothing has changed
#
# Prints for each, by the clock and by processor time: the median of both, of five (first: one), and
# their ratio. The checks of both alternate. ID: the coursework, default matmul.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
id=${1:-matmul}
binary=${GPUGRADE_BUILD:-$REPO/build}/bin/gpugrade

# check COMPILER LIST: one check; adds "WALL CPU", in milliseconds, to LIST.
check() (
    started=$(date +%s%N)
    GPUGRADE_CACHE="$SCRATCH/cache-$1" "$binary" check "$SCRATCH/student" --coursework "$id" --compiler "$1" \
        --device emulated --seed 5eed1234 --color never >"$SCRATCH/out" 2>&1 || {
        cat "$SCRATCH/out" >&2
        exit 1
    }
    ended=$(date +%s%N)
    times >"$SCRATCH/times"
    awk -v wall="$(((ended - started) / 1000000))" 'NR == 2 {
        split($0, part, /[ms ]+/)
        printf "%d %d\n", wall, 1000 * (60 * (part[1] + part[3]) + part[2] + part[4])
    }' "$SCRATCH/times" >>"$2"
)

# median COLUMN FILE
median() {
    cut -d ' ' -f "$1" "$2" | sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

row() {
    for column in 1 2; do
        awk -v name="$1" -v unit="$(echo wall cpu | cut -d ' ' -f "$column")" \
            -v nvcc="$(median "$column" "$SCRATCH/$1-nvcc")" \
            -v clang="$(median "$column" "$SCRATCH/$1-clang")" \
            'BEGIN { printf "%-8s %-5s %6d ms %6d ms %8.2f\n", name, unit, nvcc, clang, clang / nvcc }'
    done
}

cp -R "$REPO/reference/$id/solution" "$SCRATCH/student"
printf '%-14s %9s %9s %8s\n' '' nvcc clang ratio
for compiler in nvcc clang; do
    check "$compiler" "$SCRATCH/first-$compiler" || exit 1
done
row first
for round in 1 2 3 4 5; do
    for compiler in nvcc clang; do
        for source in "$SCRATCH"/student/*.cu; do
            printf '// %s %s\n' "$round" "$compiler" >>"$source"
        done
        check "$compiler" "$SCRATCH/edited-$compiler" || exit 1
        check "$compiler" "$SCRATCH/same-$compiler" || exit 1
    done
done
row edited
row same
