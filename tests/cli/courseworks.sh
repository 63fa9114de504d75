#!/bin/sh
# courseworks.sh: each coursework that gpugrade ships: recognised by its files, handed out, built with
# plain nvcc, and sound as far as `lint` goes without fixtures (those are tests/submissions/run.sh's).
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"

nvcc=no
if command -v nvcc >/dev/null 2>&1 || [ -x /usr/local/cuda/bin/nvcc ]; then
    nvcc=yes
fi
for rubric in "$REPO"/rubrics/*.json; do
    case $rubric in *.schema.json) continue ;; esac
    id=$(basename "$rubric" .json)
    folder=$SCRATCH/$id
    solution=$REPO/reference/$id/solution

    "$GPUGRADE" check "$solution" --device emulated --seed 1 --only compile >"$SCRATCH/out" 2>&1
    expect "$id: recognised by its files" grep -qF " — $id, rubric " "$SCRATCH/out"

    "$GPUGRADE" handout "$id" "$folder" >"$SCRATCH/out" 2>&1
    expect "$id: handed out" test -f "$folder/README.md" -a -f "$folder/Makefile" -a \
        -f "$folder/rubric.json"
    expect "$id: without the oracle" test ! -e "$folder/oracle.c"
    # The template is compiled by lint below.
    if [ "$nvcc" = yes ]; then
        cp -r "$solution"/. "$folder"
        (PATH=$PATH:/usr/local/cuda/bin make -C "$folder" build) >"$SCRATCH/out" 2>&1
        status=$?
        expect "$id: the solution builds with plain nvcc" test "$status" -eq 0
    else
        skip "$id: builds with plain nvcc" 'there is no nvcc'
    fi

    "$GPUGRADE" lint "$id" --depth solution >"$SCRATCH/out" 2>&1
    status=$?
    expect "$id: is sound" test "$status" -eq 0
    expect "$id: its solution has points" grep -qE '^ok    solution: [0-9.]+ of [0-9.]+ points' \
        "$SCRATCH/out"
done

# What may be missing, and what may not.
mkdir "$SCRATCH/part"
for rubric in "$REPO"/rubrics/*.json; do
    case $rubric in *.schema.json) continue ;; esac
    id=$(basename "$rubric" .json)
    optional=$(jq -r '.programs[] | select(.optional == true) | .sources[]' "$rubric")
    [ -n "$optional" ] || continue
    rm -rf "$SCRATCH/part" && cp -r "$REPO/reference/$id/solution" "$SCRATCH/part"
    for file in $optional; do
        rm "$SCRATCH/part/$file"
    done
    "$GPUGRADE" check "$SCRATCH/part" --device emulated --seed 1 --only compile >"$SCRATCH/out" 2>&1
    expect "$id: recognised without $optional" grep -qF " — $id, rubric " "$SCRATCH/out"
    rm -rf "$SCRATCH/part" && mkdir "$SCRATCH/part"
    for file in $optional; do
        cp "$REPO/reference/$id/solution/$file" "$SCRATCH/part"
    done
    "$GPUGRADE" check "$SCRATCH/part" --device emulated --seed 1 --only compile >"$SCRATCH/out" 2>&1
    expect "$id: recognised by $optional alone" grep -qF " — $id, rubric " "$SCRATCH/out"
done
finish
