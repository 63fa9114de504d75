#!/bin/sh
# installed.sh: cmake --install into a scratch folder, and what is there at work: as a user who may not
# write it, after it was moved, below DESTDIR. tests/install/package.sh does so with the Debian package.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
build=${GPUGRADE_BUILD:-$REPO/build}
unset GPUGRADE_ROOT
chmod 755 "$SCRATCH"
prefix=$SCRATCH/prefix
mkdir "$SCRATCH/user" "$SCRATCH/user/tmp"

# Only root can be somebody else; anybody else at least cannot write into what is made read only.
set --
if [ "$(id -u)" = 0 ]; then
    chown 65534:65534 "$SCRATCH/user" "$SCRATCH/user/tmp"
    set -- setpriv --reuid=65534 --regid=65534 --clear-groups
fi
# user WORDS...: runs a command in a folder of the user's own, with nothing of this environment.
words="$*"
user() {
    (
        cd "$SCRATCH/user" || exit 1
        # shellcheck disable=SC2086 # a list of words
        exec $words env -i PATH="$PATH" HOME="$SCRATCH/user" TMPDIR="$SCRATCH/user/tmp" \
            ${CUDA_HOME:+CUDA_HOME="$CUDA_HOME"} "$@" </dev/null
    )
}

# expect_command NAME STATUS PATTERN COMMAND...
expect_command() {
    name=$1
    wanted=$2
    pattern=$3
    shift 3
    user "$@" >"$SCRATCH/printed" 2>&1
    status=$?
    if [ "$status" -eq "$wanted" ] && grep -qE -- "$pattern" "$SCRATCH/printed"; then
        pass "$name"
    else
        printf 'status %s, not %s, or no line with: %s\n' "$status" "$wanted" "$pattern" \
            >>"$SCRATCH/printed"
        fail "$name" "$SCRATCH/printed"
    fi
}

if ! (umask 077 && cmake --install "$build" --prefix "$prefix") >"$SCRATCH/log" 2>&1; then
    if [ -f "$build/grader/install/man/gpugrade.1" ]; then
        fail 'cmake --install' "$SCRATCH/log"
    else
        skip 'cmake --install' "$build is not built with all its targets"
    fi
    finish
fi
find "$prefix" ! -type l ! -perm -044 >"$SCRATCH/closed"
if [ -s "$SCRATCH/closed" ]; then
    fail 'everybody can read what is installed' "$SCRATCH/closed"
else
    pass 'everybody can read what is installed'
fi
chmod -R a-w "$prefix"
installed=$prefix/bin/gpugrade
version=$(sed -n 's/^project(gpugrade VERSION \([0-9.]*\).*/\1/p' "$REPO/CMakeLists.txt")

expect_command 'the version is the one of CMakeLists.txt' 0 "^gpugrade $version\$" "$installed" version

# The user need not get to the repository.
solution=$SCRATCH/user/solution
cp -r "$REPO/reference/matmul_square/solution" "$solution"
chmod -R u+w,a+rX "$solution"
expect_command 'check grades as another user' 0 '^Score ' \
    "$installed" check "$solution" --seed 0x1 --json "$SCRATCH/user/inside.json"
GPUGRADE_ROOT=$REPO "$GPUGRADE" check "$solution" --seed 0x1 --json "$SCRATCH/outside.json" \
    >"$SCRATCH/log" 2>&1
for side in "$SCRATCH/user/inside" "$SCRATCH/outside"; do
    jq 'del(.machine, .seconds) | del(.criteria[].measured)' "$side.json" >"$side.same"
done
if cmp -s "$SCRATCH/user/inside.same" "$SCRATCH/outside.same" && [ -s "$SCRATCH/outside.same" ]; then
    pass 'the score is that of the build folder'
else
    diff "$SCRATCH/outside.same" "$SCRATCH/user/inside.same" >"$SCRATCH/differs" 2>&1
    fail 'the score is that of the build folder' "$SCRATCH/differs"
fi

cp "$SCRATCH/outside.json" "$SCRATCH/user/score.json"
chmod 644 "$SCRATCH/user/score.json"
expect_command 'handout' 0 '^students check with' "$installed" handout transpose out
# shellcheck disable=SC2016 # for the inner shell
expect_command 'an example of explain runs' 1 'error\[R01\]' \
    sh -c '"$1" explain R01 --example >r01.cu && "$1" run r01.cu' sh "$installed"
expect_command 'new' 0 'gpugrade lint' "$installed" new sums course
expect_command 'lint of what new has made' 0 '^3 passed, 0 failed' \
    "$installed" lint course/rubrics/sums.json --depth rubric

mv "$prefix" "$SCRATCH/moved"
moved=$SCRATCH/moved/bin/gpugrade
ln -s "$moved" "$SCRATCH/link"
expect_command 'a prefix that was moved' 0 '^3 passed, 0 failed' "$moved" lint matmul --depth rubric
expect_command 'a link to the command' 0 'students check with' "$SCRATCH/link" handout matmul out2
mkdir "$SCRATCH/root"
cp -r "$REPO/rubrics" "$REPO/reference" "$REPO/student_template" "$REPO/grader" "$SCRATCH/root"
chmod -R u+w,a+rX "$SCRATCH/root"
mv "$SCRATCH/root/rubrics/matmul.json" "$SCRATCH/root/rubrics/other.json"
expect_command 'GPUGRADE_ROOT names another root' 0 '^3 passed, 0 failed' \
    env GPUGRADE_ROOT="$SCRATCH/root" "$moved" lint other --depth rubric
expect_command 'a root without rubrics is refused' 3 'no rubrics/ and reference/ in /nowhere' \
    env GPUGRADE_ROOT=/nowhere "$moved" handout matmul out3
chmod -R u+w "$SCRATCH/moved"
rm "$SCRATCH/moved/libexec/gpugrade/gpugrade-device"
expect_command 'a part that is missing is named' 3 'gpugrade-device is missing' "$moved" handout matmul out3

if DESTDIR=$SCRATCH/dest cmake --install "$build" --prefix /usr >"$SCRATCH/log" 2>&1; then
    expect_command 'DESTDIR' 0 'students check with' "$SCRATCH/dest/usr/bin/gpugrade" handout matmul out4
else
    fail 'DESTDIR' "$SCRATCH/log"
fi
finish
