#!/bin/sh
# step.sh: `gpugrade step`: pages on a submission and on a program, the link from the HTML report to the
# moment of a finding, and what is refused. What the pages do is tried by tests/html/run.sh.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
matmul=$REPO/reference/matmul/solution

step() {
    "$GPUGRADE" step "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}
ends_with() { [ "$status" -eq "$1" ]; }

mkdir "$SCRATCH/student"
cp "$matmul"/* "$SCRATCH/student"
cp "$REPO"/tests/submissions/matmul/wrong/second_barrier_missing/*.cu "$SCRATCH/student"
page="$SCRATCH/a page.html"
step "$SCRATCH/student" --seed 1 -o "$page" --html "$SCRATCH/report.html"
expect 'a page on a submission' ends_with 0
# shellcheck disable=SC2016 # the words of the screen
expect 'the screen says what is on it' grep -q \
    'a page.html: 1,[0-9]* steps of block (0,0) of `matrixMulTiled`; 1 of 1 findings happen in it$' \
    "$SCRATCH/out"
expect 'the finding has a moment, with the other thread' grep -qE \
    '<li id="d1" class="error"><button type="button" data-step="[0-9]+" .*data-other="[0-9]+"' "$page"
expect 'the report links to it' grep -q '<a href="a%20page.html#d1">' "$SCRATCH/report.html"
expect 'the page is small' [ "$(wc -c <"$page")" -lt 2097152 ]

step "$SCRATCH/student" --seed 1 -o "$page" --kernel '*Dynamic' --block 1,1
# shellcheck disable=SC2016 # the words of the screen
expect 'another kernel, another block' grep -q \
    'steps of block (1,1) of `matrixMulDynamic`; 0 of 1' "$SCRATCH/out"

# Nothing of a rubric that gives no hints.
cat >"$SCRATCH/quiet.json" <<END
{ "schema": "gpugrade/rubric/v1", "extends": "$REPO/rubrics/matmul.json", "hints": "none" }
END
rm "$page"
step "$SCRATCH/student" --rubric "$SCRATCH/quiet.json" -o "$page"
expect 'no page where a rubric shows no hints' ends_with 2
expect 'that is said' grep -q 'shows no hints, so no block of it can be replayed' "$SCRATCH/err"
expect 'and none is written' [ ! -e "$page" ]

cat >"$SCRATCH/fill.cu" <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        out[i] = i;
    }
}
int main(int count, char **arguments)
{
    int n = 64 * atoi(arguments[count - 1]) - 10;
    int *out;
    cudaMalloc(&out, n * sizeof *out);
    fill<<<n / 64 + 1, 64>>>(out, n);
    printf("%d elements, error %d\n", n, (int)cudaDeviceSynchronize());
    cudaFree(out);
}
END
step "$SCRATCH/fill.cu" ignored 3 -o "$page"
expect 'a page on a program' ends_with 0
expect 'the program gets its arguments' grep -q '^182 elements' "$SCRATCH/out"
# shellcheck disable=SC2016 # the words of the screen
expect 'the block with the finding is on it' grep -q \
    'steps of block (2,0) of `fill`; 1 of [12] findings happen in it' "$SCRATCH/err"
expect 'it says why' grep -q '<dd>it has the first finding</dd>' "$page"
rm "$page"
step "$SCRATCH/fill.cu" 3 -o "$page" --block 3
expect 'a block that is not there' ends_with 1
expect 'that it is not there is said' grep -q 'no kernel ran with such a block$' "$SCRATCH/err"
expect 'then there is no page' [ ! -e "$page" ]
finish
