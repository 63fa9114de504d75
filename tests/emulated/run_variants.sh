#!/bin/sh
# run_variants.sh [--compiler nvcc|clang] [SOURCE...]: runs variants of programs on the emulated device:
# each line of FOLDER/variants.txt builds a source of that folder with some -D options and says what is
# found in it. Each runs three times, its blocks and warps in order and in two other orders.
#
#   races/     threads of one kernel. Patterns of irregular programs come after those of the benchmark
#              suite Indigo (conditional vertex and edge, pull, push, populate worklist, path
#              compression), with its kinds of bugs
#   streams/   streams, events, graphs, memory of streams, memory that host and device share. Each
#              finding must name the lines of both places in the host code
#
# SOURCE is one, such as races/push, or a folder; default: all. Programs are kept as those of
# run_programs.sh are. JOBS is how many run at once (2). Ends with "N passed, N failed, N skipped".
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
    folder=$here/${source%/*}
    flags="-cudart shared -lineinfo -Xcompiler -g1 -no-compress -gencode arch=compute_75,code=compute_75$options"
    hash=$({ echo "$COMPILER $flags"; cat "$here/kernel_program.h" "$folder"/*.h \
        "$here/$source.cu"; } | sha256sum | cut -c 1-32)
    program=$kept/${source#*/}-$hash
    if [ ! -x "$program" ]; then
        mkdir -p "$kept" || return
        # shellcheck disable=SC2086 # a list of flags
        compile $flags -o "$program.$$" "$here/$source.cu" && mv "$program.$$" "$program" ||
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
        | [.findings[] | $ids[.code]
           + (if (.code | IN("stream_race", "host_race"))
                 and ([.places[0, 1] | select(.line > 0)] | length) < 2
              then " without a line" else "" end)] | unique | join(",") | if . == "" then "none" else . end' \
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
has_compiler variants
COMPILER=$(identity)
export COMPILER SCRATCH
for folder in races streams; do
    sed -n "/^#/!s,^,$folder/,p" "$here/$folder/variants.txt"
done >"$SCRATCH/variants"
for source in "$@"; do
    grep -E "^${source}[ /]" "$SCRATCH/variants"
done >"$SCRATCH/chosen"
[ $# -gt 0 ] || cp "$SCRATCH/variants" "$SCRATCH/chosen"
xargs -P "$JOBS" -L 1 sh "$here/run_variants.sh" --one <"$SCRATCH/chosen" | tee "$SCRATCH/output"
passed=$(grep -c '^ok ' "$SCRATCH/output")
failed=$(($(wc -l <"$SCRATCH/chosen") - passed))
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
