#!/bin/sh
# floods.sh [NAME...]: floods each cap on the way from compiler, program and device to the score and
# prints a row for each flood: what was planted, what came out, what is counted as left out.
#
# The caps that a unit reaches alone are flooded by unit tests; their rows begin with "flood". Then
# programs are graded.
#
# - Floods of findings: exercise 1, right but for a race and a read of shared memory that nobody
#   wrote, which come after a flood in the same kernel. Both must be in the score, the criterion must
#   fail for an error, and where findings are left out, score, screen and page must say so.
# - Floods of anything else: exercise 1, right, with a flood beside it. Nothing may be an error of the
#   grader or the machine, the verdict on the result is the one of the table, and what the score
#   leaves out is counted. These rows say which bound the flood meets; none: so much is allowed.
#
# NAME is a flood of the lists below; default: the unit tests and all floods.
#
# GPUGRADE names the grader, GPUGRADE_BUILD the build folder.
# Ends with a line "N passed, N failed, N skipped"; status 0 if none failed.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
GPUGRADE=${GPUGRADE:-$root/gpugrade}
build=${GPUGRADE_BUILD:-$root/build}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
passed=0
failed=0

# lines COUNT TEXT: one statement in each of COUNT lines.
lines() {
    yes "    $2" | head -n "$1"
}

# flood NAME: the statements of a flood.
flood() {
    case $1 in
    none) ;;
    barriers) # warnings (D04)
        echo '    if (self < 32) { C[row * b_width + column] = sum; return; }'
        lines 4200 '__syncthreads();'
        ;;
    warp_races) # warnings (R02)
        lines 90 'if (self % 32 < 2) { pad[self / 32] = self; }'
        ;;
    shuffles) # warnings (D05)
        echo '    if (self % 32 < 16) {'
        lines 300 'seen += __shfl_sync(0xffffu, self, 20);'
        echo '    }'
        ;;
    races) # errors of another line (R01)
        lines 20 'pad[0] = self;'
        ;;
    *) return 1 ;;
    esac
}

