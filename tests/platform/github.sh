#!/bin/sh
# github.sh: the action's step run as GitHub's runner would, with its files for outputs and the summary;
# the container through a `docker` that puts the folders where they are mounted; and the autograder of
# Classroom 50.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
action=$REPO/docker/github/action.yml
if ! python3 -c 'import yaml' 2>/dev/null; then
    skip 'the action' 'needs python3-yaml'
    finish
fi
GPUGRADE=$(command -v "$GPUGRADE") || exit 1
workspace=$SCRATCH/workspace
mkdir -p "$workspace/hw 1" "$SCRATCH/temp" "$SCRATCH/bin"

# A workspace with one submission in a folder whose name has a blank.
submit() {
    rm -rf "$workspace"
    mkdir -p "$workspace"
    cp -R "$1" "$workspace/hw 1"
}

# act INPUT=VALUE...: runs the step; leaves log, outputs, summary and $status.
act() {
    : >"$SCRATCH/outputs"
    : >"$SCRATCH/summary"
    if ! python3 "$REPO/tests/platform/lib/action_step.py" "$action" "$@" >"$SCRATCH/step.sh"; then
        fail 'the step can be read'
        return
    fi
    (cd "$workspace" && env GPUGRADE="$GPUGRADE" GITHUB_ACTION_PATH="$REPO/docker/github" \
        GITHUB_WORKSPACE="$workspace" RUNNER_TEMP="$SCRATCH/temp" GITHUB_OUTPUT="$SCRATCH/outputs" \
        GITHUB_STEP_SUMMARY="$SCRATCH/summary" PATH="$SCRATCH/bin:$PATH" \
        bash --noprofile --norc -eo pipefail "$SCRATCH/step.sh") >"$SCRATCH/log" 2>&1 </dev/null
    status=$?
}

# output NAME: its value.
output() {
    sed -n "s/^$1=//p" "$SCRATCH/outputs"
}

# Every line of the file for outputs is one of the action's.
outputs_are_known() {
    ! grep -vE '^(folder|status|score|max-score|measurable-max|sarif|page)=' "$SCRATCH/outputs"
}

submit "$REPO/reference/matmul/solution"
act submission='hw 1' coursework=matmul seed=5eed1234
expect 'the reference solution passes' test "$status" = 0
expect 'outputs are one line each' outputs_are_known
expect 'score, of what can be measured' test "$(output score)" = "$(output measurable-max)"
expect 'the summary is Markdown' grep -qE '^#+ ' "$SCRATCH/summary"
expect 'SARIF' jq -e '.version == "2.1.0"' "$(output sarif)"
expect 'the page' grep -qi '<html' "$(output page)"
expect 'JUnit' grep -q '<testsuite' "$(output folder)/junit.xml"

