#!/bin/sh
# similarity.sh: who is said to be alike in a small class: a disguised copy, and equal files; not who
# solved it alone, nor who has only what the template and the reference solution have. Students are
# told nothing of it. Then the marks of that class come about again.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
right=$REPO/tests/submissions/matmul/right
class=$SCRATCH/class
results=$SCRATCH/results
file=exercise1_tiled.cu

# hand_in NAME SOURCE: one exercise of two is enough.
hand_in() {
    mkdir -p "$class/$1"
    cp "$2" "$class/$1/$file"
}

# disguise: other names, comments and layout, and declarations in another order.
disguise() {
    sed -e '1,2d' -e 's/\bleft\b/cache_one/g; s/\bright\b/cache_two/g; s/\bsum\b/dot/g' \
        -e 's/\btx\b/lane/g; s/\bty\b/line/g; s/\brow\b/i/g; s/\bcolumn\b/j/g; s/\bnow\b/phase/g' \
        -e 's/\bnext_a\b/one/g; s/\bnext_b\b/two/g; s/\bBLOCK_SIZE\b/EDGE/g; s/\btile\b/t/g' "$1" |
        sed -e '/__shared__ float cache_one/ { h; d; }' -e '/__shared__ float cache_two/ G' |
        sed -e '/^    int i = / { h; d; }' -e '/^    int j = / G' -e 's/) {$/)\n    {/' \
            -e 's/^    /\t/; s/;$/; \/\/ see the notes/'
}

mkdir -p "$class/bert"
hand_in anna "$right/double_buffering/$file"
disguise "$right/double_buffering/$file" >"$class/bert/$file"
hand_in cleo "$right/pointer_walking/$file"
hand_in dora "$REPO/reference/matmul/solution/$file"
hand_in emil "$right/pointer_walking/$file"
hand_in fred "$right/timed_launch/$file" # the reference's kernel
"$GPUGRADE" batch "$class" -o "$results" --coursework matmul --seed 1 --device emulated \
    >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
"$GPUGRADE" report "$results" --format jsonl >"$SCRATCH/class.jsonl" 2>>"$SCRATCH/err"
jq -r 'select(.type == "pair") | "\(.first) \(.second) \(.program) \(.likeness >= 0.9)"
       + " \(.shared_instructions >= 16) \(.same_content)"' "$SCRATCH/class.jsonl" |
    sort >"$SCRATCH/got"
cat >"$SCRATCH/expected" <<'END'
anna bert tiled true true false
cleo emil tiled true true true
END
if diff "$SCRATCH/expected" "$SCRATCH/got" >"$SCRATCH/diff"; then
    pass 'a disguised copy and equal files are told, and nobody else'
else
    cat "$SCRATCH/class.jsonl" "$SCRATCH/out" "$SCRATCH/err" >>"$SCRATCH/diff"
    fail 'a disguised copy and equal files are told, and nobody else' "$SCRATCH/diff"
fi

"$GPUGRADE" report "$results" --format html >"$SCRATCH/class.html" 2>>"$SCRATCH/err"
"$GPUGRADE" report "$results" --format html --pseudonyms >"$SCRATCH/pseudonyms.html" \
    2>>"$SCRATCH/err"
if grep -q 'Pairs of students' "$SCRATCH/class.html" &&
    grep -q 'Pairs of students' "$SCRATCH/pseudonyms.html" &&
    ! grep -qE 'anna|bert' "$SCRATCH/pseudonyms.html"; then
    pass 'the dashboard shows them, by pseudonyms too'
else
    fail 'the dashboard shows them, by pseudonyms too' "$SCRATCH/err"
fi

"$GPUGRADE" report "$results" --format pages --output "$SCRATCH/pages" >>"$SCRATCH/out" \
    2>>"$SCRATCH/err"
