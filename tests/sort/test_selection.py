"""Sets of states that are chosen anew: when there are some, where they begin, what an event does to them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from models_from_text import translate
from pendulums import pendulum, values_of

import cutset
from cutset.compiler.pipeline import Observer, compile_model


@pytest.fixture
def simulated(tmp_path: Path):
    """A run of a model: the values of its names."""
    return partial(values_of, tmp_path / "model.mo")


# --- where there is nothing to choose in a run ---------------------------------------------------------


def is_chosen_in_a_run(text: str) -> bool:
    return bool(translate(text).program.info.discrete)


@pytest.mark.parametrize(
    "constraint",
    ["x = 2*y", "x = k*y", "x = 2*y + sin(time)", "y = x^2", "y = x^2 + sin(x)", "x^2 + y = 1"],
)
def test_a_choice_that_stays_regular_is_made_once(constraint: str) -> None:
    # y follows from x with a constant factor, whatever the values are.
    text = (
        "model M\n parameter k(structural) = 3\n local x(start=1), y(fixed=false), f\n der(x) = f\n der(y) = -f + x\n"
        f" {constraint}\nend\n"
    )
    assert not is_chosen_in_a_run(text.replace("(structural)", ""))


@pytest.mark.parametrize("constraint", ["x^2 + y^2 = 1", "x*y = 1", "sin(x) = cos(2*y)", "exp(y)*x = 1"])
def test_a_choice_that_may_become_singular_is_not(constraint: str) -> None:
    text = (
        f"model M\n local x(start=1), y(start=1, fixed=false), f\n der(x) = f\n der(y) = -f + x\n {constraint}\nend\n"
    )
    assert is_chosen_in_a_run(text)


def test_dummies_bound_to_each_other_by_constants_stay_regular() -> None:
    # Neither equation gives one of x and y alone; together they do, by factors that do not vary. Those of z vary.
    text = (
        "model M\n local z(start=0.1), x, y, F, G\n der(x) = F\n der(y) = G\n der(z) = 1 + F\n x + y = sin(z)\n"
        " x - y = z^2\nend\n"
    )
    assert translate(text).program.info.states == ("z",)
    assert not is_chosen_in_a_run(text)


def test_what_the_model_prefers_stays_a_state() -> None:
    model = translate(pendulum("x(state=prefer), y(start=-1), vx, vy"))
    assert model.program.info.states == ("x", "vx")
    model = translate(pendulum("x, y(state=never, start=-1), vx, vy"))
    assert model.program.info.states == ("x", "vx")


SPHERE = """
model Sphere
  local x({x}), y({y}), z({z}), u, v, w, F
  u = der(x)
  v = der(y)
  w = der(z)
  der(u) = -F*x
  der(v) = -F*y
  der(w) = -F*z - 9.81
  x^2 + y^2 + z^2 = 1
