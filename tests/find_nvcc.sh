# shellcheck shell=sh
# find_nvcc.sh: puts nvcc on PATH; sourced, never run.
#
# Suites call nvcc by its name; gpugrade finds a toolkit that is not on PATH.
for folder in "${CUDA_HOME:-}" /usr/local/cuda; do
    if ! command -v nvcc >/dev/null 2>&1 && [ -x "$folder/bin/nvcc" ]; then
        PATH=$PATH:$folder/bin
        export PATH
    fi
done
