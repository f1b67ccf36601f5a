"""Verification: ways that agree, and faults that they show. ``tests/planted_faults.py`` plants many."""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cutset.stdlib
from cutset.api.command_line.command import main
from cutset.api.mechanics.force_paths import cuts_in_loops
from cutset.api.mechanics.frame_quantities import places_of
from cutset.api.translate.translation import options_of
from cutset.api.verify import reference_motion
from cutset.api.verify.comparison import Curves, Table, compared_at_points, compared_in_runs
from cutset.api.verify.subject import Point, Subject, subject_of
from cutset.api.verify.verification import Verification, verify
from cutset.compiler.instantiate.instance import Instance
from cutset.runtime.errors import RunError
from cutset.runtime.results.result import Result

PENDULUM = """@mbssim
model Pendulum
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j(n2=1, q0=0.3, qd0=1)
  submodel (Body) m(m=2, r1=-0.1, r2=0.1, r3=0.3, I11=0.2, I22=0.3, I33=0.25, I21=0.02, I31=-0.03, I32=0.04)
  connect i to j to m
end
"""
# A rotor and a locked joint.
DRIVEN = """@mbssim
model Driven
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1, q0=0.3, qd0=1), j2(n1=1, q0=-0.4)
  submodel (Body) m(m=1, r2=0.2, r3=0.3, I11=0.1)
  submodel (Rotor) rotor(J=0.2)
  submodel (Lock) lock
  connect i to j1 to j2 to m, rotor at j1:ext, lock at j2:ext
end
"""


def _wrong(found: Verification) -> dict[str, str]:
    return {row.way: row.problem or str(row.wrong[0]) for row in found.rows if not row.passed}


def test_all_formulations_of_driven_joints_agree(write_model):
    found = verify(write_model(DRIVEN), stop=0.0, points=1)
    assert _wrong(found) == {} and found.points == 2
    assert [row.way for row in found.rows[:1]] == ["as written (mbssim)"]
    assert {row.way for row in found.rows} >= {"mbs", "mbsabs", "mbsmat", "all equations (bdf)"}
    assert all(row.at_points is not None for row in found.rows[1:])


def test_a_state_starts_at_a_point_by_any_of_its_names(write_model):
    path = write_model("model A\n  local x (start=1), y\n  der(x) = -x\n  y + x = 0\nend\n")
    for name in ("x", "y"):
        found = subject_of(path, None, options_of(()), parameters={}).at(Point({name: 0.3}, {}))
        assert found[name][0] == 0.3


def _changed(folder: Path, library: str, pattern: str, replacement: str) -> None:
    """Copy the library with its parts into the folder, with one change."""
    source = Path(cutset.stdlib.__file__).parent
    for part in (library, "multibody"):
        shutil.copytree(source / part, folder / part)
    shutil.copy(source / f"{library}.mo", folder)
    changed = 0
    for path in [folder / f"{library}.mo", *sorted((folder / library).glob("*.mo"))]:
        text, number = re.subn(pattern, replacement, path.read_text())
        changed += number
        path.write_text(text)
    assert changed == 1


@pytest.mark.parametrize(
    ("library", "pattern", "replacement", "shown"),
    [
        ("mbs", r"F = m\*aa\(4\.\.6\) \+ Z", "F = m*aa(4..6) - Z", "mbs"),
        ("mbsmat", r"d = I\*ca \+ b", "d = b - I*ca", "mbsmat"),
        ("mbsabs", r"cross\(wa, Jc\*wa\)\) \+ cross\(c, fa\)", "cross(wa, Jc*wa)) - cross(c, fa)", "mbsabs"),
    ],
)
def test_a_changed_sign_shows(library, pattern, replacement, shown, write_model, tmp_path):
    _changed(tmp_path, library, pattern, replacement)
    assert shown in _wrong(verify(write_model(PENDULUM), stop=0.0, points=0, library_path=[tmp_path]))


