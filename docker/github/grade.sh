#!/usr/bin/env bash
# grade.sh: the action's work, in one script that can be tried anywhere. action.yml passes everything
# as environment variables; the workflow builds no command line.
#
#   SUBMISSION      the folder with the files to grade, below the workspace
#   COURSEWORK, RUBRIC, SEED, TIME_LIMIT   as in platform_lib.sh; RUBRIC below the workspace
#   IMAGE           a container image with gpugrade; "": gpugrade is installed on the runner, or build.sh
#                   has built it there
#   GPUS            for the container: "" none, "all", "device=0"; the NVIDIA runtime is needed
#   LOCKS           a folder of the machine that all jobs on its GPUs share
#   GPUGRADE_MEMORY, GPUGRADE_PIDS   limits of a container: 8g, 4096 processes and threads, unless the
#                   workflow's `env` says otherwise
#   FAIL_ON         what fails the step: never, error (of grader or machine), fail (or any criterion)
#   GITHUB_WORKSPACE, RUNNER_TEMP, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY   of the runner
#
# Leaves score.json, page.html, results.sarif, junit.xml in a new folder of RUNNER_TEMP, which the
# output "folder" names. What a submission prints cannot give the runner commands: the report is shown
# while commands are off, and convert escapes the rest. A score counts only if the check is complete,
# and only the runner's user can write to its folder.
set -euo pipefail
umask 022
memory=${GPUGRADE_MEMORY:-8g}
pids=${GPUGRADE_PIDS:-4096}
if [ -x "$HOME/.gpugrade/source/gpugrade" ]; then
    GPUGRADE=${GPUGRADE:-$HOME/.gpugrade/source/gpugrade}
    export GPUGRADE_CACHE="$HOME/.gpugrade/cache"
fi

# output NAME VALUE: one line.
output() {
    printf '%s=%s\n' "$1" "${2//[$'\r\n']/ }" >>"$GITHUB_OUTPUT"
}

# gpugrade_run WORDS...: gpugrade, on the runner or in the container. In there the submission is
# /submission, the folder of the rubric or of the course /rubric, and $folder is /results.
gpugrade_run() {
    local status=0 command=("${GPUGRADE:-gpugrade}")
    if [ -n "$IMAGE" ]; then
        # The image's cache and sandbox are for group 10001.
        command=(docker run --rm --init --name "$container" --network none --memory "$memory"
            --pids-limit "$pids" --user "$(id -u):$(id -g)" --group-add 10001 --env GPUGRADE_AGAIN
            --mount "$(bind "$submission" /submission),readonly" --mount "$(bind "$folder" /results)")
        [ -z "$RUBRIC" ] || command+=(--mount "$(bind "$course" /rubric),readonly")
        [ -z "$GPUS" ] || command+=(--gpus "$GPUS")
        [ -z "$LOCKS" ] || command+=(--mount "$(bind "$LOCKS" /locks)" --env GPUGRADE_LOCKS=/locks)
        command+=("$IMAGE")
    fi
    timeout --kill-after=10 "$TIME_LIMIT" "${command[@]}" "$@" &
    grading=$!
    wait "$grading" || status=$?
    grading=''
    case $IMAGE-$status in
    ?*-124 | ?*-137) docker kill "$container" >/dev/null 2>&1 || true ;;
    esac
    return "$status"
}

# bind SOURCE TARGET: for --mount, which reads a line of CSV, so that any file name works.
bind() {
    printf 'type=bind,"source=%s",target=%s' "${1//\"/\"\"}" "$2"
}

# end_grading: stops what was started; a container outlives a client that was killed.
# shellcheck disable=SC2317 # a trap calls it
end_grading() {
    [ -n "$grading" ] || return 0
    kill -TERM "$grading" 2>/dev/null || true
    [ -z "$IMAGE" ] || docker kill "$container" >/dev/null 2>&1 || true
}
grading=''
trap end_grading EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# below PATH: the real path of a file in the workspace; fails for paths outside of it.
below() {
    local path
    path=$(realpath -e -- "$GITHUB_WORKSPACE/$1") || return 1
    case $path/ in
    "$(realpath -e -- "$GITHUB_WORKSPACE")"/*) printf '%s' "$path" ;;
    *) return 1 ;;
    esac
}

# course_of RUBRIC: the folder to mount: for FOLDER/rubrics/ID.json of a coursework of your own, which
# also has FOLDER/reference, this is FOLDER; otherwise the rubric's folder.
course_of() {
    local folder
    folder=$(dirname "$1")
    if [ "$(basename "$folder")" = rubrics ] && [ -d "$folder/../reference" ] &&
        [ "$folder" != "$(realpath -e -- "$GITHUB_WORKSPACE")" ]; then
        folder=$(dirname "$folder")
    fi
    printf '%s' "$folder"
}

# refuse WORDS: one line, which the runner shows as an annotation.
refuse() {
    printf '::error title=gpugrade::%s\n' "${1//%/%25}"
    exit 2
}

# no_verdict: gpugrade's message and whose fault it is, in one line of printable ASCII.
no_verdict() {
    local words
    words=$(LC_ALL=C tr -c '\n\040-\176' '?' <"$folder/messages.txt" | head -c 2000 |
        sed 's/^gpugrade: //' | awk 'NF { printf "%s%s", separator, $0; separator = "; " }')
    words=${words//"$seen"/the submission}
    words=${words/#"${seen##*/} "/the submission }
    case $status in
    2) printf 'not graded: %s' "${words:-the log of this step says why}" ;;
    124 | 137) printf 'grading took longer than %s s or ran out of memory: no verdict on the submission' "$TIME_LIMIT" ;;
    *) printf 'the grader or the machine failed, not the submission: %s' "${words:-the log of this step says why}" ;;
    esac
}

