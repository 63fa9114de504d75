#!/bin/sh
# no_toolkit.sh: a machine without nvcc: exit 3, what to install, nothing else.
#
# The usual folders cannot be moved away, so a mount namespace hides them with empty ones; where that
# is not allowed the test skips.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
binary=${GPUGRADE_BUILD:-$REPO/build}/bin/gpugrade

hide=''
for folder in /usr/local/cuda /usr/local/cuda-* /opt/cuda; do
    [ -d "$folder" ] && hide="$hide --tmpfs $(readlink -f "$folder")"
done
# shellcheck disable=SC2086 # a list of options
if ! command -v bwrap >/dev/null 2>&1 || ! bwrap --dev-bind / / $hide true 2>/dev/null; then
    skip 'no nvcc' 'bubblewrap cannot hide the toolkit here'
    finish
fi
# shellcheck disable=SC2086
env -u CUDA_HOME -u CUDA_PATH PATH=/usr/bin:/bin GPUGRADE_ROOT="$REPO" \
    bwrap --dev-bind / / $hide "$binary" check --sandbox C "$solution" \
    >"$SCRATCH/out" 2>"$SCRATCH/err"
status=$?
if [ "$status" -eq 3 ] && grep -qi 'toolkit' "$SCRATCH/err" && [ ! -s "$SCRATCH/out" ]; then
    pass 'no nvcc: exit 3 and what to install'
else
    fail "no nvcc: exit 3 and what to install, got $status" "$SCRATCH/err"
fi

# The launcher says the same before it builds.
# shellcheck disable=SC2086
env -u CUDA_HOME -u CUDA_PATH PATH=/usr/bin:/bin GPUGRADE_BUILD="$SCRATCH/build" \
    bwrap --dev-bind / / $hide "$REPO/gpugrade" version >"$SCRATCH/out" 2>"$SCRATCH/err"
status=$?
if [ "$status" -eq 3 ] && grep -q 'CUDA_HOME' "$SCRATCH/err"; then
    pass 'the launcher without nvcc: exit 3 and what to install'
else
    fail "the launcher without nvcc: exit 3 and what to install, got $status" "$SCRATCH/err"
fi
finish
