#!/bin/bash
# Measures the same releases on several hosts in parallel, and copies the reports to data/, or to the
# folder in DATA. Each host measures all releases, so that no comparison spans machines:
#
#     examples/machines/ssh.sh 'rustls@0.23.43 openssl@3.5.1' host-a user@host-b
#
# `generator` must be on the PATH of the hosts. After an interruption, run it again on the same day to resume.
set -euo pipefail

arguments=$1 day=$(date --utc +%F) data=${DATA:-data}
shift
mkdir -p "$data"

measure() {
    report=$day-$(ssh -n "$1" uname -m)-${1##*@}
    ssh -n "$1" "generator run $arguments --out 'reports/$report'"
    ssh -n "$1" "tar -C reports --exclude='.*' -cf - '$report'" | tar -C "$data" -xf -
}

tasks=()
for host in "$@"; do
    measure "$host" 2> >(sed "s/^/$host: /" >&2) &
    tasks+=($!)
done
failed=0
for task in "${tasks[@]}"; do
    wait "$task" || failed=1
done
exit "$failed"