[[ $TIME_LIMIT =~ ^[1-9][0-9]{0,5}$ ]] || refuse 'time-limit must be a number of seconds'
[[ $SEED =~ ^(0x)?[0-9A-Fa-f]{0,16}$ ]] || refuse 'seed must have up to 16 hexadecimal digits'
[[ $COURSEWORK =~ ^[A-Za-z0-9_.-]*$ ]] || refuse 'coursework must be an id, such as matmul'
[[ $FAIL_ON =~ ^(never|error|fail)$ ]] || refuse 'fail-on must be never, error or fail'
[[ $memory =~ ^[1-9][0-9]*[bkmg]?$ ]] || refuse 'GPUGRADE_MEMORY must be a value for docker run --memory, such as 8g'
[[ $pids =~ ^[1-9][0-9]*$ ]] || refuse 'GPUGRADE_PIDS must be a number of processes'
submission=$(below "${SUBMISSION:-.}") || refuse 'submission is not a folder of the workspace'
rubric=''
course=''
if [ -n "$RUBRIC" ]; then
    rubric=$(below "$RUBRIC") || refuse 'rubric is not a file of the workspace'
    course=$(course_of "$rubric")
fi
folder=$(mktemp -d "$RUNNER_TEMP/gpugrade-XXXXXX")
container=$(basename "$folder")
results=$folder
seen=$submission
seen_rubric=$rubric
if [ -n "$IMAGE" ]; then
    results=/results
    seen=/submission
    seen_rubric=${rubric:+/rubric/${rubric#"$course/"}}
fi
prefix=${submission#"$(realpath -e -- "$GITHUB_WORKSPACE")"}
prefix=${prefix#/}

arguments=(check "$seen" --json "$results/score.json" --html "$results/page.html" --color never)
# The command that the report says to repeat, in the student's own checkout.
GPUGRADE_AGAIN='gpugrade check .'
if [ -n "$seen_rubric" ]; then
    arguments+=(--rubric "$seen_rubric")
    GPUGRADE_AGAIN+=" --rubric $(printf '%q' "$(realpath --relative-to="$submission" -- "$rubric")")"
elif [ -n "$COURSEWORK" ]; then
    arguments+=(--coursework "$COURSEWORK")
    GPUGRADE_AGAIN+=" --coursework $COURSEWORK"
fi
export GPUGRADE_AGAIN
[ -z "$SEED" ] || arguments+=(--seed "$SEED")

status=0
gpugrade_run "${arguments[@]}" >"$folder/screen.txt" 2>"$folder/messages.txt" </dev/null || status=$?
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
printf '::stop-commands::%s\n' "$token"
cat "$folder/screen.txt" "$folder/messages.txt"
printf '\n::%s::\n' "$token"

output folder "$folder"
output status "$status"
case $status in
0 | 1 | 3 | 4) ;;
*) rm -f "$folder/score.json" "$folder/page.html" ;;
esac
if ! [ -s "$folder/score.json" ]; then
    {
        echo '### gpugrade: no verdict'
        echo
        printf '    %s\n' "$(no_verdict)" # as code, so that no file name becomes Markdown
    } >>"$GITHUB_STEP_SUMMARY"
    refuse "$(no_verdict)"
fi

# convert FORMAT FILE
convert() {
    gpugrade_run convert "$results/score.json" --to "$1" --prefix "${prefix:-.}" -o "$results/$2" </dev/null
}
convert github annotations.txt
convert summary summary.md
convert sarif results.sarif
convert junit junit.xml
cat "$folder/annotations.txt"
cat "$folder/summary.md" >>"$GITHUB_STEP_SUMMARY"
output sarif "$folder/results.sarif"
output page "$folder/page.html"
# Only the score's own keys have this indentation, and no text in it spans lines.
for name in score max_score measurable_max; do
    output "${name//_/-}" "$(sed -nE "s/^  \"$name\": ([0-9.]+),?\$/\1/p" "$folder/score.json")"
done

case $FAIL_ON-$status in
never-* | *-0 | error-1 | error-4) exit 0 ;;
*) exit 1 ;;
esac
