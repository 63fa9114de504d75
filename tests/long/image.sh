#!/bin/sh
# image.sh: builds the container image without a registry and grades in it; part of tests/run --long.
#
#   image.sh [--suite NAME] [--cuda] [--cache FOLDER] [--store FOLDER]
#
#   --suite NAME     the base: see tests/install/bootstrap_lib.sh (default: bookworm)
#   --cuda           the image with the CUDA toolkit of this machine, in place of the one with clang
#   --cache FOLDER   keeps the bootstrapped base there as a tar file (default: none is kept)
#   --store FOLDER   keeps podman's layers there, which makes a second run short
#
# debootstrap makes a base, podman imports it and builds docker/Dockerfile with chroot isolation; a
# toolkit is mounted into the build steps. The unit tests and a grading run in build steps (--target
# test). Then the runtime stage is mounted and entered as a container engine would enter it: the image's
# user and environment, read-only root, private /tmp, /proc and /dev, no namespaces
# (tests/hostile/no_namespaces.c), a bounding set of two capabilities, or none, or no_new_privs. Scores
# must equal those of the grader outside, by the same compiler. The image with clang must have less than
# 500 MB, and must not build with a file of NVIDIA's in it.
#
# UNIT_TESTS in the environment chooses the parts of tests/unit (docker/Dockerfile).
# Needs root, Debian's packages and a network for them; installs podman, debootstrap and bubblewrap.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$REPO/tests/install/bootstrap_lib.sh"
cd "$REPO" || exit 1

suite=bookworm
cache=''
store=$SCRATCH/store
cuda=''
compiler=clang
while [ $# -gt 0 ]; do
    case $1 in
    --suite) suite=$2 && shift ;;
    --cuda) cuda=${CUDA_HOME:-/usr/local/cuda} && compiler=nvcc ;;
    --cache) cache=$2 && shift ;;
    --store) store=$2 && shift ;;
    *) sed -n '2,24s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
    shift
done

engine() {
    podman --root "$store/root" --runroot "$store/run" "$@"
}

# Called by the trap.
# shellcheck disable=SC2317
clean() {
    if [ -n "${image:-}" ]; then
        engine image umount --force "$image" >/dev/null 2>&1
    fi
    [ "$store" != "$SCRATCH/store" ] || engine rmi --all --force >/dev/null 2>&1
    rm -rf --one-file-system "$SCRATCH"
}
trap clean EXIT

missing_packages() {
    missing=''
    for pair in podman:podman buildah:buildah debootstrap:debootstrap bwrap:bubblewrap jq:jq \
        setpriv:util-linux crun:crun; do
        command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
    done
    printf '%s' "${missing# }"
}

requirements() {
    if [ "$(id -u)" != 0 ]; then
        skip 'the image' 'needs root'
        finish
    fi
    if [ -n "$cuda" ] && ! [ -x "$cuda/bin/nvcc" ]; then
        skip 'the image' "no CUDA toolkit in $cuda; set CUDA_HOME"
        finish
    fi
    [ -z "$cuda" ] || cuda=$(readlink -f "$cuda")
    packages=$(missing_packages)
    # shellcheck disable=SC2086 # a list of words
    if [ -n "$packages" ] && ! env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends $packages >"$SCRATCH/apt" 2>&1 </dev/null; then
        skip 'the image' "these packages cannot be installed: $packages"
        finish
    fi
}

