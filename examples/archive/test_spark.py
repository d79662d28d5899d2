"""Queries the datasets of all reports in Spark's local mode, and compares the results with the generator's.

In the root of the repository: python examples/archive/test_spark.py GENERATOR
"""

import os
import sys

from pyspark.sql import SparkSession

from medians import medians
from pages import check_medians

os.environ["PYSPARK_PYTHON"] = sys.executable
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False).config("spark.sql.shuffle.partitions", 2).getOrCreate()
check_medians(medians(spark).collect())
spark.stop()
