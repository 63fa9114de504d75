#!/bin/sh
# hidden_parts.sh: what an overlay hides leaves no trace in what a student receives.
#
# Programs that are right for every visible shape and wrong for the hidden ones, each in another way,
# are checked by two overlays, A and B, that hide other cases and criteria under other names. For a
# student, every byte of every format must be the same with A as with B, and no name or number of
# what is hidden may stand in it; an instructor must see it all. Times are taken out first: they
# differ from run to run, and those of what is hidden are not in them.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
seed=0x5eed1234
# Tiles in a row of the hidden shapes; visible ones have at most 72, or more than 128.
tiles_a=83
tiles_b=97

# overlay FILE LETTER TILES HEIGHT SECONDS: `occupancy` is the criterion that both overlays hide; the
# seconds are for one launch.
overlay() {
    cat >"$1" <<END
{
  "schema": "gpugrade/rubric/v1",
  "extends": "matmul",
  "salt": "canary salt $2",
  "limits": { "launch_seconds_emulated": $5 },
  "cases": [
    { "id": "canary.case.$2", "hidden": true, "a_height": $4, "a_width": [1, 2], "b_width": $3 }
  ],
  "criteria": [
    { "id": "occupancy", "hidden": true, "title": "canary occupancy $2" },
    { "id": "canary.races.$2", "kind": "race-free", "title": "canary races $2", "points": $3, "launch": "dynamic",
      "hidden": true },
    { "id": "canary.banks.$2", "kind": "bank-conflicts", "title": "canary banks $2", "points": 2.$3, "launch": "tiled",
      "maximum_ratio": 1.$3, "hidden": true },
    { "id": "speedup.dynamic", "hidden": true, "points": 1.$3 }
  ]
}
END
}

# fixture NAME: a folder with the solution, and a macro that is true for hidden shapes.
fixture() {
    rm -rf "$SCRATCH/student"
    mkdir "$SCRATCH/student"
    for exercise in exercise1_tiled exercise2_dynamic; do
        {
            printf '#include <cstdlib>\n#define IS_HIDDEN(width) ((width) / BLOCK_SIZE > 72 && (width) / BLOCK_SIZE < 100)\n'
            cat "$solution/$exercise.cu"
        } >"$SCRATCH/student/$exercise.cu"
    done
}

# edit EXERCISE SED: changes a file of the fixture; a change that changes nothing is a mistake here.
edit() {
    cp "$SCRATCH/student/$1.cu" "$SCRATCH/before.cu"
    sed -i "$2" "$SCRATCH/student/$1.cu"
    ! cmp -s "$SCRATCH/before.cu" "$SCRATCH/student/$1.cu" || fail "an edit of $1 fits"
}

# check NAME OPTIONS...: leaves NAME.txt, NAME.json, NAME.html, NAME.err and NAME.status.
check() {
    name=$SCRATCH/$1
    shift
    (cd "$SCRATCH" && "$GPUGRADE" check student --device emulated --seed "$seed" --verbose \
        --json "$name.json" --html "$name.html" "$@" >"$name.txt" 2>"$name.err" </dev/null)
    echo $? >"$name.status"
}

# Takes the times out of the files of a check, in place.
without_times() {
    jq 'del(.seconds)' "$SCRATCH/$1.json" >"$SCRATCH/json" && mv "$SCRATCH/json" "$SCRATCH/$1.json"
    sed -i -E 's/[0-9]+([.][0-9]+)? s\b/N s/g' "$SCRATCH/$1.txt" "$SCRATCH/$1.html"
}

# same LABEL ONE OTHER: every file of two checks.
same() {
    for kind in txt json html err status; do
        expect "$1: the same $kind" diff "$SCRATCH/$2.$kind" "$SCRATCH/$3.$kind"
    done
}

has_no_canary() {
    ! grep -E -i -n "canary|hidden[._ -](case|crit)|overlay_[ab]" "$@" &&
        ! grep -w -E -n "83|97|1328|1552|2656|3104" "$@"
}

# compare LABEL: checks the fixture with both overlays as a student.
compare() {
    check "a" --rubric "$SCRATCH/overlay_a.json"
    check "b" --rubric "$SCRATCH/overlay_b.json"
    without_times a
    without_times b
    same "$1" a b
    expect "$1: no canary" has_no_canary "$SCRATCH"/a.txt "$SCRATCH"/a.json "$SCRATCH"/a.html \
        "$SCRATCH"/a.err
    expect "$1: the criteria that are seen are the visible ones" jq -e \
        '[.criteria[].id] | length == 10 and (index("occupancy") == null)' "$SCRATCH/a.json"
}

# compare_all LABEL: likewise, and as an instructor.
compare_all() {
    compare "$1"
    check full --rubric "$SCRATCH/overlay_a.json" --as instructor
    expect "$1: an instructor sees the criteria" grep -q 'canary races A (hidden)' "$SCRATCH/full.txt"
}

# verdict ID STATUS CODE: of the student's report.
verdict() {
    jq -e --arg id "$1" --arg status "$2" --arg code "$3" \
        '.criteria[] | select(.id == $id) | .status == $status and (.cause.code // "") == $code' \
        "$SCRATCH/a.json"
}