def test_a_way_that_cannot_translate_the_model_is_no_fault(write_model):
    pushed = """@mbs
model class Push "element that only mbs has"
  main cut (Frame) a (Ta, ra, va, aa / fa)
  fa = [zeros(3); 0; 0; 1]
end
model Pushed
  submodel (Inertial) i
  submodel (Prismatic) j(n3=1)
  submodel (Body) m(m=1)
  submodel (Push) p
  connect i to j to m, p at j:b
end
"""
    found = verify(write_model(pushed), stop=0.0, points=1)
    refused = {row.way: row.problem for row in found.rows if row.is_refused}
    assert set(refused) >= {"mbssim", "mbsabs"} and re.fullmatch(r"[a-z'].*[^.] \(E\d+\)", refused["mbssim"])
    assert found.passed


def test_laws_of_mechanics_show_what_all_ways_have_wrong(write_model):
    leaking = """@mbs
model class (MbsTwoCut) Leak "rigid, but a part of the force is lost"
  local T(3,3), r(3), C(6,6)
  T = identity(3)
  r = 0
  C = identity(6)
  Tb = Ta
  rb = ra
  vb = va
  ab = aa
  fa = -0.9*fb
end
model Leaking
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j(n2=1, qd0=1)
  submodel (Leak) leak
  submodel (Body) m(m=1, r1=0.3)
  connect i to j to leak to m
end
"""
    found = verify(write_model(leaking), stop=0.0, points=0)
    (wrong,) = found.rows[0].wrong
    assert wrong.quantity.startswith("balance of ") and wrong.quantity.endswith(" of leak") and not found.passed


def test_moments_of_forces_that_cancel_are_rounded():
    """Point masses: no torque is there, but forces have long arms."""
    path = Path(__file__).parents[1] / "cases" / "models" / "trees.mo"
    assert _wrong(verify(path, "LongPendulum", stop=0.0, points=2)) == {}


def test_forces_in_loops_are_not_compared_where_constraints_are_redundant(write_model):
    linkage = """@mbs
model FourBar
  submodel (Inertial) world(ng3=-1)
  submodel (CutForce) post
  submodel (Revolute) hinge(n2=1, qd0=1), knee(n2=1, q0=-1.2), foot(n2=1, q0=0.9)
  submodel (Bar) up(r1=1), over(r1=1), down(r1=0.7), frame(r1=1)
  submodel (Body) leaf(m=20, r1=0.4, I11=5, I22=6, I33=1)
  submodel (CutRevolute) upper(n2=1)
  connect world to post to hinge to up to knee to over to foot to down, leaf at hinge:b, post:b to frame,
          upper at (frame:b, down:b)
end
"""
    kept: list[Instance] = []
    path = write_model(linkage)
    model = cutset.load(path, listeners=[lambda _, x: kept.append(x) if isinstance(x, Instance) else None])
    places = places_of(kept[0])
    alone = {"world:a", "post:a", "post:b", "leaf:a", "hinge:ext", "knee:ext", "foot:ext"}
    in_loops = cuts_in_loops(kept[0], places.values())
    assert in_loops == set(places) - alone
    subject = Subject(model, "mbs", places, (), in_loops, frozenset())
    other = replace(subject, library="mbsabs")
    compared = subject.table([subject.at(Point({}, {}))], other).names
    assert "force 1 of leaf:a" in compared and "force 1 of hinge:b" not in compared
    assert "acceleration 1 of hinge:b" in compared


def test_a_model_without_mechanics(write_model):
    path = write_model("model A\n  parameter k=2\n  local x(start=1), y\n  der(x) = -k*x\n  y*y*y + y = x\nend\n")
    found = verify(path, stop=1.0, points=2, parameters={"k": 3.0})
    assert found.passed and [row.way for row in found.rows] == [
        "as written",
        "without optimizations",
        "compiled",
        "by dopri5",
        "by cvode-bdf",
        "all equations (bdf)",
        "said otherwise",
        "values given by a run (times 1.1)",
        "values given by a run",
        "5 more values given by a run",
        "start values given by a run",
    ]
    assert all(row.in_runs is not None for row in found.rows[3:-1])


