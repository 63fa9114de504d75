#!/bin/sh
# report_class.sh: `gpugrade report` on stored results of made-up students.
. "$(dirname -- "$0")/../shell_lib.sh"
maker=${GPUGRADE_BUILD:-$REPO/build}/tests/bench/make_class_store
students=120
results=$SCRATCH/results

[ -x "$maker" ] || { skip 'reports on a class' "there is no $maker" && finish; }
"$maker" "$results" $students >"$SCRATCH/out" 2>&1 || { fail 'a store is made' "$SCRATCH/out" && finish; }

report() {
    "$GPUGRADE" report "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
}

# refused STATUS WORDS ARGUMENT...
refused() {
    wanted=$1
    words=$2
    shift 2
    report "$@"
    status=$?
    if [ "$status" -eq "$wanted" ] && grep -qF -- "$words" "$SCRATCH/err" && [ ! -s "$SCRATCH/out" ]; then
        pass "refused: report $*"
    else
        fail "report $* gives $wanted and says '$words', got $status" "$SCRATCH/err"
    fi
}

refused 2 'report needs the folder' --format csv
refused 2 'report needs a format' "$results"
refused 2 '--format takes one of: csv canvas moodle jsonl html pages pairs' "$results" --format xml
refused 2 'has no results yet' "$SCRATCH/nosuch" --format csv
refused 2 "there is no student 'nobody'" "$results" --format csv --student nobody
refused 2 '--student cannot be used with --format html' "$results" --format html --student s000001
refused 2 '--pseudonyms cannot be used with --format canvas' "$results" --format canvas --pseudonyms
refused 2 '--pseudonyms cannot be used with --format pages' "$results" --format pages --pseudonyms -o "$SCRATCH/x"
refused 2 '--assignment cannot be used with --format csv' "$results" --format csv --assignment x
refused 2 '--assignment needs a name' "$results" --format canvas --assignment ''
refused 2 '--format pages needs a folder' "$results" --format pages
refused 2 "'$SCRATCH' is not empty" "$results" --format pages -o "$SCRATCH"
refused 2 '--format pairs needs a folder' "$results" --format pairs
refused 2 "'$SCRATCH' is not empty" "$results" --format pairs -o "$SCRATCH"
refused 2 '--against cannot be used with --format csv' "$results" --format csv --against "$results"
refused 2 '--output needs the name of a file' "$results" --format csv -o "$SCRATCH"
refused 2 'is part of the results' "$results" --format csv -o "$results/gpugrade.sqlite"

for format in csv jsonl html canvas moodle; do
    if report "$results" --format $format -o "$SCRATCH/$format" && [ ! -s "$SCRATCH/out" ] &&
        [ "$(stat -c %a "$SCRATCH/$format")" = 600 ]; then
        pass "--format $format -o FILE, for its owner alone"
    else
        fail "--format $format -o FILE, for its owner alone" "$SCRATCH/err"
    fi
    report "$results" --format $format
    if cmp -s "$SCRATCH/out" "$SCRATCH/$format"; then
        pass "--format $format: the same on standard output"
    else
        fail "--format $format: the same on standard output" "$SCRATCH/err"
    fi
done

# A reader that is not ours: strict quoting, every line as wide as the header, CRLF.
cat >"$SCRATCH/read.py" <<'EOF'
import csv, re, sys

folder, students = sys.argv[1], int(sys.argv[2])
def table(name):
    with open(f"{folder}/{name}", newline="", encoding="utf-8") as file:
        text = file.read()
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", ""), f"{name}: line ends"
    rows = list(csv.reader(text.splitlines(), strict=True))
    assert all(len(row) == len(rows[0]) for row in rows), f"{name}: widths"
    for row in rows:
        for cell in row:
            assert re.match(r"[-+]?[0-9.]+$", cell) or not re.match(r"[=+\-@\t\r]", cell), cell
    return rows[0], [dict(zip(rows[0], row)) for row in rows[1:]]

head, plain = table("csv")
assert len(plain) == students, len(plain)
marks = {row["student"]: row["mark"] for row in plain}
for row in plain:
    assert (row["mark"] == "") == (row["state"] not in ("graded", "nothing")), row
    assert row["state"] != "nothing" or row["mark"] == "0", row
    points = sum(float(row[name] or 0) for name in head[22::3])
    assert row["raw"] == "" or abs(points - float(row["raw"])) < 1e-3, row
marked = {student: mark for student, mark in marks.items() if mark}
head, canvas = table("canvas")
assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section",
                "Matrix multiplication with shared memory"], head
assert canvas[0]["Student"] == "    Points Possible" and canvas[0][head[5]] == "100", canvas[0]
assert {row["SIS User ID"]: row[head[5]] for row in canvas[1:]} == marked
assert all(row["ID"].isdigit() for row in canvas[1:])
head, moodle = table("moodle")
assert head == ["ID number", "Matrix multiplication with shared memory"], head
assert {row["ID number"]: row[head[1]] for row in moodle} == marked
EOF
if python3 "$SCRATCH/read.py" "$SCRATCH" $students >"$SCRATCH/read" 2>&1; then
    pass 'tables are read by another reader and agree; nobody has a mark without a verdict'
else
    fail 'tables are read by another reader and agree; nobody has a mark without a verdict' "$SCRATCH/read"
fi

cp "$SCRATCH/jsonl" "$SCRATCH/class.jsonl"
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    skip 'lines follow class.schema.json' 'there is no python3-jsonschema'
elif python3 "$REPO/tests/rubrics/validate_schemas.py" "$SCRATCH/class.jsonl" >"$SCRATCH/schema" 2>&1; then
    pass 'lines follow class.schema.json'
