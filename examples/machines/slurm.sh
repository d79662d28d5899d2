#!/bin/bash
# Measures the same releases on several nodes of a Slurm cluster. Each task of the array measures all
# releases on a node of its own, so that no comparison spans machines:
#
#     sbatch --array=1-4 examples/machines/slurm.sh rustls@0.23.43 openssl@3.5.1
#
# The reports are written to data/, or to the folder in DATA, which all nodes share. A task resumes an
# interrupted report of its node, and does nothing if the report is complete.
#SBATCH --job-name=generator
#SBATCH --nodes=1
#SBATCH --exclusive
#SBATCH --time=24:00:00
set -euo pipefail

report=$(date --utc +%F)-$(uname -m)-${SLURMD_NODENAME:?start this script with sbatch}
exec "${GENERATOR:-generator}" run "$@" --out "${DATA:-data}/$report"
