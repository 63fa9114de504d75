#!/bin/sh
# validate.sh: `gpugrade validate`: what each kind of file is held to, what is said of bad ones, exit
# statuses; and verdicts compared with those of python3-jsonschema, where that is installed.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
golden=$REPO/tests/unit/report/golden
rubrics=$REPO/tests/rubrics

# validate STATUS ARGUMENTS...: output in out and err; false if the exit status is another.
validate() {
    expected=$1
    shift
    "$GPUGRADE" validate "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
    [ "$status" -eq "$expected" ]
}

# accepts NAME ARGUMENTS...
accepts() {
    title=$1
    shift
    if validate 0 "$@" && [ ! -s "$SCRATCH/err" ] && ! grep -q '^FAIL' "$SCRATCH/out"; then
        pass "$title"
    else
        fail "$title: status $status" "$SCRATCH/out"
        cat "$SCRATCH/err"
    fi
}

# refuses NAME WORDS ARGUMENTS...: the words stand in a line below one that says FAIL.
refuses() {
    title=$1
    words=$2
    shift 2
    if validate 1 "$@" && grep -q '^FAIL  ' "$SCRATCH/out" && grep -qF -- "$words" "$SCRATCH/out" &&
        [ ! -s "$SCRATCH/err" ]; then
        pass "$title"
    else
        fail "$title: status $status, expected: $words" "$SCRATCH/out"
        cat "$SCRATCH/err"
    fi
}

# stops STATUS WORDS NAME ARGUMENTS...: it cannot be looked at; said on standard error.
stops() {
    stop=$1
    words=$2
    title=$3
    shift 3
    if validate "$stop" "$@" && grep -qF -- "$words" "$SCRATCH/err"; then
        pass "$title"
    else
        fail "$title: status $status, expected $stop and: $words" "$SCRATCH/err"
    fi
}

# What is recognised.
accepts 'scores' "$golden"/*_json.txt
accepts 'results of run' "$golden/run_result.txt" "$golden/run_result_of_signal.txt"
accepts 'results of doctor' "$golden/doctor_result.txt" "$golden/doctor_result_unsound.txt"
accepts 'a report on a class' "$golden/class_lines.jsonl"
set -- "$REPO/rubrics/skeleton/rubrics/skeleton.json"
for file in "$REPO"/rubrics/*.json; do
    case $file in *.schema.json) ;; *) set -- "$@" "$file" ;; esac
done
accepts 'rubrics, and an overlay' "$@" "$rubrics"/valid/*.json
if grep -q 'overlay.json: a rubric$' "$SCRATCH/out" && tail -n 1 "$SCRATCH/out" | grep -q ' passed, 0 failed, 0 skipped$'; then
    pass 'what is said of good files'
else
    fail 'what is said of good files' "$SCRATCH/out"
fi
score=$golden/race_json.txt
if "$GPUGRADE" validate - <"$score" >"$SCRATCH/out" 2>&1 && grep -qx 'ok    standard input: a score' "$SCRATCH/out"; then
    pass 'standard input'
else
    fail 'standard input' "$SCRATCH/out"
fi
if "$GPUGRADE" validate - <"$rubrics/valid/minimal.json" >"$SCRATCH/out" 2>&1; then
    pass 'a rubric from standard input'
else
    fail 'a rubric from standard input' "$SCRATCH/out"
fi

# Every name that --schema takes has its schema, and what convert writes follows it.
names=$("$GPUGRADE" help validate | sed -n 's/^  --schema \([^ ]*\).*/\1/p' | tr '|' ' ')
for name in $names; do
    case $name in
    rubric) file=$rubrics/valid/minimal.json ;;
    score) file=$score ;;
    class) file=$golden/class_lines.jsonl ;;
    run | doctor) file=$golden/${name}_result.txt ;;
    *)
        for from in mixed passed race speedup; do
            file=$SCRATCH/$from.$name
            "$GPUGRADE" convert "$golden/${from}_json.txt" --to "$name" -o "$file" 2>"$SCRATCH/err" &&
                accepts "convert --to $name of $from" --schema "$name" "$file"
        done
        ;;
    esac
    accepts "--schema $name" --schema "$name" "$file"
done
if [ "$(echo "$names" | wc -w)" -eq "$(find "$REPO/rubrics" -name '*.schema.json' | wc -l)" ]; then
    pass 'every schema that is shipped has a name'
