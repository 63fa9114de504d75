#!/bin/sh
# doctor.sh: `gpugrade doctor` in each tier that works here, and on machines that lack something: its exit
# status, its reasons, its JSON.
#
# A doctor that is always content is worthless, so a witness that says "held" whatever it is asked is put
# in the place of the real one, and then a helper that leaves the filters away.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
binary=${GPUGRADE_BUILD:-$REPO/build}/bin/gpugrade
prefix=${binary%/bin/gpugrade}
json=$SCRATCH/doctor.json
chmod 755 "$SCRATCH"

# Runs the doctor; sets status.
doctor() {
    "$binary" doctor --color never --json "$json" "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# expect_doctor NAME STATUS JQ-CONDITION
expect_doctor() {
    if [ "$status" -ne "$2" ]; then
        fail "$1: exit $2, got $status" "$SCRATCH/out"
    elif ! jq -e "$3" "$json" >"$SCRATCH/jq" 2>&1; then
        fail "$1: $3" "$SCRATCH/out"
    else
        pass "$1"
    fi
}

# says NAME WORDS
says() {
    if grep -qF -- "$2" "$SCRATCH/out"; then
        pass "$1"
    else
        fail "$1: says '$2'" "$SCRATCH/out"
    fi
}

follows_schema() {
    if ! python3 -c 'import jsonschema' 2>/dev/null; then
        skip "$1" 'there is no python3-jsonschema'
    elif python3 "$REPO/tests/rubrics/validate_schemas.py" "$json" >"$SCRATCH/schema" 2>&1; then
        pass "$1"
    else
        fail "$1" "$SCRATCH/schema"
    fi
}

# Shared memory of the whole machine: of what is new, that of others goes away.
objects() {
    find /dev/shm -name '*gpugrade*' 2>/dev/null
    ipcs 2>/dev/null | awk '/^0x0*[1-9a-f]/ { print $1, $2 }'
}

has_no_new_objects() {
    objects | grep -vxF -f "$SCRATCH/before" >"$SCRATCH/stayed"
    [ ! -s "$SCRATCH/stayed" ]
}

# The first run finds a driver that lists GPUs, if the build has one.
objects >"$SCRATCH/before"
fake=$prefix/tests/unit/libcuda_fake.so
mkdir "$SCRATCH/driver"
[ ! -f "$fake" ] || cp "$fake" "$SCRATCH/driver/libcuda.so.1"
export LD_LIBRARY_PATH="$SCRATCH/driver"
doctor --sandbox C
unset LD_LIBRARY_PATH
expect_doctor 'tier C is not sound' 3 '.sound == false and .sandbox.tier == "C" and (.reasons | length) == 1'
expect_doctor 'tier C shows what is open' 3 \
    '[.denials[] | select(.result == "expected_open") | .name] | contains(["TCP", "other submissions"])'
expect_doctor 'what tier C promises holds' 3 \
    '[.denials[] | select(.name | test("limit$|staying|environment|descriptors")) | .result] | unique == ["held"]'
expect_doctor 'a small program is graded in tier C' 3 \
    '[.checks[] | select(.group == "grading" and .name == "run") | .status] == ["pass"]'
says 'the reasons come first' 'grading here is not sound:'
if [ -f "$fake" ]; then
    expect_doctor 'GPUs are listed' 3 '.gpus != [] and ([.gpus[].name] | all(. != ""))'
else
    skip 'GPUs are listed' 'there is no fake driver in the build'
fi
follows_schema 'the JSON of tier C follows its schema'

works=$(jq -r '.sandbox.tiers[] | select(.works) | .tier' "$json")
for tier in A B; do
    case $works in
    *"$tier"*) ;;
    *)
        skip "tier $tier" "$(jq -r --arg tier "$tier" \
            '.sandbox.tiers[] | select(.tier == $tier) | .reason' "$json")"
        continue
        ;;
    esac
    doctor --sandbox "$tier"
    expect_doctor "tier $tier is sound" 0 ".sound and .sandbox.tier == \"$tier\" and .reasons == []"
    expect_doctor "tier $tier holds all that it promises" 0 \
        '[.denials[] | select(.result == "open" or .result == "broken")] == []'
    expect_doctor "tier $tier: a refusal has a control that succeeds" 0 \
        '[.denials[] | select(.result == "held" and .control == "open")] | length > 20'
    says "tier $tier: the screen" 'grading here is sound'
    follows_schema "the JSON of tier $tier follows its schema"
    strong=$tier
done
if wait_for has_no_new_objects; then
    pass 'no object of shared memory stays'
else
    fail 'no object of shared memory stays' "$SCRATCH/stayed"
fi

# A file system that does not count files, as btrfs: none left is no lack.
counts=$SCRATCH/counts
mkdir "$counts"
cat >"$SCRATCH/uncounted" <<END
mount -t tmpfs -o nr_inodes=0,size=1200m,mode=1777 none "$counts" || exit 125
[ "\$(stat -f -c %c "$counts")" = 0 ] || exit 125
mkdir "$counts/cache" && TMPDIR=$counts GPUGRADE_CACHE=$counts/cache exec "$binary" doctor \
    --color never --sandbox C --json "$json"