def test_a_run_by_all_equations_ends_after_many_events_and_tells_it(write_model, monkeypatch, capsys):
    monkeypatch.setattr(reference_motion, "_EVENTS", 3)
    monkeypatch.setattr(reference_motion, "_WORK", 0)
    text = "model A\n  local x(start=1)\n  der(x) = if sin(20*time) > 0 then -x else -2*x\nend\n"
    assert main(["verify", str(write_model(text)), "--points", "0", "--stop", "1"]) == 0
    middle = 53 / 97  # the last row before 3.5*pi/20
    told = capsys.readouterr().out.splitlines()[-2:]
    assert told[0] == f"all equations (bdf): compared up to {middle:.3g} s only, because of its many events"
    assert told[1] == "1 point and a run of 1 s: all ways agree"


def test_rows_lie_beside_the_samples_of_a_controller(write_model):
    sampled = "when sample(0, 0.01) then\n    new(n) = n + 1\n  endwhen"
    text = f"model A\n  local x(start=1), n(start=0)\n  der(x) = n - x\n  {sampled}\nend\n"
    found = verify(write_model(text), stop=1.0, points=0)
    assert found.passed and found.rows[0].in_runs is not None


def table(values: object, kind: str = "", names: str = "abc") -> Table:
    rows = np.array(values, float)
    return Table(tuple(names[: rows.shape[1]]), (kind,) * rows.shape[1], rows)


def test_points_may_differ_by_rounding_that_grows_as_the_quantities_do():
    expected = table([[1.0, 2.0]])
    near = {1e-6: [table([[1.0 + 1e-6, 2.0 + 1.0]])], 1e-15: [table([[1.0, 2.0]])]}
    apart = np.zeros(1)
    good = compared_at_points(expected, near, table([[1.0 + 1e-9, 2.0 + 1e-4]]), apart)
    assert good is not None and not good.is_wrong
    bad = compared_at_points(expected, near, table([[1.0 + 1e-8, 2.0]]), apart)
    assert bad is not None and bad.is_wrong and str(bad) == "a at point 1: 1.00000001 instead of 1"
    missing = compared_at_points(expected, near, table([[np.nan, 2.0]]), apart)
    assert missing is not None and missing.is_wrong
    assert compared_at_points(expected, near, table([[1.0]], names="z"), apart) is None


def curves(offset: float, times: np.ndarray, events: Sequence[float] = ()) -> Curves:
    return Curves(times, table(np.sin(times)[:, None] + offset), np.array(events))


def test_runs_may_differ_by_100_tolerances():
    times = np.linspace(0.0, 1.0, 5)
    exact = curves(1e-9, times), curves(0.0, times)
    for offset, wrong in ((9e-5 * np.sin(1.0), False), (1.1e-4 * np.sin(1.0), True)):
        assert compared_in_runs(exact, [curves(offset, times)], 1e-6).is_wrong is wrong
    accurate = compared_in_runs((curves(1e-12, times), exact[1]), [curves(1e-6, times)], 1e-6, 1e-3)
    assert accurate.is_wrong and str(accurate).startswith("a at time ")


def test_runs_may_differ_as_much_as_one_way_from_itself_but_never_by_a_thousandth():
    times = np.linspace(0.0, 1.0, 5)
    exact = curves(1e-9, times), curves(0.0, times)
    for offset, wrong in ((5e-4, False), (3e-2, True)):
        assert compared_in_runs(exact, [curves(0.0, times), curves(offset, times)], 1e-6).is_wrong is wrong


def test_errors_of_states_explain_what_they_make_of_a_quantity():
    times = np.linspace(0.0, 1.0, 5)
    zero = Curves(times, table(np.zeros((5, 1))), np.zeros(0))
    for size, wrong in ((1e-9, True), (1e-8, False)):
        shaken = Curves(times, table(np.full((5, 1), size)), np.zeros(0))
        beside = Curves(times, table(np.full((5, 1), 5e-7)), np.zeros(0))
        assert compared_in_runs((zero, zero), [beside], 1e-6, disturbed=shaken).is_wrong is wrong
    exact = curves(1e-9, times), curves(0.0, times)
    for offset, wrong in ((1e-3, True), (3e-2, False)):
        found = [curves(0.0, times), curves(2e-2, times)]
        assert compared_in_runs(exact, found, 1e-6, disturbed=curves(offset, times)).is_wrong is wrong


