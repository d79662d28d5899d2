"""Makes the archive of data/ and queries it as in README.md, and compares the results with the pages.

In the root of the repository, with the generator's path: python examples/archive/test.py GENERATOR
"""

import os
import re
import tempfile

import duckdb

from pages import HERE, PAGES, ROOT, check_medians, check_totals, make_archive


def readme_queries():
    """Returns the queries of README.md by name; the files in examples/archive/ must be the same."""
    readme = (ROOT / "README.md").read_text()
    shown = dict(zip(["create", "medians", "change"], re.findall(r"```sql\n(.*?)```", readme, re.S), strict=True))
    for name, sql in shown.items():
        assert (HERE / f"{name}.sql").read_text() == sql, f"{name}.sql differs from README.md"
    return shown


def check_change(rows):
    page = (PAGES / "2026-03-07-x86_64/index.md").read_text().split('id="changes"')[-1]
    caption = "rustls 0.23.31 ➡️ rustls 0.23.37"
    table = page[page.index(f"<caption><span>{caption}"):]
    table = table[: table.index("</table>")]
    for scenario, unit, old, new, ratio in rows:
        row = next(line for line in table.splitlines() if f">{scenario}</a></th>" in line)
        factor = f"{max(ratio, 1 / ratio):.2f}x {'faster' if ratio > 1 else 'slower'}"
        words = "no change" if factor.startswith("1.00x") else factor
        assert words in row, (scenario, words, row)
    assert len(rows) == table.count("<tr id="), len(rows)
    print(f"{len(rows)} changes match the page")


queries = readme_queries()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    make_archive()
    check_medians(duckdb.sql(queries["medians"]).fetchall())
    check_totals(*duckdb.sql("SELECT count(value), sum(value) FROM 'archive/**/*.parquet'").fetchall()[0])
    check_change(duckdb.sql(queries["change"]).fetchall())
    os.chdir(ROOT)
