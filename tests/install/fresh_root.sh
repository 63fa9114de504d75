#!/bin/sh
# fresh_root.sh: makes a root file system of Debian or Ubuntu with nothing in it, and runs both README
# commands there on a clone of this repository. After each it says how long it took and what it installed.
#
#   fresh_root.sh [--suite NAME] [--cache FOLDER] [--cuda] [--worktree] [--with FILE]... [--chroot]
#                 [--user] [--keep] [COMMAND...]
#
#   --suite NAME     bookworm (Debian 12, the default), jammy (Ubuntu 22.04) or noble (Ubuntu 24.04)
#   --cache FOLDER   keeps the bootstrapped system there as a tar file, and starts from it next time
#   --cuda           mounts this machine's CUDA toolkit into it; without it there is nothing of NVIDIA's
#   --worktree       copies the working tree instead of cloning the last commit
#   --with FILE      puts a file beside the clone, in /srv
#   --chroot         enters it as the step of a container's build does: no namespaces can be made in there
#   --user           runs the commands once more, by a user without root in a clone of their own; what
#                    they need is installed then
#   --keep           leaves the root file system where it is and says where
#   COMMAND          run by sh in the clone instead of the two README commands, one after another
#
# Needs root, debootstrap and bubblewrap, or with --chroot unshare. Without --chroot the system is
# entered with bubblewrap: a process in a chroot may not make user namespaces, which the sandbox
# inside wants. No user namespace is made on the way in, so root in there is root as on a real machine.
set -u
. "$(dirname -- "$0")/bootstrap_lib.sh"
REPO=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 3
suite=bookworm
cache=''
cuda=''
worktree=no
keep=no
enter=bwrap
user=no
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
    --suite)
        [ $# -ge 2 ] || exit 2
        suite=$2
        shift
        ;;
    --worktree) worktree=yes ;;
    --cuda) cuda=${CUDA_HOME:-/usr/local/cuda} ;;
    --with)
        { [ $# -ge 2 ] && cp "$2" "$scratch/with/"; } || exit 2
        shift
        ;;
    --chroot) enter=unshare ;;
    --user) user=yes ;;
    --keep) keep=yes ;;
    --*)
        sed -n '2,23s/^# \{0,1\}//p' "$0" >&2
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
for tool in debootstrap "$enter" tar git; do
    command -v "$tool" >/dev/null 2>&1 || die "$tool is not installed"
done

if [ -n "$cuda" ]; then
    [ -x "$cuda/bin/nvcc" ] || die "no CUDA toolkit in $cuda; set CUDA_HOME"
    cuda=$(readlink -f "$cuda")
fi

bootstrap "$suite" "$root" "$cache" >"$scratch/bootstrap.log" 2>&1 ||
    { tail -n 20 "$scratch/bootstrap.log" >&2 && die 'the system cannot be bootstrapped'; }

# take_sources FOLDER: below the root.
take_sources() {
    if [ "$worktree" = yes ]; then
        mkdir -p "$root$1"
        (cd "$REPO" && git ls-files -z --cached --others --exclude-standard |
            tar --null --files-from=- -cf -) | tar -C "$root$1" --no-same-owner -xf - ||
            die 'the working tree cannot be copied'
    else
        git clone --quiet --no-hardlinks "$REPO" "$root$1" || die 'the repository cannot be cloned'
    fi
}
take_sources /srv/gpugrade

for file in "$scratch"/with/*; do
    [ ! -f "$file" ] || cp "$file" "$root/srv/" || die "$file cannot be copied"
done

# inside USER FOLDER COMMAND: there. /proc is mounted by the system itself: bubblewrap's own has covered
# parts, and then the kernel allows no further /proc to the sandbox inside. What unshare makes is for
# this side alone, so that nothing stays mounted and no process stays; chroot is what enters.
inside() {
    home=/root
    [ "$1" = root ] || home=/srv/$1
    as="setpriv --reuid=$1 --regid=$1 --init-groups --"
    [ "$1" != root ] || as=''
    set -- "cd $2 && $3"
    if [ "$enter" = bwrap ]; then
        # shellcheck disable=SC2086 # an option and its two values
        set -- bwrap --bind "$root" / ${cuda:+--ro-bind "$cuda" /usr/local/cuda} --dev /dev \
            --ro-bind /sys /sys --unshare-pid --unshare-ipc --unshare-uts --hostname fresh \
            --cap-add ALL --die-with-parent \
            sh -c "mount -t proc proc /proc && exec $as sh -c \"\$1\"" sh "$1"
    else
        [ -z "$cuda" ] || mkdir -p "$root/usr/local/cuda"
        # shellcheck disable=SC2016 # for the shell on the way
        set -- unshare --mount --pid --fork --kill-child sh -c '{ [ -z "$2" ] ||
            { mount --bind "$2" "$1/usr/local/cuda" &&
            mount -o remount,bind,ro "$1/usr/local/cuda"; }; } && mount -t proc proc "$1/proc" &&
            mount --rbind /dev "$1/dev" && mount --bind /sys "$1/sys" &&
            exec chroot "$1" $3 sh -c "$4"' sh "$root" "$cuda" "$as" "$1"
    fi
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$home" \
        TERM="${TERM:-dumb}" LANG=C.UTF-8 \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        "$@" </dev/null
}

# What a system's packages take, in KiB.
installed_kib() {
    du -skx "$root/usr" | cut -f 1
}

# run_all USER FOLDER COMMAND...
run_all() {
    by=$1
    folder=$2
    shift 2
    for command in "$@"; do
        printf '\n%s %s\n' "$([ "$by" = root ] && echo '#' || echo '$')" "$command"
        before=$(installed_kib)
        started=$(date +%s)
        inside "$by" "$folder" "$command"
        status=$?
        printf '(status %d, %d s, %d MiB of packages installed)\n' "$status" \
            "$(($(date +%s) - started))" "$((($(installed_kib) - before) / 1024))"
        [ "$status" -eq 0 ] || exit "$status"
    done
}

run_all root /srv/gpugrade "$@"
if [ "$user" = yes ]; then
    chroot "$root" useradd --home-dir /srv/student --create-home student || die 'no user can be made'
    take_sources /srv/student/gpugrade
    chroot "$root" chown -R student:student /srv/student
    run_all student /srv/student/gpugrade "$@"
fi