else
    fail 'every schema that is shipped has a name' "$names"
fi
accepts 'recognised without a name' "$SCRATCH/mixed.sarif" "$SCRATCH/mixed.classroom50"
stops 2 'it has no "schema" that says what it is; name it: --schema NAME' 'not recognised' "$SCRATCH/mixed.gradescope"
stops 2 "its \"schema\" is 'gpugrade/score/v9'" 'another version' \
    "$(jq '.schema = "gpugrade/score/v9"' "$score" >"$SCRATCH/v9.json" && echo "$SCRATCH/v9.json")"
stops 2 'this is a schema itself' 'a schema' "$REPO/rubrics/score.schema.json"

# What is wrong, and where: the line and the column are those of the file.
jq '.criteria[1].points = "ten" | .extra = 1 | del(.seed)' "$score" >"$SCRATCH/bad.json"
line=$(grep -n '"ten"' "$SCRATCH/bad.json" | cut -d : -f 1)
refuses 'a value of another type' "bad.json:$line:17: /criteria/1/points: expected a number, got \"ten\"" "$SCRATCH/bad.json"
refuses 'an unknown key' "/extra: unknown key 'extra'" "$SCRATCH/bad.json"
refuses 'a missing key' "bad.json:1:1: the key 'seed' is missing" "$SCRATCH/bad.json"
if grep -q 'bad.json: a score, [3-5] mistakes$' "$SCRATCH/out" && sed -n 2p "$SCRATCH/out" | grep -q ':1:1: '; then
    pass 'mistakes are counted and stand in the order of the file'
else
    fail 'mistakes are counted and stand in the order of the file' "$SCRATCH/out"
fi
jq '.criteria = [range(100) | null]' "$score" >"$SCRATCH/many.json"
refuses 'many mistakes' 'a score, 100 mistakes' "$SCRATCH/many.json"
if grep -qx '      and 80 more' "$SCRATCH/out"; then
    pass 'the rest is counted'
else
    fail 'the rest is counted' "$SCRATCH/out"
fi
jq '.criteria[0] |= (.status = "failed" | .cause = null)' "$score" >"$SCRATCH/cause.json"
refuses 'a condition' '/criteria/0/cause: expected an object, got null' "$SCRATCH/cause.json"
jq '.criteria[0].cause.kind = "luck"' "$score" >"$SCRATCH/kind.json"
refuses 'the nearest alternative' '/criteria/0/cause/kind: expected "compile", "link"' "$SCRATCH/kind.json"
printf '{"schema": "gpugrade/score/v1",\n "score": }\n' >"$SCRATCH/syntax.json"
refuses 'no JSON' '2:11: expected a value and found' "$SCRATCH/syntax.json"
refuses 'no JSON, though the schema is named' 'syntax.json:2:11: expected a value' --schema score "$SCRATCH/syntax.json"
: >"$SCRATCH/empty"
refuses 'an empty file' '1:1: expected a value' "$SCRATCH/empty"
for name in score class autolab github-classroom; do
    refuses "an empty file as $name" 'expected' --schema "$name" "$SCRATCH/empty"
done
head -c 100000 /dev/zero | tr '\0' '[' >"$SCRATCH/deep.json"
refuses 'nested too deep' 'nested more than' --schema score "$SCRATCH/deep.json"
{ printf '{"pad": "' && head -c 1010000 /dev/zero | tr '\0' x && printf '"}\n'; } >"$SCRATCH/large.json"
refuses 'larger than the platform takes' 'expected at most 1000000 bytes' --schema prairielearn "$SCRATCH/large.json"
{ printf '{"type":"class","pad": "' && head -c 17000000 /dev/zero | tr '\0' x && printf '"}\n'; } >"$SCRATCH/huge.json"
refuses 'a line that is too long' '1:1: expected at most 16 MiB of JSON' --schema class "$SCRATCH/huge.json"
stops 2 'expected at most 16 MiB of JSON' 'a file too large to be recognised' "$SCRATCH/huge.json"

# A class: every line, and the place is that of the file.
sed '3s/"type":"[a-z]*"/"type":"pupil"/' "$golden/class_lines.jsonl" >"$SCRATCH/class.jsonl"
refuses 'one line of a class' 'class.jsonl:3:9: /type: expected "class", "student", "finding" or "pair", got "pupil"' "$SCRATCH/class.jsonl"
sed 1d "$golden/class_lines.jsonl" >"$SCRATCH/headless.jsonl"
refuses 'a class without its first line' 'the first line must be the one on the class' --schema class "$SCRATCH/headless.jsonl"

