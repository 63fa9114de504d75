#!/bin/sh
# gradescope.sh: the bundle for Gradescope, run as Gradescope would: root, /autograder with its folders
# and metadata, in a container without control groups, with namespaces (the sandbox's tier A) and
# without (tier B). A watcher reads results.json all the time, also while the run is killed.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/lib/container.sh"
container_ready 'the bundle for Gradescope' /autograder

mkdir "$SCRATCH/private"
echo '{"students": ["canary@example.org"]}' >"$SCRATCH/private/roster.json"
quick_rubric "$SCRATCH/private/autumn_base.json"
echo '{"schema": "gpugrade/rubric/v1", "extends": "autumn_base.json"}' >"$SCRATCH/private/autumn.json"
if make -s -f "$REPO/docker/gradescope/Makefile" COURSEWORK=matmul RUBRIC="$SCRATCH/private/autumn.json" \
    SEED=5eed1234 OUTPUT="$SCRATCH/autograder.zip" >"$SCRATCH/make.log" 2>&1; then
    pass 'make writes autograder.zip'
else
    fail 'make writes autograder.zip' "$SCRATCH/make.log"
    finish
fi

python3 -m zipfile -l "$SCRATCH/autograder.zip" | awk 'NR > 1 { print $1 }' | sort >"$SCRATCH/list"
missing=''
for name in setup.sh run_autograder settings.sh platform_lib.sh gpugrade.tar.gz \
    course/rubrics/autumn.json course/rubrics/autumn_base.json course/rubrics/platform_limits.json; do
    grep -qxF "$name" "$SCRATCH/list" || missing="$missing $name"
done
if [ -z "$missing" ]; then
    pass 'the zip holds what Gradescope and the scripts look for'
else
    fail "the zip lacks$missing" "$SCRATCH/list"
fi

if grep -F roster "$SCRATCH/list" >"$SCRATCH/found"; then
    fail 'no file but those that the rubric extends comes along' "$SCRATCH/found"
else
    pass 'no file but those that the rubric extends comes along'
fi

for words in 'COURSEWORK=../matmul' 'COURSEWORK=nothing' 'COURSEWORK=' 'COURSEWORK=matmul SEED=none' \
    'COURSEWORK=matmul TIME_LIMIT=1;id'; do
    # shellcheck disable=SC2086 # words of a command line
    if make -s -f "$REPO/docker/gradescope/Makefile" $words OUTPUT="$SCRATCH/bad.zip" \
        >"$SCRATCH/bad.log" 2>&1; then
        fail "make refuses $words"
    else
        pass "make refuses $words"
    fi
done

install_grader
has_tier_b=yes
cc -D_GNU_SOURCE -O1 -o "$SCRATCH/tools/no_namespaces" "$REPO/tests/hostile/no_namespaces.c" \
    -lseccomp 2>"$SCRATCH/cc.log" || has_tier_b=no
mkdir -p "$SCRATCH/unzipped"
cmake -E chdir "$SCRATCH/unzipped" cmake -E tar xf "$SCRATCH/autograder.zip"
rm "$SCRATCH/unzipped/gpugrade.tar.gz"
auto=$(folder_of /autograder)
CONFINE=''

# prepare SUBMISSION: the folders as Gradescope makes them.
prepare() {
    rm -rf "$auto"
    mkdir -p "$auto/results"
    cp -R "$SCRATCH/unzipped" "$auto/source"
    cp "$auto/source/run_autograder" "$auto/run_autograder"
    cp -R "$1" "$auto/submission"
    chmod -R a+rX "$auto"
    echo '{"id": 1, "users": [{"email": "canary@example.org", "name": "\u0000"}]}' \
        >"$auto/submission_metadata.json"
}

