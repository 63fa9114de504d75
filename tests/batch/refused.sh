#!/bin/sh
# refused.sh: submissions that reach a bound of the grader: `check` and `batch` fail them with the
# cause and go on, nothing of it is an error, and of what a rubric hides nothing is shown.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/batch
solution=$REPO/reference/matmul/solution
class=$SCRATCH/class
mkdir "$class" "$class/right" "$class/heavy"
chmod 755 "$SCRATCH"
cp "$solution"/*.cu "$class/right/"
cp "$solution"/*.cu "$class/heavy/"
# Half of the threads leave before a barrier: the place is looked for among 4 million tokens.
{
    awk '/^__global__/ { seen = 1 }
        { print }
        seen && /^{/ { print "    if (threadIdx.x & 1) return;\n    __syncthreads();"; seen = 0 }
        ' "$solution/exercise1_tiled.cu"
    head -c 4100000 /dev/zero | tr '\0' ';'
} >"$class/heavy/exercise1_tiled.cu"
jq --arg program tiled -f "$REPO/tests/hostile/rubric.jq" "$REPO/rubrics/matmul.json" \
    >"$SCRATCH/base.json" || exit 3
count=$(jq '.criteria | length' "$SCRATCH/base.json")

# rubric NAME LIMIT VALUE: NAME.json with that limit, and NAME-hidden.json, which hides a criterion.
rubric() {
    jq ".limits.$2 = $3" "$SCRATCH/base.json" >"$SCRATCH/$1.json" &&
        jq -n --arg base "$SCRATCH/$1.json" '{schema: "gpugrade/rubric/v1", extends: $base,
            salt: "a salt of canaries", criteria: [{id: "canary.races", kind: "race-free",
            title: "canary races", points: 3, launch: "tiled", hidden: true}]}' \
            >"$SCRATCH/$1-hidden.json" || exit 3
}

# check NAME RUBRIC OPTIONS...
check() {
    student=$1
    rubric=$2
    shift 2
    "$GPUGRADE" check "$class/$student" --rubric "$SCRATCH/$rubric.json" --device emulated \
        --json "$SCRATCH/score.json" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# all_failed ID COUNT: so many criteria, all of them failed for that.
all_failed() {
    [ "$status" = 1 ] && grep -qF "[$1]" "$SCRATCH/out" &&
        jq -e --argjson count "$2" '(.criteria | length) == $count and .score == 0 and
            ([.criteria[] | .status == "failed" and .points == 0] | all)' "$SCRATCH/score.json"
}

has_no_canary() {
    ! grep -qi canary "$SCRATCH/out" "$SCRATCH/err" "$SCRATCH/score.json"
}

# graded NAME CODE: batch says and stores that both are graded, one of them failed for the code.
graded() {
    results=$SCRATCH/results-$1
    "$GPUGRADE" batch "$class" --rubric "$SCRATCH/$1.json" -o "$results" --device emulated --seed 7 \
        >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
    python3 "$here/stored.py" table "$results" >"$SCRATCH/table" 2>&1
    cat "$SCRATCH/table" >>"$SCRATCH/err"
    expect "$1: batch ends well" [ "$status" = 0 ]
    expect "$1: batch counts a failure" \
        grep -qF '2 of 2 submissions: 2 graded (1 with failures)' "$SCRATCH/out"
    # shellcheck disable=SC2016 # awk's own variables
    expect "$1: what is stored is failed with the cause" awk -v code="$2" -v count="$3" '
        $1 == "heavy" && $2 == "graded" {
            seen = NF - 3
            for (i = 4; i <= NF; i++) wrong += $i !~ "=failed:0:" code "$"
        }
        END { exit seen != count || wrong }' "$SCRATCH/table"
}

rubric memory grader_memory_mb 64
check right memory
expect 'a right program passes within the least memory' [ "$status" = 0 ]
check heavy memory
expect 'memory: every criterion fails' all_failed X13 "$count"
check heavy memory-hidden
expect 'memory: a student sees what is visible' all_failed X13 "$count"
expect 'memory: a student sees nothing that is hidden' has_no_canary
check heavy memory-hidden --as instructor
expect 'memory: an instructor sees all' all_failed X13 $((count + 1))
expect 'memory: the score is marked for instructors' \
    jq -e '.audience == "instructor"' "$SCRATCH/score.json"
graded memory X13 "$count"
graded memory-hidden X13 $((count + 1))
# It takes the grader more than 2 s, a right program a tenth of this.
rubric time grader_cpu_seconds 0.5
check heavy time
expect 'time: every criterion fails' all_failed X14 "$count"
graded time-hidden X14 $((count + 1))
finish
