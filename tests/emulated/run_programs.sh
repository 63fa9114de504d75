#!/bin/sh
# run_programs.sh [--compiler nvcc|clang] [NAME...]: runs the programs of pass/ and fail/ on the emulated device.
#
#   pass/NAME.cu   no finding; prints what tests/gpu/results.txt says a real GPU prints
#   fail/NAME.cu   the guilty lines carry "// error: CODE ROLE, CODE ROLE", a code of
#                  grader/model/codes.def and how the line takes part in it (read, write, atomic,
#                  wait, allocated, freed, call, launch, here). Each such pair must stand among the places of a finding, and each
#                  place of each finding must be marked
#   "exit: 139" in the opening comment is the exit status of a program of fail/ that is not 1
#   "arch: compute_80" in it compiles for that, where asynchronous copies are instructions; so
#   "arch: compute_90"
#
# Each program runs three times, its blocks and warps in order and in two other orders: findings are
# the same each time, and what pass/ prints. "order: matters" in the opening comment says that racing
# values decide what a program does next, or that races in global memory are looked for, of which the
# last accesses alone are known: then codes and lines are the same, not threads and counts.
#
# NAME is a path without .cu ("fail/scan_in_place"), "pass" or "fail"; default: all. Programs are
# built by nvcc, or clang with the exceptions of clang_differences.txt, once and kept in the build
# folder under a hash of what they are made of. GPUGRADE names the grader, JOBS how many run at once
# (2). Ends with "N passed, N failed, N skipped".
# tests/run: --all
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$(CDPATH='' cd -- "$here/../.." && pwd -P)
. "$root/tests/find_nvcc.sh"
. "$here/compilers.sh"
GPUGRADE=${GPUGRADE:-$root/gpugrade}
GPUGRADE_ROOT=$root
JOBS=${JOBS:-2}
kept=${GPUGRADE_BUILD:-$root/build}/emulated_programs
FLAGS='-cudart shared -lineinfo -Xcompiler -g1 -fmad=false -no-compress -gencode arch=compute_75,code=compute_75'
export GPUGRADE GPUGRADE_ROOT JOBS

# Prints "LINE CODE ROLE" for each mark of a program.
marks() {
    awk '{
        place = index($0, "// error: ")
        if (place > 0) {
            count = split(substr($0, place + 10), pairs, /, */)
            for (i = 1; i <= count; i++) {
                print NR, pairs[i]
            }
        }
    }' "$1" | sort -u
}

