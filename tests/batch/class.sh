#!/bin/sh
# class.sh: a small class from end to end: stopped and resumed, a grader killed on the way, late
# comers, what may not change. Scores are those of `gpugrade check`.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
here=$REPO/tests/batch
solution=$REPO/reference/matmul/solution
wrong=$REPO/tests/submissions/matmul/wrong/race_without_harm
class=$SCRATCH/class
results=$SCRATCH/results
TMPDIR=$SCRATCH/tmp
# What earlier runs have compiled would end a grader sooner than it can be seen.
GPUGRADE_CACHE=$SCRATCH/cache
export TMPDIR GPUGRADE_CACHE
mkdir "$TMPDIR" "$class"
chmod 711 "$SCRATCH" "$TMPDIR"

# submission NAME [FILE...]: the reference solution, with these files in place of its own.
submission() {
    mkdir "$class/$1"
    cp "$solution"/*.cu "$class/$1/"
    name=$1
    shift
    [ $# -eq 0 ] || cp -f "$@" "$class/$name/"
}

batch() {
    "$GPUGRADE" batch "$@" --device emulated >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
}

stored() {
    python3 "$here/stored.py" "$1" "$results" >"$SCRATCH/$1.$2" 2>&1
}

# says STATUS WORDS NAME: the last batch ended like that and said that.
says() {
    if [ "$status" -ne "$1" ]; then
        fail "$3" "exit status $status: $(cat "$SCRATCH/out" "$SCRATCH/err")"
    elif ! cat "$SCRATCH/out" "$SCRATCH/err" | grep -qF -- "$2"; then
        fail "$3" "$(cat "$SCRATCH/out" "$SCRATCH/err")"
    else
        pass "$3"
    fi
}

# children PROCESS: of all its threads.
children() {
    cat "/proc/$1/task"/*/children 2>/dev/null
}

# A submission is being compiled.
is_building() {
    ls -d "$TMPDIR"/*/*/*/build-* >/dev/null 2>&1
}

# hold_grader: a process that grades for $batch stands still in the middle of it; $held is its number.
# However fast the machine is, it comes to no end before it is told to.
hold_grader() {
    tries=0
    while [ "$tries" -lt 6000 ] && kill -0 "$batch" 2>/dev/null; do
        for run in $(children "$batch"); do # batch, its workers, and who grades below them
            for worker in $(children "$run"); do
                held=$(children "$worker" | cut -d ' ' -f 1)
                if [ -z "$held" ] || ! kill -STOP "$held" 2>/dev/null; then
                    continue
                fi
                [ -z "$(children "$held")" ] || ! is_building || return 0
                kill -CONT "$held"
            done
        done
        tries=$((tries + 1))
        sleep 0.02
    done
    held=''
    return 1
}

submission anna
submission bert
submission cleo "$wrong"/*.cu
mkdir "$class/dora" "$class/empty"
cp "$solution/exercise1_tiled.cu" "$class/dora/"
echo 'no archive' >"$class/fred.zip"

batch "$class"
status=$?
says 2 'gpugrade batch SUBMISSIONS -o RESULTS' 'a batch needs a place for its results'
batch -o "$results"
status=$?
says 2 'needs the folder of the submissions' 'a batch needs submissions'
batch --resume -o "$results"
status=$?
says 2 "$results" 'what was not begun is not resumed'

# Stopped while the first one is being graded: that one is finished.
"$GPUGRADE" batch "$class" -o "$results" --seed 0x5eed -j1 --device emulated \
    >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null &
batch=$!
hold_grader || fail 'a submission is being graded' "$SCRATCH/err"
kill -TERM "$batch" # a shell lets what it starts in the background ignore SIGINT
tries=0
until grep -q '^gpugrade: finishing running checks (1);' "$SCRATCH/err" || [ "$tries" -ge 600 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
[ -z "$held" ] || kill -CONT "$held"
wait "$batch"
status=$?
says 143 "batch --resume -o $results -j 1" 'a signal stops it, and it says how to go on'
stored table stopped
if grep -q '^anna graded' "$SCRATCH/table.stopped" &&
    [ "$(grep -c pending "$SCRATCH/table.stopped")" -eq 5 ]; then
    pass 'what ran when the signal came is finished, nothing else is begun'
else
    fail 'what ran when the signal came is finished, nothing else is begun' "$SCRATCH/table.stopped"
fi
stored runs stopped

# Resumed; a process that grades is killed: that one is tried again.
"$GPUGRADE" batch --resume -o "$results" -j2 >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null &
batch=$!
hold_grader || fail 'a submission is being graded again' "$SCRATCH/err"
[ -z "$held" ] || kill -KILL "$held"
wait "$batch"
status=$?
says 0 '5 of 5 submissions: 3 graded (2 with failures), 2 with nothing to grade, 1 with reused results' \
    'it is resumed without being told again what it is about'
if [ "$(grep -c '^trouble .*ended by signal 9.*tried again$' "$SCRATCH/err")" -eq 1 ]; then
    pass 'a grader that is killed is trouble, and tried again'
else
    fail 'a grader that is killed is trouble, and tried again' "$SCRATCH/err"
fi
stored table resumed
stored runs resumed
if ! diff "$SCRATCH/runs.stopped" "$SCRATCH/runs.resumed" | grep -q '^<'; then
    pass 'nothing was graded twice'
else
    fail 'nothing was graded twice' "$SCRATCH/runs.resumed"
fi
python3 "$here/stored.py" marks "$results" >"$SCRATCH/got" 2>&1
cat >"$SCRATCH/expected" <<'END'
anna graded 85
bert graded 85
cleo graded 75
dora graded 42.5
empty nothing 0
fred.zip nothing 0
END
if diff "$SCRATCH/expected" "$SCRATCH/got" >"$SCRATCH/diff"; then
    pass 'everybody has the points that are due'
else
    fail 'everybody has the points that are due' "$SCRATCH/diff"
fi

"$GPUGRADE" check "$class/cleo" --device emulated --seed 0x5eed --json "$SCRATCH/score.json" \
    >/dev/null 2>&1 </dev/null
jq -r '[.criteria[] | "\(.id)=\(.status):\(.points):"] | sort | join(" ")' "$SCRATCH/score.json" \
    >"$SCRATCH/checked"
sed -n 's/:[A-Z][0-9]*/:/g; s/^cleo graded [^ ]* //p' "$SCRATCH/table.resumed" >"$SCRATCH/got"
if diff "$SCRATCH/checked" "$SCRATCH/got" >"$SCRATCH/diff"; then
    pass 'a check of the same files gives the same verdicts'
