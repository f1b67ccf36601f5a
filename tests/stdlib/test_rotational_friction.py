"""Frictions of rotational.mo, in gears, clutches, brakes, bearings and freewheels, against closed solutions."""

from __future__ import annotations

import numpy as np
import pytest
from library_runs import simulate, work  # noqa: F401 - a fixture
from numpy.testing import assert_allclose as close
from oracles.drive_trains import compared

import cutset


def test_clutch_slips_and_locks_and_slips_again(simulate):
    run = simulate(
        "submodel (Inertia) a(J=2, w0=6), b(J=1)\nsubmodel (Clutch) c(fn_max=10, mue=[0.4, 0.4], peak=1.5)\nsubmodel "
        "(Torque) T\n"
        "connect a to c to b to T:A\nc.engaged = 1\nT.tau = if time < 2 then 0 else 10*(time - 2)",
        stop=4.0,
    )
    # 4 N.m act: speeds 6 - 2 t and 4 t meet at t = 1 with w = 4.
    t, w = run.time, run["a.w"]
    slip, stuck = t < 1, (t > 1) & (t < 2.9)
    close(w[slip], 6 - 2 * t[slip], atol=1e-7)
    close(run["b.w"][slip], 4 * t[slip], atol=1e-7)
    pulled = np.maximum(t - 2, 0.0)
    close(w[stuck], 4 + 10 * pulled[stuck] ** 2 / 6, atol=1e-6)
    close(run["c.w_rel"][stuck], 0.0, atol=1e-9)
    # Locked, it gives a two thirds of the torque: 6 N.m are reached at 10*(t - 2) = 9; then 4 N.m act again.
    free = t > 2.91
    start = 4 + 10 * 0.9**2 / 6
    close(w[free], start + 2 * (t[free] - 2.9), atol=1e-6)
    close(
        work(run, run["c.loss"]),
        work(run, run["T.tau"] * run["b.w"]) + 36 - w[-1] ** 2 - 0.5 * run["b.w"][-1] ** 2,
        rtol=1e-4,
    )


@pytest.mark.parametrize("tau", ["0.8*sin(3*time)", "if time < 1 then 0.5 else 0.7"])
def test_frictions_of_one_shaft_hold_together(simulate, tau):
    """A bearing and a brake: the weaker one holds with all that it can, the other one with the rest."""
    shaft = f"submodel (Inertia) J(J=0.3)\nsubmodel (Torque) t\nt.tau = {tau}\n"
    both = (
        "submodel (BearingFriction) a(tau_tab=[0.1, 0.1])\nsubmodel (Brake) b(fn_max=0.45, mue=[1, 1])\nb.engaged = 1\n"
    )
    two = simulate(shaft + both + "connect t to J:A, J:B to a to b", stop=2.0, points=21)
    alone = "submodel (BearingFriction) a(tau_tab=[0.55, 0.55])\nconnect t to J:A, J:B to a"
    one = simulate(shaft + alone, stop=2.0, points=21)
    times = np.arange(0.05, 2.0, 0.1)
    np.testing.assert_allclose(*(np.interp(times, run.time, run["J.w"]) for run in (two, one)), atol=1e-6)
    assert np.abs(two["a.tau"]).max() <= 0.1 + 1e-9 and np.abs(two["b.tau"]).max() <= 0.45 + 1e-9


def test_open_clutch_gives_nothing(simulate):
    run = simulate(
        "submodel (Inertia) a(J=2, w0=6), b(J=1)\nsubmodel (Clutch) c(fn_max=10)\nconnect a to c to b\nc.engaged = 0"
    )
    close(run["b.w"], 0.0, atol=0)
    assert set(run["c.mode"][1:]) == {4.0}


