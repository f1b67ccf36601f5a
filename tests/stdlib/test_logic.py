"""The blocks of logic.mo change at the instants that follow from their definitions, in C and in Python."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import run_in_both
from numpy.testing import assert_allclose as close

import cutset

PARTS = """
submodel (BooleanConst) one, zero(k=false)
submodel (BooleanStep) step(t0=0.3), off(t0=0.3, y0=true)
submodel (BooleanPulse) p(T=0.4, width=0.75, t0=0.1), always(T=0.1, width=1), never(T=0.1, width=0)
submodel (BooleanTable) t(n=5, times=[0.2, 0.48, 0.55, 0.82, 1.5])
submodel (RisingEdge) rising(T=0.05)
submodel (FallingEdge) falling(T=0.05)
submodel (AnyEdge) any(T=0.06)
submodel (OnDelay) on(T=0.1), on2(T=0.3)
submodel (OffDelay) late(T=0.1), late2(T=0.1)
submodel (SRFlipFlop) sr, sr2(set_first=true)
submodel (DFlipFlop) d1(y0=true), d2
submodel (TFlipFlop) tf
submodel (Counter) c(last=2), edges, ends, reset, always_on
submodel (UpDownCounter) ud(y0=5)
submodel (PWM) pwm(f=10), full(f=10), none(f=10)
submodel (CenteredPWM) centered(f=10), full2(f=10)
connect t to rising, t to falling, t to any, t to on, t to late, one to on2, zero to late2
connect t to edges, on to ends, p to c, p to tf, always to always_on
connect p:out at d1:clock, p:out at d2:clock, t to d1 to d2, p to reset, step:out at reset:reset
connect p:out at sr:inp, t:out at sr:inp2, p:out at sr2:inp, t:out at sr2:inp2, p:out at ud:inp, t:out at ud:inp2
pwm.u = 0.3 + 0.4*time
centered.u = 0.3 + 0.4*time
full.u = 1.5
full2.u = 1
none.u = -1
"""
P = [0.1, 0.4, 0.5, 0.8, 0.9, 1.2, 1.3, 1.6, 1.7]
# The instants at which each block changes; it starts with 0, or with the value in front.
CHANGES = {
    "one": (1, []), "zero": (0, []), "step": (0, [0.3]), "off": (1, [0.3]), "p": (0, P), "always": (1, []),
    "never": (0, []), "t": (0, [0.2, 0.48, 0.55, 0.82, 1.5]), "rising": (0, [0.2, 0.25, 0.55, 0.6, 1.5, 1.55]),
    "falling": (0, [0.48, 0.53, 0.82, 0.87]), "any": (0, [0.2, 0.26, 0.48, 0.54, 0.55, 0.61, 0.82, 0.88, 1.5, 1.56]),
    "on": (0, [0.3, 0.48, 0.65, 0.82, 1.6]), "on2": (0, [0.3]), "late": (0, [0.2, 0.92, 1.5]), "late2": (0, []),
    "d1": (1, [0.1, 1.7]), "d2": (0, [0.1, 0.5]), "tf": (0, [0.1, 0.5, 0.9, 1.3, 1.7]),
    "sr": (0, [0.1, 0.2, 0.5, 0.55, 0.9, 1.5]), "sr2": (0, [0.1, 0.4, 0.5, 0.8, 0.9, 1.6, 1.7]),
    "full": (1, []), "full2": (1, []),
    "none": (0, []),
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("logic") / "top.mo"

    def write_model(text: str):
        path.write_text(text)
        return path

    return run_in_both(write_model, "@logic", PARTS, 1.72, points=9)


def changes(run, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The instants at which a variable changes, and its values after them, with the first before all."""
    values = np.asarray(run[name])
    after = np.flatnonzero(np.diff(values)) + 1
    return run.time[after], np.concatenate((values[:1], values[after]))


@pytest.mark.parametrize("name", CHANGES)
def test_truth_values_change_at_their_instants(run, name: str) -> None:
    first, expected = CHANGES[name]
    instants, values = changes(run, f"{name}.y")
    if name in ("always", "full", "full2") and len(instants) and instants[0] == 0.0:  # the first sample is an event
        instants, values = instants[1:], values[1:]
    close(instants, expected, atol=1e-9)
    assert [bool(v) for v in values] == [bool((first + k) % 2) for k in range(len(expected) + 1)]


@pytest.mark.parametrize(
    "name, instants, values",
    [
        ("c", [0.1, 0.5, 0.9, 1.3, 1.7], [0, 1, 2, 0, 1, 2]),
        ("edges", [0.2, 0.55, 1.5], [0, 1, 2, 3]),
        ("ends", [0.3, 0.65, 1.6], [0, 1, 2, 3]),
        ("reset", [0.1, 0.3], [0, 1, 0]),
        ("always_on", [], [0]),
        ("ud", [0.1, 0.2, 0.5, 0.55, 0.9, 1.3, 1.5, 1.7], [5, 6, 5, 6, 5, 6, 7, 6, 7]),
    ],
)
def test_counters(run, name: str, instants: list[float], values: list[float]) -> None:
    found, counted = changes(run, f"{name}.y")
    close(found, instants, atol=1e-9)
    close(counted, values)


@pytest.mark.parametrize("name, first", [("pwm", 0.0), ("centered", 0.5)])
def test_pulse_widths(run, name: str, first: float) -> None:
    """The duty cycle is that of the start of each period."""
    instants, _ = changes(run, f"{name}.y")
    begin = 0.1 * np.arange(17)
    duty = 0.3 + 0.4 * begin
    start = begin + first * (1 - duty) * 0.1
    close(instants[:34], np.column_stack((start, start + duty * 0.1)).ravel(), atol=1e-9)
    close(run["sr.yn"] + run["sr.y"], 1)


def test_a_modulator_is_off_before_its_first_period(write_model):
    text = "@logic\nmodel M\n  submodel (PWM) a(f=10, t0=0.25)\n  submodel (CenteredPWM) b(f=10, t0=0.25)\n"
    run = cutset.load(write_model(text + "  a.u = 0.5\n  b.u = 0.5\nend\n")).simulate(0.4, points=81)
    early = run.time < 0.249
    assert not run["a.y"][early].any() and not run["b.y"][early].any()
    assert run["a.y"][np.abs(run.time - 0.275) < 1e-9].all() and not run["a.y"][np.abs(run.time - 0.325) < 1e-9].any()
