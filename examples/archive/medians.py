"""medians.sql in Spark: the median of each release in each scenario, as on the report's page.

In the root of the site: spark-submit medians.py
"""

from pyspark.sql import SparkSession


def medians(spark, path="content/perf/*/data.csv"):
    # Without inferSchema, a version such as 3.10 stays text. Quotes are doubled, not escaped.
    spark.read.csv(path, header=True, escape='"').createOrReplaceTempView("observations")
    return spark.sql("""
        SELECT report, machine, implementation, version, variant, scenario, unit,
               median(double(value)) AS median, count(value) AS runs
        FROM observations
        GROUP BY ALL ORDER BY ALL""")


if __name__ == "__main__":
    medians(SparkSession.builder.appName("medians").getOrCreate()).show(100, truncate=False)
