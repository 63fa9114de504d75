#!/bin/sh
# watch.sh: `gpugrade watch` checks again when a file is saved, says what changed, and ends cleanly.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
TMPDIR=$SCRATCH/tmp
export TMPDIR
mkdir "$TMPDIR"
chmod 711 "$SCRATCH" "$TMPDIR"
work=$SCRATCH/work
out=$SCRATCH/out
err=$SCRATCH/err
cp -r "$REPO/reference/matmul/solution" "$work"
chmod -R u+w "$work"

# overlay FIXTURE: saves a wrong fixture's files.
overlay() {
    cp "$REPO/tests/submissions/matmul/wrong/$1"/*.cu "$work/"
}

# holds FILE WORDS COUNT: in so many lines.
holds() {
    [ "$(grep -c -- "$2" "$1")" -ge "$3" ]
}

has_folder() {
    [ -n "$(ls -A "$TMPDIR")" ]
}

has_none() {
    [ -z "$(ls -A "$TMPDIR")" ]
}

# expect_soon NAME FILE WORDS [COUNT]
expect_soon() {
    if wait_for holds "$2" "$3" "${4:-1}"; then
        pass "$1"
    else
        fail "$1" "$2"
    fi
}

overlay second_barrier_missing
: >"$out"
: >"$err"
# A shell starts background jobs with SIGINT ignored; env puts it back.
env --default-signal=INT,QUIT "$GPUGRADE" watch "$work" --device emulated --seed 0x5eed1234 \
    >"$out" 2>"$err" &
watcher=$!
trap '[ -z "$watcher" ] || kill "$watcher" 2>/dev/null; rm -rf "$SCRATCH"' EXIT

expect_soon 'the first check is reported' "$err" 'watching .*Ctrl-C ends it'
if grep -q 'FAIL  race-free, tiled' "$out" && ! grep -q 'since the last check' "$out"; then
    pass 'with the whole report and no change'
else
    fail 'with the whole report and no change' "$out"
fi

cp "$REPO/reference/matmul/solution/exercise1_tiled.cu" "$work/"
expect_soon 'a saved file is named' "$out" 'exercise1_tiled.cu was saved'
expect_soon 'what changed is told' "$out" 'FAIL -> PASS  race-free, tiled  *0 -> 10'
expect_soon 'and the score' "$out" '^score 55 -> 85 of 85$'
wait_for holds "$err" watching 2

touch "$work/exercise1_tiled.cu"
expect_soon 'nothing changes by touching' "$out" '^nothing changed since the last check$'
wait_for holds "$err" watching 3

# While a check runs another file is saved: the check ends and the last state is judged.
overlay last_tile_missing
wait_for holds "$out" '^----' 3
sleep 0.3
cp "$REPO/reference/matmul/solution/exercise1_tiled.cu" "$work/"
overlay missing_semicolon
expect_soon 'saving during a check starts it again' "$out" 'PASS -> PART  compiles' 1

rm "$work/exercise1_tiled.cu" "$work/exercise2_dynamic.cu"
expect_soon 'missing files are told, and the watch goes on' "$err" 'has no files of a known coursework'

kill -INT "$watcher"
wait "$watcher"
status=$?
watcher=''
if [ "$status" = 130 ]; then
    pass 'a signal ends it'
else
    fail 'a signal ends it' "status $status"
fi
if wait_for has_none; then
    pass 'nothing is left'
else
    fail 'nothing is left' "$(ls -A "$TMPDIR")"
fi

# Killed while a check runs: the check ends too, and cleans up.
cp "$REPO"/reference/matmul/solution/*.cu "$work/"
overlay second_barrier_missing
"$GPUGRADE" watch "$work" --device emulated >"$out" 2>"$err" &
watcher=$!
if wait_for has_folder; then
    pass 'a check runs'
else
    fail 'a check runs' "$err"
fi
kill -KILL "$watcher"
wait "$watcher" 2>/dev/null
watcher=''
if wait_for has_none; then
    pass 'nothing is left after SIGKILL'
else
    fail 'nothing is left after SIGKILL' "$(ls -A "$TMPDIR")"
fi

"$GPUGRADE" watch "$SCRATCH/nosuch" >"$out" 2>"$err"
status=$?
if [ "$status" = 2 ] && grep -q nosuch "$err"; then
    pass 'a wrong folder is refused at once'
else
    fail 'a wrong folder is refused at once' "$err"
fi
finish
