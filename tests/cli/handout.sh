#!/bin/sh
# handout.sh: what `gpugrade handout` writes: complete, without the solution, built with plain nvcc and
# checked where it lies.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
folder=$SCRATCH/handed

# run ARGUMENTS...: sets status, leaves out and err.
run() {
    "$GPUGRADE" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# refused TEXT ARGUMENTS...: handout says the text and ends with 2.
refused() {
    text=$1
    shift
    run handout "$@"
    expect "refused: $text" test "$status" -eq 2
    expect "told: $text" grep -q -F -- "$text" "$SCRATCH/err"
}

refused 'handout needs a coursework and a folder' matmul
refused "there is no coursework 'nosuch'; known: adjacent_difference, convolution" nosuch "$folder"
refused "there is no coursework '../matmul'" ../matmul "$folder"
refused "unexpected argument 'more'" matmul "$folder" more
mkdir "$folder"
echo kept >"$folder/.hidden"
refused 'is not empty' matmul "$folder"
expect 'nothing is written over' test "$(ls -A "$folder")" = .hidden
refused 'is not a readable folder' matmul "$folder/.hidden"
rm "$folder/.hidden"
printf '{ "schema": "gpugrade/rubric/v1",\n  "extends": "matmul",\n  "speed": 1 }\n' >"$SCRATCH/bad.json"
refused 'bad.json:3:3' matmul "$folder" --rubric "$SCRATCH/bad.json"
expect 'and nothing is written' test -z "$(ls -A "$folder")"
refused "is a rubric of copy, not of matmul" matmul "$folder" --rubric "$REPO/tests/rubrics/valid/minimal.json"

run handout matmul "$folder"
expect 'it succeeds' test "$status" -eq 0
for file in Makefile README.md cuda.md exercise1_tiled.cu exercise2_dynamic.cu matmul.h main.cu naive.cu gpugrade.h rubric.json; do
    expect "it holds $file" test -s "$folder/$file"
    expect "it names $file" grep -q "^   $file\$" "$SCRATCH/out"
done
expect 'and nothing else' test "$(find "$folder" -mindepth 1 | wc -l)" -eq 10
expect 'the rubric is the shipped one' cmp "$folder/rubric.json" "$REPO/rubrics/matmul.json"
expect 'it says how to check' grep -q '^students check with: gpugrade check \.$' "$SCRATCH/out"
expect 'the sheet links to what lies beside it' grep -qF '](cuda.md)' "$folder/README.md"
# shellcheck disable=SC2016 # no expansion is meant
sed -n '/^```cuda$/,/^```$/p' "$folder/cuda.md" | sed '/^```/d' >"$SCRATCH/fold.cu"
run run "$SCRATCH/fold.cu" --device emulated
expect 'the program of cuda.md prints what it says' grep -qxF "$(sed -n 's,.*/\* \([0-9]* [0-9]*\) \*/$,\1,p' "$SCRATCH/fold.cu")" "$SCRATCH/out"
expect 'without findings' test "$status" -eq 0

if command -v nvcc >/dev/null 2>&1 || [ -x /usr/local/cuda/bin/nvcc ]; then
    PATH=$PATH:/usr/local/cuda/bin make -C "$folder" build >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
    expect 'make builds it with plain nvcc' test "$status" -eq 0 -a -x "$folder/exercise1" -a -x "$folder/exercise2"
else
    skip 'make builds it' 'there is no nvcc'
fi
run check --device emulated --seed 1 "$folder"
expect 'the template can be checked' test "$status" -eq 1
expect 'and is told so' grep -q 'still the template' "$SCRATCH/out"
cp "$REPO"/reference/matmul/solution/*.cu "$folder"
run check --device emulated --seed 1 --rubric "$folder/rubric.json" "$folder"
expect 'the exercises are all that is missing' test "$status" -eq 0

# An overlay that changes what students see.
printf '{ "schema": "gpugrade/rubric/v1", "extends": "matmul", "version": 8,
  "criteria": [{ "id": "compile", "points": 7 }, { "id": "occupancy", "hidden": true }] }\n' >"$SCRATCH/own.json"
run handout matmul "$SCRATCH/own/deep" --rubric "$SCRATCH/own.json"
expect 'an overlay is handed out' test "$status" -eq 0
expect 'its rubric is one file' jq -e \
    'has("extends") == false and .version == 8 and .total == 97 and .criteria[0].points == 7 and
        ([.criteria[].id] | index("occupancy")) == null' "$SCRATCH/own/deep/rubric.json"
expect 'the sheet names it' grep -q '^    gpugrade check \. --rubric rubric\.json$' "$SCRATCH/own/deep/README.md"
expect 'what is left out is counted' grep -q '^left out: 0 hidden cases, 1 hidden criteria$' "$SCRATCH/out"
finish
