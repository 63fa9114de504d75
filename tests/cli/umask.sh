#!/bin/sh
# umask.sh: the umask of whoever starts the grader is for the results. What the sandbox's users must get
# to is open to them under the strictest one, and what they must not change is closed under none.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
GPUGRADE_CACHE=$SCRATCH/cache
TMPDIR=$SCRATCH/tmp
export GPUGRADE_CACHE TMPDIR
mkdir "$TMPDIR"
chmod 711 "$SCRATCH" "$TMPDIR"

if ! [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]; then
    skip 'checks under several umasks' 'needs the CUDA toolkit; set CUDA_HOME'
    finish
fi

# open_ones FOLDER: what others than its owner can write to; of the folders of programs that run,
# which are their users', only those that hold them.
open_ones() {
    find "$1" -name 'run-*' -prune -o ! -type l ! -type s -perm /022 -print 2>/dev/null
}

# check_under UMASK MODE: from an empty cache, a right score, and a score file of that mode.
check_under() {
    rm -rf "$GPUGRADE_CACHE" "$SCRATCH/score.json"
    : >"$SCRATCH/open"
    (
        umask "$1"
        exec "$GPUGRADE" check --seed 1 --json "$SCRATCH/score.json" "$solution"
    ) >"$SCRATCH/screen" 2>&1 &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        open_ones "$TMPDIR" >>"$SCRATCH/open"
        sleep 0.2
    done
    wait "$pid"
    status=$?
    if [ "$status" -eq 0 ]; then
        pass "a check under umask $1"
    else
        echo "it exited with $status" >>"$SCRATCH/screen"
        fail "a check under umask $1" "$SCRATCH/screen"
    fi
    mode=$(stat -c %a "$SCRATCH/score.json" 2>&1)
    if [ "$mode" = "$2" ]; then
        pass "the score under umask $1 has mode $2"
    else
        fail "the score under umask $1 has mode $2" "got $mode"
    fi
    open_ones "$GPUGRADE_CACHE" >>"$SCRATCH/open"
    if [ -s "$SCRATCH/open" ]; then
        sort -u "$SCRATCH/open" >"$SCRATCH/opened"
        fail "nobody else can write the grader's files under umask $1" "$SCRATCH/opened"
    else
        pass "nobody else can write the grader's files under umask $1"
    fi
}

check_under 077 600
check_under 000 666
finish
