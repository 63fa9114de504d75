#!/bin/sh
# killed.sh [ROUNDS]: kills a batch with SIGKILL at random moments and resumes it: nothing is lost,
# nothing is graded twice, no half rows, and in the end the table is that of an undisturbed batch.
#
# In odd rounds the process that the user started is killed, in even rounds the batch itself, which
# writes the store. Within 2 s no process of it is left. A batch that comes to its end is compared, and
# another one is begun, so that every kill meets work. The first one finds a store as it is left by a
# batch that was killed before there were tables in it.
#
# ROUNDS: default 4 (tests/run --long: 20). SEED repeats the moments; GPUGRADE names the grader.
# Ends with a line "N passed, N failed, N skipped".
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/batch
rounds=${1:-4}
seed=${SEED:-$(date +%s)}
class=$SCRATCH/class
TMPDIR=$SCRATCH/tmp
export TMPDIR

cc -O1 -o "$SCRATCH/watch" "$REPO/tests/hostile/watch.c" -lrt || exit 3
jq --arg program tiled -f "$REPO/tests/hostile/rubric.jq" "$REPO/rubrics/matmul.json" \
    >"$SCRATCH/rubric.json" || exit 3
mkdir "$TMPDIR" "$class"
chmod 711 "$SCRATCH" "$TMPDIR"
for name in a b c d e; do
    mkdir "$class/$name"
    { cat "$REPO/reference/matmul/solution/exercise1_tiled.cu" && echo "// $name"; } \
        >"$class/$name/exercise1_tiled.cu"
done
cp -R "$class/a" "$class/twin"
echo 'no archive' >"$class/x.zip"
mkdir "$class/wrong"
cp "$REPO/tests/submissions/matmul/wrong/race_without_harm/exercise1_tiled.cu" "$class/wrong/"

# batch RESULTS OPTION...: one batch below watch, whose options follow. $how and $number tell how it
# ended, $milliseconds how long it took, $survivors who was left.
batch() {
    results=$1
    shift
    "$SCRATCH/watch" "$@" 300 "$SCRATCH/report" "$GPUGRADE" batch "$class" -o "$results" --resume \
        --rubric "$SCRATCH/rubric.json" --device emulated --seed 0x5eed -j2 \
        >"$SCRATCH/screen" 2>&1 </dev/null
    read -r how number milliseconds survivors names <"$SCRATCH/report"
}

# What is graded, if there is a store already; a damaged one is a failure.
stored() {
    : >"$SCRATCH/$1"
    [ ! -s "$results/gpugrade.sqlite" ] || python3 "$here/stored.py" runs "$results" \
        >"$SCRATCH/$1" 2>&1
}

# Lines of $1 that $2 has not: what is not there any more, or was graded again.
lost_of() {
    diff "$1" "$2" | sed -n 's/^< //p'
}

batch "$SCRATCH/first" # fills the caches
batch "$SCRATCH/undisturbed"
python3 "$here/stored.py" table "$results" >"$SCRATCH/expected" 2>&1
whole_ms=$milliseconds
if [ "$how $number" = 'exit 0' ] && [ "$(grep -c ' graded ' "$SCRATCH/expected")" -eq 7 ]; then
    pass "a batch that nobody kills grades all ($whole_ms ms)"
else
    fail 'a batch that nobody kills grades all' "$SCRATCH/screen"
    finish
fi

mkdir "$SCRATCH/results-1"
python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).execute("PRAGMA journal_mode = WAL")' \
    "$SCRATCH/results-1/gpugrade.sqlite"
results=$SCRATCH/results-1
stored before
status=$?
if [ "$status" -eq 0 ] && [ -s "$results/gpugrade.sqlite" ] && ! [ -s "$SCRATCH/before" ]; then
    pass 'a store without tables has nothing, and is whole'
else
    fail 'a store without tables has nothing, and is whole' "$SCRATCH/before"
fi

round=1
turn=1
kills=0
while [ "$round" -le "$rounds" ] || [ "$kills$((round > 4 * rounds))" = 00 ]; do
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    moment=$((seed / 65536 % whole_ms * 3 / 4 + 20))
    [ $((round % 2)) -eq 0 ] && inner=-i || inner=''
    # shellcheck disable=SC2086 # an option or none
    batch "$SCRATCH/results-$turn" -k "$moment" $inner
    what="round $round: ${inner:+the inner process }killed after $moment ms"
    stored after
    status=$?
    lost=$(lost_of "$SCRATCH/before" "$SCRATCH/after")
    case "$how $number" in
    'signal 9' | 'exit 3' | 'exit 137') kills=$((kills + 1)) ;;
    esac
    if [ "$status" -ne 0 ]; then
        fail "$what: the store is whole" "$SCRATCH/after"
    elif [ -n "$lost" ]; then
        fail "$what: nothing is lost or graded again" "$lost"
    elif [ "$survivors" != 0 ]; then
        fail "$what: nobody is left" "survivors: $names"
    else
        pass "$what ($how $number), $(grep -c . "$SCRATCH/after") graded"
    fi
    mv "$SCRATCH/after" "$SCRATCH/before"
    if [ "$how $number" = 'exit 0' ]; then # too late for this one
        python3 "$here/stored.py" table "$results" >"$SCRATCH/table" 2>&1
        diff "$SCRATCH/expected" "$SCRATCH/table" >"$SCRATCH/diff" ||
            fail "the table of batch $turn is the undisturbed one" "$SCRATCH/diff"
        [ "$milliseconds" -ge "$whole_ms" ] || whole_ms=$milliseconds
        turn=$((turn + 1))
        : >"$SCRATCH/before"
    fi
    round=$((round + 1))
done
if [ "$kills" -gt 0 ]; then
    pass "$kills of $((round - 1)) rounds met a living batch"
else
    fail 'batches were killed' "$SCRATCH/screen"
fi

batch "$SCRATCH/results-$turn"
stored after
if [ "$how $number" = 'exit 0' ] && [ -z "$(lost_of "$SCRATCH/before" "$SCRATCH/after")" ]; then
    pass 'in the end it is resumed and ends'
else
    fail 'in the end it is resumed and ends' "$SCRATCH/screen"
fi
python3 "$here/stored.py" table "$results" >"$SCRATCH/table" 2>&1
if diff "$SCRATCH/expected" "$SCRATCH/table" >"$SCRATCH/diff"; then
    pass 'the final table is that of an undisturbed batch'
else
    fail 'the final table is that of an undisturbed batch' "$SCRATCH/diff"
fi
ls -A "$TMPDIR" >"$SCRATCH/left"
if [ -s "$SCRATCH/left" ]; then
    fail 'no work folder of a killed batch is left' "$SCRATCH/left"
else
    pass 'no work folder of a killed batch is left'
fi
finish
