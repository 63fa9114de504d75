#!/bin/sh
# people.sh: a class keeps its names, its times and so its marks, whatever it is gone on with: by the
# commands that are printed, with and without its roster. Folders have names that a shell would take
# apart.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
class="$SCRATCH/the class"
results="$SCRATCH/it's a result"
roster="$SCRATCH/the roster.csv"
TMPDIR=$SCRATCH/tmp
export TMPDIR
mkdir "$class" "$TMPDIR"
chmod 711 "$SCRATCH" "$TMPDIR"

# rubric FILE EXPRESSION: the quick one, with a deadline.
rubric() {
    jq --arg program tiled -f "$REPO/tests/hostile/rubric.jq" "$REPO/rubrics/matmul.json" |
        jq '.late = {due: "2026-11-20T12:00:00Z", penalty_per_day: 7, penalty: "points"} |'"$2" \
            >"$SCRATCH/$1" || exit 3
}

submission() {
    mkdir "$class/$1"
    cp "$REPO/reference/matmul/solution/exercise1_tiled.cu" "$class/$1/"
}

# marks: of everybody, without what differs between two gradings of the same.
marks() {
    "$GPUGRADE" report "$results" --format csv | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
for row in rows:
    row.pop("seconds"), row.pop("submission")
csv.writer(sys.stdout).writerows([sorted(row.items()) for row in rows])' >"$SCRATCH/$1"
}

same() {
    if [ -s "$SCRATCH/$3" ] && cmp -s "$SCRATCH/$2" "$SCRATCH/$3"; then
        pass "$1"
    else
        fail "$1" "$(diff "$SCRATCH/$2" "$SCRATCH/$3" | cut -c 1-300; cat "$SCRATCH/out")"
    fi
}

# by_printed WORDS: runs the command that follows these words in what was said last.
by_printed() {
    sed -n "s/.*$1//p" "$SCRATCH/out" >"$SCRATCH/command"
    [ -s "$SCRATCH/command" ] || fail "a command is printed after '$1'" "$SCRATCH/out"
    sh "$SCRATCH/command" >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
}

rubric rubric.json .
rubric other.json '.version += 1 | .cases[0].b_width = 5'
submission ant
submission 'Bee, Bob'
submission 1003
cp -R "$class/ant" "$class/dog" # equal files of two students
sed -i '1i #include <unistd.h>\nstatic const unsigned slept = sleep(3);' "$class/1003/exercise1_tiled.cu"
cat >"$roster" <<'END_OF_ROSTER'
id,name,email,section,submitted
1001,Alice Ant,ant@x.edu,Lab 1,2026-11-21 10:00:00 Z
1002,Bob Bee,bob@x.edu,Lab 2,2026-11-20 10:00:00 Z
1003,Cleo Cat,cleo@x.edu,Lab 2,2026-11-22 13:00:00 Z
1004,Dora Dog,dog@x.edu,Lab 1,2026-11-20 10:00:00 Z
1005,Emil Eel,eel@x.edu,Lab 1,
END_OF_ROSTER

# Stopped as soon as it grades the first one, which takes some seconds; gone on with as it says.
"$GPUGRADE" batch "$class" -o "$results" --roster "$roster" --rubric "$SCRATCH/rubric.json" \
    --device emulated --seed 5eed -j1 >"$SCRATCH/out" 2>&1 </dev/null &
batch=$!
is_begun() {
    python3 "$REPO/tests/batch/stored.py" table "$results" 2>/dev/null | grep -q pending &&
        ls -d "$TMPDIR"/*/*/*/build-* >/dev/null 2>&1
}
wait_for is_begun || fail 'a submission is being graded' "$SCRATCH/out"
kill -TERM "$batch"
wait "$batch"
status=$?
if [ "$status" = 143 ] && grep -qF -- "--roster '$roster' -j 1" "$SCRATCH/out"; then
    pass 'a stopped batch prints all that goes on with it'
else
    fail 'a stopped batch prints all that goes on with it' "$SCRATCH/out"
fi
by_printed 'continue with: '
marks begun
if [ "$status" = 0 ] && [ "$(grep -c "'graded'" "$SCRATCH/begun")" = 4 ] &&
    grep -q "'Alice Ant'.*'penalty', '7'" "$SCRATCH/begun" &&
    grep -q "'Cleo Cat'.*'penalty', '21'" "$SCRATCH/begun"; then
    pass 'the printed command finishes the class'
else
    fail 'the printed command finishes the class' "$(cat "$SCRATCH/out" "$SCRATCH/begun")"
fi

for round in first second; do
    "$GPUGRADE" batch --resume -o "$results" >"$SCRATCH/out" 2>&1 </dev/null
    marks resumed
    same "without a roster, $round time: names, times and marks stay" begun resumed
    expect 'and it says so' grep -q 'no roster is given: the earlier one is kept, with its 5 people' \
        "$SCRATCH/out"
done

# A roster that says less.
cut -d , -f 1,2 "$roster" | sed 1,2d | sort -r | sed '1i id,name' >"$SCRATCH/less.csv"
"$GPUGRADE" batch --resume -o "$results" --roster "$SCRATCH/less.csv" >"$SCRATCH/out" 2>&1 </dev/null
marks resumed
same 'a roster without times and without one student takes nothing back' begun resumed

# Another layout, below another folder.
mkdir "$SCRATCH/moved"
mv "$class/ant" "$SCRATCH/moved/Alice_Ant"
mv "$class/Bee, Bob" "$class/1003" "$class/dog" "$SCRATCH/moved/"
"$GPUGRADE" batch "$SCRATCH/moved" --resume -o "$results" >"$SCRATCH/out" 2>&1 </dev/null
marks resumed
same 'nor does another layout' begun resumed
expect 'what has gone is said' grep -q '1 of the earlier submissions is missing now' "$SCRATCH/out"

"$GPUGRADE" regrade "$results" --rubric "$SCRATCH/other.json" --apply >"$SCRATCH/out" 2>&1 </dev/null
by_printed 'to grade everything again: '
marks resumed
same 'the command that regrade prints grades all again, and everybody stays who they are' begun resumed

# Other files, and no time with them.
echo '// once more' >>"$SCRATCH/moved/1003/exercise1_tiled.cu"
"$GPUGRADE" batch --resume -o "$results" >"$SCRATCH/out" 2>&1 </dev/null
marks resumed
same 'other files without a time are as late as before' begun resumed
grep -A 1 '1 to look at: their files have changed' "$SCRATCH/out" >"$SCRATCH/said"
expect 'and that is said' grep -qx '   1003' "$SCRATCH/said"
finish