def test_brake_stops_and_holds(simulate):
    run = simulate(
        "submodel (Inertia) J(J=2, w0=3)\nsubmodel (Brake) b(fn_max=12)\nsubmodel (ConstTorque) T(tau0=2)\n"
        "connect T to J to b\nb.engaged = 1",
        stop=3.0,
    )
    # 6 N.m of friction against 2 N.m: 3 - 2 t, at rest from 1.5 s on.
    close(run["J.w"], np.maximum(3 - 2 * run.time, 0.0), atol=1e-7)
    close(run["b.tau"][run.time > 1.51], 2.0, atol=1e-12)


def test_bearing_friction_from_a_table(simulate):
    run = simulate(
        "submodel (Inertia) J(J=1, w0=-2)\nsubmodel (BearingFriction) b(w_tab=[0, 10], tau_tab=[1, 11], "
        "supported=true)\n"
        "submodel (Fixed) f\nconnect J to b, b:S at f",
        stop=2.0,
    )
    # w' = 1 - w, from -2: at rest at t = log(3).
    close(run["J.w"], np.where(run.time < np.log(3), 1 - 3 * np.exp(-run.time), 0.0), atol=1e-6)
    close(run["f.tau"], run["b.tau"], atol=1e-12)


@pytest.mark.parametrize(
    ("element", "end"),
    [("BearingFriction) e(tau_tab={}, w_tab=[0, 1]", 0.3), ("BearingFriction) e(tau_tab={}, w_tab=[0, 1]", 0.5),
     ("Clutch) e(mue={}, fn_max=1", 0.3), ("OneWayClutch) e(mue={}, fn_max=1", 0.3)],
)  # fmt: skip
def test_a_friction_that_falls_with_the_speed_holds_its_last_value(simulate, element, end):
    """Beyond the table, a falling line ends and a rising one continues: friction never pushes."""
    connected = "connect J to e" if "Clutch" not in element else "submodel (ConstSpeed) v(w0=0)\nconnect v to e to J"
    engaged = "" if "Bearing" in element else "\ne.engaged = 1"
    run = simulate(
        f"submodel (Inertia) J(J=1, w0=10)\nsubmodel ({element.format(f'[0.4, {end}]')})\n{connected}{engaged}",
        stop=2.0,
    )
    expected = 10 - 0.3 * run.time if end < 0.4 else 14 * np.exp(-0.1 * run.time) - 4
    close(run["J.w"], expected, rtol=1e-6)


def test_the_efficiency_of_a_gear_stays_that_of_the_last_speed(simulate):
    run = simulate(
        "submodel (ConstSpeed) v(w0=5)\nsubmodel (LossyGear) g(ratio=2, eta1=[0.9, 0.6], eta2=[0.8, 0.5], "
        "bf1=[0.2, 0.1], bf2=[0.2, 0.1])\nsubmodel (ConstTorque) T(tau0=-6)\nconnect v to g to T",
        stop=0.1,
    )
    close(run["g.taub"], -6.0)
    close(run["g.taua"], (6.0 / 2 + 0.1) / 0.6)


def test_freewheel_runs_ahead_and_takes_along(simulate):
    run = simulate(
        "submodel (Inertia) a(J=1), b(J=1, w0=2)\nsubmodel (OneWayClutch) c(fn_max=2, mue=[0.5, 0.5])\nsubmodel "
        "(ConstTorque) T(tau0=1)\n"
        "connect T to a to c to b\nc.engaged = 1",
        stop=2.0,
    )
    # a is pulled by 1 + 1 N.m, b braked by 1 N.m: they meet at 2/3 s, then both go with 0.5 rad/s2.
    t = run.time
    met = t > 2 / 3
    close(run["a.w"], np.where(met, 4 / 3 + 0.5 * (t - 2 / 3), 2 * t), atol=1e-6)
    close(run["b.w"], np.where(met, 4 / 3 + 0.5 * (t - 2 / 3), 2 - t), atol=1e-6)