def test_a_start_beside_the_reference_is_computed_where_it_decides(write_model):
    text = "model A\n  local x(start=1e-4), y(start=1)\n  der(x) = 15*x\n  y = x + 1\nend\n"
    reference = subject_of(write_model(text), None, options_of(()), {})
    motion = reference_motion.ReferenceMotion(reference, 0, 1, 1.0)
    moved = motion._disturbed(reference, motion._exact[1], reference, 1e-6)
    column = moved.table.values[:, moved.table.names.index("x")]
    size = 1e-4 * math.exp(15.0)
    assert column[-1] - size == pytest.approx(1e-6 * size * math.exp(15.0), rel=1e-3)


def test_errors_below_the_absolute_tolerance_are_allowed(write_model):
    """Three lags from rest: the third is t^3/6, and runs at two tolerances are equal, but not right."""
    starts, equations = "a (start=0), b (start=0), c (start=0)", "der(a) = {} - a\n  der(b) = a - b\n  der(c) = b - c"
    text = f"model A\n  local {starts}\n  {equations}\nend\n"
    reference, faulty = (subject_of(write_model(text.format(k)), None, options_of(()), {}) for k in (1, 1.01))
    motion = reference_motion.ReferenceMotion(reference, 0, 1, 0.01)
    for method in ("cvode-bdf", "bdf"):
        right, wrong = (motion.in_runs(replace(each, method=method)) for each in (reference, faulty))
        assert right is not None and not right.is_wrong
        assert wrong is not None and wrong.is_wrong


def test_what_tighter_tolerances_leave_open_is_not_compared():
    times = np.linspace(0.0, 1.0, 5)
    assert compared_in_runs((curves(1e-3, times), curves(0.0, times)), [curves(1.0, times)], 1e-6) is None
    late = Curves(times, table(np.where(times < 0.5, 0.0, 1.0)[:, None]), np.array([0.5]))
    early = Curves(times, table(np.where(times < 0.4, 0.0, 1.0)[:, None]), np.array([0.5]))
    assert not compared_in_runs((late, late), [early], 1e-6).is_wrong  # the row at 0.5 s is beside an event


