#!/bin/sh
# setup.sh: Gradescope starts this once, as root, when it builds the image of an assignment. It installs
# the CUDA compiler (no driver, no GPU) and the grader, and tries both by grading the reference
# solution. If that fails, so does the image, and the log says why.
#
# For Ubuntu 22.04, 24.04 and Debian 12. If nvcc is already there, as in an image of your own, it is
# used. About 1.5 GB, 5 minutes.
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
prefix=/opt/gpugrade
export DEBIAN_FRONTEND=noninteractive
# shellcheck source=/dev/null
. "$source/settings.sh"
# shellcheck source=docker/platform_lib.sh
. "$source/platform_lib.sh"

die() {
    printf 'setup.sh: %s\n' "$*" >&2
    exit 1
}

# install PACKAGE...
install() {
    apt-get install -y --no-install-recommends "$@"
}

# The vendor's package source for this system.
add_cuda_source() {
    # shellcheck source=/dev/null
    system=$(. /etc/os-release && printf '%s-%s' "$ID" "$VERSION_ID")
    case $system in
    ubuntu-22.04) name=ubuntu2204 ;;
    ubuntu-24.04) name=ubuntu2404 ;;
    debian-12) name=debian12 ;;
    *) die "NVIDIA has no packages for $system here; choose Ubuntu 22.04 or 24.04 as the base image" ;;
    esac
    case $(uname -m) in
    x86_64) machine=x86_64 ;;
    aarch64) machine=sbsa ;;
    *) die "there is no CUDA toolkit for $(uname -m)" ;;
    esac
    keys=https://developer.download.nvidia.com/compute/cuda/repos/$name/$machine/cuda-keyring_1.1-1_all.deb
    install ca-certificates wget
    wget -q -O /tmp/cuda-keyring.deb "$keys" || die "$keys cannot be downloaded"
    dpkg -i /tmp/cuda-keyring.deb
    rm /tmp/cuda-keyring.deb
    apt-get update
}

apt-get update
install build-essential cmake ninja-build pkg-config bubblewrap libcjson-dev libzstd-dev liblz4-dev \
    libmd-dev libarchive-dev libseccomp-dev libsqlite3-dev libutf8proc-dev
if ! command -v nvcc >/dev/null 2>&1 && ! [ -x /usr/local/cuda/bin/nvcc ]; then
    add_cuda_source
    install "cuda-nvcc-$CUDA" "cuda-cudart-dev-$CUDA" "cuda-cccl-$CUDA" "libcurand-dev-$CUDA"
fi
rm -rf /var/lib/apt/lists/*
# run_autograder sets its own PATH, and the grader looks in the usual places.
nvcc=$(command -v nvcc || true)
case $nvcc in
'' | /usr/bin/* | /usr/local/cuda*) ;;
*)
    folder=$(dirname -- "$(dirname -- "$(readlink -f "$nvcc")")")
    printf "CUDA_HOME='%s'; export CUDA_HOME\n" "$folder" >>"$source/settings.sh"
    ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
tar -C "$work/source" -xzf "$source/gpugrade.tar.gz"
cmake -S "$work/source" -B "$work/build" -G Ninja -DGPUGRADE_TESTS=OFF \
    -DCMAKE_INSTALL_PREFIX="$prefix"
cmake --build "$work/build"
cmake --install "$work/build" --strip

# Students' programs run as other users than root and must not read any of these.
chmod 0700 "$prefix/share/gpugrade/rubrics" "$prefix/share/gpugrade/reference" "$source"
rm "$source/gpugrade.tar.gz"

find_gpugrade
"$GPUGRADE" version
GPUGRADE_CACHE=$prefix/cache
export GPUGRADE_CACHE
solution=$source/course/reference/$COURSEWORK/solution
[ -d "$solution" ] || solution=$prefix/share/gpugrade/reference/$COURSEWORK/solution
[ -d "$solution" ] || die "there is no reference solution for '$COURSEWORK' to try"
# What is compiled here for all submissions is kept in the cache. If a run had to compile all of it at
# once, its memory would not be enough.
set -- check "$solution" --seed "$SEED"
if [ -n "$RUBRIC" ]; then
    set -- "$@" --rubric "$source/$RUBRIC"
else
    set -- "$@" --coursework "$COURSEWORK"
fi
set -- "$GPUGRADE" "$@"
[ "$CORES" != 1 ] || set -- taskset -c "$(first_core)" "$@"
"$@" || die 'the reference solution does not get all marks here, so no submission can be graded'
"$GPUGRADE" doctor --color never || echo 'setup.sh: grading is not sound here, see above; this may differ in a run'
