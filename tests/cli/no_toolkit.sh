#!/bin/sh
# no_toolkit.sh: a machine without nvcc grades by clang, and says so; without clang it says what to
# install.
#
# The usual folders cannot be moved away, so a mount namespace hides them with empty ones; where that
# is not allowed the test skips.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
solution=$REPO/reference/adjacent_difference/solution
binary=${GPUGRADE_BUILD:-$REPO/build}/bin/gpugrade

hide=''
for folder in /usr/local/cuda /usr/local/cuda-* /opt/cuda; do
    [ -d "$folder" ] && hide="$hide --tmpfs $(readlink -f "$folder")"
done
# shellcheck disable=SC2086 # a list of options
if ! command -v bwrap >/dev/null 2>&1 || ! bwrap --dev-bind / / $hide true 2>/dev/null; then
    skip 'no nvcc' 'bubblewrap cannot hide the toolkit here'
    finish
fi

# without_nvcc PATH WORDS...: what gpugrade does where there is none.
without_nvcc() {
    path=$1
    shift
    # shellcheck disable=SC2086
    env -u CUDA_HOME -u CUDA_PATH PATH="$path" GPUGRADE_ROOT="$REPO" GPUGRADE_CACHE="$SCRATCH/cache" \
        "$(command -v bwrap)" --dev-bind / / $hide "$binary" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
}

without_nvcc /nowhere check --sandbox C "$solution"
if [ "$status" -eq 3 ] && grep -q 'apt install clang' "$SCRATCH/err" && [ ! -s "$SCRATCH/out" ]; then
    pass 'no compiler: exit 3 and what to install'
else
    fail "no compiler: exit 3 and what to install, got $status" "$SCRATCH/err"
fi

clangs=$(ls /usr/bin/clang++ /usr/bin/clang++-* 2>/dev/null)
if [ -z "$clangs" ]; then
    skip 'no nvcc: clang grades' 'there is no clang'
    finish
fi
without_nvcc /usr/bin:/bin check --sandbox C --compiler nvcc "$solution"
if [ "$status" -eq 3 ] && grep -q 'toolkit' "$SCRATCH/err"; then
    pass '--compiler nvcc without nvcc: exit 3 and what to install'
else
    fail "--compiler nvcc without nvcc: exit 3 and what to install, got $status" "$SCRATCH/err"
fi
without_nvcc /usr/bin:/bin check --sandbox C --device emulated --json "$SCRATCH/score.json" "$solution"
tools=$(jq -r '.machine.tools | "\(.cuda)|\(.compiler)"' "$SCRATCH/score.json" 2>/dev/null)
case $status:$tools in
'0:|clang '*) pass "no nvcc: the reference passes by ${tools#|}" ;;
*) fail "no nvcc: status $status, tools $tools" "$SCRATCH/out" ;;
esac
without_nvcc /usr/bin:/bin run "$REPO/tests/emulated/pass/atomics_as_counters.cu"
if [ "$status" -eq 0 ]; then
    pass 'no nvcc: a program is built and run by clang'
else
    fail "no nvcc: a program is built and run by clang, got $status" "$SCRATCH/err"
fi

# A new cache, so that no oracle is kept in it.
for program in /usr/bin/cc /usr/bin/g++; do
    [ ! -e "$program" ] || hide="$hide --ro-bind /dev/null $(readlink -f "$program")"
done
rm -rf "$SCRATCH/cache"
without_nvcc /usr/bin:/bin check --sandbox C --device emulated "$solution"
expect 'no gcc either: clang compiles the oracle, too' [ "$status" -eq 0 ]
without_nvcc /usr/bin:/bin doctor
# shellcheck disable=SC2016 # for the shell inside
expect 'and the doctor does not miss it' sh -c 'grep -q clang "$1" && ! grep -E "^ *[A-Z]+ +(cc|g[+][+]) " "$1"' sh \
    "$SCRATCH/out"

# On a hosted runner or in a container without capabilities programs share the grader's user, and may
# change no modes of files: the compiler neither.
if [ "$(id -u)" != 0 ] || ! cc -D_GNU_SOURCE -o "$SCRATCH/no_namespaces" \
    "$REPO/tests/hostile/no_namespaces.c" -lseccomp 2>"$SCRATCH/err"; then
    skip 'clang grades where there are neither namespaces nor users' 'needs root and libseccomp'
    finish
fi
chmod 711 "$SCRATCH"
cp -r "$solution" "$SCRATCH/solution"
install -d -m 777 "$SCRATCH/theirs"
setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --no-new-privs \
    env GPUGRADE_ROOT="$REPO" GPUGRADE_CACHE="$SCRATCH/theirs/cache" "$SCRATCH/no_namespaces" "$binary" check \
    "$SCRATCH/solution" --sandbox B --compiler clang --device emulated >"$SCRATCH/out" 2>"$SCRATCH/err"
status=$?
if grep -q 'sandbox tier B does not work here' "$SCRATCH/err"; then
    skip 'clang grades where there are neither namespaces nor users' 'needs Landlock'
else
    expect 'clang grades where there are neither namespaces nor users' [ "$status" -eq 0 ]
fi
finish
