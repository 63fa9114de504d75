#!/bin/sh
# run.sh [ID...]: assignments that gpugrade does not ship, expressed as judged calls; default: all.
#
#   rubrics/ID.json, reference/ID, student_template/ID    a coursework, as small as it can be
#   tests/submissions/ID                                  made-up students, by more than lint's cheats
#
# lint finds nothing wrong with any of them: the solution gets all points, the template those of
# compiling, and what only seems to answer is not correct. The shipped ones: tests/cli/courseworks.sh.
# Ends with a line "N passed, N failed, N skipped"; status 0 if none failed.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
course=$REPO/tests/assignments

[ $# -gt 0 ] || set -- "$course"/rubrics/*.json
for each in "$@"; do
    id=$(basename "$each" .json)
    "$GPUGRADE" lint "$course/rubrics/$id.json" >"$SCRATCH/out" 2>&1
    status=$?
    expect "$id: lint" test "$status" -eq 0
    expect "$id: the solution has all points" grep -q '^ok    solution: 100 of 100' "$SCRATCH/out"
    expect "$id: the template has those of compiling" grep -q '^ok    template: 10 of 100' "$SCRATCH/out"
    # A whole program has no function that could be a cheat; its made-up students are such.
    cheats=5
    ! grep -q '"call": "main"' "$course/rubrics/$id.json" || cheats=0
    expect "$id: $cheats cheats" test "$(grep -c '^ok    cheat' "$SCRATCH/out")" -eq "$cheats"
done
finish
