#!/bin/sh
# autolab.sh: the autograder for Autolab, run as Autolab would: a folder with Makefile, autograde.tar and
# the handed in file, `make`, and the last line of what is printed.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/lib/container.sh"
container_ready 'the autograder for Autolab' /lab
install_grader
lab=$(folder_of /lab)
CONFINE=''
quick_rubric "$SCRATCH/autumn.json"
if ! make -s -f "$REPO/docker/autolab/Makefile" COURSEWORK=matmul RUBRIC="$SCRATCH/autumn.json" \
    SEED=5eed1234 OUTPUT="$SCRATCH/autograde.tar" >"$SCRATCH/make.log" 2>&1; then
    fail 'make writes autograde.tar' "$SCRATCH/make.log"
    finish
fi
pass 'make writes autograde.tar'

# start HANDIN...: what Autolab does.
start() {
    rm -rf "$lab"
    mkdir "$lab"
    cp "$REPO/docker/autolab/autograde-Makefile" "$lab/Makefile"
    cp "$SCRATCH/autograde.tar" "$lab/"
    cp "$@" "$lab/"
    chmod -R a+rX "$lab"
    inside make -s -C /lab >"$SCRATCH/printed" 2>"$SCRATCH/complaints"
}

# expect_scores NAME PATTERN: the last line is JSON, and looks like that.
expect_scores() {
    last=$(tail -n 1 "$SCRATCH/printed")
    if printf '%s' "$last" | jq -e '.scores | type == "object" and all(.[]; type == "number")' \
        >/dev/null 2>&1 && printf '%s' "$last" | grep -qE "$2"; then
        pass "$1"
    else
        cat "$SCRATCH/complaints" >>"$SCRATCH/printed"
        fail "$1" "$SCRATCH/printed"
    fi
}

tar -C "$REPO/reference/matmul/solution" -cf "$SCRATCH/handin.tar" .
start "$SCRATCH/handin.tar"
expect_scores 'the reference solution in an archive' '[1-9]'
full=$last
if grep -qF canary "$SCRATCH/printed"; then
    fail 'nothing hidden is printed' "$SCRATCH/printed"
else
    pass 'nothing hidden is printed'
fi

probing_submission "$SCRATCH/hostile" /lab/Makefile /lab/autograde.tar \
    /lab/gpugrade-autolab/settings.sh /lab/gpugrade-autolab/course/rubrics/autumn.json
sed -i '1i #include <cstdio>\nstatic int forged = printf("{\\"scores\\": {\\"all\\": 1000}}\\n");' \
    "$SCRATCH/hostile/exercise1_tiled.cu"
tar -C "$SCRATCH/hostile" -cf "$SCRATCH/handin.tar" .
start "$SCRATCH/handin.tar"
if [ "$(tail -n 1 "$SCRATCH/printed")" = "$full" ]; then
    pass 'a hostile program gains nothing'
else
    fail 'a hostile program gains nothing' "$SCRATCH/printed"
fi

echo 'no archive' >"$SCRATCH/handin.tar"
start "$SCRATCH/handin.tar"
expect_scores 'a broken archive' '[{]'
start "$REPO/reference/matmul/solution/exercise1_tiled.cu" "$SCRATCH/handin.tar"
expect_scores 'two files' '"scores": [{][}]'
tar -C "$REPO/reference/matmul/solution" -cf "$SCRATCH/handin.tar" exercise1_tiled.cu
start "$SCRATCH/handin.tar"
expect_scores 'a missing file costs its own points' '[1-9]'
if grep -q 'exercise2_dynamic.cu is missing' "$SCRATCH/printed"; then
    pass 'the missing file is named'
else
    fail 'the missing file is named' "$SCRATCH/printed"
fi
finish