# write_program NAME: the reference solution with a flood, a race and a bad read at its end.
write_program() {
    flood "$1" >"$work/flood" || return 1
    awk -v flood="$work/flood" '
        /C\[row/ {
            print "    __shared__ volatile int pad[64], never[64], secret[64];"
            print "    const int self = ty * BLOCK_SIZE + tx;\n    int seen = 0;\n    (void)pad;"
            while ((getline line <flood) > 0) {
                print line
            }
            print "    if (self == 255) {\n        secret[1] = seen + self;\n    }"
            print "    if (self == 200) {\n        seen += secret[1];  // PLANTED RACE"
            print "        seen += never[3];  // PLANTED READ\n        secret[2] = seen;\n    }"
        }
        { print }' "$root/reference/matmul/solution/exercise1_tiled.cu"
}

# planted CODE LINE: how many findings of a code there are at a line, 0 or 1.
planted() {
    jq --arg code "$1" --argjson line "$2" \
        '[.findings[] | select(.code == $code and any(.places[]; .line == $line))] | length | [., 1] | min' \
        "$work/score.json" 2>/dev/null || echo 0
}

# check_flood NAME: grades a program and prints its row.
check_flood() {
    mkdir -p "$work/$1" || exit 3
    cp "$root"/reference/matmul/solution/*.cu "$work/$1/"
    source=$work/$1/exercise1_tiled.cu
    if ! write_program "$1" >"$source"; then
        echo "floods.sh: no flood $1" >&2
        exit 2
    fi
    rm -f "$work/score.json" "$work/page.html"
    "$GPUGRADE" check "$work/$1" --rubric "$work/rubric.json" --device emulated --seed 0x5eed1234 \
        --json "$work/score.json" --html "$work/page.html" --color never >"$work/screen" 2>&1
    race=$(planted shared_race "$(grep -n 'PLANTED RACE' "$source" | cut -d : -f 1)")
    unwritten=$(planted uninitialised_shared "$(grep -n 'PLANTED READ' "$source" | cut -d : -f 1)")
    verdict=$(jq -r '.criteria[] | select(.id == "race-free.tiled")
        | "\(.status) \(.cause.code // "")"' "$work/score.json" 2>/dev/null)
    listed=$(jq '.findings | length' "$work/score.json" 2>/dev/null)
    errors=$(jq '.findings_dropped.errors // 0' "$work/score.json" 2>/dev/null)
    warnings=$(jq '.findings_dropped.warnings // 0' "$work/score.json" 2>/dev/null)
    word=ok
    [ "$race$unwritten" = 11 ] || word=FAIL
    [ "$verdict" = 'failed shared_race' ] || word=FAIL
    said=0
    for file in screen page.html; do
        ! grep -q 'first places of each kind are listed' "$work/$file" || said=$((said + 1))
    done
    expected=2
    [ "${errors:-0}${warnings:-0}" != 00 ] || expected=0
    [ "$said" = "$expected" ] || word=FAIL
    [ "$1" = none ] || [ "$expected" = 2 ] || word=FAIL
    [ "$word" = ok ] && passed=$((passed + 1)) || failed=$((failed + 1))
    printf '%-4s %-12s planted 2, found %d, listed %4s, left out %s errors, %s warnings, race-free %s\n' \
        "$word" "$1" "$((race + unwritten))" "${listed:-?}" "${errors:-?}" "${warnings:-?}" \
        "${verdict:-no score}"
}

# beside NAME: where the flood stands (top: above the kernel, host: in front of the launch, kernel: in
# the kernel), the verdict on the result, the bound, and behind "|" the flood.
beside() {
    case $1 in
    calls) # ERRORS_MAX of server_log
        echo 'host passed 128_calls|for (int i = 1; i < 500; i++) { float x; cudaMemcpy(&x, d_A, (1ull << 40) + i, cudaMemcpyDeviceToHost); cudaGetLastError(); }'
        ;;
    streams)
        echo 'host passed none|for (int i = 0; i < 5000; i++) { cudaStream_t s; cudaEvent_t e; cudaStreamCreate(&s); cudaEventCreate(&e); cudaEventRecord(e, s); }'
        ;;
    launches) # launches of a call
        echo 'host failed:too_many_launches launches|for (int i = 0; i < 5000; i++) { other<<<1, 1>>>(); }'
        ;;
    judged_launches) # each is held; which bound it meets first may depend on the machine
        echo 'host failed work_or_time|for (int i = 0; i < 300; i++) { matrixMulTiled<<<blocks, threads>>>(d_A, d_B, d_C, shape.a_width, shape.b_width); }'
        ;;
    late_launches) # what a socket holds; LATE_EVENTS_MAX is more (session_test_hostile_device)
        echo 'host failed socket|{ struct { unsigned type, status; unsigned long long rest[11]; } w = {}; w.type = 16; w.rest[1] = 1; for (int i = 0; i < 100000 && send(3, &w, sizeof w, 0x4040) > 0; i++) { } _exit(0); }'
        ;;
    kernel_print) # what is printed in a judged call stays in the device's buffer
        echo 'kernel failed:launch_deadline launch_seconds|for (int i = 0; i < 1000; i++) { printf("line %d of %d,", i, tx); }'
        ;;
    print)
        echo 'host failed:too_much_output program_output_kb|for (int i = 0; i < 99999; i++) { printf("line %d,", i); }'
        ;;
    threads) # program_processes is below TASK_TIMES_MAX and KIN_MAX
        echo 'host failed:* program_processes|for (int i = 0; i < 300; i++) { pthread_t t; if (pthread_create(&t, 0, wait_on, 0) != 0) { abort(); } }'
        ;;
    growing_name) # plain_name
        echo 'top passed REFERENCES_MAX|extern "C" __global__ void _Z1fSt4pairI1aS0_E'"$(
            for digit in 1 2 3 4 5 6 7 8 9 A B C D E F G H I J K L M N O P Q R S T; do
                printf 'S_IS%s_S%s_E' $digit $digit
            done
        )"'() {}'
        ;;
    long_name) # CLIENT_NAME_BYTES
        echo 'top passed 4096_bytes|extern "C" __global__ void k'"$(yes k | head -n 5000 | tr -d '\n')"'() {}'
        ;;
    kernels) # KERNELS_MAX, or what ptxas may print
        echo 'top failed:compile_error 4096_kernels|'"$(
            i=0
            while [ $i -lt 4100 ]; do
                i=$((i + 1))
                printf '__global__ void k%d() {} ' $i
            done
        )"
        ;;
    *) return 1 ;;
    esac
}

# check_beside NAME: grades a right program with a flood beside it and prints its row.
check_beside() {
    mkdir -p "$work/$1" || exit 3
    cp "$root"/reference/matmul/solution/*.cu "$work/$1/"
    beside "$1" >"$work/beside"
    # shellcheck disable=SC2046 # words
    set -- "$1" $(cut -d '|' -f 1 "$work/beside")
    cut -d '|' -f 2- "$work/beside" >"$work/flood"
    awk -v flood="$work/flood" -v at="$2" '
        function insert(line) { while ((getline line <flood) > 0) { print line } }
        BEGIN {
            print "#include <pthread.h>\n#include <stdlib.h>\n#include <sys/socket.h>\n#include <unistd.h>"
        }
        at == "kernel" && /C\[row/ { insert() }
        /__global__/ && !seen++ {
            print "static __attribute__((unused)) void *wait_on(void *) { return pause(), (void *)0; }"
            print "__global__ void other() {}"
            if (at == "top") { insert() }
        }
        at == "host" && /^ *matrixMulTiled<<</ { insert() }
        { print }' "$root/reference/matmul/solution/exercise1_tiled.cu" >"$work/$1/exercise1_tiled.cu"
    rm -f "$work/score.json"
    "$GPUGRADE" check "$work/$1" --rubric "$work/rubric.json" --device emulated --seed 0x5eed1234 \
        --json "$work/score.json" --color never >"$work/screen" 2>&1
    verdict=$(jq -r '.criteria[] | select(.id == "correct.tiled")
        | .status + (if .cause then ":" + .cause.code else "" end)' "$work/score.json" 2>/dev/null)
    machine=$(jq '[.criteria[] | select(.status == "error")] | length' "$work/score.json" 2>/dev/null)
    left_out=$(jq '[.findings_dropped.errors // 0, .findings_dropped.warnings // 0,
        (.remarks[].message | select(test("not listed"))
            | (capture("^(?<n>[0-9]+)") | .n | tonumber) // 1)] | add' \
        "$work/score.json" 2>/dev/null)
    word=ok
    # shellcheck disable=SC2254 # the expected verdict is a pattern
    case $verdict in
    $3 | "$3":*) ;;
    *) word=FAIL ;;
    esac
    [ "$machine" = 0 ] || word=FAIL
    [ "$1" != calls ] || [ "${left_out:-0}" != 0 ] || word=FAIL
    [ "$word" = ok ] && passed=$((passed + 1)) || failed=$((failed + 1))
    printf '%-4s %-15s bound %-17s verdict %-28s left out %s, errors of the machine %s\n' \
        "$word" "$1" "$4" "${verdict:-no score}" "${left_out:-?}" "${machine:-?}"
}

# unit_floods TEST: the rows of a unit test.
unit_floods() {
    if "$build/tests/unit/$1" >"$work/rows" 2>"$work/errors"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n' "$1"
        cat "$work/errors"
    fi
    grep '^flood' "$work/rows"
}

jq --arg program tiled -f "$here/rubric.jq" "$root/rubrics/matmul.json" >"$work/rubric.json" || exit 3
if [ $# -eq 0 ]; then
    unit_floods device_test_finding_floods
    unit_floods toolchain_test_nvcc_messages
    unit_floods toolchain_test_build
    unit_floods session_test_hostile_device
    unit_floods device_test_server_floods
    unit_floods report_test_score_read
    unit_floods sandbox_test_program_clock
    set -- none barriers warp_races shuffles races calls streams launches \
        judged_launches late_launches kernel_print print threads growing_name long_name kernels
fi
for name in "$@"; do
    if beside "$name" >"$work/beside"; then
        check_beside "$name"
    else
        check_flood "$name"
    fi
done
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
