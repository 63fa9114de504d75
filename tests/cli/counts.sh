#!/bin/sh
# counts.sh: the criteria count, output and manual on two small courseworks: a call of two kernels beside
# the reference solution, and a program that is judged by what it prints.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
course=$REPO/tests/cli/courses

# check COURSEWORK FOLDER ARGUMENTS...: grades it; leaves status, out and score.json.
check() {
    rubric=$course/rubrics/$1.json
    folder=$2
    shift 2
    "$GPUGRADE" check "$folder" --rubric "$rubric" --device emulated --seed 5 \
        --json "$SCRATCH/score.json" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# became CRITERION STATUS: in the score.
became() {
    found=$(jq -r --arg id "$1" '.criteria[] | select(.id == $id) | .status' "$SCRATCH/score.json")
    expect "$1 is $2" test "$found" = "$2"
}

# spoil COURSEWORK FILE SED-PROGRAM: the reference solution with one file changed, in $SCRATCH/student.
spoil() {
    rm -rf "$SCRATCH/student"
    cp -r "$course/reference/$1/solution" "$SCRATCH/student"
    sed -i "$3" "$SCRATCH/student/$2"
    ! cmp -s "$SCRATCH/student/$2" "$course/reference/$1/solution/$2" || fail "the test changes $2"
}

for id in totals adder; do
    "$GPUGRADE" lint "$course/rubrics/$id.json" --depth solution >"$SCRATCH/out" 2>&1
    status=$?
    expect "$id is sound" test "$status" -eq 0
done

check totals "$course/reference/totals/solution"
expect 'the solution passes' test "$status" -eq 0
became style open
expect 'an open criterion has no points' jq -e '.criteria[] | select(.id == "style") | .points == null' \
    "$SCRATCH/score.json"
expect 'and is left out of what can be reached' jq -e \
    '.score == 90 and .max_score == 100 and .measurable_max == 90 and (.complete | not)' "$SCRATCH/score.json"
expect 'which is said' grep -qF 'Score 90/90 (10 more points are given by a person)' "$SCRATCH/out"

check totals "$course/student_template/totals"
for id in loads work kernels adds; do
    became "$id" failed
done
expect 'the template is not attempted' grep -qF 'not attempted (T01)' "$SCRATCH/out"

spoil totals totals.cu 's/part\[threadIdx.x\] = .*/part[threadIdx.x] = 0; for (int k = 0; k <= i \&\& i < n; k++) part[threadIdx.x] += in[k] * (k \/ BLOCK == blockIdx.x);/; s/step = 1;/step = BLOCK;/'
check totals "$SCRATCH/student"
became loads failed
became work failed
became kernels passed
expect 'what is loaded is put beside the bound' grep -qF 'loads from d_in, divided by elements of d_in: ' "$SCRATCH/out"
expect 'the line that loads is named' grep -qF -- '--> totals.cu:10:' "$SCRATCH/out"
tr -s ' \n' ' ' <"$SCRATCH/out" >"$SCRATCH/flat"
expect 'the bound has its numbers' grep -qE \
    "8 times the reference solution's instructions run by warps = 8 \* [0-9]+\) for n " "$SCRATCH/flat"
expect 'and the words of the rubric' grep -qF 'hint:    use the sums of others' "$SCRATCH/out"

spoil totals totals.cu 's/out\[i\] += before;/atomicAdd(\&out[i], before);/; s/^    add_sums<<</    for (int k = 0; k < 2; k++) scan_blocks<<<blocks, BLOCK>>>(d_in, d_out, sums, n);\n    add_sums<<</'
check totals "$SCRATCH/student"
became adds failed
became kernels failed
expect 'an atomic operation in a kernel of that name' grep -qF 'atomic operations on global memory: ' \
    "$SCRATCH/out"

# Without the reference solution, what is compared with it is not measured.
cp -r "$course" "$SCRATCH/public"
rm -r "$SCRATCH/public/reference/totals/solution" "$SCRATCH/public/reference/adder/solution"
whole=$course
course=$SCRATCH/public
check totals "$whole/reference/totals/solution"
became work skipped
became loads passed
check adder "$whole/reference/adder/solution"
became sum passed
became like skipped
expect 'which is no matter of a GPU' grep -qF "40 more points can't be measured here" "$SCRATCH/out"
course=$whole

check adder "$course/reference/adder/solution" --verbose
became sum passed
became like passed
became files passed
became others passed
became drawn passed
became style open
expect "the program's own word" grep -qF "1 line, by the program's own word" "$SCRATCH/out"
spoil adder adder.cu 's/sum is %g/sum: %g/; s|a / b|a / b + 0.01f|'
check adder "$SCRATCH/student"
became sum failed
became like failed
# shellcheck disable=SC2016 # the report's own quotes
expect 'the first line that differs' grep -qF 'line 1 is `the sum: 7`, expected `the sum is 7`' "$SCRATCH/out"
spoil adder adder.cu 's|a / b|a / b + 0.0001f|'
check adder "$SCRATCH/student"
became like passed
became file passed
spoil adder adder.cu 's/sum.txt/other.txt/'
check adder "$SCRATCH/student"
became file failed
expect 'the file is missed' grep -qF "sum.txt\` is not written" "$SCRATCH/out"
# The student knows the numbers of the rubric, but not those that are drawn.
spoil adder adder.cu 's|a + b|13.0f|'
check adder "$SCRATCH/student"
became files passed
became drawn failed
# What a student links to the name is not read: the grader may be allowed to read more.
spoil adder adder.cu 's/FILE .out = writes.*/FILE *out = stdout; if (writes) symlink("\/etc\/passwd", "sum.txt");/; s/<cstring>/<cstring>\n#include <unistd.h>/'
check adder "$SCRATCH/student"
became file failed
expect 'a link is no file' grep -qF "sum.txt\` is not written" "$SCRATCH/out"
expect 'and is not followed' test "$(grep -c root "$SCRATCH/out")" -eq 0

finish
