#!/bin/sh
# slurm.sh [N]: a class of N submissions (6) graded by a real Slurm of two nodes, one of which is
# lost on the way; the same table as by an ordinary batch with the same seed.
#
# It skips, visibly, where Slurm cannot be had or started: slurm_cluster.sh.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/slurm_cluster.sh"
trap 'cluster_stop; rm -rf "$SCRATCH"' EXIT
here=$REPO/tests/batch
size=${1:-6}
solution=$REPO/reference/matmul/solution
wrong=$REPO/tests/submissions/matmul/wrong/race_without_harm
class=$SCRATCH/class
results="$SCRATCH/the \"results\" of \$HOME; it's fine"
TMPDIR=$SCRATCH/tmp
export TMPDIR
mkdir "$TMPDIR" "$class"
chmod 711 "$SCRATCH" "$TMPDIR"

# Submission NUMBER of five kinds; a comment makes the files of each one its own.
submission() {
    folder="$class/student $(printf %04d "$1"); \$(touch hit)"
    mkdir "$folder"
    case $(($1 % 5)) in
    1) ;;
    3) cp "$solution/exercise1_tiled.cu" "$folder/" ;;
    4)
        cp "$solution"/*.cu "$folder/"
        cp -f "$wrong"/*.cu "$folder/"
        ;;
    *) cp "$solution"/*.cu "$folder/" ;;
    esac
    for file in "$folder"/*.cu; do
        [ ! -f "$file" ] || printf '// number %d\n' "$1" >>"$file"
    done
}

batch() {
    "$GPUGRADE" batch "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# batch_on PATH WORD...: the same with another PATH.
batch_on() {
    path=$PATH
    PATH=$1
    shift
    batch "$@"
    PATH=$path
}

# says STATUS WORDS NAME: the last batch ended like that and said that.
says() {
    if [ "$status" -ne "$1" ] || ! cat "$SCRATCH/out" "$SCRATCH/err" | grep -qF -- "$2"; then
        fail "$3" "exit status $status: $(cat "$SCRATCH/out" "$SCRATCH/err")"
    else
        pass "$3"
    fi
}

# within SECONDS COMMAND...: waits for it to hold.
within() {
    ends=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$ends" ] || return 1
        sleep 0.05
    done
}

# hold_victim: the task that runs on node2, and is through with one of its submissions but not with all,
# stands still: however fast the machine is, it comes to no end.
hold_victim() {
    victim=$("$cluster/bin/squeue" -h -r -t R -w node2 -o %K)
    case $victim in
    '' | *[!0-9]*) return 1 ;;
    esac
    [ "$(lines_of "$victim")" -ge 1 ] || return 1
    cluster_signal node2 STOP
    [ "$(lines_of "$victim")" -ge "$(listed_for "$victim")" ] || return 0
    cluster_signal node2 CONT
    return 1
}

# lines_of TASK: how many submissions it has told of.
lines_of() {
    sed -nE '/^(graded|nothing|known)/p' "$results/slurm/1/task-$1.log" 2>/dev/null | wc -l
}

# listed_for TASK: how many it has.
listed_for() {
    grep -vc '^#' "$results/slurm/1/chunk-$1/chunk.txt"
}

# A submission is being compiled.
is_building() {
    ls -d "$TMPDIR"/*/*/*/build-* >/dev/null 2>&1
}

no_job_left() {
    cluster_go_on
    [ -z "$("$cluster/bin/squeue" -h)" ]
}

i=0
while [ "$i" -lt "$size" ]; do
    i=$((i + 1))
    submission "$i"
done

# What needs no Slurm: a class that is quickly graded.
mkdir "$SCRATCH/quick" "$SCRATCH/quick/anna" "$SCRATCH/quick/bert" "$SCRATCH/quick/cleo"
quick=$SCRATCH/quick.results
batch "$SCRATCH/quick" -o "$quick" --coursework matmul --slurm-chunk 2
says 2 '--slurm-chunk needs --slurm' 'what is asked of a cluster needs --slurm'
echo '{"partition": "all", "nodes": 3}' >"$SCRATCH/site.json"
batch "$SCRATCH/quick" -o "$quick" --coursework matmul --slurm --slurm-site "$SCRATCH/site.json"
says 2 'site.json:1' 'a site file is held to its keys'
batch_on /usr/bin:/bin "$SCRATCH/quick" -o "$quick" --coursework matmul --seed 7 \
    --device emulated --slurm --slurm-chunk 2
says 3 'sbatch is not on the PATH' 'without Slurm it says so'
batch --resume -o "$quick" --slurm --slurm-chunk 2 --no-submit
says 0 '3 submissions in 2 tasks for Slurm, written to' 'nothing is submitted unless it is to be'
if [ "$(stat -c %a "$quick/slurm" "$quick/slurm/2/chunk-1" \
    "$quick/slurm/2/chunk-2/gpugrade.sqlite" | tr '\n' ' ')" = '700 700 600 ' ] &&
    [ -f "$quick/slurm/2/job.sh" ]; then
    pass 'chunks are for their owner only'
else
    fail 'chunks are for their owner only' "$(ls -lR "$quick/slurm")"
fi
batch --resume -o "$quick/slurm/2/chunk-1"
says 0 '2 of 2 submissions' 'a chunk grades its own submissions and no others'
batch --resume -o "$quick"
says 0 '1 of 1 submissions' 'what a chunk has graded is taken over, and the rest is finished here'
batch --resume -o "$quick/slurm/2/chunk-2"
says 0 '0 of 0 submissions' 'a task that comes late has nothing to do'

# The same chunks by the Job that --k8s writes, its Pods played here.
k8s=$SCRATCH/k8s.results
cat >"$SCRATCH/pod.json" <<'END'
{"metadata": {"labels": {"course": "cs-101"}},
 "spec": {"containers": [{"image": "example.org/gpugrade:1", "command": ["touch", "hit"],
                          "volumeMounts": [{"name": "home", "mountPath": "/home"}]}],
          "volumes": [{"name": "home", "persistentVolumeClaim": {"claimName": "home"}}]}}
END
echo '{"spec": {"containers": [{"name": "gpugrade"}]}}' >"$SCRATCH/no_image.json"
batch "$SCRATCH/quick" -o "$k8s" --coursework matmul --k8s "$SCRATCH/no_image.json"
says 2 'no_image.json:1:1: expected a Pod template with an image' 'a Pod needs an image'
batch "$SCRATCH/quick" -o "$k8s" --coursework matmul --k8s "$SCRATCH/pod.json" --slurm-time 30
says 2 '--slurm-time needs --slurm; leave it out' 'Kubernetes is not asked for what only Slurm has'
batch "$SCRATCH/quick" -o "$k8s" --coursework matmul --seed 7 --k8s "$SCRATCH/pod.json" \
    --slurm-chunk 2 --slurm-memory 8G -j 3
says 0 'submissions in 2 tasks for Kubernetes: kubectl create -f' 'a Job for Kubernetes is written'
if python3 "$here/k8s_job.py" "$k8s/slurm/1/job.json" >"$SCRATCH/problems" 2>&1; then
    pass 'the Job has the fields that Kubernetes documents'
else
    fail 'the Job has the fields that Kubernetes documents' "$SCRATCH/problems"
fi
for index in 0 1; do
    python3 "$here/k8s_job.py" --run "$index" "$k8s/slurm/1/job.json" >"$SCRATCH/out" \
        2>"$SCRATCH/err" </dev/null
    status=$?
    says 0 "$((2 - index)) of $((2 - index)) submissions" "Pod $index grades its chunk"
done
batch --slurm-merge -o "$k8s"
says 0 'merged: 2 chunks; left to grade: 0 submissions' 'what the Pods have graded is taken over'
batch --resume -o "$k8s" --k8s "$SCRATCH/pod.json"
says 0 'left to grade: 0 submissions' 'then no second Job is written'

# What sbatch is called with, by an sbatch that takes down its words.
mkdir "$SCRATCH/fake"
cat >"$SCRATCH/fake/sbatch" <<'END'
#!/bin/sh
printf '%s\n' "$@" >>"${0%/*}/words"
if [ -f "${0%/*}/refuses-merge" ] && echo "$*" | grep -q merge.sh; then
    echo 'sbatch: error: not today' >&2
    exit 1
fi
cat "${0%/*}/answer"
END
chmod 755 "$SCRATCH/fake/sbatch"
echo '17;far away' >"$SCRATCH/fake/answer"
cat >"$SCRATCH/site.json" <<'END'
{"partition": "teaching", "time": "02:00:00", "memory": "8G", "gres": "gpu:h200:1", "chunk": 2,
 "jobs": 3, "options": ["--qos=low; touch hit", "--comment=$(touch hit)"]}
END
rm -rf "$quick"
batch_on "$SCRATCH/fake:$PATH" "$SCRATCH/quick" -o "$quick" --coursework matmul --slurm \
    --slurm-site "$SCRATCH/site.json" --slurm-account cs-101
says 0 'job 17 grades them in 2 tasks, job 17 merges the results' \
    'jobs are told by their numbers'
folder=$(CDPATH='' cd -- "$quick/slurm/1" && pwd -P)
binary=$(grep -m 1 '/bin/gpugrade$' "$SCRATCH/fake/words")
cat >"$SCRATCH/expected" <<END
--parsable
--export=ALL
--requeue
--open-mode=append
--nodes=1
--ntasks=1
--chdir=$folder
--partition=teaching
--account=cs-101
--time=02:00:00
--job-name=gpugrade
--output=task-%a.log
--signal=B:TERM@120
--array=1-2
--cpus-per-task=3
--mem=8G
--gres=gpu:h200:1
--qos=low; touch hit
--comment=\$(touch hit)
$folder/job.sh
$REPO
$binary
$folder
--parsable
--export=ALL
--requeue
--open-mode=append
--nodes=1
--ntasks=1
--chdir=$folder
--partition=teaching
--account=cs-101
--time=02:00:00
--job-name=gpugrade-merge
--output=merge.log
--dependency=afterany:17
--cpus-per-task=1
--qos=low; touch hit
--comment=\$(touch hit)
$folder/merge.sh
$REPO
$binary
${folder%/slurm/1}
END
if diff "$SCRATCH/expected" "$SCRATCH/fake/words" >"$SCRATCH/diff"; then
    pass 'sbatch gets what was asked for, word by word'
else
    fail 'sbatch gets what was asked for, word by word' "$SCRATCH/diff"
fi
: >"$SCRATCH/fake/refuses-merge"
batch_on "$SCRATCH/fake:$PATH" --resume -o "$quick" --slurm
says 3 'gpugrade batch --slurm-merge -o' 'without a last job it says how to do its work'
if grep -q -- --gres=gpu:1 "$SCRATCH/fake/words"; then
    pass 'where speed is graded a GPU is asked for'
else
    fail 'where speed is graded a GPU is asked for' "$SCRATCH/fake/words"
fi
echo 'Submitted batch job 17' >"$SCRATCH/fake/answer"
rm -rf "$quick" "$SCRATCH/fake/words"
batch_on "$SCRATCH/fake:$PATH" "$SCRATCH/quick" -o "$quick" --coursework matmul --slurm \
    --device emulated
says 3 "expected to print the number of a job, got 'Submitted" 'an answer that is none is refused'
if grep -q -- --gres "$SCRATCH/fake/words"; then
    fail 'on the emulated device no GPU is asked for' "$SCRATCH/fake/words"
else
    pass 'on the emulated device no GPU is asked for'
fi

if ! cluster_start; then
    skip 'a class graded by Slurm' "$cluster_trouble"
    finish
fi
PATH=$cluster/bin:$PATH
export PATH
batch "$SCRATCH/quick" -o "$SCRATCH/100%a" --coursework matmul --device emulated --slurm
says 2 "contains a '%'" 'a path in which Slurm would replace something is refused'
rm -rf "$quick"
batch "$SCRATCH/quick" -o "$quick" --coursework matmul --seed 7 --device emulated --slurm \
    --slurm-partition nowhere
says 3 'sbatch refused the job: sbatch: error:' 'what sbatch says is passed on'

batch "$class" -o "$results" --seed 0x5eed --coursework matmul --device emulated --slurm -j 1 \
    --slurm-chunk $(((size + 2) / 3)) --slurm-time 30
says 0 "$size submissions sent to Slurm: job " 'a class is handed to Slurm'
if grep -q 'student' "$results/slurm/1/job.sh" "$results/slurm/1/merge.sh" \
    "$results/slurm/1/submit.txt"; then
    fail 'no script holds the name of a submission' "$results/slurm/1/submit.txt"
else
    pass 'no script holds the name of a submission'
fi
if within 300 hold_victim; then
    batch --resume -o "$results"
    says 2 'a task of the cluster is grading' 'what is being graded is not graded here too'
    cluster_kill_node node2
    pass "a node is lost in the middle of task $victim"
else
    fail 'a node is lost in the middle of a task' "$(cat "$results"/slurm/1/*.log; squeue)"
fi
if within $((600 + 20 * size)) no_job_left; then
    pass 'all jobs end'
else
    fail 'all jobs end' "$(squeue; scontrol show job; tail -n 20 "$results"/slurm/1/*.log)"
fi
restarts=$(grep -c '^gpugrade: \|submissions:' "$results/slurm/1/task-$victim.log")
if [ "$restarts" -ge 1 ] && [ "$(lines_of "$victim")" -eq "$(listed_for "$victim")" ]; then
    pass 'its task goes on where it was'
else
    fail 'its task goes on where it was' "$results/slurm/1/task-$victim.log"
fi
if grep -q '^merged: 3 chunks; left to grade: 0 submissions$' \
    "$results/slurm/1/merge.log"; then
    pass 'the last job puts the results together'
else
    fail 'the last job puts the results together' "$results/slurm/1/merge.log"
fi
batch --resume -o "$results" --slurm
says 0 'left to grade: 0 submissions' 'then nothing is left to grade'

# A task that is told to end, as before its time is up. The program that it then grades waits, so that
# it has not ended before.
short=$SCRATCH/short
mkdir "$SCRATCH/two" "$SCRATCH/two/anna" "$SCRATCH/two/bert"
cp "$solution/exercise1_tiled.cu" "$SCRATCH/two/anna/"
printf '#include <unistd.h>\nstatic const unsigned left = sleep(60);\n' \
    >>"$SCRATCH/two/anna/exercise1_tiled.cu"
cp "$solution"/*.cu "$SCRATCH/two/bert/"
batch "$SCRATCH/two" -o "$short" --seed 7 --coursework matmul --device emulated --slurm -j 1
says 0 '2 submissions sent to Slurm: job ' 'another class is handed to Slurm'
job=$(sed -n 's/.*: job \([0-9]*\) grades.*/\1/p' "$SCRATCH/out")
within 300 is_building
scancel --signal=TERM --batch "${job}_1"
if within 600 no_job_left && grep -q '^merged: 1 chunk; left to grade: 1 submission$' \
    "$short/slurm/1/merge.log"; then
    pass 'a task that is told to end finishes what it is grading'
else
    fail 'a task that is told to end finishes what it is grading' \
        "$(squeue; tail -n 20 "$short"/slurm/1/*.log)"
fi
batch --resume -o "$short"
says 0 '1 of 1 submissions: 1 graded' 'and the rest is finished here'

batch "$class" -o "$SCRATCH/here" --seed 0x5eed --coursework matmul --device emulated
says 0 "$size of $size submissions" 'the same class is graded here'
for show in table marks; do
    python3 "$here/stored.py" "$show" "$SCRATCH/here" >"$SCRATCH/expected" 2>&1
    python3 "$here/stored.py" "$show" "$results" >"$SCRATCH/got" 2>&1
    if [ "$(wc -l <"$SCRATCH/got")" -eq "$size" ] &&
        diff "$SCRATCH/expected" "$SCRATCH/got" >"$SCRATCH/diff"; then
        pass "Slurm's $show is the same"
    else
        fail "Slurm's $show is the same" "$SCRATCH/diff"
    fi
done
left=$(ls -A "$TMPDIR")
if [ -z "$left" ] && [ -z "$(find "$SCRATCH" -name hit)" ]; then
    pass 'nothing is left behind'
else
    fail 'nothing is left behind' "$left"
fi
finish
