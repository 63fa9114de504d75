#!/bin/sh
# second_look.sh: a launch that writes wrong results is run once more, to find the line; one that is
# right is not. Each run starts one device process: a device that counts its starts tells.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
build=$(readlink -f "${GPUGRADE_BUILD:-$REPO/build}")
solution=$REPO/reference/matmul/solution
wrong=$REPO/tests/submissions/matmul/wrong/tile_a_exchanged
prefix=$SCRATCH/prefix
starts=$SCRATCH/starts
chmod 711 "$SCRATCH"

# The count, then the real device with the same descriptors. Mode 700: as root it stays root's.
cat >"$SCRATCH/counter.c" <<SOURCE
#include <fcntl.h>
#include <unistd.h>
int main(int count, char **arguments)
{
    int fd = open("$starts", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (count < 1 || fd < 0 || write(fd, "x", 1) != 1) {
        return 1;
    }
    execv("$build/bin/gpugrade-device", arguments);
    return 1;
}
SOURCE

mkdir -p "$prefix/bin" "$SCRATCH/mistaken"
for program in gpugrade gpugrade-clang gpugrade-jail gpugrade-unpack; do
    cp "$build/bin/$program" "$prefix/bin/"
done
ln -s "$build/lib" "$prefix/lib"
ln -s "$REPO/grader" "$SCRATCH/grader" # where a build folder's headers for clang are
cp "$solution"/*.cu "$SCRATCH/mistaken/"
cp "$wrong"/*.cu "$SCRATCH/mistaken/"
if ! cc -o "$prefix/bin/gpugrade-device" "$SCRATCH/counter.c" 2>"$SCRATCH/errors"; then
    fail 'the counting device is built' "$SCRATCH/errors"
    finish
fi
chmod 700 "$prefix/bin/gpugrade-device"

# count_starts SUBMISSION STATUS: sets `count` to the devices that a check of it starts.
count_starts() {
    : >"$starts"
    "$prefix/bin/gpugrade" check "$1" --device emulated --seed 0x5eed1234 --only correct.tiled \
        --json "$SCRATCH/score.json" >"$SCRATCH/out" 2>&1
    status=$?
    count=$(wc -c <"$starts")
    if [ "$status" -eq "$2" ] && [ "$count" -gt 0 ]; then
        pass "$1 is graded"
    else
        fail "$1 is graded (status $status)" "$SCRATCH/out"
    fi
}

count_starts "$solution" 0
right=$count
count_starts "$SCRATCH/mistaken" 1
if [ "$count" -eq $((right + 1)) ]; then
    pass 'what is wrong is run once more'
else
    fail 'what is wrong is run once more' "$right devices for the right one, $count for the other"
fi
if jq -e '.criteria[] | select(.id == "correct.tiled") | .cause.line > 0' "$SCRATCH/score.json" \
    >"$SCRATCH/line" 2>&1; then
    pass 'and its line is found'
else
    fail 'and its line is found' "$SCRATCH/score.json"
fi
finish