# The student's program prints commands for the runner, and has a mistake on a line of its own.
submit "$REPO/reference/matmul/solution"
cp "$REPO"/tests/submissions/matmul/wrong/b_column_major/*.cu "$workspace/hw 1/"
sed -i '1i #include <cstdio>\nstatic int forged = printf("\\n::set-output name=score::100\\n::error file=a::b\\n");' \
    "$workspace/hw 1"/*.cu
act submission='hw 1' coursework=matmul seed=5eed1234
expect 'a wrong one fails the step' test "$status" = 1
expect 'annotations name the file in the repository' \
    grep -qE '^::error file=hw 1/[a-z0-9_]+\.cu,line=[0-9]+' "$SCRATCH/log"

# shellcheck disable=SC2016 # for the shell inside
expect 'what is to be repeated is for the own checkout' sh -c '
    grep -q "gpugrade check \. --coursework matmul .*--only" "$1" && ! grep "gpugrade check [^.]" "$1"' \
    sh "$SCRATCH/log"

# Commands that the runner would obey: those outside of the part where commands are off.
obeyed() {
    awk '/^::stop-commands::/ { token = substr($0, 18); next }
        token != "" { if ($0 == "::" token "::") token = ""; next }
        /::/ { print }' "$SCRATCH/log"
}
obeyed >"$SCRATCH/obeyed"
# shellcheck disable=SC2016
expect 'no command of a program is obeyed' sh -c '! grep -E "set-output|file=a" "$1"' sh "$SCRATCH/obeyed"
act submission='hw 1' coursework=matmul seed=5eed1234 fail-on=error
expect 'fail-on: error lets it pass' test "$status" = 0

# The action's own default: the files stand at the top.
cp "$workspace/hw 1"/*.cu "$workspace/"
rm -r "$workspace/hw 1"
act coursework=matmul seed=5eed1234
expect 'the default folder is the workspace' test "$status" = 1
expect 'annotations name the file at its top' grep -qE '^::error file=[a-z0-9_]+\.cu,line=[0-9]+' "$SCRATCH/log"

# A program that writes a score beside the check, which then takes too long.
cp "$(output folder)/score.json" "$SCRATCH/score.json"
cat >"$SCRATCH/forger" <<'END'
#!/usr/bin/env bash
while [ "$1" != --json ]; do shift; done
cp "$FORGED" "$2"
exec sleep 20
END
chmod +x "$SCRATCH/forger"
FORGED=$SCRATCH/score.json
export FORGED
# has_no_verdict: the step failed, and says nothing of a score.
has_no_verdict() {
    test "$status" = 2 && test -z "$(output score)$(output page)$(output result)" &&
        test -d "$(output folder)" && ! test -e "$(output folder)/score.json" &&
        grep -q 'no verdict' "$SCRATCH/summary"
}
real=$GPUGRADE
GPUGRADE=$SCRATCH/forger
act coursework=matmul time-limit=1
expect 'a score that was written before a timeout is no verdict' has_no_verdict
expect 'nobody else writes where the score lies' test "$(stat -c %a "$(output folder)")" = 700
GPUGRADE=$real

# A grader that failed at a criterion, which the sum would leave out.
cat >"$SCRATCH/breaks_down" <<'END'
#!/usr/bin/env bash
"$REAL" "$@"
status=$?
[ "$1" != check ] || exit 3
exit "$status"
END
chmod +x "$SCRATCH/breaks_down"
REAL=$real
export REAL
submit "$REPO/reference/matmul/solution"
GPUGRADE=$SCRATCH/breaks_down
act submission='hw 1' coursework=matmul seed=5eed1234
GPUGRADE=$real
expect 'after a failure of the grader the step fails' test "$status" = 1
expect 'the report is there, and no result for a classroom' test -s "$(output page)" -a -z "$(output result)"

submit "$REPO/reference/matmul/solution"
act submission=../../etc
expect 'a folder out of the workspace is refused' test "$status" = 2
ln -s /etc "$workspace/out"
act submission=out
expect 'a link out of the workspace is refused' test "$status" = 2
# shellcheck disable=SC2016 # it is not to be expanded, that is the test
act submission='hw 1' coursework='$(touch gained)' seed='`touch gained`'
# shellcheck disable=SC2016
expect 'words of a shell are refused' sh -c 'test "$1" = 2 && ! [ -e "$2/gained" ]' sh "$status" "$workspace"
mkdir "$workspace/empty"
act submission=empty coursework=matmul
expect 'nothing to grade is an error' test "$status" = 2
expect 'and the summary says so' grep -q 'no verdict' "$SCRATCH/summary"
submit "$REPO/reference/matmul/solution"
rm "$workspace/hw 1/exercise1_tiled.cu" "$workspace/hw 1/exercise2_dynamic.cu"
act submission='hw 1' coursework=matmul
told='not graded: the submission is missing files of matmul: exercise1_tiled.cu, exercise2_dynamic.cu'
expect 'a missing file is named in the summary' grep -qxF "    $told" "$SCRATCH/summary"
expect 'and by an annotation' grep -qxF "::error title=gpugrade::$told" "$SCRATCH/log"
submit "$REPO/reference/matmul/solution"

# What `docker run` is asked for, done here: each folder stands for where it is mounted.
cat >"$SCRATCH/bin/docker" <<'END'
#!/usr/bin/env bash
printf '%s\n' "$*" >>"$DOCKER_LOG"
[ "$1" != kill ] || exit 0
[ "$1 $2" = 'run --rm' ] || exit 99
shift 2
from=() to=()
while [ $# -gt 0 ]; do
    case $1 in
    --mount)
        [[ $2 =~ ^type=bind,\"source=(.*)\",target=([^,]+)(,readonly)?$ ]] || exit 98
        from+=("${BASH_REMATCH[1]//\"\"/\"}") to+=("${BASH_REMATCH[2]}")
        shift 2
        ;;
    --init) shift ;;
    --name | --network | --memory | --pids-limit | --user | --group-add | --gpus | --env) shift 2 ;;
    *) break ;;
    esac
done
shift
words=()
for word in "$@"; do
    for i in "${!to[@]}"; do
        case $word in "${to[i]}" | "${to[i]}"/*) word=${from[i]}${word#"${to[i]}"} ;; esac
    done
    words+=("$word")
done
exec "$GPUGRADE" "${words[@]}"
END
chmod +x "$SCRATCH/bin/docker"
DOCKER_LOG=$SCRATCH/docker.log
export DOCKER_LOG
printf '{"schema": "gpugrade/rubric/v1", "extends": "matmul"}\n' >"$workspace/own.json"
mv "$workspace/hw 1" "$workspace/hw:1, \"a\""
act submission='hw:1, "a"' rubric=own.json seed=5eed1234 image=registry/gpugrade@sha256:0 gpus=all \
    locks="$SCRATCH/temp"
mv "$workspace/hw:1, \"a\"" "$workspace/hw 1"
expect 'in a container' test "$status" = 0
expect 'without network, the submission read-only, with GPUs and locks' \
    grep -qE '^run --rm .*--network none .*,target=/submission,readonly .* --gpus all --mount .*,target=/locks ' \
    "$SCRATCH/docker.log"
expect 'with bounds, as the own user' grep -qE "^run --rm --init --name gpugrade-[A-Za-z0-9]+ .*\
--memory 8g --pids-limit 4096 --user $(id -u):$(id -g) --group-add 10001 --env GPUGRADE_AGAIN " "$SCRATCH/docker.log"
GPUGRADE=$SCRATCH/forger
act submission='hw 1' coursework=matmul time-limit=1 image=registry/gpugrade@sha256:0
GPUGRADE=$real
expect 'a score of a container that took too long is no verdict' has_no_verdict
expect 'and the container is ended' grep -qxF "kill $(basename "$(output folder)")" "$SCRATCH/docker.log"

# A coursework of one's own, without its solution: on the runner, in a container, and below.
expect 'a coursework of ones own is made' "$GPUGRADE" new sums "$SCRATCH/own"
expect 'and bundled for students' env COURSEWORK=sums COURSE="$SCRATCH/own" SOLUTIONS=no SEED=5eed \
    sh "$REPO/docker/make_bundle.sh" "$SCRATCH/for_students"
expect 'without the solution' test ! -e "$SCRATCH/for_students/course/reference/sums/solution" -a \
    -f "$SCRATCH/for_students/course/student_template/sums/sums.h"
mkdir "$SCRATCH/right" "$SCRATCH/plain"
mv "$SCRATCH/own/reference/sums/solution/sums.cu" "$SCRATCH/right/"
mv "$SCRATCH/own/tests/submissions/sums/wrong/no_bounds_check/sums.cu" "$SCRATCH/plain/"
rm -r "$SCRATCH/own"
for image in '' registry/gpugrade@sha256:0; do
    where=${image:+, in a container}
    submit "$SCRATCH/right"
    cp -R "$SCRATCH/for_students/course" "$workspace/"
    act submission='hw 1' rubric=course/rubrics/sums.json seed=5eed image="$image"
    expect "its solution has all points$where" test "$status-$(output score)" = 0-100
    cp "$SCRATCH/plain/sums.cu" "$workspace/hw 1/"
    act submission='hw 1' rubric=course/rubrics/sums.json seed=5eed image="$image"
    expect "a wrong one has less$where" test "$status-$(output score)" = 1-10
done
expect 'the course is mounted, read-only' grep -qE 'course",target=/rubric,readonly' "$SCRATCH/docker.log"

# Classroom 50: in the student's checkout, with the runner's variables.
mkdir "$SCRATCH/bundle"
cp "$REPO"/docker/github/classroom50/autograder.py "$REPO"/docker/github/classroom50/settings.json \
    "$SCRATCH/bundle/"
# autograde FOLDER [BUNDLE]: leaves log and $status.
autograde() {
    (cd "$1" && env GPUGRADE="$GPUGRADE" CLASSROOM=gpu ASSIGNMENT=tiles \
        SUBMISSION_TAG=submit/2026-11-20T10-00-00Z-abc COMMIT_URL=https://example.org/c \
        RELEASE_URL=https://example.org/r python3 "${2:-$SCRATCH/bundle}/autograder.py") \
        >"$SCRATCH/log" 2>&1 </dev/null
    status=$?
}
mkdir "$SCRATCH/own_bundle"
cp -R "$SCRATCH/bundle/autograder.py" "$SCRATCH/for_students/course" "$SCRATCH/own_bundle/"
jq '.coursework = "sums" | .rubric = "course/rubrics/sums.json"' "$SCRATCH/bundle/settings.json" \
    >"$SCRATCH/own_bundle/settings.json"
for pair in right:100 plain:10; do
    submit "$SCRATCH/${pair%:*}"
    autograde "$workspace/hw 1" "$SCRATCH/own_bundle"
    expect "Classroom 50, a coursework of ones own: ${pair#*:}" \
        jq -e ".score == ${pair#*:}" "$workspace/hw 1/result.json"
done
submit "$REPO/reference/matmul/solution"
# What was committed under the names of the results, and a warning that is wrapped before a command.
echo mine >"$SCRATCH/victim"
for name in result.json result.json.new; do
    ln -s "$SCRATCH/victim" "$workspace/hw 1/$name"
done
mkdir "$workspace/hw 1/gpugrade.html"
sed -i '1i #warning yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy ::notice title=Autograding::Points' \
    "$workspace/hw 1/exercise1_tiled.cu"
autograde "$workspace/hw 1"
expect 'the autograder of Classroom 50' test "$status" = 0
expect 'nothing is written through a committed link' grep -qx mine "$SCRATCH/victim"
expect 'the page takes the place of a committed folder' grep -qi '<html' "$workspace/hw 1/gpugrade.html"
expect 'the warning is shown' grep -q 'title=Autograding' "$SCRATCH/log"
obeyed >"$SCRATCH/obeyed"
# shellcheck disable=SC2016
expect 'while commands are off' sh -c 'head -n 1 "$1" | grep -qxE "::stop-commands::[0-9a-f]{32}" &&
    ! [ -s "$2" ]' sh "$SCRATCH/log" "$SCRATCH/obeyed"
expect 'its result' jq -e '.schema == "classroom50/result/v1" and .classroom == "gpu" and
    (.score | . == floor) and ([.tests[].score] | add) == .score and
    ([.tests[]["max-score"]] | add) == .["max-score"] and .review == .commit' "$workspace/hw 1/result.json"
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 'its result follows the schema' python3 -c 'import json, jsonschema, sys
result = json.load(open(sys.argv[1]))
for name in ("classroom", "assignment", "submission", "commit", "release", "review"):
    del result[name] # the runner'"'"'s, which the schema does not have
jsonschema.validate(result, json.load(open(sys.argv[2])))' \
        "$workspace/hw 1/result.json" "$REPO/rubrics/platform/classroom50.schema.json"
fi
GPUGRADE=$SCRATCH/breaks_down
autograde "$workspace/hw 1"
GPUGRADE=$real
expect 'after a failure of the grader there is no result' test "$status" = 1 -a ! -e "$workspace/hw 1/result.json"
rm -f "$workspace/hw 1"/*
echo '{"score": 100}' >"$workspace/hw 1/result.json"
ln -s "$SCRATCH/victim" "$workspace/hw 1/gpugrade.html"
autograde "$workspace/hw 1"
expect 'without a verdict it fails' test "$status" = 1
expect 'and leaves no result that was committed' test -z "$(ls -A "$workspace/hw 1")"
finish
