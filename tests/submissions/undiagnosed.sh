#!/bin/sh
# undiagnosed.sh [all]: statuses, points and codes do not depend on diagnosis/.
#
# Grades fixtures by a grader whose diagnosis does nothing (undiagnosed.c), and compares what it decides
# with the scores of the whole grader: all fixtures, or the quick.txt of a linked program, of whole
# programs, of calls with several kernels and of calls with memory of the host. EXPLAINED names
# a folder that holds these, COURSEWORK/right-padding.json and so on; without it they are made first.
# Ends with a line "N passed, N failed, N skipped".
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/submissions
build=${GPUGRADE_BUILD:-$REPO/build}
if [ "${1:-}" = all ]; then
    courseworks=$(cd "$here" && printf '%s\n' */)
    set -- right wrong
else
    courseworks='matmul/ matmul_lab/ scan/ streams/'
    set -- quick
fi

# graded COURSEWORK FOLDER NAME...: the scores. What fixtures expect is for run.sh to say.
graded() {
    mkdir -p "$2"
    coursework=$1
    scores=$2
    shift 2
    COURSEWORK=$coursework SCORES=$scores sh "$here/run.sh" "$@" >"$SCRATCH/graded" 2>&1
}

# decided SCORE: what must not change.
decided() {
    jq -c '[.score, (.criteria[] | [.id, .status, .points, .cause.code])]' "$1" 2>&1
}

# lines_of SCORE: how many criteria have a line.
lines_of() {
    jq '[.criteria[].cause.line // 0 | select(. > 0)] | length' "$1" 2>/dev/null || echo 0
}

lines=0
for name in $courseworks; do
    name=${name%/}
    explained=${EXPLAINED:-$SCRATCH/explained}/$name
    [ -n "${EXPLAINED:-}" ] || graded "$name" "$explained" "$@"
    (GPUGRADE=$build/bin/gpugrade-undiagnosed && export GPUGRADE &&
        graded "$name" "$SCRATCH/bare/$name" "$@")
    for score in "$explained"/*.json; do
        bare=$SCRATCH/bare/$name/$(basename "$score")
        decided "$score" >"$SCRATCH/wanted"
        decided "$bare" >"$SCRATCH/got"
        if [ -s "$score" ] && cmp -s "$SCRATCH/wanted" "$SCRATCH/got"; then
            pass "$name $(basename "$score" .json)"
        else
            fail "$name $(basename "$score" .json)" "$SCRATCH/got"
        fi
        lines=$((lines + $(lines_of "$score") - $(lines_of "$bare")))
    done
done
expect 'the other grader explains less' test "$lines" -gt 0
finish
