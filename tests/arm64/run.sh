#!/bin/sh
# tests/arm64/run.sh: builds for arm64 on another machine, and runs what was built on an emulated arm64
# machine with a kernel of its own: all unit tests and fuzz corpora, those of the sandbox included,
# and a check of the reference solution in tiers A, B and C, whose scores must be this machine's.
#
#   sh tests/arm64/run.sh [TESTS]    only these: a pattern of ctest, such as unit/device
#
# On Debian; needs no root:
#   apt-get install gcc-aarch64-linux-gnu qemu-system-arm cpio jq
# All that is of arm64 is fetched by apt from this machine's sources, into build-arm64/machine. The
# machine's console is kept in build-arm64/machine/log. It is emulated instruction by instruction:
# count on an hour.
#
# The emulator of single programs (qemu-user) would not do: it passes on neither seccomp, Landlock,
# ptrace nor limits of memory, and its vfork is a fork.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
build=$REPO/build-arm64
machine=$build/machine
root=$machine/root

# The newest clang, as the launcher takes it.
version=''
for number in 24 23 22 21 20 19 18 17 16 15 14; do
    [ -n "$version" ] || ! command -v "clang++-$number" >/dev/null 2>&1 || version=$number
done
missing=''
[ -n "$version" ] || missing=' clang'
for command in aarch64-linux-gnu-gcc qemu-system-aarch64 cmake ninja pkg-config cpio jq apt-get dpkg-deb; do
    command -v "$command" >/dev/null 2>&1 || missing="$missing $command"
done
if [ -n "$missing" ]; then
    skip 'tests on arm64' "missing:$missing"
    finish
fi
if [ "$(uname -m)" = aarch64 ]; then
    skip 'tests on arm64' 'this machine is one: tests/run runs them all'
    finish
fi

# apt_arm64 ARGUMENT...: apt-get as on an arm64 machine on which nothing is installed.
apt_arm64() {
    apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \
        -o Dir::State="$machine/apt" -o Dir::State::status="$machine/apt/status" \
        -o Dir::Cache="$machine/apt" -o Debug::NoLocking=1 -o APT::Install-Recommends=false "$@"
}

# The kernel is that of the release; other packages are those of the image (docker/packages.txt).
fetch_packages() {
    mkdir -p "$machine/apt/lists/partial" "$machine/apt/archives/partial" &&
        : >"$machine/apt/status" && apt_arm64 update || return 1
    # shellcheck disable=SC2046 # a list of words
    apt_arm64 install --download-only '?essential' mount iproute2 "clang-$version" \
        $(awk '$1 ~ /^(build|units|runtime)$/ { print $2 }' "$REPO/docker/packages.txt") || return 1
    kernel=$(apt_arm64 -s install linux-image-arm64 |
        sed -n 's/^Inst \(linux-image-[0-9][^ ]*\) .*/\1/p')
    [ -n "$kernel" ] && cd "$machine" && apt_arm64 download "$kernel"
}

