"""Shared by the tests: reads the figures of the committed pages."""

import json
from pathlib import Path

HERE = Path(__file__).parent
PAGES = Path("content/perf")


def page_figures():
    """Returns n, estimate and sum of each figure, by report, implementation, version, variant, scenario and unit."""
    figures = {}
    for path in PAGES.glob("*/data.json"):
        page = json.loads(path.read_text())
        for figure in page["figures"]:
            implementation = page["implementations"][figure["implementation"]]
            names = implementation["name"], implementation["version"], "+".join(implementation["variant"])
            key = page["report"], *names, figure["scenario"], figure["unit"]
            figures[key] = figure["n"], figure["estimate"], sum(figure["values"])
    return figures


def near(a, b):
    return a == b or a is not None and b is not None and abs(a / b - 1) < 1e-12


def check_medians(rows):
    expected = page_figures()
    for report, _, name, version, variant, scenario, unit, median, runs in rows:
        n, estimate, _ = expected.pop((report, name, version or "", variant or "", scenario, unit), (0, None, 0))
        assert n == runs and near(median, estimate), (report, name, version, scenario, median, estimate)
    # A latency histogram merged over all runs is a figure without values.
    assert rows and not [figure for figure in expected.values() if figure[0]], expected
    print(f"{len(rows)} medians and numbers of runs match the pages")


def check_totals(count, total):
    figures = page_figures().values()
    assert count == sum(n for n, *_ in figures), count
    expected = sum(values for *_, values in figures)
    assert abs(total / expected - 1) < 1e-9, (total, expected)
    print(f"{count} values with the sum {total:.6g} match the pages")
