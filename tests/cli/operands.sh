#!/bin/sh
# operands.sh: what rubrics say of operands, inputs and comparisons, with one coursework that uses all of
# it (tests/cli/operands/): the solution is right by several seeds, each mistake is told in words, an
# oracle that breaks its rules is the coursework's fault, and an overlay changes the arithmetic.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"

course=$REPO/tests/cli/operands
rubric=$course/rubrics/operands.json
solution=$course/reference/operands/solution/operands.cu

check() {
    "$GPUGRADE" check "$@" --device emulated >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
}

for seed in 1 2 3; do
    check "$course/reference/operands/solution" --rubric "$rubric" --seed "$seed"
    expect "the solution is right by seed $seed" grep -q '^Score 100/100' "$SCRATCH/out"
done
expect 'the template has nothing' "$GPUGRADE" lint "$rubric"

# wrong CRITERION SED WORDS...: a solution with this change, and what the report must say of it.
wrong() {
    criterion=$1
    mkdir -p "$SCRATCH/handed"
    sed "$2" "$solution" >"$SCRATCH/handed/operands.cu"
    if cmp -s "$solution" "$SCRATCH/handed/operands.cu"; then
        fail "$criterion: $2 changes something"
        return
    fi
    check "$SCRATCH/handed" --rubric "$rubric" --seed 7 --only "$criterion"
    tr -s '\n ' ' ' <"$SCRATCH/out" >"$SCRATCH/log"
    shift 2
    for words; do
        expect "$criterion: $words" grep -qF -- "$words" "$SCRATCH/log"
    done
}

# shellcheck disable=SC2016 # the words of a message
wrong saxpy 's/alpha \* x\[i\] + y\[i\]/alpha * x[i]/' '`saxpy` never loads anything from y' \
    'each must be the expected value, but for the rounding of honest sums'
wrong saxpy 's/alpha \* x\[i\] + y\[i\]/alpha * x[i] + 1.0001f * y[i]/' 'less precise than float'
wrong compact 's/\*count = kept/*count = n/' 'count is wrong in 6 of 6 shapes' '257 instead of'
wrong compact 's/out\[kept++\] = in\[i\]/out[kept++] = -in[i]/' 'out is wrong in'
wrong sort 's/keys\[j\] % 10 < keys\[j - 1\] % 10/keys[j] < keys[j - 1]/' 'keys is wrong in' \
    ' follows the key '
wrong sort 's/keys\[j - 1\] = kept/keys[j - 1] = keys[j]/' 'keys are lost'
wrong gray 's/0.587f/0.487f/' 'each must be within 1 of the expected value'
wrong gray 's/if (i < n) {/if (i < n - 3) {/' 'elements of gray are never written'
wrong bins 's/1u)/2u)/' 'bins is wrong in'
wrong sparse 's/row < rows/row < rows - 1/' 'nothing is written to y['
wrong half 's/2.0f/2.01f/' 'each must be within 1 unit in the last place'
wrong products 's/x\[i\] \* (long long)y\[i\]/(long long)((double)x[i] * (double)y[i])/' \
    'too small, '
wrong vectors 's/one.y \* next.y/one.y + next.y/' ' in out[0].y: ' 'of 771 numbers' \
    'each must be within 0.000244 times the sum of magnitudes'
wrong vectors 's/out\[i\] = /if (i > 0) out[i] = /' 'nothing is written to out[0].x'
wrong sum 's/step > 0/step > 1/' 'out is wrong in'
wrong steps 's/10.0f/9.99f/' 'but for 1 of them or 1 %'

# Hidden cases are drawn in the same ways.
cat >"$SCRATCH/hidden.json" <<END
{
  "schema": "gpugrade/rubric/v1",
  "extends": "$rubric",
  "salt": "sand",
  "cases": [{ "id": "secret", "n": 77, "tenths": 21, "values": { "keys": "equal" }, "hidden": true }]
}
END
check "$course/reference/operands/solution" --rubric "$SCRATCH/hidden.json" --seed 4
expect 'the solution is right in a hidden case' grep -q '^Score 100/100' "$SCRATCH/out"

