#!/bin/sh
# own_coursework.sh: a coursework of one's own (gpugrade new), bundled for each platform: its solution
# gets all of what can be measured there, and a wrong one less. The bundle is all that the platform has
# of it: the course's own folder is gone by then.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/lib/container.sh"
if ! "$GPUGRADE" new sums "$SCRATCH/made" >"$SCRATCH/log" 2>&1; then
    fail 'a coursework is made' "$SCRATCH/log"
    finish
fi
mkdir "$SCRATCH/solution" "$SCRATCH/wrong"
cp "$SCRATCH/made/reference/sums/solution/sums.cu" "$SCRATCH/solution/"
cp "$SCRATCH/made/tests/submissions/sums/wrong/no_bounds_check/sums.cu" "$SCRATCH/wrong/"
echo 'canary of the course' >"$SCRATCH/made/rubrics/notes.json"
echo 'canary of the course' >"$SCRATCH/made/reference/notes.txt"
cp -R "$SCRATCH/made/reference/sums" "$SCRATCH/made/reference/other"

# bundle PLATFORM OUTPUT [NAME=VALUE...]: by its Makefile. What else lies in the course stays there.
bundle() {
    mv "$SCRATCH/made" "$SCRATCH/course"
    platform=$1
    output=$2
    shift 2
    if make -s -f "$REPO/docker/$platform/Makefile" COURSEWORK=sums COURSE="$SCRATCH/course" SEED=5eed \
        OUTPUT="$output" "$@" >"$SCRATCH/log" 2>&1; then
        pass "$platform: make"
    else
        fail "$platform: make" "$SCRATCH/log"
    fi
    mv "$SCRATCH/course" "$SCRATCH/made"
}

# differ PLATFORM: what grade_on says of the solution is $full, of the wrong one a number that is less.
differ() {
    right=$(grade_on "$1" "$SCRATCH/solution")
    wrong=$(grade_on "$1" "$SCRATCH/wrong")
    cat "$SCRATCH/printed" "$SCRATCH/log" >"$SCRATCH/seen" 2>/dev/null
    if [ "$right" = "$full" ]; then
        pass "$1: the solution has $right"
    else
        fail "$1: the solution has '$right', not $full" "$SCRATCH/seen"
    fi
    if awk -v "wrong=$wrong" -v "full=$full" 'BEGIN { exit !(wrong ~ /^[0-9.]+$/ && wrong + 0 < full) }'; then
        pass "$1: a wrong one has $wrong"
    else
        fail "$1: a wrong one has '$wrong'" "$SCRATCH/seen"
    fi
}

