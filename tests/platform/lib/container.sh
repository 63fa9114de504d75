# shellcheck shell=sh disable=SC2034,SC2154 # sourced behind shell_lib.sh; its variables are for the suites
# container.sh: a machine as a learning platform gives it to a grader: this one's system, read-only,
# with folders of its own where the platform has them; root, no control groups. And a grader installed
# in it at /opt/gpugrade.
#
# The network is this machine's: the sandbox's users are the same ones in there and out here, where
# other suites may grade at the same time and end what is left of a user, and whose turn it is is told
# by names that belong to a network. (On a platform no container sees the processes of another.)
#
#   FOLDERS   pairs of a folder here and its place in there, one a line, with a tab between
#
# Needs root and bubblewrap; without them container_ready skips the suite.

container_ready() {
    if [ "$(id -u)" != 0 ] || ! command -v bwrap >/dev/null 2>&1; then
        skip "$1" 'needs root and bubblewrap'
        finish
    fi
    if ! command -v python3 >/dev/null 2>&1; then
        skip "$1" 'needs python3'
        finish
    fi
    cuda=${CUDA_HOME:-/usr/local/cuda}
    if ! [ -x "$cuda/bin/nvcc" ]; then
        skip "$1" 'needs the CUDA toolkit; set CUDA_HOME'
        finish
    fi
    cuda=$(readlink -f "$cuda")
    case $cuda in
    /usr/*) toolkit='' ;; # is there with /usr
    *) toolkit=yes ;;
    esac
}

# install_grader: $SCRATCH/opt/gpugrade, from the build folder of GPUGRADE_BUILD.
install_grader() {
    build=${GPUGRADE_BUILD:-$REPO/build}
    mkdir -p "$SCRATCH/opt/gpugrade"
    if ! cmake --install "$build" --prefix "$SCRATCH/opt/gpugrade" >"$SCRATCH/install.log" 2>&1; then
        tail -n 5 "$SCRATCH/install.log" >"$SCRATCH/tail"
        fail 'the grader can be installed' "$SCRATCH/tail"
        finish
    fi
    chmod 0755 "$SCRATCH" "$SCRATCH/opt" "$SCRATCH/opt/gpugrade"
    # As gradescope/setup.sh does.
    chmod 0700 "$SCRATCH/opt/gpugrade/share/gpugrade/rubrics" \
        "$SCRATCH/opt/gpugrade/share/gpugrade/reference"
}

# inside COMMAND...: runs it in there as root. CONFINE, a program put in front of it, may forbid
# things first (tests/hostile/no_namespaces.c makes it a container without namespaces).
inside() {
    set -- --chdir / -- sh -c 'mount -t proc proc /proc && exec "$@"' sh ${CONFINE:+/tools/$CONFINE} "$@"
    while IFS='	' read -r from to; do
        [ -z "$from" ] || set -- --bind "$from" "$to" "$@"
    done <<END
$FOLDERS
END
    # /proc is mounted by the system itself: bubblewrap's own has covered parts, and then the kernel
    # allows no further /proc to the sandbox inside.
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/sbin /sbin \
        --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind /etc /etc --dev /dev \
        --ro-bind /sys /sys --dir /proc --perms 1777 --tmpfs /tmp --tmpfs /run \
        --bind "$SCRATCH/opt" /opt ${toolkit:+--ro-bind "$cuda" /usr/local/cuda} \
        --ro-bind "$SCRATCH/tools" /tools --unshare-pid --unshare-ipc --unshare-uts \
        --cap-add ALL --die-with-parent "$@"
}

# watched FORMAT FILE COMMAND...: runs it in there while FILE, out here, is watched. What was seen of
# the file and what was printed is in $SCRATCH/versions.
watched() {
    rm -f "$SCRATCH/stop" "$SCRATCH/stop.ready"
    python3 "$REPO/tests/platform/lib/watch_results.py" "$1" "$2" "$SCRATCH/stop" \
        >"$SCRATCH/versions" 2>&1 &
    watcher=$!
    while ! [ -e "$SCRATCH/stop.ready" ] && kill -0 "$watcher" 2>/dev/null; do
        sleep 0.05
    done
    shift 2
    inside "$@" >"$SCRATCH/printed" 2>&1
    touch "$SCRATCH/stop"
    wait "$watcher"
    watch_status=$?
    cat "$SCRATCH/printed" >>"$SCRATCH/versions"
}

# results_end NAME PATTERN: the last version of the results, and all of them valid.
results_end() {
    last=$(grep '^score ' "$SCRATCH/versions" | tail -n 1)
    if [ "$watch_status" = 0 ] && printf '%s' "$last" | grep -qxE "$2"; then
        pass "$1: $last, $(grep -c '^score ' "$SCRATCH/versions") versions, $(grep ' looks' "$SCRATCH/versions")"
    else
        fail "$1" "$SCRATCH/versions"
    fi
}

# probing_submission FOLDER PATH...: a submission that is right, and ends badly if it reaches one of the
# files, to read or to write.
probing_submission() {
    folder=$1
    shift
    mkdir -p "$folder"
    cp "$REPO"/reference/matmul/solution/*.cu "$folder/"
    for file in "$folder"/*.cu; do
        {
            echo '#include <cstdio>'
            echo '#include <cstdlib>'
            echo 'static void reach(const char *path, const char *mode) {'
            echo '    FILE *file = fopen(path, mode);'
            echo '    if (file != NULL) { puts(path); fflush(stdout); abort(); }'
            echo '}'
            echo '__attribute__((constructor)) static void reach_all(void) {'
            for path in "$@"; do
                printf '    reach("%s", "r");\n    reach("%s", "r+");\n' "$path" "$path"
            done
            echo '}'
            cat "$file"
        } >"$file.new"
        mv "$file.new" "$file"
    done
}

# A quick rubric with a hidden case and a hidden criterion; its salt is what nobody may find.
quick_rubric() {
    cat >"$1" <<'END'
{
  "schema": "gpugrade/rubric/v1",
  "extends": "matmul",
  "salt": "canary salt of the platform",
  "cases": [
    { "id": "canary.case", "hidden": true, "a_height": 2, "a_width": [1, 2], "b_width": 3 }
  ],
  "criteria": [
    { "id": "occupancy", "hidden": true, "title": "canary occupancy" }
  ]
}
END
}

# falls_asleep FOLDER: its first program waits at its start for as long as the rubric lets it.
falls_asleep() {
    for source in "$1"/*.cu; do
        printf '#include <unistd.h>\nstatic const unsigned left = sleep(60);\n' >>"$source"
        break
    done
}
