# shellcheck shell=sh
# shell_lib.sh: what every shell suite needs; sourced, never run.
#
# A suite calls pass, fail or skip once for each of its tests and finish at the end. Its last line is
# "N passed, N failed, N skipped"; tests/run sums these up.
#
# REPO is the repository, GPUGRADE the program under test (from the environment, or the launcher).

REPO=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
GPUGRADE=${GPUGRADE:-$REPO/gpugrade}
# For a binary that is started without the launcher.
GPUGRADE_ROOT=$REPO
export GPUGRADE_ROOT
passed=0
failed=0
skipped=0

. "$REPO/tests/find_nvcc.sh"

# Programs of students are started as other users, who must get to what lies there.
if [ -n "${TMPDIR:-}" ] && [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null 2>&1 &&
    ! setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$TMPDIR"; then
    TMPDIR=/tmp
    export TMPDIR
fi

# build_cuda PROGRAM SOURCE: a program that `gpugrade run` takes; by nvcc, or by clang without a CUDA
# toolkit. What the compiler says is in $SCRATCH/err.
build_cuda() {
    built=${GPUGRADE_BUILD:-$REPO/build}
    if command -v nvcc >/dev/null; then
        set -- nvcc -cudart shared -o "$@"
    else
        for clang in $(seq -f 'clang++-%.0f' 24 -1 14) clang++; do
            ! command -v "$clang" >/dev/null || break
        done
        set -- "$built/bin/gpugrade-clang" -clang="$(command -v "$clang")" \
            -headers="$REPO/grader/cuda_headers" -runtime="$(echo "$built"/lib/libcudart.so.*)" -o "$@"
    fi
    "$@" -lineinfo -gencode arch=compute_75,code=compute_75 >"$SCRATCH/err" 2>&1
}

# A folder for this suite, removed at the end. Its name does not start with "gpugrade-", which is
# what the grader's own temporary folders are looked for by.
SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/suite-XXXXXX") || exit 1
trap 'rm -rf "$SCRATCH"' EXIT
trap 'exit 130' INT TERM HUP

pass() {
    passed=$((passed + 1))
    printf 'ok      %s\n' "$1"
}

# fail NAME [FILE-OR-TEXT]: the second argument says what was seen.
fail() {
    failed=$((failed + 1))
    printf 'NOT OK  %s\n' "$1"
    if [ $# -gt 1 ] && [ -f "$2" ]; then
        head -n 40 "$2" | sed 's/^/        | /'
    elif [ $# -gt 1 ]; then
        printf '%s\n' "$2" | head -n 40 | sed 's/^/        | /'
    fi
}

# expect NAME CONDITION...: passes if the command succeeds. If not, what it printed is shown and what
# the suite left in `status` and in the files out, err and log of its folder.
expect() {
    name=$1
    shift
    if "$@" >"$SCRATCH/condition" 2>&1; then
        pass "$name"
        return
    fi
    for file in out err log condition; do
        [ ! -s "$SCRATCH/$file" ] || cat "$SCRATCH/$file"
    done >"$SCRATCH/seen"
    fail "$name${status:+ (exit status $status)}" "$SCRATCH/seen"
}

# wait_for COMMAND...: runs it ten times a second until it succeeds; false if it has not in two minutes.
wait_for() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 1200 ] || return 1
        sleep 0.1
    done
}

skip() {
    skipped=$((skipped + 1))
    printf 'skipped %s: %s\n' "$1" "$2"
}

finish() {
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
    exit $?
}
