"""Makes the archive of data/ as README.md says it, and compares what the queries there give with the pages.

From the root of the repository, with the generator's path: python examples/archive/test.py GENERATOR
"""

import os
import re
import tempfile

import duckdb

from pages import HERE, PAGES, ROOT, check_medians, check_totals, make_archive


def blocks():
    """What README.md shows, by name; a file of examples/archive/ may say it once more."""
    readme = (ROOT / "README.md").read_text()
    shown = dict(zip(["create", "medians", "change"], re.findall(r"```sql\n(.*?)```", readme, re.S), strict=True))
    for name, sql in shown.items():
        assert (HERE / f"{name}.sql").read_text() == sql, f"{name}.sql is not what README.md shows"
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
    print(f"{len(rows)} changes are those of the page")


queries = blocks()
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    make_archive()
    check_medians(duckdb.sql(queries["medians"]).fetchall())
    check_totals(*duckdb.sql("SELECT count(value), sum(value) FROM 'archive/**/*.parquet'").fetchall()[0])
    check_change(duckdb.sql(queries["change"]).fetchall())
    os.chdir(ROOT)
