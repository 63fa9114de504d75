#!/bin/sh
# steps.sh: what pages of `gpugrade step` cost: bytes of each, seconds beside a check, and the script's
# milliseconds for a step in Chromium, a frame drawn after each.
#
# The pages: a matrix multiplication with a race, one with 1024 threads in a block, and the made-up
# ones of tests/unit/report/test_step_page.c: 300,000 steps, also with addresses as in a hash table.
# Goals: at most 2 MiB, and less than 10 ms. tests/html/run.sh installs what it needs. It judges
# nothing: a benchmark is no test.
set -eu
. "$(dirname -- "$0")/../shell_lib.sh"
cache=${GPUGRADE_HTML_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/gpugrade-html}
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
export CHROMIUM

seconds() {
    begin=$(date +%s%N)
    "$@" >/dev/null 2>&1 </dev/null || true
    echo "$(($(date +%s%N) - begin))" | awk '{ printf "%.2f s", $1 / 1e9 }'
}

mkdir "$SCRATCH/pages" "$SCRATCH/student"
cp "$REPO"/reference/matmul/solution/* "$SCRATCH/student"
cp "$REPO"/tests/submissions/matmul/wrong/second_barrier_missing/*.cu "$SCRATCH/student"
seconds "$GPUGRADE" check "$SCRATCH/student" --device emulated --seed 1 >/dev/null # fills the cache
printf 'check: %s\n' "$(seconds "$GPUGRADE" check "$SCRATCH/student" --device emulated --seed 1)"
printf 'step, with a race: %s\n' "$(seconds "$GPUGRADE" step "$SCRATCH/student" --seed 1 \
    -o "$SCRATCH/pages/race.html")"
printf 'step, 1024 threads: %s\n' "$(seconds "$GPUGRADE" step "$SCRATCH/student" --seed 1 \
    --kernel '*Dynamic' -o "$SCRATCH/pages/threads_1024.html")"
GPUGRADE_STEP_PAGES=$SCRATCH/pages "${GPUGRADE_BUILD:-$REPO/build}/tests/unit/report_test_step_page" \
    >"$SCRATCH/log" 2>&1
STEP_TIMES=1 NODE_PATH=$cache/node_modules TMPDIR=/tmp node "$REPO/tests/html/check_steps.js" \
    "$SCRATCH"/pages/*.html | grep -v '^ok '
