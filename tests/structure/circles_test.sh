#!/bin/sh
# circles_test.sh: the test of the circles test: a circle of calls must be found, a listed one not,
# nor one of objects whose files are gone.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
tree=$SCRATCH/tree
objects=$tree/build/grader/base/CMakeFiles/gpugrade_base.dir
compiler=${CC:-cc}

if ! command -v python3 >/dev/null 2>&1 || ! command -v nm >/dev/null 2>&1 ||
    ! command -v "$compiler" >/dev/null 2>&1; then
    skip 'the circles test' "needs python3, nm and $compiler"
    finish
fi

# made FILE CALLED: a file with a function of its name, which calls another.
made() {
    printf 'void %s(void);\nvoid %s(void);\nvoid %s(void)\n{\n    %s();\n}\n' \
        "$1" "$2" "$1" "$2" >"$tree/grader/base/$1.c"
    "$compiler" -c -o "$objects/$1.c.o" "$tree/grader/base/$1.c"
}

# expect_circles NAME STATUS [WORDS]: what the test of the tree ends with, and says.
expect_circles() {
    sh "$REPO/tests/structure/circles.sh" "$tree" >"$SCRATCH/out" 2>&1
    if [ $? -eq "$2" ] && grep -qF "${3:-0 failed, 0 skipped}" "$SCRATCH/out"; then
        pass "$1 gives $2"
    else
        fail "$1 gives $2" "$SCRATCH/out"
    fi
}

mkdir -p "$objects" "$tree/grader/base"
: >"$tree/circles.txt"
made one two
expect_circles 'a call' 0
made two three
made three one
expect_circles 'a circle' 1 'base/one.c base/three.c base/two.c'
printf 'base/one.c base/three.c base/two.c: three in turn\n' >"$tree/circles.txt"
expect_circles 'a listed circle' 0
printf 'base/one.c base/three.c base/two.c\n' >"$tree/circles.txt"
expect_circles 'a listed circle without a reason' 1 'has its reason'
printf 'base/one.c base/two.c: a part of it\n' >"$tree/circles.txt"
expect_circles 'a circle of which a part is listed' 1 'base/one.c base/three.c base/two.c'
printf 'base/one.c base/three.c base/two.c: three in turn\n' >"$tree/circles.txt"
rm "$tree/grader/base/three.c"
expect_circles 'a listed circle that is gone' 1 'circles.txt is there'
: >"$tree/circles.txt"
expect_circles 'a circle through an object whose file is gone' 0
rm -r "$tree/build"
expect_circles 'a tree without objects' 0 '1 skipped'
finish
