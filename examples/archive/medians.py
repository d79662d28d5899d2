"""medians.sql in Spark: the median of each release in each scenario, as on the report's page.

In the folder that contains `archive`: spark-submit medians.py
"""

from pyspark.sql import SparkSession


def medians(spark, archive="archive"):
    # Keep names as text: a machine may be called 1e3.
    spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", False)
    spark.read.parquet(archive).createOrReplaceTempView("observations")
    return spark.sql("""
        SELECT report, machine, implementation, version, variant, scenario, unit,
               median(value) AS median, count(value) AS runs
        FROM observations
        GROUP BY ALL ORDER BY ALL""")


if __name__ == "__main__":
    medians(SparkSession.builder.appName("medians").getOrCreate()).show(100, truncate=False)
