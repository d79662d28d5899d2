"""Makes the archive of data/ as README.md says it, and compares what the queries there give with the pages.

From the root of the repository, with the generator's path: python examples/archive/test.py GENERATOR
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

GENERATOR, ROOT = Path(sys.argv[1]).resolve(), Path.cwd()
PAGES = ROOT / "content/perf"


def page_figures():
    """The figures of all pages by report, implementation, version, variant, scenario and unit."""
    figures = {}
    for path in PAGES.glob("*/data.json"):
        page = json.loads(path.read_text())
        for figure in page["figures"]:
            of = page["implementations"][figure["implementation"]]
            names = of["name"], of["version"], "+".join(of["variant"])
            key = page["report"], *names, figure["scenario"], figure["unit"]
            figures[key] = figure["n"], figure["estimate"], sum(figure["values"])
    return figures


def near(a, b):
    return a == b or a is not None and b is not None and abs(a / b - 1) < 1e-12


def blocks():
    """What README.md shows, by name; a file of examples/archive/ may say it once more."""
    readme = (ROOT / "README.md").read_text()
    shown = dict(zip(["create", "medians", "change"], re.findall(r"```sql\n(.*?)```", readme, re.S), strict=True))
    for name, sql in shown.items():
        assert (ROOT / f"examples/archive/{name}.sql").read_text() == sql, f"{name}.sql is not what README.md shows"
    return shown


def test_medians(rows):
    expected = page_figures()
    for report, _, name, version, variant, scenario, unit, median, runs in rows:
        n, estimate, _ = expected.pop((report, name, version or "", variant or "", scenario, unit), (0, None, 0))
        assert n == runs and near(median, estimate), (report, name, scenario, median, estimate)
    # A latency's histogram of all runs is a figure without values.
    assert not [figure for figure in expected.values() if figure[0]], expected
    print(f"{len(rows)} medians and numbers of runs are those of the pages")


def test_totals(count, total):
    figures = page_figures().values()
    assert count == sum(n for n, *_ in figures), count
    expected = sum(values for *_, values in figures)
    assert abs(total / expected - 1) < 1e-9, (total, expected)
    print(f"{count} values with the sum {total:.6g}, as on the pages")


def test_change(rows):
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
    out = Path(folder) / "observations.csv"
    subprocess.run([GENERATOR, "--quiet", "export", ROOT / "data", "--out", out], check=True)
    os.chdir(folder)
    duckdb.sql(queries["create"])
    test_medians(duckdb.sql(queries["medians"]).fetchall())
    test_totals(*duckdb.sql("SELECT count(value), sum(value) FROM 'archive/**/*.parquet'").fetchall()[0])
    test_change(duckdb.sql(queries["change"]).fetchall())
    os.chdir(ROOT)
