"""Runs the jobs in Spark's local mode, and compares their results with the pages.

In the root of the repository, with the generator's path: python examples/archive/test_spark.py GENERATOR
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

from medians import medians
from pages import GENERATOR, HERE, check_medians, check_totals, make_archive, page_figures, run_generator


def make_captures(folder):
    """Writes captures like those of rustls-bench and openssl-bench on three hosts: a file per scenario and thread."""
    random.seed(1)
    for host in ["alpha", "beta", "gamma-3"]:
        for implementation, threads in [("rustls_0.23.43", ["ThreadId(2)", "ThreadId(3)"]), ("openssl_3.5.1", ["139705684453056"])]:
            for scenario in ["fullhs-tls13-server", "resume-tls12-client"]:
                for thread in threads:
                    capture = folder / host / implementation / f"latency-{scenario}-{thread}-latency.tsv"
                    capture.parent.mkdir(parents=True, exist_ok=True)
                    times = (f"{1.7e9 + i / 1e4:.6f}\t{random.lognormvariate(5, 0.5):.3f}\n" for i in range(2000))
                    capture.write_text("".join(times))


def ingest(report):
    """Ingests a report into a new site, and returns the figures of its page."""
    site = report / "../site"
    site.mkdir()
    (site / "config.toml").write_text('base_url = "/"\n')
    run_generator("ingest", report, "--site", site, "--no-cards")
    return page_figures(site / "content/perf")


def make_logs(*folders):
    return subprocess.run([sys.executable, HERE / "latencies.py", *folders], capture_output=True, text=True)


def check_latencies(folder):
    captures, direct, logs = folder / "captures", folder / "direct/2026-05-05-x", folder / "logs/2026-05-05-x"
    make_captures(captures)
    # In one folder, the captures of all hosts are one run.
    for capture in captures.glob("*/*/*.tsv"):
        host, implementation = capture.parts[-3:-1]
        (direct / implementation).mkdir(parents=True, exist_ok=True)
        shutil.copy(capture, direct / implementation / f"{host}-{capture.name}")
    job = make_logs(captures, logs)
    assert job.returncode == 0, job.stderr
    expected, found = ingest(direct), ingest(logs)
    assert len(expected) == 2 * 2 * 7 and found.keys() == expected.keys(), expected
    for key, (n, estimate, _) in expected.items():
        # A histogram keeps three significant digits of the minimum, as of all values but the maximum.
        is_same = abs(found[key][1] / estimate - 1) < 1e-3 if key[4].endswith(", min") else found[key][1] == estimate
        assert n == found[key][0] and is_same, (key, estimate, found[key])
    print(f"{len(found)} figures of {len(list(logs.glob('*/*.hlog')))} logs match those of {len(list(captures.glob('*/*/*')))} captures")
    bad = captures / "alpha/openssl_3.5.1/latency-fullhs-tls13-client-1-latency.tsv"
    bad.write_text("1700000000.5\t12")
    job = make_logs(captures, folder / "bad")
    assert job.returncode and bad.name in job.stderr and "may be truncated" in job.stderr, job.stderr


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    Path("generator").symlink_to(GENERATOR)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False).config("spark.sql.shuffle.partitions", 2).getOrCreate()
    make_archive()
    check_medians(medians(spark).collect())
    check_totals(*spark.sql("SELECT count(value), sum(value) FROM observations").first())
    spark.stop()
    check_latencies(Path(folder))
    os.chdir("/")
