#!/bin/sh
# device_bounds.sh: submissions that drive the process of the emulated device to its bounds.
#
# Each bound (grader/device/device_confine.h) must be a failure of the submission, with its cause: no
# criterion is an error, the exit status is 1, and nothing says that the grader or the machine
# failed. Beside them a program passes that owns all device memory and writes it all.
# GPUGRADE names the grader. Ends with a line "N passed, N failed, N skipped".
set -u
umask 022 # programs have users of their own
. "$(dirname -- "$0")/../shell_lib.sh"
chmod 755 "$SCRATCH"
jq --arg program tiled -f "$REPO/tests/hostile/rubric.jq" "$REPO/rubrics/matmul.json" |
    jq '.cases |= .[:2]' >"$SCRATCH/rubric.json" || exit 3

# check NAME FILTER: grades the reference solution, whose launch runs step() before, as
# standard input defines it; the filter changes the rubric.
check() {
    folder=$SCRATCH/$1
    mkdir "$folder" || exit 3
    cp "$REPO"/reference/matmul/solution/* "$folder/"
    cat >"$folder/step.cuh"
    awk '/^void launchTiled/ { print "#include \"step.cuh\""; starts = 1 }
        { print }
        starts && /^\{/ { print "    static int steps;\n    if (steps++ == 0) step();"; starts = 0 }' \
        "$REPO/reference/matmul/solution/exercise1_tiled.cu" >"$folder/exercise1_tiled.cu"
    grep -q ' step();' "$folder/exercise1_tiled.cu" || exit 3
    jq "$2" "$SCRATCH/rubric.json" >"$SCRATCH/$1.rubric.json" || exit 3
    "$GPUGRADE" check "$folder" --rubric "$SCRATCH/$1.rubric.json" --device emulated \
        --seed 0x1 --json "$SCRATCH/$1.json" >"$SCRATCH/$1.txt" 2>&1 </dev/null
    status=$?
}

# shows NAME STATUS FILTER: the exit status is that, and the filter holds of the score.
shows() {
    [ "$status" = "$2" ] && jq -e "$3" "$SCRATCH/$1.json"
}

# failed_by CODES: the criteria of the case fail by one of these codes, and none is an error.
failed_by() {
    printf '%s' "all(.criteria[]; .status != \"error\")
        and ([.criteria[] | select(.id | startswith(\"correct\"))] | length > 0
            and all(.[]; .status == \"failed\" and .points == 0
                and (.cause.code | IN($1))))
        and ([.. | strings | select(test(\"unexpectedly|mistake in the grader\"))] == [])"
}

check full '.' <<'END'
/* All of the memory but for what the multiplication needs. */
__global__ void touch(int *v, long n)
{
    long at = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n)
        v[at] = 1;
}
static void step(void)
{
    long n = 200l << 18;
    int *v;
    cudaMalloc(&v, n * sizeof *v);
    touch<<<(n + 255) / 256, 256>>>(v, n);
    cudaDeviceSynchronize();
}
END
expect 'a program that owns most device memory and writes all of it passes' \
    shows full 0 'all(.criteria[]; .status == "passed")'

check memory '.limits.device_memory_mb = 16' <<'END'
/* A block of 1024 threads, each with 500 KB of its own. */
__global__ void step_kernel(int *out, int turn)
{
    volatile char own[500000];
    for (int i = 0; i < 8; i++)
        own[(turn + i * 60000) % 500000] = (char)i;
    out[threadIdx.x] = own[turn];
}
static void step(void)
{
    int *out;
    cudaMalloc(&out, 1024 * sizeof *out);
    step_kernel<<<1, 1024>>>(out, 7);
    cudaDeviceSynchronize();
}
END
expect 'the bound of memory is a failure of the submission' \
    shows memory 1 "$(failed_by '"device_memory"')"

check time '.limits.grader_cpu_seconds = 1 | .limits.program_seconds = 60
    | .limits.program_cpu_seconds = 30' <<'END'
/* Fills memory again and again: no work of a kernel. */
static void step(void)
{
    char *v;
    cudaMalloc(&v, 128 << 20);
    for (int i = 0; i < 100000; i++)
        cudaMemset(v, i, 128 << 20);
}
END
expect 'the bound of processor time is a failure of the submission' \
    shows time 1 "$(failed_by '"launch_deadline", "program_deadline", "cpu_deadline"')"
for name in full memory time; do
    echo "  $name: $(jq -c '[.criteria[] | .cause | select(. != null) | .code, .message] | unique' "$SCRATCH/$name.json" | cut -c1-300)"
done
finish
