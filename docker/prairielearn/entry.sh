#!/bin/sh
# entry.sh: PrairieLearn starts this in the container of an external grader. In the course it is
# serverFilesCourse/gpugrade/entry.sh, next to platform_lib.sh; README.md says how it gets there.
#
#   /grade/student              what the student handed in
#   /grade/tests                the question's files: rubric.json, if it has its own; or settings.sh and
#                               course/ of a coursework of your own, which Makefile writes
#   /grade/data                 the question's data, with its answers
#   /grade/results/results.json what PrairieLearn shows, at most 1 MB
#
# From the question's info.json, "environment": GPUGRADE_COURSEWORK, GPUGRADE_SEED,
# GPUGRADE_TIME_LIMIT (seconds, below the question's "timeout"), GPUGRADE_CORES (1, which is also the
# default, because PrairieLearn gives a job about one core and 2 GiB; "all": those of the machine).
#
# results.json is complete at every moment: the first version says that grading was started, the last
# version replaces it in one step. Without a verdict on the submission it has "gradable": false, which
# costs no points and no attempt.
set -u
umask 077
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/cuda/bin
export PATH
results=/grade/results/results.json
RESULTS_BYTES_MAX=1000000
work=''

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
# shellcheck source=docker/platform_lib.sh
. "$here/platform_lib.sh"

# say OUTCOME REASON: results without a verdict.
say() {
    {
        printf '{"gradable": false, "score": 0, "message": "%s' "$(explain_outcome "$1" "$2")"
        [ "$1" = refused ] || [ -z "$2" ] || printf '\\n\\n%s' "$2"
        printf '", "format_errors": ["no verdict: %s"]}\n' "$1"
    } >"$results.begun" && put "$results.begun" "$results"
    rm -f "$results.begun"
}

# Ends the script and restores the mode of /grade: PrairieLearn may run as another user than this one.
finish() {
    rm -rf "$work"
    chmod "$mode" /grade
    exit 0
}

# The results may be read by another user than this one, too.
if ! mkdir -p /grade/results || ! chmod 0755 /grade/results; then
    echo 'entry.sh: cannot create /grade/results; the image must run as root: USER root' >&2
    exit 1
fi
COURSEWORK=${GPUGRADE_COURSEWORK:-}
SEED=${GPUGRADE_SEED:-}
RUBRIC=''
if [ -f /grade/tests/settings.sh ]; then
    # shellcheck source=/dev/null
    . /grade/tests/settings.sh
    RUBRIC=${RUBRIC:+/grade/tests/$RUBRIC}
elif [ -f /grade/tests/rubric.json ]; then
    RUBRIC=/grade/tests/rubric.json
fi
TIME_LIMIT=${GPUGRADE_TIME_LIMIT:-540}
CORES=${GPUGRADE_CORES:-1}
say started ''
mode=$(stat -c %a /grade)
trap 'stop_grading; say stopped ""; finish' TERM INT HUP
# Only for root: students' programs, which run as other users, must not get in.
if ! chmod 0700 /grade || ! work=$(mktemp -d); then
    say broken '/grade belongs to another user: the image must run as root'
    finish
fi
find_gpugrade
grade /grade/student
if [ "$outcome" != graded ] || [ "$check_status" = 3 ]; then
    [ "$outcome" != graded ] || outcome=broken
    say "$outcome" "$reason"
elif ! convert prairielearn "$work/results.json"; then
    say broken "$(words_of "$work/messages")"
elif [ "$(wc -c <"$work/results.json")" -gt "$RESULTS_BYTES_MAX" ]; then
    say broken 'the results are larger than the 1 MB that PrairieLearn accepts'
else
    trap '' TERM INT HUP # this is the verdict
    put "$work/results.json" "$results"
fi
cat "$work/messages" >&2
finish
