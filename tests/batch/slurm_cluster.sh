# shellcheck shell=sh disable=SC2034
# slurm_cluster.sh: a real Slurm on this machine, for one test; sourced behind shell_lib.sh, never
# run.
#
#   munged, slurmctld           from Debian's packages, unpacked below $SCRATCH: nothing is installed
#   slurmd -N node1, -N node2   two nodes with a core each
#
# cluster_start says with its status whether there is one; if not, $cluster_trouble says why. What
# was started is ended by cluster_stop, by the numbers of its processes.

cluster=$SCRATCH/cluster
cluster_root=$cluster/root
cluster_trouble=''
cluster_lib=''

# Unpacks what is not installed here.
cluster_unpack() {
    mkdir -p "$cluster_root" "$cluster/packages"
    set -- slurmctld slurmd slurm-client munge
    if ! apt-get install -s --no-install-recommends "$@" >"$cluster/plan" 2>&1 </dev/null; then
        timeout 300 apt-get update >"$cluster/update" 2>&1 </dev/null
        apt-get install -s --no-install-recommends "$@" >"$cluster/plan" 2>&1 </dev/null || return 1
    fi
    missing=$(sed -n 's/^Inst \([^ ]*\) .*/\1/p' "$cluster/plan")
    if [ -z "$missing" ]; then
        cluster_root=''
        return 0
    fi
    # shellcheck disable=SC2086 # a list of words
    (cd "$cluster/packages" && timeout 300 apt-get -o APT::Sandbox::User=root download -q $missing) \
        >"$cluster/download" 2>&1 </dev/null || return 1
    for package in "$cluster/packages"/*.deb; do
        dpkg -x "$package" "$cluster_root" || return 1
    done
}

cluster_configure() {
    cluster_lib=$(dirname -- "$(ls "$cluster_root"/usr/lib/*/slurm-wlm/libslurmfull.so)") || return 1
    # shellcheck disable=SC2046 # three numbers
    set -- $(python3 -c '
import socket
sockets = [socket.socket() for _ in range(3)]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))')
    cat >"$cluster/slurm.conf" <<END
ClusterName=gpugrade-test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$cluster/munge.socket
PluginDir=$cluster_lib
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool-%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd-%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdTimeout=300
MessageTimeout=60
ReturnToService=2
KillWait=2
PropagateResourceLimits=NONE
NodeName=node1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$2 CPUs=1
NodeName=node2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=$3 CPUs=1
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=60 State=UP
END
    head -c 128 /dev/urandom >"$cluster/munge.key" && chmod 600 "$cluster/munge.key"
    mkdir "$cluster/state" "$cluster/spool-node1" "$cluster/spool-node2"
    chmod 711 "$cluster"
    # The client's commands, for gpugrade and for the test, which find their libraries by this.
    mkdir "$cluster/bin"
    for name in sbatch sinfo squeue scontrol scancel; do
        {
            printf '#!/bin/sh\nSLURM_CONF=%s\n' "$cluster/slurm.conf"
            printf 'LD_LIBRARY_PATH=%s:%s\n' "$cluster_lib" "$(dirname -- "$cluster_lib")"
            printf 'export SLURM_CONF LD_LIBRARY_PATH\n'
            printf 'exec %s "$@"\n' "$cluster_root/usr/bin/$name"
        } >"$cluster/bin/$name"
        chmod 755 "$cluster/bin/$name"
    done
}

# cluster_daemon NAME WORD...: starts one, with its number in $cluster/NAME.started.
cluster_daemon() {
    daemon=$1
    shift
    LD_LIBRARY_PATH=$cluster_lib:$(dirname -- "$cluster_lib") "$@" >"$cluster/$daemon.out" 2>&1 \
        </dev/null &
    echo "$!" >"$cluster/$daemon.started"
}

cluster_node() {
    cluster_daemon "$1" "$cluster_root/usr/sbin/slurmd-wlm" -D -N "$1" -f "$cluster/slurm.conf" \
        -d "$cluster_root/usr/sbin/slurmstepd-wlm"
}

