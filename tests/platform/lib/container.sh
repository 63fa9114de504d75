# shellcheck shell=sh disable=SC2034,SC2154 # sourced behind shell_lib.sh; its variables are for the suites
# container.sh: a machine as a learning platform gives it to a grader: this one's system, read-only,
# with folders of its own where the platform has them; root, no control groups. And a grader installed
# in it at /opt/gpugrade.
#
# The network is this machine's: the sandbox's users are the same ones in there and out here, where
# other suites may grade at the same time and end what is left of a user, and whose turn it is is told
# by names that belong to a network. (On a platform no container sees the processes of another.)
#
# Where no namespace can be made (this is a container or a chroot itself) the suite works in place: the
# folders are this machine's, made for the suite and removed behind it, by one suite at a time. What is
# there already is never touched: then the suite is skipped.
#
# Needs root; without it container_ready skips the suite.

# container_ready NAME FOLDER...: FOLDER is where the platform has a folder, as /autograder; where it
# lies out here says folder_of.
container_ready() {
    suite=$1
    shift
    FOLDERS=$*
    if [ "$(id -u)" != 0 ]; then
        skip "$suite" 'needs root'
        finish
    fi
    if ! command -v python3 >/dev/null 2>&1; then
        skip "$suite" 'needs python3'
        finish
    fi
    # Without a toolkit clang compiles, which is there with /usr.
    toolkit=''
    cuda=${CUDA_HOME:-/usr/local/cuda}
    if [ -x "$cuda/bin/nvcc" ]; then
        cuda=$(readlink -f "$cuda")
        case $cuda in
        /usr/*) ;; # is there with /usr
        *) toolkit=yes ;;
        esac
    fi
    mkdir "$SCRATCH/tools"
    place=$SCRATCH/place
    if [ "${CONTAINER:-}" = in_place ] || ! enter -- mount -t proc proc /proc 2>"$SCRATCH/no_container"; then
        work_in_place
    fi
    for folder in /opt $FOLDERS; do
        mkdir -p "$place$folder"
    done
}

# enter WORDS...: bubblewrap with what is always mounted, further options, and "--" with a command. /proc
# is mounted by the system itself: bubblewrap's own has covered parts, and then the kernel allows no
# further /proc to the sandbox inside.
enter() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/sbin /sbin \
        --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind /etc /etc --dev /dev \
        --ro-bind /sys /sys --dir /proc --perms 1777 --tmpfs /tmp --tmpfs /run \
        ${toolkit:+--ro-bind "$cuda" /usr/local/cuda} --ro-bind "$SCRATCH/tools" /tools \
        --unshare-pid --unshare-ipc --unshare-uts --cap-add ALL --die-with-parent --chdir / "$@"
}

work_in_place() {
    exec 8</
    flock 8
    for folder in /opt/gpugrade $FOLDERS; do
        if [ -e "$folder" ] || [ -L "$folder" ]; then
            skip "$suite" "no namespaces here, and $folder is there already"
            finish
        fi
    done
    place=''
    trap 'end_left; rm -rf /opt/gpugrade $FOLDERS "$SCRATCH"' EXIT
    printf 'in place: no container can be made here (%s)\n' "$(head -n 1 "$SCRATCH/no_container")"
}

# folder_of PATH: where out here that folder of the platform lies.
folder_of() {
    printf '%s%s' "$place" "$1"
}

# end_left: ends what the suite has started in place and left running; a container ends it by itself.
end_left() {
    for process in /proc/[0-9]*; do
        if grep -qsxzF "IN_PLACE=$SCRATCH" "$process/environ"; then
            kill -KILL "${process#/proc/}" 2>/dev/null
        fi
    done
}

# install_grader: /opt/gpugrade of the platform, from the build folder of GPUGRADE_BUILD.
install_grader() {
    build=${GPUGRADE_BUILD:-$REPO/build}
    prefix=$(folder_of /opt/gpugrade)
    mkdir -p "$prefix"
    if ! cmake --install "$build" --prefix "$prefix" >"$SCRATCH/install.log" 2>&1; then
        tail -n 5 "$SCRATCH/install.log" >"$SCRATCH/tail"
        fail 'the grader can be installed' "$SCRATCH/tail"
        finish
    fi
    [ -z "$place" ] || chmod 0755 "$SCRATCH" "$place" "$place/opt"
    chmod 0755 "$prefix"
    # As gradescope/setup.sh does.
    chmod 0700 "$prefix/share/gpugrade/rubrics" "$prefix/share/gpugrade/reference"
}

# inside COMMAND...: runs it in there as root. CONFINE, a program of $SCRATCH/tools put in front of it,
# may forbid things first (tests/hostile/no_namespaces.c makes it a container without namespaces).
inside() {
    if [ -z "$place" ]; then
        (cd / && exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME=/root LANG=C.UTF-8 IN_PLACE="$SCRATCH" ${CONFINE:+"$SCRATCH/tools/$CONFINE"} "$@" 8<&-)
        inside_status=$?
        end_left
        return "$inside_status"
    fi
    set -- -- sh -c 'mount -t proc proc /proc && exec "$@"' sh ${CONFINE:+/tools/$CONFINE} "$@"
    for folder in /opt $FOLDERS; do
        set -- --bind "$place$folder" "$folder" "$@"
    done
    enter "$@"
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