# No script of a package is run: what they would do and is needed follows by hand.
unpack_packages() {
    for folder in bin sbin lib; do
        mkdir -p "$root/usr/$folder" && ln -s "usr/$folder" "$root/$folder" || return 1
    done
    for package in "$machine"/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -C "$root" --keep-directory-symlink \
            --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
            --exclude='./usr/share/locale/*' -xf - || return 1
    done
    for file in passwd group; do
        cp "$root/usr/share/base-passwd/$file.master" "$root/etc/$file" || return 1
    done
    ln -s gcc "$root/usr/bin/cc" && ln -s g++ "$root/usr/bin/c++" && ln -s mawk "$root/usr/bin/awk"
    dpkg-deb --fsys-tarfile "$machine"/linux-image-*.deb | tar -xO --wildcards './boot/vmlinuz-*' \
        >"$machine/kernel" &&
        (cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$machine/system.cpio"
}

make_system() {
    made=$machine/made-$version-$(cksum <"$REPO/docker/packages.txt" | cut -d ' ' -f 1)
    [ ! -f "$made" ] || return 0
    rm -rf "$machine"
    fetch_packages && unpack_packages && : >"$made"
}

build_all() {
    ARM64_ROOT=$root cmake -S "$REPO" -B "$build" -G Ninja -DGPUGRADE_TESTS=ON \
        -DCMAKE_TOOLCHAIN_FILE="$REPO/tests/arm64/toolchain.cmake" &&
        ARM64_ROOT=$root cmake --build "$build" --parallel 2
}

# The sources and the build lie where they are here, because programs of the tests look there.
add_tree() {
    cp "$machine/system.cpio" "$machine/initrd" && mkdir "$SCRATCH/top" &&
        cp "$REPO/tests/arm64/arm64_init.sh" "$SCRATCH/top/init" && chmod 755 "$SCRATCH/top/init" &&
        cp "$SCRATCH/rubric.json" "$SCRATCH/top" && mkdir -p "$SCRATCH/top$REPO" &&
        (cd "$SCRATCH/top" && find . | cpio --quiet -o -H newc -R 0:0) >>"$machine/initrd" &&
        (cd / && find "${REPO#/}" \( -name .git -o -path "${REPO#/}/build*" ! -path "${build#/}" \
            ! -path "${build#/}/*" -o -path "${machine#/}" -o -name '*.[oa]' \) -prune -o -print |
            cpio --quiet -o -H newc -R 0:0) >>"$machine/initrd"
}

# start_machine: until it turns itself off.
start_machine() {
    timeout 4h qemu-system-aarch64 -M virt -cpu neoverse-n1 -smp 2 -m 6G -nic none \
        -nographic -no-reboot -kernel "$machine/kernel" -initrd "$machine/initrd" \
        -append "rdinit=/init quiet REPO=\"$REPO\" BUILD=\"$build\" TESTS=\"${1:-}\"" </dev/null
}

# step NAME COMMAND...: ends the suite if the command fails.
step() {
    name=$1
    shift
    if ! "$@" >"$SCRATCH/log" 2>&1; then
        tail -n 40 "$SCRATCH/log" >"$SCRATCH/end"
        fail "$name" "$SCRATCH/end"
        finish
    fi
}

without_varying() {
    jq 'del(.machine, .seconds, .criteria[].measured)' "$1"
}

# The rubric, with limits of time for a machine that is twenty times slower.
cat >"$SCRATCH/rubric.json" <<'X'
{ "schema": "gpugrade/rubric/v1", "extends": "matmul",
  "limits": { "compile_seconds": 3600, "program_seconds": 3600, "program_cpu_seconds": 3600,
              "launch_seconds_emulated": 3600, "grader_cpu_seconds": 36000 } }
X
check_here() {
    "$GPUGRADE" check "$REPO/reference/matmul/solution" --rubric "$SCRATCH/rubric.json" \
        --compiler clang --sandbox C --device emulated --gpu-model H200 --seed 19 \
        --json "$SCRATCH/here.json" && without_varying "$SCRATCH/here.json" >"$SCRATCH/here"
}

# same_score TIER: compares the score that the machine printed with this machine's.
same_score() {
    sed -n "s/^score $1: //p" "$machine/log" >"$SCRATCH/arm64.json"
    without_varying "$SCRATCH/arm64.json" >"$SCRATCH/arm64" 2>&1
    diff "$SCRATCH/here" "$SCRATCH/arm64"
}

step 'the system for arm64' make_system
step 'the build for arm64' build_all
[ $# -gt 0 ] || step 'the check on this machine' check_here
step 'the disk of the machine' add_tree

start_machine "$@" 2>&1 | tee "$machine/log" | grep --line-buffered -v '^score '
for tier in A B C; do
    [ $# -gt 0 ] || expect "tier $tier: the same score as on this machine" same_score "$tier"
done
[ $# -gt 0 ] || expect 'doctor finds nothing to mend' grep -q '^doctor: exit status 0$' "$machine/log"
totals=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$machine/log" | tail -n 1)
if [ -z "$totals" ]; then
    fail 'the machine ran the unit tests'
    finish
fi
# shellcheck disable=SC2086 # three numbers and three words
set -- $totals
passed=$((passed + $1))
failed=$((failed + $3))
skipped=$((skipped + $5))
finish
