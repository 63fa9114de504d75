#!/bin/sh
# several.sh [--record FOLDER]: two checks at once. On one GPU they never time at once: the lock makes
# one wait, and both measure the same as alone. With two GPUs, --gpus 0,1 gives each check one of its
# own.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
gpu_options "$@"
gpu_demand several
student reference "$SCRATCH/student"

# two NAME OPTIONS...: two checks at once; scores in NAME-1.json and NAME-2.json.
two() {
    name=$1
    shift
    started=$(date +%s%N)
    for number in 1 2; do
        check "$SCRATCH/student" "$SCRATCH/$name-$number.json" --device auto --only speedup.tiled \
            "$@" &
    done
    wait
    TOOK=$(awk -v ns=$(($(date +%s%N) - started)) 'BEGIN { printf "%.1f", ns / 1e9 }')
}

# figure SCORE JQ: of the criterion.
figure() {
    jq -r ".criteria[] | select(.id == \"speedup.tiled\") | $2" "$1" 2>/dev/null
}

uuid() {
    jq -r '[.machine.devices[] | select(.kind == "cuda") | .uuid] | join(" ")' "$1" 2>/dev/null
}

# told NAME NUMBER GPUS: one row.
told() {
    score=$SCRATCH/$1-$2.json
    row "| $3 | $2 | $(uuid "$score") | $(figure "$score" .measured.speedup) | $(figure "$score" .measured.seconds) | $(figure "$score" .points) | $TOOK |"
}

# near A B: within 0.2 % of each other.
near() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a / b < 1.002 && b / a < 1.002) }'
}

table several 'two checks at once' \
    '| --gpus | check | GPU | speedup | seconds of timing | points | seconds for both |'
check "$SCRATCH/student" "$SCRATCH/alone-1.json" --device auto --only speedup.tiled --gpus 0
TOOK=''
told alone 1 '0, alone'
alone=$(figure "$SCRATCH/alone-1.json" .measured.speedup)
two one --gpus 0
told one 1 0
told one 2 0
for number in 1 2; do
    got=$(figure "$SCRATCH/one-$number.json" .measured.speedup)
    if near "$got" "$alone"; then
        pass "one GPU: check $number of two measures $got, alone $alone"
    else
        fail "one GPU: check $number of two measures $got, alone $alone" \
            "$SCRATCH/one-$number.json.screen"
    fi
done
# both measurements lie within the run, one after the other
if awk -v a="$(figure "$SCRATCH/one-1.json" .measured.seconds)" -v all="$TOOK" \
    -v b="$(figure "$SCRATCH/one-2.json" .measured.seconds)" \
    'BEGIN { exit !(a + 0 > 0 && b + 0 > 0 && a + b <= all) }'; then
    pass "one GPU: two measurements fit one after the other into $TOOK s"
else
    fail "one GPU: two measurements fit one after the other into $TOOK s" \
        "$(figure "$SCRATCH/one-1.json" .measured) $(figure "$SCRATCH/one-2.json" .measured)"
fi
if [ "$(uuid "$SCRATCH/one-1.json")" = "$(uuid "$SCRATCH/one-2.json")" ]; then
    pass 'one GPU: both checks use it'
else
    fail 'one GPU: both checks use it' "$(uuid "$SCRATCH/one-1.json") $(uuid "$SCRATCH/one-2.json")"
fi

if [ "$(gpu_count)" -lt 2 ]; then
    skip 'several: two GPUs' 'there is one GPU here'
else
    two both --gpus 0,1
    told both 1 0,1
    told both 2 0,1
    if [ -n "$(uuid "$SCRATCH/both-1.json")" ] &&
        [ "$(uuid "$SCRATCH/both-1.json")" != "$(uuid "$SCRATCH/both-2.json")" ]; then
        pass 'two GPUs: two checks at once use one each'
    else
        fail 'two GPUs: two checks at once use one each' \
            "$(uuid "$SCRATCH/both-1.json") $(uuid "$SCRATCH/both-2.json")"
    fi
fi
finish
