#!/bin/sh
# arrows_test.sh: the test of the arrows test: a wrong include must be found, a right one not.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"

tree() {
    rm -rf "$SCRATCH/tree"
    mkdir -p "$SCRATCH/tree/grader/base" "$SCRATCH/tree/grader/model" "$SCRATCH/tree/grader/report"
    cp "$REPO/tests/structure/arrows.txt" "$SCRATCH/tree/"
    printf '#include "%s"\n' "$2" >"$SCRATCH/tree/grader/$1"
}

expect_arrows() {
    tree "$2" "$3"
    sh "$REPO/tests/structure/arrows.sh" "$SCRATCH/tree" >"$SCRATCH/out" 2>&1
    if [ $? -eq "$1" ]; then
        pass "$2 including $3 gives $1"
    else
        fail "$2 including $3 gives $1" "$SCRATCH/out"
    fi
}

expect_arrows 0 model/a.c base/text.h
expect_arrows 0 report/a.c base/text.h
expect_arrows 1 base/a.c model/report.h
expect_arrows 1 report/a.c session/session.h
expect_arrows 1 model/a.h case.h
finish
