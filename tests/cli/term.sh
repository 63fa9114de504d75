#!/bin/sh
# term.sh: `gpugrade term` on stored results of made-up students.
. "$(dirname -- "$0")/../shell_lib.sh"
maker=${GPUGRADE_BUILD:-$REPO/build}/tests/bench/make_class_store
term=$SCRATCH/term

[ -x "$maker" ] || { skip 'a term' "there is no $maker" && finish; }
mkdir "$term"
for class in lab1:30 lab2:25 project:40; do
    "$maker" "$term/${class%:*}" "${class#*:}" || { fail 'stores are made' '' && finish; }
done
cat >"$SCRATCH/ranked.json" <<'END'
{"schema": "gpugrade/rubric/v1", "extends": "matmul", "leaderboard": {"measure": "speedup", "names": "a secret"}}
END
"$GPUGRADE" regrade "$term/lab2" --rubric "$SCRATCH/ranked.json" --apply >"$SCRATCH/out" 2>&1 ||
    fail 'a class is ranked' "$SCRATCH/out"
cat >"$term/term.json" <<'END'
{"title": "GPUs & more", "out_of": 60,
 "parts": [{"title": "Labs", "weight": 40, "best": 1,
            "courseworks": [{"results": "lab1"}, {"results": "lab2/", "weight": 2}]},
           {"title": "Project", "weight": 60, "courseworks": [{"results": "project"}]}]}
END

# says STATUS WORDS NAME ARGUMENT...
says() {
    wanted=$1 words=$2 name=$3
    shift 3
    "$GPUGRADE" term "$@" >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
    if [ "$status" -eq "$wanted" ] && grep -qF -- "$words" "$SCRATCH/out"; then
        pass "$name"
    else
        fail "$name" "exit status $status: $(cat "$SCRATCH/out")"
    fi
}

says 2 'term needs the file' 'a term needs a folder' "$term/term.json"
echo '{"title": "T", "parts": [{"title": "P", "courseworks": [{"results": "none"}]}]}' \
    >"$SCRATCH/none.json"
says 2 'has no results yet' 'a coursework must be there' "$SCRATCH/none.json" -o "$SCRATCH/pages"
says 0 '40 students, 3 courseworks' 'a term is put together' "$term/term.json" -o "$term/pages"
says 0 '40 students, 3 courseworks' 'and once more into the same folder' "$term/term.json" \
    -o "$term/pages"

for folder in lab1 lab2 project; do
    "$GPUGRADE" report "$term/$folder" --format csv -o "$SCRATCH/$folder.csv"
done
cat >"$SCRATCH/check.py" <<'END'
"""check.py PAGES CSV-OF-LAB1 -LAB2 -PROJECT: the totals, worked out from the marks of the classes; and
that links lead to files and rows that are there."""
import csv, pathlib, re, sys
pages = pathlib.Path(sys.argv[1])
classes = [{row["student"]: row for row in csv.DictReader(open(name, newline=""))} for name in sys.argv[2:]]
rows = list(csv.DictReader(open(pages / "term.csv", newline="")))
assert len(rows) == 40 and [row["student"] for row in rows] == sorted(row["student"] for row in rows)
def share(row):
    if row is None or row["state"] == "missing":
        return 0.0
    return float(row["mark"]) / float(row["maximum"]) if row["mark"] else None
for row in rows:
    lab1, lab2, project = (share(one.get(row["student"])) for one in classes)
    parts = [(40, max((one for one in (lab1, lab2) if one is not None), default=None)), (60, project)]
    parts = [(weight, value) for weight, value in parts if value is not None]
    total = 60 * sum(w * v for w, v in parts) / sum(w for w, _ in parts) if parts else None
    assert (row["total"] == "") == (total is None), row
    assert total is None or abs(float(row["total"]) - total) < 1e-6, (row, total)
    assert (row["complete"] == "no") == (None in (lab1, lab2, project)), row
files = {path.name: path.read_text() for path in pages.glob("*.html")}
for name, text in files.items():
    for target in re.findall(r'href="([^"]*)"', text):
        file, _, place = target.partition("#")
        page = files[file] if file.endswith(".html") else text if file == "" else None
        assert page is None and (pages / file).exists() or page is not None, (name, target)
        assert place == "" or page is None or f'id="{place}"' in page, (name, target)
assert sum("1-lab1.html#s" in line for line in files["index.html"].splitlines()) == 30
board = "leaderboard-2-lab2.html"
assert [name for name in files if "leaderboard" in name] == [board]
assert "Family" not in files[board] and len(re.findall("<th scope=.row.>", files[board])) > 5
assert [name for name, text in sorted(files.items()) if f'href="{board}"' in text] == ["2-lab2.html", "index.html"]
assert "of <a href=\"index.html\">GPUs &amp; more</a>" in files["3-project.html"]
END
if python3 "$SCRATCH/check.py" "$term/pages" "$SCRATCH/lab1.csv" "$SCRATCH/lab2.csv" \
    "$SCRATCH/project.csv" >"$SCRATCH/out" 2>&1; then
    pass 'totals follow from the marks, and links lead somewhere'
else
    fail 'totals follow from the marks, and links lead somewhere' "$SCRATCH/out"
fi
if [ "$(stat -c %a "$term/pages" "$term/pages"/* | sort -u | tr '\n' ' ')" = '600 700 ' ]; then
    pass 'only their owner reads them'
else
    fail 'only their owner reads them' "$(ls -l "$term/pages")"
fi
finish
