#!/bin/sh
# first_build.sh: what the launcher shows while it builds: on a terminal how far it is, in one line
# that is written over, elsewhere one line. The cmake here is a script that says what a build says.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"

clone=$SCRATCH/clone
mkdir -p "$clone/grader" "$SCRATCH/bin" "$SCRATCH/cuda/bin"
cp "$REPO/gpugrade" "$clone/"
: >"$clone/CMakeLists.txt"
printf '#!/bin/sh\n' >"$SCRATCH/cuda/bin/nvcc"
printf '#!/bin/sh\n' >"$SCRATCH/bin/g++" # which nvcc needs, so the launcher would install it
chmod +x "$SCRATCH/cuda/bin/nvcc" "$SCRATCH/bin/g++"
cat >"$SCRATCH/bin/cmake" <<'END'
#!/bin/sh
if [ "$1" = --build ]; then
    printf '[1/560] Building C object one.c.o\n'
    [ ! -e "$MADE/broken" ] || { printf 'one.c:1: error: broken\n'; exit 1; }
    printf 'one.c:1: warning: [odd]\n'
    printf '[312/560] Building C object two.c.o\n[560/560] Linking C executable bin/gpugrade\n'
    mkdir -p "$2/bin"
    printf '#!/bin/sh\necho "runs $*"\n' >"$2/bin/gpugrade"
    chmod +x "$2/bin/gpugrade"
else
    printf -- '-- Configuring done\n'
fi
END
chmod +x "$SCRATCH/bin/cmake"
export MADE="$SCRATCH" CUDA_HOME="$SCRATCH/cuda" PATH="$SCRATCH/bin:$PATH"
unset GPUGRADE_BUILD

# starts: leaves what the launcher shows in `out`, without and with a terminal.
starts() {
    "$clone/gpugrade" words >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
}
starts_on_terminal() {
    script -qec "$clone/gpugrade words" /dev/null >"$SCRATCH/screen" 2>&1 </dev/null
    status=$?
    tr '\r' '\n' <"$SCRATCH/screen" | grep . >"$SCRATCH/out"
}

starts
printf 'gpugrade: building gpugrade (first use) ...\nruns words\n' >"$SCRATCH/expected"
expect 'without a terminal it says that it builds, and no more' cmp "$SCRATCH/out" "$SCRATCH/expected"
starts
echo 'runs words' >"$SCRATCH/expected"
expect 'what is built is not built again' cmp "$SCRATCH/out" "$SCRATCH/expected"
rm -rf "$clone/build"
touch "$SCRATCH/broken"
starts
expect 'a build that fails is told' grep -qF 'one.c:1: error: broken' "$SCRATCH/out"
expect 'it ends with 3' [ "$status" = 3 ]

if ! command -v script >/dev/null 2>&1; then
    skip 'the build on a terminal' 'script is missing: util-linux'
    finish
fi
starts_on_terminal
expect 'on a terminal a build that fails is told' grep -qF 'one.c:1: error: broken' "$SCRATCH/out"
expect 'it ends with 3 there' [ "$status" = 3 ]
rm -f "$SCRATCH/broken"
starts_on_terminal
cat >"$SCRATCH/expected" <<'END'
gpugrade: building gpugrade (first use) ...
gpugrade: building gpugrade (first use) [1/560]
gpugrade: building gpugrade (first use) [312/560]
gpugrade: building gpugrade (first use) [560/560]
runs words
END
expect 'on a terminal it shows how far it is' cmp "$SCRATCH/out" "$SCRATCH/expected"
expect 'in one line' [ "$(grep -c . "$SCRATCH/screen")" = 2 ]
expect 'the log has all lines' grep -qF 'warning: [odd]' "$clone/build/build.log"
sleep 0.01
touch "$clone/grader"
starts_on_terminal
expect 'a later build says why it is' grep -qF '(its sources have changed) [560/560]' "$SCRATCH/out"
finish