else
    fail 'lines follow class.schema.json' "$SCRATCH/schema"
fi

report "$results" --format canvas --assignment 'Lab 6 (4711)'
head -n 1 "$SCRATCH/out" | tr -d '\r' >"$SCRATCH/head"
if [ "$(cat "$SCRATCH/head")" = 'Student,ID,SIS User ID,SIS Login ID,Section,Lab 6 (4711)' ] &&
    grep -q 'marks written: ' "$SCRATCH/err" && grep -q 'left out' "$SCRATCH/err"; then
    pass 'canvas: the column is named, and it says who is left out'
else
    fail 'canvas: the column is named, and it says who is left out' "$SCRATCH/err"
fi

report "$results" --format csv --student s000003
if [ "$(wc -l <"$SCRATCH/out")" -eq 2 ] && grep -q '^s000003,' "$SCRATCH/out"; then
    pass '--student: one line'
else
    fail '--student: one line' "$SCRATCH/out"
fi

told=''
for format in csv jsonl html; do
    report "$results" --format $format --pseudonyms
    cp "$SCRATCH/out" "$SCRATCH/pseudonyms.$format"
    report "$results" --format $format --pseudonyms
    cmp -s "$SCRATCH/out" "$SCRATCH/pseudonyms.$format" || told="$told $format differs"
    # Made-up names end in twelve random digits, which may be any of these words.
    sed -E 's/-[0-9a-f]{12}/-/g' "$SCRATCH/out" >"$SCRATCH/nameless"
    for word in Lovelace example.org s000003 9003 Family 'Lab 1'; do
        ! grep -qF "$word" "$SCRATCH/nameless" || told="$told $format tells $word"
    done
done
if [ -z "$told" ]; then
    pass '--pseudonyms: no name, address or id is told, and they stay the same'
else
    fail '--pseudonyms: no name, address or id is told, and they stay the same' "$told"
fi

report "$results" --format pages -o "$SCRATCH/pages"
status=$?
find "$SCRATCH/pages" -name '*.html' | wc -l >"$SCRATCH/count"
grep -cE '^[^,]*(,[^,]*)*,(graded|nothing|missing),' "$SCRATCH/csv" >"$SCRATCH/wanted"
if [ $status -eq 0 ] && [ "$(cat "$SCRATCH/count")" -eq "$(cat "$SCRATCH/wanted")" ] &&
    [ "$(stat -c %a "$SCRATCH/pages")" = 700 ] && grep -q 'Mark: <strong>' "$SCRATCH/pages/s000000.html" &&
    grep -q 'Nothing could be graded' "$SCRATCH/pages/s000005.html" &&
    grep -q 'Nothing was handed in' "$SCRATCH/pages/s000008.html" &&
    grep -q 'exercise1_tiled.cu' "$SCRATCH/pages/s000003.html" && [ ! -e "$SCRATCH/pages/s000006.html" ]; then
    pass 'pages: one for each who has a verdict or handed in nothing, for their owner alone'
else
    fail 'pages: one for each who has a verdict or handed in nothing, for their owner alone' "$SCRATCH/err"
fi
if grep -l 's000003' "$SCRATCH/pages"/*.html | grep -qv 's000003.html$'; then
    fail 'pages: none names another student'
else
    pass 'pages: none names another student'
fi
cat >"$SCRATCH/mail.py" <<'EOF'
import csv, os, sys
folder = sys.argv[1]
with open(folder + "/pages/pages.csv", newline="") as file:
    rows = list(csv.DictReader(file))
with open(folder + "/csv", newline="") as file:
    marks = {row["student"]: (row["email"], row["mark"]) for row in csv.DictReader(file)}
assert {row["page"] for row in rows} == set(os.listdir(folder + "/pages")) - {"pages.csv"}
assert all(marks[row["student"]] == (row["email"], row["mark"]) for row in rows)
EOF
if python3 "$SCRATCH/mail.py" "$SCRATCH" >"$SCRATCH/read" 2>&1; then
    pass 'pages.csv: every page, and whose it is'
else
    fail 'pages.csv: every page, and whose it is' "$SCRATCH/read"
fi
report "$results" --format pages --for moodle -o "$SCRATCH/moodle_pages"
expect 'pages --for moodle: who is not known there is said' \
    grep -q "the platform's name for it is not known: " "$SCRATCH/err"
refused 2 '--for cannot be used with --format csv' "$results" --format csv --for moodle
if report "$results" --format pages -o "$SCRATCH/one" --student s000003 &&
    [ "$(cd "$SCRATCH/one" && echo *)" = 'pages.csv s000003.html' ] &&
    cmp -s "$SCRATCH/one/s000003.html" "$SCRATCH/pages/s000003.html"; then
    pass 'pages --student: the same page alone'
else
    fail 'pages --student: the same page alone' "$SCRATCH/err"
fi

# Writing fails at 35 KiB, as on a full disk: nothing half is left.
(trap '' XFSZ && ulimit -f 70 && "$GPUGRADE" report "$results" --format pages -o "$SCRATCH/full") >"$SCRATCH/out" 2>"$SCRATCH/err"
status=$?
if [ $status -eq 3 ] && grep -q 'cannot be written: File too large' "$SCRATCH/err" && [ ! -e "$SCRATCH/full" ] && [ -z "$(find "$SCRATCH" -name 'full.partial*')" ]; then
    pass 'pages that do not fit leave nothing'
else
    fail "pages that do not fit leave nothing, status $status" "$SCRATCH/err"
fi
finish
