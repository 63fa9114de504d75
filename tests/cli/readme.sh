#!/bin/sh
# readme.sh: README.md read as a new user would, from its start to its end, in a copy of the tree.
#
# Commands are the lines of README.md's code blocks (indented by four spaces, or between fences), and
# what it says between backticks that starts with the name of a program of this repository. For each
# there must be
#
#   a step here          tried "COMMAND" where it runs below, with names in place of its DIR, FILE, NUMBER
#   a row of `elsewhere`   PATTERN  SUITE:WORDS  WHY: this file runs it, in a line that has these words;
#                        or, where SUITE is "=", it is there and need not be run for itself; or,
#                        where it is "-", nobody can run it here and WHY says so
#   a row of `no_command`  the first line of a block that is an output or a picture
#
# so a new command without any of these fails. Outputs that README.md shows are compared line by line.
# The copy uses the build that is there; a build from nothing is tests/install/fresh_root.sh.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"

# PATTERN (of `case`, up to the bar) | SUITE:WORDS of the line that runs it | WHY. The first one counts.
elsewhere() {
    cat <<'END'
tests/run|.ci/run:totals tests/run|it runs this
tests/run --gpu|tests/run:tests/gpu/run.sh|needs a GPU
tests/run --long|tests/run:tests/long/run.sh|takes hours
.ci/run|-|it runs this
tests/install/fresh_root.sh|tests/long/run.sh:if sh tests/install/fresh_root.sh|tests/run --long: a fresh root file system
tests/install/package.sh|tests/long/run.sh:if sh tests/install/package.sh|tests/run --long: a fresh root file system
tests/gpu/run.sh|tests/run:tests/gpu/run.sh|needs a GPU
sh tests/golden/run.sh --bless CODE|-|writes into the tree
tests/hostile/texts.sh *|tests/run:sh tests/hostile/texts.sh|tests/run grades each kind once
tests/*.sh|=|for who changes the grader; shellcheck reads all of them, tests/run runs those that are tests
tests/*|=|a folder or a file
gpugrade watch DIR|tests/cli/watch.sh:" watch "$work"|it ends on Ctrl-C
gpugrade new NAME|docs/rubrics.md:gpugrade new |tests/cli/guide.sh follows that guide
gpugrade lint RUBRIC|docs/rubrics.md:gpugrade lint |tests/cli/guide.sh follows that guide
chgrp gpugrade gpugrade-jail;*|-|needs a group on the machine
groupadd *|tests/install/package_inside.sh:groupadd graders|tests/run --long: needs root
dpkg-statoverride *|tests/install/package_inside.sh:dpkg-statoverride --add --update root graders 0750|tests/run --long: needs root
systemd-run *|-|needs a session of systemd
cmake -S . -B build && cmake --build build|tests/run:cmake -S . -B "$build"|minutes; tests/run starts with it
cpack -G DEB *|tests/install/package.sh:cpack -G DEB|tests/run --long: a fresh root file system
man *|tests/cli/manual.sh:man --warnings|every page
docker/build.sh|tests/long/image.sh:sh docker/build.sh|tests/run --long: needs root; podman builds
docker run *|-|needs an engine; tests/long/image.sh enters the image without one
make -f docker/gradescope/Makefile *|tests/platform/gradescope.sh:make -s -f "$REPO/docker/gradescope/Makefile"|the bundle is made and run
make -f docker/autolab/Makefile *|tests/platform/autolab.sh:make -s -f "$REPO/docker/autolab/Makefile"|the bundle is made and run
make -f docker/vpl/Makefile *|tests/platform/vpl.sh:make -s -f "$REPO/docker/vpl/Makefile"|the bundle is made and run
END
}

# First lines of blocks that hold no command.
no_command() {
    cat <<'END'
gpugrade check . — matmul, rubric 5, emulated H200, seed 0x5eed1234
points = all x (s - 1) / (0.8 (r - 1)), at least 0, at most all, rounded to 0.5 points
grader  (trusted)    rubric, build, cases, secret inputs, verdicts, report
END
}

# What README.md names: "block LINE" for the first line of each code block, "command COMMAND" for each
# command, without its remark.
awk '
    function command(text) { sub(/[ ]+#.*$/, "", text); print "command " text }
    /^```/ { fenced = !fenced; first = 1; next }
    !fenced && /^    / && (empty || inside) {
        if (!inside) { print "block " substr($0, 5) }
        inside = 1
        empty = 0
        print "line " substr($0, 5)
        next
    }
    fenced {
        if (first) { print "block " $0 }
        first = 0
        print "line " $0
        next
    }
    # Within a block an empty line belongs to it, if it goes on behind it.
    /^$/ { empty = 1; next }
    { empty = 0; inside = 0 }
    {
        rest = $0
        while (match(rest, /`[^`]+`/)) {
            text = substr(rest, RSTART + 1, RLENGTH - 2)
            rest = substr(rest, RSTART + RLENGTH)
            if (text ~ /^(\.\/)?(gpugrade|tests\/|sh tests\/|\.ci\/|systemd-run|chgrp)/ &&
                text !~ /^gpugrade(-jail)?$/) { command(text) }
            if (text ~ /^(make|cmake|cpack|man|docker|podman|groupadd|dpkg-statoverride) /) {
                command(text)
            }
        }
    }
' "$REPO/README.md" >"$SCRATCH/named"

no_command >"$SCRATCH/no_command"
awk -v known="$SCRATCH/no_command" '
    BEGIN { while ((getline row < known) > 0) { output[row] = 1 } }
    $1 == "block" { skips = substr($0, 7) in output; next }
    $1 == "line" {
        if (skips) { next }
        text = substr($0, 6)
        # A remark may name another command.
        if (match(text, /# or: /)) { print substr(text, RSTART + RLENGTH) }
        sub(/[ ]+#.*$/, "", text)
        if (text != "" && text !~ /^#/) { print text }
        next
    }
    { print substr($0, 9) }
' "$SCRATCH/named" | sort -u >"$SCRATCH/commands"
while IFS= read -r first; do
    if grep -qxF -e "block $first" "$SCRATCH/named"; then
        pass "README.md shows: $first"
    else
        fail "README.md shows: $first" 'no code block begins so; mend no_command in readme.sh'
    fi
done <"$SCRATCH/no_command"

# A copy as somebody has who has just cloned it; the launcher takes the build that is there, which the
# one of this tree brings up to date if a source is newer.
copy=$SCRATCH/gpugrade
mkdir "$copy" "$SCRATCH/bin"
GPUGRADE_BUILD=${GPUGRADE_BUILD:-$REPO/build}
export GPUGRADE_BUILD
unset GPUGRADE_ROOT
if ! "$REPO/gpugrade" version >"$SCRATCH/out" 2>&1 </dev/null; then
    fail 'gpugrade builds' "$SCRATCH/out"
    finish
fi
(cd "$REPO" && tar -cf - --exclude='./build*' --exclude=./.git --exclude=./tests .) |
    tar -xf - -C "$copy"
# The command as it is once it is on the PATH; reports repeat its name.
cat >"$SCRATCH/bin/gpugrade" <<END
#!/bin/sh
GPUGRADE_ROOT=$copy GPUGRADE_COMMAND=gpugrade exec $GPUGRADE_BUILD/bin/gpugrade "\$@"
END
chmod +x "$SCRATCH/bin/gpugrade"
PATH=$SCRATCH/bin:$PATH
export PATH
cd "$copy" || exit 1
: >"$SCRATCH/tried"

# tried COMMAND STATUS ARGUMENT...: runs the arguments for README.md's COMMAND; they must end with
# STATUS. What they print is kept in out.
tried() {
    name=$1
    expected=$2
    shift 2
    printf '%s\n' "$name" >>"$SCRATCH/tried"
    if ! grep -qxF -e "$name" "$SCRATCH/commands"; then
        fail "README.md has: $name"
    fi
    "$@" >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
    if [ "$status" -eq "$expected" ]; then
        pass "$name"
    else
        fail "$name: $* ends with $status, expected $expected" "$SCRATCH/out"
    fi
}

# prints WHAT FILE: a line that holds it was printed, and README.md tells of it.
prints() {
    if grep -qF -e "$1" "$SCRATCH/out" && grep -qF -e "$1" "$REPO/README.md"; then
        pass "printed: $1"
    else
        fail "printed, as README.md says: $1" "$SCRATCH/out"
    fi
}

if [ -c /dev/nvidiactl ]; then
    score='100/100'
else
    score='Score 85/85 measurable here, 15 not'
fi
tried './gpugrade check reference/matmul/solution' 0 ./gpugrade check reference/matmul/solution
prints "$score"

# "In the folder with ...": the submission whose report README.md shows, without its second barrier.
mkdir "$SCRATCH/student"
cp reference/matmul/solution/* "$SCRATCH/student"
cp "$REPO"/tests/submissions/matmul/wrong/second_barrier_missing/*.cu "$SCRATCH/student"
cd "$SCRATCH/student" || exit 1
tried 'gpugrade check' 1 env COLUMNS=100 gpugrade check . --device emulated \
    --seed 0x5eed1234 --color never
# README.md leaves out the option that a machine without a GPU needs not.
sed -e 's/ --device emulated//g; s/[[:space:]]*$//' "$SCRATCH/out" >"$SCRATCH/screen"
awk -v first="$(no_command | head -n 1)" '
    $1 == "block" { shown = substr($0, 7) == first; next }
    $1 == "line" && shown { print substr($0, 6) }
' "$SCRATCH/named" | sed 's/[[:space:]]*$//' >"$SCRATCH/shown"
while IFS= read -r line; do
    case $line in
    '' | '   ...') ;;
    *)
        grep -qxF -e "$line" "$SCRATCH/screen" || printf 'not printed: %s\n' "$line"
        ;;
    esac
done <"$SCRATCH/shown" >"$SCRATCH/missing"
if [ -s "$SCRATCH/missing" ] || [ "$(wc -l <"$SCRATCH/shown")" -lt 20 ]; then
    cat "$SCRATCH/screen" >>"$SCRATCH/missing"
    fail 'the report that README.md shows is what is printed' "$SCRATCH/missing"
else
    pass 'the report that README.md shows is what is printed'
fi
tried 'gpugrade explain R01' 0 gpugrade explain R01
tried 'gpugrade check DIR --html page.html' 1 gpugrade check . --device emulated --html page.html
tried 'gpugrade explain' 0 gpugrade explain

tried 'gpugrade check DIR [--device auto|emulated|cuda] [--gpus LIST] [--precise]' 0 \
    gpugrade check "$copy/reference/matmul/solution" --device emulated --precise
tried 'gpugrade check DIR --json score.json' 1 gpugrade check . --device emulated --json score.json
tried 'gpugrade convert score.json --to FMT [-o FILE] [--prefix DIR]' 0 \
    gpugrade convert score.json --to github -o annotations --prefix hw3
if grep -q 'file=hw3/exercise1_tiled.cu,line=22' annotations; then
    pass '--prefix stands before file names'
else
    fail '--prefix stands before file names' annotations
fi
# The formats of the table, and no others, are those that convert knows.
# shellcheck disable=SC2016 # the backticks of Markdown
awk '/^\| `--to` \|/ { table = 1 }
    !/^\|/ { table = 0 }
    table { split($0, cell, "|"); print cell[2] }' "$REPO/README.md" |
    grep -oE '`[a-z0-9-]+`' | tr -d '\140' | grep -vxF -e --to | sort >formats
sed -n 's/^FORMAT("\([a-z0-9-]*\)".*/\1/p' "$copy/grader/report/platform/formats.def" |
    sort >known_formats
if diff formats known_formats >difference; then
    pass "README.md names each format: $(tr '\n' ' ' <formats)"
else
    fail 'README.md names each format' difference
fi
while IFS= read -r format; do
    if gpugrade convert - --to "$format" <score.json >converted 2>err && [ -s converted ]; then
        pass "convert - --to $format"
    else
        fail "convert - --to $format" err
    fi
done <formats
cd "$SCRATCH" || exit 1
gpugrade explain R01 --example >race.cu
tried 'gpugrade run' 1 gpugrade run race.cu
tried 'gpugrade run [--json FILE] PROGRAM|FILE.cu [ARGS]' 1 gpugrade run --json run.json race.cu
if command -v nvcc >/dev/null 2>&1; then
    nvcc=nvcc
else
    nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
fi
tried 'nvcc -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75' 0 \
    "$nvcc" -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75 -o race race.cu
if gpugrade run ./race >out 2>&1 || [ $? -ne 1 ] || ! grep -q R01 out; then
    fail 'what nvcc made so is served' out
else
    pass 'what nvcc made so is served'
fi

tried 'gpugrade handout matmul DIR' 0 gpugrade handout matmul handout
mkdir class class/ada class/bo
cp "$copy"/reference/matmul/solution/*.cu class/ada
cp student/*.cu class/bo
cat >more.json <<'END'
{ "schema": "gpugrade/rubric/v1", "extends": "matmul", "version": 9,
  "criteria": [ { "id": "occupancy", "points": 20 } ] }
END
tried 'gpugrade batch SUBMISSIONS -o RESULTS [--coursework ID | --rubric FILE] [--roster FILE.csv] [-j N]' 0 \
    gpugrade batch class -o results --coursework matmul --device emulated -j 2
tried 'gpugrade batch --resume -o RESULTS' 0 gpugrade batch --resume -o results
tried 'gpugrade report RESULTS --format FMT' 0 gpugrade report results --format csv
tried 'gpugrade regrade RESULTS --rubric NEW [--apply]' 0 gpugrade regrade results --rubric more.json
# Whether grading is sound here is doctor.sh's question.
doctor_agrees() {
    gpugrade doctor --json - >sound.json
    status=$?
    cat sound.json
    [ "$status" -eq "$(jq 'if .sound then 0 else 3 end' sound.json)" ]
}
tried 'gpugrade doctor [--json FILE|-] [--sandbox TIER]' 0 doctor_agrees
printf '%s\n' 'gpugrade doctor' >>tried # the same

install='cmake --install build --prefix /usr/local'
if [ -f "$GPUGRADE_BUILD/grader/install/man/gpugrade.1" ]; then
    tried "$install" 0 cmake --install "$GPUGRADE_BUILD" --prefix "$SCRATCH/prefix"
    for file in bin/gpugrade libexec/gpugrade lib/gpugrade share/gpugrade; do
        [ -e "prefix/$file" ] || echo "$file is not installed"
    done >lacks
    prefix/bin/gpugrade explain R01 >out 2>&1 || cat out >>lacks
    if [ -s lacks ]; then
        fail 'what is installed is there and starts' lacks
    else
        pass 'what is installed is there and starts'
    fi
else
    printf '%s\n' "$install" >>tried
    skip "$install" "$GPUGRADE_BUILD is not built with all its targets"
fi

# What is left of README.md's commands.
while IFS= read -r command; do
    grep -qxF -e "$command" tried || printf '%s\n' "$command"
done <commands >left
elsewhere >rows
while IFS= read -r command; do
    told=no
    while IFS='|' read -r pattern suite why; do
        # shellcheck disable=SC2254 # a pattern
        case $command in
        $pattern) ;;
        *) continue ;;
        esac
        told=yes
        word=${suite#*:}
        suite=${suite%%:*}
        if [ "$suite" = - ]; then
            skip "$command" "$why"
        elif [ "$suite" = = ] && [ -e "$REPO/$command" ]; then
            pass "$command is there ($why)"
        elif [ -f "$REPO/$suite" ] && grep -v '^ *#' "$REPO/$suite" | grep -qF -e "$word"; then
            pass "$command: $suite ($why)"
        else
            fail "$command: expected '$word' in $suite"
        fi
        break
    done <rows
    [ "$told" = yes ] ||
        fail "$command: README.md names it and nothing tries it; add a step or a row to readme.sh"
done <left

# Files and folders that README.md links to are there.
grep -oE '\]\([A-Za-z_][^):#]*\)' "$REPO/README.md" | sed 's/^](//; s/)$//' | sort -u |
    while IFS= read -r file; do
        [ -e "$REPO/$file" ] || echo "$file"
    done >missing
if [ -s missing ]; then
    fail 'links of README.md' missing
else
    pass 'links of README.md'
fi
finish