else
    fail 'a check of the same files gives the same verdicts' "$SCRATCH/diff"
fi

mkdir "$SCRATCH/reports"
if python3 "$here/one_mark.py" "$GPUGRADE" "$results" "$SCRATCH/reports" cleo "$SCRATCH/score.json" \
    >"$SCRATCH/differs" 2>&1; then
    pass 'each report and each platform has the same marks, of the same points'
else
    fail 'each report and each platform has the same marks, of the same points' "$SCRATCH/differs"
fi

# One mark also where the rubric says what is not measured here: speed, 15 points.
for how in zero full leave-out; do
    echo "{\"schema\": \"gpugrade/rubric/v1\", \"extends\": \"matmul\", \"unmeasured\": \"$how\"}" \
        >"$SCRATCH/$how.json"
    "$GPUGRADE" regrade "$results" --rubric "$SCRATCH/$how.json" --apply >"$SCRATCH/differs" 2>&1
    "$GPUGRADE" check "$class/cleo" --device emulated --seed 0x5eed --rubric "$SCRATCH/$how.json" \
        --json "$SCRATCH/score.json" >/dev/null 2>&1 </dev/null
    rm -r "$SCRATCH/reports/pages"
    python3 "$here/one_mark.py" "$GPUGRADE" "$results" "$SCRATCH/reports" cleo "$SCRATCH/score.json" \
        >>"$SCRATCH/differs" 2>&1
    status=$?
    python3 "$here/stored.py" marks "$results" | tr '\n' ' ' >"$SCRATCH/got"
    case $how in
    full) marks='anna graded 100 bert graded 100 cleo graded 80 dora graded 42.5 ' ;; # what is right
    *) marks='anna graded 85 bert graded 85 cleo graded 75 dora graded 42.5 ' ;;
    esac
    if [ "$status" -eq 0 ] && grep -qF "$marks" "$SCRATCH/got"; then
        pass "the same with \"unmeasured\": \"$how\""
    else
        fail "the same with \"unmeasured\": \"$how\"" "$(cat "$SCRATCH/differs" "$SCRATCH/got")"
    fi
done

# Late comers and changes; the files of all of them have been graded before.
submission hans "$wrong"/*.cu
rm "$class/fred.zip"
cp "$solution"/*.cu "$class/empty/"
batch "$class" --resume -o "$results"
status=$?
says 0 '2 of 2 submissions: 2 graded (1 with failures), 2 with reused results' \
    'new and changed submissions are graded, and files that are known are not graded again'
stored runs late
if [ "$(cut -d ' ' -f 2,3 "$SCRATCH/runs.late" | sort -u | wc -l)" -eq 3 ]; then
    pass 'equal files share a run'
else
    fail 'equal files share a run' "$SCRATCH/runs.late"
fi
batch --resume -o "$results"
status=$?
says 0 '0 of 0 submissions' 'then there is nothing left to do'
batch --only-failed -o "$results"
status=$?
says 0 '0 of 0 submissions' 'and nothing has failed by the fault of the machine'

batch "$class" -o "$results"
status=$?
says 2 'already has results; continue with --resume' 'results are not begun again by mistake'
batch "$class" -o "$results" --resume --seed 1
status=$?
says 2 '--seed cannot change: the results were started with 0x5eed' 'the seed is fixed'
"$GPUGRADE" batch --resume -o "$results" --device auto >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
status=$?
says 2 "--device cannot change: the results were started with 'emulated'" 'so is the device'
batch "$class" -o "$results/gpugrade.lock"
status=$?
says 3 "$results/gpugrade.lock" 'results need a folder'
jq '.title = "another"' "$REPO/rubrics/matmul.json" >"$SCRATCH/matmul.json"
batch --resume -o "$results" --rubric "$SCRATCH/matmul.json"
status=$?
says 2 'gpugrade regrade' 'a rubric is changed by regrade'

# The coursework of files that lie side by side; with Slurm nothing is graded here.
mkdir "$SCRATCH/flat"
for student in doejane_12 roejim_13; do
    for source in exercise1_tiled exercise2_dynamic; do
        cp "$solution/$source.cu" "$SCRATCH/flat/${student}_100_$source.cu"
    done
done
batch "$SCRATCH/flat" -o "$SCRATCH/of_flat" --slurm --no-submit
status=$?
says 0 '2 submissions' 'a flat export is recognised by its files'

left=$(ls -A "$TMPDIR")
if [ -z "$left" ] && [ "$(stat -c %a "$results")" = 700 ]; then
    pass 'no work folder is left, and the results are for their owner only'
else
    fail 'no work folder is left, and the results are for their owner only' "$left"
fi
finish
