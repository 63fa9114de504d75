#!/bin/sh
# largest_sources.sh [--all] [NAME...]: grades the largest sources that are accepted, and prints what
# the grader used.
#
# A source is the reference solution's with a text of one kind added to it, up to 4 MiB: one line, a
# million tokens, deep nesting, a long name, many macros, includes or findings, thousands of kernels.
# Each is graded under a limit of GRADER_SECONDS (20) of processor time and of 512 MB, the default:
# a grader whose work is not linear in the text reaches one of them (X13, X14), however fast or busy
# the machine is. No criterion may be an error, and what compiles and is right passes. Then each
# bound is reached on purpose and must be a failure of the submission with its cause.
#
#   name   grader: processor seconds, MB resident, MB of data; device: the same (peak.c)
#
# Without --all the forms that take compilers long are left out. GPUGRADE names the grader, SCORES a
# folder that keeps scores and screens. Ends with a line "N passed, N failed, N skipped".
set -u
umask 022 # programs have users of their own
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/hostile
seconds=${GRADER_SECONDS:-20}
scores=${SCORES:-$SCRATCH}
most=$((4 * 1024 * 1024))
all=no
if [ "${1:-}" = --all ]; then
    all=yes
    shift
fi

cc -O1 -o "$SCRATCH/peak" "$here/peak.c" || exit 3
jq --arg program tiled -f "$here/rubric.jq" "$REPO/rubrics/matmul.json" |
    jq ".limits.grader_cpu_seconds = $seconds | .limits.compile_seconds = 60 |
        .limits.compile_memory_mb = 4096" >"$SCRATCH/rubric.json" || exit 3
chmod 755 "$SCRATCH"

# copies TEXT COUNT: so often, with a new line for each @ and the number for each %.
copies() {
    seq "$2" | sed "s|.*|$(printf '%s' "$1" | sed 's/%/\&/g')|" | tr -d '\n' | tr '@' '\n'
}

# repeat TEXT BYTES: as often as it fits, numbers of 6 digits included.
repeat() {
    case $1 in
    *%*) length=$((${#1} + 5 * $(printf '%s' "$1" | tr -dc % | wc -c))) ;;
    *) length=${#1} ;;
    esac
    copies "$1" "$(($2 / length))"
}

# nested OPEN CLOSE DEPTH
nested() {
    copies "$1" "$3"
    copies "$2" "$3"
}

solution=$REPO/reference/matmul/solution/exercise1_tiled.cu
room=$((most - $(wc -c <"$solution") - 4096))

# The solution, whose kernel lets half of its threads leave before $1 barriers.
with_exits() {
    awk -v barriers="$1" '
        /^__global__/ { seen = 1 }
        { print }
        seen && /^{/ {
            print "    if (rows < 0 || (threadIdx.x & 1)) return;"
            for (i = 0; i < barriers; i++) print "    __syncthreads();"
            seen = 0
        }' "$solution" | sed "s/rows < 0 || //"
}

# make NAME: the source to standard output.
make_source() {
    case $1 in
    one_line) cat "$solution"; repeat 'int a%;' "$room" ;;
    tokens) cat "$solution"; repeat ';' 1000000 ;;
    tokens_4m) cat "$solution"; repeat ';' "$room" ;;
    lines) repeat '@' 100000; cat "$solution" ;;
    finding_at_end) repeat '// x@' 500000; with_exits 1 ;;
    comment) cat "$solution"; echo '/*'; repeat 'step * / ' "$room"; echo '*/' ;;
    raw_string) cat "$solution"; printf 'static const char text[] = R"aa('; repeat ')a)"' 60000
        printf ')aa";' ;;
    braces) cat "$solution"; printf 'void deep() '; nested '{' '}' 1000000 ;;
    parentheses) cat "$solution"; printf 'int deep = '; nested '(' ')' 1000000 ;;
    closings) cat "$solution"; repeat ') {} ' "$room" ;;
    calls) cat "$solution"; printf 'int deep = '; nested 'cudaLaunch(' ')' 300000 ;;
    templates) cat "$solution"; repeat 'matrixMulTiled<' "$room" ;;
    chevrons) cat "$solution"; repeat 'matrixMulTiled<<<' "$room" ;;
    conditions) cat "$solution"; echo; nested '#if 1@' '#endif@' 100000 ;;
    includes) cat "$solution"; echo; repeat '#include "more.h"@' 400000 ;;
    macros) repeat '#define M% %@' "$room"; cat "$solution" ;;
    undefined_macros) repeat '#undef M@#define M 1@' "$room"; cat "$solution" ;;
    name) cat "$solution"; printf 'int '; repeat 'n' "$room"; echo ';' ;;
    loops) cat "$solution"; printf 'void deep() {'; repeat 'for (;;) ' "$room"; printf ';}' ;;
    errors) cat "$solution"; echo; repeat 'int e% = x%;@' 400000 ;;
    warnings) cat "$solution"; echo; repeat 'static int w%;@' 1000000 ;;
    exits) with_exits 500; repeat ';' 1000000 ;;
    exits_and_lines) repeat '@' "$((room - 20000))"; with_exits 500 ;;
    warnings_above) repeat '@' 3000000; cat "$solution"; echo 'static void above() {'
        repeat 'int w%;@' 500000; echo '}' ;;
    warnings_on_a_line) cat "$solution"; printf 'static void line() {'; repeat 'int w%;' "$room"
        echo '}' ;;
    missing_includes) cat "$solution"; echo; repeat '#include "m%.h"@' "$room" ;;
    headers | too_large_header) cat "$solution"; echo '#include "more.h"' ;;
    exits_and_macros) repeat '#define M% %@' 2000000; with_exits 500 ;;
    wrong_and_sets) sed 's/sum +=/sum -=/' "$solution"
        echo 'template <class T> void never(T *p) {'; repeat 'cudaMemset(p, 7, sizeof(T));@' "$room"
        echo '}' ;;
    wrong_and_arrays) sed 's/sum +=/sum -=/' "$solution"
        echo 'template <class T> __global__ void matrixMulTiled(T *p) {'
        repeat 'float a%[1]; a%[threadIdx.x] = 0;@' "$room"; echo '}' ;;
    wrong_and_comment) # in the kernel, of which changes are tried
        sed '/sum +=/q' "$solution" | sed 's/\] \*/] -/; $s,$, /*,'
        repeat 'step * ' "$room"; echo '*/'; sed '1,/sum +=/d' "$solution" ;;
    kernels) cat "$solution"
        echo 'template <int n> __global__ void step(float *v) { for (int i = 0; i < 4; i++) v[threadIdx.x * n + i] += n; }'
        repeat 'template __global__ void step<%>(float *);@' 60000 ;;
    too_large) cat "$solution"; repeat ';' "$most" ;;
    esac
}

