#!/bin/bash
# Measures the same releases on nodes of a Slurm cluster. Each task of the array has a node for itself and
# measures everything there, so that no comparison is split over machines:
#
#     sbatch --array=1-4 examples/machines/slurm.sh rustls@0.23.43 openssl@3.5.1 --runs 30
#
# The reports come into data/, or the folder that DATA names, which all nodes share. A task on a node that has
# measured already finds its report whole and ends; one that was cut off goes on.
#SBATCH --job-name=generator
#SBATCH --nodes=1
#SBATCH --exclusive
#SBATCH --time=24:00:00
set -euo pipefail

report=$(date --utc +%F)-$(uname -m)-${SLURMD_NODENAME:?sbatch starts this script}
exec "${GENERATOR:-generator}" run "$@" --out "${DATA:-data}/$report"
