#!/bin/sh
# prairielearn.sh: the external grader for PrairieLearn, run as PrairieLearn would: root, /grade with
# its folders, entry.sh of serverFilesCourse. A watcher reads results.json all the time.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/lib/container.sh"
container_ready 'the external grader for PrairieLearn' /grade
install_grader
grade=$(folder_of /grade)
CONFINE=''

# prepare SUBMISSION: the folders as PrairieLearn makes them; results is the entry script's to make.
prepare() {
    rm -rf "$grade"
    mkdir -p "$grade/serverFilesCourse/gpugrade" "$grade/tests" "$grade/data"
    cp "$REPO/docker/prairielearn/entry.sh" "$REPO/docker/platform_lib.sh" \
        "$grade/serverFilesCourse/gpugrade/"
    chmod 0755 "$grade/serverFilesCourse/gpugrade/entry.sh"
    cp -R "$1" "$grade/student"
    quick_rubric "$grade/tests/rubric.json"
    echo '{"correct_answers": {"canary": 1}}' >"$grade/data/data.json"
    chmod -R a+rwX "$grade"
}

# start [SHELL-COMMAND]
start() {
    watched prairielearn "$grade/results/results.json" \
        env GPUGRADE_SEED=5eed1234 GPUGRADE_TIME_LIMIT="${time_limit:-540}" \
        sh -c "${1:-/grade/serverFilesCourse/gpugrade/entry.sh}"
}

# The paths of info.json are those of the entry script.
if python3 - "$REPO/docker/prairielearn/question/info.json" <<'END'; then
import json, sys
options = json.load(open(sys.argv[1], encoding="utf-8"))["externalGradingOptions"]
assert options["entrypoint"] == "/grade/serverFilesCourse/gpugrade/entry.sh"
assert options["serverFilesCourse"] == ["gpugrade/"] and not options["enableNetworking"]
assert int(options["environment"]["GPUGRADE_TIME_LIMIT"]) < options["timeout"] <= 600
END
    pass 'info.json fits the entry script'
else
    fail 'info.json fits the entry script'
fi

prepare "$REPO/reference/matmul/solution"
start
results_end 'the reference solution' 'score [01](\.[0-9]+)? graded yes'
full=$last
if [ -s "$grade/results/results.json" ] && ! grep -qF canary "$grade/results/results.json"; then
    pass 'nothing hidden in the results'
else
    fail 'nothing hidden in the results' "$grade/results/results.json"
fi

probing_submission "$SCRATCH/hostile" /grade/results/results.json /grade/tests/rubric.json \
    /grade/data/data.json /grade/serverFilesCourse/gpugrade/entry.sh
prepare "$SCRATCH/hostile"
start
results_end 'a hostile program gains nothing' "$full"

prepare "$REPO/reference/matmul/solution"
falls_asleep "$grade/student"
time_limit=1
start
time_limit=''
results_end 'too slow for the time limit costs no attempt' 'score 0 graded no'

for signal in KILL TERM; do
    prepare "$REPO/reference/matmul/solution"
    falls_asleep "$grade/student"
    start "/grade/serverFilesCourse/gpugrade/entry.sh &
        until [ -e /grade/results/results.json ] || ! kill -0 \$!; do sleep 0.01; done
        sleep 0.3; kill -$signal \$!; wait \$!"
    results_end "$signal 0.3 s after the first results" 'score 0 graded no'
done
finish
