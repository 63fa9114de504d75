#!/bin/sh
# usage.sh: command lines that are refused before anything runs: message, exit status, and nothing on
# standard output.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution

# refused STATUS WORDS-OF-THE-MESSAGE ARGUMENTS...
refused() {
    expected=$1
    words=$2
    shift 2
    "$GPUGRADE" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
    if [ "$status" -ne "$expected" ]; then
        fail "$* exits with $expected, got $status" "$SCRATCH/err"
    elif ! grep -qF -- "$words" "$SCRATCH/err"; then
        fail "$* says: $words" "$SCRATCH/err"
    elif [ -s "$SCRATCH/out" ]; then
        fail "$* prints nothing on standard output" "$SCRATCH/out"
    elif ! grep -q '^gpugrade: ' "$SCRATCH/err"; then
        fail "$* signs its message" "$SCRATCH/err"
    else
        pass "refused: $*"
    fi
}

refused 2 "unknown command 'chekc'" chekc
refused 2 "unknown option '--sede'" check --sede 1
refused 2 '--seed takes 1 to 16' check --seed xyz "$solution"
refused 2 '--seed takes 1 to 16' check --seed 11112222333344445 "$solution"
refused 2 '--seed needs a value' check --seed
refused 2 'one of: auto always never' check --color pink "$solution"
refused 2 "unexpected argument 'b'" check a b
refused 2 'give one of them' check --coursework matmul --rubric x.json "$solution"
refused 2 "no coursework 'nosuch'; known: adjacent_difference, convolution" check --coursework nosuch "$solution"
refused 2 "no coursework '../matmul'" check --coursework ../matmul "$solution"
refused 2 "no criterion 'speling'; it has: compile" check --only speling "$solution"
refused 2 "'race'; did you mean 'race-free.tiled'? it has: compile" check --only race "$solution"
refused 2 "'transpsoe'; did you mean 'transpose'?" check --coursework transpsoe "$solution"
refused 2 'H200' check --gpu-model RTX9999 "$solution"
refused 2 'gpugrade regrade RESULTS --rubric FILE' regrade --apply
refused 2 "--html needs the name of a file, got '-'" check --html - "$solution"
refused 2 '--html needs the name of a file' check --html "$SCRATCH" "$solution"
refused 2 '--html: ' check --html "$SCRATCH/nosuch/page.html" "$solution"
for list in '' ',' '0,' '0,,1' x 12345 -1 GPU-xyz; do
    refused 2 '--gpus takes numbers or UUID prefixes' check --gpus "$list" "$solution"
done
refused 2 '--gpus is for real GPUs' check --device emulated --gpus 0 "$solution"
refused 2 '--gpu-model is for the emulated device' check --device cuda --gpu-model H200 "$solution"
refused 2 'one of: auto emulated cuda' check --device real "$solution"
refused 2 '--precise takes no value' check --precise=yes "$solution"
refused 2 'step needs the name of the page that it writes: -o page.html' step "$solution"
refused 2 "--block takes X, X,Y or X,Y,Z, got '1,'" step "$solution" -o "$SCRATCH/page" --block 1,
refused 2 'name both in one folder' step "$solution" -o "$SCRATCH/page" --html /tmp/report.html
refused 2 '--html is for the report on a submission' step a.cu -o "$SCRATCH/page" --html "$SCRATCH/report"
refused 2 'step takes one submission' step "$solution" "$solution" -o "$SCRATCH/page"
refused 2 'gpugrade batch SUBMISSIONS -o RESULTS' batch "$solution"
refused 2 'cannot be opened' batch "$SCRATCH/nosuch" -o "$SCRATCH/results"
refused 2 'SUBMISSIONS must be a folder' batch "$solution/exercise1_tiled.cu" -o "$SCRATCH/results"
refused 2 '-j takes a number from 1 to 1024' batch "$solution" -o "$SCRATCH/results" -j 0
refused 2 "the roster '$SCRATCH/nosuch'" batch "$solution" -o "$SCRATCH/results" --roster "$SCRATCH/nosuch"
refused 2 'gpugrade new vector_add FOLDER' new
refused 2 "letters, digits and '_', at most 40, got 'Vector'" new Vector "$SCRATCH/made"
refused 2 "got '../up'" new ../up "$SCRATCH/made"
refused 2 "cannot be called 'common'" new common "$SCRATCH/made"
refused 2 "unexpected argument 'three'" new one two three
refused 2 'gpugrade lint RUBRIC.json' lint
refused 2 '-j takes a number from 1 to 1024' lint -j 0 matmul
refused 2 '--seed takes 1 to 16' lint --seed xyz matmul
refused 2 'one of: rubric solution fixtures' lint --depth all matmul
refused 2 "unexpected argument 'now'" doctor now
refused 2 "unknown option '--seed'" doctor --seed 1
refused 2 'one of: auto A B C' doctor --sandbox D
refused 2 'needs the name of a file' doctor --json "$SCRATCH"

