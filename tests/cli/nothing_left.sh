#!/bin/sh
# nothing_left.sh: signals, and what remains after them: no process, no temporary folder, no score.
# tests/run: --all, alone
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
helpers=$(readlink -f "${GPUGRADE_BUILD:-$REPO/build}")/bin
TMPDIR=$SCRATCH/tmp
export TMPDIR
mkdir "$TMPDIR"
chmod 711 "$SCRATCH" "$TMPDIR"

# Processes that name this suite's temporary folder, or run one of the grader's own executables: the
# launcher execs, so these are all that can be left. Not those that were there before this suite.
left_processes() {
    all_processes | grep -vxF -f "$SCRATCH/before"
}

all_processes() {
    for entry in /proc/[0-9]*; do
        [ "${entry#/proc/}" = $$ ] && continue
        case $(readlink "$entry/exe" 2>/dev/null) in
        "$helpers"/*) ;;
        *) tr '\0' '\n' 2>/dev/null <"$entry/cmdline" | grep -qF "$TMPDIR/gpugrade-" || continue ;;
        esac
        printf '%s: %s\n' "${entry#/proc/}" "$(tr '\0' ' ' 2>/dev/null <"$entry/cmdline")"
    done
}

has_none() {
    [ -z "$(left_processes)" ]
}

has_processes() {
    [ -n "$(left_processes)" ]
}

has_folder() {
    [ -n "$(ls -A "$TMPDIR")" ]
}

# start ARGUMENTS...: a check in the background; sets pid. A shell starts background jobs with SIGINT
# ignored, nohup with SIGHUP; env puts them back, and is gone when this returns.
start() {
    env --default-signal=INT,QUIT,HUP,TERM "$GPUGRADE" check --seed 1 "$@" >/dev/null 2>&1 &
    pid=$!
    until [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = gpugrade ] || ! kill -0 "$pid" 2>/dev/null; do
        sleep 0.01
    done
}

# clean NAME: nothing is left, after killed processes have gone.
clean() {
    wait_for has_none
    left=$(ls -A "$TMPDIR")
    processes=$(left_processes)
    if [ -n "$left$processes" ]; then
        fail "nothing is left after $1" "$left
$processes"
    else
        pass "nothing is left after $1"
    fi
}

all_processes >"$SCRATCH/before"
"$GPUGRADE" check --seed 1 "$solution" >/dev/null 2>&1
clean 'a check'
"$GPUGRADE" check "$SCRATCH/nosuch" >/dev/null 2>&1
clean 'a usage error'

# An endless host loop keeps the program alive while the signal comes.
cp -r "$solution" "$SCRATCH/endless"
chmod -R u+w "$SCRATCH/endless"
cat >>"$SCRATCH/endless/exercise1_tiled.cu" <<'END'
struct endless { endless() { for (volatile int i = 0; i >= 0;) { } } };
static endless instance;
END
start "$SCRATCH/endless"
if wait_for has_folder && wait_for has_processes; then
    pass 'a running check is seen'
else
    fail 'a running check is seen'
fi
kill "$pid"
wait "$pid"
clean 'a running check'

for signal in TERM INT HUP; do
    for seconds in 0.05 0.4 1.5; do
        rm -f "$SCRATCH/score.json"
        start --json "$SCRATCH/score.json" "$SCRATCH/endless"
        sleep "$seconds"
        kill -s "$signal" "$pid"
        wait "$pid"
        status=$?
        case $signal in
        TERM) number=15 ;;
        INT) number=2 ;;
        HUP) number=1 ;;
        esac
        if [ "$status" -eq $((128 + number)) ]; then
            pass "SIG$signal after $seconds s exits with $status"
        else
            fail "SIG$signal after $seconds s exits with $((128 + number))" "got $status"
        fi
        if [ -e "$SCRATCH/score.json" ]; then
            fail "no score after SIG$signal"
        else
            pass "no score after SIG$signal"
        fi
        clean "SIG$signal after $seconds s"
    done
done

# An impatient user.
start "$SCRATCH/endless"
wait_for has_folder
sleep 1
kill -s INT "$pid"
sleep 0.03
kill -s INT "$pid" 2>/dev/null # it may be over already
wait "$pid"
status=$?
if [ "$status" -eq 130 ]; then
    pass 'SIGINT twice exits with 130'
else
    fail 'SIGINT twice exits with 130' "got $status"
fi
clean 'SIGINT twice'
# Nobody cleans up after SIGKILL but the next run.
start "$SCRATCH/endless"
wait_for has_folder
sleep 1
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
if has_folder; then
    pass 'SIGKILL leaves a folder'
else
    fail 'SIGKILL leaves a folder'
fi
wait_for has_none # its processes hold the folder
"$GPUGRADE" check --only speling "$solution" >/dev/null 2>&1
clean 'SIGKILL and another run'
finish
