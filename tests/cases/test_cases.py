"""Every published case: the curves meet, and come nearer as the tolerance is tightened."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict

import numpy as np
import pytest

from cases.case import FOLDER, Case
from cases.cases import CASES
from cases.compare import Reference, distance, instants, read_reference
from cases.measure import Measured, measure, reference_of, translated
from cases.page import page, rounded_up
from cutset.runtime.targets.toolchain import find_compiler

PAGE = FOLDER.parent.parent / "docs" / "use" / "cases.md"
# The number of their events, which is on the page, depends on the last digit of constants: gcc rounds them right.
EXACT = "Mechanics.MultiBody.Examples.Systems.RobotR3."


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """found(case) runs a case with its own tolerance, each once, also if several processes share the tests."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "measured_cases"
    folder.mkdir(exist_ok=True)

    def measured(case: Case) -> Measured:
        path = folder / f"{CASES.index(case)}.json"
        if not path.exists():
            unfinished = path.with_suffix(f".{os.getpid()}")
            with pytest.MonkeyPatch.context() as patch:
                if case.name.startswith(EXACT) and shutil.which("gcc"):
                    patch.setenv("CC", "gcc -O0")
                unfinished.write_text(json.dumps(asdict(measure(case))), encoding="utf-8")
            unfinished.replace(path)
        return Measured(**json.loads(path.read_text(encoding="utf-8")))

    return measured


@pytest.mark.parametrize("case", CASES, ids=str)
def test_curves_meet(case, found):
    found = found(case)
    assert found.worst <= case.bound, found.apart
    nearer = measure(case, case.tolerance / 100)
    assert nearer.worst <= max(found.worst, case.noise), (found.apart, nearer.apart)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_translation_has_the_expected_sizes(case):
    sizes = translated(case.file, case.model).inspect()
    if case.states is not None:
        assert sizes["states"] == case.states
    for expected, kind in ((case.linear, "linear_systems"), (case.nonlinear, "nonlinear_systems")):
        if expected is not None:
            found = [(system["size"], system["torn"]) for system in sizes[kind]]
            assert [size for size, _ in found] == [size for size, _ in expected]
            assert all(ours <= torn for (_, ours), (_, torn) in zip(found, expected, strict=True)), found


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_targets_agree(case, found):
    """Both targets do the same operations: the first part of the run is the same number by number, except that instants
    of relations of time are found with the functions of C or of numpy, which differ in the last digit."""
    model = translated(case.file, case.model)
    if model.inspect()["equations"] > 1000:
        pytest.skip("takes long in Python")
    if found(case).events > 500:
        pytest.skip("the last digits of that many instants differ")
    stop = (case.until or case.stop) / 5
    options = {"stop": stop, "points": 51, "rtol": 1e-6, "atol": 1e-6, "parameters": dict(case.parameters)}
    in_c, in_python = (model.simulate(target=target, **options) for target in ("c", "python"))
    np.testing.assert_allclose(in_c.time, in_python.time, rtol=0.0, atol=1e-14 * stop)
    for name in (name.lstrip("-") for name in case.names.values()):
        # Where a curve passes zero its rounding is that of its largest values.
        noise = max(1e-12, 1e-10 * np.abs(in_python[name]).max())
        np.testing.assert_allclose(in_c[name], in_python[name], rtol=1e-10, atol=noise, err_msg=name)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_reference_has_what_is_compared(case):
    reference = reference_of(case.reference)
    assert set(case.names) <= set(reference.columns)
    assert reference.time[-1] <= case.stop * (1 + 1e-9)


def test_every_table_says_where_it_comes_from_and_is_used():
    tables = {path.name for path in (FOLDER / "reference").glob("*.csv")}
    assert tables == {case.reference for case in CASES}
    sources = (FOLDER / "reference" / "README.md").read_text(encoding="utf-8")
    assert [name for name in sorted(tables) if f"`{name}`" not in sources] == []


def test_names_are_unique():
    assert len({case.name for case in CASES}) == len(CASES)


def test_page_lists_the_cases(agrees, found):
    agrees(page(CASES, found, PAGE.read_text(encoding="utf-8")), PAGE)


def test_distances_are_rounded_up():
    assert [rounded_up(d, None) for d in (3e-10, 1e-9, 2.01e-5, 0.95, 0.02)] == [
        "< 1e-09",
        "1e-09",
        "3e-05",
        "1e+00",
        "2e-02",
    ]


def test_a_printed_distance_stays_while_it_is_right():
    assert [rounded_up(2.01e-5, printed) for printed in ("3e-05", "6e-05", "7e-05", "2e-05", "< 1e-09")] == [
        "3e-05", "6e-05", "3e-05", "3e-05", "3e-05"]  # fmt: skip


# --- the rule itself ---

TIME = np.linspace(0.0, 1.0, 101)


def reference(curve, time=TIME):
    return Reference(time, {"y": curve}, 0.01)


def test_distance_is_relative_to_the_range():
    wanted = reference(3.0 + 2.0 * TIME)
    assert distance(wanted, "y", TIME, 3.0 + 2.0 * TIME + 0.01, np.array([])) == pytest.approx(0.005)
    assert distance(wanted, "y", TIME, np.where(TIME == 0.5, np.nan, 4.0), np.array([])) == np.inf
    assert distance(wanted, "y", TIME[:50], 3.0 + 2.0 * TIME[:50], np.array([])) == np.inf


def test_a_jump_may_come_one_step_late_where_the_reference_has_an_event():
    time = np.insert(TIME, 50, 0.5)
    jump = np.where(np.arange(102) > 50, 1.0, 0.0)
    wanted = reference(jump, time)
    assert instants(wanted).tolist() == [0.5]
    for late, most in ((0.009, 0.0), (0.03, 1.0)):
        ours_time = np.array([0.0, 0.5 + late, 0.5 + late, 1.0])
        ours = np.array([0.0, 0.0, 1.0, 1.0])
        assert distance(wanted, "y", ours_time, ours, instants(wanted)) == most
    ours_time = np.array([0.0, 0.509, 0.509, 1.0])
    assert distance(wanted, "y", ours_time, np.array([0.0, 0.0, 1.0, 1.0]), np.array([])) == 1.0


def test_tables_are_read_with_remarks(tmp_path):
    (tmp_path / "t.csv").write_text("# remark\ntime,a b\n0,1\n0.5,2\n0.5,3\n1,4\n")
    table = read_reference(tmp_path / "t.csv")
    assert table.columns["a b"].tolist() == [1, 2, 3, 4] and table.step == 0.5
