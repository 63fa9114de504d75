#!/bin/sh
# compilers.sh [ID]: time of a check by clang beside the same by nvcc, in one run.
#
#   first    an empty cache: harness, oracle and reference are built too, and clang's headers precompiled
#   edited   the student's sources have changed, all else is kept: what a student waits for
#   same     nothing has changed
#
# Prints a line for each: median seconds of both, of five (first: one), and their ratio. ID: the
# coursework, default matmul.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
id=${1:-matmul}
binary=${GPUGRADE_BUILD:-$REPO/build}/bin/gpugrade

# check COMPILER: one check; prints its seconds.
check() {
    started=$(date +%s%N)
    GPUGRADE_CACHE="$SCRATCH/cache-$1" "$binary" check "$SCRATCH/student" --coursework "$id" --compiler "$1" \
        --device emulated --seed 5eed1234 --color never >"$SCRATCH/out" 2>&1 || {
        cat "$SCRATCH/out" >&2
        exit 1
    }
    printf '%s\n' "$((($(date +%s%N) - started) / 1000000))"
}

cp -R "$REPO/reference/$id/solution" "$SCRATCH/student"
printf '%-8s %8s %8s %8s\n' '' nvcc clang ratio
row() {
    printf '%-8s %6d ms %6d ms %8s\n' "$1" "$2" "$3" "$(awk "BEGIN { printf \"%.2f\", $3 / $2 }")"
}
median() {
    sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}
row first "$(check nvcc)" "$(check clang)"
for compiler in nvcc clang; do
    : >"$SCRATCH/edited-$compiler"
    : >"$SCRATCH/same-$compiler"
done
for round in 1 2 3 4 5; do
    for compiler in nvcc clang; do
        for source in "$SCRATCH"/student/*.cu; do
            printf '// %s %s\n' "$round" "$compiler" >>"$source"
        done
        check "$compiler" >>"$SCRATCH/edited-$compiler"
        check "$compiler" >>"$SCRATCH/same-$compiler"
    done
done
row edited "$(median <"$SCRATCH/edited-nvcc")" "$(median <"$SCRATCH/edited-clang")"
row same "$(median <"$SCRATCH/same-nvcc")" "$(median <"$SCRATCH/same-clang")"
