# shellcheck shell=sh disable=SC2154 # here and root are the caller's
# compilers.sh: what run_programs.sh, run_samples.sh and run_style.sh need to know of compilers;
# sourced, never run.
#
# BY is the one that builds a program: nvcc (default) or clang, which is gpugrade-clang with the
# newest clang++. Programs that clang builds are held to the same, but for those in
# clang_differences.txt; `here` is the folder of both, `root` the repository.
BY=${BY:-nvcc}
built=${GPUGRADE_BUILD:-$root/build}
clang=''
for version in 24 23 22 21 20 19 18 17 16 15 14; do
    [ -n "$clang" ] || clang=$(command -v "clang++-$version")
done
clang=${clang:-$(command -v clang++)}

# has_compiler WHAT: ends the suite, with a line that WHAT was skipped, where there is none.
has_compiler() {
    if [ "$BY" = nvcc ] && ! command -v nvcc >/dev/null; then
        echo "skipped $1 that nvcc builds: there is no CUDA toolkit here"
    elif [ "$BY" = clang ] && [ -z "$clang" ]; then
        echo "skipped $1 that clang builds: there is no clang++ here"
    else
        return
    fi
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
}

# compile ARGUMENTS...: as nvcc takes them.
compile() {
    if [ "$BY" = nvcc ]; then
        nvcc "$@"
    else
        "$built/bin/gpugrade-clang" -clang="$clang" -headers="$root/grader/cuda_headers" \
            -runtime="$built/lib/libcudart.so" "$@"
    fi
}

# Prints what decides what a compiler makes of a source.
identity() {
    if [ "$BY" = nvcc ]; then
        nvcc --version
    else
        "$clang" --version
        { cat "$built/bin/gpugrade-clang"; find "$root/grader/cuda_headers" -type f -exec cat {} +; } |
            sha256sum
    fi
}

# Prints why clang does not build program $1 as nvcc does; nothing if it does.
difference_of() {
    [ "$BY" = nvcc ] || awk -v name="$1" -v version="$("$clang" -dumpversion)" '{
        split($1, parts, "<")
        if (parts[1] == name && (parts[2] == "" || version + 0 < parts[2])) {
            sub(/^[^ ]+ /, "")
            print
        }
    }' "$here/clang_differences.txt"
}

# judged NAME: prints the lines of its input, which are about program NAME and start with "ok" or
# "FAIL". A failure that clang_differences.txt has a reason for is none; without one the reason is
# wrong.
judged() {
    lines=$(cat)
    reason=$(difference_of "$1")
    if [ -z "$reason" ]; then
        echo "$lines"
    elif [ "${lines#ok}" != "$lines" ]; then
        echo "FAIL $1: clang builds it well, too: take it out of clang_differences.txt"
    else
        echo "ok   $1 differs: $reason"
    fi
}
