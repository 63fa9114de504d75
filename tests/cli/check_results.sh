#!/bin/sh
# check_results.sh: runs of `check` that grade: exit statuses, where the results go, and that the same
# seed gives the same bytes.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
template=$REPO/student_template/matmul

# run ARGUMENTS...: sets status, leaves out and err.
run() {
    "$GPUGRADE" check "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

without_varying() {
    jq 'del(.machine, .seconds, .criteria[].measured)' "$1"
}

run --seed 0x5eed1234 --json "$SCRATCH/score.json" "$solution"
expect 'the solution exits with 0' test "$status" -eq 0
expect 'every measurable point' jq -e '.score == .measurable_max and .score > 0' "$SCRATCH/score.json"
expect 'points sum to 100' jq -e '.max_score == 100' "$SCRATCH/score.json"
expect 'the screen shows the score' grep -q '^Score ' "$SCRATCH/out"
expect 'nothing on standard error' test ! -s "$SCRATCH/err"
escape=$(printf '\033')
expect 'no colour in a file' test "$(grep -c "$escape" "$SCRATCH/out")" -eq 0
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 'the score follows its schema' python3 -c '
import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
        "$SCRATCH/score.json" "$REPO/rubrics/score.schema.json"
else
    skip 'the score follows its schema' 'python3-jsonschema is not installed'
fi

run --seed 5EED1234 --json - "$solution"
cp "$SCRATCH/out" "$SCRATCH/again.json"
expect 'standard output is JSON alone' jq -e .schema "$SCRATCH/again.json"
expect 'the screen goes to standard error' grep -q '^Score ' "$SCRATCH/err"
without_varying "$SCRATCH/score.json" >"$SCRATCH/first" 2>/dev/null
without_varying "$SCRATCH/again.json" >"$SCRATCH/second" 2>/dev/null
expect 'the same seed gives the same bytes' cmp "$SCRATCH/first" "$SCRATCH/second"

run --seed 1 --only compile --color always "$solution"
expect '--only judges one criterion' test "$(grep -c '/' "$SCRATCH/out")" -ge 1
expect '--color always colours a file' grep -q "$escape" "$SCRATCH/out"

run --seed 1 --json "$SCRATCH/template.json" "$template"
expect 'the template exits with 1' test "$status" -eq 1
expect 'the template compiles' jq -e '.criteria[] | select(.id == "compile").status == "passed"' \
    "$SCRATCH/template.json"
expect 'and earns nothing else' jq -e \
    '[.criteria[] | select(.id != "compile").points] | add == 0' "$SCRATCH/template.json"
expect 'and says what to do first' jq -e \
    '[.criteria[].cause.kind] | index("not_attempted") != null' "$SCRATCH/template.json"

cp -r "$solution" "$SCRATCH/broken"
chmod -R u+w "$SCRATCH/broken"
echo 'this is no C++;' >>"$SCRATCH/broken/exercise1_tiled.cu"
run --seed 1 --json "$SCRATCH/broken.json" "$SCRATCH/broken"
expect 'what does not compile exits with 1' test "$status" -eq 1
expect 'its cause has file and line' jq -e '.criteria[] | select(.id == "compile").cause
    | .kind == "compile" and .file == "exercise1_tiled.cu" and .line > 0' "$SCRATCH/broken.json"
expect 'the other exercise is graded' jq -e \
    '.criteria[] | select(.id == "correct.dynamic").status == "passed"' "$SCRATCH/broken.json"

cp -r "$solution" "$SCRATCH/binary"
chmod -R u+w "$SCRATCH/binary"
head -c 4096 /dev/urandom >"$SCRATCH/binary/exercise2_dynamic.cu"
run --seed 1 --json "$SCRATCH/binary.json" "$SCRATCH/binary"
expect 'a file that is no text costs its exercise alone' jq -e \
    '(.criteria[] | select(.id == "correct.dynamic").cause.kind == "compile")
     and (.criteria[] | select(.id == "correct.tiled").status == "passed")' "$SCRATCH/binary.json"

# Two mistakes of the same kind; the rubric wants students to find the first one themselves.
cp -r "$REPO/reference/vector_add/solution" "$SCRATCH/unfixed"
chmod -R u+w "$SCRATCH/unfixed"
sed -i 's/if (i < n)/if (i <= n)/' "$SCRATCH/unfixed"/*.cu
cat >"$SCRATCH/fix.json" <<'END'
{
  "schema": "gpugrade/rubric/v1",
  "extends": "vector_add",
  "hints": "fix",
  "criteria": [{ "id": "correct.add", "no_fix": true }]
}
END
run --verbose --seed 1 --rubric "$SCRATCH/fix.json" --json "$SCRATCH/fixed.json" \
    "$SCRATCH/unfixed"
expect 'a fix that works is shown, unless the rubric keeps it back' jq -e \
    '[.diagnostics[] | .fix // [] | .[]] == [{ "file": "exercise2_saxpy.cu", "line": 11,
      "before": "    if (i < n) {" | sub("<"; "<="), "after": "    if (i < n) {" }]' \
    "$SCRATCH/fixed.json"
expect 'as a diff' grep -q '^11 +     if (i < n) {$' "$SCRATCH/out"

# shown_fix: the changes that are shown for a missing barrier where some threads leave early.
shown_fix() {
    printf '{ "schema": "gpugrade/rubric/v1", "extends": "adjacent_difference", "hints": "fix" }\n' \
        >"$SCRATCH/leave.json"
    run --seed 1 --rubric "$SCRATCH/leave.json" --json "$SCRATCH/left.json" "$SCRATCH/leave"
    jq -c '[.diagnostics[] | .fix // [] | .[] | [.line, .after]]' "$SCRATCH/left.json"
}
cp -r "$REPO/reference/adjacent_difference/solution" "$SCRATCH/leave"
chmod -R u+w "$SCRATCH/leave"
left=$SCRATCH/leave/exercise1_static.cu
sed -i 's/__syncthreads();/if (i >= n) return;/' "$left"
line=$(grep -n 'return;' "$left" | cut -d: -f1)
expect 'a barrier goes before threads leave' \
    test "$(shown_fix)" = "[[$((line - 1)),\"    __syncthreads();\"]]"
sed -i 's/return;/LEAVE;/; s/^__global__/#define LEAVE return\n&/' "$left"
expect 'no fix makes the device warn of something new' test "$(shown_fix)" = '[]'

# `run` says no more about a source of a coursework than its rubric lets a check say.
mkdir "$SCRATCH/handed"
"$GPUGRADE" explain R01 --example >"$SCRATCH/handed/exercise1_add.cu"
# run_says HINTS: what `run` says; status, err and told.json.
run_says() {
    printf '{ "schema": "gpugrade/rubric/v1", "extends": "vector_add", "hints": "%s" }\n' "$1" \
        >"$SCRATCH/handed/rubric.json"
    "$GPUGRADE" run --json "$SCRATCH/told.json" "$SCRATCH/handed/exercise1_add.cu" \
        >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}
run_says locate
expect 'run gives no hint where the rubric does not' jq -e '.diagnostics[0] |
    .line == 8 and ([.notes[].kind] | index("hint") == null and index("explain") == null)' \
    "$SCRATCH/told.json"
run_says none
expect 'run says only the kind of cause where the rubric does' jq -e \
    '[.diagnostics[], .findings[] | [.code, .message, .line, .places // .marks]] ==
     [["shared_race", "race", 0, []], ["shared_race", "race", null, []]]' "$SCRATCH/told.json"
expect 'and fails as ever' test "$status" -eq 1
fixed() {
    "$GPUGRADE" run --fix --json "$SCRATCH/told.json" "$1" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    jq -c '[.diagnostics[0].fix // [] | .[].after]' "$SCRATCH/told.json"
}
expect 'run --fix shows none for a source of a coursework' \
    test "$(fixed "$SCRATCH/handed/exercise1_add.cu")" = '[]'
mkdir "$SCRATCH/own"
"$GPUGRADE" explain R01 --example >"$SCRATCH/own/own.cu"
expect 'run --fix shows a change that takes the finding out' \
    test "$(fixed "$SCRATCH/own/own.cu")" = '["    __syncthreads();"]'
cat >"$SCRATCH/own/copy.cu" <<'END'
#include <stdio.h>
#include <stdlib.h>

__global__ void twice(const float *in, float *out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main()
{
    const size_t bytes = 32 * sizeof(float);
    float *h_in = (float *)malloc(bytes), *h_out = (float *)malloc(bytes);
    float *d_in, *d_out;
    for (int i = 0; i < 32; i++)
        h_in[i] = i;
    cudaMalloc(&d_in, bytes);
    cudaMalloc(&d_out, bytes);
    twice<<<1, 32>>>(d_in, d_out);
    cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
    printf("%g\n", h_out[3]);
}
END
expect 'such as a copy to the device' test "$(fixed "$SCRATCH/own/copy.cu")" = \
    '["    cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice);"]'

run --seed 1 --json /dev/null --only compile "$solution"
expect '--json /dev/null leaves the device alone' test -c /dev/null

"$GPUGRADE" check --only compile --seed 1 "$solution" 2>"$SCRATCH/err" | true
run --only compile --seed 1 "$solution"
expect 'a reader that goes away is no crash' test ! -s "$SCRATCH/err"
if [ -c /dev/full ]; then
    "$GPUGRADE" check --only compile --seed 1 "$solution" >/dev/full 2>"$SCRATCH/err"
    status=$?
    expect 'a full disk is told, exit 3' test "$status" -eq 3 -a -s "$SCRATCH/err"
fi
finish
