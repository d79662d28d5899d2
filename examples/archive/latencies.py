"""Converts the latency captures of many hosts, CAPTURES/HOST/IMPLEMENTATION/latency-….tsv, into the histogram logs
of one report, REPORT/IMPLEMENTATION/latency-….hlog. Each capture becomes one line; `generator ingest` merges them.

    spark-submit latencies.py CAPTURES REPORT

CAPTURES is a folder or URL that Spark can read; `generator` must be on the PATH of the workers.
"""

import subprocess
import sys
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pandas
from pyspark.sql import SparkSession
from pyspark.sql.functions import regexp_extract

# Each thread of a benchmark writes its own capture: latency-fullhs-tls13-server-1-latency.tsv.
PATH = r"([^/]+)/(latency-(?:fullhs|resume)-tls1[23]-(?:client|server))[^/]*$"
LOG = ["implementation", "scenario"]


def log_lines(captures):
    for batch in captures:
        lines = []
        for capture in batch.itertuples():
            run = subprocess.run(["generator", "histogram", "-"], input=capture.content, capture_output=True)
            if run.returncode:
                raise RuntimeError(f"{capture.path}: {run.stderr.decode()}")
            lines.append(run.stdout.decode())
        yield pandas.concat([batch[[*LOG, "path"]], pandas.Series(lines, batch.index, name="line")], axis=1)


def make_logs(spark, captures, report):
    # Keep only one capture at a time in a worker's memory.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 1)
    files = spark.read.format("binaryFile").load(f"{captures}/*/*/*.tsv")
    part = lambda group: regexp_extract("path", PATH, group)
    files = files.select("path", "content", part(1).alias("implementation"), part(2).alias("scenario"))
    lines = files.mapInPandas(log_lines, ", ".join(f"{column} string" for column in [*LOG, "path", "line"]))
    for (implementation, scenario), rows in groupby(lines.orderBy(*LOG, "path").toLocalIterator(), itemgetter(*LOG)):
        log = Path(report, implementation, f"{scenario}.hlog")
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("#[Histogram log format version 1.3]\n" + "".join(row.line for row in rows))


if __name__ == "__main__":
    make_logs(SparkSession.builder.appName("latencies").getOrCreate(), *sys.argv[1:])