end
"""


def test_of_equals_some_stay_and_some_are_chosen_anew() -> None:
    info = translate(SPHERE.format(x="state=prefer", y="start=0", z="start=-1")).program.info
    assert info.states[:2] == ("x", "u")
    assert len(info.states) == 4
    assert len(info.discrete) == 2
    info = translate(SPHERE.format(x="start=0", y="start=0", z="state=never, start=-1")).program.info
    assert info.states == ("x", "y", "u", "v")
    assert info.discrete == ()


def test_what_is_preferred_less_than_all_states_is_not_chosen_from() -> None:
    # c is to be avoided: x, y and z are left to choose from, of which two are states.
    more = "  der(c,2) = G\n  c = x + y\nend\n"
    text = SPHERE.replace("F\n", "c(state=avoid), F, G\n", 1).replace("-F*x", "-F*x - G").replace("end\n", more)
    info = translate(text.format(x="start=1", y="start=0", z="start=0")).program.info
    assert info.discrete == tuple(f"$states1.A({i},{j})" for i in (1, 2) for j in (1, 2, 3))


def test_a_set_has_as_many_states_as_are_free() -> None:
    model = translate(SPHERE.format(x="start=1", y="start=0", z="start=0"))
    info = model.program.info
    assert info.states == ("$states1.x(1)", "$states1.x(2)", "der($states1.x(1))", "der($states1.x(2))")
    assert len(info.discrete) == 2 * 3


@pytest.mark.parametrize(
    ("x0", "y0", "picked"), [(1, 0, (0, 1)), (0, -1, (1, 0)), (0.6, -0.8, (1, 0)), (0.8, 0.6, (0, 1))]
)
def test_the_first_choice_is_made_at_the_start_values_that_parameters_give(
    x0: float, y0: float, picked: tuple[int, int]
) -> None:
    model = translate(pendulum("x(start=x0), y(start=y0), vx, vy", "  parameter x0 = 0, y0 = 0"))
    values = model.values(parameters={"x0": x0, "y0": y0})
    assert (values["$states1.A(1,1)"], values["$states1.A(1,2)"]) == picked


def test_what_the_model_has_itself_comes_first() -> None:
    more = "  local n(start=3)\n  when x > 0.5 then\n    new(n) = n + 1\n  endwhen"
    model = translate(pendulum("x(start=0), y(start=-1), vx(start=7), vy", more))
    assert model.program.info.discrete == ("n", "$states1.A(1,1)", "$states1.A(1,2)")
    assert len(model.program.info.relations) == 3
    assert model.program.info.whens == (1, 1)


def test_two_sets_choose_on_their_own() -> None:
    text = """
model class P
  local x(start=1), y(start=0), vx, vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
end
model Two
  submodel (P) a, b
