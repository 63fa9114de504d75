#!/bin/sh
# crashed_device.sh: what a submission gets at which the emulated device itself crashes.
#
# The device is crashing_device.c, which crashes where a program says so. Whatever the process ends by,
# the submission failed by what the device does not know, a person should look, and nobody blames the
# grader. Where the device crashes at the reference solution as well, it is an error.
# GPUGRADE names the grader, GPUGRADE_BUILD the build folder.
# Ends with a line "N passed, N failed, N skipped".
set -u
umask 022 # programs have users of their own
. "$(dirname -- "$0")/../shell_lib.sh"
build=${GPUGRADE_BUILD:-$REPO/build}
case $GPUGRADE in */bin/gpugrade) build=${GPUGRADE%/bin/gpugrade} ;; esac
device=$build/tests/hostile/crashing_device

if [ ! -x "$device" ]; then
    skip 'a device that crashes' "there is no $device; build the tests"
    finish
fi
chmod 755 "$SCRATCH"
# The grader takes the device that lies beside it.
for layout in asked always; do
    mkdir -p "$SCRATCH/$layout/bin" || exit 3
    cp "$build"/bin/gpugrade* "$SCRATCH/$layout/bin/"
    cp -r "$build/lib" "$SCRATCH/$layout/lib"
    cp "$device" "$SCRATCH/$layout/bin/gpugrade-device"
done
jq --arg program tiled -f "$REPO/tests/hostile/rubric.jq" "$REPO/rubrics/matmul.json" |
    jq '.cases |= .[:2]' >"$SCRATCH/rubric.json" || exit 3

# check LAYOUT NAME [DECLARATION]: grades the reference solution with a declaration.
check() {
    folder=$SCRATCH/submission
    rm -rf "$folder"
    mkdir "$folder"
    cp "$REPO"/reference/matmul/solution/* "$folder/"
    echo "${3:-}" >>"$folder/exercise1_tiled.cu"
    "$SCRATCH/$1/bin/gpugrade" check "$folder" --rubric "$SCRATCH/rubric.json" --device emulated \
        --seed 0x1 --json "$SCRATCH/$2.json" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# shows NAME STATUS FILTER: the exit status is that, and the filter holds of the score.
shows() {
    [ "$status" = "$2" ] && jq -e "$3" "$SCRATCH/$1.json"
}

# crashed_at NAME: criteria that run it failed for review, by U05, and none is an error.
crashed_at() {
    shows "$1" 1 '.review == true
        and all(.criteria[]; .status != "error")
        and ([.criteria[] | select(.id | startswith("correct"))] | length > 0
            and all(.[]; .status == "failed" and .points == 0 and .review != null
                and .cause.kind == "unsupported" and .cause.code == "device_crashed"))
        and ([.. | strings | select(test("unexpectedly|mistake in the grader"))] == [])'
}

check asked none
expect 'a program that asks for no crash passes' shows none 0 '.review != true'
for how in access division abort filter exit; do
    name=launch_$how
    check asked "$name" "__device__ int crash_$name;"
    expect "a crash at a launch, by $how, is the submission's" crashed_at "$name"
done
for place in load allocate; do
    name=${place}_access
    check asked "$name" "__device__ int crash_$name;"
    expect "a crash at what else is asked of the device ($place) is the submission's" \
        crashed_at "$name"
done
check asked later '__device__ int crash_later_access;'
expect "a crash in a probe is the submission's" crashed_at later
# shellcheck disable=SC2016 # the message has backquotes
expect 'its cause names the kernel' \
    jq -e '[.criteria[] | select(.id | startswith("correct")) | .cause.message
        | contains("`matrixMulTiled`")] | length > 0 and all' "$SCRATCH/later.json"
check always reference
expect 'a crash at the reference solution too is an error' shows reference 3 \
    '[.criteria[] | select(.id | startswith("correct")) | .status == "error"] | length > 0 and all'
finish
