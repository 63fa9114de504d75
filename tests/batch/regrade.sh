#!/bin/sh
# regrade.sh: a class that is graded, and then regraded by a rubric with other points, has the marks
# and the pages that it would have if it had been graded by that rubric at once.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
class=$SCRATCH/class
mkdir "$class"
chmod 711 "$SCRATCH"

# submission NAME [FILE...]: the reference solution, with these files in place of its own.
submission() {
    mkdir "$class/$1"
    cp "$solution"/*.cu "$class/$1/"
    name=$1
    shift
    [ $# -eq 0 ] || cp -f "$@" "$class/$name/"
}

# overlay FILE VERSION MEMBERS: what is hidden is the same in all of them.
overlay() {
    cat >"$SCRATCH/$1" <<END
{
  "schema": "gpugrade/rubric/v1",
  "extends": "matmul",
  "version": $2,
  "salt": "three grey geese",
  "cases": [{ "id": "secret", "hidden": true, "a_height": [6, 9], "a_width": $4, "b_width": [6, 9] }],
  "criteria": [
    { "id": "block-size", "hidden": true }$3
  ]
}
END
}

graded() {
    "$GPUGRADE" batch "$class" -o "$SCRATCH/$1" --rubric "$SCRATCH/$2" --device emulated --seed 0x5eed \
        >"$SCRATCH/out" 2>&1 </dev/null
}

# expect_command NAME STATUS WORDS COMMAND...: how a command ends, and what it says.
expect_command() {
    name=$1
    wanted=$2
    words=$3
    shift 3
    "$@" >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
    if [ "$status" -ne "$wanted" ]; then
        fail "$name" "exit status $status: $(cat "$SCRATCH/out")"
    elif ! grep -qF -- "$words" "$SCRATCH/out"; then
        fail "$name" "no '$words' in: $(cat "$SCRATCH/out")"
    else
        pass "$name"
    fi
}

# marks RESULTS: the table without the column of seconds, which is the only one named so.
marks() {
    "$GPUGRADE" report "$SCRATCH/$1" --format csv | python3 -c '
import csv, sys
rows = list(csv.reader(sys.stdin))
keep = [i for i, name in enumerate(rows[0]) if name != "seconds"]
csv.writer(sys.stdout).writerows([row[i] for i in keep] for row in rows)'
}

# pages RESULTS: what students receive, without times.
pages() {
    "$GPUGRADE" report "$SCRATCH/$1" --format pages -o "$SCRATCH/$1.pages" >"$SCRATCH/out" 2>&1
    cat "$SCRATCH/$1.pages"/*.html | grep -v '<dt>times</dt>'
}

same() {
    if cmp -s "$2" "$3"; then
        pass "$1"
    else
        fail "$1" "$(diff "$2" "$3" | cut -c 1-200)"
    fi
}

overlay old.json 1 '' '[6, 9]'
overlay new.json 2 ', { "id": "compile", "points": 9, "bonus": true }, { "id": "dynamic", "points": 0 },
    { "id": "correct.tiled", "points": 31, "title": "right results" }' '[6, 9]'
jq '. + {leaderboard: {measure: "instructions", names: "three grey geese"}}' "$SCRATCH/new.json" \
    >"$SCRATCH/ranked.json" && mv "$SCRATCH/ranked.json" "$SCRATCH/new.json"
overlay other.json 3 '' '[7, 9]'
submission anna
submission bert "$REPO/tests/submissions/matmul/wrong/second_barrier_missing"/*.cu
submission cleo
echo 'int broken = ;' >>"$class/cleo/exercise2_dynamic.cu"

graded first old.json || fail 'the class is graded' "$SCRATCH/out"
marks first >"$SCRATCH/before"
expect_command 'a rubric is needed' 2 '--rubric FILE' "$GPUGRADE" regrade "$SCRATCH/first"
expect_command 'results are needed' 2 'nowhere' "$GPUGRADE" regrade "$SCRATCH/nowhere" --rubric "$SCRATCH/new.json"
expect_command 'another way of seeing is told' 0 'criteria that check something else: compile' \
    "$GPUGRADE" regrade "$SCRATCH/first" --rubric "$SCRATCH/other.json"
expect_command 'who gains is told' 0 'correct.tiled 20 -> 31' \
    "$GPUGRADE" regrade "$SCRATCH/first" --rubric "$SCRATCH/new.json"
expect_command 'what goes is told' 0 'criteria that were removed: dynamic' \
    "$GPUGRADE" regrade "$SCRATCH/first" --rubric "$SCRATCH/new.json"
marks first >"$SCRATCH/looked"
same 'looking changes nothing' "$SCRATCH/before" "$SCRATCH/looked"
expect_command 'there is no leaderboard yet' 2 "the rubric has no 'leaderboard'" \
    "$GPUGRADE" report "$SCRATCH/first" --format leaderboard
expect_command 'marks are changed' 0 'the marks are changed' \
    "$GPUGRADE" regrade "$SCRATCH/first" --rubric "$SCRATCH/new.json" --apply
graded second new.json || fail 'the class is graded by the new rubric' "$SCRATCH/out"
marks first >"$SCRATCH/first.csv"
marks second >"$SCRATCH/second.csv"
same 'the marks are those of grading anew' "$SCRATCH/second.csv" "$SCRATCH/first.csv"
pages first >"$SCRATCH/first.html"
pages second >"$SCRATCH/second.html"
same 'so are the pages' "$SCRATCH/second.html" "$SCRATCH/first.html"
board=$SCRATCH/first.pages/leaderboard.html
if [ "$(grep -c '<td class="number">1</td>' "$board")" = 1 ] && ! grep -q '>2</td>\|anna' "$board" &&
    grep -q "href=\"leaderboard.html\".*$(sed -n 's/.*row">\([a-z]* [a-z]*\)<.*/\1/p' "$board").*place 1 of 1" \
        "$SCRATCH/first.pages/anna.html"; then
    pass 'the leaderboard has who is right, under a name that the page of that student tells'
else
    fail 'the leaderboard has who is right, under a name that the page of that student tells' "$board"
fi
expect_command 'nothing is left to do' 0 '0 of 0 submissions' \
    "$GPUGRADE" batch --resume -o "$SCRATCH/first"
finish