# Prints the same for the findings of a run; $2 is the file name that places must have. Calls of
# kernel_program.h, such as its allocations, are left out: it cannot be marked for each program.
found() {
    jq -r --arg file "$2" --rawfile table "$root/grader/model/codes.def" '
        ([$table | match("CODE\\([A-Z_]+, \"([^\"]*)\", \"([^\"]*)\""; "g").captures
          | {(.[1].string): .[0].string}] | add) as $ids
        | .findings[] | $ids[.code] as $code | .places[]
        | select((.file // "" | split("/") | last) != "kernel_program.h")
        | "\(.line) \($code) \(.role)"
          + (if (.file // "" | split("/") | last) == $file then "" else " in \(.file)" end)' \
        "$1" | sort -u
}

# Builds $1 ("fail/scan_in_place"; "--build" does only this) unless it was built before; prints the path of the program.
build() {
    arch=$(sed -n 's/.*arch: \(compute_[0-9]*\).*/\1/p' "$here/$1.cu")
    flags=$(echo "$FLAGS" | sed "s/compute_75/${arch:-compute_75}/g")
    # shellcheck disable=SC2086 # a list of flags
    hash=$({ echo "$COMPILER $flags"; cat "$here/kernel_program.h" "$here/$1.cu"; } |
        sha256sum | cut -c 1-32)
    program=$kept/$(basename "$1")-$hash
    if [ ! -x "$program" ]; then
        mkdir -p "$kept" || return
        # shellcheck disable=SC2086
        compile $flags -o "$program.$$" "$here/$1.cu" && mv "$program.$$" "$program" || return
    fi
    echo "$program"
}

# Runs $program once; $1 names its files.
execute() {
    order=$1
    shift
    "$GPUGRADE" run --compiler "$BY" "$@" --launch-seconds 60 --color never --json "$folder/$order.json" "$program" \
        >"$folder/$order.printed" 2>"$folder/$order.screen"
}

# Prints a line if program $1 ran otherwise in order $2.
same_as_in_order() {
    what='.findings[]'
    if grep -q 'order: matters' "$here/$1.cu"; then
        what='[.findings[] | [.code, ([.places[].line] | sort)]] | unique'
    fi
    for order in in-order "$2"; do
        jq -c "$what" "$folder/$order.json" >"$folder/$order.findings" 2>&1
    done
    cmp -s "$folder/in-order.findings" "$folder/$2.findings" ||
        echo "> other findings with --seed $2"
    if [ "${1%/*}" = pass ]; then
        cmp -s "$folder/in-order.printed" "$folder/$2.printed" ||
            echo "> another result with --seed $2"
    fi
}

# Prints the exit status of a program of fail/: 1, or what it says.
ends_with() {
    sed -n 's/.*exit: \([0-9]*\).*/\1/p; /\*\//q' "$here/$1.cu" | grep . || echo 1
}

# Runs $1 and prints one line, and what differs.
run_one() {
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
    name=$(basename "$1")
    if ! program=$(build "$1" 2>"$folder/log"); then
        echo "FAIL $1: does not build: $(tail -n 1 "$folder/log")"
        return
    fi
    execute in-order
    status=$?
    if [ ! -s "$folder/in-order.json" ]; then
        echo "FAIL $1: no findings file, exit status $status: $(tail -n 1 "$folder/in-order.screen")"
        return
    fi
    marks "$here/$1.cu" >"$folder/expected"
    if ! found "$folder/in-order.json" "$name.cu" >"$folder/seen" 2>"$folder/log"; then
        echo "FAIL $1: $(tail -n 1 "$folder/log")"
        return
    fi
    : >"$folder/difference"
    if [ "${1%/*}" = pass ]; then
        grep -E "^${name}[,:]" "$root/tests/gpu/results.txt" >"$folder/results"
        diff "$folder/results" "$folder/in-order.printed" >>"$folder/difference"
        [ "$status" -eq 0 ] || echo "exit status $status" >>"$folder/difference"
    elif [ "$status" -ne "$(ends_with "$1")" ]; then
        echo "exit status $status, not $(ends_with "$1")" >>"$folder/difference"
    fi
    diff "$folder/expected" "$folder/seen" >>"$folder/difference"
    for seed in 1 5eed; do
        execute "$seed" --seed "$seed"
        same_as_in_order "$1" "$seed" >>"$folder/difference"
    done
    if [ -s "$folder/difference" ]; then
        sed -n 's/^</expected and missing:/p;s/^>/found and not expected:/p;/^exit/p' \
            "$folder/difference" | sed "1s|^|FAIL $1: |;2,\$s|^|     |"
    else
        echo "ok   $1"
    fi
}

list() {
    [ $# -gt 0 ] || set -- pass fail
    for name in "$@"; do
        if [ -d "$here/$name" ]; then
            find "$here/$name" -name '*.cu' | sed "s|^$here/||;s|\.cu\$||" | sort
        elif [ -f "$here/$name.cu" ]; then
            echo "$name"
        else
            echo "run_programs.sh: no program $name" >&2
            return 2
        fi
    done
}

if [ "${1:-}" = --one ]; then
    run_one "$2" | judged "$2"
    exit 0
fi
if [ "${1:-}" = --build ]; then
    COMPILER=$(identity)
    build "$2"
    exit
fi
if [ "${1:-}" = --compiler ]; then
    BY=$2
    shift 2
fi
if ! command -v jq >/dev/null; then
    echo 'run_programs.sh: jq is missing' >&2
    exit 3
fi
has_compiler programs
COMPILER=$(identity)
export BY COMPILER
names=$(list "$@") || exit 2
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
trap 'exit 130' INT TERM
echo "$names" | xargs -P "$JOBS" -n 1 sh "$here/run_programs.sh" --one | tee "$output"
passed=$(grep -c '^ok ' "$output")
failed=$(($(echo "$names" | wc -l) - passed))
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
