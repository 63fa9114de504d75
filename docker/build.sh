#!/bin/sh
# build.sh [OPTION...]: builds the image with labels for version, commit and date.
#
#   docker/build.sh                          the image with clang, as gpugrade and as gpugrade:VERSION
#   docker/build.sh --target test            runs the tests in build steps
#   docker/build.sh --build-arg BUILD_IMAGE=docker.io/nvidia/cuda:13.0.2-devel-ubuntu24.04
#                                            the image with that CUDA toolkit
#
# Options are those of `docker build`. ENGINE names the program (docker, podman, buildah), TAG the
# image, which then has only that name. `created` is SOURCE_DATE_EPOCH, or else in a clone the time of
# the last commit.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

if [ -z "${ENGINE:-}" ]; then
    for ENGINE in docker podman buildah none; do
        ! command -v "$ENGINE" >/dev/null 2>&1 || break
    done
    if [ "$ENGINE" = none ]; then
        echo 'build.sh: docker, podman or buildah must be installed' >&2
        exit 2
    fi
fi
version=$(sed -n 's/^project(gpugrade VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
revision=$(git -C "$root" rev-parse HEAD 2>/dev/null || echo unknown)
epoch=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
created=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)

# podman's own format of images has no health check.
format=''
case ${ENGINE##*/} in
podman | buildah) format='--format docker' ;;
esac
# The last stage is the runtime stage, but older builders would run every stage before it.
case " $* " in
*' --target '* | *' --target='*) target='' ;;
*) target='--target runtime' ;;
esac
tags="--tag ${TAG:-gpugrade:$version}"
[ -n "${TAG:-}" ] || tags="$tags --tag gpugrade"
# shellcheck disable=SC2086 # lists of words
exec "$ENGINE" build $format $target --file "$root/docker/Dockerfile" \
    $tags --build-arg "VERSION=$version" \
    --build-arg "REVISION=$revision" --build-arg "CREATED=$created" "$@" "$root"