end
"""
    info = translate(text).program.info
    assert {name.partition(".")[0] for name in info.discrete} == {"$states1", "$states2"}
    assert len(info.states) == 4


# --- the start -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variables", "more", "expected"),
    [
        ("x(start=1), y(start=0), vx, vy", "", (1, 0, 0, 0)),
        ("x(start=0), y(start=-1), vx(start=2), vy", "", (0, -1, 2, 0)),
        ("x(start=L), y(start=0), vx, vy(start=3)", "", (1, 0, 0, 3)),
        ("x(start=0.6), y(start=-1, fixed=false), vx, vy", "", (0.6, -0.8, 0, 0)),
        ("x(start=0.6), y(start=1, fixed=false), vx(start=1), vy", "", (0.6, 0.8, 1, -0.75)),
        ("x(start=1, fixed=false), y(start=-0.8), vx, vy(start=1)", "", (0.6, -0.8, 4 / 3, 1)),
        ("x(start=0.1), y(start=1, fixed=false), vx, vy(start=0.1)", "", (0.1, 0.99**0.5, -0.1 * 0.99**0.5 / 0.1, 0.1)),
        ("x(start=0.6, fixed=false), y(start=-0.8, fixed=false), vx, vy", "", (0.6, -0.8, 0, 0)),
        ("x(start=0.5, fixed=false), y(start=-0.5, fixed=false), vx, "
         "vy", "initial\n y = -0.6\n vx = 1\nendinitial", (0.8, -0.6, 1, 4 / 3)),
    ],
)  # fmt: skip
def test_start(simulated, variables: str, more: str, expected: tuple[float, ...]) -> None:
    found = simulated(pendulum(variables, more), 2.0)
    assert [found[n][0] for n in ("x", "y", "vx", "vy")] == pytest.approx(expected, abs=1e-9)
    assert np.abs(found["x"] ** 2 + found["y"] ** 2 - 1).max() < 1e-9


@pytest.mark.parametrize(
    "speeds", [", v(start=1.5), w", ", v(start=1.5), w(start=0)", "(start=0), v(start=1.5), w(start=0)"]
)
def test_start_where_fewer_speeds_are_given_than_are_free(simulated, speeds: str) -> None:
    text = SPHERE.format(x="start=1", y="start=0", z="start=0").replace("u, v, w", "u" + speeds)
    found = simulated(text, 10.0, rtol=1e-9, atol=1e-11)
    x, y, z, u, v, w = (found[n] for n in "xyzuvw")
    assert [e[0] for e in (x, y, z, u, v, w)] == pytest.approx([1, 0, 0, 0, 1.5, 0])
    assert np.abs(x**2 + y**2 + z**2 - 1).max() < 1e-9
    assert np.abs(x * u + y * v + z * w).max() < 1e-9
    assert np.ptp(0.5 * (u**2 + v**2 + w**2) + 9.81 * z) < 1e-4
    assert np.ptp(x * v - y * u) < 1e-5


def test_a_start_that_contradicts_the_constraint(simulated) -> None:
    # What is chosen at the start values counts, also where another choice is made at the start that follows.
    for x, y in ((0.6, 0.9), (0.9, 1.0)):
        found = simulated(pendulum(f"x(start={x}), y(start={y}), vx, vy"), 1.0)
        assert (found["x"][0], found["y"][0]) == pytest.approx((x, np.sqrt(1 - x**2)))
    with pytest.raises(cutset.RunError, match="E633"):
        simulated(pendulum("x(start=1.1), y(start=1.2), vx, vy"), 1.0)


def test_the_start_follows_a_parameter_of_the_run(simulated) -> None:
    # With a the choice at the start is another one: at 0 it must be x, at a right angle y.
    text = pendulum("x(start=sin(a)), y(start=-cos(a)), vx, vy", "  parameter a = 0.3")
    for angle in (0.0, 1.0, np.pi / 2, 2.5, np.pi - 1e-3):
        found = simulated(text, 3.0, parameters={"a": angle})
        assert found["x"][0] == pytest.approx(np.sin(angle))
        assert found["y"][0] == pytest.approx(-np.cos(angle))
        energy = 0.5 * (found["vx"] ** 2 + found["vy"] ** 2) + 9.81 * found["y"]
        assert np.ptp(energy) < 1e-2


# --- events --------------------------------------------------------------------------------------------


def test_what_is_chosen_is_good_at_any_time(simulated) -> None:
    found = simulated(pendulum("x(start=0), y(start=-1), vx(start=7), vy"), 20.0)
    x, y = np.abs(found["x"]), np.abs(found["y"])
    of_x = found["$states1.A(1,1)"]
    assert set(of_x) == {0.0, 1.0}
    assert np.array_equal(found["$states1.A(1,2)"], 1.0 - of_x)
    slope = np.where(of_x == 1.0, x / np.maximum(y, 1e-9), y / np.maximum(x, 1e-9))
    assert slope.max() < 2.0 + 1e-6
    assert slope.max() > 1.9
    state = np.where(of_x == 1.0, found["x"], found["y"])
    assert np.abs(state - found["$states1.x(1)"]).max() < 1e-12


def test_a_restart_of_a_variable_restarts_what_stands_for_it(simulated) -> None:
    # It swings against a wall and comes back as fast as it went, wherever the states are just then.
    wall = "  when x < {x} then\n    init(vx) = -vx\n    init(vy) = -vy\n  endwhen"
    for x in (-0.05, -0.6, -0.95):
        found = simulated(pendulum("x(start=1), y(start=0), vx, vy", wall.format(x=x)), 20.0, rtol=1e-9, atol=1e-11)
        assert found["x"].min() > x - 1e-6
        assert found["x"].max() > 0.99
        assert np.ptp(0.5 * (found["vx"] ** 2 + found["vy"] ** 2) + 9.81 * found["y"]) < 1e-4


def test_intermediate_variables_are_no_states(simulated) -> None:
    # A crank and a slider; where the crank is as long as the rod no angle is right everywhere.
    text = """
