"""Shared by the tests: the medians of the generator, and their comparison with those of another engine."""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGES = Path("content/perf")


def shown_figures():
    """Returns n and estimate of each figure, by report, name of the build, variant, scenario and unit."""
    figures = {}
    for path in PAGES.glob("*/data.csv"):
        report = path.parent.name
        shown = subprocess.check_output([sys.argv[1], "show", f"data/{report}", "--format", "json"])
        for figure in json.loads(shown):
            # The second measurement of one program is no build of the page.
            if "control" in (figure["variant"] or "").split("+"):
                continue
            key = report, build(figure["implementation"], figure["version"]), figure["variant"] or ""
            figures[*key, figure["scenario"], figure["unit"]] = figure["n"], figure["estimate"]
    return figures


def build(name, version):
    """`show` does not read report.toml, which says where the name ends and the version starts."""
    return f"{name} {version or ''}".strip().replace("-", " ")


def near(a, b):
    return a == b or a is not None and b is not None and abs(a / b - 1) < 1e-12


def check_medians(rows):
    expected = shown_figures()
    for report, _, name, version, variant, scenario, unit, median, runs in rows:
        n, estimate = expected.pop((report, build(name, version), variant or "", scenario, unit), (0, None))
        assert n == runs and near(median, estimate), (report, name, version, scenario, median, estimate)
    # A latency histogram merged over all runs is a figure without values.
    assert rows and not [n for n, _ in expected.values() if n], expected
    print(f"{len(rows)} medians and numbers of runs match `generator show`")
