"""Queries the datasets of all reports with DuckDB, and compares the results with the generator's.

In the root of the repository: python examples/archive/test.py GENERATOR
"""

import duckdb

from pages import HERE, PAGES, check_medians


def query(name):
    return duckdb.sql((HERE / f"{name}.sql").read_text()).fetchall()


def check_change(rows):
    page = (PAGES / "2026-03-07-x86_64/figures/index.md").read_text()
    caption = "rustls 0.23.31 ➡️ rustls 0.23.37"
    table = page[page.index(f"<caption><span>{caption}"):]
    table = table[: table.index("</table>")]
    for scenario, unit, old, new, ratio in rows:
        row = next(line for line in table.splitlines() if f'data-of="{scenario}"' in line)
        factor = f"{max(ratio, 1 / ratio):.2f}x {'faster' if ratio > 1 else 'slower'}"
        words = "no change" if factor.startswith("1.00x") else factor
        assert words in row, (scenario, words, row)
    assert len(rows) == table.count("<tr id="), len(rows)
    print(f"{len(rows)} changes match the page")


check_medians(query("medians"))
check_change(query("change"))