# cluster_is_alive: all that was started is still there; one that has ended has no command line.
cluster_is_alive() {
    for name in munged slurmctld node1 node2; do
        [ -n "$(tr -d '\0' <"/proc/$(cat "$cluster/$name.started")/cmdline")" ] || return 1
    done 2>/dev/null
}

cluster_start() {
    if [ "$(id -u)" != 0 ]; then
        cluster_trouble='slurmd needs root'
        return 1
    fi
    if ! mkdir "$cluster" || ! cluster_unpack; then
        cluster_trouble="Debian's packages of Slurm cannot be had here"
        return 1
    fi
    if ! cluster_configure; then
        cluster_trouble='Slurm cannot be configured here'
        return 1
    fi
    cluster_daemon munged "$cluster_root/usr/sbin/munged" -F --socket="$cluster/munge.socket" \
        --key-file="$cluster/munge.key" --log-file="$cluster/munged.log" \
        --pid-file="$cluster/munged.pid" --seed-file="$cluster/munge.seed"
    tries=0
    until [ -S "$cluster/munge.socket" ] || [ "$tries" -ge 600 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    cluster_daemon slurmctld "$cluster_root/usr/sbin/slurmctld-wlm" -D -f "$cluster/slurm.conf"
    cluster_node node1
    cluster_node node2
    tries=0
    until [ "$("$cluster/bin/sinfo" -h -t idle -o %D 2>/dev/null)" = 2 ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 600 ] || ! cluster_is_alive; then
            cluster_trouble="Slurm's nodes do not come up: $(tail -n 2 "$cluster"/*.out "$cluster"/*.log)"
            return 1
        fi
        sleep 0.2
    done
}

# cluster_processes NAME: the numbers of what a node's jobs run.
cluster_processes() {
    grep -lszx "SLURMD_NODENAME=$1" /proc/[0-9]*/environ |
        xargs grep -lszx "SLURM_CONF=$cluster/slurm.conf" | tr -dc '0-9\n'
}

# cluster_signal NAME SIGNAL: to what a node's jobs run.
cluster_signal() {
    for pid in $(cluster_processes "$1"); do
        kill -"$2" "$pid" 2>/dev/null
    done
}

# cluster_kill_node NAME: as if its power failed: the daemon, its steps and what they run. Slurm is told
# at once, and need not find out by a time that a busy machine might miss too.
cluster_kill_node() {
    kill -KILL "$(cat "$cluster/$1.started")"
    for pid in $(cluster_processes "$1"); do
        parent=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$pid/status" 2>/dev/null)
        case $(cat "/proc/$parent/comm" 2>/dev/null) in
        slurmstepd*) kill -KILL "$parent" 2>/dev/null ;;
        esac
        kill -KILL "$pid" 2>/dev/null
    done
    "$cluster/bin/scontrol" update NodeName="$1" State=DOWN Reason=lost
}

# cluster_go_on: what Slurm starts again it starts two minutes later; now will do.
cluster_go_on() {
    for job in $("$cluster/bin/squeue" -h -r -t PD -o '%i %r' | sed -n 's/ BeginTime$//p'); do
        "$cluster/bin/scontrol" update JobId="$job" StartTime=now
    done
}

cluster_stop() {
    [ -d "$cluster" ] || return 0
    [ ! -x "$cluster/bin/scancel" ] || timeout 20 "$cluster/bin/scancel" --state=PENDING,RUNNING \
        --user=root >/dev/null 2>&1
    for name in node1 node2 slurmctld munged; do
        [ ! -f "$cluster/$name.started" ] || kill "$(cat "$cluster/$name.started")" 2>/dev/null
    done
    for name in node1 node2 slurmctld munged; do
        [ ! -f "$cluster/$name.started" ] || wait "$(cat "$cluster/$name.started")" 2>/dev/null
    done
}
