#!/bin/bash
# Measures the same releases on several hosts at once, and brings the reports into data/, or the folder that
# DATA names. Each host measures everything, so that no comparison is split over machines:
#
#     examples/machines/ssh.sh 'rustls@0.23.43 openssl@3.5.1 --runs 30' host-a user@host-b
#
# The hosts have `generator` on their PATH. A loop that was cut off goes on where it was, on the same day.
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
