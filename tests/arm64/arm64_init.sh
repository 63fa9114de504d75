#!/bin/sh
# arm64_init.sh: the first process of the machine that tests/arm64/run.sh starts. It runs the unit
# tests and fuzz corpora, checks the reference solution in each tier, and turns the machine off.
# run.sh reads what it prints; a score has "score TIER: " before each line.
#
# REPO, BUILD and TESTS come from the kernel's command line. With TESTS, a pattern of ctest, only these
# tests run.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
if [ $# -eq 0 ]; then
    # bubblewrap leaves its root, which the kernel's first file system does not allow.
    mkdir -p /proc /sys /dev /tmp /run /root /mnt
    mount --bind / /mnt && cd /mnt && mount --move . / && exec chroot . /init again
fi

mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /tmp
ln -s /proc/self/fd /dev/fd
dmesg -n 1
ip link set lo up
stty -F /dev/console -opost

check_in_tier() {
    "$BUILD/bin/gpugrade" check "$REPO/reference/matmul/solution" --rubric /rubric.json \
        --compiler clang --sandbox "$1" --device emulated --gpu-model H200 --seed 19 \
        --json /tmp/score.json --color never
    sed "s/^/score $1: /" /tmp/score.json
    rm -f /tmp/score.json
}

run_all() {
    uname -srm
    if [ -z "${TESTS:-}" ]; then
        "$BUILD/bin/gpugrade" doctor --color never
        printf 'doctor: exit status %d\n' $?
        for tier in A B C; do
            check_in_tier "$tier"
        done
    fi
    JOBS=2 sh "$REPO/tests/ctest_totals.sh" "$BUILD" --timeout 14400 ${TESTS:+-R "$TESTS"}
    grep -E '^\[  SKIPPED \] .*[a-z]$' "$BUILD/Testing/Temporary/LastTest.log" | sort -u
}
run_all </dev/null >/dev/console 2>&1
echo o >/proc/sysrq-trigger
sleep 60
