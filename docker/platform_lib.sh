# shellcheck shell=sh disable=SC2034,SC2154 # its variables are shared with the scripts that source it
# platform_lib.sh: grading one submission for a learning platform; sourced by the scripts of gradescope/,
# prairielearn/, autolab/ and vpl/, never run.
#
#   settings.sh (written by make_bundle.sh) or the environment says what is graded:
#     COURSEWORK   the id of a coursework, such as "matmul"; "": recognised by the files
#     RUBRIC       the path of a rubric to use instead; "" for none
#     SEED         1 to 16 hexadecimal digits; the same for a whole class. "": random
#     CORES        1: builds and runs go one after the other, which takes the least memory. "": as many
#                  at once as there are cores
#     TIME_LIMIT   seconds after which grading is stopped, below the platform's own limit
#   GPUGRADE names the program; without it, it is looked for where setup.sh and the package put it.
#
# Nothing that a submission says reaches a shell, and its programs run as other users or where the
# platform's folders do not exist (docs/security.md). A file that the platform reads is written under
# another name and then renamed, so it is complete at every moment.

# Sets GPUGRADE.
find_gpugrade() {
    if [ -z "${GPUGRADE:-}" ] && [ -x /opt/gpugrade/bin/gpugrade ]; then
        GPUGRADE=/opt/gpugrade/bin/gpugrade
    fi
    GPUGRADE=${GPUGRADE:-gpugrade}
    # The rows "again:" are for the student's own machine, which does not have the platform's folders.
    GPUGRADE_AGAIN="gpugrade check .${COURSEWORK:+ --coursework $COURSEWORK}"
    export GPUGRADE_AGAIN
}

# put FILE PLACE: moves a finished file to its place, in one step.
put() {
    cp -- "$1" "$2.new" && chmod 0644 "$2.new" && mv -f -- "$2.new" "$2"
}

# words_of FILE: its text in printable ASCII without quotes and backslashes, at most 2000 characters,
# lines joined by "; ": harmless inside a JSON string, and as a line of its own.
words_of() {
    LC_ALL=C tr -c '\n\040\041\043-\133\135-\176' '?' <"$1" | head -c 2000 |
        awk 'NF { printf "%s%s", separator, $0; separator = "; " }'
}

# grade SUBMISSION: checks it and leaves
#   $work/score.json, $work/page.html   if there is a verdict
#   outcome    graded:   there is a verdict
#              refused:  nothing can be graded, or the coursework is wrong; $reason has the message,
#                        without the platform's path
#              time:     stopped after TIME_LIMIT seconds
#              memory:   killed from outside, as happens when a container runs out of memory
#              broken:   the grader or the machine failed; $reason has the message
#   The caller creates $work; only it uses that folder.
grade() {
    submitted=$1
    set -- check "$1" --json "$work/score.json" --html "$work/page.html" --color never
    if [ -n "${RUBRIC:-}" ]; then
        set -- "$@" --rubric "$RUBRIC"
    elif [ -n "${COURSEWORK:-}" ]; then
        set -- "$@" --coursework "$COURSEWORK"
    fi
    if [ -n "${SEED:-}" ]; then
        set -- "$@" --seed "$SEED"
    fi
    set -- "$GPUGRADE" "$@"
    if [ "${CORES:-}" = 1 ]; then
        set -- taskset -c "$(first_core)" "$@"
    fi
    rm -f "$work/score.json"
    started=$(date +%s)
    # If memory runs out, this script must die last: it has to write the results.
    (
        { echo 500 >/proc/self/oom_score_adj; } 2>/dev/null
        exec timeout --kill-after=10 "${TIME_LIMIT:-540}" "$@"
    ) >"$work/screen" 2>"$work/messages" </dev/null &
    grading=$!
    wait "$grading"
    check_status=$?
    grading=''
    judge_end "$check_status" $(($(date +%s) - started))
}

# first_core: the number of a core that this process may use.
first_core() {
    taskset -cp $$ | sed 's/.*: *//; s/[-,].*//'
}

# judge_end STATUS SECONDS: how the check ended (docs/instructors.md lists its exit statuses).
judge_end() {
    reason=$(words_of "$work/messages")
    case $1 in
    0 | 1 | 3 | 4)
        if [ -s "$work/score.json" ]; then outcome=graded; else outcome=broken; fi
        ;;
    2)
        outcome=refused
        reason=$(printf '%s' "$reason" | name_submission)
        ;;
    124) outcome='time' ;;
    137) if [ "$2" -ge "${TIME_LIMIT:-540}" ]; then outcome='time'; else outcome=memory; fi ;;
    *) outcome=broken ;;
    esac
}

# name_submission: makes a message of gpugrade fit for students: the platform's path, or its last part at
# the beginning of the message, becomes "the submission".
name_submission() {
    SUBMITTED=$submitted awk '{
        sub(/^gpugrade: /, "")
        name = ENVIRON["SUBMITTED"]
        at = index($0, name)
        if (at == 0) {
            sub(/.*\//, "", name)
            at = index($0, name " ") == 1
        }
        if (at > 0) {
            $0 = substr($0, 1, at - 1) "the submission" substr($0, at + length(name))
        }
        print
    }'
}

# stop_grading: for a trap; ends a running check with everything that it started.
stop_grading() {
    if [ -n "${grading:-}" ]; then
        kill -TERM "$grading" 2>/dev/null
        # A process that was only just forked still has the shell's traps and ignores the signal.
        { sleep 2 && kill -TERM "$grading"; } >/dev/null 2>&1 &
        wait "$grading" 2>/dev/null
        kill "$!" 2>/dev/null
    fi
}

# convert FORMAT FILE: the score in a format of gpugrade convert; false if that fails.
convert() {
    "$GPUGRADE" convert "$work/score.json" --to "$1" -o "$2" </dev/null 2>"$work/messages"
}

# explain_outcome OUTCOME REASON: a sentence or two for the student, in printable ASCII without quotes.
# A mistake in the submission, such as a missing file, comes first.
explain_outcome() {
    case $1 in
    started) echo 'Grading was started and has not ended. If this message stays, grading was cut off' \
        'from outside, most likely by a limit of time or memory of this platform. This is not a' \
        'verdict on the submission. Submit again. If it happens twice, tell your instructor.' ;;
    stopped) echo 'Grading was stopped from outside before it ended, most likely by a limit of this' \
        'platform. This is not a verdict on the submission. Submit again. If it happens twice,' \
        'tell your instructor.' ;;
    refused) printf 'Not graded: %s. If your files are the reason, hand all of them in again. If not, %s\n' \
        "${2:-there is nothing to grade}" 'tell your instructor.' ;;
    time) echo "Grading took longer than ${TIME_LIMIT:-540} seconds and was stopped. This is not a" \
        'verdict on the submission, because its programs have limits of their own. Tell your' \
        'instructor, who can give grading more time or processors.' ;;
    memory) echo 'Grading was killed, most likely because this platform ran out of memory. This is not' \
        'a verdict on the submission. Submit again. If it happens twice, tell your instructor, who' \
        'can give grading more memory.' ;;
    *) echo 'The grader or the machine failed, not the submission. Submit again. If it happens twice,' \
        'tell your instructor.' ;;
    esac
}
