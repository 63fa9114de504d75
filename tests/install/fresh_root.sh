#!/bin/sh
# fresh_root.sh: makes a Debian 12 root file system with nothing in it, mounts the CUDA toolkit into it
# and runs both README commands on a clone of this repository.
#
#   fresh_root.sh [--cache FOLDER] [--worktree] [--with FILE]... [--keep] [COMMAND...]
#
#   --cache FOLDER   keeps the bootstrapped system there as a tar file, and starts from it next time
#   --worktree       copies the working tree instead of cloning the last commit
#   --with FILE      puts a file beside the clone, in /srv
#   --keep           leaves the root file system where it is and says where
#   COMMAND          run by sh in the clone instead of the two README commands, one after another
#
# Needs root, debootstrap and bubblewrap. The system is entered with bubblewrap rather than chroot:
# a process in a chroot may not make user namespaces, which the sandbox inside wants. No user
# namespace is made on the way in, so root in there is root as on a real machine.
set -u
REPO=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 3
suite=bookworm
cache=''
worktree=no
keep=no
scratch=$(mktemp -d "${TMPDIR:-/tmp}/fresh-root-XXXXXX") || exit 3
# Called by the trap.
# shellcheck disable=SC2317
clean() {
    if [ "$keep" = yes ]; then
        printf 'fresh_root: kept in %s\n' "$scratch" >&2
    else
        rm -rf --one-file-system "$scratch"
    fi
}
trap clean EXIT
trap 'exit 130' INT TERM HUP
root=$scratch/root
mkdir -p "$root" "$scratch/with"
while [ $# -gt 0 ]; do
    case $1 in
    --cache)
        [ $# -ge 2 ] || exit 2
        cache=$2
        shift
        ;;
    --worktree) worktree=yes ;;
    --with)
        { [ $# -ge 2 ] && cp "$2" "$scratch/with/"; } || exit 2
        shift
        ;;
    --keep) keep=yes ;;
    --*)
        sed -n '2,17s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || set -- './gpugrade check reference/matmul/solution' 'tests/run'

die() {
    printf 'fresh_root: %s\n' "$*" >&2
    exit 3
}
[ "$(id -u)" = 0 ] || die 'needs root'
for tool in debootstrap bwrap tar git; do
    command -v "$tool" >/dev/null 2>&1 || die "$tool is not installed"
done

cuda=${CUDA_HOME:-/usr/local/cuda}
[ -x "$cuda/bin/nvcc" ] || die "no CUDA toolkit in $cuda; set CUDA_HOME"
cuda=$(readlink -f "$cuda")

archive=${cache:+$cache/debian-$suite-minbase-$(dpkg --print-architecture).tar}
if [ -n "$archive" ] && [ -f "$archive" ]; then
    tar -C "$root" --numeric-owner -xpf "$archive" || die "$archive cannot be unpacked"
else
    debootstrap --variant=minbase "$suite" "$root" http://deb.debian.org/debian \
        >"$scratch/debootstrap.log" 2>&1 ||
        { tail -n 20 "$scratch/debootstrap.log" >&2 && die 'debootstrap failed'; }
    if [ -n "$archive" ]; then
        mkdir -p "$cache" && tar -C "$root" --numeric-owner -cpf "$archive.new" . &&
            mv "$archive.new" "$archive"
    fi
fi

# How this machine reaches packages: its sources, its apt configuration, its name server.
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
rm -f "$root/etc/apt/sources.list"
for path in apt.conf apt.conf.d sources.list sources.list.d keyrings trusted.gpg.d; do
    if [ -e "/etc/apt/$path" ]; then
        rm -rf "${root:?}/etc/apt/$path"
        cp -rL "/etc/apt/$path" "$root/etc/apt/"
    fi
done
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    mkdir -p "$root/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
fi

clone=$root/srv/gpugrade
if [ "$worktree" = yes ]; then
    mkdir -p "$clone"
    (cd "$REPO" && git ls-files -z --cached --others --exclude-standard |
        tar --null --files-from=- -cf -) | tar -C "$clone" --no-same-owner -xf - ||
        die 'the working tree cannot be copied'
else
    git clone --quiet --no-hardlinks "$REPO" "$clone" || die 'the repository cannot be cloned'
fi

for file in "$scratch"/with/*; do
    [ ! -f "$file" ] || cp "$file" "$root/srv/" || die "$file cannot be copied"
done

# Runs $1 in there. /proc is mounted by the system itself: bubblewrap's own has covered parts, and then
# the kernel allows no further /proc to the sandbox inside.
inside() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        TERM="${TERM:-dumb}" LANG=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        bwrap --bind "$root" / --ro-bind "$cuda" /usr/local/cuda --dev /dev \
        --ro-bind /sys /sys --unshare-pid --unshare-ipc --unshare-uts --hostname fresh \
        --cap-add ALL --die-with-parent --chdir /srv/gpugrade \
        sh -c "mount -t proc proc /proc && $1" </dev/null
}

for command in "$@"; do
    printf '\n$ %s\n' "$command"
    started=$(date +%s)
    inside "$command"
    status=$?
    printf '(status %d, %d s)\n' "$status" "$(($(date +%s) - started))"
    [ "$status" -eq 0 ] || exit "$status"
done
