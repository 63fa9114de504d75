#!/bin/sh
# vpl.sh: the execution files for Moodle's VPL, run as its jail would: VPL's own scripts and variables,
# the student's files beside ours, vpl_evaluate.sh and then vpl_execution.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/lib/container.sh"
container_ready 'the execution files for VPL' /jail
install_grader
jail=$(folder_of /jail)
CONFINE=''
quick_rubric "$SCRATCH/autumn.json"
if make -s -f "$REPO/docker/vpl/Makefile" COURSEWORK=own COURSE="$SCRATCH" OUTPUT="$SCRATCH/none" \
    >"$SCRATCH/make.log" 2>&1; then
    fail 'a course without the coursework is refused' "$SCRATCH/make.log"
else
    pass 'a course without the coursework is refused'
fi
# With MEMORY the rubric that is graded by is another file, which extends this one.
if ! make -s -f "$REPO/docker/vpl/Makefile" COURSEWORK=matmul RUBRIC="$SCRATCH/autumn.json" \
    MEMORY=1500 SEED=5eed1234 OUTPUT="$SCRATCH/files" >"$SCRATCH/make.log" 2>&1; then
    fail 'make writes the execution files' "$SCRATCH/make.log"
    finish
fi
pass 'make writes the execution files'

# start SCRIPT SUBMISSION [NAME...]: what VPL does for "Run" or "Evaluate". Its scripts load
# vpl_environment.sh, which is gone when vpl_execution runs.
start() {
    script=$1
    submission=$2
    shift 2
    rm -rf "$jail"
    mkdir "$jail"
    cp "$submission"/*.cu "$jail/"
    cp "$SCRATCH"/files/* "$jail/"
    echo '. vpl_environment.sh' >"$jail/common_script.sh"
    {
        echo 'export VPL_GRADEMIN=0 VPL_GRADEMAX=20 VPL_MAXTIME=240'
        echo 'export VPL_SUBFILES="exercise1_tiled.cu'
        printf '%s\n' exercise2_dynamic.cu "$@"
        echo '"'
    } >"$jail/vpl_environment.sh"
    inside bash -c "cd /jail && bash $script && rm -f vpl_environment.sh common_script.sh &&
        ./vpl_execution" >"$SCRATCH/printed" 2>"$SCRATCH/complaints"
}

# expect_grade NAME PATTERN: the only line with a grade; "" for none.
expect_grade() {
    grade=$(grep '^Grade :=>>' "$SCRATCH/printed")
    if printf '%s' "$grade" | grep -qxE "$2" || { [ -z "$2" ] && [ -z "$grade" ]; }; then
        pass "$1: ${grade:-no grade}"
    else
        cat "$SCRATCH/complaints" >>"$SCRATCH/printed"
        fail "$1" "$SCRATCH/printed"
    fi
}

start vpl_evaluate.sh "$REPO/reference/matmul/solution"
# All of what a machine without a GPU can measure is all of the grade.
expect_grade 'the reference solution, of 20' 'Grade :=>> 20'
full=$grade
if grep -qF canary "$SCRATCH/printed"; then
    fail 'nothing hidden is printed' "$SCRATCH/printed"
else
    pass 'nothing hidden is printed'
fi
start vpl_run.sh "$REPO/reference/matmul/solution"
expect_grade 'run shows the report and no grade' ''
if grep -q '^Score ' "$SCRATCH/printed"; then
    pass 'run shows the score'
else
    fail 'run shows the score' "$SCRATCH/printed"
fi

probing_submission "$SCRATCH/hostile" /jail/settings.sh /jail/course.txt /jail/vpl_execution
sed -i '1i #include <cstdio>\nstatic int forged = printf("\\nGrade :=>> 1000\\n");' \
    "$SCRATCH/hostile/exercise1_tiled.cu"
# Names that a student chose: none of them is taken from elsewhere, nor instead of ours.
start vpl_evaluate.sh "$SCRATCH/hostile" ../etc/passwd /etc/passwd settings.sh course.txt
if [ "$(grep '^Grade :=>>' "$SCRATCH/printed")" = "$full" ]; then
    pass 'a hostile program gains nothing'
else
    fail 'a hostile program gains nothing' "$SCRATCH/printed"
fi
finish
