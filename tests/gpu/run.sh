#!/bin/sh
# run.sh [--record FOLDER] [PART...]: compares the GPU of this machine with the tables of this folder,
# which the emulated device is held to wherever the tests run. Needs a GPU and nvcc.
#
#   programs   each program of tests/emulated/pass, built by plain nvcc with -fmad=false, prints what
#              results.txt holds: the results agree bit for bit
#   launches   launches.txt, by the driver alone (launch_on_gpu): the hashes of counters.txt
#   occupancy  the runtime's blocks a multiprocessor: occupancy.txt, if it was taken on such a GPU
#   counters   under ncu: requests, sectors and wavefronts of counters.txt; skipped where ncu may not
#              read them
#   traffic    under ncu: the timed launch of three solutions, as ptxas makes it, moves the global
#              sectors that the emulated device counts; of shared memory both counts are shown
#   backend    backend_on_gpu of the build folder (GPUGRADE_BUILD): the cuda backend of the device
#              process does what the emulated one does; skipped where it is not built
#   vendor     what compute-sanitizer says of the same programs; only on demand, for results.md
#   mutants    what its racecheck says of the mutants of tests/emulated/mutants; likewise
#
# and what grades on the GPU, each a script of that name in this folder, which says more, and for which
# GPUGRADE is the grader: fixtures, spread (with the host idle, then loaded), marks, cost, ten, sanitizer,
# runs, several. A part takes no words of its own: half of spread is `sh spread.sh loaded`.
#
# Without PART: what is affordable: programs, launches, occupancy, counters, backend, runs, ten, marks,
# several. --record writes what was seen as new tables into FOLDER.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
here=$REPO/tests/gpu
gpu_options "$@"
record=$RECORD
[ -z "$record" ] || shift 2
[ $# -gt 0 ] || set -- programs launches occupancy counters backend runs ten marks several

# Builds one program and prints what it prints, each line after its name; used through xargs.
if [ "$1" = --one ]; then
    name=$(basename "$2" .cu)
    if nvcc -arch=native -fmad=false -lineinfo -o "$3/$name" "$2" >"$3/$name.log" 2>&1; then
        timeout 60 "$3/$name" >"$3/$name.out" 2>&1 || echo "status $?" >>"$3/$name.out"
    else
        head -n 3 "$3/$name.log" >"$3/$name.out"
    fi
    exit 0
fi

# compare NAME EXPECTED SEEN: compares two tables.
compare() {
    grep -v '^#' "$2" >"$SCRATCH/expected"
    if cmp -s "$SCRATCH/expected" "$3"; then
        pass "$1: $(wc -l <"$3") lines"
    else
        diff "$SCRATCH/expected" "$3" >"$SCRATCH/difference"
        fail "$1: $(grep -c '^>' "$SCRATCH/difference") lines differ" "$SCRATCH/difference"
    fi
}

# same NAME TABLE SEEN: compares with a table of this folder, and records it anew if that is asked.
same() {
    compare "$@"
    if [ -n "$record" ]; then
        { grep '^#' "$2"; cat "$3"; } >"$record/$(basename "$2")"
    fi
}

programs() {
    mkdir -p "$SCRATCH/programs"
    find "$REPO/tests/emulated/pass" -name '*.cu' | sort |
        xargs -P "$JOBS" -I '{}' sh "$here/run.sh" --one '{}' "$SCRATCH/programs"
    cat "$SCRATCH"/programs/*.out >"$SCRATCH/results.seen"
    same programs "$here/results.txt" "$SCRATCH/results.seen"
}

build_launches() {
    include=$(dirname "$(command -v nvcc)")/../include
    nvcc -ptx -arch=compute_75 -fmad=false -lineinfo -o "$SCRATCH/pattern.ptx" \
        "$here/pattern_kernels.cu" &&
        cc -std=gnu11 -O2 -I "$here" -I "$REPO/grader" -I "$include" -o "$SCRATCH/launch_on_gpu" \
            "$here/launch_on_gpu.c" "$here/launch_list.c" -ldl
}

launches() {
    if ! build_launches >"$SCRATCH/log" 2>&1; then
        fail 'launches: the runner builds' "$SCRATCH/log"
        return
    fi
    grep -v '^#' "$here/counters.txt" | cut -d ' ' -f 1,2 >"$SCRATCH/hashes"
    for level in 0 4; do
        "$SCRATCH/launch_on_gpu" "$SCRATCH/pattern.ptx" "$here/launches.txt" "$level" \
            >"$SCRATCH/hashes.seen" 2>"$SCRATCH/log" || cat "$SCRATCH/log"
        compare "launches at level $level" "$SCRATCH/hashes" "$SCRATCH/hashes.seen"
    done
}

occupancy() {
    if ! nvcc -O2 -arch=native -o "$SCRATCH/occupancy" "$here/occupancy_on_gpu.cu" \
        >"$SCRATCH/log" 2>&1; then
        fail 'occupancy: the program builds' "$SCRATCH/log"
        return
    fi
    "$SCRATCH/occupancy" >"$SCRATCH/occupancy.seen" 2>"$SCRATCH/log" || cat "$SCRATCH/log"
    gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
    if [ -z "$record" ] && ! grep -q "^# GPU: $gpu\$" "$here/occupancy.txt"; then
        skip occupancy "the table is of another GPU than $gpu"
        return
    fi
    same occupancy "$here/occupancy.txt" "$SCRATCH/occupancy.seen"
}

# The metrics of counters.txt in the order of its columns.
METRICS='l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
smsp__inst_executed_op_shared_ld.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
smsp__inst_executed_op_shared_st.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum'

# Reads ncu's raw page: a header, a row of units, a row for each kernel; prints the metrics.
raw_page() {
    awk -v names="$(echo "$METRICS" | tr '\n' ' ')" '
        /^"ID"/ {
            count = split(names, wanted, " ")
            sub(/^"/, ""); sub(/"$/, "")
            columns = split($0, header, /","/)
            for (i = 1; i <= columns; i++) { place[header[i]] = i }
            next
        }
        /^"[0-9]+"/ {
            sub(/^"/, ""); sub(/"$/, "")
            split($0, cell, /","/)
            line = ""
            for (i = 1; i <= count; i++) {
                value = cell[place[wanted[i]]]
                gsub(/,/, "", value)
                line = line " " value
            }
            print line
        }'
}

counters() {
    if ! command -v ncu >/dev/null 2>&1; then
        skip counters 'there is no ncu'
        return
    fi
    build_launches >"$SCRATCH/log" 2>&1 || return
    ncu --csv --page raw --print-units base --clock-control none \
        --metrics "$(echo "$METRICS" | paste -s -d , -)" \
        "$SCRATCH/launch_on_gpu" "$SCRATCH/pattern.ptx" "$here/launches.txt" 0 \
        >"$SCRATCH/ncu.csv" 2>"$SCRATCH/log"
    if [ -n "$record" ]; then
        cp "$SCRATCH/ncu.csv" "$record/ncu.csv"
    fi
    raw_page <"$SCRATCH/ncu.csv" >"$SCRATCH/numbers"
    if [ ! -s "$SCRATCH/numbers" ]; then
        skip counters "ncu cannot read them: $(grep -hE 'ERR|rror' "$SCRATCH/ncu.csv" \
            "$SCRATCH/log" | head -n 1)"
        return
    fi
    "$SCRATCH/launch_on_gpu" "$SCRATCH/pattern.ptx" "$here/launches.txt" 0 2>/dev/null |
        paste -d '' - "$SCRATCH/numbers" >"$SCRATCH/counters.seen"
    same counters "$here/counters.txt" "$SCRATCH/counters.seen"
}

backend() {
    runner=${GPUGRADE_BUILD:-$REPO/build}/tests/gpu/backend_on_gpu
    if [ ! -x "$runner" ]; then
        skip backend 'backend_on_gpu is not built'
        return
    fi
    arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
    if ! {
        nvcc -ptx -arch=compute_75 -fmad=false -lineinfo -o "$SCRATCH/backend.ptx" \
            "$here/backend_kernels.cu" &&
            nvcc -cubin -arch="sm_$arch" -o "$SCRATCH/backend.cubin" "$SCRATCH/backend.ptx" &&
            nvcc -ptx -arch=compute_75 -fmad=false -lineinfo -I "$REPO/student_template/matmul" \
                -o "$SCRATCH/matmul.ptx" "$REPO/reference/matmul/solution/exercise1_tiled.cu"
    } >"$SCRATCH/log" 2>&1; then
        fail 'backend: the kernels build' "$SCRATCH/log"
        return
    fi
    "$runner" "$SCRATCH/backend.ptx" "$SCRATCH/matmul.ptx" "$SCRATCH/backend.cubin" \
        >"$SCRATCH/backend.seen" 2>&1
    grep -E '^(ok|NOT OK)  ' "$SCRATCH/backend.seen" >"$SCRATCH/backend.lines"
    # each of its lines "ok NAME" and "NOT OK NAME" is a test of this suite
    while read -r line; do
        case $line in
        'ok      '*) pass "backend: ${line#ok      }" ;;
        'NOT OK  '*) fail "backend: ${line#NOT OK  }" "$SCRATCH/backend.seen" ;;
        esac
    done <"$SCRATCH/backend.lines"
    grep -q ' passed, ' "$SCRATCH/backend.seen" ||
        fail 'backend: ran to its end' "$SCRATCH/backend.seen"
}

# The timed shape on an H200; ROWS of C may be fewer: traffic is the same for each row of blocks.
ROWS=${ROWS:-2112}
COMMON=1024
COLUMNS=4096

# moved SOLUTION EDGE: counts of one launch by both, into SCRATCH/SOLUTION.emulated and .gpu.
moved() {
    folder=$SCRATCH/traffic-$1
    student "$3" "$folder"
    nvcc -ptx -arch=compute_75 -lineinfo -I "$REPO/student_template/matmul" -o "$folder/it.ptx" \
        "$folder/exercise1_tiled.cu" >"$SCRATCH/log" 2>&1 || return
    printf '%s _Z14matrixMulTiledPKfS0_Pfii %d,%d,1 %d,%d,1 0 in:f:%d in:f:%d out:4:%d int:%d int:%d\n' \
        "$1" $((COLUMNS / $2)) $((ROWS / $2)) "$2" "$2" $((ROWS * COMMON)) $((COMMON * COLUMNS)) \
        $((ROWS * COLUMNS)) "$COMMON" "$COLUMNS" >"$folder/list"
    "${GPUGRADE_BUILD:-$REPO/build}/tests/gpu/launch_on_emulator" "$folder/it.ptx" "$folder/list" \
        >"$folder/emulated" &
    ncu --csv --page raw --print-units base --clock-control none \
        --metrics "$(echo "$METRICS" | paste -s -d , -)" \
        "$SCRATCH/launch_on_gpu" "$folder/it.ptx" "$folder/list" 4 >"$folder/ncu.csv" 2>"$SCRATCH/log"
    raw_page <"$folder/ncu.csv" >"$folder/gpu"
}

traffic() {
    if ! command -v ncu >/dev/null 2>&1 ||
        [ ! -x "${GPUGRADE_BUILD:-$REPO/build}/tests/gpu/launch_on_emulator" ]; then
        skip traffic 'there is no ncu, or launch_on_emulator is not built'
        return
    fi
    build_launches >"$SCRATCH/log" 2>&1 || return
    table traffic "the launch that is timed, $ROWS x $COMMON by $COMMON x $COLUMNS, by ncu" \
        '| solution | counts | load requests | sectors | store requests | sectors | shared loads | wavefronts | shared stores | wavefronts |'
    moved reference 16 reference
    moved slower 16 right/padding
    moved conflicts 32 wrong/tiles_column_major
    wait
    for name in reference slower conflicts; do
        folder=$SCRATCH/traffic-$name
        if [ ! -s "$folder/gpu" ]; then
            skip "traffic: $name" "ncu cannot read: $(grep -hE 'ERR|rror' "$folder/ncu.csv" \
                "$SCRATCH/log" | head -n 1)"
            continue
        fi
        emulated=$(cut -d ' ' -f 3- "$folder/emulated")
        seen=$(sed 's/^ *//' "$folder/gpu")
        row "| $name | emulated | $(echo "$emulated" | sed 's/ / | /g') |"
        row "| $name | GPU | $(echo "$seen" | sed 's/ / | /g') |"
        if [ "$(echo "$emulated" | cut -d ' ' -f 1-4)" = "$(echo "$seen" | cut -d ' ' -f 1-4)" ]; then
            pass "traffic: $name moves the global sectors that are counted"
        else
            fail "traffic: $name moves the global sectors that are counted" "$emulated
$seen"
        fi
    done
}

# --sanitize FOLDER PROGRAM TOOL: a line "PROGRAM TOOL MILLISECONDS SUMMARY" of compute-sanitizer.
# PROGRAM is a source, or built already.
if [ "$1" = --sanitize ]; then
    name=$(basename "$(dirname "$3")")/$(basename "$3" .cu)
    built=$3
    if [ "${3%.cu}" != "$3" ]; then
        built=$2/$(echo "$name" | tr / -)
        nvcc -arch=native -fmad=false -lineinfo -o "$built" "$3" >/dev/null 2>&1 || exit 0
    fi
    start=$(date +%s%N)
    timeout 60 compute-sanitizer --tool "$4" "$built" >"$2/$(echo "$name" | tr / -).said" 2>&1
    end=$(date +%s%N)
    said=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$2/$(echo "$name" | tr / -).said" | tail -n 1 |
        sed 's/^=* *//')
    echo "$name $4 $(((end - start) / 1000000)) ms: ${said:-no summary}"
    exit 0
