"""Queries the datasets of all reports with DuckDB, and compares the results with the generator's.

In the root of the repository: python examples/archive/test.py GENERATOR
"""

import duckdb

from pages import HERE, check_medians


check_medians(duckdb.sql((HERE / "medians.sql").read_text()).fetchall())
