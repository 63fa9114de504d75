#!/usr/bin/env bash
# build.sh name|build: builds gpugrade on a runner without an image, for the action, in ~/.gpugrade.
#
#   name     writes the output "name", which decides whether what was built before can be used: a hash of
#            the sources and the system. Without an output, gpugrade is installed on the runner
#   build    installs the packages that are missing; builds what was not restored
#
# gpugrade.tar.gz beside this script has the sources; make -f docker/github/Makefile puts it there.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
archive=$here/gpugrade.tar.gz
folder=$HOME/.gpugrade

case ${1:-} in
name)
    if ! [ -f "$archive" ]; then
        command -v "${GPUGRADE:-gpugrade}" >/dev/null && exit 0
        echo '::error title=gpugrade::the action has no gpugrade.tar.gz, and gpugrade is not installed: set image'
        exit 2
    fi
    printf 'name=gpugrade-%s\n' "$(cat "$archive" /etc/os-release <(uname -m) | sha256sum | cut -c 1-32)" \
        >>"$GITHUB_OUTPUT"
    ;;
build)
    if ! [ -x "$folder/source/gpugrade" ]; then
        mkdir -p "$folder/source"
        tar -C "$folder/source" -xzf "$archive"
    fi
    "$folder/source/gpugrade" --yes --packages
    "$folder/source/gpugrade" version
    # Only the programs are worth keeping.
    find "$folder/source/build" -name '*.[oa]' -delete
    ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
