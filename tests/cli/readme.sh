#!/bin/sh
# readme.sh: README.md, CONTRIBUTING.md and docs/ read as a new user would, in a copy of the tree.
#
# Commands are the lines of code blocks that are indented by four spaces, or fenced without a language
# or as sh, and what stands between backticks and starts with the name of a program of this repository.
# For each there must be
#
#   a step here          tried "COMMAND" where it runs below, with names in place of its DIR, FILE, NUMBER
#   a row of `elsewhere`   PATTERN  SUITE:WORDS  WHY: this file runs it, in a line that has these words;
#                        or, where SUITE is "=", it is there and need not be run for itself; or,
#                        where it is "-", nobody can run it here and WHY says so
#
# so a new command without any of these fails. The block below "readme.sh compares this block" is
# compared with the screen line by line; "   ..." stands for lines that are left out. Guides (headings
# "in ten minutes" and "step by step") are followed by guide.sh. Links are read by
# tests/structure/documents.sh.
# The copy uses the build that is there; a build from nothing is tests/install/fresh_root.sh.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"

# PATTERN (of `case`, up to the bar) | SUITE:WORDS of the line that runs it | WHY. The first one counts.
elsewhere() {
    cat <<'END'
tests/run|.ci/run:totals tests/run|it runs this
tests/run --all|.ci/run:tests/run --all|it runs this
tests/run --gpu|tests/run:tests/gpu/run.sh|needs a GPU
tests/run --only NAME|tests/run:--only|it runs this
tests/run --fixtures all|tests/run:--fixtures)|half an hour
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
./gpugrade|=|the launcher
./gpugrade --yes check FOLDER|docker/github/build.sh:--yes --packages|tests/run --long: needs a fresh system
gpugrade step|=|the name of a command
gpugrade step DIR *|tests/cli/step.sh:step "$SCRATCH/student"|pages on a submission
gpugrade step FILE.cu *|tests/cli/step.sh:step "$SCRATCH/fill.cu"|pages on a program
gpugrade run lab.cu *|tests/cli/labs.sh:right vector -e|it needs a lab
gpugrade.h|grader/model/harness_headers.c:"gpugrade.h"|it is laid beside each harness
gpugrade_begin*|reference/reduction/main.cu:gpugrade_begin(|tests/cli/courseworks.sh
gpugrade_operand*|reference/reduction/main.cu:gpugrade_operand(|tests/cli/courseworks.sh
gpugrade_end*|reference/reduction/main.cu:gpugrade_end(|tests/cli/courseworks.sh
gpugrade_result*|tests/assignments/tests/submissions/lab_sum/right/without_wb/sum.cu:gpugrade_result(|tests/cli/labs.sh
"measure": "longest_chain*|rubrics/streams.json:"longest_chain / stream_bytes"|its fixtures
gpugrade new *|docs/rubrics.md:gpugrade new |tests/cli/guide.sh follows that guide
gpugrade lint *|docs/rubrics.md:gpugrade lint |tests/cli/guide.sh follows that guide
gpugrade handout matmul handout|docs/instructors.md:gpugrade handout matmul handout |tests/cli/guide.sh follows that guide
gpugrade batch submissions -o results *|docs/instructors.md:gpugrade batch submissions -o results |tests/cli/guide.sh follows that guide
gpugrade batch SUBMISSIONS -o RESULTS --rubric *|docs/instructors.md:-o results --rubric |tests/cli/guide.sh follows that guide
gpugrade check DIR --rubric autumn.json|docs/instructors.md:--rubric autumn.json --as instructor|tests/cli/guide.sh follows that guide
gpugrade batch SUBMISSIONS -o RESULTS --slurm|tests/batch/slurm.sh:--slurm|on a cluster that the test starts
gpugrade batch SUBMISSIONS -o AGAIN --rubric autumn.json --seed 5eed|tests/batch/similarity.sh:--seed "$(jq|the same class once more
gpugrade report RESULTS --format jsonl|tests/batch/similarity.sh:report "$results" --format jsonl|the same class once more
gpugrade report RESULTS --format leaderboard *|tests/batch/regrade.sh:--format leaderboard|a class of three
gpugrade report RESULTS --format pairs *|tests/batch/similarity.sh:--format pairs --against|two classes
gpugrade term autumn.json -o pages|tests/cli/term.sh:"$GPUGRADE" term|on made-up stores
gpugrade term FILE -o DIR|tests/cli/term.sh:"$GPUGRADE" term|on made-up stores
{"title": "GPU programming"*|tests/cli/term.sh:"best": 1|the same with other names
gpugrade batch SUBMISSIONS -o RESULTS --k8s pod.json|tests/batch/slurm.sh:--k8s|the test plays the Pods
gpugrade batch --slurm-merge -o RESULTS|tests/batch/slurm.sh:--slurm-merge|the test plays the Pods
kubectl create *|-|needs a cluster; tests/batch/slurm.sh checks the file
{"spec": {"containers": *|tests/batch/slurm.sh:{"spec": {"containers":|the file has a Pod template
chgrp gpugrade gpugrade-jail;*|-|needs a group on the machine
groupadd *|tests/install/package_inside.sh:groupadd graders|tests/run --long: needs root
dpkg-statoverride *|tests/install/package_inside.sh:dpkg-statoverride --add --update root graders 0750|tests/run --long: needs root
systemd-run *|-|needs a session of systemd
cmake -S . -B build*|tests/run:cmake -S . -B "$build"|minutes; tests/run starts with it
cmake --preset *|CMakePresets.json:"name"|minutes; .ci/run and tests/run --long build these
cpack -G DEB *|tests/install/package.sh:cpack -G DEB|tests/run --long: a fresh root file system
man *|tests/cli/manual.sh:man --warnings|every page
docker/build.sh|tests/long/image.sh:sh docker/build.sh|tests/run --long: needs root; podman builds
docker run *|-|needs an engine; tests/long/image.sh enters the image without one
make -f docker/gradescope/Makefile *|tests/platform/gradescope.sh:make -s -f "$REPO/docker/gradescope/Makefile"|the bundle is made and run
make -f docker/autolab/Makefile *|tests/platform/autolab.sh:make -s -f "$REPO/docker/autolab/Makefile"|the bundle is made and run
make -f docker/vpl/Makefile *|tests/platform/vpl.sh:make -s -f "$REPO/docker/vpl/Makefile"|the bundle is made and run
END
}

documents='README.md CONTRIBUTING.md'
for file in "$REPO"/docs/*.md; do
    documents="$documents docs/${file##*/}"
done

# named DOCUMENT: "command COMMAND" for each command, without its remark; "screen LINE" for each line of
# the block that is compared.
named() {
    awk '
        function remember(text) {
            sub(/[ ]+#.*$/, "", text)
            if (text != "" && text !~ /^#/) { print "command " text }
        }
        function line(text) {
            # A remark may name another command.
            if (match(text, /# or: /)) { remember(substr(text, RSTART + RLENGTH)) }
            remember(text)
        }
        /^## / { guide = /in ten minutes/ || /step by step/ }
        /^<!-- readme.sh compares this block/ { compared = 1; next }
        /^ *```/ {
            if (!fenced) { language = $0; sub(/^ *```/, "", language) }
            fenced = !fenced
            if (!fenced) { compared = 0 }
            next
        }
        fenced && compared { print "screen " $0; next }
        fenced {
            if (!guide && (language == "" || language == "sh")) { line($0) }
            next
        }
        /^    / && (empty || inside) {
            if (!guide) { line(substr($0, 5)) }
            inside = 1
            empty = 0
            next
        }
        # Within a block an empty line belongs to it, if it goes on after it.
        /^$/ { empty = 1; next }
        { empty = 0; inside = 0 }
        {
            rest = $0
            while (match(rest, /`[^`]+`/)) {
                text = substr(rest, RSTART + 1, RLENGTH - 2)
                rest = substr(rest, RSTART + RLENGTH)
                if (guide && text !~ /^gpugrade /) { continue }
                # Places of files that the reader makes.
                if (text ~ /^tests\/[^ ]*(ID|NAME|COURSEWORK|\*)/) { continue }
                if (text ~ /^(\.\/)?(gpugrade|tests\/|sh tests\/|\.ci\/|systemd-run|chgrp)/ &&
                    text !~ /^gpugrade(-[a-z]+)?(\/.*)?$/) { remember(text) }
                if (text ~ /^(make|cmake|cpack|man|docker|podman|groupadd|dpkg-statoverride) /) {
                    remember(text)
                }
            }
        }
    ' "$REPO/$1"
}
for document in $documents; do
    named "$document" >"$SCRATCH/named"
    sed -n 's/^screen //p' "$SCRATCH/named" >>"$SCRATCH/shown"
    sed -n "s|^command |$document: |p" "$SCRATCH/named" >>"$SCRATCH/places"
done
sed 's/^[^:]*: //' "$SCRATCH/places" | sort -u >"$SCRATCH/commands"

# place_of COMMAND: the first document that has it.
place_of() {
    awk -v command="$1" '{
        place = $0
        sub(/: .*/, "", place)
        if (substr($0, length(place) + 3) == command) { print place; exit }
    }' "$SCRATCH/places"
}

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

# tried COMMAND STATUS ARGUMENT...: runs the arguments for the COMMAND of a document; they must end
# with STATUS. What they print is kept in out.
tried() {
    name=$1
    expected=$2
    shift 2
    printf '%s\n' "$name" >>"$SCRATCH/tried"
    if ! grep -qxF -e "$name" "$SCRATCH/commands"; then
        fail "a document has: $name" 'it is a step of readme.sh and in no document; remove it'
    fi
    "$@" >"$SCRATCH/out" 2>&1 </dev/null
    status=$?
    if [ "$status" -eq "$expected" ]; then
        pass "$name"
    else
        fail "$name: $* ends with $status, expected $expected" "$SCRATCH/out"
    fi
}

# prints WHAT: a line that holds it was printed, and README.md says so.
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
    score='Score 85/85 (15 more points need a GPU)'
fi
tried './gpugrade check reference/matmul/solution' 0 ./gpugrade check reference/matmul/solution
prints "$score"

# The submission whose report docs/students.md shows, without its second barrier.
mkdir "$SCRATCH/student"
cp reference/matmul/solution/* "$SCRATCH/student"
cp "$REPO"/tests/submissions/matmul/wrong/second_barrier_missing/*.cu "$SCRATCH/student"
cd "$SCRATCH/student" || exit 1
tried 'gpugrade check .' 1 env COLUMNS=100 gpugrade check . --device emulated \
    --seed 0x5eed1234 --color never
# The document leaves out the option that a machine without a GPU needs not.
sed -e 's/ --device emulated//g; s/[[:space:]]*$//' "$SCRATCH/out" >"$SCRATCH/screen"
while IFS= read -r line; do
    case $line in
    '' | '   ...') ;;
    *)
        grep -qxF -e "$line" "$SCRATCH/screen" || printf 'not printed: %s\n' "$line"
        ;;
    esac
done <"$SCRATCH/shown" >"$SCRATCH/missing"
if ! command -v nvcc >/dev/null; then
    skip 'the report that docs/students.md shows' 'it is of a program that nvcc compiled'
elif [ -s "$SCRATCH/missing" ] || [ "$(wc -l <"$SCRATCH/shown")" -lt 20 ]; then
    cat "$SCRATCH/screen" >>"$SCRATCH/missing"
    fail 'the report that docs/students.md shows is what is printed' "$SCRATCH/missing"
else
    pass 'the report that docs/students.md shows is what is printed'
fi
tried 'gpugrade explain R01' 0 gpugrade explain R01
tried 'gpugrade check DIR --html page.html' 1 gpugrade check . --device emulated --html page.html
tried 'gpugrade explain' 0 gpugrade explain
tried 'gpugrade explain R01 --example' 0 gpugrade explain R01 --example
tried 'gpugrade help' 0 gpugrade help
tried 'gpugrade check' 1 gpugrade check --device emulated
tried './gpugrade check FOLDER' 1 "$copy/gpugrade" check "$SCRATCH/student" --device emulated
tried 'gpugrade check --verbose' 1 gpugrade check --device emulated --verbose
tried 'gpugrade check DIR --as instructor' 1 gpugrade check . --device emulated --as instructor

tried 'gpugrade check DIR [--device auto|emulated|cuda] [--gpus LIST] [--precise]' 0 \
    gpugrade check "$copy/reference/matmul/solution" --device emulated --precise
tried 'gpugrade check DIR --json score.json' 1 gpugrade check . --device emulated --json score.json
printf '%s\n' 'gpugrade check . --json score.json' >>"$SCRATCH/tried" # the same
tried 'gpugrade convert score.json --to github' 0 gpugrade convert score.json --to github
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
    table { split($0, cell, "|"); print cell[2] }' "$REPO/docs/platforms.md" |
    grep -oE '`[a-z0-9-]+`' | tr -d '\140' | grep -vxF -e --to | sort >formats
sed -n 's/^FORMAT("\([a-z0-9-]*\)".*/\1/p' "$copy/grader/report/platform/formats.def" |
    sort >known_formats
if diff formats known_formats >difference; then
    pass "docs/platforms.md names each format: $(tr '\n' ' ' <formats)"
else
    fail 'docs/platforms.md names each format' difference
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
tried 'gpugrade run FILE.cu' 1 gpugrade run race.cu
tried 'gpugrade run [--json FILE] PROGRAM|FILE.cu [ARGS]' 1 gpugrade run --json run.json race.cu
if command -v nvcc >/dev/null; then
    tried 'nvcc -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75' 0 \
        nvcc -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75 -o race race.cu
    if gpugrade run ./race >out 2>&1 || [ $? -ne 1 ] || ! grep -q R01 out; then
        fail 'what nvcc made so is served' out
    else
        pass 'what nvcc made so is served'
    fi
else
    skip 'what nvcc made is served' 'there is no CUDA toolkit here'
    printf '%s\n' 'nvcc -cudart shared -lineinfo -gencode arch=compute_75,code=compute_75' >>"$SCRATCH/tried"
fi

tried 'gpugrade handout COURSEWORK DIR [--rubric OVERLAY]' 0 gpugrade handout matmul handout
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
printf '%s\n' 'gpugrade batch --resume -o results' >>tried # the same
tried 'gpugrade report RESULTS --format FMT' 0 gpugrade report results --format csv
tried 'gpugrade report RESULTS --format pages -o DIR [--for moodle | --for canvas]' 0 \
    gpugrade report results --format pages -o handed --for canvas
tried 'gpugrade forget RESULTS STUDENT --apply' 2 gpugrade forget results nosuch --apply
for folder in class/*; do student=${folder#class/}; break; done # the first one
tried 'gpugrade forget RESULTS STUDENT' 0 gpugrade forget results "$student"
tried 'gpugrade mark RESULTS STUDENT [--extend DAYS] [...]' 0 gpugrade mark results "$student" --extend 2
printf '%s\n' 'gpugrade mark RESULTS STUDENT' >>tried # the same, without a decision
printf 'student,points\n%s,1\n' "$student" >decisions.csv
tried 'gpugrade mark RESULTS --table FILE.csv' 0 gpugrade mark results --table decisions.csv
tried 'gpugrade mark RESULTS' 0 gpugrade mark results
tried 'gpugrade mark RESULTS --undo N' 0 gpugrade mark results --undo 1
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

# A command's name alone, in running text.
grep -E '^gpugrade [a-z]+$' commands | while IFS= read -r command; do
    ! grep -qxF -e "$command" tried && gpugrade help "${command#gpugrade }" >out 2>&1 &&
        printf '%s\n' "$command"
done >names
cat names >>tried

# What is left of the commands.
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
        fail "$command: $(place_of "$command") names it and nothing tries it" \
            'add a step or a row to readme.sh'
done <left

finish
