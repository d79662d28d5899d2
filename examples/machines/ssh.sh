#!/bin/bash
# Measures the same releases on several hosts in parallel, and copies the reports to data/, or to the
# folder in DATA. Each host measures all releases, so that no comparison spans machines:
#
#     examples/machines/ssh.sh 'rustls@0.23.43 openssl@3.5.1' host-a user@host-b
#
# `generator` must be on the PATH of the hosts, which need not be trusted with the other reports. After an
# interruption, run it again on the same day to resume; reports that have arrived stay as they are.
set -euo pipefail

arguments=$1 day=$(date --utc +%F) data=${DATA:-data} here=$(dirname "$0")
shift
mkdir -p "$data"
received=$(mktemp -d)
trap 'rm -rf "$received"' EXIT

measure() {
    report=$day-$(ssh -n "$1" uname -m)-${1##*@}
    [[ $report =~ ^[0-9A-Za-z._-]+$ ]] || { echo 'its name or architecture cannot name a report' >&2; return 1; }
    [[ ! -e $data/$report ]] || { echo "$data/$report is there" >&2; return; }
    ssh -n "$1" "generator run $arguments --out 'reports/$report'"
    ssh -n "$1" "tar -C reports --exclude='.*' -cf - '$report'" >"$received/$report.tar"
    "$here/../unpack" "$received/$report.tar" "$received/$report"
    "$here/../../.github/add-reports" "$data" "$received/$report/$report"
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
