#!/bin/sh
# diagnosis_cost.sh [COUNT]: how long checks of wrong and of right fixtures take, against a grader that
# judges and explains nothing.
#
# COUNT wrong fixtures (30), spread over all courseworks, and a right one of each coursework are checked
# by both graders in turn, with a change in each file and a cache that holds the harness, as a class is
# graded. What the whole grader does more is all of the diagnosis: following results, tried changes and
# their compiling, the trace. Prints the seconds of each, and least, median and most of the ratios (the
# goals: 1.05 for right ones, 1.5 for wrong ones). It judges nothing: a benchmark is no test.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
build=${GPUGRADE_BUILD:-$root/build}
count=${1:-30}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export GPUGRADE_CACHE="$work/cache"
changes=0

# seconds GRADER COURSEWORK FIXTURE: of one check.
seconds() {
    rm -rf "$work/student"
    cp -R "$root/reference/$2/solution" "$work/student"
    cp -R "$3/." "$work/student"
    rm -f "$work/student/expect" "$work/student/guilty"
    changes=$((changes + 1))
    for file in "$work"/student/*.cu; do
        echo "/* $changes $$ */" >>"$file"
    done
    start=$(date +%s%N)
    "$build/bin/$1" check "$work/student" --coursework "$2" --device emulated --seed 0x5eed1234 \
        >"$work/out" 2>&1 || true
    echo "$(($(date +%s%N) - start))" | awk '{ printf "%.2f", $1 / 1e9 }'
}

# compare KIND FIXTURES: a row for each, KIND for the file of ratios.
compare() {
    while read -r fixture; do
        coursework=$(basename "$(dirname "$(dirname "$fixture")")")
        seconds gpugrade "$coursework" "$fixture" >"$work/whole"
        seconds gpugrade-undiagnosed "$coursework" "$fixture" >"$work/bare"
        paste -d ' ' "$work/whole" "$work/bare" |
            awk -v name="$coursework/$1/$(basename "$fixture")" -v ratios="$work/$1" \
                '{ printf "%-60s %6.2f %6.2f  %.2f\n", name, $1, $2, $1 / $2; print $1 / $2 >>ratios }'
    done
    sort -g "$work/$1" | awk -v kind="$1" '{ ratio[NR] = $1 } END {
        printf "%s: %d, ratios %.2f, %.2f, %.2f\n", kind, NR, ratio[1], ratio[int((NR + 1) / 2)], ratio[NR] }'
}

cd "$root/tests/submissions"
# No rubric and no start of their own.
plain() {
    for fixture in "$@"; do
        [ -e "$fixture/rubric" ] || [ -e "$fixture/base" ] || echo "$PWD/$fixture"
    done
}
for coursework in */; do
    seconds gpugrade "${coursework%/}" "$root/reference/${coursework%/}/solution" >"$work/whole"
done
plain ./*/right/* | awk -F / '!seen[$(NF - 2)]++' >"$work/right.list"
plain ./*/wrong/* | awk -v count="$count" '{ all[NR] = $0 } END {
    for (i = 0; i < count && i < NR; i++) print all[int((i + 0.5) * NR / (count < NR ? count : NR)) + 1] }' \
    >"$work/wrong.list"
compare right <"$work/right.list"
compare wrong <"$work/wrong.list"
