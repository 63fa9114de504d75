# shellcheck shell=sh
# gpu_lib.sh: what the scripts of this folder share that grade on a real GPU; sourced after
# shell_lib.sh. A script that needs a GPU begins with
#
#   gpu_options "$@"      --record FOLDER: also writes its tables there, as NAME.md
#   gpu_demand NAME       skips visibly, and ends, where there is no GPU or no jq
#
# JOBS is how many submissions are graded at once where nothing is timed (default: all cores but two).
SEED=0x5eed1234
RECORD=''
JOBS=${JOBS:-$(($(nproc) > 3 ? $(nproc) - 2 : 2))}
export JOBS
SUBMISSIONS=$REPO/tests/submissions/matmul
SOLUTION=$REPO/reference/matmul/solution

gpu_options() {
    if [ "${1:-}" = --record ]; then
        RECORD=$2
        mkdir -p "$RECORD" || exit 3
    fi
}

gpu_is_there() {
    [ -c /dev/nvidiactl ] || nvidia-smi -L >/dev/null 2>&1
}

gpu_demand() {
    if ! gpu_is_there; then
        skip "$1" 'there is no GPU here'
        finish
    fi
    if ! command -v jq >/dev/null 2>&1; then
        skip "$1" 'there is no jq here'
        finish
    fi
}

# gpu_count: how many GPUs this machine has.
gpu_count() {
    nvidia-smi -L | grep -c '^GPU '
}

# Name and driver of the first GPU, for a table.
gpu_words() {
    if ! gpu_is_there; then
        echo 'seen by an earlier run'
        return
    fi
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1 |
        sed 's/, /, driver /'
}

# table NAME TITLE COLUMNS: starts a dated table, COLUMNS as "| a | b |"; row() adds lines to it. Each
# is shown, and kept where that is asked, as it comes: a run that is cut off loses nothing.
table() {
    TABLE=$SCRATCH/$1.md
    {
        printf '%s: %s, %s\n\n%s\n' "$(date +%Y-%m-%d)" "$(gpu_words)" "$2" "$3"
        printf '%s\n' "$3" | sed 's/[^|][^|]*/---/g'
    } >"$TABLE"
    sed 's/^/        /' "$TABLE"
}

row() {
    printf '%s\n' "$1" >>"$TABLE"
    printf '        %s\n' "$1"
    [ -z "$RECORD" ] || cp "$TABLE" "$RECORD/"
}

# student FIXTURE FOLDER: a whole student folder: the fixture of tests/submissions ("right/padding")
# over the solution that it starts from. "reference" is the reference solution.
student() {
    student_base=$SOLUTION
    [ ! -f "$SUBMISSIONS/$1/base" ] || student_base=$REPO/$(cat "$SUBMISSIONS/$1/base")
    mkdir -p "$2" || exit 3
    cp "$student_base"/* "$2/" || exit 3
    [ "$1" = reference ] || cp "$SUBMISSIONS/$1"/*.* "$2/" || exit 3
}

# check FOLDER JSON OPTIONS...: grades; the screen in JSON.screen.
check() {
    check_folder=$1
    check_json=$2
    shift 2
    "$GPUGRADE" check "$check_folder" --coursework matmul --seed "$SEED" --color never \
        --json "$check_json" "$@" >"$check_json.screen" 2>&1 </dev/null
}

# wrapped TOOL...: a copy of the grader whose device process, where it drives a GPU, is started by
# TOOL; prints its path. What the emulated device does is left alone. TOOL is words without quotes.
# The device process of a GPU gets the caller's environment, and only it does.
wrapped() {
    wrapped_bin=$SCRATCH/wrapped/bin
    wrapped_from=$(dirname "$(gpugrade_binary)")
    rm -rf "$SCRATCH/wrapped"
    mkdir -p "$wrapped_bin" &&
        cp "$wrapped_from"/gpugrade "$wrapped_from"/gpugrade-jail "$wrapped_bin/" &&
        cp "$wrapped_from"/gpugrade-device "$wrapped_bin/device-alone" &&
        cp -R "$wrapped_from/../lib" "$SCRATCH/wrapped/" || exit 3
    cat >"$wrapped_bin/gpugrade-device" <<END
#!/bin/sh
[ -z "\${GPU_WRAPPED:-}" ] || exec $* '$wrapped_bin/device-alone' "\$@"
exec '$wrapped_bin/device-alone' "\$@"
END
    chmod +x "$wrapped_bin/gpugrade-device"
    printf '%s\n' "$wrapped_bin/gpugrade"
}

# The grader itself: GPUGRADE, or what the launcher of that name has built.
gpugrade_binary() {
    if head -c 2 "$GPUGRADE" | grep -q '#!'; then
        printf '%s\n' "${GPUGRADE_BUILD:-$REPO/build}/bin/gpugrade"
    else
        printf '%s\n' "$GPUGRADE"
    fi
}
