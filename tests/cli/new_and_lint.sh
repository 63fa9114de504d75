#!/bin/sh
# new_and_lint.sh: a new coursework is sound, is handed out, is checked by its rubric and its overlay;
# and each kind of mistake in a coursework is found by lint. (tests/cli/guide.sh follows the guide.)
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
course=$SCRATCH/a\ course
rubric=$course/rubrics/sums.json

# run ARGUMENTS...: sets status, leaves out and err.
run() {
    "$GPUGRADE" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# typed FOLDER COURSE: what the sheet of a handed-out folder says to type, there.
typed() {
    command=$(sed -n 's/^    \(gpugrade check .*\)/\1 --device emulated --seed 1/p' "$1/README.md" | tail -n 1)
    (cd "$1" && PATH=$(dirname -- "$GPUGRADE"):$PATH COURSE=$2 sh -c "$command") \
        >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# finds STATUS LINE NAME LINT-ARGUMENTS...: lint ends with the status and prints a line that starts so.
finds() {
    expected=$1
    line=$2
    name=$3
    shift 3
    run lint "$@"
    expect "$name: exit status $expected" test "$status" -eq "$expected"
    expect "$name: $line" grep -qF -- "$line" "$SCRATCH/out"
}

# spoil FILE SED-PROGRAM: a fresh copy of the coursework in $SCRATCH/bad with one file changed.
spoil() {
    rm -rf "$SCRATCH/bad"
    cp -r "$course" "$SCRATCH/bad"
    sed -i "$2" "$SCRATCH/bad/$1"
    ! cmp -s "$SCRATCH/bad/$1" "$course/$1" || fail "the test changes $1"
}

run new sums "$course"
expect 'new succeeds' test "$status" -eq 0
expect 'it says how to go on' grep -qF "gpugrade lint '$rubric'" "$SCRATCH/out"
expect 'every file is renamed' test -z "$(grep -rli skeleton "$course")"
find "$course" -type f -exec sha256sum {} + | sort >"$SCRATCH/before"
run new sums "$course"
expect 'nothing is written over' test "$status" -eq 2
expect 'which is said' grep -q 'already exists, and gpugrade overwrites nothing' "$SCRATCH/err"
find "$course" -type f -exec sha256sum {} + | sort >"$SCRATCH/after"
expect 'and true' cmp "$SCRATCH/before" "$SCRATCH/after"
run new more "$course"
expect 'a second coursework beside it' test "$status" -eq 0 -a -f "$course/rubrics/more.json"
rm -rf "$course"/*/more "$course/rubrics/more.json" "$course/tests/submissions/more"

finds 0 'ok    wrong/shifted' 'the skeleton' "$rubric" -j 2
expect 'a cheat is tried' grep -qx 'ok    cheat "works on the host": 10 of 100 points' "$SCRATCH/out"
expect 'one cannot be' grep -q '^note  cheat "one thread does all": not tried' "$SCRATCH/out"
expect 'and nothing else is said' test "$(grep -cv '^ok ' "$SCRATCH/out")" -eq 3
expect 'each fixture is tried' test "$(grep -cE '^ok    (right|wrong)/' "$SCRATCH/out")" -eq \
    "$(find "$course/tests" -name expect | wc -l)"
finds 0 '5 passed, 0 failed, 0 skipped' 'no fixtures' "$rubric" --depth solution
finds 0 '3 passed, 0 failed, 0 skipped' 'the rubric alone' "$rubric" --depth rubric
finds 1 '3 passed, 1 failed, 0 skipped' 'a good and a bad one' "$SCRATCH/nosuch.json" "$rubric" \
    --depth rubric
expect 'the first is named' grep -q '^FAIL  rubric: .*nosuch.json' "$SCRATCH/out"
finds 1 "FAIL  rubric: there is no coursework 'nosuch'" 'an unknown id' nosuch --depth rubric

# Students receive it, and check it by the rubric where it lies.
run handout sums "$SCRATCH/handed" --rubric "$rubric"
expect 'it is handed out' test "$status" -eq 0 -a -f "$SCRATCH/handed/main.cu" -a \
    ! -e "$SCRATCH/handed/oracle.c"
# shellcheck disable=SC2016 # the student's shell expands it
for_sums='gpugrade check . --rubric "${COURSE:?the folder of this course}"/rubrics/sums'
expect 'the sheet names the rubric' test "$(grep -cF -- "    $for_sums.json" "$SCRATCH/handed/README.md")" -eq 2
expect 'and nothing that would not do' test "$(grep -c 'gpugrade check \.$' "$SCRATCH/handed/README.md")" -eq 0
expect 'nor the place of the course' test "$(grep -cF "$course" "$SCRATCH/handed/README.md")" -eq 0
expect 'the instructor is told the place' grep -qF "export COURSE='$course'" "$SCRATCH/out"
typed "$SCRATCH/handed" "$course"
expect 'what the sheet says works' grep -q 'not attempted (T01)' "$SCRATCH/out"
typed "$SCRATCH/handed" ''
expect 'without the folder a shell says so' grep -q 'COURSE: the folder of this course' "$SCRATCH/err"
run check "$SCRATCH/handed" --rubric "$rubric" --device emulated --seed 1
expect 'the template is not attempted' grep -q 'not attempted (T01)' "$SCRATCH/out"
cp "$course/reference/sums/solution/sums.cu" "$SCRATCH/handed/"
run check "$SCRATCH/handed" --rubric "$rubric" --device emulated --seed 1
expect 'the solution is what was missing' grep -q '^Score 100/100$' "$SCRATCH/out"
run check "$SCRATCH/handed" --rubric "$SCRATCH/handed/rubric.json"
expect 'a copy of the rubric has no course' test "$status" -eq 2
expect 'and says where one is' grep -qF 'COURSE/rubrics/NAME.json next to COURSE/reference/sums' \
    "$SCRATCH/err"

# An overlay on it: other points, a hidden case, one criterion less.
cat >"$course/rubrics/autumn.json" <<'END'
{ "schema": "gpugrade/rubric/v1", "extends": "sums", "version": 2, "salt": "never guessed",
  "cases": [{ "id": "large", "n": 20000, "hidden": true }],
  "criteria": [{ "id": "correct", "points": 70 }, { "id": "race-free", "points": 0 }] }
END
finds 0 'ok    solution: 100 of 100 points' 'an overlay' "$course/rubrics/autumn.json" --depth fixtures
expect 'whose fixtures may speak of what is gone' grep -q '^ok    wrong/plain_copy$' "$SCRATCH/out"

# Students have its visible part, which needs a place in the course.
run handout sums "$SCRATCH/public" --rubric "$course/rubrics/autumn.json"
public=$course/rubrics/sums_students.json
expect 'the place is told' grep -qF "copy $SCRATCH/public/rubric.json to $public, where" "$SCRATCH/out"
expect 'and what to call' grep -qF "students check with: ${for_sums}_students.json" "$SCRATCH/out"
expect 'the sheet too' grep -qF "    ${for_sums}_students.json" "$SCRATCH/public/README.md"
cp "$SCRATCH/public/rubric.json" "$public"
cp "$course/reference/sums/solution/sums.cu" "$SCRATCH/public/"
run check "$SCRATCH/public" --rubric "$public" --device emulated --seed 1
expect 'there it works' grep -q '^Score 100/100$' "$SCRATCH/out"
typed "$SCRATCH/public" "$course"
expect 'and by the sheet' grep -q '^Score 100/100$' "$SCRATCH/out"
rm -rf "$SCRATCH/public"
run handout sums "$SCRATCH/public" --rubric "$course/rubrics/autumn.json"
expect 'what is in its place needs no copy' test "$status" -eq 0 -a "$(grep -c '^copy' "$SCRATCH/out")" -eq 0
rm "$course/rubrics/autumn.json" "$public"

# What is wrong with a coursework.
spoil rubrics/sums.json 's/"points": 50/"points": 51/'
finds 1 "FAIL  rubric: $SCRATCH/bad/rubrics/sums.json:" points "$SCRATCH/bad/rubrics/sums.json"
expect 'points: they are summed' grep -q 'add up to' "$SCRATCH/out"
spoil rubrics/sums.json 's/"H200"/"NOSUCH9"/'
finds 1 "FAIL  rubric: $SCRATCH/bad/rubrics/sums.json:" 'an unknown GPU' "$SCRATCH/bad/rubrics/sums.json"
spoil rubrics/sums.json 's/"sums.h"/"other.h"/'
finds 1 'FAIL  files: the template lacks other.h' 'a missing header' "$SCRATCH/bad/rubrics/sums.json"
spoil reference/sums/oracle.c 's/return 2.0 \* input(problem, X, i)/return 2.0 * input(problem, X, 0)/
    s/out_magnitudes\[i\] = 2.0/out_magnitudes[i] = 9999 + 2.0/'
finds 1 'changes with values that needs() does not list' 'needs' "$SCRATCH/bad/rubrics/sums.json" \
    --depth rubric
spoil reference/sums/oracle.c 's/return i + 1 < problem->output_count ? /return i < problem->output_count ? /'
finds 0 "note  oracle: the mistake 'without_last_element' differs from the right result in no case" \
    'a mistake that is none' "$SCRATCH/bad/rubrics/sums.json" --depth rubric
spoil reference/sums/oracle.c 's/out_magnitudes\[i\] = 2.0/out_magnitudes[i] = 1.0/'
finds 1 'FAIL  oracle: the magnitude of element 0' magnitudes "$SCRATCH/bad/rubrics/sums.json" \
    --depth rubric
spoil reference/sums/oracle.c 's/^    out_needs\[0\]/    *(volatile int *)0 = 1; out_needs[0]/;
    s/^        out_needs\[0\]/        *(volatile int *)0 = 1; out_needs[0]/'
finds 1 "FAIL  oracle: needs() of the oracle of 'sums' ($SCRATCH/bad/reference/sums/oracle.c) was ended by" 'a crash' "$SCRATCH/bad/rubrics/sums.json" \
    --depth rubric
spoil reference/sums/oracle.c 's/out_magnitudes\[i\] = 2.0/_Exit(0); out_magnitudes[i] = 2.0/
    s/^#include "model.oracle.h"/&\n#include <stdlib.h>/'
finds 1 'ended the grader with exit(0); this is a mistake in the coursework' 'an oracle that exits' \
    "$SCRATCH/bad/rubrics/sums.json" --depth rubric
run check "$course/reference/sums/solution" --rubric "$SCRATCH/bad/rubrics/sums.json" \
    --device emulated --seed 1
expect 'check: an oracle that exits' test "$status" -eq 2
expect 'check: it is named' grep -q "^gpugrade: rubric: expect() of the oracle of 'sums' .*exit(0)" \
    "$SCRATCH/err"
spoil reference/sums/oracle.c '/^    \.expect = /d'
# shellcheck disable=SC2016 # backticks of the message
finds 1 'is incomplete: `.expect` is NULL' 'an oracle without expect' \
    "$SCRATCH/bad/rubrics/sums.json" --depth rubric
spoil reference/sums/oracle.c \
    's/^    \.expect = /    .launch_mistakes = (const char *const[]){"none", NULL},\n&/'
# shellcheck disable=SC2016 # backticks of the message
finds 1 'is incomplete: `.launch_mistakes` has a name that no mistake has' \
    'an oracle that lists no mistake of its own' "$SCRATCH/bad/rubrics/sums.json" --depth rubric
spoil reference/sums/oracle.c 's/out_magnitudes\[i\] = 2.0/out_magnitudes[problem->output_count] = 0; &/'
finds 1 'FAIL  oracle: expect() writes outside the array that it must fill' \
    'an oracle that writes outside' "$SCRATCH/bad/rubrics/sums.json" --depth rubric
spoil reference/sums/oracle.c 's/^enum { N }/enum { N/'
finds 1 'does not compile: ' 'an oracle that does not compile' "$SCRATCH/bad/rubrics/sums.json" \
    --depth rubric
spoil reference/sums/solution/sums.cu 's/2.0f/3.0f/'
finds 1 'FAIL  solution: correct failed: ' 'a wrong solution' "$SCRATCH/bad/rubrics/sums.json" \
    --depth solution
spoil student_template/sums/sums.cu 's/^{/{ undeclared();/'
finds 1 'FAIL  template: compile failed: ' 'a template that does not compile' \
    "$SCRATCH/bad/rubrics/sums.json" --depth solution
rm -rf "$SCRATCH/bad"
cp -r "$course" "$SCRATCH/bad"
sed 's/256/128/' "$course/reference/sums/solution/sums.cu" \
    >"$SCRATCH/bad/student_template/sums/sums.cu"
finds 1 'FAIL  template: it gets all points as it is' 'a template that is a solution' \
    "$SCRATCH/bad/rubrics/sums.json" --depth solution
spoil tests/submissions/sums/wrong/shifted/expect 's/failed wrong_result/passed/'
rm "$SCRATCH/bad/tests/submissions/sums/wrong/no_bounds_check/expect"
: >"$SCRATCH/bad/tests/submissions/sums/right/grid_stride/expect"
finds 1 'FAIL  wrong/shifted:' fixtures "$SCRATCH/bad/rubrics/sums.json"
expect 'fixtures: what was expected, and what came' grep -q \
    '^        expected correct passed named_mistake, got failed wrong_result named_mistake' "$SCRATCH/out"
expect 'fixtures: one without expect' grep -q '^FAIL  wrong/no_bounds_check: .*expect' "$SCRATCH/out"
expect 'fixtures: one that expects nothing' grep -q \
    '^FAIL  right/grid_stride: its file expect lists no expectations$' "$SCRATCH/out"

# The rubric says another size than the harness allocates.
spoil rubrics/sums.json 's/"shape": \["n"\], "role": "output"/"shape": ["n + 1"], "role": "output"/'
finds 1 'FAIL  solution: ' 'an operand of another size' "$SCRATCH/bad/rubrics/sums.json" --depth solution
expect 'an operand of another size: the place in the rubric' grep -q \
    "^        rubric: $SCRATCH/bad/rubrics/sums.json:[0-9]*:[0-9]*: launch kernel$" "$SCRATCH/out"

# A rubric that lets the whole result pass through the host.
spoil rubrics/sums.json 's/"call": /"host_reads": "8 * n", "host_writes": "8 * n", &/'
finds 1 'FAIL  cheat "works on the host": it passes correct (50 points)' 'a cheat that is not found' \
    "$SCRATCH/bad/rubrics/sums.json"
expect 'a cheat that is not found: only that one' test "$(grep -c '^FAIL' "$SCRATCH/out")" -eq 1

# Cheats are made of any signature: defaults, arrays, references, calls of itself, a macro before.
spoil reference/sums/solution/sums.cu 's/^void launch_sums(const float \*d_x, float \*d_result, int n)$/extern void launch_sums(const float d_x[], float *const d_result, const int n)/
    s/^    const int blocks/    if (n < 0) {\n        launch_sums(d_x, d_result, -n);\n    }\n&/'
finds 0 'ok    cheat "writes half of the result": 50 of 100 points' 'another signature' \
    "$SCRATCH/bad/rubrics/sums.json"
spoil reference/sums/solution/sums.cu 's/^void launch_sums(\(.*\), int n)$/#define LIST \1, int n\nvoid launch_sums(LIST)/'
finds 0 'note  cheat "does nothing": not tried: it does not compile' 'a signature that is a macro' \
    "$SCRATCH/bad/rubrics/sums.json"

# The other shapes.
for shape in stencil reduction scan matrix program; do
    run new "$shape" "$SCRATCH/shapes" --like "$shape"
    expect "$shape: new succeeds" test "$status" -eq 0
    finds 0 'ok    solution: 100 of 100 points' "$shape" "$SCRATCH/shapes/rubrics/$shape.json"
    expect "$shape: the template has the points for compiling" grep -qx \
        'ok    template: 10 of 100 points' "$SCRATCH/out"
    run handout "$shape" "$SCRATCH/out_$shape" --rubric "$SCRATCH/shapes/rubrics/$shape.json"
    expect "$shape: it is handed out" test "$status" -eq 0
done
run new another "$SCRATCH/shapes" --like loop
expect 'an unknown shape is refused' test "$status" -eq 2

# What may be meant so, and hardly ever is.
rm -rf "$SCRATCH/bad"
cp -r "$course" "$SCRATCH/bad"
mkdir "$SCRATCH/bad/tests/submissions/sums/wrongs" "$SCRATCH/bad/tests/submissions/sums/wrong/typo"
cp "$course/tests/submissions/sums/wrong/shifted/sums.cu" \
    "$SCRATCH/bad/tests/submissions/sums/wrong/typo/sum.cu"
echo 'all passed' >"$SCRATCH/bad/tests/submissions/sums/wrong/typo/expect"
finds 0 'note  wrong/typo: no program compiles sum.cu, and no file includes it' 'a misspelled file' \
    "$SCRATCH/bad/rubrics/sums.json"
expect 'a wrong one that passes' grep -q \
    '^note  wrong/typo: it is in wrong/, but its file expect says: all passed$' "$SCRATCH/out"
expect 'a folder that nobody reads' grep -q '^note  fixtures: .*/sums/wrongs is ignored: ' \
    "$SCRATCH/out"
expect 'and nothing else' test "$(grep -c '^note' "$SCRATCH/out")" -eq 4
rm -r "$SCRATCH/bad/tests"
finds 0 'note  fixtures: there are none in ' 'no fixtures at all' "$SCRATCH/bad/rubrics/sums.json"
finds 0 '5 passed, 0 failed, 0 skipped' 'or none wanted' "$SCRATCH/bad/rubrics/sums.json" \
    --depth solution
expect 'of which nothing is said' test "$(grep -c '^note' "$SCRATCH/out")" -eq 0
spoil reference/sums/oracle.c '/^    \.needs = /d; s/^static size_t needs/size_t needs(const struct oracle_problem *, size_t, struct oracle_need *, size_t);\nsize_t needs/'
finds 0 'note  oracle: without needs(), no report shows' 'an oracle without needs' \
    "$SCRATCH/bad/rubrics/sums.json" --depth rubric
spoil rubrics/sums.json '/"call"/d
    s/"name": "x",/& "bind": { "symbol": "c_x" },/
    s/"name": "result",/& "bind": { "argument": 1 },/'
finds 0 "note  rubric: what a program copies to 'c_x' is not tested" 'a symbol' \
    "$SCRATCH/bad/rubrics/sums.json" --depth rubric

# What a harness must do: mark each case, also after a kernel has failed.
spoil reference/sums/main.cu '/gpugrade/d'
sed -i 's/"gpu_model"/"limits": { "program_seconds": 3 }, &/' "$SCRATCH/bad/rubrics/sums.json"
finds 1 "error: cannot be graded: the rubric's harness is wrong: " 'a harness without marks' \
    "$SCRATCH/bad/rubrics/sums.json" --depth solution
expect 'which is said once' test "$(grep -c '^FAIL  solution' "$SCRATCH/out")" -eq 1
# shellcheck disable=SC2016 # the words of a message
expect 'with what is missing' grep -q 'it never begins a call of `launch_sums`' "$SCRATCH/out"
expect 'of all criteria' grep -q '^        for the same reason: ' "$SCRATCH/out"
spoil reference/sums/main.cu '/gpugrade_end/d'
sed -i 's/"gpu_model"/"limits": { "program_seconds": 3 }, &/' "$SCRATCH/bad/rubrics/sums.json"
# shellcheck disable=SC2016 # the words of a message
finds 1 's, within a call of `launch_sums`' 'a harness without end marks' \
    "$SCRATCH/bad/rubrics/sums.json" --depth solution
spoil reference/sums/main.cu '/gpugrade_operand("x"/p'
finds 1 "the rubric's harness is wrong: an operand is announced twice" 'a mark too many' \
    "$SCRATCH/bad/rubrics/sums.json" --depth solution
run check "$course/reference/sums/solution" --rubric "$SCRATCH/bad/rubrics/sums.json" \
    --device emulated --seed 1
expect 'costs no submission marks' grep -q "not your submission's fault and costs no marks" \
    "$SCRATCH/out"
mkdir "$SCRATCH/marked"
sed 's/^void launch/extern "C" void gpugrade_mark_end(void);\n\n&/
    s/^    sums_kernel.*/&\n    gpugrade_mark_end();/' "$course/reference/sums/solution/sums.cu" \
    >"$SCRATCH/marked/sums.cu"
run check "$SCRATCH/marked" --rubric "$rubric" --device emulated --seed 1
expect 'marks of the submission do' grep -q '^error\[F09\]' "$SCRATCH/out"
spoil reference/sums/main.cu 's/^    gpugrade_end/    (void)cudaDeviceSynchronize();\n&/
    s/^    check(cudaDeviceSynchronize(), .*/    (void)cudaGetLastError();/
    s/^    exit(EXIT_FAILURE);/    return;/'
mkdir "$SCRATCH/outside"
sed 's/if (i < n)/if (i < n + 2)/' "$course/reference/sums/solution/sums.cu" >"$SCRATCH/outside/sums.cu"
started=$(date +%s)
run check "$SCRATCH/outside" --rubric "$SCRATCH/bad/rubrics/sums.json" --device emulated --seed 1
expect 'a harness that goes on: the reason is told' grep -q '^error\[B01\]' "$SCRATCH/out"
expect 'without waiting for the limit' test $(($(date +%s) - started)) -lt 15

# An oracle that does not compile is told once.
spoil reference/sums/oracle.c 's/^enum { N }/enum { N/'
finds 1 'FAIL  solution: not tried, for the same reason' 'what needs the oracle' \
    "$SCRATCH/bad/rubrics/sums.json"
expect 'whose message stands there once' test "$(grep -c 'does not compile' "$SCRATCH/out")" -eq 1
finish
