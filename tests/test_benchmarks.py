"""The benchmarks are not timed here; what they measure still has to run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from cutset.runtime.targets.toolchain import Compiler, find_compiler

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def benchmarks(monkeypatch):
    if find_compiler() is None:
        pytest.skip("without a C compiler there is nothing to measure")
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCHMARKS)])


def test_the_peer_of_events_ends_where_we_do(benchmarks, monkeypatch):
    import events

    from cutset.runtime import solvers

    monkeypatch.setattr(solvers, "METHODS", solvers.METHODS)
    rows = events.measured(events.SUBJECTS[0], 1)
    assert [row[1] for row in rows] == ["dopri5", "solve_ivp RK45"]


def test_a_report_goes_to_a_file(benchmarks, monkeypatch, tmp_path):
    import sheets

    def measured(options: argparse.Namespace, compiler: Compiler):
        return [sheets.Sheet("Sizes", ["what", "how many"], [["legs", "8"]], "Counted once.")], ["no spider was hurt"]

    path = tmp_path / "sizes.md"
    monkeypatch.setattr(sys, "argv", ["sizes", "--markdown", str(path)])
    assert sheets.report(argparse.ArgumentParser(), measured) == 0
    assert path.read_text().endswith(
        "**Sizes**\n\n| what | how many |\n| --- | ---: |\n| legs | 8 |\n\nCounted once.\n"
    )


def test_tables_go_to_their_place_in_a_page(benchmarks):
    from sheets import with_tables

    page = "# Speed\n\n<!-- tables of a.py -->\n\nold\n\n<!-- end of tables -->\n\nMore.\n\n<!-- end of tables -->\n"
    found = with_tables(page, "a.py", "new\n")
    assert found == page.replace("old", "new") and with_tables(page, "b.py", "new\n") is None


def test_the_watch_over_states_is_measured_beside_none(benchmarks):
    import watching

    row = watching.measured(watching.SUBJECTS[0], "dopri5", 1)
    assert row[0] == "CartesianPendulum dopri5" and int(row[1]) > 10 and row[3].endswith(" %")


def test_parts_of_a_profile(benchmarks):
    """Lines of callgrind: a function, those that it calls, and the instructions of each of these calls."""
    from instructions import calls_of, parts

    def profile(*calls: tuple[str, str, int]) -> list[str]:
        names: dict[str, int] = {}
        lines = []
        for caller, callee, n in calls:
            for kind, name in (("fn", caller), ("cfn", callee)):
                number = names.setdefault(name, len(names))
                lines.append(f"{kind}=({number})" + (f" {name}" if number == len(names) - 1 else ""))
            lines += ["calls=3 +7", f"+2 {n}", "+5 1"]
        return lines

    start = [("below", "main", 100), ("main", "cutset_begin", 90), ("look", "cutset_variables", 40)]
    loop = [("main", "cutset_run", 1000), ("integrate", "cutset_explicit.constprop.0", 800), ("steps", "crosses", 300)]
    loop += [("signed_crossings", "cutset_crossings", 120), ("evaluate", "cutset_derivatives", 200)]
    run = [("below", "main", 1100), *start[1:], *loop, ("update", "cutset_updates", 50)]
    found = parts(calls_of(profile(*run)), calls_of(profile(*start)))
    assert (found.equations, found.search, found.steps) == (40 + 120 + 200 + 50, 300 - 120, 800 - 300 - 200)
    assert (found.events, found.start) == (1000 - 800 - 50, 100 - 40)
    assert found.total == found.equations + found.search + found.steps + found.events + found.start


def test_a_comparison_becomes_a_row_of_the_history(benchmarks):
    import compare

    page = compare.PAGE.read_text(encoding="utf-8")
    titles = page.partition("\n## History\n")[2].partition("\n|")[2].splitlines()[0].split("|")[5:-1]
    longer = compare.with_row(page, "0123abcd", "main", dict.fromkeys(titles, 1.5))
    (row,) = set(longer.splitlines()) - set(page.splitlines())
    assert row.startswith("| 0123abcd | 20") and row.endswith(" | main" + " | 1.50" * len(titles) + " |")
    assert compare._last_of(longer) == "0123abcd" and {each.strip() for each in titles} > set(compare._PROCESSES)