model Slider
  parameter r = 1, l = 1.5
  local a(start=0), w(start=3), b(start=0), s(start=2.5), pa, qa, pb, qb, f, g
  w = der(a)
  pa = r*cos(a)
  qa = r*sin(a)
  pb = pa + l*cos(b)
  qb = qa + l*sin(b)
  s = pb
  qb = 0
  der(a, 2) = r*sin(a)*f - r*cos(a)*g
  0.1*der(b, 2) = l*sin(b)*f - l*cos(b)*g
  der(s, 2) = f
end
"""
    found = simulated(text, 20.0, rtol=1e-9, atol=1e-11)
    a, b, s, w = (found[n] for n in ["a", "b", "s", "w"])
    assert np.abs(np.sin(a) + 1.5 * np.sin(b)).max() < 1e-8
    assert np.abs(np.cos(a) + 1.5 * np.cos(b) - s).max() < 1e-8
    assert np.ptp(0.5 * w**2 + 0.05 * found["der(b)"] ** 2 + 0.5 * found["der(s)"] ** 2) < 1e-4
    assert abs(a[-1]) > 2 * np.pi * 3


def test_speeds_with_equations_of_their_own(simulated) -> None:
    text = """
model Pendulum
  local x(start=0), y(start=-1), wx(start=14), wy(start=0), F
  0.5*wx = der(x)
  0.5*wy = der(y)
  0.5*der(wx) = -F*x
  0.5*der(wy) = -F*y - 9.81
  x^2 + y^2 = 1
end
"""
    found = simulated(text, 20.0, rtol=1e-9, atol=1e-11)
    x, y, wx, wy = (found[n] for n in ["x", "y", "wx", "wy"])
    assert np.abs(x**2 + y**2 - 1).max() < 1e-8
    assert np.abs(x * wx + y * wy).max() < 1e-8
    assert np.ptp(0.125 * (wx**2 + wy**2) + 9.81 * y) < 1e-4


def test_a_constraint_of_speeds(simulated) -> None:
    # A skate: it moves along its own direction alone, which turns. Nothing is chosen but speeds.
    text = """
model Skate
  local x(start=0), y(start=0), phi(start=0), u(start=1), v(start=0), F
  der(x) = u
  der(y) = v
  der(phi) = 2
  der(u) = F*sin(phi)
  der(v) = -F*cos(phi)
  u*sin(phi) - v*cos(phi) = 0
end
"""
    found = simulated(text, 20.0, rtol=1e-9, atol=1e-11)
    assert np.abs(np.hypot(found["u"], found["v"]) - 1).max() < 1e-6
    assert np.abs(found["u"] * np.sin(found["phi"]) - found["v"] * np.cos(found["phi"])).max() < 1e-9
    assert np.abs(found["x"] - np.sin(found["phi"]) / 2).max() < 1e-6


# --- factors of parameters -----------------------------------------------------------------------------

ONE_OF_TWO = """
model M
  parameter k = {k}, a = 3, b = 3
  local x(start=0{preference}), y(start=2), f
  der(x) = f
  der(y) = -f + y - 1
  {constraint}
