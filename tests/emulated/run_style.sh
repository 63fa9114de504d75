#!/bin/sh
# run_style.sh [NAME...]: holds programs as students write them (style/*.cu) to the same result from
# each compiler there is: exit status, what they print and the codes of their findings.
#
# A program ends with a comment that says what nvcc makes of it:
#   /* exit status 0, findings: none
#   what it prints
#   */
# Codes of findings stand in place of "none", with a space between two. nvcc is held to it too, clang
# but for clang_differences.txt. "// flags: FLAGS" on the first line adds options of nvcc's.
#
# NAME is a program's, without .cu; default: all. JOBS is how many run at once (2). Ends with "N
# passed, N failed, N skipped", where a program counts once for each compiler.
# tests/run: --all
set -u

. "$(dirname -- "$0")/../shell_lib.sh"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
root=$REPO
. "$here/compilers.sh"
JOBS=${JOBS:-2}
export GPUGRADE JOBS

# What program $1 is to do, in the form of its comment.
expected() {
    tr -d '\r' <"$1" | sed -n '/^\/\* exit status/,/^\*\//{s/^\/\* //;/^\*\//!p;}'
}

# What program $2 does when compiler $1 has built it, in that form. Files go to folder $3.
seen() {
    NVCC_APPEND_FLAGS=$(sed -n '1s|^// flags: ||p' "$2") timeout 300 "$GPUGRADE" run --compiler "$1" --launch-seconds 60 --color never \
        --json "$3/json" "$2" >"$3/printed" 2>"$3/screen"
    status=$?
    codes=$(jq -r '[.findings[].code] | unique | join(" ")' "$3/json" 2>&1)
    echo "exit status $status, findings: ${codes:-none}"
    cat "$3/printed"
}

# Prints "ok" or "FAIL" and the program $2 as compiler $1 builds it, then what differs.
run_one() {
    folder=$SCRATCH/$1-$2
    mkdir "$folder" || exit 1
    expected "$here/style/$2.cu" >"$folder/expected"
    seen "$1" "$here/style/$2.cu" "$folder" >"$folder/seen"
    if diff -a "$folder/expected" "$folder/seen" >"$folder/diff"; then
        echo "ok   $2 ($1)"
    else
        echo "FAIL $2 ($1)"
        head -n 20 "$folder/diff" | sed 's/^/     /'
        grep -a -m 5 -E 'error|not ' "$folder/screen" | sed 's/^/     /'
    fi
}

if [ "${1:-}" = --one ]; then
    BY=$2
    run_one "$2" "$3" | judged "style/$3"
    exit 0
fi
if [ $# -eq 0 ]; then
    for source in "$here"/style/*.cu; do
        name=${source##*/}
        set -- "$@" "${name%.cu}"
    done
fi
compilers=''
for compiler in nvcc clang; do
    if command -v "$compiler" >/dev/null; then
        compilers="$compilers $compiler"
    else
        skip "programs built by $compiler" "no $compiler"
        skipped=$((skipped + $# - 1))
    fi
done
for compiler in $compilers; do
    for name in "$@"; do
        echo "$compiler $name"
    done
done >"$SCRATCH/list"
xargs -P "$JOBS" -n 2 sh "$0" --one <"$SCRATCH/list" | tee "$SCRATCH/lines"
passed=$(grep -c '^ok ' "$SCRATCH/lines")
failed=$(($(wc -l <"$SCRATCH/list") - passed))
finish
