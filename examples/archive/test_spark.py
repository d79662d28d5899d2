"""Queries the datasets of all reports in Spark's local mode, and compares the results with the pages.

In the root of the repository: python examples/archive/test_spark.py
"""

import os
import sys

from pyspark.sql import SparkSession

from medians import medians
from pages import check_medians, check_totals

os.environ["PYSPARK_PYTHON"] = sys.executable
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False).config("spark.sql.shuffle.partitions", 2).getOrCreate()
check_medians(medians(spark).collect())
check_totals(*spark.sql("SELECT count(value), sum(double(value)) FROM observations").first())
spark.stop()
