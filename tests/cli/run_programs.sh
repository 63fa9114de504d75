#!/bin/sh
# run_programs.sh: programs of the kind that students write, built and run by `gpugrade run`: a right
# one has no findings, a wrong one (-DWRONG) has the one that is written on its guilty line:
#
#   // guilty: KIND    in programs/NAME.cu; without it the finding names no line
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
programs=$REPO/tests/cli/programs
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS

# run ARGUMENTS...: output in out and err, exit status in status.
run() {
    "$GPUGRADE" run "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

right() {
    name=$1
    run --json "$SCRATCH/right.json" "$programs/$name.cu"
    cp "$SCRATCH/out" "$SCRATCH/$name.out"
    cp "$SCRATCH/err" "$SCRATCH/$name.err"
    if [ "$status" -ne 0 ]; then
        fail "$name exits with 0, got $status" "$SCRATCH/err"
    elif ! grep -qx "$name: 0 wrong" "$SCRATCH/out"; then
        fail "$name computes what it should" "$SCRATCH/out"
    elif ! jq -e '.findings == [] and .launches > 0 and .exit_status == 0' \
        "$SCRATCH/right.json" >/dev/null; then
        fail "$name has no findings" "$SCRATCH/right.json"
    elif ! grep -q '^gpugrade run: no findings in ' "$SCRATCH/err"; then
        fail "$name: the screen says that there are none" "$SCRATCH/err"
    else
        pass "$name is right"
    fi
}

# wrong NAME [KIND]: KIND where the program has no guilty line.
wrong() {
    name=$1
    line=$(grep -n '// guilty: ' "$programs/$name.cu" | cut -d: -f1)
    kind=${2:-$(sed -n 's|.*// guilty: ||p' "$programs/$name.cu")}
    NVCC_APPEND_FLAGS=-DWRONG "$GPUGRADE" run --json "$SCRATCH/wrong.json" "$programs/$name.cu" \
        >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
    if [ "$status" -ne 1 ]; then
        fail "wrong $name exits with 1, got $status" "$SCRATCH/err"
    elif ! jq -e --arg kind "$kind" --argjson line "${line:-0}" --arg file "$name.cu" '
        any(.findings[]; .kind == $kind and ($line == 0 or
            any(.places[]; .line == $line and (.file | endswith($file)))))' \
        "$SCRATCH/wrong.json" >/dev/null; then
        fail "wrong $name: $kind in line ${line:-unknown}" "$SCRATCH/err"
    elif ! grep -q '^gpugrade run: [0-9]* findings* (' "$SCRATCH/err"; then
        fail "wrong $name: the screen counts findings" "$SCRATCH/err"
    elif [ -n "$line" ] && ! grep -qE "^ *$line \\|" "$SCRATCH/err"; then
        fail "wrong $name: the screen shows line $line" "$SCRATCH/err"
    else
        pass "wrong $name: $kind in line ${line:-unknown}"
    fi
}

for name in vector_add reduction scan histogram stencil transpose warp_scan print_and_assert; do
    right "$name"
    wrong "$name"
done
right bitonic_sort
wrong bitonic_sort cuda_error

# A script of that name in front of the toolkit's nvcc, as some machines have it.
mkdir "$SCRATCH/bin"
printf '#!/bin/sh\nexit 9\n' >"$SCRATCH/bin/nvcc"
chmod +x "$SCRATCH/bin/nvcc"
if PATH=$SCRATCH/bin:/usr/local/bin:/usr/bin:/bin "$GPUGRADE" run "$programs/vector_add.cu" \
    >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null; then
    pass 'the toolkit is found behind a script called nvcc'
else
    fail 'the toolkit is found behind a script called nvcc' "$SCRATCH/err"
fi

if grep -q 'times between CUDA events are estimated' "$SCRATCH/histogram.err"; then
    pass 'a program that measures time is told what it measures'
else
    fail 'a program that measures time is told what it measures' "$SCRATCH/histogram.err"
fi
if grep -qx 'thread 2 of 3:  3.00 text' "$SCRATCH/print_and_assert.out"; then
    pass 'printf of a kernel goes to standard output'
else
    fail 'printf of a kernel goes to standard output' "$SCRATCH/print_and_assert.out"
fi
finish
