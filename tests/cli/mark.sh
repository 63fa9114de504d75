#!/bin/sh
# mark.sh: `gpugrade mark`: what people decide about students, on stored results of made-up ones.
. "$(dirname -- "$0")/../shell_lib.sh"
maker=${GPUGRADE_BUILD:-$REPO/build}/tests/bench/make_class_store
results="$SCRATCH/the results"

[ -x "$maker" ] || { skip 'decisions about students' "there is no $maker" && finish; }
"$maker" "$results" 40 >"$SCRATCH/out" 2>&1 || { fail 'a store is made' "$SCRATCH/out" && finish; }

mark() {
    "$GPUGRADE" mark "$results" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# says WORDS ARGUMENT...: mark does it and says so; refused WORDS ARGUMENT...: it does not.
says() {
    words=$1
    shift
    mark "$@"
    if [ "$status" -eq 0 ] && grep -qF -- "$words" "$SCRATCH/out"; then
        pass "mark $* says '$words'"
    else
        fail "mark $* says '$words'" "$(cat "$SCRATCH/out" "$SCRATCH/err")"
    fi
}

refused() {
    words=$1
    shift
    mark "$@"
    if [ "$status" -eq 2 ] && grep -qF -- "$words" "$SCRATCH/err" && [ ! -s "$SCRATCH/out" ]; then
        pass "refused: mark $*"
    else
        fail "refused: mark $*, with '$words'" "$(cat "$SCRATCH/out" "$SCRATCH/err")"
    fi
}

says 'nothing was decided by a person' s000001
says 'mark 87.5 of 100 -> 90.5 of 100' s000001 --points 3 --reason 'asked well' --by tutor
says 'as decision 1 says already' s000001 --points 3 --reason 'asked well'
says '2 more days: ill (decision 2)' s000001@example.org --extend 2 --reason ill
expect 'an extension without a due time says so' grep -q "never: the rubric has no 'late'" "$SCRATCH/out"
says '-> excused' "O'Brien; \"Jane\"" --excuse --reason 'parental leave'
says 'comment: Talk to me (decision 4)' s000003 --comment 'Talk to me'
says '  by a person     3' s000001
says 'tutor  s000001' s000001
"$GPUGRADE" mark "$results" s000004 --points -2 >"$SCRATCH/out" 2>&1
sed -n 's/^take it back: //p' "$SCRATCH/out" >"$SCRATCH/command"
sed -i "s|^gpugrade|'$GPUGRADE'|" "$SCRATCH/command"
if sh "$SCRATCH/command" >"$SCRATCH/out" 2>&1 &&
    grep -q 'decision 5 is undone: s000004 .*: 2 points taken off' "$SCRATCH/out" &&
    grep -q '  mark 88 of 100 -> 90 of 100' "$SCRATCH/out"; then
    pass 'the printed command takes it back'
else
    fail 'the printed command takes it back' "$(cat "$SCRATCH/command" "$SCRATCH/out")"
fi
says '(undone at ' s000004
refused 'decision 5 was undone before' --undo 5
refused 'there is no decision 77' --undo 77
refused "no student 's00001'; did you mean 's000001'?" s00001 --points 1
refused 'a decision needs a student' --points 1
refused 'need a command each' s000001 --points 1 --undo 1
refused "handed in no 'other'" s000001 --drop other
refused 'expected a time such as' s000001 --until soon
refused 'expected a time such as' s000010 --until '2026-11-22 23:59:00'
refused '--zone takes an offset' s000010 --until '2026-11-22 23:59:00' --zone Nowhere/Land
says 'due at 2026-11-22T22:59:00Z (decision 6)' s000010 --until '2026-11-22 23:59:00' --zone +01:00
says 'due at 2026-11-23T22:59:00Z (decision 7)' s000010 --until '2026-11-23 23:59:00'
expect 'an extension says what it takes the place of' \
    grep -qF 'it takes the place of decision 6: due at 2026-11-22T22:59:00Z' "$SCRATCH/out"
expect 'a zone that is kept is not said' test ! -s "$SCRATCH/err"
says 'due at 2026-11-24T21:59:00Z (decision 8)' s000010 --until '2026-11-24 23:59:00' --zone +02:00
expect 'another zone is said' grep -qF 'of +02:00 from now on, no longer of +01:00' "$SCRATCH/err"
says 'due at 2026-11-23T22:59:00Z (decision 8 took its place)' s000010
says 'due at 2026-11-25T21:59:00Z' s000010 --until '2026-11-25 23:59:00'
says '  2026-11-20T23:09:10Z  s000010: ' s000010

cat >"$SCRATCH/table.csv" <<'EOF'
student,name,points,reason,comment
s000005,,1.5,found a mistake,
s000007@example.org,,,,Nice
nobody,,1,,
EOF
refused 'table.csv:4' --table "$SCRATCH/table.csv"
mark
if grep -q 'found a mistake' "$SCRATCH/out"; then
    fail 'a table is taken as a whole or not at all' "$SCRATCH/out"
else
    pass 'a table is taken as a whole or not at all'
fi
sed -i '/^nobody/d' "$SCRATCH/table.csv"
says 'decisions in the table: 2' --table "$SCRATCH/table.csv"
says 'marks that changed: 0' --table "$SCRATCH/table.csv"

mkdir "$SCRATCH/reports"
if python3 "$REPO/tests/batch/one_mark.py" "$GPUGRADE" "$results" "$SCRATCH/reports" \
    >"$SCRATCH/differs" 2>&1; then
    pass 'each report has the marks that were decided'
else
    fail 'each report has the marks that were decided' "$SCRATCH/differs"
fi
"$GPUGRADE" report "$results" --format canvas 2>/dev/null >"$SCRATCH/canvas"
expect 'Canvas is told who is excused' grep -q '^"O.Brien; ""Jane""",.*,EX' "$SCRATCH/canvas"
pages=$SCRATCH/reports/pages
expect 'a page shows the comment' grep -q '<p class="lead comment">Talk to me</p>' "$pages/s000003.html"
expect 'a page shows the points and why' \
    grep -q 'Mark: <strong>90.5</strong> of 100. Decided by a person: 3 points added: asked well' \
    "$pages/s000001.html"
expect 'a page says that its student is excused' grep -q 'You are excused' "$pages/s000002.html"
"$GPUGRADE" report "$results" --format html >"$SCRATCH/class.html"
expect 'the page on the class lists decisions' grep -q '2 more days: ill</td><td>' "$SCRATCH/class.html"
"$GPUGRADE" report "$results" --format csv --student 'o.brien; "jane"' >"$SCRATCH/out" 2>&1
expect 'report --student takes a name' grep -q '^s000002,' "$SCRATCH/out"
"$GPUGRADE" report "$results" --format jsonl --pseudonyms >"$SCRATCH/lines"
if grep -qE 'asked well|tutor|Talk to me' "$SCRATCH/lines"; then
    fail 'reports with made-up names tell no words of people' "$SCRATCH/lines"
else
    pass 'reports with made-up names tell no words of people'
fi

"$GPUGRADE" forget "$results" s000003 >"$SCRATCH/out" 2>&1
expect 'forget shows what it would remove' grep -q 'nothing is removed yet' "$SCRATCH/out"
says 'Talk to me' s000003
"$GPUGRADE" forget "$results" s000003 --apply >"$SCRATCH/out" 2>&1
expect 'forget --apply removes a student' \
    grep -q 'removed: s000003, with submissions: 1, decisions: 1' "$SCRATCH/out"
refused "there is no student 's000003'" s000003
if cat "$results"/gpugrade.sqlite* | grep -qaE 's000003|Talk to me'; then
    fail 'nothing of the student is left in the results'
else
    pass 'nothing of the student is left in the results'
fi
finish
