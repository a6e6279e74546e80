#!/bin/bash
# Runs the script of `hopscope cluster slurm` on a real Slurm: a controller and a node on this
# machine, in a folder of their own, which are stopped at the end.
#
#   tests/slurm.sh [PATH OF hopscope]
#
# An array of four tasks runs an experiment. One task is killed half way and requeued, and goes on
# where it was. The merged results must be those of a sweep on this machine, byte for byte. It needs
# Debian's packages slurmctld, slurmd, slurm-client and munge (as root they are installed), and takes
# about a minute. It is no part of `cargo xtask test`, which must run where they cannot be installed.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
hopscope=$(realpath "${1:-$root/target/debug/hopscope}")
[ -x "$hopscope" ] || { echo "no $hopscope: run cargo build -p hopscope" >&2; exit 2; }
if ! command -v slurmctld slurmd sbatch munged > /dev/null; then
  apt-get install --yes --no-install-recommends slurmctld slurmd slurm-client munge
fi

work=$(mktemp -d /tmp/hopscope-slurm.XXXXXX)
started=()
stop() {
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do kill "${started[i]}" 2> /dev/null || true; done
  wait 2> /dev/null || true
  if [ "$passed" = yes ]; then rm -rf "$work"; else echo "logs are in $work" >&2; fi
}
passed=no
trap stop EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

# Slurm refuses a key and a socket that others can write.
chmod 755 "$work"
(umask 077 && head -c 128 /dev/urandom > "$work/key" && mkdir "$work/state")
mkdir "$work/socket" "$work/spool"
munged --foreground --force --num-threads=1 --key-file="$work/key" \
  --socket="$work/socket/munge" --pid-file="$work/munged.pid" --log-file="$work/munged.log" \
  --seed-file="$work/seed" > "$work/munged.out" 2>&1 &
started+=($!)

node=$(hostname -s)
export SLURM_CONF="$work/slurm.conf"
cat > "$SLURM_CONF" << EOF
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$work/socket/munge
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmdSpoolDir=$work/spool
StateSaveLocation=$work/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
ReturnToService=2
MpiDefault=none
JobRequeue=0
# A requeued task waits two minutes otherwise.
SchedulerParameters=sched_interval=2,sched_min_interval=100000
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
EOF
slurmctld -D -c -f "$SLURM_CONF" > "$work/slurmctld.log" 2>&1 &
started+=($!)
slurmd -D -c -N "$node" -f "$SLURM_CONF" > "$work/slurmd.log" 2>&1 &
started+=($!)

await() { # SECONDS WHAT COMMAND...
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    ((SECONDS < end)) || fail "$what"
    sleep 0.2
  done
}
is_idle() { sinfo --noheader --format=%t 2> /dev/null | grep -q '^idle'; }
await 60 "the node did not start" is_idle
echo "Slurm $(sinfo --version | cut -d' ' -f2) runs on $node"

cat > "$work/experiment.json" << EOF
{ "hopscope_experiment": 1, "name": "Slurm",
  "base": { "hopscope": 1, "name": "eight switches",
    "network": { "generate": { "kind": "irregular", "switches": 8 } },
    "measure": { "warmup_messages": 2000, "messages": ${MESSAGES:-60000} } },
  "axes": [ { "path": "routing.preset", "values": ["UD", "UD_ITB"] },
    { "path": "seed", "values": [1, 2, 3] },
    { "path": "traffic.0.load", "values": [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08] } ] }
EOF
out="$work/out of the cluster"
"$hopscope" cluster slurm "$work/experiment.json" --out "$out" --tasks 4 > "$work/job.sh"
bash -n "$work/job.sh"
job=$(sbatch --parsable "$work/job.sh")
echo "job $job: $(grep -c . "$work/job.sh") lines, $(grep -- --time= "$work/job.sh")"

# Kill task 1 after some of its points, as a node that fails does.
results="$out/results-1-of-4.jsonl"
lines() { if [ -f "$results" ]; then wc -l < "$results"; else echo 0; fi; }
has_some() { (($(lines) >= 4)); }
await 120 "task 1 wrote no results" has_some
before=$(lines)
scontrol requeue "${job}_1"
((before < 13)) || fail "task 1 ended before it was killed: use more MESSAGES"
echo "task 1 requeued after $((before - 1)) of 12 points"
restarts() { scontrol show job "${job}_1" 2> /dev/null | grep -q 'Restarts=1'; }
await 60 "task 1 was not requeued" restarts
# Slurm holds a requeued job back for two minutes; its begin time can be changed.
is_pending() { scontrol show job "${job}_1" | grep -q 'JobState=PENDING'; }
await 60 "task 1 does not wait" is_pending
scontrol update jobid="${job}_1" starttime=now

ended() { [ -z "$(squeue --noheader --job "$job" 2> /dev/null)" ]; }
await 300 "the array did not end" ended
cat "$out"/task-*.log
grep -q "12 points, about" "$out/task-2.log" || fail "task 2 did not run 12 points"
left=$(grep -o '^[0-9]* points, about' "$out/task-1.log" | tail -1 | cut -d' ' -f1)
((left < 12)) || fail "task 1 began again"
echo "task 1 went on with $left points"

"$hopscope" merge "$out" --out "$work/merged"
"$hopscope" sweep "$work/experiment.json" --out "$work/local"
for name in results.csv results.json; do
  cmp "$work/merged/$name" "$work/local/$name" || fail "$name differs"
done
fingerprints=$(grep -o '"fingerprint":"[0-9a-f]*"' "$work/merged/results.json" | sort -u | wc -l)
[ "$fingerprints" = 48 ] || fail "$fingerprints fingerprints of 48 points"
passed=yes
echo "passed: 48 points have the same fingerprints on the cluster and here"