refused 2 'cannot be opened' check "$SCRATCH/nosuch"
echo x >"$SCRATCH/archive.zip"
refused 2 'this is not an archive that can be read' check "$SCRATCH/archive.zip"
mkdir "$SCRATCH/empty" "$SCRATCH/half" "$SCRATCH/folders"
refused 2 "'gpugrade courses' lists" check "$SCRATCH/empty"
ln -s "$solution/exercise1_tiled.cu" "$SCRATCH/half/"
refused 2 'exercise2_dynamic.cu' check "$SCRATCH/half"
refused 2 'is a symbolic link' check "$SCRATCH/half"
refused 2 'exercise2_dynamic.cu' check --coursework matmul "$SCRATCH/half"
mkdir "$SCRATCH/folders/exercise1_tiled.cu" "$SCRATCH/folders/exercise2_dynamic.cu"
refused 2 "'gpugrade courses' lists" check "$SCRATCH/folders"
refused 2 'needs the name of a file' check --json "$SCRATCH" "$solution"
refused 2 'cannot be written' check --json "$SCRATCH/nosuch/score.json" "$solution"

mkdir -p "$SCRATCH/deep/hw"
cp "$solution"/*.cu "$SCRATCH/deep/hw/"
echo x >"$SCRATCH/deep/README.txt"
refused 2 "exercise1_tiled.cu (found in 'hw/', not at the top)" check --coursework matmul "$SCRATCH/deep"
long=$(printf '%201s' x)
line=$(printf 'gpugrade check .\n::error::x')
for command in "$long" "$line"; do
    GPUGRADE_AGAIN=$command
    export GPUGRADE_AGAIN
    refused 2 'GPUGRADE_AGAIN must be a command for students: one line of at most 200' check "$solution"
done
GPUGRADE_AGAIN='gpugrade check . --coursework matmul'
mkdir "$SCRATCH/near"
cp "$solution/exercise1_tiled.cu" "$SCRATCH/near/Exercise1_Tiled.cu"
cp "$solution/exercise2_dynamic.cu" "$SCRATCH/near/exercise2_dynamic (1).cu"
"$GPUGRADE" check "$SCRATCH/near" --device emulated --only compile >"$SCRATCH/out" 2>&1
if grep -q "remark: 'Exercise1_Tiled.cu' was taken for exercise1_tiled.cu" "$SCRATCH/out" &&
    grep -q 'Score 5/5' "$SCRATCH/out"; then
    pass 'names that are nearly right are taken, and recognised'
else
    fail 'names that are nearly right are taken, and recognised' "$SCRATCH/out"
fi
refused 2 'is missing files of matmul' check --coursework matmul "$SCRATCH/half"
if grep -qF "$SCRATCH" "$SCRATCH/err"; then
    fail 'GPUGRADE_AGAIN: no path of this machine' "$SCRATCH/err"
else
    pass 'GPUGRADE_AGAIN: no path of this machine'
fi
unset GPUGRADE_AGAIN

# A student's folder that the student closed; root may read everything, so another user tries.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null 2>&1 && [ -n "${GPUGRADE_BUILD:-}" ]; then
    mkdir "$SCRATCH/closed"
    chmod 700 "$SCRATCH/closed"
    chmod 755 "$SCRATCH"
    GPUGRADE_ROOT=$REPO setpriv --reuid 65534 --clear-groups \
        "$GPUGRADE_BUILD/bin/gpugrade" check "$SCRATCH/closed" >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
    if [ "$status" -eq 126 ] || [ "$status" -eq 127 ]; then
        skip 'a folder that cannot be read' 'another user cannot start the grader here'
    elif [ "$status" -eq 2 ] && grep -q 'cannot be read' "$SCRATCH/err"; then
        pass 'a folder that cannot be read'
    else
        fail "a folder that cannot be read: status $status" "$SCRATCH/err"
    fi
else
    skip 'a folder that cannot be read' 'only root can become another user'
fi

# Bad rubrics: the place is in the message.
rubric=$REPO/rubrics/matmul.json
jq '. + {colour: "blue"}' "$rubric" >"$SCRATCH/unknown_key.json"
refused 2 'unknown_key.json:' check --rubric "$SCRATCH/unknown_key.json" "$solution"
jq '.criteria[0].points += 1' "$rubric" >"$SCRATCH/points.json"
refused 2 'points.json:' check --rubric "$SCRATCH/points.json" "$solution"
{ cat "$rubric" && echo '{}'; } >"$SCRATCH/trailing.json"
refused 2 'trailing.json:' check --rubric "$SCRATCH/trailing.json" "$solution"
jq '.version = "one"' "$rubric" >"$SCRATCH/type.json"
refused 2 'type.json:' check --rubric "$SCRATCH/type.json" "$solution"
refused 2 'nosuch.json' check --rubric "$SCRATCH/nosuch.json" "$solution"

# What is not refused.
for arguments in 'help' 'help check' 'help run' 'run --help' 'doctor --help' 'help batch' '--help' 'check --help' 'version' '--version'; do
    # shellcheck disable=SC2086 # a list of words
    if "$GPUGRADE" $arguments >"$SCRATCH/out" 2>"$SCRATCH/err" && [ -s "$SCRATCH/out" ]; then
        pass "$arguments"
    else
        fail "$arguments" "$SCRATCH/err"
    fi
done
if "$GPUGRADE" --help | grep -A 1 'not yet in this version' | grep -q '^$'; then
    fail 'no heading without rows'
else
    pass 'no heading without rows'
fi
if "$GPUGRADE" help >&- 2>"$SCRATCH/err"; then
    pass 'a closed standard output'
else
    fail 'a closed standard output' "$SCRATCH/err"
fi
finish
