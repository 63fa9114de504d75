#!/bin/sh
# fixtures.sh [--record FOLDER]: every fixture of tests/submissions, graded three times with the same
# seed: --device emulated, --device auto and --device cuda.
#
# Status and code of each criterion must be the same in all three, but that
#   auto   grades speed as well
#   cuda   skips what only the emulated device can see, and grades speed as well
#   cuda   may see something else where differences.txt says so and why
# FIXTURES are the fixtures (default: right wrong), AUTO_FIXTURES those for auto (the same). The time
# goes into fixtures that run into deadlines; EMULATED_VERDICTS names a file of verdicts that another
# machine kept with KEEP_VERDICTS (a file to write them to, which ends the run), in place of
# the first pass. The table holds the differences. Speed is measured
# with --device auto alone, and there only unless SPEED is no: the other rubric is the coursework's
# without speed.
#
# VERDICTS names a folder that an earlier run has recorded, with emulated.verdicts, auto.verdicts and
# cuda.verdicts: these are judged anew, for example by another differences.txt, and no GPU is needed.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
gpu_options "$@"
[ -n "${KEEP_VERDICTS:-}${VERDICTS:-}" ] || gpu_demand fixtures

# Lines "FIXTURE CRITERION STATUS:CODE" of all scores of folder $1, without speedup.
verdicts() {
    for score in "$SCRATCH/$1"/*.json; do
        fixture=$(basename "$score" .json | sed 's|-|/|')
        jq -r --arg fixture "$fixture" '.criteria[]
            | select(.id | startswith("speedup") | not)
            | "\($fixture) \(.id) \(.status)\(if .cause == null then "" else ":" + .cause.code end)"' \
            "$score" || echo "$fixture - no-score"
    done | sort
}

# The coursework's rubric without speed; the points go elsewhere.
without_speed() {
    jq '([.criteria[] | select(.kind == "speedup") | .points] | add) as $points
        | .criteria |= map(select(.kind != "speedup")) | .criteria[0].points += $points' \
        "$REPO/rubrics/matmul.json"
}

# grade NAME OPTIONS...: grades all fixtures; a fixture without a score fails.
grade() {
    name=$1
    shift
    if [ -n "${VERDICTS:-}" ]; then
        cp "$VERDICTS/$name.verdicts" "$SCRATCH/" || exit 3
        return
    fi
    rubric=$SCRATCH/rubric.json
    [ "$name" != auto ] || [ "${SPEED:-yes}" = no ] || rubric=''
    mkdir "$SCRATCH/$name"
    started=$(date +%s)
    # shellcheck disable=SC2086 # a list of words
    CHECK_OPTIONS="$*" SCORES=$SCRATCH/$name RUBRIC=$rubric sh "$REPO/tests/submissions/run.sh" ${FIXTURES:-right wrong} \
        >"$SCRATCH/$name.log" 2>&1
    printf '        %s: %s, %d s\n' "$name" "$(tail -n 1 "$SCRATCH/$name.log")" \
        $(($(date +%s) - started))
    if grep -q 'no score file' "$SCRATCH/$name.log"; then
        fail "every fixture gets a score, $name" "$(grep 'no score file' "$SCRATCH/$name.log")"
    fi
    verdicts "$name" >"$SCRATCH/$name.verdicts"
    [ -z "$RECORD" ] || cp "$SCRATCH/$name.verdicts" "$RECORD/"
}

# Puts the two keys of a line of verdicts together, for join; every score judges the same criteria.
keyed() {
    sed 's/ /|/' "$SCRATCH/$1.verdicts" | LC_ALL=C sort -k 1,1 >"$SCRATCH/$1.keyed"
    cut -d ' ' -f 1 "$SCRATCH/$1.keyed" >"$SCRATCH/$1.criteria"
    [ "$1" = auto ] && [ -n "${AUTO_FIXTURES:-}${VERDICTS:-}" ] && return
    cmp -s "$SCRATCH/$1.criteria" "$SCRATCH/emulated.criteria" ||
        fail "the same criteria are judged, $1" \
            "$(diff "$SCRATCH/emulated.criteria" "$SCRATCH/$1.criteria" | grep '^[<>]')"
}

# Lines "FIXTURE CRITERION EMULATED SEEN" of what folder $1 has otherwise than the emulated device.
different() {
    LC_ALL=C join "$SCRATCH/emulated.keyed" "$SCRATCH/$1.keyed" |
        awk '$2 != $3 { sub(/[|]/, " ", $1); print }' >"$SCRATCH/$1.different"
}

# Sorts the differences on the real GPU out: skipped (lines "CRITERION COUNT"), known (rows of a
# table) and new, with the explanation that comes to mind: whoever adds them to differences.txt looks.
sort_out() {
    : >"$SCRATCH/skipped"
    : >"$SCRATCH/known"
    : >"$SCRATCH/new"
    awk -v folder="$SCRATCH" '
        function guess(emulated, seen,    passes) {
            passes = seen ~ /^passed/
            if (emulated ~ /race/ && passes) { return "the race is not seen in the results" }
            if (emulated ~ /race/) { return "the race is seen in the results alone" }
            if (emulated ~ /barrier/ && passes) { return "exited threads hold up no barrier" }
            if (emulated ~ /barrier/) { return "the barrier is seen in the results alone" }
            if (emulated ~ /uninitialised/) { return "who wrote shared memory is not seen" }
            if (emulated ~ /out_of_bounds|after_free|pointer/) {
                if (passes) { return "what lies there is mapped, and nobody uses it" }
                return "a fault, or what it broke, without a line"
            }
            return "?"
        }
        /^#/ || (FNR == NR && NF < 5) { next }
        FNR == NR {
            why = $0
            for (i = 0; i < 4; i++) { sub(/^[^ ]+ +/, "", why) }
            count = split($4, seen, ",")
            for (i = 1; i <= count; i++) { known[$1 " " $2 " " $3 " " seen[i]] = why }
            next
        }
        $4 ~ /^skipped/ { skipped[$2]++; next }
        $0 in known {
            print "| " $1 " | " $2 " | " $3 " | " $4 " | " known[$0] " |" >(folder "/known")
            next
        }
        { print $0 "  " guess($3, $4) >(folder "/new") }
        END { for (id in skipped) { print id, skipped[id] >(folder "/skipped") } }
    ' "$REPO/tests/gpu/differences.txt" "$SCRATCH/cuda.different" ||
        fail 'the differences are sorted out'
}

# No criterion of speed may be an error.
speeds() {
    jq -r '.criteria[] | select(.id | startswith("speedup")) | .status' "$SCRATCH"/auto/*.json |
        sort | uniq -c >"$SCRATCH/speeds"
    if grep -q error "$SCRATCH/speeds"; then
        fail 'auto: no speedup is an error' "$(jq -r '.submission.name as $name | .criteria[]
            | select(.id | startswith("speedup")) | select(.status == "error")
            | "\($name) \(.id) \(.measured.why // "")"' "$SCRATCH"/auto/*.json)"
    else
        pass "auto: no speedup is an error:$(awk '{ printf " %s %s", $1, $2 }' "$SCRATCH/speeds")"
    fi
}

# The criteria that only the emulated device can judge.
emulated_only() {
    jq -r '.criteria[]?
        | select(.kind | IN("race-free", "tiled", "bank-conflicts", "coalescing")) | .id' \
        "$REPO"/rubrics/*.json "$REPO"/tests/rubrics/valid/*.json | sort -u
}

without_speed >"$SCRATCH/rubric.json"
if [ -n "${EMULATED_VERDICTS:-}" ]; then
    cp "$EMULATED_VERDICTS" "$SCRATCH/emulated.verdicts" || exit 3
    [ -z "$RECORD" ] || cp "$EMULATED_VERDICTS" "$RECORD/emulated.verdicts"
else
    grade emulated --device emulated
fi
if [ -n "${KEEP_VERDICTS:-}" ]; then
    cp "$SCRATCH/emulated.verdicts" "$KEEP_VERDICTS"
    pass "emulated: verdicts kept"
    finish
fi
keyed emulated
all=${FIXTURES:-}
FIXTURES=${AUTO_FIXTURES:-$all}
grade auto --device auto
FIXTURES=$all
grade cuda --device cuda
for device in auto cuda; do
    keyed "$device"
    different "$device"
done
count=$(wc -l <"$SCRATCH/emulated.criteria")

auto_count=$(wc -l <"$SCRATCH/auto.criteria")
if [ -s "$SCRATCH/auto.different" ]; then
    fail "auto: $auto_count verdicts as on the emulated device" "$SCRATCH/auto.different"
else
    pass "auto: $auto_count verdicts as on the emulated device"
fi
[ -n "${VERDICTS:-}" ] || speeds
for fixture in wrong/second_barrier_missing wrong/dynamic_second_barrier_missing; do
    grep -q "^$fixture " "$SCRATCH/auto.verdicts" || continue
    if grep -q "^$fixture race-free.* failed:shared_race$" "$SCRATCH/auto.verdicts"; then
        pass "auto: $fixture fails by its race"
    else
        fail "auto: $fixture fails by its race" "$(grep "^$fixture" "$SCRATCH/auto.verdicts")"
    fi
done

sort_out
emulated_only >"$SCRATCH/emulated_only"
while read -r id number; do
    if grep -qx "$id" "$SCRATCH/emulated_only"; then
        pass "cuda: $id is skipped, it needs the emulated device ($number fixtures)"
    else
        fail "cuda: $id is not skipped" "$(grep " $id .* skipped" "$SCRATCH/cuda.different")"
    fi
done <"$SCRATCH/skipped"
table fixtures "$count verdicts of tests/submissions" \
    '| fixture | criterion | emulated | GPU | why |'
sort "$SCRATCH/known" >"$SCRATCH/rows"
while IFS= read -r line; do
    row "$line"
done <"$SCRATCH/rows"
if [ -s "$SCRATCH/new" ]; then
    fail 'cuda: differences.txt explains every difference' "$SCRATCH/new"
    [ -z "$RECORD" ] || cp "$SCRATCH/new" "$RECORD/differences.new"
else
    pass "cuda: differences.txt explains every difference, $(wc -l <"$SCRATCH/known") of $count"
fi
finish
