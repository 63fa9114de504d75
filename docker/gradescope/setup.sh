#!/bin/sh
# setup.sh: Gradescope starts this once, as root, when it builds the image of an assignment. It installs
# clang and the grader, and tries both by grading the reference solution. If that fails, so does the image,
# and the log says why.
#
# For Ubuntu 22.04, 24.04 and Debian 12. If nvcc is already there, as in an image of your own, it is
# used. About 650 MB, 2 minutes.
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

apt-get update
apt-get install -y --no-install-recommends ninja-build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
tar -C "$work/source" -xzf "$source/gpugrade.tar.gz"
"$work/source/gpugrade" --packages
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