# Autolab: the last line counts, nothing may follow.
printf 'what a program printed\n{"scores": {"compile": 5}}\n' >"$SCRATCH/autolab"
accepts 'the last line alone' --schema autolab "$SCRATCH/autolab"
printf 'done\n' >>"$SCRATCH/autolab"
refuses 'something behind the last line' 'autolab:3:1: ' --schema autolab "$SCRATCH/autolab"
printf '{"_presentation": "semantic", "stages": ["a"], "a": {"b": {"passed": 1}}}\n{"scores": {"a": 1}}\n' |
    sed 's/"_presentation": /"_presentation":/' >"$SCRATCH/autolab"
refuses 'the presentation before it' 'autolab:1:' --schema autolab "$SCRATCH/autolab"
printf '{"scores": {"race: tiled": 1}}\n' >"$SCRATCH/autolab"
refuses 'a word with a colon, which Autolab corrupts' '/scores/race: tiled' --schema autolab "$SCRATCH/autolab"

# GitHub Classroom: in base64, as an output of a step, and as it is.
printf '{"version":1,"status":"pass","max_score":1,"tests":[]}' >"$SCRATCH/result.json"
base64 -w 0 "$SCRATCH/result.json" >"$SCRATCH/base64"
{ printf 'result=' && cat "$SCRATCH/base64" && echo; } >"$SCRATCH/step"
accepts 'base64, the output of a step, JSON' --schema github-classroom "$SCRATCH/base64" "$SCRATCH/step" "$SCRATCH/result.json"
printf '{"version":1,"status":"late","max_score":1,"tests":[]}' | base64 -w 0 >"$SCRATCH/late"
refuses 'a mistake inside of base64' 'late (decoded):1:23: /status: expected "pass", "fail" or "error", got "late"' --schema github-classroom "$SCRATCH/late"
printf 'not base64!' >"$SCRATCH/late"
refuses 'no base64' 'expected one line of base64' --schema github-classroom "$SCRATCH/late"

# Nulls, which Gradescope rejects, however deep.
printf '{"score": 1, "extra_data": {"a": [{"b": null}]}}' >"$SCRATCH/null.json"
refuses 'a null deep inside' '/extra_data/a/0/b: expected' --schema gradescope "$SCRATCH/null.json"