fi

vendor() {
    mkdir -p "$SCRATCH/vendor"
    {
        find "$REPO/tests/emulated/pass" -name '*.cu' | sed 's/$/ racecheck/'
        grep -lE 'error: .*R0[12]' "$REPO"/tests/emulated/fail/*.cu | sed 's/$/ racecheck/'
        grep -lE 'error: .*(B0|A0)' "$REPO"/tests/emulated/fail/*.cu | sed 's/$/ memcheck/'
        grep -lE 'error: .*D0[234]' "$REPO"/tests/emulated/fail/*.cu | sed 's/$/ synccheck/'
    } | xargs -P "$JOBS" -L 1 sh "$here/run.sh" --sanitize "$SCRATCH/vendor" |
        sort >"${record:-$SCRATCH}/vendor.txt"
    pass "vendor: $(wc -l <"${record:-$SCRATCH}/vendor.txt") programs"
}

# The same for the mutants of tests/emulated/mutants: what the vendor's racecheck says of each.
mutants() {
    mkdir -p "$SCRATCH/mutants"
    cc -std=gnu11 -D_GNU_SOURCE -O2 -o "$SCRATCH/barrier_mutant" \
        "$REPO/tests/emulated/mutants/barrier_mutant.c" || return
    flags=$(sed -n "s/^FLAGS='\(.*\)'/\1/p" "$REPO/tests/emulated/run_programs.sh")
    grep -v '^#' "$REPO/tests/emulated/mutants/mutants.txt" | cut -d ' ' -f 1 | sort -u |
        xargs -P "$JOBS" -I '{}' sh -c "nvcc $flags -o '$SCRATCH/{}' '$REPO/tests/emulated/pass/{}.cu'"
    grep -v '^#' "$REPO/tests/emulated/mutants/mutants.txt" |
        while read -r name line change verdict; do
            [ "$verdict" != deadlock ] || continue
            made=$SCRATCH/mutants/$name-$line-$change
            "$SCRATCH/barrier_mutant" "$change" "$line" "$SCRATCH/$name" "$made" || continue
            chmod +x "$made"
            echo "$made racecheck"
        done | xargs -P "$JOBS" -L 1 sh "$here/run.sh" --sanitize "$SCRATCH/mutants" |
        sort >"${record:-$SCRATCH}/mutants.txt"
    pass "mutants: $(wc -l <"${record:-$SCRATCH}/mutants.txt") programs"
}

# script COMMAND...: a part that is a script of its own; adds its totals up.
script() {
    "$@" >"$SCRATCH/part" 2>&1 </dev/null
    status=$?
    totals=$(tail -n 1 "$SCRATCH/part" |
        sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
    if [ -z "$totals" ]; then
        cat "$SCRATCH/part"
        fail "$part ends" "status $status"
        return
    fi
    sed '$d' "$SCRATCH/part"
    # shellcheck disable=SC2086 # three numbers
    set -- $totals
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
}

# What a whole check costs with a GPU; a benchmark of its own.
cost() {
    if sh "$REPO/tests/bench/check_gpu_cost.sh" >"$SCRATCH/cost.md" 2>&1; then
        pass 'cost: see the figures'
    else
        fail 'cost: the benchmark ends well' "$SCRATCH/cost.md"
    fi
    sed 's/^/        /' "$SCRATCH/cost.md"
    [ -z "$record" ] || cp "$SCRATCH/cost.md" "$record/"
}

gpu_demand 'tests on a GPU'
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
for part in "$@"; do
    started=$(date +%s)
    case $part in
    programs | launches | occupancy | counters | traffic | backend | vendor | mutants | cost)
        "$part"
        ;;
    fixtures | spread | marks | ten | sanitizer | runs | several)
        # shellcheck disable=SC2086 # two words or none
        script sh "$here/$part.sh" ${record:+--record} ${record:+"$record"}
        ;;
    *) fail "there is no part '$part'" ;;
    esac
    printf '        %s: %d s\n' "$part" $(($(date +%s) - started))
done
finish
