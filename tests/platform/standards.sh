#!/bin/sh
# standards.sh: what convert makes of fresh scores, and of one full of words that mean something in
# some format, held to the public standards: SARIF by its JSON Schema (from npm, or SARIF_SCHEMA),
# JUnit by the rules of Jenkins' schema (and by the schema itself where JUNIT_XSD names it), CSV by
# another reader, VPL as VPL reads it.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
lib=$REPO/tests/platform/lib
scores=$SCRATCH/scores
logs=$SCRATCH/logs
mkdir "$scores" "$logs"
if ! command -v python3 >/dev/null 2>&1; then
    skip 'formats follow their standards' 'needs python3'
    finish
fi

# fetch_schema: the path of the schema of SARIF 2.1.0, nothing if it cannot be had.
fetch_schema() {
    if [ -n "${SARIF_SCHEMA:-}" ]; then
        printf '%s' "$SARIF_SCHEMA"
        return
    fi
    command -v npm >/dev/null 2>&1 || return
    (cd "$SCRATCH" && timeout 60 npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 &&
        tar xzf microsoft-jest-sarif-*.tgz) >/dev/null 2>&1 || return
    find "$SCRATCH/package" -name 'sarif-2.1.0*.json'
}

# holds NAME COMMAND...: passes if the command does.
holds() {
    name=$1
    shift
    if "$@" >"$SCRATCH/said" 2>&1; then
        pass "$name"
    else
        fail "$name" "$SCRATCH/said"
    fi
}

if SCORES=$scores sh "$REPO/tests/submissions/run.sh" right/padding wrong/first_barrier_missing \
    wrong/not_text >"$SCRATCH/graded" 2>&1; then
    pass 'three submissions are graded'
else
    fail 'three submissions are graded' "$SCRATCH/graded"
    finish
fi
python3 "$lib/hostile_score.py" "$scores/wrong-first_barrier_missing.json" >"$scores/hostile.json"
for score in "$scores"/*.json; do
    for format in sarif junit csv vpl; do
        "$GPUGRADE" convert "$score" --to "$format" --prefix 'hw 3' \
            -o "$logs/$(basename "$score" .json).$format" >>"$SCRATCH/converted" 2>&1 ||
            fail "convert $(basename "$score") --to $format" "$SCRATCH/converted"
    done
done
holds 'four scores in four formats' [ "$(find "$logs" -type f | wc -l)" -eq 16 ]

schema=$(fetch_schema)
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    skip 'SARIF follows its schema' 'python3-jsonschema is not installed'
elif [ -z "$schema" ]; then
    skip 'SARIF follows its schema' 'npm cannot fetch it; set SARIF_SCHEMA'
else
    holds 'SARIF follows its schema' python3 "$lib/check_sarif.py" "$schema" "$logs"/*.sarif
    sed 's/"ruleId"/"rule"/' "$logs/hostile.sarif" >"$SCRATCH/broken.sarif"
    if python3 "$lib/check_sarif.py" "$schema" "$SCRATCH/broken.sarif" >/dev/null 2>&1; then
        fail 'what is no SARIF is refused'
    else
        pass 'what is no SARIF is refused'
    fi
fi
if python3 -c 'import jsonschema' 2>/dev/null; then
    holds 'SARIF follows our own schema' python3 "$REPO/tests/rubrics/validate_schemas.py" \
        --schema sarif "$logs"/*.sarif
else
    skip 'SARIF follows our own schema' 'python3-jsonschema is not installed'
fi

holds 'JUnit follows the rules of Jenkins' python3 "$lib/check_junit.py" "$logs"/*.junit
sed 's/failures="[0-9]*"//' "$logs/hostile.junit" >"$SCRATCH/broken.junit"
if python3 "$lib/check_junit.py" "$SCRATCH/broken.junit" >/dev/null 2>&1; then
    fail 'what is no JUnit is refused'
else
    pass 'what is no JUnit is refused'
fi
if command -v xmllint >/dev/null 2>&1; then
    holds 'JUnit is XML for another reader too' \
        xmllint --noout ${JUNIT_XSD:+--schema "$JUNIT_XSD"} "$logs"/*.junit
else
    skip 'JUnit is XML for another reader too' 'xmllint is not installed'
fi

holds 'CSV is a header and a row' python3 -c '
import csv, sys
for path in sys.argv[1:]:
    header, row = csv.reader(open(path, newline="", encoding="utf-8"))
    assert len(header) == len(row) == len(set(header)), path
    assert not any(cell[:1] in ("=", "+", "-", "@", "\t") for cell in row), path
' "$logs"/*.csv

# One grade, the last line; as many titles as the report has parts.
holds 'VPL finds one grade in each' python3 -c '
import sys
for path in sys.argv[1:]:
    lines = open(path, encoding="utf-8").read().split("\n")
    grades = [line for line in lines if line.startswith("Grade :=>>")]
    assert len(grades) == 1 and lines[-2] == grades[0] and lines[-1] == "", path
    assert [line.strip() for line in lines].count("--|>") == 1, path
    assert lines.index("--|>") == len(lines) - 4, path
    titles = [line for line in lines if line.startswith("-") and line != "--|>"]
    assert 12 <= len(titles) <= 13, titles
    assert not any(line.lstrip().startswith((">", "http:")) for line in lines), path
' "$logs"/*.vpl
full=$(sed -n 's/^Grade :=>>//p' "$logs/right-padding.vpl")
forged=$(sed -n 's/^Grade :=>>//p' "$logs/hostile.vpl")
honest=$(sed -n 's/^Grade :=>>//p' "$logs/wrong-first_barrier_missing.vpl")
holds "words change no grade: $forged is $honest" [ "$forged" = "$honest" ]
holds "what was measured of a right solution is $full percent" [ "$full" = 100 ]
finish