END
unshare -m sh "$SCRATCH/uncounted" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
status=$?
if [ "$status" -eq 125 ] || [ "$status" -eq 1 ]; then
    skip 'a file system that does not count files' "it cannot be mounted here: $(head -n 1 "$SCRATCH/err")"
else
    expect_doctor 'a file system that does not count files' 3 \
        '[.checks[] | select(.group == "folders") | .status] | length == 2 and all(. == "pass")'
fi

# A witness that lies.
mkdir "$SCRATCH/lies" "$SCRATCH/lies/bin" "$SCRATCH/lies/lib"
cp "$prefix"/bin/gpugrade* "$SCRATCH/lies/bin/" && cp "$prefix"/lib/lib*.so* "$SCRATCH/lies/lib/"
real=$binary
binary=$SCRATCH/lies/bin/gpugrade
printf '#!/bin/sh\necho "held whatever it is"\n' >"$SCRATCH/lies/bin/gpugrade-sandbox-probe"
doctor --sandbox "${strong:-C}"
expect_doctor 'a probe that always fails is noticed' 3 \
    '[.denials[] | select(.result == "broken" and .control == "refused")] | length > 10'

# A sandbox that is not what it says: between the grader and its helper a script takes the filter of system
# calls and Landlock away.
cp "$prefix/bin/gpugrade-sandbox-probe" "$SCRATCH/lies/bin/"
mv "$SCRATCH/lies/bin/gpugrade-jail" "$SCRATCH/lies/bin/real-jail"
cat >"$SCRATCH/lies/bin/gpugrade-jail" <<END
#!/bin/sh
left=\$#
before=''
while [ "\$left" -gt 0 ]; do
    word=\$1
    shift
    case \$before in --filter | --landlock) word=0 ;; esac
    set -- "\$@" "\$word"
    before=\$word
    left=\$((left - 1))
done
exec "$SCRATCH/lies/bin/real-jail" "\$@"
END
chmod 755 "$SCRATCH/lies/bin/gpugrade-jail"
case $works in
*B*)
    doctor --sandbox B
    # Some machines let nobody trace, inside or outside.
    expect_doctor 'a sandbox without its filter is found out' 3 \
        '[.denials[] | select(.result == "open" or (.name == "tracing at all" and .result == "not_tried")) |
            .name] | contains(["TCP", "tracing at all", "other submissions"])'
    says 'and said' 'FAIL  TCP'
    ;;
*) skip 'a sandbox without its filter is found out' 'tier B does not work here' ;;
esac
mv "$SCRATCH/lies/bin/real-jail" "$SCRATCH/lies/bin/gpugrade-jail"

# No compiler: the toolkit is hidden by a mount namespace as in no_toolkit.sh, clang by PATH. And no
# witness.
rm "$SCRATCH/lies/bin/gpugrade-sandbox-probe"
hide=''
for folder in /usr/local/cuda /usr/local/cuda-* /opt/cuda; do
    [ -d "$folder" ] && hide="$hide --tmpfs $(readlink -f "$folder")"
done
# shellcheck disable=SC2086 # a list of options
if command -v bwrap >/dev/null 2>&1 && bwrap --dev-bind / / $hide true 2>/dev/null; then
    env -u CUDA_HOME -u CUDA_PATH PATH=/nowhere "$(command -v bwrap)" --dev-bind / / $hide "$binary" \
        doctor --sandbox C --json "$json" >"$SCRATCH/out" 2>"$SCRATCH/err"
    status=$?
    expect_doctor 'no compiler' 3 '[.reasons[] | select(contains("clang"))] != [] and .tools.compiler == ""'
    says 'no compiler: what to install' 'apt install clang'
    expect_doctor 'no witness' 3 '[.reasons[] | select(contains("gpugrade-sandbox-probe"))] != []'
    says 'no witness: what to do' 'build gpugrade again'
else
    skip 'no compiler' 'bubblewrap cannot hide it here'
fi

# Another user than root.
binary=$real
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null 2>&1; then
    mkdir "$SCRATCH/nobody"
    chown 65534 "$SCRATCH/nobody"
    env HOME="$SCRATCH/nobody" TMPDIR="$SCRATCH/nobody" GPUGRADE_CACHE="$SCRATCH/nobody/cache" \
        setpriv --reuid 65534 --regid 65534 --clear-groups "$binary" doctor --color never --json - \
        >"$json" 2>"$SCRATCH/out" </dev/null
    status=$?
    if [ "$status" -eq 126 ] || [ "$status" -eq 127 ]; then
        skip 'another user' 'it cannot start the grader here'
    else
        case $(jq -r '.sandbox.tier' "$json") in
        A | B) expect_doctor 'another user: sound in its tier' 0 '.sound' ;;
        *) expect_doctor 'another user: tier C' 3 '[.denials[] | select(.result == "broken")] == []' ;;
        esac
        follows_schema 'the JSON of another user follows its schema'
    fi
else
    skip 'another user' 'only root can become one'
fi
finish
