#!/bin/sh
# caps.sh [all] [SEEDS]: programs that hold one quantity to a constant, graded with several seeds.
#
# Each row takes the reference solution and caps a quantity in it: steps, the grid in one direction, an
# index, a row. A cap at every 2^k and 3 * 2^k below the largest value that is drawn must show with
# every seed. Prints a row for each coursework, quantity and cap: with how many seeds it passed. By
# default the two largest caps of each quantity and 2 seeds; `all`: every cap and 32 seeds, which takes
# hours. tests/unit/rubric/test_size_caps.c tries all of them on what is drawn, in a moment.
# GPUGRADE names the grader. Status 0 if nothing passed.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
GPUGRADE=${GPUGRADE:-$root/gpugrade}
all=no
if [ "${1:-}" = all ]; then
    all=yes
    shift
fi
seeds=${1:-$([ $all = yes ] && echo 32 || echo 2)}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# coursework | file | criterion | quantity | largest value that every seed reaches | what sed does, CAP
# stands for the constant. Shapes for blocks as large as those of the reference solution.
rows='
matmul|exercise1_tiled.cu|correct.tiled|steps|516|s/first < a_width;/first < min(a_width, CAP * BLOCK_SIZE);/
matmul|exercise1_tiled.cu|correct.tiled|blocks in x|2056|s/dim3 blocks(shape.b_width . BLOCK_SIZE,/dim3 blocks(min(CAP, shape.b_width \/ BLOCK_SIZE),/
matmul|exercise1_tiled.cu|correct.tiled|blocks in y|2056|s/, shape.a_height . BLOCK_SIZE)/, min(CAP, shape.a_height \/ BLOCK_SIZE))/
matmul|exercise1_tiled.cu|correct.tiled|row|32896|s/const int row = blockIdx.y . BLOCK_SIZE + ty;/const int row = (blockIdx.y * BLOCK_SIZE + ty) % CAP;/
matmul|exercise1_tiled.cu|correct.tiled|column|32896|s/const int column = blockIdx.x . BLOCK_SIZE + tx;/const int column = (blockIdx.x * BLOCK_SIZE + tx) % CAP;/
matmul|exercise1_tiled.cu|race-free.tiled|barriers in x|130|27,29s/__syncthreads();/if (blockIdx.x < CAP) __syncthreads();/
matmul|exercise1_tiled.cu|race-free.tiled|barriers in y|130|27,29s/__syncthreads();/if (blockIdx.y < CAP) __syncthreads();/
matmul|exercise1_tiled.cu|correct.tiled|index of C|526336|s/C\[row \* b_width + column\]/C[(row * b_width + column) % CAP]/
matmul|exercise1_tiled.cu|correct.tiled|index of A|526336|s/A\[row \* a_width + first + tx\]/A[(row * a_width + first + tx) % CAP]/
matmul|exercise1_tiled.cu|correct.tiled|index of B|526336|s/B\[(first + ty) \* b_width + column\]/B[((first + ty) * b_width + column) % CAP]/
matmul_square|tiled.cu|correct|steps|17|s/phase < Width . TILE_WIDTH;/phase < min(CAP, Width \/ TILE_WIDTH);/
matmul_square|tiled.cu|correct|index of P|73984|s/d_P\[row \* Width + column\]/d_P[(row * Width + column) % CAP]/
adjacent_difference|exercise1_static.cu|correct.static|blocks|4097|s/<<<blocks,/<<<min(CAP, blocks),/
adjacent_difference|exercise1_static.cu|correct.static|index|1048577|s/result\[i\]/result[i % CAP]/
adjacent_difference|exercise2_dynamic.cu|correct.dynamic|index|1048577|s/result\[i\]/result[i % CAP]/
transpose|exercise1_naive.cu|correct.copy-naive|blocks in x|2049|s/dim3((shape.width + TILE_DIM - 1) . TILE_DIM,/dim3(min(CAP, (shape.width + TILE_DIM - 1) \/ TILE_DIM),/
transpose|exercise1_naive.cu|correct.copy-naive|blocks in y|2049|s/, (shape.height + TILE_DIM - 1) . TILE_DIM)/, min(CAP, (shape.height + TILE_DIM - 1) \/ TILE_DIM))/
transpose|exercise2_shared.cu|correct.transpose-shared|index of Y|135168|s/Y\[y_row \* height + y_column\]/Y[(y_row * height + y_column) % CAP]/
matmul_lab|exercise1.cu|correct.tiled|steps|1040|s/sub < NUM_SUBS;/sub < (NUM_SUBS < CAP ? NUM_SUBS : CAP);/
matmul_lab|exercise1.cu|correct.tiled|literal for the edge of rows|33|47,60s/y = blockIdx.y \* BLOCK_SIZE/y = blockIdx.y * CAP/
matmul_lab|exercise1.cu|correct.tiled|literal for the edge of columns|33|47,60s/x = blockIdx.x \* BLOCK_SIZE/x = blockIdx.x * CAP/
'

# The caps below $1, smallest first; of literals for an edge ($2) the edges that there are.
caps_below() {
    case $2 in
    literal*) printf '8\n16\n32\n' ;;
    *)
        cap=1
        while [ "$cap" -lt "$1" ]; do
            echo "$cap"
            [ $((cap * 3)) -ge "$1" ] || echo $((cap * 3))
            cap=$((cap * 2))
        done | sort -n | if [ $all = yes ]; then cat; else tail -n 2; fi
        ;;
    esac
}

# True if the criterion $2 of the coursework $1 passes with the seed $3.
passes() {
    "$GPUGRADE" check "$scratch/student" --coursework "$1" --device emulated --only "$2" --seed "$3" \
        --json "$scratch/score.json" >"$scratch/screen" 2>&1
    status=$(jq -r --arg id "$2" '.criteria[] | select(.id == $id) | .status' "$scratch/score.json")
    case $status in
    passed) return 0 ;;
    failed) return 1 ;;
    esac
    echo "caps.sh: $1, $2: $status" >&2
    tail -n 5 "$scratch/screen" >&2
    exit 3
}

found=0
printf '%s' "$rows" | sed '/^$/d' >"$scratch/rows"
while IFS='|' read -r coursework file criterion quantity largest change; do
    for cap in $(caps_below "$largest" "$quantity"); do
        rm -rf "$scratch/student"
        cp -r "$root/reference/$coursework/solution" "$scratch/student"
        sed -i "$(echo "$change" | sed "s/CAP/$cap/g")" "$scratch/student/$file"
        if cmp -s "$scratch/student/$file" "$root/reference/$coursework/solution/$file"; then
            echo "caps.sh: $coursework/$file has changed: no $quantity is capped" >&2
            exit 3
        fi
        passed=0
        seed=1
        while [ "$seed" -le "$seeds" ]; do
            if passes "$coursework" "$criterion" "$(printf '%x' "$seed")" </dev/null; then
                passed=$((passed + 1))
            fi
            rm -f "$scratch/score.json"
            seed=$((seed + 1))
        done
        printf '%-20s %-30s %7s  %s of %s passed\n' "$coursework" "$quantity" "$cap" "$passed" "$seeds"
        found=$((found + passed))
    done
done <"$scratch/rows"
echo "$found passed"
[ "$found" -eq 0 ]
