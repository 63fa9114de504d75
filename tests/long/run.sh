#!/bin/sh
# long/run.sh: what takes longer than ten minutes; tests/run --long calls it. Each part adds a dated
# line to results.md.
#
#   fuzz       every fuzz target under sanitizers for FUZZ_SECONDS (600), from its corpus
#   install    both README commands in fresh root file systems of Debian and Ubuntu (needs root and
#              debootstrap)
#   package    the Debian package, installed and purged in a fresh root file system (needs the same)
#   mutants    mechanical mutants of the reference solution
#   hostile    all hostile programs under the limits of the shipped rubric, 240 texts that sound like
#              a failing machine, and graders that are killed
#              at fifty random moments
#   image      the container images with clang and with nvcc, built without a registry and grading
#              (needs root)
#   bundle     the bundle for Gradescope and the action for GitHub, set up and run in fresh root file
#              systems
#   sanitize   unit tests and fuzz corpora with gcc's address and undefined sanitizers; .ci/run has clang's
#   arm64      an emulated arm64 machine: unit tests, doctor, a check in each tier
#   analysis   clang-tidy, which follows the paths through functions further than in .ci/run
#
# Arguments choose parts; without any, all run.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
cd "$REPO" || exit 1
results=$REPO/tests/long/results.md
seconds=${FUZZ_SECONDS:-600}

note() {
    printf '| %s | %s | %s |\n' "$(date -u +%Y-%m-%d)" "$1" "$2" >>"$results"
}

fuzz_one() {
    target=$1
    corpus=$SCRATCH/corpus-$target
    mkdir -p "$corpus" "$SCRATCH/crashes"
    # New inputs go to the scratch folder; the corpus in the tree stays small and is kept by hand.
    if "build-fuzz/tests/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$SCRATCH/crashes/$target-" \
        "$corpus" "tests/fuzz/corpus/$target" >"$SCRATCH/$target.log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$SCRATCH/$target.log")
        pass "$target: $runs runs in $seconds s"
        note "fuzz $target" "$runs runs in $seconds s, no crash"
    else
        mkdir -p build-fuzz/crashes
        cp "$SCRATCH/crashes/$target-"* build-fuzz/crashes/ 2>/dev/null
        tail -n 40 "$SCRATCH/$target.log" >"$SCRATCH/tail"
        fail "$target: inputs that crash are in build-fuzz/crashes" "$SCRATCH/tail"
        note "fuzz $target" "crashed"
    fi
}

fuzz() {
    if ! command -v clang >/dev/null 2>&1; then
        skip fuzz 'clang is not installed'
        return
    fi
    if ! { cmake --preset fuzz -G Ninja && cmake --build --preset fuzz --parallel 2; } \
        >"$SCRATCH/build.log" 2>&1; then
        tail -n 40 "$SCRATCH/build.log" >"$SCRATCH/tail"
        fail 'the fuzz targets build' "$SCRATCH/tail"
        return
    fi
    for program in build-fuzz/tests/fuzz/fuzz_*; do
        if [ -f "$program" ] && [ -x "$program" ]; then
            fuzz_one "$(basename "$program")"
        fi
    done
}

# in_fresh_root NAME PATTERN OPTION...: fresh_root.sh passes; the lines that match say what was seen.
in_fresh_root() {
    name=$1
    pattern=$2
    shift 2
    if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
        skip "$name" 'needs root and debootstrap'
    elif sh tests/install/fresh_root.sh --cache "$SCRATCH/fresh" "$@" >"$SCRATCH/fresh.log" 2>&1; then
        seen=$(grep -E "$pattern" "$SCRATCH/fresh.log" | paste -sd ';' | sed 's/;/; /g')
        pass "$name: $seen"
        note "$name" "${seen:-no line}"
    else
        tail -n 60 "$SCRATCH/fresh.log" >"$SCRATCH/tail"
        fail "$name" "$SCRATCH/tail"
        note "$name" failed
    fi
}

install() {
    what='^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$|^\(status'
    in_fresh_root 'both README commands in Debian 12 without CUDA' "$what"
    in_fresh_root 'both README commands in Ubuntu 24.04 without CUDA' "$what" --suite noble
    in_fresh_root 'both README commands in Ubuntu 22.04 without CUDA' "$what" --suite jammy
    in_fresh_root 'both README commands in Debian 12 by chroot, as root and as a user' "$what" --cuda --chroot --user
}

package() {
    build=${GPUGRADE_BUILD:-$REPO/build}
    # The launcher builds only what a check needs.
    if ! { cmake -S . -B "$build" && cmake --build "$build" --parallel 2; } >"$SCRATCH/build.log" 2>&1; then
        tail -n 40 "$SCRATCH/build.log" >"$SCRATCH/tail"
        fail 'the Debian package: the build' "$SCRATCH/tail"
        return
    fi
    if sh tests/install/package.sh >"$SCRATCH/package.log" 2>&1; then
        line=$(grep -E '^[0-9]+ passed' "$SCRATCH/package.log" | tail -n 1)
        case $line in
        0\ passed*) skip 'the Debian package' "$(sed -n 's/^skipped [^:]*: //p' "$SCRATCH/package.log")" ;;
        *) pass "the Debian package: $line" && note 'the Debian package in a fresh Debian 12' "$line" ;;
        esac
    else
        grep -v '^ok' "$SCRATCH/package.log" | tail -n 60 >"$SCRATCH/tail"
        fail 'the Debian package' "$SCRATCH/tail"
        note 'the Debian package in a fresh Debian 12' failed
    fi
}