@pytest.mark.parametrize(
    "start, jump, wait", [(3.0, -2.0, 1.0), (0.0, -2.0, 1.0), (0.0, 2.0, 1.0), (-3.0, 2.0, 1.0), (3.0, 1.0, 1.0)]
)
def test_friction_after_a_jump_of_the_speed(simulate, start, jump, wait):
    run = simulate(
        f"submodel (Inertia) J(J=1, w0={start})\nsubmodel (BearingFriction) b\nconnect J to b\n"
        f"when time > {wait} then\ninit(J.w) = {jump}\nendwhen",
        stop=4.0,
    )
    t = run.time

    def braked(w, since):
        return np.sign(w) * np.maximum(np.abs(w) - (t - since), 0.0)

    away = np.abs(t - wait) > 1e-6
    close(run["J.w"][away], np.where(t < wait, braked(start, 0.0), braked(jump, wait))[away], atol=1e-6)


@pytest.mark.parametrize("speed", [5e-4, -2e-7])
def test_sticking_begins_only_where_the_speed_was_zero(simulate, speed):
    """A jump to a small speed, from rest and through zero: the friction brakes it at once."""
    run = simulate(
        "submodel (Inertia) J(J=1)\nsubmodel (BearingFriction) b\nconnect J to b\n"
        f"when time > 0.5 then\ninit(J.w) = {speed}\nendwhen\n"
        f"when time > 1 then\ninit(J.w) = 2\nendwhen\nwhen time > 1.5 then\ninit(J.w) = {-speed}\nendwhen",
        stop=2.0,
    )
    rests = ((run.time > 0.5 + 2 * abs(speed)) & (run.time < 1)) | (run.time > 1.5 + 2 * abs(speed))
    close(run["J.w"][rests], 0.0, atol=1e-12)


def test_a_freewheel_that_starts_or_jumps_backward_takes_the_other_side_along(simulate):
    run = simulate(
        "submodel (Inertia) A(J=1, w0=0), B(J=2, w0=-3)\nsubmodel (OneWayClutch) c(fn_max=1)\nconnect A to c to B\n"
        "c.engaged = 1\nwhen time > 1 then\ninit(c.w_rel) = 1\nendwhen\n"
        "when time > 1.5 then\ninit(c.w_rel) = -3\nendwhen",
        stop=2.0,
    )
    at = np.searchsorted(run.time, [0.5, 1.9])
    close(run["A.w"][at], [-2.0, run["B.w"][at[1]]], atol=1e-9)
    ahead = (run.time > 1.001) & (run.time < 1.499)  # it runs ahead, and 0.5 N.m brake both
    close(run["c.w_rel"][ahead], 1 - 0.5 * 1.5 * (run.time[ahead] - 1), atol=1e-6)
    before, after = np.searchsorted(run.time, 1.5, side="right") - 1, at[1]
    momentum = run["A.w"] + 2 * run["B.w"]
    assert run["c.w_rel"][before] == -3.0 and momentum[after] == pytest.approx(momentum[before])
    assert run["c.w_rel"][after] == pytest.approx(0.0, abs=1e-8)


def test_nothing_pulls_at_a_freewheel_that_catches_nothing(simulate):
    """Its greatest torque is zero, which all equations at once give up to rounding."""
    run = simulate(
        "submodel (Inertia) A(J=1, w0=-0.5), B(J=1)\nsubmodel (OneWayClutch) c(fn_max=3, peak=10)\n"
        "submodel (Torque) T\nconnect T to A to c to B\nT.tau = 10*sin(6*pi*time)\n"
        "c.engaged = if time < 0.3 then 0 else 1\nconstant pi = 3.141592653589793",
        stop=0.25, method="bdf", rtol=1e-5, atol=1e-5,
    )  # fmt: skip
    assert not run["c.catching"].any() and not run["c.pulls"].any()


