#!/bin/sh
# texts.sh [COUNT]: grades COUNT submissions (default 41: each kind once; --long in tests/run: 240)
# that hold what a failing machine would say: texts in sources, names, messages, calls and PTX, made by
# texts.py from a seed. Nothing in a submission may make the grader blame itself or the machine:
#
#   - the exit status is 0 or 1, the score says no `error`
#   - no message shows a temporary file of a compiler
#   - what asks for a person (`review`) failed by what the device does not know, and nothing else
#
# What the reference solution needs as well is an error, which two more tests see.
# A table tells for each kind how many there were, how many kept all points, how many lost some.
# SEED repeats what is drawn, JOBS is how many are graded at once (2), KEEP a folder that keeps sources,
# scores and screens, GPUGRADE the grader. Ends with a line "N passed, N failed, N skipped".
set -u
umask 022 # programs have users of their own
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/hostile
count=${1:-41}
seed=${SEED:-0x5eed1234}
jobs=${JOBS:-2}
keep=${KEEP:-$SCRATCH/texts}

command -v python3 >/dev/null 2>&1 || {
    skip "python3 is missing"
    finish
}
chmod 755 "$SCRATCH"
mkdir -p "$keep" || exit 3
# Two shapes and short limits: what is tried is words, not results.
jq --arg program tiled -f "$here/rubric.jq" "$REPO/rubrics/matmul.json" |
    jq '.cases |= .[:2] | .limits.program_seconds = 4 | .limits.launch_seconds_emulated = 4' \
        >"$keep/rubric.json" || exit 3
python3 "$here/texts.py" "$count" "$seed" "$REPO/reference/matmul/solution" "$keep/sources" || exit 3

# grade FOLDER: leaves status, score and screen beside the sources.
cat >"$SCRATCH/grade.sh" <<'EOF'
name=${1##*/}
"$GPUGRADE" check "$1" --rubric "$KEEP_IN/rubric.json" --device emulated --seed 0x1 \
    --json "$KEEP_IN/$name.json" >"$KEEP_IN/$name.txt" 2>&1 </dev/null
echo $? >"$KEEP_IN/$name.status"
EOF
KEEP_IN=$keep
export GPUGRADE KEEP_IN
find "$keep/sources" -mindepth 1 -maxdepth 1 -print0 | sort -z |
    xargs -0 -n 1 -P "$jobs" sh "$SCRATCH/grade.sh"

# What must hold of a score, as words for what does not.
cat >"$SCRATCH/wrong.jq" <<'EOF'
def texts: [.criteria[].cause | select(. != null) | .message, .hint] + [.diagnostics[] | .. | strings];
[ (.criteria[] | select(.status == "error") | "\(.id) is an error: \(.measured.why // .cause.message)"),
  (.criteria[] | select((.review != null) != (.status == "failed" and .cause.kind == "unsupported"))
      | "\(.id): review does not fit"),
  (if (.review // false) != any(.criteria[]; .review != null) then "review of the whole" else empty end),
  (texts[] | select(test("tmpxft_[0-9a-f]{8}_|/gpugrade-work|/piece-[0-9]")) | "shows \(.)")
] | unique | .[]
EOF
for folder in "$keep"/sources/*/; do
    name=$(basename "$folder")
    kind=${name#*-}
    status=$(cat "$keep/$name.status" 2>/dev/null || echo none)
    wrong=$(jq -r -f "$SCRATCH/wrong.jq" "$keep/$name.json" 2>&1)
    case $status in
    0) result=whole ;;
    1) result=less ;;
    *) wrong="exit status $status
$wrong" ;;
    esac
    if [ -n "$wrong" ]; then
        result=wrong
        fail "$name" "$wrong
$(tail -n 12 "$keep/$name.txt")"
    else
        pass "$name" >/dev/null
    fi
    errors=$(jq '[.criteria[] | select(.status == "error")] | length' "$keep/$name.json" 2>/dev/null)
    review=$(jq '.review // false' "$keep/$name.json" 2>/dev/null)
    echo "$kind $result ${errors:-0} ${review:-false}" >>"$SCRATCH/table"
done
# The other way round: an instruction that the reference solution holds too is nobody's choice.
mkdir "$SCRATCH/own" "$SCRATCH/needs"
cp -r "$REPO/rubrics" "$REPO/reference" "$REPO/student_template" "$SCRATCH/own/"
cp "$REPO/reference/matmul/solution"/* "$SCRATCH/needs/"
cp "$REPO/tests/submissions/matmul/wrong/unknown_instruction/exercise1_tiled.cu" \
    "$SCRATCH/own/reference/matmul/solution/"
sed 's/part0, 0;/part0, 1;/' "$SCRATCH/own/reference/matmul/solution/exercise1_tiled.cu" \
    >"$SCRATCH/needs/exercise1_tiled.cu"
# needs RUBRIC STATUS VERDICT: grades it by the rubric beside that reference solution.
needs() {
    "$GPUGRADE" check "$SCRATCH/needs" --rubric "$1" --device emulated --seed 0x1 \
        --only correct.tiled --json "$SCRATCH/needs.json" >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
    [ "$status" = "$2" ] &&
        [ "$(jq -r '.criteria[0] | .status + " " + .cause.code + " " + (.review // "-")' \
            "$SCRATCH/needs.json")" = "$3" ]
}
expect 'what the reference solution needs as well is an error' \
    needs "$SCRATCH/own/rubrics/matmul.json" 3 'error unknown_instruction -'
expect 'what it does without fails, for a person to look at' \
    needs "$REPO/rubrics/matmul.json" 1 'failed unknown_instruction an unknown instruction'

awk '
{ kinds[$1]; all[$1]++; n[$1, $2]++; errors += $3; error_of[$1] += $3; review[$1] += $4 == "true"; total++; sum[$2]++; reviews += $4 == "true" }
END {
    form = "%-20s %6s %10s %10s %8s %8s\n"
    printf form, "kind", "texts", "all points", "fewer", "review", "errors"
    for (kind in kinds) {
        printf form, kind, all[kind], n[kind, "whole"] + 0, n[kind, "less"] + 0, review[kind], error_of[kind] | "LC_ALL=C sort"
    }
    close("LC_ALL=C sort")
    printf form, "in all", total, sum["whole"] + 0, sum["less"] + 0, reviews, errors + 0
}' "$SCRATCH/table"
finish
