#!/bin/sh
# mistake.sh: a mistake of the grader's own, which a check at the border of two parts finds
# (mistaken_grader.c), is an error of that one submission, in a release too: `check` ends with status
# 3 and says what does not hold, and a batch grades everybody else.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
build=${GPUGRADE_BUILD:-$REPO/build}
mistaken=$build/bin/gpugrade-mistaken
class=$SCRATCH/class
chmod 755 "$SCRATCH"
mkdir "$class" "$class/ada" "$class/ben" "$class/eve"
for name in ada ben eve; do
    cp "$REPO"/reference/matmul/solution/*.cu "$class/$name/"
    echo "// $name" >>"$class/$name/exercise1_tiled.cu"
done
echo '// one point too many' >>"$class/ben/exercise1_tiled.cu"
jq --arg program tiled -f "$REPO/tests/hostile/rubric.jq" "$REPO/rubrics/matmul.json" \
    >"$SCRATCH/rubric.json" || exit 3

"$mistaken" check "$class/ben" --rubric "$SCRATCH/rubric.json" --device emulated \
    --json "$SCRATCH/score.json" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
status=$?
expect 'check: status 3' test "$status" = 3
expect 'check: what does not hold is said' grep -q 'bug in gpugrade: .* does not hold' "$SCRATCH/err"
expect 'check: no score' test ! -e "$SCRATCH/score.json"

"$mistaken" batch "$class" -o "$SCRATCH/results" --rubric "$SCRATCH/rubric.json" \
    --device emulated -j2 >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
status=$?
expect 'batch: it says that one could not be graded' test "$status" = 3
cat "$SCRATCH/out" "$SCRATCH/err" >"$SCRATCH/log"
expect 'batch: the others are graded' grep -q '2 graded, 1 could not be graded' "$SCRATCH/log"
finish
