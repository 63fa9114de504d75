#!/bin/sh
# similarity.sh: who is said to be alike in a small class: a disguised copy, and equal files; not who
# solved it alone, nor who has only what the template and the reference solution have. Students are
# told nothing of it.
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
finish