# The bootstrapped system as an image, without what Docker's images of it have not either.
import_base() {
    bootstrap "$suite" "$SCRATCH/base" "$cache" || return 1
    rm -rf "$SCRATCH/base"/usr/share/doc/*/* "$SCRATCH/base"/usr/share/man/* \
        "$SCRATCH/base"/usr/share/locale/* "$SCRATCH/base"/var/cache/apt/* "$SCRATCH/base"/var/lib/apt/lists/*
    mkdir -p "$store"
    tar -C "$SCRATCH/base" --numeric-owner -cf - . | engine import - "$base" || return 1
    rm -rf --one-file-system "$SCRATCH/base"
}

# build TARGET [BASE]: the image of that stage, by the script that users have.
build() {
    started=$(date +%s)
    ENGINE=$SCRATCH/podman TAG=localhost/gpugrade-$1:test sh docker/build.sh --target "$1" \
        --isolation chroot --layers \
        ${cuda:+--volume "$cuda:/opt/toolkit:ro" --build-arg CUDA_FOLDER=/opt/toolkit} \
        --build-arg BUILD_IMAGE="$base" --build-arg BASE_IMAGE="${2:-$base}" \
        ${UNIT_TESTS:+--build-arg "UNIT_TESTS=$UNIT_TESTS"}
    status=$?
    printf '(%s: %d s)\n' "$1" "$(($(date +%s) - started))"
    return "$status"
}

# of_image FORMAT: what the image says of itself.
of_image() {
    engine image inspect --format "$1" "$image"
}

# enter NAME CREDENTIALS...: sets up how the image is entered as NAME: setpriv's options.
enter() {
    entered=$1
    shift
    printf '%s\n' "$@" >"$SCRATCH/credentials"
}

# inside COMMAND...: runs it in the image; what it leaves in /results lies in $SCRATCH/results.
inside() {
    rm -rf "$SCRATCH/results" && mkdir "$SCRATCH/results" && chmod 0777 "$SCRATCH/results"
    # shellcheck disable=SC2046 # a list of words; the image's own lists hold no blanks
    unshare --mount --pid --ipc --uts --fork sh "$SCRATCH/enter.sh" "$root" "$SCRATCH" \
        "$SCRATCH/no_namespaces" chroot "$root" /usr/bin/setpriv $(cat "$SCRATCH/credentials") \
        /usr/bin/env -C "$(of_image '{{.Config.WorkingDir}}')" -i $(of_image '{{join .Config.Env " "}}') "$@" </dev/null
}

# What an engine mounts: the root read-only, a cache of the image's mode, submissions and results.
write_enter() {
    cat >"$SCRATCH/enter.sh" <<'ENTER'
set -eu
root=$1 scratch=$2
shift 2
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
mount -t tmpfs -o mode=2770,gid=10001,nosuid,nodev tmpfs "$root/var/cache/gpugrade"
mount -t tmpfs -o mode=0755,nosuid tmpfs "$root/dev"
for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir -m 1777 "$root/dev/shm"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/dev/shm"
mount --bind "$scratch/submissions" "$root/submissions"
mount -o remount,bind,ro "$root/submissions"
mount --bind "$scratch/results" "$root/results"
mount -o remount,bind,ro "$root"
exec "$@"
ENTER
}

# comparable SCORE: without what varies, and without what the command is called.
comparable() {
    jq -f tests/install/comparable.jq "$1" | jq -S --arg name "$GPUGRADE check" '
        walk(if type == "string" and startswith($name) then "gpugrade check" + .[$name | length:]
            else . end)'
}

# compare NAME: grades a submission inside and compares the score with that from outside.
compare() {
    inside gpugrade check "$1" --coursework matmul --seed 0x1 --device emulated \
        --color never --json /results/score.json >"$SCRATCH/screen" 2>&1
    status=$?
    expected=$(cat "$SCRATCH/outside/$1.status")
    if [ "$status" != "$expected" ]; then
        fail "$1, $entered: status $status, outside $expected" "$SCRATCH/screen"
        return
    fi
    comparable "$SCRATCH/results/score.json" >"$SCRATCH/inside.json"
    if diff "$SCRATCH/outside/$1.json" "$SCRATCH/inside.json" >"$SCRATCH/difference"; then
        pass "$1, $entered: $(jq -r '"\(.score) of \(.measurable_max)"' "$SCRATCH/inside.json"), as outside"
    else
        fail "$1, $entered: the score is that from outside" "$SCRATCH/difference"
    fi
}

# tier WANTED NOTE: what the last score says of the sandbox; NOTE is a part of what it lacks, or "".
tier() {
    jq -c .machine.sandbox "$SCRATCH/results/score.json" >"$SCRATCH/tier" 2>/dev/null
    if [ "$(jq -r .tier "$SCRATCH/tier")" = "$1" ] &&
        if [ -n "$2" ]; then grep -qF "$2" "$SCRATCH/tier"; else ! grep -qF 'user of their own' "$SCRATCH/tier"; fi; then
        pass "$entered: tier $1${2:+, which says: $2}"
    else
        fail "$entered: tier $1 ${2:+with the note \"$2\"}" "$SCRATCH/tier"
    fi
}

make_submissions() {
    mkdir -p "$SCRATCH/submissions" "$SCRATCH/outside"
    cp -r reference/matmul/solution "$SCRATCH/submissions/right"
    cp -r "$SCRATCH/submissions/right" "$SCRATCH/submissions/wrong"
    cp tests/submissions/matmul/wrong/arguments_swapped/*.cu "$SCRATCH/submissions/wrong/"
    cp -r "$SCRATCH/submissions/right" "$SCRATCH/submissions/thief"
    echo '#include "/opt/gpugrade/share/gpugrade/reference/matmul/solution/exercise1_tiled.cu"' \
        >"$SCRATCH/submissions/thief/exercise1_tiled.cu"
    chmod -R a+rX "$SCRATCH/submissions" && chmod 0711 "$SCRATCH"
    for name in right wrong; do
        rm -f "$SCRATCH/outside/score.json"
        (cd "$SCRATCH/submissions" && "$GPUGRADE" check "$name" --coursework matmul --seed 0x1 \
            --compiler "$compiler" --device emulated --color never --json "$SCRATCH/outside/score.json") \
            >"$SCRATCH/outside/screen" 2>&1
        echo "$?" >"$SCRATCH/outside/$name.status"
        comparable "$SCRATCH/outside/score.json" >"$SCRATCH/outside/$name.json"
    done
}

sizes() {
    megabytes=$(($(of_image '{{.Size}}') / 1000000))
    printf 'the image: %s, %d MB' "$(cat "$root/opt/image/compiler")" "$megabytes"
    for folder in usr/local/cuda usr/lib/llvm-* usr/lib/gcc opt/gpugrade; do
        [ ! -d "$root/$folder" ] || printf ', %s MB /%s' "$(du -sm "$root/$folder" | cut -f 1)" "$folder"
    done
    printf ', %d packages\n' "$(wc -l <"$root/opt/image/packages-of-image")"
}

# What the image with clang is for: it may be published.
check_publishable() {
    if [ "$megabytes" -lt 500 ]; then
        pass "less than 500 MB: $megabytes"
    else
        fail "less than 500 MB: $megabytes"
    fi
    if sh docker/vendor_files.sh "$root" >"$SCRATCH/vendor" 2>&1; then
        pass "no file of NVIDIA's"
    else
        fail "no file of NVIDIA's" "$SCRATCH/vendor"
    fi
    printf 'FROM %s\nRUN echo "Copyright NVIDIA Corporation" >/usr/include/planted.h\n' "$base" \
        >"$SCRATCH/planted"
    engine build --isolation chroot --tag localhost/gpugrade-planted:test - <"$SCRATCH/planted" \
        >"$SCRATCH/planted.log" 2>&1
    if build runtime localhost/gpugrade-planted:test >"$SCRATCH/planted.log" 2>&1 ||
        ! grep -q '^vendor_files.sh: /usr/include/planted.h$' "$SCRATCH/planted.log"; then
        tail -n 20 "$SCRATCH/planted.log" >"$SCRATCH/tail"
        fail "with a file of NVIDIA's it does not build" "$SCRATCH/tail"
    else
        pass "with a file of NVIDIA's it does not build"
    fi
}

check_config() {
    user=$(of_image '{{.Config.User}}')
    if [ "$user" = 10001:10001 ]; then
        pass 'the user is not root'
    else
        fail 'the user is not root' "$user"
    fi
    version=$(of_image '{{index .Config.Labels "org.opencontainers.image.version"}}')
    if [ "$(sed -n 's/^project(gpugrade VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)" = "$version" ]; then
        pass "labels: version $version"
    else
        fail 'the label of the version is that of CMakeLists.txt' "$version"
    fi
    if find "$root" -xdev -perm /6000 -type f -newer "$root/etc/os-release" | grep . >"$SCRATCH/suid"; then
        fail 'the build adds no set-user-ID program' "$SCRATCH/suid"
    else
        pass 'the build adds no set-user-ID program'
    fi
}

# on_top NAME FOLDER FILE...: the image of docker/NAME/Dockerfile, which adds what a platform starts in
# it, has these files. FOLDER is what the build reads.
on_top() {
    name=$1
    if ! "$SCRATCH/podman" build --format docker --isolation chroot --tag localhost/gpugrade-top:test \
        --build-arg GPUGRADE_IMAGE="$image" --file "docker/$1/Dockerfile" "$2" >"$SCRATCH/top.log" 2>&1; then
        tail -n 20 "$SCRATCH/top.log" >"$SCRATCH/tail"
        fail "docker/$name/Dockerfile builds" "$SCRATCH/tail"
        return
    fi
    shift 2
    top=$(engine image mount localhost/gpugrade-top:test)
    for file in "$@"; do
        if ! [ -e "$top$file" ]; then
            fail "docker/$name/Dockerfile: $file is there"
            return
        fi
    done
    if [ "$(engine image inspect --format '{{.Config.User}}' localhost/gpugrade-top:test)" = root ]; then
        pass "docker/$name/Dockerfile builds, as root"
    else
        fail "docker/$name/Dockerfile: the user is root"
    fi
    engine image unmount localhost/gpugrade-top:test >/dev/null
}

base=localhost/gpugrade-base:$suite
requirements
started=$(date +%s)
if ! engine image exists "$base" &&
    ! import_base >"$SCRATCH/base.log" 2>&1; then
    tail -n 20 "$SCRATCH/base.log" >"$SCRATCH/tail"
    fail "a base of $suite" "$SCRATCH/tail"
    finish
fi
pass "a base of $suite ($(($(date +%s) - started)) s)"

printf '#!/bin/sh\nexec podman --root "%s/root" --runroot "%s/run" "$@"\n' "$store" "$store" \
    >"$SCRATCH/podman"
chmod +x "$SCRATCH/podman"
for stage in runtime test; do
    if build "$stage" >"$SCRATCH/$stage.log" 2>&1; then
        grep -E 'tests passed|^Score|^/stage.*MB$' "$SCRATCH/$stage.log" | sed 's/^/        | /'
        pass "podman $(podman --version | sed 's/.* //') builds $stage, isolation chroot $(tail -n 1 "$SCRATCH/$stage.log")"
    else
        tail -n 40 "$SCRATCH/$stage.log" >"$SCRATCH/tail"
        fail "podman builds $stage" "$SCRATCH/tail"
        finish
    fi
done

image=localhost/gpugrade-runtime:test
root=$(engine image mount "$image") || { fail 'the image is mounted' && finish; }
if ! cc -D_GNU_SOURCE -o "$SCRATCH/no_namespaces" tests/hostile/no_namespaces.c -lseccomp 2>"$SCRATCH/cc"; then
    fail 'tests/hostile/no_namespaces.c compiles' "$SCRATCH/cc"
    finish
fi
write_enter
make_submissions
sizes
check_config
[ -n "$cuda" ] || check_publishable

user='--reuid=10001 --regid=10001 --clear-groups --inh-caps=-all'
enter 'as docker run does' "$user"
compare right
tier B ''
compare wrong
enter 'with all capabilities but two dropped' "$user" --bounding-set=-all,+setuid,+setgid
compare right
tier B ''
if inside sh -c "$(of_image '{{index .HealthCheck.Test 1}}')" >"$SCRATCH/doctor" 2>&1; then
    pass "the health check: $(head -n 1 "$SCRATCH/doctor")"
else
    fail 'the health check succeeds' "$SCRATCH/doctor"
fi
enter 'with all capabilities dropped' "$user" --bounding-set=-all
compare right
tier B 'programs have no user of their own'
enter 'with no new privileges' "$user" --no-new-privs
compare right
tier B 'programs have no user of their own'
enter 'as another user with --group-add 10001' --reuid=12345 --regid=12345 --groups=10001 \
    --inh-caps=-all
compare right
tier B ''
inside gpugrade check thief --coursework matmul --seed 0x1 --device emulated \
    --color never --json /results/score.json >"$SCRATCH/screen" 2>&1
if jq -e '.criteria[0].status != "passed" and .score < 50' "$SCRATCH/results/score.json" >/dev/null; then
    pass 'the reference solution cannot be included'
else
    fail 'the reference solution cannot be included' "$SCRATCH/screen"
fi

# Tango's autodriver cannot be had here: a program that does nothing stands in its place.
mkdir -p "$SCRATCH/tango/autodriver"
echo 'int main(void) { return 0; }' >"$SCRATCH/tango/autodriver/autodriver.c"
on_top autolab "$SCRATCH/tango" /usr/bin/autodriver /usr/bin/make /opt/gpugrade/bin/gpugrade
on_top prairielearn docker/prairielearn /opt/gpugrade/bin/gpugrade
on_top github/classroom50 docker/github/classroom50 /usr/bin/git /usr/bin/python3
finish