# make_header NAME: what the header holds that some sources include.
make_header() {
    echo '#pragma once'
    case $1 in
    missing_includes) repeat '#include "n%.h"@' "$room" ;;
    headers) repeat '// x@' "$room" ;;
    too_large_header) repeat '// x@' "$((most + 5))" ;;
    esac
}

# Folders full of headers, to be looked through for each include.
make_folders() {
    case $1 in
    missing_includes)
        seq 1500 | sed "s|.*|$student/m&_.h|" | xargs touch
        ;;
    esac
}

# What each must give: `passes`, `fails` with any cause, or the code that it fails with.
expected_of() {
    case $1 in
    one_line | tokens | tokens_4m | lines | comment | raw_string | conditions | includes | \
        macros | undefined_macros | warnings | kernels | name | \
        headers) echo passes ;;
    finding_at_end | exits | exits_and_lines | exits_and_macros) echo D04 ;;
    too_large | too_large_header) echo C04 ;;
    *) echo fails ;;
    esac
}

# grade NAME RUBRIC
grade() {
    student=$SCRATCH/$1
    rm -rf "$student"
    mkdir "$student" || exit 3
    cp "$REPO"/reference/matmul/solution/* "$student"
    make_source "$1" >"$student/exercise1_tiled.cu"
    make_header "$1" >"$student/more.h"
    make_folders "$1"
    "$SCRATCH/peak" "$SCRATCH/used" "$GPUGRADE" check "$student" --rubric "$2" --seed 0x5eed1234 \
        --device emulated --json "$scores/$1.json" >"$scores/$1.txt" 2>&1 </dev/null
    status=$?
    rm -rf "$student"
}

codes() {
    jq -r '[.criteria[] | .cause.code // empty] | unique | join(" ")' "$scores/$1.json" 2>/dev/null
}

# True if the score is what is expected of NAME.
is_as_expected() {
    [ "$status" -le 1 ] || return 1
    case $2 in
    passes) [ "$status" = 0 ] ;;
    fails) [ "$status" = 1 ] && ! codes "$1" | grep -q 'grader_' ;;
    *) [ "$status" = 1 ] && grep -qF "[$2]" "$scores/$1.txt" ;;
    esac
}

judge() { # NAME EXPECTED WORDS
    used=$(awk '{ printf "%s %7.2f s %5d MB %5d MB", (NR > 1 ? " |" : ""), $2, $3, $4 }' "$SCRATCH/used")
    if is_as_expected "$1" "$2"; then
        pass "$(printf '%-18s %s  %s' "$1" "$used" "$3$(codes "$1")")"
    else
        fail "$(printf '%-18s %s  %s' "$1" "$used" "exit status $status, expected $2")" "$scores/$1.txt"
    fi
}

quick='one_line tokens_4m lines finding_at_end comment raw_string braces parentheses closings calls
    templates chevrons conditions includes macros name errors exits exits_and_macros exits_and_lines
    warnings_above warnings_on_a_line wrong_and_sets wrong_and_arrays wrong_and_comment
    missing_includes headers too_large
    too_large_header'
# shellcheck disable=SC2086 # words
if [ $# -eq 0 ]; then
    set -- $quick
    [ "$all" = no ] || set -- $quick tokens undefined_macros loops warnings kernels
fi
for name in "$@"; do
    grade "$name" "$SCRATCH/rubric.json"
    judge "$name" "$(expected_of "$name")" ''
done

# bound NAME LIMIT VALUE CODE
bound() {
    jq ".limits.$2 = $3" "$SCRATCH/rubric.json" >"$SCRATCH/bound.json" || exit 3
    grade "$1" "$SCRATCH/bound.json"
    judge "$1" "$4" "$2 = $3: "
    expect "$2 = $3: every criterion has failed for it" \
        jq -e '[.criteria[] | .status == "failed"] | all' "$scores/$1.json"
}
bound exits grader_memory_mb 64 X13
bound loops grader_cpu_seconds 0.1 X14
finish