def test_friction_between_motions_that_are_prescribed(simulate):
    run = simulate(
        "submodel (Position) p, q\nsubmodel (BearingFriction) b(tau_tab=[0.5, 0.5])\nsubmodel (Inertia) J(J=2)\n"
        "submodel (Clutch) c(fn_max=1, mue=[0.3, 0.3])\nconnect p to J to b, J to c to q:A\nc.engaged = 1\n"
        "p.phi = if time < 1 then 0 else 0.2*(time - 1)^3\nq.phi = if time < 0.5 then 0 else (time - 0.5)^3",
        stop=1.4,
    )
    t = run.time
    away = (np.abs(t - 0.5) > 1e-6) & (np.abs(t - 1) > 1e-6)
    close(run["b.tau"][away], np.where(t < 1, 0.0, 0.5)[away], atol=1e-12)
    close(run["c.tau"][away], np.where(t < 0.5, 0.0, 0.3)[away], atol=1e-12)


def test_drive_trains_that_start_and_are_jolted_anywhere(tmp_path):
    """`python -m tests.oracles.drive_trains` runs hundreds."""
    assert [compared(number, tmp_path, target="python") for number in (43,)] == [[]]


def test_stick_and_slip_on_a_belt(simulate):
    """A shaft that the friction of a belt takes along until its spring pulls as much as the friction holds."""
    run = simulate(
        "submodel (ConstSpeed) belt(w0=1)\nsubmodel (Clutch) c(n=3, w_tab=[0, 1, 2], mue=[0.5, 0.3, 0.3], fn_max=20, "
        "peak=1.2)\n"
        "submodel (FreeInertia) J(J=1)\nsubmodel (Spring) s(c=50)\nsubmodel (Fixed) f\nconnect belt to c to J to s to "
        "f\nc.engaged = 1\n"
        "initial\nJ.phi = 0\nJ.w = 0\nendinitial",
        stop=4.0,
    )
    stuck = run["c.mode"] == 2
    close(run["J.w"][stuck], 1.0, atol=1e-7)
    assert 3 <= np.sum(np.diff(stuck.astype(int)) == 1) <= 5
    # It tears off at 0.5*20*1.2 = 12 N.m.
    close(np.max(run["J.phi"][stuck]), 12 / 50, atol=1e-5)


@pytest.mark.parametrize("count", [3, 8])
def test_clutches_in_a_row_keep_the_angular_momentum(simulate, count):
    run = simulate(
        f"submodel (Inertia) J({count + 1})(J=1, w0=[12; zeros({count})])\nsubmodel (Clutch) c({count})(fn_max=20, "
        "peak=1.1)\n"
        f"connect J(k) to c(k) to J(k + 1) for k = 1..{count}\n"
        f"for k = 1..{count} do\nc(k).engaged = if time < 0.1*k then 0.2 else 1\nendfor",
        stop=3.0,
        rtol=1e-7,
    )
    total = sum(run[f"J({k}).w"] for k in range(1, count + 2))
    close(total, 12.0, atol=1e-7)
    for k in range(1, count + 2):
        close(run[f"J({k}).w"][-1], 12 / (count + 1), atol=1e-6)


def test_code_of_a_chain_is_in_proportion_to_its_length(write_model):
    """The core of the linear system has one row for each clutch, and entries beside the diagonal alone."""

    def length(count):
        text = (
            f"@rotational\nmodel Chain\nsubmodel (Inertia) J({count + 1})(J=2)\nsubmodel (Clutch) "
            f"c({count})(fn_max=20)\n"
            f"connect J(k) to c(k) to J(k + 1) for k = 1..{count}\nfor k = 1..{count} do\nc(k).engaged = "
            "time\nendfor\nend\n"
        )
        model = cutset.load(write_model(text))
        assert [(s["size"], s["torn"]) for s in model.inspect()["linear_systems"]] == [(4 * count + 1, count)]
        return len(model.translated.files("c")["model.c"].splitlines())

    assert length(40) < 4.2 * length(10)