end
"""


@pytest.mark.parametrize("preference", ("", ", state=prefer"))
@pytest.mark.parametrize(
    ("k", "constraint"),
    [(0, "x = k*y + sin(time)"), (3, "x = (a - b)*y + sin(time)"), (3, "(b - a)*y + x = sin(time)")],
)
def test_a_factor_that_is_zero_by_its_parameters_is_none_to_divide_by(
    simulated, k: float, constraint: str, preference: str
) -> None:
    found = simulated(ONE_OF_TWO.format(k=k, constraint=constraint, preference=preference), 1.0, rtol=1e-9, atol=1e-9)
    # y' = -cos(t) + y - 1 from 2
    assert found["y"][-1] == pytest.approx(1 + 0.5 * (np.cos(1) - np.sin(1)) + 0.5 * np.e, abs=1e-7)


def test_a_run_may_make_a_factor_zero(tmp_path: Path) -> None:
    path = tmp_path / "model.mo"
    path.write_text(ONE_OF_TWO.format(k=3, constraint="x = k*y + sin(time)", preference=""))
    model = cutset.load(path)
    assert model.states == ("x",)
    run = model.simulate(1.0, rtol=1e-9, atol=1e-9, parameters={"k": 0.0})
    assert run["y"][-1] == pytest.approx(1 + 0.5 * (np.cos(1) - np.sin(1)) + 0.5 * np.e, abs=1e-7)


def test_parameters_that_make_a_pair_dependent(simulated) -> None:
    # 2*x + 3*y and 4*x + 6*y say the same of x and y: z follows from the two, not x and y from z.
    text = (
        "model M\n parameter d = 6\n local x(start=1), y(start=-2/3), z(start=0, state=prefer), f, g\n der(x) = f\n"
        " der(y) = g\n der(z) = f - g + 1\n"
    )
    text += " 2*x + 3*y = sin(time) + z\n 4*x + d*y = 2*sin(time) + 3*z\nend\n"
    found = simulated(text, 1.0, rtol=1e-9, atol=1e-9)
    assert np.abs(found["z"]).max() < 1e-9
    assert 2 * found["x"][-1] + 3 * found["y"][-1] == pytest.approx(np.sin(1), abs=1e-9)


def test_relations_of_the_model_keep_their_numbers(simulated) -> None:
    more = (
        "  local n(start=0), m(start=0)\n  when x > 0.5 then\n    new(n) = n + 1\n  endwhen\n  when y > -0.3 then\n"
        "    new(m) = m + 1\n  endwhen"
    )
    run = simulated(pendulum("x(start=0), y(start=-1), vx(start=5), vy", more), stop=10.0, points=10_001)

    def rises(above: np.ndarray) -> int:
        return int(np.sum(above[1:] & ~above[:-1]))

    assert run["n"][-1] == rises(run["x"] > 0.5) > 2
    assert run["m"][-1] == rises(run["y"] > -0.3) > 2


def test_a_restart_of_something_else_leaves_the_chosen_states_alone(tmp_path: Path) -> None:
    more = "  der(q) = 1\n  when q > {limit} then\n    init({target}) = 0\n  endwhen"
    restarts = {}
    for target in ("q", "vx"):
        path = tmp_path / f"{target}.mo"
        path.write_text(pendulum("x(start=1), y(start=0), vx, vy, q(start=0)", more.format(limit=2, target=target)))

        def observe(stage: str, result, target=target):
            if stage == "select":
                branches = [[str(r.target.data) for r in branch.restarts] for branch in result.system.events.branches()]
                restarts[target] = next(names for names in branches if target in names)
            return result

        compile_model(path, None, observer=Observer([observe]))
    assert restarts["q"] == ["q"]
    assert len(restarts["vx"]) > 1 and restarts["vx"][0] == "vx"


def test_a_preferred_speed_is_a_state_beside_a_choice_of_positions(simulated) -> None:
    """A turning rod by the coordinates of its end, with a torque: the angular velocity stays a state."""
    text = (
        "model Rod\n local p(2)(start=[1, 0]), w(state=prefer, start=0.5), v(2), F(2)\n p'*p = 1\n"
        " w = p(1)*der(p(2)) - p(2)*der(p(1))\n v = der(p)\n der(v) = F - [0, 9.81]\n"
        " der(w) = p(2)*F(1) - p(1)*F(2)\nend\n"
    )
    found = simulated(text)
    np.testing.assert_allclose(found["w"] ** 2, 0.25 - 9.81 * found["p(2)"], atol=1e-4)


@pytest.mark.parametrize("first", ["prefer", "avoid"])
def test_of_two_names_the_preferred_one_counts(first: str) -> None:
    other = "avoid" if first == "prefer" else "prefer"
    text = (
        f"model M\n local a(state={first}), b(state={other}), c(start=1, state=avoid), f\n a = b\n der(a) = f\n"
        " der(c) = -f + a\n a^2 + c^2 = 1\nend\n"
    )
    assert translate(text).program.info.states == ("a",)