pages=$(find "$SCRATCH/pages" -name '*.html' | wc -l)
if [ "$pages" -ge 6 ] && ! grep -rlqE 'lik[e]ness|device_code' "$SCRATCH/pages" &&
    ! grep -q anna "$SCRATCH/pages"/*bert*; then
    pass 'pages of students say nothing of it'
else
    fail 'pages of students say nothing of it' "$pages pages: $(cat "$SCRATCH/err")"
fi

# Side by side, with what is the same marked; a class of last year may be the other side.
cat >"$SCRATCH/pairs.py" <<'END'
"""pairs.py FOLDER: of each page who it is about, and which of all lines that have text are marked,
as "left|right|share of the left|share of the right"; and that links lead to lines that are there."""
import html.parser, pathlib, re, sys

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.names, self.sides, self.ids, self.links, self.where = [], [], set(), [], None
    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.ids.add(of.get("id"))
        if tag == "a" and of.get("href", "").startswith("#"):
            self.links.append(of["href"][1:])
        if tag == "h2":
            self.names.append("")
            self.sides.append([])
        if tag == "li":
            self.sides[-1].append([of.get("class") == "shared", ""])
        self.where = tag if tag in ("h2", "code", "li") else self.where
    def handle_endtag(self, tag):
        self.where = None
    def handle_data(self, data):
        if self.where == "h2":
            self.names[-1] += data
        elif self.where == "code" and self.sides:
            self.sides[-1][-1][1] += data

for path in sorted(pathlib.Path(sys.argv[1]).glob("pair-*.html"), key=lambda one: len(one.name)):
    page = Page()
    page.feed(path.read_text())
    assert set(page.links) <= page.ids and page.links, path
    marked = []
    for side in page.sides:
        lines = [is_marked for is_marked, text in side if len(re.findall(r"\w+", text)) > 2]
        marked.append(round(sum(lines) / len(lines), 1))
    print("|".join(page.names + [str(share) for share in marked]))
END
"$GPUGRADE" report "$results" --format pairs -o "$SCRATCH/pairs" >"$SCRATCH/out" 2>&1
python3 "$SCRATCH/pairs.py" "$SCRATCH/pairs" >"$SCRATCH/got" 2>&1
if [ "$(cut -d '|' -f 1,2 "$SCRATCH/got" | sort | tr '\n' ' ')" = 'anna|bert cleo|emil ' ] &&
    awk -F '|' '$3 < 0.3 || $4 < 0.3 { exit 1 }' "$SCRATCH/got" &&
    [ "$(stat -c %a "$SCRATCH/pairs/pair-1.html")" = 600 ]; then
    pass 'pairs are shown side by side, their lines marked'
else
    fail 'pairs are shown side by side, their lines marked' "$(cat "$SCRATCH/out" "$SCRATCH/got")"
fi
cp -r "$results" "$SCRATCH/last_year"
"$GPUGRADE" report "$results" --format pairs --against "$SCRATCH/last_year" -o "$SCRATCH/both" \
    >"$SCRATCH/out" 2>&1
python3 "$SCRATCH/pairs.py" "$SCRATCH/both" 2>&1 | cut -d '|' -f 1,2 | sort >"$SCRATCH/got"
sed "s|LAST|of $SCRATCH/last_year|" >"$SCRATCH/expected" <<'END'
anna|anna LAST
anna|bert
anna|bert LAST
bert|anna LAST
bert|bert LAST
cleo|cleo LAST
cleo|emil
cleo|emil LAST
emil|cleo LAST
emil|emil LAST
END
if sort "$SCRATCH/expected" | diff - "$SCRATCH/got" >"$SCRATCH/diff"; then
    pass 'students of last year are compared with those of this one'
else
    fail 'students of last year are compared with those of this one' "$(cat "$SCRATCH/out" "$SCRATCH/diff")"
fi

# The marks come about again from what the results say of themselves.
head -n 1 "$SCRATCH/class.jsonl" >"$SCRATCH/origin"
"$GPUGRADE" batch "$class" -o "$SCRATCH/again" --coursework "$(jq -r .coursework "$SCRATCH/origin")" \
    --seed "$(jq -r .seed "$SCRATCH/origin")" --device emulated >"$SCRATCH/out" 2>&1 </dev/null
"$GPUGRADE" report "$SCRATCH/again" --format jsonl 2>>"$SCRATCH/out" | head -n 1 |
    jq -c '[.rubric, .seed, .grader]' >"$SCRATCH/got"
jq -c '[.rubric, .seed, .grader]' "$SCRATCH/origin" >"$SCRATCH/expected"
for table in "$results" "$SCRATCH/again"; do
    "$GPUGRADE" report "$table" --format csv 2>>"$SCRATCH/out" | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print({name: cell for name, cell in row.items() if name != "seconds"})' >"$table.rows"
done
if cmp -s "$SCRATCH/expected" "$SCRATCH/got" && [ -s "$results.rows" ] &&
    diff "$results.rows" "$SCRATCH/again.rows" >"$SCRATCH/diff"; then
    pass 'marks come about again by the same rubric and seed'
else
    fail 'marks come about again by the same rubric and seed' "$(cat "$SCRATCH/out" "$SCRATCH/diff")"
fi
finish
