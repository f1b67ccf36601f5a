"""Events and equations of the start, carried to the names that are left when aliases are eliminated."""

import pytest
from models_from_text import translate

from cutset.compiler.diagnostics import ModelError
from cutset.compiler.expressions.text import text

MASS = """
model class Mass
  cut A (x / f)
  main cut C [A]
  local v
  v = der(x)
  der(v) = f
end
"""


def system(body: str):
    return translate(f"{MASS}model M\n{body}\nend\n").system


def test_names_that_were_eliminated_are_replaced():
    found = system(
        "local h (start=1), v, down, n (start=0), copy\nder(h) = v\nder(v) = -1\ndown = -v\ncopy = n\n"
        "when h < 0 and copy < 3 then\ninit(down) = 0.5*down\nnew(n) = copy + down\nendwhen"
    )
    (branch,) = found.events.branches()
    assert text(branch.condition) == "mode(0) and (n < 3)"
    assert [str(action) for action in branch.actions()] == ["new(n) = n - v", "init(v) = 0.5*v"]
    assert [d.node.data for d in found.discrete] == ["n"]
    assert {a.name: text(a.value) for a in found.aliases} == {"down": "-v", "copy": "n", "der(h)": "v"}


def test_a_discrete_variable_is_known_to_the_equations():
    model = translate(
        "model M\nlocal x, n (start=2), y, z\nder(x) = n*x\ny = n^2\nz = der(y) + x\n"
        "new(n) = if x > 1 then 1 else n\nend\n"
    )
    assert "n" not in [u.node.data for u in model.system.unknowns]
    assert "n" in model.system.known[0].data
    # Between events it does not vary.
    solved = {u.data: e for block in model.sorted_system.blocks for u in block.unknowns for e in block.equations}
    assert "der(n)" not in str(model.sorted_system) and solved


def test_a_derivative_that_only_an_event_asks_for_stays():
    found = system("local x, n (start=0)\nx = sin(time)\nwhen der(x) < 0 then\nnew(n) = n + 1\nendwhen")
    assert "der(x)" in [u.node.data for u in found.unknowns]


def test_a_guess_gives_way_to_a_value():
    found = system(
        "local a (start=1, fixed=false), b (start=2), c (start=3, fixed=false), d (start=4, fixed=false)\n"
        "der(a) = -a\na = b\nder(c) = -c\nc = d"
    )
    starts = {u.node.data: (text(u.start), u.fixed) for u in found.unknowns if u.start is not None}
    assert sorted(starts.values()) == [("2", True), ("3", False)] or sorted(starts.values()) == [
        ("2", True),
        ("4", False),
    ]


def test_two_values_are_a_conflict():
    with pytest.raises(ModelError, match="E306"):
        system("local a (start=1), b (start=2)\nder(a) = -a\na = b")


def test_a_start_given_by_an_equation():
    model = translate("model M\nparameter p = 2\nlocal x, y\nder(x) = -x\nx = -y\ninit(y) = 3*p\nend\n")
    assert (model.values()["x"], model.values(parameters={"p": 1})["y"]) == (-6.0, 3.0)


def test_noevent_and_smooth_run():
    body = (
        "local x (start=2), y\nder(x) = -x\ny = noevent(if x > 1 then 1 else 2) + smooth(if time > 0.5 then x else 0)"
    )
    model = translate(f"model M\n{body}\nend\n")
    assert not model.program.info.relations
    assert (model.values()["y"], model.values({"x": 0.5}, time=1.0)["y"]) == (1.0, 2.5)


def test_a_delay_breaks_a_loop():
    found = translate("model M\nlocal x, y\nx = 2*y + 1\ny = delay(x, 0.1)\nend\n")
    assert [len(block.unknowns) for block in found.sorted_system.blocks] == [1, 1]
    assert [text(d.value) for d in found.system.delays] == ["x"]


def test_an_if_in_a_when_chooses():
    found = system(
        "local x, n (start=0)\nder(x) = 1\nwhen x > 1 then\nif n > 2 then\nnew(n) = 0\ninit(x) = 0\n"
        'else\nnew(n) = n + 1\nassert x < 3, "far"\nendif\nendwhen'
    )
    (branch,) = found.events.branches()
    assert [str(action) for action in branch.actions()] == [
        "new(n) = (if n > 2 then 0 else 1 + n)",
        "init(x) = (if n > 2 then 0 else x)",
        'assert (n > 2) or (x < 3), "far"',
    ]