# start COMMAND...: runs run_autograder, or what is given instead of it, while results.json is watched.
start() {
    [ $# -gt 0 ] || set -- /autograder/run_autograder
    watched gradescope "$auto/results/results.json" "$@"
}

# says NAME WORDS: the results' output.
says() {
    if grep -qF "$2" "$auto/results/results.json"; then
        pass "$1"
    else
        fail "$1" "$auto/results/results.json"
    fi
}

# The cache that setup.sh fills.
prepare "$REPO/reference/matmul/solution"
start
results_end 'the reference solution' 'score [0-9.]+ graded yes'
full=$last
prepare "$REPO/reference/matmul/solution"
# shellcheck disable=SC2016 # for the shell inside
start sh -c '/autograder/run_autograder &
    until grep -qs "\"graded\": true" /autograder/results/results.json || ! kill -0 $!; do sleep 0.01; done
    kill -TERM $!; wait $!'
results_end 'a verdict stays, though the run is cut off' "$full"
for word in canary 'autograder/source'; do
    if [ -s "$auto/results/results.json" ] && ! grep -qF "$word" "$auto/results/results.json"; then
        pass "no '$word' in the results"
    else
        fail "no '$word' in the results" "$auto/results/results.json"
    fi
done

# A probe that reaches something must be seen, or the next tests would show nothing.
probing_submission "$SCRATCH/control" /usr/include/stdio.h
prepare "$SCRATCH/control"
start
results_end 'a program that reaches a file is seen' 'score [0-9](\.[0-9]+)? graded yes'

secrets='/autograder/results/results.json /autograder/source/settings.sh
/autograder/source/course/rubrics/autumn.json /autograder/submission_metadata.json
/autograder/run_autograder /opt/gpugrade/share/gpugrade/reference/matmul/solution/exercise1_tiled.cu'
# shellcheck disable=SC2086 # a list of paths
probing_submission "$SCRATCH/hostile" $secrets /opt/gpugrade/share/gpugrade/rubrics/matmul.json
for CONFINE in '' no_namespaces; do
    if [ -n "$CONFINE" ] && [ "$has_tier_b" = no ]; then
        skip 'a hostile program without namespaces' 'libseccomp-dev is missing'
        continue
    fi
    prepare "$SCRATCH/hostile"
    start
    results_end "a hostile program gains nothing${CONFINE:+, without namespaces}" "$full"
    prepare "$REPO/reference/matmul/solution"
    sed -i '1i #include "/autograder/source/course/rubrics/autumn.json"' "$auto"/submission/*.cu
    start
    results_end "a rubric cannot be included${CONFINE:+, without namespaces}" 'score 0 graded yes'
    if grep -qE 'canary' "$auto/results/results.json"; then
        fail 'nor is it shown' "$auto/results/results.json"
    fi
done
CONFINE=''

mkdir -p "$SCRATCH/empty"
prepare "$SCRATCH/empty"
start
results_end 'nothing was handed in' 'score 0 graded (yes|no)'

prepare "$REPO/reference/matmul/solution"
rm "$auto/submission/exercise1_tiled.cu" "$auto/submission/exercise2_dynamic.cu"
start
results_end 'files are missing' 'score 0 graded no'
says 'the missing files are named first' '"Not graded: the submission is missing files of matmul: exercise1_tiled.cu, exercise2_dynamic.cu'

prepare "$REPO/reference/matmul/solution"
falls_asleep "$auto/submission"
sed -i "s/^TIME_LIMIT=.*/TIME_LIMIT='1'/" "$auto/source/settings.sh"
start
results_end 'too slow for the time limit' 'score 0 graded no'
says 'the time limit is told' 'took longer than 1 seconds'

prepare "$REPO/reference/matmul/solution"
rm "$auto/source/settings.sh"
start
results_end 'a broken bundle' 'score 0 graded no'
says 'a broken bundle is told' 'The grader or the machine failed'

# Killed at random moments: KILL ends everything at once, TERM lets the script say so. Before the
# first results, some milliseconds after the start, there are none.
for signal in KILL TERM; do
    for moment in 0 "$(od -An -N1 -tu1 /dev/urandom | awk '{ printf "%.2f", 0.1 + $1 / 256 }')"; do
        prepare "$REPO/reference/matmul/solution"
        falls_asleep "$auto/submission"
        # shellcheck disable=SC2016 # for the shell inside
        start sh -c '/autograder/run_autograder &
            until [ -e /autograder/results/results.json ] || ! kill -0 $!; do sleep 0.01; done
            sleep "$2"; kill -"$1" $!; wait $!' sh "$signal" "$moment"
        results_end "$signal $moment s after the first results" 'score 0 graded no'
    done
    says "$signal is told" 'This is not a verdict on the submission'
done
finish