def test_the_command_prints_a_table_and_what_differs(write_model, tmp_path, capsys):
    path = write_model("model A\n  local x(start=1)\n  der(x) = -x\nend\n")
    assert main(["verify", str(path), "--points", "1"]) == 0
    assert capsys.readouterr().out.endswith("2 points and a run of 1 s: all ways agree\n")
    _changed(tmp_path, "mbs", r"F = m\*aa\(4\.\.6\) \+ Z", "F = m*aa(4..6) - Z")
    path = write_model(PENDULUM)
    assert main(["verify", str(path), "-I", str(tmp_path), "--stop", "0", "--points", "0", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["passed"] and [row["way"] for row in found["rows"] if not row["passed"]] == ["mbs"]


def test_options_that_each_way_decides_itself_are_refused(write_model, capsys):
    path = write_model("model A\n  local x(start=1)\n  der(x) = -x\nend\n")
    for option in (["--unsolved"], ["--verify"], ["--without", "loops"]):
        assert main(["verify", str(path), *option]) == 2
        assert f"unknown argument: {option[0]}" in capsys.readouterr().err


def test_a_way_that_fails_is_told_in_one_line_with_its_code(write_model, capsys, monkeypatch):
    def refuse(self: Subject, stop: float) -> object:
        if self.method == "bdf":
            raise RunError("E611", "the step size is too small")
        return runs(self, stop)

    def take_too_many_steps(self: Subject, times: object, **settings: object) -> Result:
        if self.method == "dopri5":
            raise RunError("E612", "too many steps")
        return run(self, times, **settings)

    runs, run = Subject.runs, Subject.run
    monkeypatch.setattr(Subject, "runs", refuse)
    monkeypatch.setattr(Subject, "run", take_too_many_steps)
    path = write_model("model A\n  local x(start=1)\n  der(x) = -x\nend\n")
    assert main(["verify", str(path), "--points", "0"]) == 1
    told = capsys.readouterr()
    assert told.err.splitlines() == ["error: all equations (bdf): the step size is too small (E611)"]
    assert "too many steps (E612)" in told.out  # dopri5 is no fault of a stiff model


def test_an_explicit_method_gives_a_stiff_model_up_early(write_model):
    text = "model A\n  local x(start=0)\n  der(x) = 1e9*(sin(time) - x)\nend\n"
    subject = subject_of(write_model(text), None, options_of(()), {})
    with pytest.raises(RunError, match="E612"):
        reference_motion.ReferenceMotion(subject, 0, 1, 0.1).in_runs(replace(subject, method="dopri5"))


def test_all_equations_give_a_fast_oscillation_up_early(write_model, monkeypatch):
    monkeypatch.setattr("cutset.api.verify.subject._STEPS_OF_ALL", 20)
    text = "model A\n  local x (start=1), v (start=0)\n  der(x) = v\n  der(v) = -1e6*x\nend\n"
    found = verify(write_model(text), stop=0.2, points=0)
    row = next(row for row in found.rows if row.way == "all equations (bdf)")
    assert found.passed and row.is_refused and "E612" in row.problem


def test_what_may_jump_without_an_event_is_known(write_model):
    jump = "if time > 1 then 1 else 0"
    text = f"model A\n  local x, y, z\n  x = noevent({jump})\n  y = {jump}\n  z = x + 1\nend\n"
    assert subject_of(write_model(text), None, options_of(()), {}).without_events() == {"x"}


def test_what_multiplies_errors_of_states_is_not_compared_at_the_default_tolerance(write_model):
    text = "model A\n  local x(start=0), y\n  der(x) = 1000*(sin(time) - x)\n  y = 2*x\nend\n"
    subject = subject_of(write_model(text), None, options_of(()), {})
    motion = reference_motion.ReferenceMotion(subject, 0, 1, 0.1)
    assert motion._controlled == {"x", "y"} and motion.determined >= {"x", "y", "der(x)"}


def test_what_rounding_decides_is_not_compared(write_model):
    """A capacitor that is charged: its current is what is left of 15 V."""
    text = "model A\n  local x(start=15), i\n  1e-10*der(x) = i\n  i = (15 - x)/1e-4\nend\n"
    subject = subject_of(write_model(text), None, options_of(()), {})
    assert reference_motion.ReferenceMotion(subject, 0, 1, 0.1).determined == {"x"}


def test_what_an_iteration_leaves_is_not_compared(write_model):
    equations = "  der(x) = -x\n  z^3 + z = cos(time)\n  left = z^3 + z - cos(time)\n"
    text = f"model A\n  local x(start=1), z, left\n{equations}end\n"
    subject = subject_of(write_model(text), None, options_of(()), {})
    determined = reference_motion.ReferenceMotion(subject, 0, 1, 0.1).determined
    assert determined >= {"x", "z"} and "left" not in determined


def test_a_chaotic_motion_is_compared_as_far_as_it_is_determined(write_model, capsys):
    lorenz = """model Lorenz
  local x (start=1), y (start=1), z (start=1)
  der(x) = 10*(y - x)
  der(y) = x*(28 - z) - y
  der(z) = x*y - 8/3*z
end
"""
    assert main(["verify", str(write_model(lorenz)), "--points", "0", "--stop", "20"]) == 0
    assert re.search("^6 variables not compared from 1[0-9.]+ s on", capsys.readouterr().out, re.MULTILINE)


def test_steps_over_a_pulse_are_red(write_model, monkeypatch):
    def steps_over(self: Subject, times: object, **settings: object) -> Result:
        # As if nothing limited the steps: only the runs with bounded ones see the pulses.
        parameters = {} if "max_step" in settings else {"size": 0.0}
        return run(replace(self, parameters=parameters), times, **settings)

    run = Subject.run
    monkeypatch.setattr(Subject, "run", steps_over)
    pulse = "model P\n  parameter size=1\n  local x(start=0)\n  der(x) = size*exp(-50*(1 - sin(60*time)))\nend\n"
    found = verify(write_model(pulse), points=0, stop=1.0)
    assert {row.way for row in found.rows if not row.passed} >= {"as written", "by dopri5", "by cvode-bdf"}


@pytest.mark.parametrize("phase", ["3000*time", "p"])
def test_steps_are_bounded_by_the_shortest_period(phase, write_model, monkeypatch):
    steps = list[float]()
    run = Subject.run

    def told(self: Subject, times: object, **settings: float) -> Result:
        steps.append(settings.get("max_step", np.inf))
        return run(self, times, **settings)

    monkeypatch.setattr(Subject, "run", told)
    path = write_model(f"model A\n  local x(start=0), p(start=0)\n  der(p) = 3000\n  der(x) = cos({phase})\nend\n")
    subject = subject_of(path, None, options_of(()), {})
    reference_motion.ReferenceMotion(subject, 0, 1, 0.1)
    assert min(steps) == pytest.approx(2 * np.pi / 3000 / 50)


EVENTS = """model A
  local x (start=1), n (start=0), low (start=0), y, late
  der(x) = -x
  late = delay(x, 0.2)
  y = if x > 0.7 then 1 else 2
  when sample(0, 0.1) then
    new(n) = n + 1
  endwhen
  when x < 0.5 then
    new(low) = low + time
  endwhen
end
"""


@pytest.mark.parametrize(
    ("written", "computed", "shown"),
    [
        ("", "", ""),
        ("delay(x, 0.2)", "delay(x, 0.198)", "equation in line 4 of A, its sides"),
        ("sample(0, 0.1)", "sample(0.01, 0.2)", "the event of sample(0, 0.1)|n at time"),
        ("sample(0, 0.1)", "sample(0, 0.05)", "n at time [0-9.]+, where no condition becomes true"),
        ("n + 1", "n + 2", "n after the event"),
        ("low + time", "low", "low after the event"),
        ("x < 0.5", "x < 0.5 or (x > 0.6 and x < 0.65)", "low at time [0-9.]+, where no condition becomes true"),
        ("x > 0.7", "x > 0.6", "the sides of x > 0.7 between"),
    ],
)
def test_what_happens_at_a_wrong_instant_is_red(written, computed, shown, write_model):
    model = subject_of(write_model(EVENTS.replace(written, computed), "B"), None, options_of(()), {})
    run = model.run(np.linspace(0.0, 1.0, 2001), max_step=1e-3, rtol=1e-7)
    right = replace(model, equations=subject_of(write_model(EVENTS), None, options_of(()), {}).equations)
    wrong = [str(each) for each in right.laws(run) if each.is_wrong]
    assert all(re.match(shown, each) for each in wrong[-1:]) and bool(wrong) == bool(shown), wrong


def test_a_start_value_of_a_run_without_effect_is_red(write_model, monkeypatch):
    def forgets(self: Subject, times: object, **settings: object) -> Result:
        # As if a start value in the text preceded that of a run.
        return run(replace(self, initial={}), times, **settings)

    run = Subject.run
    monkeypatch.setattr(Subject, "run", forgets)
    text = "model A\n  parameter k=2\n  local x(start=1), y\n  y = k*x\n  der(y) = -x\nend\n"
    found = verify(write_model(text), points=0, stop=1.0)
    assert _wrong(found)["start values given by a run"].startswith(("x at the start", "y at the start"))


def test_wrong_settings_are_errors_of_usage(write_model, capsys):
    path = write_model("model A\n  local x(start=1)\n  der(x) = -x\nend\n")
    for option in (["--stop", "-1"], ["--points", "-1"]):
        assert main(["verify", str(path), *option]) == 2
    assert "at least 0" in capsys.readouterr().err