# Rubrics: what the reader refuses is refused, with a place; what the schema cannot see is told in the
# reader's words.
unseen='' unplaced='' other=''
for file in "$rubrics"/invalid/*.json; do
    name=$(basename "$file" .json)
    if ! validate 1 --schema rubric "$file"; then
        unseen="$unseen $name($status)"
    elif ! grep -qE "^      [^ ]*:[0-9]+:[0-9]+: " "$SCRATCH/out"; then
        unplaced="$unplaced $name"
    elif ! grep -qE '^      [^ ]*:[0-9]+:[0-9]+: (/|expected |the key |these keys )' "$SCRATCH/out" &&
        ! { grep -F -- ":$(cut -d ' ' -f 1 "$rubrics/invalid/$name.expected") " "$SCRATCH/out" |
            grep -qF -- "$(cut -d ' ' -f 2- "$rubrics/invalid/$name.expected")"; }; then
        other="$other $name"
    fi
done
for found in "refused rubrics:$unseen" "with a place:$unplaced" "in the words of the reader:$other"; do
    if [ "${found#*:}" = '' ]; then
        pass "${found%:*}"
    else
        fail "${found%:*}" "${found#*:}"
    fi
done
mkdir "$SCRATCH/overlay"
jq '.criteria[0].points = 7' "$rubrics/valid/minimal.json" >"$SCRATCH/overlay/base.json"
printf '{"schema": "gpugrade/rubric/v1", "extends": "base.json", "salt": "x"}\n' >"$SCRATCH/overlay/mine.json"
accepts 'an overlay, whose points may add up to anything' "$SCRATCH/overlay/mine.json"
jq '.launches[0].operands[0].shape = ["nosuch"]' "$rubrics/valid/minimal.json" >"$SCRATCH/overlay/base.json"
refuses 'what an overlay extends is read too' 'overlay/base.json:' "$SCRATCH/overlay/mine.json"
jq '.gpu_model = "RTX 9999"' "$rubrics/valid/minimal.json" >"$SCRATCH/model.json"
refuses 'an unknown GPU' 'RTX 9999' "$SCRATCH/model.json"

# Several files: each is looked at, and the worst status counts.
stops 2 'nosuch.json' 'a file that is not there' "$SCRATCH/nosuch.json" "$SCRATCH/bad.json" "$score"
if grep -q '^FAIL .*bad.json' "$SCRATCH/out" && grep -q '^ok .*race_json' "$SCRATCH/out" &&
    tail -n 1 "$SCRATCH/out" | grep -qx '1 passed, 1 failed, 1 skipped'; then
    pass 'the others are looked at'
else
    fail 'the others are looked at' "$SCRATCH/out"
fi
stops 2 "$SCRATCH" 'a folder' "$SCRATCH"
printf '{"a": 1}\n' >"$SCRATCH/nameless.json"
stops 2 'name it: --schema NAME' 'a file that does not say what it is' "$SCRATCH/nameless.json" "$score"
if tail -n 1 "$SCRATCH/out" | grep -qx '1 passed, 0 failed, 1 skipped'; then
    pass 'it is counted'
else
    fail 'it is counted' "$SCRATCH/out"
fi

# Names and texts that are commands to a terminal or to a CI service.
mkdir "$SCRATCH/odd"
printf '{"score": 1, "tests": [{"score": 1, "name": 3, "\\u001b[31m##[error]x": 1}]}' >"$SCRATCH/odd/::error::x"
(cd "$SCRATCH/odd" && "$GPUGRADE" validate --schema gradescope '::error::x' >"$SCRATCH/out" 2>&1)
if ! LC_ALL=C grep -q "$(printf '\033')" "$SCRATCH/out" && ! grep -qE '^ *::|##\[' "$SCRATCH/out" &&
    grep -q '2 mistakes' "$SCRATCH/out"; then
    pass 'hostile names and keys'
else
    fail 'hostile names and keys' "$SCRATCH/out"
fi

# The installation: a schema that is missing or cannot be used is nobody else's fault.
mkdir -p "$SCRATCH/root/rubrics" "$SCRATCH/root/reference"
jq '.properties.score.multipleOf = 0.5' "$REPO/rubrics/score.schema.json" >"$SCRATCH/root/rubrics/score.schema.json"
if [ -n "${GPUGRADE_BUILD:-}" ]; then
    program=$GPUGRADE_BUILD/bin/gpugrade
else
    program=$GPUGRADE
fi
for pair in "score:the keyword 'multipleOf' is none" 'run:run.schema.json'; do
    name=${pair%%:*}
    GPUGRADE_ROOT=$SCRATCH/root "$program" validate --schema "$name" "$score" >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
    if [ "$status" -eq 3 ] && grep -qF -- "${pair#*:}" "$SCRATCH/err"; then
        pass "a schema that cannot be used: $name"
    else
        fail "a schema that cannot be used: $name, status $status" "$SCRATCH/err"
    fi
done
if [ -e /dev/full ]; then
    "$GPUGRADE" validate "$score" >/dev/full 2>"$SCRATCH/err"
    status=$?
    if [ "$status" -eq 3 ] && grep -q 'cannot be written' "$SCRATCH/err"; then
        pass 'a verdict that cannot be written'
    else
        fail "a verdict that cannot be written: status $status" "$SCRATCH/err"
    fi
fi

# The same verdicts as another validator.
verdicts=${GPUGRADE_BUILD:-$REPO/build}/tests/rubrics/schema_verdicts
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    skip 'verdicts as of python3-jsonschema' 'python3-jsonschema is not installed'
elif [ ! -x "$verdicts" ]; then
    skip 'verdicts as of python3-jsonschema' "$verdicts is not built"
elif python3 "$rubrics/compare_validators.py" "$verdicts" >"$SCRATCH/out" 2>&1; then
    pass "verdicts as of python3-jsonschema: $(tail -n 1 "$SCRATCH/out")"
else
    grep -v '^ok ' "$SCRATCH/out" >"$SCRATCH/differ"
    fail 'verdicts as of python3-jsonschema' "$SCRATCH/differ"
fi
finish
