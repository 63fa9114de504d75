#!/bin/sh
# run_races.sh [--compiler nvcc|clang] [SOURCE...]: looks for races in the kernels of races/: each
# line of variants.txt there builds a source with some -D options and says what is found in it. Each
# runs three times, its blocks and warps in order and in two other orders.
#
# Patterns of irregular programs come after those of the benchmark suite Indigo (conditional vertex
# and edge, pull, push, populate worklist, path compression), with its kinds of bugs. SOURCE is one,
# without .cu; default: all. Programs are kept as those of run_programs.sh are. JOBS is how many run
# at once (2). Ends with "N passed, N failed, N skipped".
# tests/run: --all
set -u

. "$(dirname -- "$0")/../shell_lib.sh"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$REPO
if [ "${1:-}" = --compiler ]; then
    BY=$2
    shift 2
fi
. "$here/compilers.sh"
JOBS=${JOBS:-2}
kept=${GPUGRADE_BUILD:-$root/build}/emulated_programs
export BY JOBS GPUGRADE

# Prints the path of source $1 built with the -D options that follow.
build() {
    source=$1
    shift
    options=''
    for option in "$@"; do
        options="$options -D$option"
    done
    flags="-cudart shared -lineinfo -no-compress -gencode arch=compute_75,code=compute_75$options"
    hash=$({ echo "$COMPILER $flags"; cat "$here/kernel_program.h" "$here/races/graph.h" \
        "$here/races/$source.cu"; } | sha256sum | cut -c 1-32)
    program=$kept/$source-$hash
    if [ ! -x "$program" ]; then
        mkdir -p "$kept" || return
        # shellcheck disable=SC2086 # a list of flags
        compile $flags -o "$program.$$" "$here/races/$source.cu" && mv "$program.$$" "$program" ||
            return
    fi
    echo "$program"
}

# Prints the codes that are found in program $1, with a comma between two.
codes() {
    program=$1
    json=$2
    shift 2
    timeout 120 "$GPUGRADE" run --compiler "$BY" --launch-seconds 60 --color never --json "$json" \
        "$@" "$program" >"$json.screen" 2>&1
    jq -r --rawfile table "$root/grader/model/codes.def" '
        ([$table | match("CODE\\([A-Z_]+, \"([^\"]*)\", \"([^\"]*)\""; "g").captures
          | {(.[1].string): .[0].string}] | add) as $ids
        | [.findings[].code | $ids[.]] | unique | join(",") | if . == "" then "none" else . end' \
        "$json" 2>&1
}

run_one() {
    source=$1
    expected=$2
    shift 2
    json=$SCRATCH/$$.json
    if ! program=$(build "$source" "$@" 2>"$SCRATCH/$$.log"); then
        echo "FAIL $source $*: does not build: $(tail -n 1 "$SCRATCH/$$.log")"
        return
    fi
    seen=''
    for order in 0 1 5eed; do
        now=$(codes "$program" "$json" --seed "$order")
        [ "$now" = "$expected" ] || seen="$seen, $now with --seed $order"
    done
    if [ -z "$seen" ]; then
        echo "ok   $source $*"
    else
        echo "FAIL $source $*: expected $expected$seen"
    fi
}

if [ "${1:-}" = --one ]; then
    shift
    run_one "$@"
    exit 0
fi
has_compiler races
COMPILER=$(identity)
export COMPILER SCRATCH
grep -v '^#' "$here/races/variants.txt" >"$SCRATCH/variants"
for source in "$@"; do
    grep "^$source " "$SCRATCH/variants"
done >"$SCRATCH/chosen"
[ $# -gt 0 ] || cp "$SCRATCH/variants" "$SCRATCH/chosen"
xargs -P "$JOBS" -L 1 sh "$here/run_races.sh" --one <"$SCRATCH/chosen" | tee "$SCRATCH/output"
passed=$(grep -c '^ok ' "$SCRATCH/output")
failed=$(($(wc -l <"$SCRATCH/chosen") - passed))
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