# overlays SECONDS
overlays() {
    overlay "$SCRATCH/overlay_a.json" A "$tiles_a" 1 "$1"
    overlay "$SCRATCH/overlay_b.json" B "$tiles_b" 2 "$1"
}

overlays 10
fixture
compare_all 'right'
expect 'right: nothing fails' test "$(cat "$SCRATCH/a.status")" -eq 0
expect 'right: points that are seen' jq -e '.max_score == 90' "$SCRATCH/a.json"
expect 'right: all points for an instructor' jq -e '(.max_score * 100 | round) == 18266' \
    "$SCRATCH/full.json"
(cd "$SCRATCH" && "$GPUGRADE" handout matmul handed --rubric overlay_a.json >handed.txt)
expect 'handout: no canary' has_no_canary -r "$SCRATCH/handed"
expect 'handout: no solution' test ! -e "$SCRATCH/handed/oracle.c" -a ! -e "$SCRATCH/handed/solution"
check "plain" --rubric "$SCRATCH/handed/rubric.json"
without_times plain
sed -i "s| --rubric [^ ]*rubric.json||g" "$SCRATCH"/plain.??* "$SCRATCH"/a.??*
same 'the rubric that was handed out' plain a

# A result that is wrong, and a race.
fixture
edit exercise1_tiled 's/^    C\[row \* b_width + column\] = sum;/    C[row * b_width + column] = IS_HIDDEN(b_width) ? sum + 1.0f : sum;/'
edit exercise2_dynamic 's/^        __syncthreads();/        if (!IS_HIDDEN(b_width)) { __syncthreads(); }/'
compare_all 'wrong result, race'
expect 'a wrong result is told' verdict correct.tiled failed mismatch
expect 'a race is told' verdict race-free.dynamic failed shared_race
expect 'no place of it' jq -e '[.criteria[].cause | select(. != null) | .line] | all(. == 0)' "$SCRATCH/a.json"
expect 'no finding' jq -e '.findings == []' "$SCRATCH/a.json"
expect 'for a hidden shape' grep -q 'for a hidden shape' "$SCRATCH/a.txt"
expect 'exit status 1' test "$(cat "$SCRATCH/a.status")" -eq 1
expect 'the hidden shape for an instructor' grep -q '1328 (hidden)' "$SCRATCH/full.txt"

# A kernel that never ends, and a program that tells all it knows and dies.
fixture
edit exercise1_tiled 's/^    float sum = 0.0f;/    float sum = 0.0f; while (IS_HIDDEN(b_width) \&\& *(volatile int *)\&b_width > 0) { }/'
edit exercise2_dynamic 's/^void launchDynamic(.*/&/; /^void launchDynamic/,/^{/ s/^{/{ printf("shape %d\\n", shape.b_width); fprintf(stderr, "shape %d\\n", shape.b_width); if (shape.b_width > 72 * 32 \&\& shape.b_width < 100 * 32) { exit(shape.b_width % 200); }/'
overlays 5
compare 'time limit, early exit'
overlays 10
expect 'a time limit is told' verdict correct.tiled failed launch_deadline
expect 'an early exit is told' verdict correct.dynamic failed exit_status

# An access outside of everything, and what only earns remarks.
fixture
edit exercise1_tiled 's/^    float sum = 0.0f;/    float sum = 0.0f; if (IS_HIDDEN(b_width)) { C[1L << 33] = 1.0f; }/'
edit exercise2_dynamic '/^void launchDynamic/,/^{/ s/^{/{ if (shape.b_width > 72 * 32 \&\& shape.b_width < 100 * 32) { void *p; cudaMalloc(\&p, 1L << 60); cudaGetLastError(); cudaFree(nullptr); }/'
compare_all 'out of bounds, remarks'
expect 'an access is told' verdict race-free.tiled failed global_out_of_bounds
expect 'remarks are not' jq -e '.remarks == []' "$SCRATCH/a.json"
expect 'an instructor sees them' jq -e '.remarks != []' "$SCRATCH/full.json"

# A printout that only a hidden criterion looks at.
fixture
edit exercise1_tiled 's/Occupancy: %.4f/Occupancy: 0.3%.0f/'
compare_all 'printout'
expect 'printout: nothing fails for a student' test "$(cat "$SCRATCH/a.status")" -eq 0
expect 'printout: an instructor sees it fail' jq -e \
    '.criteria[] | select(.id == "occupancy") | .status == "failed" and .hidden' "$SCRATCH/full.json"
expect 'printout: exit status for an instructor' test "$(cat "$SCRATCH/full.status")" -eq 1
(cd "$SCRATCH" && "$GPUGRADE" check student --rubric overlay_a.json --only occupancy >only.txt 2>&1)
expect 'a hidden criterion cannot be asked for' grep -q "no criterion 'occupancy'; it has: compile, correct" \
    "$SCRATCH/only.txt"
expect 'nor is it listed' sh -c "! grep -q canary '$SCRATCH/only.txt'"
finish
