#!/bin/sh
# check_devices.sh: which devices a check uses, with a driver library that has no GPU behind it: what
# is refused, what is chosen, and whose turn it is. Its two GPUs compute nothing, so no kernel is
# right there.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/matmul/solution
driver=${GPUGRADE_BUILD:-$REPO/build}/tests/unit/libcuda_fake.so
first=GPU-a0a0a0a0-a0a0-a0a0-a0a0-a0a0a0a0a0a0
if [ ! -f "$driver" ]; then
    skip 'devices of a check' "no $driver"
    finish
fi
mkdir "$SCRATCH/driver" "$SCRATCH/locks"
cp "$driver" "$SCRATCH/driver/libcuda.so.1"
LD_LIBRARY_PATH=$SCRATCH/driver
GPUGRADE_LOCKS=$SCRATCH/locks
export LD_LIBRARY_PATH GPUGRADE_LOCKS

# run ARGUMENTS...: sets status, leaves out, err and, if it was written, score.
run() {
    rm -f "$SCRATCH/score"
    "$GPUGRADE" check --seed 1 --json "$SCRATCH/score" "$@" "$solution" >"$SCRATCH/out" \
        2>"$SCRATCH/err" </dev/null
    status=$?
}

# scored NAME FILTER: the score satisfies a filter of jq.
scored() {
    expect "$1" jq -e "$2" "$SCRATCH/score"
}

# refused STATUS WORDS ARGUMENTS...
refused() {
    expected=$1
    words=$2
    shift 2
    run "$@"
    expect "refused: $*" test "$status" -eq "$expected" -a ! -s "$SCRATCH/out"
    expect "$* says: $words" grep -qF -- "$words" "$SCRATCH/err"
}

# Without a GPU.
FAKE_LIBCUDA_GPUS=0
export FAKE_LIBCUDA_GPUS
refused 3 'environment: --device cuda needs a GPU: ' --device cuda
refused 3 'environment: --gpus names real GPUs, but none was found: ' --gpus 0
run --only compile --verbose
expect 'auto needs no GPU' test "$status" -eq 0
expect 'and what each part took' grep -qE \
    '^times: compile [0-9.]+ s, link [0-9.]+ s, run .*, judge .*, report .*, total [0-9.]+ s$' "$SCRATCH/out"
expect '--verbose says why there is none' grep -q '^no GPU: ' "$SCRATCH/out"
scored 'the emulated device has the model of the rubric' \
    '.machine.devices == [{"kind": "emulated", "gpu_model": "H200", "uuid": "", "driver": ""}]'
run --only speedup.tiled
expect 'nothing that can be judged here' test "$status" -eq 4
scored 'speed is skipped' '.criteria[0].status == "skipped" and .measurable_max == 0'

# With two that differ.
FAKE_LIBCUDA_GPUS=2
run --only compile
scored 'the emulated device takes the properties of the GPU' \
    '[.machine.devices[] | .kind, .gpu_model] == ["emulated", "Fake GPU 0", "cuda", "Fake GPU 0"]'
scored 'the GPU is named' ".machine.devices[1].uuid == \"$first\""
run --only compile --gpus GPU-A1,1 --gpu-model A100
scored '--gpus and --gpu-model' \
    '[.machine.devices[].gpu_model] == ["A100", "Fake GPU 1"]'
run --only compile --device emulated
scored 'the emulated device alone' '[.machine.devices[].gpu_model] == ["H200"]'
refused 2 'there is no GPU 2; the driver shows 2' --gpus 2
refused 2 "UUIDs of 2 of 2 GPUs begin with 'GPU-'" --device cuda --gpus GPU-
refused 2 "UUIDs of 0 of 2 GPUs begin with 'GPU-b'" --device cuda --gpus GPU-b
run --device cuda --precise --gpus 0
expect 'a submission that fails on the GPU is no error' test "$status" -eq 1
scored 'the real GPU is the only device' '[.machine.devices[].kind] == ["cuda"]'
scored 'it compiles there' '.criteria[0].status == "passed"'
scored 'its kernels fail there' '[.criteria[] | select(.status == "failed").id]
    | index("correct.tiled") != null and index("speedup.tiled") != null'
scored 'the command that repeats it names the device' \
    '[.diagnostics[].notes[] | select(.kind == "again").text
      | contains(" --device cuda --gpus 0 --precise --only ")] | length > 0 and all'
expect 'one lock is left' test "$(ls -A "$SCRATCH/locks")" = ".gpugrade-$first.lock"

# Whose turn it is: while another times on the first GPU, its checks wait, those of the second do not.
lock=$SCRATCH/locks/.gpugrade-$first.lock
(
    exec 9<"$lock"
    flock -x 9
    exec sleep 600
) &
holder=$!
is_locked() {
    ! flock -n "$lock" true
}
wait_for is_locked
"$GPUGRADE" check --seed 1 --device cuda --gpus 0 --only occupancy "$solution" \
    >"$SCRATCH/waited" 2>&1 </dev/null &
waiting=$!
run --device cuda --gpus 1 --only occupancy
scored 'a check on another GPU does not wait' '.criteria[0].status == "passed"'
sleep 2
expect 'a check on a GPU that is timed on waits' kill -0 "$waiting"
kill "$holder"
wait "$holder" 2>/dev/null
wait "$waiting"
status=$?
cp "$SCRATCH/waited" "$SCRATCH/out"
expect 'and goes on when the holder is killed' grep -q 'PASS  occupancy' "$SCRATCH/out"

ln -sf /dev/null "$lock"
refused 3 'environment: the lock of a GPU, ' --device cuda --gpus 0 --only occupancy
GPUGRADE_LOCKS=$SCRATCH/nosuch
refused 3 'set GPUGRADE_LOCKS to another' --device cuda --gpus 0 --only occupancy
# Whatever a kernel does to the GPU while the program prints, its row is judged: what the submission
# does is no error. The driver does what a kernel's name says; emulated, these do nothing.
mkdir "$SCRATCH/more_locks"
GPUGRADE_LOCKS=$SCRATCH/more_locks
kernel_prints() {
    rm -rf "$SCRATCH/student"
    cp -r "$REPO/reference/matmul/solution" "$SCRATCH/student"
    sed -e "s/^void launchTiled/extern \"C\" __global__ void $1(void) {}\n\n&/" \
        -e "s/^    int blocks = 0;/    $1<<<1, 32>>>();\n    cudaDeviceSynchronize();\n&/" \
        "$REPO/reference/matmul/solution/exercise1_tiled.cu" >"$SCRATCH/student/exercise1_tiled.cu"
    solution=$SCRATCH/student
    run --only occupancy "$2" "$3"
    expect "$1 with $3: a failure" test "$status" -eq 1
    scored "$1 with $3: the printout's row has its cause" \
        ".criteria | map(select(.id == \"occupancy\")) | .[0] | .status == \"failed\" and .cause.code == \"$4\""
}

kernel_prints fault_700 --device auto global_out_of_bounds
kernel_prints fault_700 --device cuda global_out_of_bounds
kernel_prints endless_1 --device auto launch_deadline
kernel_prints stuck --device auto launch_deadline
finish