# grade_on PLATFORM FOLDER: grades what lies in the folder there, and prints its points.
grade_on() {
    case $1 in
    gradescope)
        rm -rf "$auto"
        mkdir -p "$auto/results"
        cp -R "$SCRATCH/unzipped" "$auto/source"
        cp "$auto/source/run_autograder" "$auto/"
        cp -R "$2" "$auto/submission"
        inside /autograder/run_autograder >"$SCRATCH/printed" 2>&1
        jq 'if .extra_data.graded == false then "no verdict" else
            .score // ([.tests[].score // empty] | add) end' "$auto/results/results.json"
        ;;
    autolab)
        rm -rf "$lab"
        mkdir "$lab"
        cp "$REPO/docker/autolab/autograde-Makefile" "$lab/Makefile"
        cp "$SCRATCH/autograde.tar" "$2/sums.cu" "$lab/"
        inside make -s -C /lab >"$SCRATCH/printed" 2>&1
        tail -n 1 "$SCRATCH/printed" | jq '[.scores[]] | add'
        ;;
    vpl)
        rm -rf "$jail"
        mkdir "$jail"
        cp "$2/sums.cu" "$SCRATCH"/files/* "$jail/"
        echo '. vpl_environment.sh' >"$jail/common_script.sh"
        echo 'export VPL_GRADEMIN=0 VPL_GRADEMAX=100 VPL_MAXTIME=240 VPL_SUBFILES=sums.cu' \
            >"$jail/vpl_environment.sh"
        inside bash -c 'cd /jail && bash vpl_evaluate.sh && rm -f vpl_environment.sh common_script.sh &&
            ./vpl_execution' >"$SCRATCH/printed" 2>&1
        sed -n 's/^Grade :=>> //p' "$SCRATCH/printed"
        ;;
    prairielearn)
        rm -rf "$grade"
        mkdir -p "$grade/serverFilesCourse/gpugrade" "$grade/data"
        cp "$REPO/docker/prairielearn/entry.sh" "$REPO/docker/platform_lib.sh" \
            "$grade/serverFilesCourse/gpugrade/"
        cp -R "$SCRATCH/question" "$grade/tests"
        cp -R "$2" "$grade/student"
        # info.json of the example names another coursework; the bundle decides.
        inside env GPUGRADE_COURSEWORK=matmul GPUGRADE_TIME_LIMIT=540 \
            sh /grade/serverFilesCourse/gpugrade/entry.sh >"$SCRATCH/printed" 2>&1
        jq 'if .gradable == false then "no verdict" else .score * 100 end' "$grade/results/results.json"
        ;;
    esac
}

# The bytes of other files than the coursework's would be found by their names.
only_what_is_needed() {
    find "$2" -type f -o -type l | grep -vE '/(settings|platform_lib|setup)\.sh$' |
        sed -n 's|.*/course/||p' | sort >"$SCRATCH/list"
    if [ "$(cat "$SCRATCH/list")" = "$(
        {
            echo rubrics/sums.json
            [ -z "${3:-}" ] || echo rubrics/platform_limits.json
            cd "$SCRATCH/made" && find reference/sums student_template/sums -type f
        } | sort
    )" ]; then
        pass "$1: the rubric, the reference and the given files come along, nothing else"
    else
        fail "$1: the rubric, the reference and the given files come along, nothing else" "$SCRATCH/list"
    fi
}

made=$SCRATCH/made
bundle gradescope "$SCRATCH/autograder.zip"
mkdir "$SCRATCH/unzipped"
cmake -E chdir "$SCRATCH/unzipped" cmake -E tar xf "$SCRATCH/autograder.zip"
rm "$SCRATCH/unzipped/gpugrade.tar.gz"
only_what_is_needed gradescope "$SCRATCH/unzipped" limits
bundle autolab "$SCRATCH/autograde.tar"
mkdir "$SCRATCH/untarred"
tar -C "$SCRATCH/untarred" -xf "$SCRATCH/autograde.tar"
only_what_is_needed autolab "$SCRATCH/untarred"
bundle vpl "$SCRATCH/files"
mkdir "$SCRATCH/of_vpl"
base64 -d "$SCRATCH/files/course.txt" | tar -C "$SCRATCH/of_vpl" -xz
only_what_is_needed vpl "$SCRATCH/of_vpl"
bundle prairielearn "$SCRATCH/question"
only_what_is_needed prairielearn "$SCRATCH/question"
# A header that is given and missing is told when the bundle is made.
mv "$made/student_template/sums" "$SCRATCH/template"
if COURSEWORK=sums COURSE="$made" sh "$REPO/docker/make_bundle.sh" "$SCRATCH/bad" >"$SCRATCH/log" 2>&1 ||
    ! grep -q 'student_template/sums' "$SCRATCH/log"; then
    fail 'a bundle without the given files is refused' "$SCRATCH/log"
else
    pass 'a bundle without the given files is refused'
fi
rm -rf "$made" "$SCRATCH/course"

# Graded there.
container_ready 'bundles of a coursework of ones own, graded' /autograder /lab /jail /grade
CONFINE=''
install_grader
full=100
auto=$(folder_of /autograder)
lab=$(folder_of /lab)
jail=$(folder_of /jail)
grade=$(folder_of /grade)
for platform in gradescope autolab vpl prairielearn; do
    differ "$platform"
done
finish
