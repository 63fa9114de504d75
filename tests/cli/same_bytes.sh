#!/bin/sh
# same_bytes.sh: the same seed gives the same score, byte for byte, on one processor and on all of
# them, also for kernels that race, read where they must not, or use addresses of the host.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
fixtures=$REPO/tests/submissions/matmul/wrong

# A container may have no processor 0.
processor=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')

without_varying() {
    jq 'del(.machine, .seconds, .criteria[].measured)' "$1"
}

# same NAME: checks the solution with the fixture's files in it, three times.
same() {
    rm -rf "$SCRATCH/submission"
    cp -r "$REPO/reference/matmul/solution" "$SCRATCH/submission"
    chmod -R u+w "$SCRATCH/submission"
    cp "$fixtures/$1"/*.cu "$SCRATCH/submission"
    set -- "$1" check --seed 0xabc --json
    for run in all one all_again; do
        name=$1
        shift
        case $run in
        one) taskset -c "$processor" "$GPUGRADE" "$@" "$SCRATCH/$run.json" "$SCRATCH/submission" ;;
        *) "$GPUGRADE" "$@" "$SCRATCH/$run.json" "$SCRATCH/submission" ;;
        esac >/dev/null 2>&1
        without_varying "$SCRATCH/$run.json" >"$SCRATCH/$run" || echo 'no score' >"$SCRATCH/$run"
        set -- "$name" "$@"
    done
    if grep -q '"schema"' "$SCRATCH/all" && cmp -s "$SCRATCH/all" "$SCRATCH/one" &&
        cmp -s "$SCRATCH/all" "$SCRATCH/all_again"; then
        pass "$1"
    else
        diff "$SCRATCH/all" "$SCRATCH/one" >"$SCRATCH/difference"
        diff "$SCRATCH/all" "$SCRATCH/all_again" >>"$SCRATCH/difference"
        fail "$1" "$SCRATCH/difference"
    fi
}

for fixture in second_barrier_missing read_past_the_end host_pointer barrier_deadlock; do
    same "$fixture"
done
finish
