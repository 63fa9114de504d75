#!/bin/sh
# run_samples.sh [--compiler nvcc|clang] [NAME...]: runs the whole programs of programs/ by `gpugrade run`.
#
#   programs/NAME.cu    a program of one file, or
#   programs/NAME/*.cu  of several
#   programs/NAME.out   what it prints
#
# A program has no findings and exits with 0, unless its opening comment says otherwise:
#   // finding: KIND    it has findings, all of this kind
#   // says: TEXT       the message of a finding holds this
#
# Programs are built by nvcc, or clang with the exceptions of clang_differences.txt, once and kept in
# the build folder under a hash of what they are made of. GPUGRADE names the grader, JOBS how many run
# at once (2). Ends with "N passed, N failed, N skipped".
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
FLAGS='-std=c++17 -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75'
export GPUGRADE GPUGRADE_ROOT JOBS
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS

# The files of program $1.
sources() {
    if [ -d "$here/programs/$1" ]; then
        find "$here/programs/$1" -type f | sort
    else
        echo "$here/programs/$1.cu"
    fi
}

# Builds $1 unless it was built before; prints the path of the program.
build() {
    # shellcheck disable=SC2046,SC2086 # lists of flags and of files without spaces
    hash=$({ echo "$COMPILER $FLAGS"; cat "$here/kernel_program.h" $(sources "$1"); } |
        sha256sum | cut -c 1-32)
    program=$kept/$1-$hash
    if [ ! -x "$program" ]; then
        mkdir -p "$kept" || return
        # shellcheck disable=SC2046,SC2086
        compile $FLAGS -o "$program.$$" $(sources "$1" | grep '\.cu$') &&
            mv "$program.$$" "$program" || return
    fi
    echo "$program"
}

# The rest of the line of the opening comment of $1 that starts with $2.
asked() {
    sources "$1" | grep '\.cu$' | xargs sed -n "s|^// $2: ||p" | head -n 1
}

# Runs $1 and prints one line, and what differs.
run_one() {
    folder=$(mktemp -d) || exit 1
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
    if ! program=$(build "$1" 2>"$folder/log"); then
        echo "FAIL $1: does not build: $(tail -n 1 "$folder/log")"
        return
    fi
    "$GPUGRADE" run --compiler "$BY" --launch-seconds 60 --color never --json "$folder/json" "$program" \
        >"$folder/printed" 2>"$folder/screen"
    kind=$(asked "$1" finding)
    says=$(asked "$1" says)
    if [ ! -s "$folder/json" ]; then
        echo "FAIL $1: no findings file: $(tail -n 1 "$folder/screen")"
    elif ! diff "$here/programs/$1.out" "$folder/printed" >"$folder/difference"; then
        echo "FAIL $1: prints something else"
        sed -n 's/^</     expected:/p;s/^>/     got:/p' "$folder/difference"
    elif [ -z "$kind" ] && ! jq -e '.findings == [] and .exit_status == 0' "$folder/json" \
        >"$folder/log"; then
        echo "FAIL $1: has findings, or ends badly: $(tail -n 1 "$folder/screen")"
    elif [ -n "$kind" ] && ! jq -e --arg kind "$kind" --arg says "$says" '
        (.findings | length) > 0 and all(.findings[]; .kind == $kind)
        and any(.findings[]; .message | contains($says))' "$folder/json" >"$folder/log"; then
        echo "FAIL $1: not the finding $kind $says: $(tail -n 1 "$folder/screen")"
    else
        echo "ok   $1"
    fi
}

if [ "${1:-}" = --one ]; then
    run_one "$2" | judged "programs/$2"
    exit 0
fi
if [ "${1:-}" = --compiler ]; then
    BY=$2
    shift 2
fi
if ! command -v jq >/dev/null; then
    echo 'run_samples.sh: jq is missing' >&2
    exit 3
fi
has_compiler programs
COMPILER=$(identity)
export BY COMPILER
if [ $# -eq 0 ]; then
    for expected in "$here"/programs/*.out; do
        set -- "$@" "$(basename "$expected" .out)"
    done
fi
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
trap 'exit 130' INT TERM
printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 sh "$here/run_samples.sh" --one | tee "$output"
passed=$(grep -c '^ok ' "$output")
printf '%d passed, %d failed, 0 skipped\n' "$passed" $(($# - passed))
[ "$passed" -eq $# ]