# The same functions as calls, whose arrays the harness announces.
rubric=$course/rubrics/operands_of_calls.json
check "$course/reference/operands/solution" --rubric "$rubric" --seed 1
expect 'the solution is right by calls' grep -q '^Score 100/100' "$SCRATCH/out"
wrong saxpy 's/if (i < n) {/if (i > 5 \&\& i < n) {/' 'y is wrong in 5 of 6 shapes'
wrong compact 's/\*count = kept/*count = n/' 'count is wrong in 6 of 6 shapes'
wrong sort 's/keys\[j\] % 10 < keys\[j - 1\] % 10/keys[j] < keys[j - 1]/' ' follows the key '
wrong gray 's/if (i < n) {/if (i < n - 3) {/' 'elements of gray are never written'
wrong bins 's/1u)/2u)/' 'bins is wrong in'
wrong sparse 's/row < rows/row < rows - 1/' 'nothing is written to y['
wrong vectors 's/scratch\[i\] = next/in; &/; s/scratch\[i\].x/next.y/' ' in out[0].x: '
wrong vectors 's/scratch\[i\] = next;//; s/scratch\[i\].x/next.x/' 'PASS vectors'

# An oracle that breaks its rules.
cp -R "$course" "$SCRATCH/bad"
# broken WORDS SED
broken() {
    sed "$2" "$course/reference/operands/oracle.c" >"$SCRATCH/bad/reference/operands/oracle.c"
    check "$course/reference/operands/solution" --rubric "$SCRATCH/bad/rubrics/operands.json"
    cat "$SCRATCH/err" >>"$SCRATCH/out"
    expect "an oracle: $1" grep -qF -- "$1; this is a mistake in the coursework" "$SCRATCH/out"
}
at="of the oracle of 'operands' ($SCRATCH/bad/reference/operands/oracle.c)"
broken "expect_all() $at writes outside of the array for \`bins\`" 's/out\[in\[i\]\]++/out[256]++/'
broken "expect_all() $at gives no number for element 0 of \`y\`" \
    's/^    const float \*value = .*/&\n    out[0] = (double)NAN;/'
broken "make_inputs() $at writes outside of the array for \`column\`" \
    's/i < count; i++/i <= count; i++/'
broken "check() $at objects to element 4000000 of output 0, which does not exist" \
    's/after\[i\] % 10 < after\[i - 1\] % 10/1/; s/out->element = i/out->element = 4000000/'
broken "doubtful() $at was ended by signal 11 (Segmentation fault)" \
    's/^    const float \*x = problem->inputs\[0\];/    const float *x = NULL;/'

# An old oracle is loaded; a newer one than this grader's is not.
sed 's/ORACLE_ABI_VERSION/6/' "$course/reference/operands/oracle.c" \
    >"$SCRATCH/bad/reference/operands/oracle.c"
check "$course/reference/operands/solution" --rubric "$SCRATCH/bad/rubrics/operands.json"
expect 'a newer oracle' grep -qF 'has interface version 6, this grader has 5' "$SCRATCH/err"
cp -R "$REPO/rubrics" "$REPO/student_template" "$REPO/reference" "$SCRATCH/"
sed 's/ORACLE_ABI_VERSION/3/' "$REPO/reference/transpose/oracle.c" \
    >"$SCRATCH/reference/transpose/oracle.c"
check "$REPO/reference/transpose/solution" --rubric "$SCRATCH/rubrics/transpose.json"
expect 'an old oracle' grep -q '^Score [0-9.]*/' "$SCRATCH/out"

# One line of an overlay changes the arithmetic: sums in another order are then wrong.
cat >"$SCRATCH/rubrics/strict.json" <<END
{
  "schema": "gpugrade/rubric/v1",
  "extends": "matmul_square",
  "arithmetic": "fmad=false"
}
END
mkdir "$SCRATCH/square"
sed 's/k = 0; k < TILE_WIDTH; k++/k = TILE_WIDTH - 1; k >= 0; k--/' \
    "$REPO/reference/matmul_square/solution/tiled.cu" >"$SCRATCH/square/tiled.cu"
for rubric in matmul_square strict; do
    check "$SCRATCH/square" --rubric "$SCRATCH/rubrics/$rubric.json" --only correct
    cp "$SCRATCH/out" "$SCRATCH/$rubric.out"
done
expect 'sums backwards are right by epsilon' grep -q 'PASS  *correct' "$SCRATCH/matmul_square.out"
expect 'and wrong bit for bit' grep -q 'FAIL  *correct' "$SCRATCH/strict.out"
check "$REPO/reference/matmul_square/solution" --rubric "$SCRATCH/rubrics/strict.json" --only correct
expect 'the solution is right bit for bit' grep -q 'PASS  *correct' "$SCRATCH/out"
finish