mutants() {
    if [ ! -f tests/mutants/mutants.py ]; then
        skip mutants 'there are none'
        return
    fi
    if python3 tests/mutants/mutants.py grade >"$SCRATCH/mutants.log" 2>&1; then
        pass "mutants: $(tail -n 1 "$SCRATCH/mutants.log")"
        note mutants "$(tail -n 1 "$SCRATCH/mutants.log")"
    else
        tail -n 60 "$SCRATCH/mutants.log" >"$SCRATCH/tail"
        fail mutants "$SCRATCH/tail"
        note mutants "failed: $(tail -n 1 "$SCRATCH/mutants.log")"
    fi
}

# hostile_one NAME COMMAND...: a suite of tests/hostile.
hostile_one() {
    name=$1
    shift
    if "$@" >"$SCRATCH/hostile.log" 2>&1; then
        pass "$name: $(tail -n 1 "$SCRATCH/hostile.log")"
    else
        grep -v '^ok' "$SCRATCH/hostile.log" | tail -n 40 >"$SCRATCH/tail"
        fail "$name" "$SCRATCH/tail"
    fi
    note "$name" "$(tail -n 1 "$SCRATCH/hostile.log")"
}

hostile() {
    hostile_one 'hostile programs, real limits, tiers A and B' sh tests/hostile/run.sh --real
    hostile_one '240 texts that sound like a machine' sh tests/hostile/texts.sh 240
    hostile_one 'graders killed at fifty moments' sh tests/hostile/killed.sh 50
}

# image_by COMPILER OPTION...
image_by() {
    by=$1
    shift
    if sh tests/long/image.sh "$@" >"$SCRATCH/image.log" 2>&1; then
        if grep -q '^skipped the image:' "$SCRATCH/image.log"; then
            skip "the image with $by" "$(sed -n 's/^skipped the image: //p' "$SCRATCH/image.log")"
            return
        fi
        pass "the image with $by: $(tail -n 1 "$SCRATCH/image.log")"
        note "the container image with $by" \
            "$(grep -E '^the image: ' "$SCRATCH/image.log"); $(tail -n 1 "$SCRATCH/image.log")"
    else
        grep -v '^ok' "$SCRATCH/image.log" | tail -n 60 >"$SCRATCH/tail"
        fail "the image with $by" "$SCRATCH/tail"
        note "the container image with $by" "failed: $(tail -n 1 "$SCRATCH/image.log")"
    fi
}

image() {
    image_by clang
    image_by nvcc --cuda
}

bundle() {
    in_fresh_root 'the bundle for Gradescope, set up in Debian 12' '^right ' \
        'sh tests/platform/lib/gradescope_fresh.sh'
    in_fresh_root "a push on a hosted runner's Ubuntu 24.04" '^(nothing )?kept|are kept$' --chroot --suite noble \
        'sh tests/platform/lib/hosted_runner.sh'
}

sanitize() {
    if ! { cmake --preset sanitize -G Ninja && cmake --build --preset sanitize --parallel 2; } \
        >"$SCRATCH/build.log" 2>&1; then
        tail -n 40 "$SCRATCH/build.log" >"$SCRATCH/tail"
        fail "gcc's sanitizers: the build" "$SCRATCH/tail"
        note "gcc's address and undefined sanitizers" 'do not build'
        return
    fi
    if ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 \
        sh tests/ctest_totals.sh build-sanitize >"$SCRATCH/sanitize.log" 2>&1; then
        pass "gcc's sanitizers: $(tail -n 1 "$SCRATCH/sanitize.log")"
    else
        tail -n 60 "$SCRATCH/sanitize.log" >"$SCRATCH/tail"
        fail "gcc's sanitizers" "$SCRATCH/tail"
    fi
    note "gcc's address and undefined sanitizers" "$(tail -n 1 "$SCRATCH/sanitize.log")"
}

arm64() {
    if sh tests/arm64/run.sh >"$SCRATCH/arm64.log" 2>&1; then
        line=$(tail -n 1 "$SCRATCH/arm64.log")
        case $line in
        0\ passed*) skip arm64 "$(sed -n 's/^skipped [^:]*: //p' "$SCRATCH/arm64.log")" ;;
        *) pass "arm64: $line" && note 'an emulated arm64 machine' "$line" ;;
        esac
    else
        grep -E '^(NOT OK|  *\|)|Failed|^ERROR|passed' "$SCRATCH/arm64.log" | tail -n 60 >"$SCRATCH/tail"
        fail arm64 "$SCRATCH/tail"
        note 'an emulated arm64 machine' "failed: $(tail -n 1 "$SCRATCH/arm64.log")"
    fi
}

analysis() {
    if ! command -v clang-tidy >/dev/null 2>&1 || ! command -v clang >/dev/null 2>&1; then
        skip 'clang-tidy at full depth' 'clang or clang-tidy is not installed'
        return
    fi
    if cmake --preset clang -G Ninja >"$SCRATCH/analysis.log" 2>&1 &&
        find grader -name '*.c' -print0 | sort -z | xargs -0 -n 6 -P 2 \
            clang-tidy --quiet -p build-clang >"$SCRATCH/analysis.log" 2>/dev/null; then
        pass 'clang-tidy at full depth'
        note 'clang-tidy at full depth' 'no finding'
    else
        tail -n 40 "$SCRATCH/analysis.log" >"$SCRATCH/tail"
        fail 'clang-tidy at full depth' "$SCRATCH/tail"
        note 'clang-tidy at full depth' 'failed'
    fi
}

[ $# -gt 0 ] || set -- fuzz install package mutants hostile image bundle sanitize arm64 analysis
for part in "$@"; do
    case $part in
    fuzz | install | package | mutants | hostile | image | bundle | sanitize | arm64 | analysis) "$part" ;;
    *) fail "there is no part '$part'" ;;
    esac
done
finish
