#!/bin/sh
# convert.sh: scores of real checks in every format, and what convert refuses.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
wrong=$REPO/tests/submissions/matmul/wrong/barrier_between_loads
formats=$(sed -n 's/^FORMAT("\([a-z0-9-]*\)".*/\1/p' "$REPO/grader/report/platform/formats.def")

# score FILE FOLDER OPTIONS...
score() {
    file=$1
    folder=$2
    shift 2
    "$GPUGRADE" check "$folder" --device emulated --seed 0x5eed1234 --json "$file" "$@" \
        >/dev/null 2>"$SCRATCH/err" </dev/null
}

# convert ARGUMENTS...: sets status, leaves out and err.
convert() {
    "$GPUGRADE" convert "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# refused NAME STATUS WORDS ARGUMENTS...: nothing on standard output, the words on standard error.
refused() {
    name=$1
    wanted=$2
    words=$3
    shift 3
    convert "$@"
    if [ "$status" -eq "$wanted" ] && [ ! -s "$SCRATCH/out" ] && grep -q -e "$words" "$SCRATCH/err"; then
        pass "$name"
    else
        fail "$name (exit status $status)" "$SCRATCH/err"
    fi
}

# follows SCHEMA FILE
follows() {
    python3 "$REPO/tests/rubrics/validate_schemas.py" --schema "$@"
}

mkdir "$SCRATCH/wrong"
cp "$solution"/*.cu "$SCRATCH/wrong/"
cp "$wrong"/*.cu "$SCRATCH/wrong/"
score "$SCRATCH/right.json" "$solution"
score "$SCRATCH/wrong.json" "$SCRATCH/wrong"
expect 'the checks wrote scores' test -s "$SCRATCH/right.json" -a -s "$SCRATCH/wrong.json"

for format in $formats; do
    for which in right wrong; do
        convert "$SCRATCH/$which.json" --to "$format"
        expect "$format, $which: exits with 0" test "$status" -eq 0
        expect "$format, $which: something is written" test -s "$SCRATCH/out"
        expect "$format, $which: nothing on standard error" test ! -s "$SCRATCH/err"
        "$GPUGRADE" convert "$SCRATCH/$which.json" --to "$format" -o "$SCRATCH/file" 2>"$SCRATCH/err"
        expect "$format, $which: the same in a file" cmp "$SCRATCH/out" "$SCRATCH/file"
        if [ -f "$REPO/rubrics/platform/$format.schema.json" ]; then
            expect "$format, $which: follows its schema" follows "$format" "$SCRATCH/file"
        fi
    done
done

convert "$SCRATCH/wrong.json" --to gradescope
expect 'gradescope: the score of the check' test "$(jq .score "$SCRATCH/out")" = \
    "$(jq .score "$SCRATCH/wrong.json")"
expect 'gradescope: what needs a GPU has no status and no points' jq -e \
    '[.tests[] | select(.name | endswith("(not measured here)"))] |
     length == 2 and all(has("status") or has("score") or has("max_score") | not)' "$SCRATCH/out"
expect 'gradescope: the place of the race' grep -q 'exercise1_tiled.cu:' "$SCRATCH/out"
convert "$SCRATCH/right.json" --to prairielearn
expect 'prairielearn: everything that was measured' jq -e '.score == 1 and .gradable' "$SCRATCH/out"
convert "$SCRATCH/wrong.json" --to autolab
tail -n 1 "$SCRATCH/out" >"$SCRATCH/last"
expect 'autolab: the last line has the scores' test "$(jq '[.scores[]] | add' "$SCRATCH/last")" = \
    "$(jq .score "$SCRATCH/wrong.json")"

# One criterion alone, as a platform's script grades: a part is no mark, and no path is told.
GPUGRADE_AGAIN='gpugrade check . --coursework matmul'
export GPUGRADE_AGAIN
score "$SCRATCH/part.json" "$SCRATCH/wrong" --only race-free.tiled --sandbox C
unset GPUGRADE_AGAIN
expect 'a part names its criterion' jq -e '.only == "race-free.tiled"' "$SCRATCH/part.json"
expect 'a part follows the schema' follows score "$SCRATCH/part.json"
expect 'a whole names none' jq -e 'has("only") | not' "$SCRATCH/right.json"
expect 'the name is the last part of the path' jq -e '.submission.name == "wrong"' "$SCRATCH/part.json"
expect 'the command that was given is told' grep -qF \
    'gpugrade check . --coursework matmul --device emulated --only race-free.tiled --seed 0x5eed1234' \
    "$SCRATCH/part.json"
if grep -qF "$SCRATCH" "$SCRATCH/part.json"; then
    fail 'no path of this machine' "$SCRATCH/part.json"
else
    pass 'no path of this machine'
fi
for format in gradescope prairielearn autolab classroom50 vpl csv; do
    refused "a part is no mark for $format" 2 "only the criterion 'race-free.tiled'" "$SCRATCH/part.json" --to "$format"
done
convert "$SCRATCH/part.json" --to html
expect 'a part is shown' test "$status" -eq 0 -a -s "$SCRATCH/out"
expect 'and called a part' grep -q "only the criterion 'race-free.tiled'" "$SCRATCH/err"
jq '.only = "compile"' "$SCRATCH/part.json" >"$SCRATCH/other.json"
refused 'a part of another criterion' 2 "'race-free.tiled' was graded" "$SCRATCH/other.json" --to html

# A template: the code in the table is the one on the screen.
mkdir "$SCRATCH/template"
cp "$REPO"/student_template/matmul/*.cu "$SCRATCH/template/"
score "$SCRATCH/template.json" "$SCRATCH/template"
convert "$SCRATCH/template.json" --to csv
expect 'the table has the codes of the screen' test "$(grep -o 'T[0-9][0-9]' "$SCRATCH/out" | sort -u)" = \
    "$(jq -r '.diagnostics[].id' "$SCRATCH/template.json" | grep '^T' | sort -u)"

cp "$SCRATCH/wrong/exercise2_dynamic.cu" "$SCRATCH/kept.cu"
for exercise in exercise1_tiled exercise2_dynamic; do
    printf 'this is no C\n' >"$SCRATCH/wrong/$exercise.cu"
done
score "$SCRATCH/unbuilt.json" "$SCRATCH/wrong"
convert "$SCRATCH/unbuilt.json" --to prairielearn
expect 'prairielearn: what cannot be built is no attempt' jq -e \
    '.gradable == false and .score == 0 and (.format_errors | length > 1)' "$SCRATCH/out"

"$GPUGRADE" convert - --to gradescope <"$SCRATCH/right.json" >"$SCRATCH/piped" 2>"$SCRATCH/err"
convert "$SCRATCH/right.json" --to gradescope
expect 'standard input gives the same' cmp "$SCRATCH/out" "$SCRATCH/piped"
convert "$SCRATCH/wrong.json" --to github --prefix hw3/tiled/
expect 'a prefix stands before files' grep -q 'file=hw3/tiled/exercise1_tiled.cu' "$SCRATCH/out"

refused 'no score' 2 'convert needs a score' --to gradescope
refused 'no format' 2 'needs --to FMT' "$SCRATCH/right.json"
refused 'an unknown format' 2 'gradescope' "$SCRATCH/right.json" --to gradescop
refused 'a file that is not there' 2 'cannot open' "$SCRATCH/none.json" --to csv
refused 'a folder' 2 'not a regular file' "$SCRATCH" --to csv
refused 'a prefix outside' 2 'prefix' "$SCRATCH/right.json" --to github --prefix ../x
refused 'a folder as output' 2 'needs the name of a file' "$SCRATCH/right.json" --to csv -o "$SCRATCH"
refused 'an output in no folder' 2 'cannot be written' "$SCRATCH/right.json" --to csv \
    -o "$SCRATCH/none/results.json"
: >"$SCRATCH/empty.json"
refused 'an empty file' 2 'empty' "$SCRATCH/empty.json" --to csv
printf '{"schema": "gpugrade/run/v1"}' >"$SCRATCH/run.json"
refused 'a result of run' 2 "run.json:1:12: this is not a score but 'gpugrade/run/v1'" "$SCRATCH/run.json" --to csv
printf '[1, 2]' >"$SCRATCH/list.json"
refused 'another JSON file' 2 'this is not a score' "$SCRATCH/list.json" --to csv
head -c 400 "$SCRATCH/right.json" >"$SCRATCH/cut.json"
refused 'a truncated score' 2 'cut.json:[0-9]*:[0-9]*: ' "$SCRATCH/cut.json" --to csv
sed 's|gpugrade/score/v1|gpugrade/score/v2|' "$SCRATCH/right.json" >"$SCRATCH/later.json"
refused 'a later version' 2 'gpugrade/score/v2' "$SCRATCH/later.json" --to csv
jq '.score += 1' "$SCRATCH/right.json" >"$SCRATCH/more.json"
refused 'a score that does not add up' 2 'criteria add up to' "$SCRATCH/more.json" --to csv
if [ -w /dev/full ]; then
    "$GPUGRADE" convert "$SCRATCH/right.json" --to csv >/dev/full 2>"$SCRATCH/err"
    status=$?
    expect 'a full device is the environment' test "$status" -eq 3
fi
cp "$SCRATCH/right.json" "$SCRATCH/kept.json"
convert "$SCRATCH/more.json" --to csv -o "$SCRATCH/kept.json"
expect 'what was there stays where nothing can be written' cmp "$SCRATCH/right.json" "$SCRATCH/kept.json"

# An instructor's score of a rubric that hides something: nothing of it where students look.
cat >"$SCRATCH/overlay.json" <<'END'
{
  "schema": "gpugrade/rubric/v1",
  "extends": "matmul",
  "salt": "canary salt",
  "cases": [{ "id": "canary.case", "hidden": true, "a_height": 1, "a_width": 1, "b_width": 83 }],
  "criteria": [
    { "id": "occupancy", "hidden": true, "title": "canary occupancy" },
    { "id": "canary.races", "kind": "race-free", "title": "canary races", "points": 83,
      "launch": "dynamic", "hidden": true }
  ]
}
END
cp "$SCRATCH/kept.cu" "$SCRATCH/wrong/exercise2_dynamic.cu"
cp "$solution/exercise1_tiled.cu" "$SCRATCH/wrong/"
sed -i 's/^    C\[row \* b_width + column\] = sum;/    C[row * b_width + column] = b_width \/ BLOCK_SIZE > 18 ? sum + 1.0f : sum;/' \
    "$SCRATCH/wrong/exercise1_tiled.cu"
score "$SCRATCH/full.json" "$SCRATCH/wrong" --rubric "$SCRATCH/overlay.json" --as instructor
# Seconds that it took may be any number.
jq '.seconds |= map_values(0)' "$SCRATCH/full.json" >"$SCRATCH/timeless" && mv "$SCRATCH/timeless" "$SCRATCH/full.json"
expect 'an instructor is told of it' grep -q 'canary races' "$SCRATCH/full.json"
expect 'the score says for whom it is' jq -e '.audience == "instructor"' "$SCRATCH/full.json"
score "$SCRATCH/shown.json" "$SCRATCH/wrong" --rubric "$SCRATCH/overlay.json"
expect 'and that of a student is for nobody else' jq -e 'has("audience") | not' "$SCRATCH/shown.json"
for format in $formats; do
    [ "$format" != csv ] || continue # a table for instructors
    convert "$SCRATCH/full.json" --to "$format"
    expect "$format: an instructor's score is taken" test "$status" -eq 0
    expect "$format: it is said that details are missing" grep -q 'made for an instructor' "$SCRATCH/err"
    grep -E -i 'canary|hidden shape|\(hidden\)|\b(83|1328|2656)\b' "$SCRATCH/out" >"$SCRATCH/found"
    expect "$format: no canary" test ! -s "$SCRATCH/found"
done
convert "$SCRATCH/full.json" --to gradescope
cp "$SCRATCH/out" "$SCRATCH/gradescope"
convert "$SCRATCH/shown.json" --to gradescope
expect 'points and statuses are those of the score for students' test \
    "$(jq -c '[.score, (.tests[] | [.name, .score, .status])]' "$SCRATCH/gradescope")" = \
    "$(jq -c '[.score, (.tests[] | [.name, .score, .status])]' "$SCRATCH/out")"
finish
