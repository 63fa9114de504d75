#!/bin/sh
# naive_bytes.sh: holds the rubric's bound on loads to the real naive kernel: what a copy of
# matrixMulNaive of reference/matmul loads from A and B on the emulated device is, to the byte, the shipped
# expression with a block of 1, whatever the shape.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
rubric=$REPO/rubrics/matmul.json
solution=$REPO/reference/matmul/solution

if ! command -v jq >/dev/null; then
    skip 'the naive kernel loads what the rubric says' 'jq is missing'
    finish
fi
cp -r "$solution" "$SCRATCH/student" && chmod -R u+w "$SCRATCH/student" || exit 1
cp "$REPO/tests/submissions/matmul/wrong/naive_copied/"*.cu "$SCRATCH/student/" || exit 1

# make_rubric CASE: one case of exercise 1, its loads the only criterion.
make_rubric() {
    jq --arg case "$1" '
        (.criteria[] | select(.id == "tiled.tiled")) as $tiled
        | .cases = [.cases[] | select(.id == $case) | del(.repeat)]
        | .launches = [.launches[] | select(.id == "tiled")
                       | .blocks = [16]]
        | .printouts = []
        | .criteria = [$tiled + {points: 100}]' "$rubric" >"$SCRATCH/rubric.json"
}

for case in one-tile one-row one-column many-tiles; do
    make_rubric "$case"
    "$GPUGRADE" check "$SCRATCH/student" --rubric "$SCRATCH/rubric.json" --seed 0x5eed1234 \
        --json "$SCRATCH/score.json" >"$SCRATCH/screen" 2>&1
    if jq -e '.criteria[0] | .cause.code == "too_many_loads"
              and .evidence.bytes == .evidence.naive_bytes
              and .evidence.bytes == 16 * .evidence.maximum_bytes' \
        "$SCRATCH/score.json" >/dev/null 2>&1; then
        pass "the naive kernel loads what the rubric says: $case"
    else
        fail "the naive kernel loads what the rubric says: $case" "$SCRATCH/screen"
    fi
done
finish
