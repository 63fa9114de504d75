#!/bin/sh
# wording.sh: no sentence that a person can read, and no comment of a header, has a word of wording.txt.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
finder=$REPO/tests/structure/wording.py
list=$REPO/tests/structure/wording.txt
[ $# -eq 0 ] || REPO=$1 # for the test of this test
cd "$REPO" || exit 1

if ! command -v python3 >/dev/null 2>&1; then
    skip 'plain words' 'needs python3'
    finish
fi

# read NAME FIND-ARGUMENTS...: the files that find gives have no such sentence.
read_files() {
    name=$1
    shift
    find "$@" -print0 | sort -z | xargs -0 -r python3 "$finder" "$list" >"$SCRATCH/found" 2>&1
    if [ -s "$SCRATCH/found" ]; then
        fail "$name in plain words" "$SCRATCH/found"
    else
        pass "$name in plain words"
    fi
}

read_files 'what gpugrade says' grader '(' -name '*.c' -o -name '*.def' ')'
read_files 'headers' grader -name '*.h'
read_files 'the pages of explain' grader/explain/pages -type f
read_files 'documents' . -name '*.md' ! -path './build*' ! -path './.*' ! -path './tests/submissions/*'
read_files 'what students and courses are given' student_template reference rubrics -type f
read_files 'the launcher and images' gpugrade docker -type f
finish
